/* What a system call gets. */
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/policy/policy.h"

bool action_equal(struct action a, struct action b)
{
	return a.kind == b.kind && (a.kind != ACTION_ERRNO || a.errno_value == b.errno_value);
}

bool action_passes(struct action action)
{
	return action.kind == ACTION_ALLOW || action.kind == ACTION_LOG;
}

int action_reach(struct action action)
{
	switch (action.kind) {
	case ACTION_ALLOW:
		return 3;
	case ACTION_LOG:
		return 2;
	case ACTION_ERRNO:
		return 1;
	case ACTION_KILL:
		break;
	}
	return 0;
}

const char *action_text(struct compilation *compilation, struct action action)
{
	switch (action.kind) {
	case ACTION_ALLOW:
		return "allow";
	case ACTION_KILL:
		return "kill";
	case ACTION_LOG:
		return "log";
	case ACTION_ERRNO:
		break;
	}
	const char *name = errno_name(action.errno_value);
	return name ? arena_printf(compilation->arena, "errno %s", name)
		    : arena_printf(compilation->arena, "errno %u", (unsigned)action.errno_value);
}
