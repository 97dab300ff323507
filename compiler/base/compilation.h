/*
 * What every stage of one compilation shares. Owned by the command (or the test, or the fuzzer).
 */
#ifndef ALLOWC_BASE_COMPILATION_H
#define ALLOWC_BASE_COMPILATION_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diags;
struct pool;
struct sources;

struct compilation {
	struct arena *arena;
	struct arena *scratch; /* of whoever works at the moment: cleared before the next one does */
	struct sources *sources;
	struct diags *diags;
	struct pool *pool;     /* what it shares with other compilations of the run, or NULL */
	const char *today;     /* YYYY-MM-DD from --today, or NULL: compiling never reads the clock */
	bool adrs_advise;      /* diff: a policy that ADRs and -Werror alone speak against is resolved */
	bool adrs_unread;      /* --list-outputs: resolve without opening any ADR */
	bool manifests_unread; /* diff: what a plugin's manifest holds is no part of the policy */
};

struct compilation compilation_begin(size_t max_errors);

/* One of several of a run: after the end of the one before. Without a pool (NULL) it is one alone. */
struct compilation compilation_begin_sharing(size_t max_errors, struct pool *pool);
void compilation_end(struct compilation *compilation);

#endif
