/*
 * What commonly breaks where a system call is refused. Source: breakage.tsv, which names its own; the
 * programs that are run for the call itself are in known_needs.h.
 */
#ifndef ALLOWC_DATA_BREAKAGE_H
#define ALLOWC_DATA_BREAKAGE_H

#include <stddef.h>

struct breakage {
	const char *call;
	const char *what; /* "debuggers and tracers, also of one's own children" */
	const char *source;
};

/* Sorted by call, as bytes; several of one call stand together. */
extern const struct breakage breakage_table[];
extern const size_t breakage_table_size;

#endif
