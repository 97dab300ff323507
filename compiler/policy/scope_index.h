/*
 * Scopes of ADRs by their names, and by what else may mean them (adr_scope_is_spelt()): a name goes before
 * other spellings, and a spelling that may mean several means none.
 */
#ifndef ALLOWC_POLICY_SCOPE_INDEX_H
#define ALLOWC_POLICY_SCOPE_INDEX_H

#include <stdbool.h>

struct arena;
struct map;

struct scope_index {
	struct arena *arena;
	struct map *names, *spellings;
};

struct scope_index scope_index_new(struct arena *arena);

/* What the name stands for, which the index only hands out. Of two of one name the first counts. */
void scope_index_add(struct scope_index *index, const char *name, const void *scope);

/* By its name alone; NULL where there is none. */
void *scope_index_named(const struct scope_index *index, const char *name);

/* By its name, else the only one that the spelling may mean. NULL where none may, or several. */
void *scope_index_spelt(const struct scope_index *index, const char *spelling, bool *several);

#endif
