/* Doors that stay open: calls that pass, and do what a call does that a row denies. */
#include <string.h>

#include "compiler/base/ascii.h"
#include "compiler/data/arguments.h"
#include "compiler/data/equivalents.h"
#include "compiler/policy/resolver.h"

/* The calls of one set that pass on a named ABI, and the ABIs that have one of them. */
struct doors {
	const char *names; /* "open, openat2" */
	const char *rows;  /* as a row denies them, "open(flags & O_CREAT)" */
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

/* ---- conditions, said of another call ---- */

/* "arg0": what is there is not the same in two calls. */
static bool is_register(const char *argument)
{
	return strncmp(argument, "arg", 3) == 0 && ascii_is_digit(argument[3]);
}

static struct argument_test test_moved(struct argument_test test, struct argument_place place)
{
	uint64_t all = UINT64_MAX >> (64 - test.bits), wanted = UINT64_MAX >> (64 - place.bits);
	test.mask = test.mask == all ? wanted : test.mask & wanted;
	test.index = place.index;
	test.bits = place.bits;
	return test;
}

/* NULL where the other call lacks one of the arguments. Of the ABIs that have both calls. */
static const struct condition *condition_moved(struct arena *arena, const struct condition *condition,
					       const struct syscall_entry *call)
{
	struct comparison *comparisons = arena_array(arena, condition->count, sizeof *comparisons);
	struct condition *moved = arena_alloc(arena, sizeof *moved);
	for (size_t i = 0; i < condition->count; i++) {
		comparisons[i] = condition->comparisons[i];
		const char *argument = comparisons[i].argument;
		if (is_register(argument) || !argument_exists(call, argument))
			return NULL;
		for (enum abi abi = 0; abi < ABI_COUNT; abi++)
			if (call->numbers[abi] >= 0 && condition->call->numbers[abi] >= 0)
				comparisons[i].on[abi] = test_moved(comparisons[i].on[abi],
								    argument_place(call, argument, abi));
	}
	*moved = *condition;
	moved->call = call;
	moved->comparisons = comparisons;
	return moved;
}

/* Whether the condition asks for some of those bits, and for nothing else. */
static bool asks_for_bits(const struct condition *condition, uint64_t bits)
{
	for (size_t i = 0; i < condition->count; i++)
		for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
			const struct argument_test *test = &condition->comparisons[i].on[abi];
			enum comparison_operator how = test->operator;
			bool asks = how == COMPARISON_ANY || (how == COMPARISON_EQ && test->value);
			if (condition->call->numbers[abi] >= 0 && (!asks || (test->mask & ~bits)))
				return false;
		}
	return true;
}

static bool set_concerns(const struct equivalents *set, const struct condition *condition)
{
	if (!condition)
		return set->arguments != ARGUMENTS_ONLY;
	return (set->door || set->arguments != ARGUMENTS_APART) &&
	       (!set->bits || asks_for_bits(condition, set->bits));
}

/* ---- the doors of one refusal ---- */

/*
 * Where the refusal has a condition, a call with these arguments is a door where it passes for what the
 * condition refuses. One that hides them lets them pass by all that is let pass of it; any other only where
 * all of it passes, for what it lets pass then is not known.
 */
static bool passes_too(const struct policy *policy, const struct syscall_entry *call,
		       const struct call_rule *refused, const struct condition *moved, bool hidden,
		       enum abi abi)
{
	bool comparable = moved && refused->call->numbers[abi] >= 0;
	if (!call_may_pass(policy, call, comparable ? moved : NULL, abi))
		return false;
	return !refused->condition || comparable || hidden || !call_is_split(policy, call, abi);
}

