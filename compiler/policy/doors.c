/* Doors that stay open: calls that pass, and do what a call does that a row denies. */
#include <string.h>

#include "compiler/data/equivalents.h"
#include "compiler/policy/resolver.h"

/* The calls of one set that pass on a named ABI, and the ABIs that have one of them. */
struct doors {
	const char *names; /* "open, openat2" */
	size_t count;
	unsigned abis;
	bool in_part; /* each passes with some arguments and not with others */
};

static bool is_refusal(struct action action)
{
	/* ENOSYS is for callers that then take one of the others: that these pass is what is meant. */
	bool sends_on = action.kind == ACTION_ERRNO && action.errno_value == errno_find("ENOSYS");
	return !action_passes(action) && !sends_on;
}

static bool can_hold(const struct policy *policy, const struct call_rule *rule)
{
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && rule->call->numbers[abi] >= 0 &&
		    (!condition_seen(rule->condition, abi) || condition_can_hold(rule->condition, abi)))
			return true;
	return false;
}

/*
 * The first row that denies the call for its own sake, before any that denies it to some arguments. A
 * forbidden capability is none: what else it gates is closed by dropping it.
 */
static const struct call_rule *call_refused(const struct policy *policy, const struct syscall_entry *call)
{
	const struct seccomp *seccomp = &policy->seccomp;
	size_t at = call_rules_begin(seccomp->denied, seccomp->denied_count, call);
	const struct call_rule *in_part = NULL;
	for (; at < seccomp->denied_count && seccomp->denied[at].call == call; at++) {
		const struct call_rule *rule = &seccomp->denied[at];
		if (rule->row->kind == SUBJECT_CAPABILITY || !is_refusal(rule->action))
			continue;
		if (!rule->condition)
			return rule;
		if (!in_part && can_hold(policy, rule))
			in_part = rule;
	}
	return in_part;
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

static unsigned passing_abis(const struct policy *policy, const struct syscall_entry *call, bool *split)
{
	unsigned abis = 0;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!policy_names_abi(policy, abi) || call->numbers[abi] < 0 ||
		    !call_may_pass(policy, call, NULL, abi))
			continue;
		abis |= 1u << abi;
		*split |= call_is_split(policy, call, abi);
	}
	return abis;
}

/*
 * Beside a call that is denied to some arguments, one that is so too is no door: whether the two let the same
 * pass is not known.
 */
static void door_add(struct arena *arena, const struct policy *policy, const struct call_rule *refused,
		     struct doors *doors, const char *name)
{
	const struct syscall_entry *call = syscall_find(name);
	bool split = false;
	unsigned abis = call ? passing_abis(policy, call, &split) : 0;
	if (!abis || call == refused->call || (refused->condition && split))
		return;
	doors->in_part = split && (doors->in_part || !doors->count);
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
			       const struct call_rule *refused, const struct equivalents *set)
{
	struct doors doors = { .count = 0 };
	/* What fork does is a part of what clone does, and not the part with new namespaces. */
	if (refused->condition && !set->door)
		return doors;
	if (set->door)
		door_add(arena, policy, refused, &doors, set->door);
	for (const char *const *name = set->calls; !set->door && *name; name++)
		door_add(arena, policy, refused, &doors, *name);
	return doors;
}

static void set_warn(struct resolver *resolver, const struct equivalents *set)
{
	struct arena *arena = resolver->compilation->arena;
	const struct call_rule *refused = first_refused(resolver->policy, set->calls);
	if (!refused)
		return;
	struct doors doors = doors_find(arena, resolver->policy, refused, set);
	if (!doors.count)
		return;
	bool one = doors.count == 1;
	struct diagnostic *d = diag_report(
		resolver_diags(resolver), DIAG_INCOMPLETE_GROUP, refused->row->span,
		"%s is denied%s, but %s %s %s on %s and %s%s", refused->call->name,
		refused->condition ? " to some arguments" : "", with_and(arena, doors.names),
		one ? "does" : "do", set->in_part ? "part of it" : "the same", abi_list(arena, doors.abis),
		one ? "passes" : "pass", doors.in_part ? " with some arguments" : "");
	diag_help(d, "close %s too, or leave %s out:", one ? "it" : "them",
		  doors.abis & (doors.abis - 1) ? "those ABIs" : "that ABI");
	diag_fix(d, "forbid syscall %s  adr %s  because \"…\"", doors.names, row_reference(refused->row));
}

