#include "backends/filter/decisions.h"

#include <assert.h>
#include <stdlib.h>

#include "compiler/base/arena.h"

static const struct action action_kill = { .kind = ACTION_KILL };
static const struct action action_log = { .kind = ACTION_LOG };
static const struct action action_allow = { .kind = ACTION_ALLOW };
static const struct action action_enosys = { .kind = ACTION_ERRNO, .errno_value = 38 };

static bool is_deny_list(const struct seccomp *seccomp)
{
	return seccomp->fallback.kind == ACTION_ALLOW;
}

static struct action unknown_action(const struct seccomp *seccomp)
{
	if (is_deny_list(seccomp) || seccomp->unknown_default)
		return seccomp->fallback;
	return seccomp->unknown;
}

/* What `unknown` gives, under a deny-list too, but never a way through. */
static struct action x32_action(const struct seccomp *seccomp)
{
	struct action action = seccomp->unknown_default ? seccomp->fallback : seccomp->unknown;
	return action_passes(action) ? action_enosys : action;
}

static void zone_add(struct decisions *decisions, uint32_t first, uint32_t last, enum zone_kind kind,
		     struct action action)
{
	assert(decisions->zone_count < ZONE_LIMIT);
	decisions->zones[decisions->zone_count++] = (struct zone){ first, last, kind, action };
}

static void zones_make(struct decisions *decisions, const struct seccomp *seccomp)
{
	struct action unknown = unknown_action(seccomp), x32 = x32_action(seccomp);
	if (abi_facts(decisions->abi)->token != abi_facts(ABI_X86_64)->token) {
		zone_add(decisions, 0, UINT32_MAX, ZONE_UNKNOWN, unknown);
		return;
	}
	if (decisions->abis & 1u << ABI_X86_64) {
		zone_add(decisions, 0, X32_ALIAS_FIRST - 1, ZONE_UNKNOWN, unknown);
		zone_add(decisions, X32_ALIAS_FIRST, X32_ALIAS_LAST, ZONE_X32, x32);
		zone_add(decisions, X32_ALIAS_LAST + 1, X32_BIT - 1, ZONE_UNKNOWN, unknown);
	} else {
		zone_add(decisions, 0, X32_BIT - 1, ZONE_FOREIGN, action_kill);
	}
	if (decisions->abis & 1u << ABI_X32)
		zone_add(decisions, X32_BIT, UINT32_MAX, ZONE_UNKNOWN, unknown);
	else
		zone_add(decisions, X32_BIT, UINT32_MAX, ZONE_X32, x32);
}

/* Under an audit what would be refused is logged, for whatever reason it would be. */
static struct action audited(const struct seccomp *seccomp, struct action action)
{
	if (seccomp->audit && !action_passes(action))
		return action_log;
	return action;
}

struct action decisions_foreign(const struct policy *policy)
{
	return audited(&policy->seccomp, action_kill);
}

/* What the calls of the policy get, while its decisions are made. */
struct calls {
	struct arena *arena, *scratch;
	const struct policy *policy;
	struct action *actions;         /* of each call of the table, where its arguments decide nothing */
	bool *conditional;              /* whether some rule of the call has a condition */
	const struct clauses **clauses; /* all that were made, each once */
	size_t clause_count, clause_capacity;
};

static void calls_admit(struct calls *calls, const struct syscall_entry *call,
			const struct condition *condition)
{
	calls->actions[call - syscall_table] = action_allow;
	calls->conditional[call - syscall_table] |= condition != NULL;
}

static struct calls calls_begin(struct arena *arena, struct arena *scratch, const struct policy *policy)
{
	const struct seccomp *seccomp = &policy->seccomp;
	struct calls calls = { .arena = arena, .scratch = scratch, .policy = policy };
	calls.actions = arena_array(scratch, syscall_table_size, sizeof *calls.actions);
	calls.conditional = arena_array(scratch, syscall_table_size, sizeof *calls.conditional);
	for (size_t i = 0; i < syscall_table_size; i++)
		calls.actions[i] = seccomp->fallback;
	for (size_t i = 0; i < seccomp->allowed_count; i++)
		calls_admit(&calls, seccomp->allowed[i].call, seccomp->allowed[i].condition);
	for (size_t i = 0; i < seccomp->base_call_count; i++)
		calls_admit(&calls, seccomp->base_calls[i].call, seccomp->base_calls[i].condition);
	/* Backwards: where several rows deny a call, the first has the word. */
	for (size_t i = seccomp->denied_count; i-- > 0;) {
		calls.actions[seccomp->denied[i].call - syscall_table] = seccomp->denied[i].action;
		calls.conditional[seccomp->denied[i].call - syscall_table] |=
			seccomp->denied[i].condition != NULL;
	}
	return calls;
}

/* The same pointer for equal clauses, which the arena keeps: ranges and leaves are compared by it. */
static const struct clauses *clauses_once(struct calls *calls, const struct clauses *clauses)
{
	for (size_t i = 0; i < calls->clause_count; i++)
		if (clauses_equal(calls->clauses[i], clauses))
			return calls->clauses[i];
	calls->clauses = arena_grow(calls->scratch, calls->clauses, calls->clause_count,
				    &calls->clause_capacity, sizeof *calls->clauses);
	calls->clauses[calls->clause_count++] = clauses;
	return clauses;
}

