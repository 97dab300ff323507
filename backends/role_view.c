#include "backends/role_view.h"

#include <string.h>

#include "backends/rows.h"
#include "compiler/base/arena.h"
#include "compiler/policy/policy.h"

struct policy role_view(const struct policy *policy, const struct block *role)
{
	struct policy view = *policy;
	view.role = role;
	if (role && role->seccomp)
		view.seccomp = *role->seccomp;
	view.seccomp.audit = policy->seccomp.audit;
	return view;
}

const struct policy *role_views(struct arena *arena, const struct policy *policy)
{
	const char **identifiers = role_identifiers(arena, policy);
	struct policy *views = arena_array(arena, policy->role_count, sizeof *views);
	for (size_t i = 0; i < policy->role_count; i++) {
		views[i] = role_view(policy, policy->roles[i]);
		views[i].name = arena_printf(arena, "%s.%s", policy->name, policy->roles[i]->name);
		views[i].identifier = arena_printf(arena, "%s_%s", policy->identifier,
						   identifiers[i] + strlen(ROLE_PREFIX));
	}
	return views;
}
