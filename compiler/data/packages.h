/*
 * Packages whose program has another name: ripgrep is the package of rg. Source: packages.tsv, which names
 * its own.
 */
#ifndef ALLOWC_DATA_PACKAGES_H
#define ALLOWC_DATA_PACKAGES_H

#include <stddef.h>

struct package {
	const char *package, *program;
	const char *source; /* "Debian package ripgrep" */
};

/* The first of `*count` entries of that package. */
const struct package *packages_find(const char *package, size_t *count);

#endif
