#include "backends/filter/oracle.h"

#include <assert.h>
#include <string.h>

#include "backends/filter/condition_index.h"
#include "compiler/base/arena.h"
#include "compiler/base/map.h"

#define X32_FIRST 0x40000000u
enum { X32_ALIAS_FIRST = 512, X32_ALIAS_LAST = 547, X32_TABLE = 640 /* more than any table of its holds */ };

static const struct action let_pass = { .kind = ACTION_ALLOW };

/* Conditions of a call in the order in which they count. */
struct holders {
	size_t count;
	const struct condition_index **on; /* by ABI, of those that the policy names; NULL: all always hold */
};

/* The rules of one call. */
struct verdicts {
	const struct syscall_entry *call;
	const struct call_rule *denials, *allows; /* of denials each condition and action once */
	const struct call_reference *entries;     /* of `base` */
	size_t denial_count, allow_count, entry_count;
	bool conditional;
	/* Denials with an action of their own, with that of `deny-with`; what admits the call. */
	struct holders own, inherited, admissions;
	const struct action *own_actions;
};

struct oracle {
	const struct policy *policy;
	struct verdicts *verdicts; /* of the calls that have rules; the first is of those that have none */
	size_t verdict_count;
	uint16_t *places; /* of each call of the table: the place of its verdicts */
};

static const struct verdicts *verdicts_of(const struct oracle *oracle, const struct syscall_entry *call)
{
	return &oracle->verdicts[oracle->places[call - syscall_table]];
}

static struct verdicts *verdicts_at(struct oracle *oracle, const struct syscall_entry *call)
{
	uint16_t *place = &oracle->places[call - syscall_table];
	if (!*place)
		*place = (uint16_t)oracle->verdict_count++;
	oracle->verdicts[*place].call = call;
	return &oracle->verdicts[*place];
}

/*
 * A hundred thousand programs may need one call, with the same arguments or any: the second says nothing new.
 * `last` is the one before of the same call, or NULL.
 */
static bool says_nothing_new(struct arena *arena, struct map *seen, const struct call_rule *last,
			     const struct call_rule *rule)
{
	if (!rule->condition)
		return last && !last->condition && action_equal(last->action, rule->action);
	const char *key = arena_printf(arena, "%s(%s) %d %d", rule->call->name, rule->condition->text,
				       (int)rule->action.kind, rule->action.errno_value);
	void **place = map_at(seen, key, strlen(key));
	bool known = *place != NULL;
	*place = (void *)rule;
	return known;
}

/* Rules stand by call, or in any order where there is one a call. Those that say something new. */
static const struct call_rule *denials_thin(struct arena *arena, const struct seccomp *seccomp, size_t *count)
{
	struct map *seen = map_new(arena, 0);
	size_t *places = arena_array(arena, seccomp->denied_count, sizeof *places);
	const struct call_rule *rules = seccomp->denied, *last = NULL;
	*count = 0;
	for (size_t i = 0; i < seccomp->denied_count; i++) {
		bool same_call = last && last->call == rules[i].call;
		if (says_nothing_new(arena, seen, same_call ? last : NULL, &rules[i]))
			continue;
		last = &rules[i];
		places[(*count)++] = i;
	}
	struct call_rule *kept = arena_array(arena, *count, sizeof *kept);
	for (size_t i = 0; i < *count; i++)
		kept[i] = rules[places[i]];
	return kept;
}

static void verdicts_collect(struct arena *arena, struct oracle *oracle, const struct seccomp *seccomp)
{
	size_t most = seccomp->denied_count + seccomp->allowed_count + seccomp->base_call_count;
	if (most > syscall_table_size)
		most = syscall_table_size;
	oracle->places = arena_array(arena, syscall_table_size, sizeof *oracle->places);
	oracle->verdicts = arena_array(arena, most + 1, sizeof *oracle->verdicts);
	oracle->verdict_count = 1;
	size_t denied_count;
	const struct call_rule *denied = denials_thin(arena, seccomp, &denied_count);
	for (size_t i = 0; i < denied_count; i++) {
		struct verdicts *call = verdicts_at(oracle, denied[i].call);
		call->denials = call->denial_count++ ? call->denials : &denied[i];
		call->conditional |= denied[i].condition != NULL;
	}
	for (size_t i = 0; i < seccomp->allowed_count; i++) {
		struct verdicts *call = verdicts_at(oracle, seccomp->allowed[i].call);
		call->allows = call->allow_count++ ? call->allows : &seccomp->allowed[i];
		call->conditional |= seccomp->allowed[i].condition != NULL;
	}
	for (size_t i = 0; i < seccomp->base_call_count; i++) {
		struct verdicts *call = verdicts_at(oracle, seccomp->base_calls[i].call);
		call->entries = call->entry_count++ ? call->entries : &seccomp->base_calls[i];
		call->conditional |= seccomp->base_calls[i].condition != NULL;
	}
}