static bool has_name(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

/* Whether `refused` is denied since it hides what `call` is decided by: that some of it passes is meant. */
static bool hides_arguments(const struct syscall_entry *refused, const struct syscall_entry *call)
{
	for (size_t i = 0; i < equivalents_table_size; i++) {
		const struct equivalents *set = &equivalents_table[i];
		if (set->arguments == ARGUMENTS_ONLY && set->door && strcmp(set->door, refused->name) == 0 &&
		    has_name(set->calls, call->name))
			return true;
	}
	return false;
}

static void door_add(struct arena *arena, const struct policy *policy, const struct call_rule *refused,
		     bool hidden, struct doors *doors, const char *name)
{
	const struct syscall_entry *call = syscall_find(name);
	if (!call || call == refused->call)
		return;
	const struct condition *moved =
		refused->condition && !hidden ? condition_moved(arena, refused->condition, call) : NULL;
	if (refused->condition && !hidden && !moved)
		return;
	bool split = false;
	unsigned abis = 0;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!policy_names_abi(policy, abi) || call->numbers[abi] < 0 ||
		    !passes_too(policy, call, refused, moved, hidden, abi))
			continue;
		abis |= 1u << abi;
		split |= call_is_split(policy, call, abi);
	}
	if (!abis || (split && !refused->condition && hides_arguments(refused->call, call)))
		return;
	const char *row = moved ? arena_printf(arena, "%s(%s)", name, moved->text) : name;
	doors->in_part = split && (doors->in_part || !doors->count);
	doors->names = doors->count ? arena_printf(arena, "%s, %s", doors->names, name) : name;
	doors->rows = doors->count++ ? arena_printf(arena, "%s, %s", doors->rows, row) : row;
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
	if (!set_concerns(set, refused->condition))
		return doors;
	if (set->door)
		door_add(arena, policy, refused, true, &doors, set->door);
	for (const char *const *name = set->calls; !set->door && *name; name++)
		door_add(arena, policy, refused, false, &doors, *name);
	return doors;
}

/* ABIs can only be left out where others stay. */
static const char *way_out(const struct policy *policy, unsigned abis)
{
	bool others = false;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		others |= policy_names_abi(policy, abi) && !(abis >> abi & 1);
	if (!others)
		return "";
	return abis & (abis - 1) ? ", or leave those ABIs out" : ", or leave that ABI out";
}

static void door_publish(struct resolver *resolver, const struct equivalents *set,
			 const struct call_rule *refused, const char *text)
{
	struct policy *policy = resolver->policy;
	struct door *doors = (struct door *)policy->doors;
	doors = arena_grow(resolver->compilation->arena, doors, policy->door_count, &resolver->door_capacity,
			   sizeof *doors);
	doors[policy->door_count++] = (struct door){
		.row = refused->row,
		.refused = refused->call,
		.calls = set->arguments == ARGUMENTS_ONLY ? NULL : set->calls,
		.text = text,
	};
	policy->doors = doors;
}

/* Its flags stand behind a pointer; without it C libraries call clone, and do not after another errno. */
static bool is_by_clone3(const struct equivalents *set)
{
	return set->door && strcmp(set->door, "clone3") == 0;
}

static void report_doors(struct resolver *resolver, const struct equivalents *set,
			 const struct call_rule *refused, const struct doors *doors, const char *text)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_INCOMPLETE_GROUP,
					   refused->row->span, "%s is denied%s, but %s", refused->call->name,
					   refused->condition ? " to some arguments" : "", text);
	diag_help(d, "close %s too%s:", doors->count == 1 ? "it" : "them",
		  way_out(resolver->policy, doors->abis));
	diag_fix(d, "forbid syscall %s  adr %s%s  because \"…\"", doors->rows, row_reference(refused->row),
		 is_by_clone3(set) ? "  with errno ENOSYS" : "");
}

/* False where none is open. Those of a set are told once, and `said` where that was. */
static bool refusal_warn(struct resolver *resolver, const struct equivalents *set,
			 const struct call_rule *refused, bool said)
{
	struct arena *arena = resolver->compilation->arena;
	struct doors doors = doors_find(arena, resolver->policy, refused, set);
	if (!doors.count)
		return false;
	bool one = doors.count == 1;
	const char *text = arena_printf(arena, "%s %s %s on %s and %s%s", with_and(arena, doors.names),
					one ? "does" : "do", set->in_part ? "part of it" : "the same",
					abi_list(arena, doors.abis), one ? "passes" : "pass",
					doors.in_part ? " with some arguments" : "");
	door_publish(resolver, set, refused, text);
	if (!said)
		report_doors(resolver, set, refused, &doors, text);
	return true;
}

/* ---- the refusals ---- */

/* Of a call with very many conditions the first ones tell; each is compared with all of the others' rows. */
enum { CONDITIONS_LOOKED_AT = 16 };

/*
 * A forbidden capability is no denial for the call's own sake: what else it gates is closed by dropping it.
 */
static bool is_own_refusal(const struct resolver *resolver, const struct call_rule *rule)
{
	/* Of a role, its own rows alone: the doors beside the others were looked for in the layers. */
	return rule->row->block == resolver->role && rule->row->kind != SUBJECT_CAPABILITY &&
	       is_refusal(rule->action);
}