/* What a call is to get, and what it gets where that is only logged: its clauses are those of no other. */
static struct decision call_enforced(struct calls *calls, const struct syscall_entry *call, enum abi abi)
{
	size_t index = (size_t)(call - syscall_table);
	struct decision decision = {
		.number = (uint32_t)call->numbers[abi] + abi_facts(abi)->base,
		.action = calls->actions[index],
	};
	if (!calls->conditional[index])
		return decision;
	struct clauses clauses = clauses_make(calls->arena, calls->policy, call, abi);
	decision.action = clauses.otherwise;
	if (clauses.count) {
		struct clauses *copy = arena_alloc(calls->arena, sizeof *copy);
		*copy = clauses;
		decision.clauses = copy;
	}
	return decision;
}

/* NULL where arguments decide nothing any more. */
static const struct clauses *clauses_audited(struct calls *calls, const struct clauses *enforced)
{
	const struct seccomp *seccomp = &calls->policy->seccomp;
	struct clauses *clauses = arena_alloc(calls->arena, sizeof *clauses);
	struct clause *items = arena_array(calls->arena, enforced->count, sizeof *items);
	*clauses = *enforced;
	for (size_t i = 0; i < enforced->count; i++) {
		items[i] = enforced->items[i];
		items[i].action = audited(seccomp, items[i].action);
	}
	clauses->items = items;
	clauses->otherwise = audited(seccomp, enforced->otherwise);
	clauses_trim(clauses);
	return clauses->count ? clauses : NULL;
}

static struct decision call_decision(struct calls *calls, const struct syscall_entry *call, enum abi abi)
{
	const struct seccomp *seccomp = &calls->policy->seccomp;
	struct decision decision = call_enforced(calls, call, abi);
	decision.action = audited(seccomp, decision.action);
	if (!decision.clauses)
		return decision;
	if (seccomp->audit)
		decision.clauses = clauses_audited(calls, decision.clauses);
	if (decision.clauses)
		decision.clauses = clauses_once(calls, decision.clauses);
	return decision;
}

/* What refuses the call, to all arguments or to some; passes where nothing does. */
static struct action refusal_of(const struct decision *decision)
{
	for (size_t i = 0;
	     decision->clauses && action_passes(decision->action) && i < decision->clauses->count; i++)
		if (!action_passes(decision->clauses->items[i].action))
			return decision->clauses->items[i].action;
	return decision->action;
}

/*
 * Kernels before 5.4 run x86_64's call where a number with the bit is no call of x32. What is refused
 * without the bit is refused with it; what is refused to some arguments is refused to all.
 */
static void natives_add(struct decisions *decisions, struct decision *known, struct calls *calls)
{
	for (size_t i = 0; i < abi_call_count(ABI_X86_64); i++) {
		const struct syscall_entry *call = abi_call(ABI_X86_64, i);
		int32_t number = call->numbers[ABI_X86_64];
		if (abi_call_numbered(ABI_X32, number))
			continue;
		struct decision native = call_enforced(calls, call, ABI_X86_64);
		struct action action = refusal_of(&native);
		if (action_passes(action))
			continue;
		known[decisions->known_count++] = (struct decision){
			.number = (uint32_t)number + X32_BIT,
			.action = audited(&calls->policy->seccomp, action),
		};
	}
}

static int by_number(const void *left, const void *right)
{
	const struct decision *a = left, *b = right;
	return (a->number > b->number) - (a->number < b->number);
}

static void known_make(struct decisions *decisions, struct calls *calls)
{
	size_t total = decisions->abis & 1u << ABI_X32 ? abi_call_count(ABI_X86_64) : 0;
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (decisions->abis & 1u << abi)
			total += abi_call_count((enum abi)abi);
	struct decision *known = arena_array(calls->scratch, total, sizeof *known);
	decisions->known = known;
	/* ABI_LIST has x86_64 before x32, whose numbers are all greater. */
	for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
		if (!(decisions->abis & 1u << abi))
			continue;
		for (size_t i = 0; i < abi_call_count((enum abi)abi); i++)
			known[decisions->known_count++] =
				call_decision(calls, abi_call((enum abi)abi, i), (enum abi)abi);
		if (abi == ABI_X32) {
			natives_add(decisions, known, calls);
			qsort(known, decisions->known_count, sizeof *known, by_number);
		}
	}
}

/* The named ABIs that share the token of `abi`, as bits. */
static unsigned token_abis(unsigned named, enum abi abi)
{
	unsigned abis = 0;
	for (unsigned other = 0; other < ABI_COUNT; other++)
		if (named & 1u << other && abi_facts((enum abi)other)->token == abi_facts(abi)->token)
			abis |= 1u << other;
	return abis;
}

/* x32 asks with x86_64's token, which is a 64-bit one. */
static bool is_64_bit_token(enum abi abi)
{
	return abi_facts(abi)->bits == 64 || abi == ABI_X32;
}

const struct decisions *decisions_make(struct arena *arena, struct arena *scratch,
				       const struct policy *policy, size_t *count)
{
	const struct seccomp *seccomp = &policy->seccomp;
	struct calls calls = calls_begin(arena, scratch, policy);
	struct decisions *list = arena_array(scratch, ABI_COUNT, sizeof *list);
	*count = 0;
	for (int want_64 = 1; want_64 >= 0; want_64--) {
		for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
			unsigned abis = token_abis(seccomp->abis, (enum abi)abi);
			bool first = abis & 1u << abi && !(abis & ((1u << abi) - 1));
			if (!first || is_64_bit_token((enum abi)abi) != (want_64 == 1))
				continue;
			struct decisions *decisions = &list[(*count)++];
			decisions->abi = (enum abi)abi;
			decisions->abis = abis;
			zones_make(decisions, seccomp);
			for (size_t i = 0; i < decisions->zone_count; i++)
				decisions->zones[i].action = audited(seccomp, decisions->zones[i].action);
			known_make(decisions, &calls);
		}
	}
	return list;
}
