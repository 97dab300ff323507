#include "backends/filter/clauses.h"

#include "compiler/base/arena.h"

static const struct action action_allow = { .kind = ACTION_ALLOW };

struct clause_list {
	struct arena *arena;
	const struct policy *policy;
	const struct syscall_entry *call;
	enum abi abi;
	struct clause *items;
	size_t count, capacity;
};

static const struct call_rule *denials_of(const struct clause_list *list, const struct call_rule **end)
{
	const struct seccomp *seccomp = &list->policy->seccomp;
	const struct call_rule *rules = seccomp->denied;
	size_t count = seccomp->denied_count;
	const struct call_rule *begin = rules + call_rules_begin(rules, count, list->call);
	*end = begin;
	while (*end < rules + count && (*end)->call == list->call)
		++*end;
	return begin;
}

/* An argument that the ABI hides: a denial holds nevertheless, and an `allow` does not. */
static bool denial_is_whole(const struct clause_list *list, const struct call_rule *rule)
{
	return !condition_seen(rule->condition, list->abi) || !condition_can_fail(rule->condition, list->abi);
}

static bool allow_is_whole(const struct clause_list *list, const struct condition *condition)
{
	return condition_seen(condition, list->abi) && !condition_can_fail(condition, list->abi);
}

/* The tests of a condition that arguments can fail, after those that are there already. */
static size_t tests_add(const struct clause_list *list, struct argument_test *tests, size_t count,
			const struct condition *condition)
{
	for (size_t i = 0; condition && i < condition->count; i++)
		if (comparison_can_fail(&condition->comparisons[i], list->abi))
			tests[count++] = condition->comparisons[i].on[list->abi];
	return count;
}

/* Where both conditions (NULL: none) hold. */
static void clause_add(struct clause_list *list, const struct condition *first,
		       const struct condition *second, struct action action)
{
	if (!conditions_overlap(first, second, list->abi))
		return;
	size_t most = (first ? first->count : 0) + (second ? second->count : 0);
	struct argument_test *tests = arena_array(list->arena, most, sizeof *tests);
	size_t count = tests_add(list, tests, tests_add(list, tests, 0, first), second);
	list->items = arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof *list->items);
	list->items[list->count++] = (struct clause){ tests, count, action };
}

/*
 * Where calls are denied by omission, `log` lets nothing pass that no `allow` does. Two conditions that
 * always hold make a clause without tests, which decides the rest.
 */
static void log_add(struct clause_list *list, const struct call_rule *denial)
{
	const struct condition *condition = denial_is_whole(list, denial) ? NULL : denial->condition;
	struct admissions admissions = admissions_of(&list->policy->seccomp, list->call);
	for (const struct condition *admitted; admissions_next(&admissions, &admitted);)
		if (condition_seen(admitted, list->abi))
			clause_add(list, condition, admitted, denial->action);
}

/*
 * Denials with an action of their own, or those with the one of `deny-with`. True where one holds whatever
 * the arguments are: its action is in `*whole`.
 */
static bool denials_add(struct clause_list *list, bool own, struct action *whole)
{
	const struct seccomp *seccomp = &list->policy->seccomp;
	const struct call_rule *end, *rule = denials_of(list, &end);
	for (; rule < end; rule++) {
		if (action_equal(rule->action, seccomp->deny) == own)
			continue;
		if (action_passes(rule->action) && !action_passes(seccomp->fallback)) {
			log_add(list, rule);
			continue;
		}
		if (denial_is_whole(list, rule)) {
			*whole = rule->action;
			return true;
		}
		clause_add(list, rule->condition, NULL, rule->action);
	}
	return false;
}

/* What no denial decides. */
static struct action allows_add(struct clause_list *list)
{
	const struct seccomp *seccomp = &list->policy->seccomp;
	const struct admissions all = admissions_of(seccomp, list->call);
	struct admissions left = all;
	for (const struct condition *condition; admissions_next(&left, &condition);)
		if (allow_is_whole(list, condition))
			return action_allow;
	left = all;
	for (const struct condition *condition; admissions_next(&left, &condition);)
		if (condition_seen(condition, list->abi))
			clause_add(list, condition, NULL, action_allow);
	return seccomp->fallback;
}

void clauses_trim(struct clauses *clauses)
{
	for (size_t i = 0; i < clauses->count; i++)
		if (!clauses->items[i].count) {
			clauses->otherwise = clauses->items[i].action;
			clauses->count = i;
		}
	while (clauses->count && action_equal(clauses->items[clauses->count - 1].action, clauses->otherwise))
		clauses->count--;
}

struct clauses clauses_make(struct arena *arena, const struct policy *policy,
			    const struct syscall_entry *call, enum abi abi)
{
	struct clause_list list = { .arena = arena, .policy = policy, .call = call, .abi = abi };
	struct clauses clauses = { .big_endian = abi_facts(abi)->big_endian };
	if (!denials_add(&list, true, &clauses.otherwise) && !denials_add(&list, false, &clauses.otherwise))
		clauses.otherwise = allows_add(&list);
	clauses.items = list.items;
	clauses.count = list.count;
	clauses_trim(&clauses);
	return clauses;
}

static bool tests_equal(const struct argument_test *first, const struct argument_test *second)
{
	return first->index == second->index && first->bits == second->bits &&
	       first->operator== second->operator&& first->mask == second->mask &&
	       first->value == second->value;
}

static bool clause_equal(const struct clause *first, const struct clause *second)
{
	if (first->count != second->count || !action_equal(first->action, second->action))
		return false;
	for (size_t i = 0; i < first->count; i++)
		if (!tests_equal(&first->tests[i], &second->tests[i]))
			return false;
	return true;
}

bool clauses_equal(const struct clauses *first, const struct clauses *second)
{
	if (first->count != second->count || first->big_endian != second->big_endian ||
	    !action_equal(first->otherwise, second->otherwise))
		return false;
	for (size_t i = 0; i < first->count; i++)
		if (!clause_equal(&first->items[i], &second->items[i]))
			return false;
	return true;
}
