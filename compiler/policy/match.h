/*
 * Which row decides a command. A row matches an argument vector that starts with its words; the longest
 * row wins; `decline` and `revoke` rows decide nothing. A command is its words joined by single blanks.
 */
#ifndef ALLOWC_POLICY_MATCH_H
#define ALLOWC_POLICY_MATCH_H

#include <stddef.h>

#include "compiler/policy/policy.h"

struct arena;
struct map;

/* Commands of allow and forbid rows, by their words. */
struct row_index;
struct row_index *row_index_new(struct arena *arena, size_t expected);

/*
 * The same over a map from subject to row that somebody else fills. NULL and declines in it decide
 * nothing, so they are not found.
 */
struct row_index *row_index_over(struct arena *arena, struct map *rows);

/* Adds a row; one with the same words is replaced. */
void row_index_add(struct row_index *index, const struct row *row);

/*
 * Adds the commands among these rows, declines left out, when the index is asked first: many a policy of a
 * million rows is read and checked, and no row of it looked for. `rows` stays the caller's and as it is until
 * then; one list can wait at a time.
 */
void row_index_add_later(struct row_index *index, const struct row *const *rows, size_t count);

/* Adds at once what waits: for who asks the map of row_index_over() itself. */
void row_index_complete(const struct row_index *index);

/* The row with exactly these words, or NULL. */
const struct row *row_index_find(const struct row_index *index, const char *command);

/* The longest row that starts `command` at a word's end, or NULL. */
const struct row *row_index_match(const struct row_index *index, const char *command);

/* In force for everyone: the layers alone. */
const struct row *policy_find(const struct policy *policy, const char *command);
const struct row *policy_match(const struct policy *policy, const char *command);
enum verdict policy_verdict(const struct policy *policy, const char *command);

/*
 * With the rows of a role or plugin asked first; these only narrow, so an `allow` there passes the
 * question on to the layers. The row is the one that decides.
 */
const struct row *block_match(const struct policy *policy, const struct block *block, const char *command);
enum verdict block_verdict(const struct policy *policy, const struct block *block, const char *command);

/*
 * The command rows that a role or plugin sees with this verb: those of the layers by its own verdict, in
 * policy order, then its own that no layer has. Of `allow` that is all it may run. In the arena; sets
 * `*count`.
 */
const struct row **block_commands(struct arena *arena, const struct policy *policy, const struct block *block,
				  enum verb verb, size_t *count);

/* Roles, or plugins, by their names: const struct block. */
struct map *blocks_by_name(struct arena *arena, const struct block *const *blocks, size_t count);

#endif