/* ---- conditions ---- */

/* `hidden` is the answer where a filter cannot see what is asked for. */
static struct holders holders_make(struct arena *arena, unsigned abis, const struct verdicts *verdicts,
				   const struct condition *const *conditions, size_t count, bool hidden)
{
	struct holders holders = { .count = count };
	if (!verdicts->conditional)
		return holders;
	holders.on = arena_array(arena, ABI_COUNT, sizeof(*holders.on));
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (abis >> abi & 1 && verdicts->call->numbers[abi] >= 0)
			holders.on[abi] = condition_index_new(arena, conditions, count, abi, hidden);
	return holders;
}

/* The place of the first that holds. SIZE_MAX: none does. */
static size_t first_holding(const struct holders *holders, enum abi abi, const uint64_t *arguments)
{
	if (holders->on)
		return condition_index_first(holders->on[abi], arguments);
	return holders->count ? 0 : SIZE_MAX;
}

static void denials_order(struct arena *arena, struct verdicts *call, const struct seccomp *seccomp)
{
	const struct condition **own = arena_array(arena, call->denial_count, sizeof(*own));
	const struct condition **inherited = arena_array(arena, call->denial_count, sizeof(*inherited));
	struct action *actions = arena_array(arena, call->denial_count, sizeof *actions);
	size_t own_count = 0, inherited_count = 0;
	for (size_t i = 0; i < call->denial_count; i++) {
		const struct call_rule *rule = &call->denials[i];
		if (action_equal(rule->action, seccomp->deny)) {
			inherited[inherited_count++] = rule->condition;
		} else {
			actions[own_count] = rule->action;
			own[own_count++] = rule->condition;
		}
	}
	call->own_actions = actions;
	call->own = holders_make(arena, seccomp->abis, call, own, own_count, true);
	call->inherited = holders_make(arena, seccomp->abis, call, inherited, inherited_count, true);
}

static void admissions_order(struct arena *arena, struct verdicts *call, const struct seccomp *seccomp)
{
	size_t count = 0;
	const struct condition **conditions =
		arena_array(arena, call->allow_count + call->entry_count, sizeof(*conditions));
	for (size_t i = 0; i < call->allow_count; i++)
		conditions[count++] = call->allows[i].condition;
	for (size_t i = 0; i < call->entry_count; i++)
		conditions[count++] = call->entries[i].condition;
	call->admissions = holders_make(arena, seccomp->abis, call, conditions, count, false);
}

static bool is_refusal(struct action action)
{
	return action.kind == ACTION_ERRNO || action.kind == ACTION_KILL;
}

/*
 * A denial with an action of its own goes before those with the one of `deny-with`; of these the first one.
 */
static bool is_denied(const struct oracle *oracle, const struct verdicts *call, enum abi abi,
		      const uint64_t *arguments, struct action *action)
{
	size_t own = first_holding(&call->own, abi, arguments);
	if (own != SIZE_MAX)
		*action = call->own_actions[own];
	else if (first_holding(&call->inherited, abi, arguments) != SIZE_MAX)
		*action = oracle->policy->seccomp.deny;
	else
		return false;
	return true;
}

static struct action call_action(const struct oracle *oracle, const struct syscall_entry *entry, enum abi abi,
				 const uint64_t *arguments)
{
	const struct seccomp *seccomp = &oracle->policy->seccomp;
	const struct verdicts *call = verdicts_of(oracle, entry);
	if (!call->denial_count && !call->allow_count && !call->entry_count)
		return seccomp->fallback;
	struct action action = { .kind = ACTION_ALLOW };
	bool denied = is_denied(oracle, call, abi, arguments, &action);
	bool allowed = first_holding(&call->admissions, abi, arguments) != SIZE_MAX;
	/* A line in the log lets pass what else would. */
	if (denied && !is_refusal(action) && is_refusal(seccomp->fallback) && call->conditional && !allowed)
		return seccomp->fallback;
	if (denied)
		return action;
	return allowed ? let_pass : seccomp->fallback;
}

/* ---- numbers ---- */

static struct action kill_process(void)
{
	return (struct action){ .kind = ACTION_KILL };
}

static bool is_named(const struct policy *policy, enum abi abi)
{
	return policy->seccomp.abis >> abi & 1;
}

/* Numbers of an ABI that the policy leaves out, under the token of one that it names. */
static struct action x32_guard(const struct seccomp *seccomp)
{
	struct action action = seccomp->unknown_default ? seccomp->fallback : seccomp->unknown;
	if (action.kind == ACTION_ALLOW || action.kind == ACTION_LOG)
		return (struct action){ .kind = ACTION_ERRNO, .errno_value = 38 };
	return action;
}

