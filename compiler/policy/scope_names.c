#include "compiler/policy/scope_names.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/policy/adr.h"

struct scope_names {
	struct arena *arena;
	struct map *names; /* to the scope */
	struct map *keys;  /* by adr_scope_key(): to the scope, or to `several` */
};

static const char several_scopes;

struct scope_names *scope_names_new(struct arena *arena)
{
	struct scope_names *names = arena_alloc(arena, sizeof *names);
	*names = (struct scope_names){ arena, map_new(arena, 0), map_new(arena, 0) };
	return names;
}

void scope_names_put(struct scope_names *names, const char *name, const void *scope)
{
	void **named = map_at(names->names, name, strlen(name));
	if (*named)
		return;
	*named = (void *)scope;
	const char *key = adr_scope_key(names->arena, name);
	void **spelt = map_at(names->keys, key, strlen(key));
	*spelt = *spelt ? (void *)&several_scopes : (void *)scope;
}

void *scope_named(const struct scope_names *names, const char *name)
{
	return map_value(names->names, name, strlen(name));
}

void *scope_spelt(const struct scope_names *names, const char *spelling, bool *several)
{
	void *scope = scope_named(names, spelling);
	*several = false;
	if (scope)
		return scope;
	const char *key = adr_scope_key(names->arena, spelling);
	scope = map_value(names->keys, key, strlen(key));
	*several = scope == &several_scopes;
	return *several ? NULL : scope;
}
