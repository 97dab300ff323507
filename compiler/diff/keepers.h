/*
 * Which roles may still run what another one loses: the note behind a change. What was asked once is kept,
 * since ten thousand roles may lose the same command.
 */
#ifndef ALLOWC_DIFF_KEEPERS_H
#define ALLOWC_DIFF_KEEPERS_H

#include <stddef.h>

struct arena;
struct policy;

/* Names that are shown of a list; the others are counted. */
enum { LIST_SHOWN = 6 };

/* In the arena; keeps the policy. */
struct keepers;
struct keepers *keepers_new(struct arena *arena, const struct policy *policy);

/*
 * How many roles may run all of these commands, of which there is one at least; the names of the first, at
 * most LIST_SHOWN, in `*names`.
 */
size_t keepers_of(struct keepers *keepers, const char *const *commands, size_t count,
		  const char *const **names);

#endif