/* The ABI that a call is made with; ABI_COUNT where no ABI has the token. */
static enum abi calling_abi(uint32_t arch, uint32_t number)
{
	if (arch == abi_facts(ABI_X86_64)->token)
		return number >= X32_FIRST ? ABI_X32 : ABI_X86_64;
#define X(id, name, token, base, bits, big_endian)                                                           \
	if (arch == (token))                                                                                 \
		return ABI_##id;
	ABI_LIST(X)
#undef X
	return ABI_COUNT;
}

/* What decides before any table is looked at. */
static bool decided_by_number(const struct policy *policy, enum abi abi, uint32_t number,
			      struct action *action)
{
	bool guarded = (abi == ABI_X32 && !is_named(policy, ABI_X32) && is_named(policy, ABI_X86_64)) ||
		       (abi == ABI_X86_64 && is_named(policy, ABI_X86_64) && number >= X32_ALIAS_FIRST &&
			number <= X32_ALIAS_LAST);
	if (guarded)
		*action = x32_guard(&policy->seccomp);
	else if (abi == ABI_COUNT || !is_named(policy, abi))
		*action = kill_process();
	else
		return false;
	return true;
}

static const struct syscall_entry *called(enum abi abi, uint32_t number)
{
	uint32_t plain = number - abi_facts(abi)->base;
	return plain <= INT32_MAX ? abi_call_numbered(abi, (int32_t)plain) : NULL;
}

static struct action unknown_number(const struct seccomp *seccomp)
{
	bool by_default = seccomp->fallback.kind == ACTION_ALLOW || seccomp->unknown_default;
	return by_default ? seccomp->fallback : seccomp->unknown;
}

static bool always_holds(const struct condition *condition, enum abi abi)
{
	return condition_seen(condition, abi) && !condition_can_fail(condition, abi);
}

/*
 * What refuses a call to some arguments at least: what it gets where no condition holds, else the first
 * conditional denial, in the order of is_denied().
 */
static struct action harshest(const struct oracle *oracle, const struct syscall_entry *entry, enum abi abi)
{
	const struct seccomp *seccomp = &oracle->policy->seccomp;
	const struct verdicts *call = verdicts_of(oracle, entry);
	const struct call_rule *found[2] = { NULL, NULL }; /* with an action of its own, with deny-with's */
	bool allowed = false;
	for (size_t i = 0; i < call->allow_count; i++)
		allowed |= always_holds(call->allows[i].condition, abi);
	for (size_t i = 0; i < call->entry_count; i++)
		allowed |= always_holds(call->entries[i].condition, abi);
	struct action plain = allowed ? let_pass : seccomp->fallback;
	for (size_t i = call->denial_count; i-- > 0;) {
		const struct call_rule *rule = &call->denials[i];
		bool seen = condition_seen(rule->condition, abi);
		if (seen && !condition_can_hold(rule->condition, abi))
			continue;
		if (!seen || !condition_can_fail(rule->condition, abi))
			plain = rule->action;
		if (is_refusal(rule->action))
			found[action_equal(rule->action, seccomp->deny)] = rule;
	}
	if (is_refusal(plain))
		return plain;
	return found[0] ? found[0]->action : found[1] ? found[1]->action : plain;
}

/* What stands behind a number of x32 that is no call of x32: old kernels run the one of x86_64. */
static struct action mixed_up(const struct oracle *oracle, uint32_t number)
{
	const struct seccomp *seccomp = &oracle->policy->seccomp;
	const struct syscall_entry *native = called(ABI_X86_64, number - X32_FIRST);
	if (!native)
		return unknown_number(seccomp);
	struct action action = harshest(oracle, native, ABI_X86_64);
	return is_refusal(action) ? action : unknown_number(seccomp);
}

/* ---- answers ---- */

/* Under an audit what would be refused is logged. */
static struct action audited(const struct oracle *oracle, struct action action)
{
	if (oracle->policy->seccomp.audit && is_refusal(action))
		action = (struct action){ .kind = ACTION_LOG };
	return action;
}

/* Of a number of a named ABI that no call of its has. */
static struct action callless_action(const struct oracle *oracle, enum abi abi, uint32_t number)
{
	return abi == ABI_X32 ? mixed_up(oracle, number) : unknown_number(&oracle->policy->seccomp);
}