/* Where a policy that denies by omission lists the call: a row or the base. No source where neither does. */
static struct span listed_at(const struct policy *policy, const struct syscall_entry *call)
{
	const struct seccomp *seccomp = &policy->seccomp;
	size_t at = call_rules_begin(seccomp->allowed, seccomp->allowed_count, call), count = 0;
	if (at < seccomp->allowed_count && seccomp->allowed[at].call == call)
		return seccomp->allowed[at].row->span;
	if (seccomp->base)
		base_entries(seccomp, call, &count);
	return count ? seccomp->base_span : (struct span){ 0 };
}

/* Whether the lists alone let a part of the arguments pass, whatever a forbidden capability denies of them.
 */
static bool is_listed_in_part(const struct policy *policy, const struct syscall_entry *call)
{
	const struct seccomp *seccomp = &policy->seccomp;
	size_t count = 0, at = call_rules_begin(seccomp->allowed, seccomp->allowed_count, call), rules = at;
	const struct call_reference *entries = seccomp->base ? base_entries(seccomp, call, &count) : NULL;
	for (size_t i = 0; i < count; i++)
		if (!entries[i].condition)
			return false;
	for (; rules < seccomp->allowed_count && seccomp->allowed[rules].call == call; rules++)
		if (!seccomp->allowed[rules].condition)
			return false;
	return count || rules > at;
}

/* The first named ABI where `call` passes with some arguments, and `door` passes; ABI_COUNT without one. */
static enum abi abi_with_door(const struct policy *policy, const struct syscall_entry *call,
			      const struct syscall_entry *door)
{
	enum abi abi = 0;
	for (; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && call->numbers[abi] >= 0 && door->numbers[abi] >= 0 &&
		    call_is_split(policy, call, abi) && call_may_pass(policy, door, NULL, abi))
			break;
	return abi;
}

static bool listed_door_warn(struct resolver *resolver, const struct syscall_entry *call,
			     const struct syscall_entry *door, const char *help)
{
	struct span place = listed_at(resolver->policy, door);
	enum abi abi = place.source ? abi_with_door(resolver->policy, call, door) : ABI_COUNT;
	if (abi == ABI_COUNT)
		return false;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_INCOMPLETE_GROUP, place,
			    "%s is refused to some arguments, but %s does the same on %s and passes",
			    call->name, door->name, abi_facts(abi)->name);
	diag_help(d, "%s", help);
	return true;
}

/* Calls whose arguments stand behind a pointer. Where a row refuses one of the set, set_warn() says it. */
static void listed_doors_warn(struct resolver *resolver)
{
	listed_door_warn(resolver, syscall_find("clone"), syscall_find("clone3"),
			 "remove clone3 here: it then gets ENOSYS, and C libraries call clone");
	for (size_t i = 0; i < equivalents_table_size; i++) {
		const struct equivalents *set = &equivalents_table[i];
		if (!set->door || first_refused(resolver->policy, set->calls))
			continue;
		const char *help = arena_printf(
			resolver->compilation->arena,
			"take %s off the list, or list the call whatever its arguments are", set->door);
		bool warned = false;
		for (const char *const *name = set->calls; *name && !warned; name++)
			warned = is_listed_in_part(resolver->policy, syscall_find(*name)) &&
				 listed_door_warn(resolver, syscall_find(*name), syscall_find(set->door),
						  help);
	}
}

/* Not beside errors: a row that is wrong may be the one that closes the door. */
void doors_warn(struct resolver *resolver)
{
	if (diags_errors(resolver_diags(resolver)))
		return;
	listed_doors_warn(resolver);
	for (size_t i = 0; resolver->policy->seccomp.denied_count && i < equivalents_table_size; i++)
		set_warn(resolver, &equivalents_table[i]);
}