/* A door of other sets stands beside each row that names one of their calls; of these it is the row's own. */
static bool doors_are_of_rows(const struct equivalents *set)
{
	return set->arguments == ARGUMENTS_ONLY;
}

/* True once it has warned, or where all of the call is denied and no door is open. */
static bool call_warn(struct resolver *resolver, const struct equivalents *set,
		      const struct syscall_entry *call, bool said)
{
	const struct seccomp *seccomp = &resolver->policy->seccomp;
	size_t begin = call_rules_begin(seccomp->denied, seccomp->denied_count, call), end = begin;
	for (; end < seccomp->denied_count && seccomp->denied[end].call == call; end++)
		if (is_own_refusal(resolver, &seccomp->denied[end]) && !seccomp->denied[end].condition) {
			refusal_warn(resolver, set, &seccomp->denied[end], said);
			return true;
		}
	bool of_rows = doors_are_of_rows(set);
	size_t looked_at = 0;
	for (size_t at = begin; at < end && (of_rows || (!said && looked_at < CONDITIONS_LOOKED_AT)); at++) {
		const struct call_rule *rule = &seccomp->denied[at];
		if (!is_own_refusal(resolver, rule))
			continue;
		looked_at++;
		if (rule_can_hold(resolver->policy, rule))
			said |= refusal_warn(resolver, set, rule, said);
	}
	return said;
}

/* Whether a row refuses one of the set for its own sake, to all arguments or to some. */
static bool is_refused(const struct resolver *resolver, const struct equivalents *set)
{
	const struct policy *policy = resolver->policy;
	const struct seccomp *seccomp = &policy->seccomp;
	for (const char *const *name = set->calls; *name; name++) {
		const struct syscall_entry *call = syscall_find(*name);
		size_t at = call ? call_rules_begin(seccomp->denied, seccomp->denied_count, call)
				 : seccomp->denied_count;
		for (; at < seccomp->denied_count && seccomp->denied[at].call == call; at++)
			if (is_own_refusal(resolver, &seccomp->denied[at]) &&
			    rule_can_hold(policy, &seccomp->denied[at]))
				return true;
	}
	return false;
}

static void set_warn(struct resolver *resolver, const struct equivalents *set, bool said)
{
	for (const char *const *name = set->calls; *name && (!said || doors_are_of_rows(set)); name++) {
		const struct syscall_entry *call = syscall_find(*name);
		said |= call && call_warn(resolver, set, call, said);
	}
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

/*
 * Whether the lists alone let a part of the arguments pass, whatever a forbidden capability denies of them.
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

/*
 * Calls whose arguments stand behind a pointer. Where a row refuses one of the set, set_warn() says it, but
 * for clone3: the row that lists it is what has to go. Whether that was said.
 */
static bool listed_doors_warn(struct resolver *resolver)
{
	bool by_clone3 =
		listed_door_warn(resolver, syscall_find("clone"), syscall_find("clone3"),
				 "remove clone3 here: it then gets ENOSYS, and C libraries call clone");
	for (size_t i = 0; i < equivalents_table_size; i++) {
		const struct equivalents *set = &equivalents_table[i];
		if (!set->door || is_by_clone3(set) || is_refused(resolver, set))
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
	return by_clone3;
}

static bool has_own_refusal(const struct resolver *resolver)
{
	const struct seccomp *seccomp = &resolver->policy->seccomp;
	for (size_t i = 0; i < seccomp->denied_count; i++)
		if (is_own_refusal(resolver, &seccomp->denied[i]))
			return true;
	return false;
}

/* Not beside errors: a row that is wrong may be the one that closes the door. */
void doors_warn(struct resolver *resolver)
{
	const struct seccomp *seccomp = &resolver->policy->seccomp;
	bool by_clone3 = false;
	if (diags_errors(resolver_diags(resolver)))
		return;
	if (!resolver->role && (seccomp->allowed_count || seccomp->base))
		by_clone3 = listed_doors_warn(resolver);
	bool refuses = has_own_refusal(resolver);
	for (size_t i = 0; refuses && i < equivalents_table_size; i++) {
		const struct equivalents *set = &equivalents_table[i];
		set_warn(resolver, set, by_clone3 && is_by_clone3(set));
	}
}
