#include "backends/role_view.h"

#include <string.h>

#include "backends/rows.h"
#include "compiler/base/arena.h"
#include "compiler/policy/policy.h"

const struct policy *role_views(struct arena *arena, const struct policy *policy)
{
	const char **identifiers = role_identifiers(arena, policy);
	struct policy *views = arena_array(arena, policy->role_count, sizeof *views);
	for (size_t i = 0; i < policy->role_count; i++) {
		const struct block *role = policy->roles[i];
		views[i] = *policy;
		views[i].role = role;
		views[i].name = arena_printf(arena, "%s.%s", policy->name, role->name);
		views[i].identifier = arena_printf(arena, "%s_%s", policy->identifier,
						   identifiers[i] + strlen(ROLE_PREFIX));
		if (role->seccomp)
			views[i].seccomp = *role->seccomp;
		views[i].seccomp.audit = policy->seccomp.audit;
	}
	return views;
}