const struct oracle *oracle_new(struct arena *arena, const struct policy *policy)
{
	struct oracle *oracle = arena_alloc(arena, sizeof *oracle);
	oracle->policy = policy;
	verdicts_collect(arena, oracle, &policy->seccomp);
	for (size_t i = 1; i < oracle->verdict_count; i++) {
		denials_order(arena, &oracle->verdicts[i], &policy->seccomp);
		admissions_order(arena, &oracle->verdicts[i], &policy->seccomp);
	}
	return oracle;
}

struct oracle_answer oracle_answer(const struct oracle *oracle, uint32_t arch, uint32_t number,
				   const uint64_t *arguments)
{
	struct oracle_answer answer = { .abi = calling_abi(arch, number) };
	struct action action;
	if (!decided_by_number(oracle->policy, answer.abi, number, &action)) {
		answer.call = called(answer.abi, number);
		answer.conditional = answer.call && verdicts_of(oracle, answer.call)->conditional;
		action = answer.call ? call_action(oracle, answer.call, answer.abi, arguments)
				     : callless_action(oracle, answer.abi, number);
	}
	answer.action = audited(oracle, action);
	return answer;
}

struct action oracle_action(const struct oracle *oracle, uint32_t arch, uint32_t number,
			    const uint64_t *arguments)
{
	return oracle_answer(oracle, arch, number, arguments).action;
}

/* ---- two oracles ---- */

static bool settings_equal(const struct seccomp *first, const struct seccomp *second)
{
	return action_equal(first->fallback, second->fallback) && action_equal(first->deny, second->deny) &&
	       action_equal(first->unknown, second->unknown) &&
	       first->unknown_default == second->unknown_default && first->abis == second->abis &&
	       first->audit == second->audit;
}

/* Of what an answer is made of: the condition and the action. */
static bool rules_equal(const struct call_rule *first, const struct call_rule *second, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (first[i].condition != second[i].condition ||
		    !action_equal(first[i].action, second[i].action))
			return false;
	return true;
}

static bool entries_equal(const struct call_reference *first, const struct call_reference *second,
			  size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (first[i].condition != second[i].condition)
			return false;
	return true;
}

bool oracles_agree(const struct oracle *first, const struct oracle *second, const struct syscall_entry *call)
{
	const struct verdicts *left = verdicts_of(first, call), *right = verdicts_of(second, call);
	return settings_equal(&first->policy->seccomp, &second->policy->seccomp) &&
	       left->denial_count == right->denial_count && left->allow_count == right->allow_count &&
	       left->entry_count == right->entry_count &&
	       rules_equal(left->denials, right->denials, left->denial_count) &&
	       rules_equal(left->allows, right->allows, left->allow_count) &&
	       entries_equal(left->entries, right->entries, left->entry_count);
}

/* ---- edges ---- */

/* Ascending; one that is there already is left out. */
static void edge_add(struct oracle_edges *edges, uint32_t number)
{
	if (edges->count && edges->items[edges->count - 1] == number)
		return;
	assert(edges->count < sizeof edges->items / sizeof *edges->items);
	assert(!edges->count || edges->items[edges->count - 1] < number);
	edges->items[edges->count++] = number;
}

/* Each call of an ABI, and the number after it. */
static void edges_of_calls(struct oracle_edges *edges, enum abi abi)
{
	uint32_t after = UINT32_MAX;
	for (size_t i = 0; i < abi_call_count(abi); i++) {
		uint32_t number = (uint32_t)abi_call(abi, i)->numbers[abi] + abi_facts(abi)->base;
		if (i > 0 && number != after)
			edge_add(edges, after);
		edge_add(edges, number);
		after = number + 1;
	}
	edge_add(edges, after);
}

/* The numbers among x86_64's that are x32's own. */
static void edges_of_x86_64(struct oracle_edges *edges)
{
	edges_of_calls(edges, ABI_X86_64);
	edge_add(edges, X32_ALIAS_FIRST);
	edge_add(edges, X32_ALIAS_LAST + 1);
}

/* Calls of x32, and calls of x86_64 that old kernels take with the bit: each number for itself. */
static void edges_of_x32(struct oracle_edges *edges)
{
	for (uint32_t plain = 0; plain <= X32_TABLE; plain++)
		edge_add(edges, X32_FIRST + plain);
}

void oracle_edges(const struct oracle *oracle, uint32_t arch, struct oracle_edges *edges)
{
	edges->count = 0;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (abi_facts(abi)->token != arch || !is_named(oracle->policy, abi))
			continue;
		if (abi == ABI_X86_64)
			edges_of_x86_64(edges);
		else if (abi == ABI_X32)
			edges_of_x32(edges);
		else
			edges_of_calls(edges, abi);
	}
	if (arch == abi_facts(ABI_X86_64)->token && !is_named(oracle->policy, ABI_X32))
		edge_add(edges, X32_FIRST);
}
