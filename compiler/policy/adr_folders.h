/*
 * The folders that a pattern of `decisions` means: docs/phase-*-x/ADRs is one for each folder docs/phase-…-x
 * that has a folder ADRs. What the star stands for is the scope's name.
 */
#ifndef ALLOWC_POLICY_ADR_FOLDERS_H
#define ALLOWC_POLICY_ADR_FOLDERS_H

#include <stdbool.h>
#include <stddef.h>

struct compilation;

struct adr_folder {
	const char *name; /* what the star matched */
	const char *path;
};

struct adr_folders {
	struct adr_folder *items; /* by the bytes of their names */
	size_t count, capacity;
};

/* Whether the path holds a sign of patterns, and whether it is a pattern that is understood: one `*`. */
bool adr_pattern_is(const char *path);
bool adr_pattern_is_valid(const char *path);

/* The folder that a valid pattern, seen from some other folder, looks through, in the arena: docs/phases. */
const char *adr_pattern_folder(struct compilation *compilation, const char *pattern);

/*
 * All matches of it, in the tree that the sources are read from. Left out are hidden folders, and names that
 * no reference could spell. False with errno set where the folder that it looks through cannot be listed.
 */
bool adr_folders_find(struct compilation *compilation, const char *pattern, struct adr_folders *folders);

#endif
