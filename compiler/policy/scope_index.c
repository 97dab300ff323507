#include "compiler/policy/scope_index.h"

#include <string.h>

#include "compiler/base/map.h"
#include "compiler/policy/adr.h"

/* In place of a scope. */
static const char several_scopes[] = "";

struct scope_index scope_index_new(struct arena *arena)
{
	return (struct scope_index){ arena, map_new(arena, 0), map_new(arena, 0) };
}

void scope_index_add(struct scope_index *index, const char *name, const void *scope)
{
	void **named = map_at(index->names, name, strlen(name));
	if (*named)
		return;
	const char *key = adr_scope_key(index->arena, name);
	void **spelt = map_at(index->spellings, key, strlen(key));
	*named = (void *)scope;
	*spelt = *spelt ? (void *)several_scopes : (void *)scope;
}

void *scope_index_named(const struct scope_index *index, const char *name)
{
	return map_value(index->names, name, strlen(name));
}

void *scope_index_spelt(const struct scope_index *index, const char *spelling, bool *several)
{
	void *named = scope_index_named(index, spelling);
	const char *key = adr_scope_key(index->arena, spelling);
	void *found = named ? named : map_value(index->spellings, key, strlen(key));
	*several = found == several_scopes;
	return *several ? NULL : found;
}
