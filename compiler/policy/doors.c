/* Doors that stay open: calls that pass, and do what a call does that a row denies. */
#include <string.h>

#include "compiler/data/equivalents.h"
#include "compiler/policy/resolver.h"

/* The calls of one set that pass on a named ABI, and the ABIs that have one of them. */
struct doors {
	const char *names; /* "open, openat2" */
	size_t count;
	unsigned abis;
};

static bool is_refusal(struct action action)
{
	/* ENOSYS is for callers that then take one of the others: that these pass is what is meant. */
	bool sends_on = action.kind == ACTION_ERRNO && action.errno_value == errno_find("ENOSYS");
	return !action_passes(action) && !sends_on;
}

/*
 * The first row that denies the call for its own sake. A forbidden capability is none: what else it gates is
 * closed by dropping it.
 */
static const struct call_rule *call_refused(const struct policy *policy, const struct syscall_entry *call)
{
	const struct seccomp *seccomp = &policy->seccomp;
	size_t at = call_rules_begin(seccomp->denied, seccomp->denied_count, call);
	for (; at < seccomp->denied_count && seccomp->denied[at].call == call; at++)
		if (seccomp->denied[at].row->kind != SUBJECT_CAPABILITY &&
		    is_refusal(seccomp->denied[at].action))
			return &seccomp->denied[at];
	return NULL;
}

static const struct call_rule *first_refused(const struct policy *policy, const char *const *names)
{
	const struct call_rule *refused = NULL;
	for (; *names && !refused; names++) {
		const struct syscall_entry *call = syscall_find(*names);
		refused = call ? call_refused(policy, call) : NULL;
	}
	return refused;
}

static unsigned named_abis(const struct policy *policy, const struct syscall_entry *call)
{
	unsigned abis = 0;
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && call->numbers[abi] >= 0)
			abis |= 1u << abi;
	return abis;
}

static void door_add(struct arena *arena, const struct policy *policy, struct doors *doors, const char *name)
{
	const struct syscall_entry *call = syscall_find(name);
	unsigned abis = call ? named_abis(policy, call) : 0;
	if (!abis || !call_is_allowed(policy, call))
		return;
	doors->names = doors->count++ ? arena_printf(arena, "%s, %s", doors->names, name) : name;
	doors->abis |= abis;
}

/* "a, b, c" as "a, b and c" */
static const char *with_and(struct arena *arena, const char *list)
{
	const char *comma = strrchr(list, ',');
	return comma ? arena_printf(arena, "%.*s and%s", (int)(comma - list), list, comma + 1) : list;
}

static const char *abi_list(struct arena *arena, unsigned abis)
{
	const char *list = "";
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (abis & 1u << abi)
			list = arena_printf(arena, "%s%s%s", list, *list ? ", " : "",
					    abi_facts((enum abi)abi)->name);
	return with_and(arena, list);
}

static struct doors doors_find(struct arena *arena, const struct policy *policy,
			       const struct equivalents *set)
{
	struct doors doors = { .count = 0 };
	if (set->door)
		door_add(arena, policy, &doors, set->door);
	for (const char *const *name = set->calls; !set->door && *name; name++)
		door_add(arena, policy, &doors, *name);
	return doors;
}

static void set_warn(struct resolver *resolver, const struct equivalents *set)
{
	struct arena *arena = resolver->compilation->arena;
	const struct call_rule *refused = first_refused(resolver->policy, set->calls);
	if (!refused)
		return;
	struct doors doors = doors_find(arena, resolver->policy, set);
	if (!doors.count)
		return;
	bool one = doors.count == 1;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_INCOMPLETE_GROUP,
					   refused->row->span, "%s is denied, but %s %s %s on %s and %s",
					   refused->call->name, with_and(arena, doors.names),
					   one ? "does" : "do", set->in_part ? "part of it" : "the same",
					   abi_list(arena, doors.abis), one ? "passes" : "pass");
	diag_help(d, "close %s too, or leave %s out:", one ? "it" : "them",
		  doors.abis & (doors.abis - 1) ? "those ABIs" : "that ABI");
	diag_fix(d, "forbid syscall %s  adr %s  because \"…\"", doors.names, row_reference(refused->row));
}

/* Not beside errors: a row that is wrong may be the one that closes the door. */
void doors_warn(struct resolver *resolver)
{
	if (diags_errors(resolver_diags(resolver)))
		return;
	for (size_t i = 0; resolver->policy->seccomp.denied_count && i < equivalents_table_size; i++)
		set_warn(resolver, &equivalents_table[i]);
}
