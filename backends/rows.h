/*
 * What the text backends ask of a policy's rows.
 */
#ifndef ALLOWC_BACKENDS_ROWS_H
#define ALLOWC_BACKENDS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct policy;
struct row;

/* Whether it is a row of a command with this verb (enum verb). */
bool row_is_command(const struct row *row, unsigned verb);

/* The references in order, ", " between them. The citation itself where there is one, else in the arena. */
const char *row_citations(struct arena *arena, const struct row *row);

/* The command rows that decide something (allow and forbid), in policy order. In the arena. */
struct row_list {
	const struct row **items;
	size_t count;
	size_t longest;    /* bytes of the longest command; 0 where there is none */
	size_t most_words; /* of the command with the most words */
	size_t requirement_count; /* of all */
	bool limited;             /* a row is for some platforms alone */
};

struct row_list policy_commands(struct arena *arena, const struct policy *policy);

/* The same of the rows that roles have of their own, one role after the other. */
struct row_list role_commands(struct arena *arena, const struct policy *policy);

/*
 * "role_gate" for each role, as identifiers_assign() makes them, in lower case: distinct in upper case too,
 * and none is "role_count". Behind the prefix a keyword may stand, or a digit. In the arena.
 */
#define ROLE_PREFIX "role_"
const char **role_identifiers(struct arena *arena, const struct policy *policy);

#endif
