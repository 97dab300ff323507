/*
 * Which commands the own rows of a role or plugin can decide: those whose words begin with the words of such
 * a row. A policy may have as many roles as commands, so not every command is asked about in every role.
 */
#ifndef ALLOWC_DIFF_REACH_H
#define ALLOWC_DIFF_REACH_H

#include <stddef.h>

struct arena;
struct block;
struct policy;

/* Over the commands of both policies' allow and forbid rows. In the arena. */
struct reach;
struct reach *reach_new(struct arena *arena, const struct policy *now, const struct policy *old);

/*
 * Those that rows of either block (NULL: none) reach, each once, in the order of the rows of `now` and then
 * of `old`. The list holds until the next call.
 */
size_t reach_of(struct reach *reach, const struct block *now, const struct block *old,
		const char *const **commands);

#endif
