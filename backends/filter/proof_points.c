#include "backends/filter/proof_points.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"

enum {
	ARGUMENTS = 6,
	COMBINATIONS_MAX = 20000,
	EDGES = 13, /* of a test */
	BITS = 128, /* the same with a bit turned, and each bit alone */
	FEW = 128,  /* conditions of a call: more are each tried at fewer points, or time would go with their
		       square */
};

struct points {
	struct arena *arena;
	enum abi abi;
	void (*visit)(const uint64_t *arguments, void *context);
	void *context;
	bool few;
	struct map *visited; /* of many conditions, whose points are largely the same; NULL: of few */
	/* Values that conditions compare with, by argument. */
	uint64_t *values[ARGUMENTS];
	size_t counts[ARGUMENTS], capacities[ARGUMENTS];
};

static void remember(struct points *points, int index, uint64_t value)
{
	for (size_t i = 0; i < points->counts[index]; i++)
		if (points->values[index][i] == value)
			return;
	points->values[index] = arena_grow(points->arena, points->values[index], points->counts[index],
					   &points->capacities[index], sizeof *points->values[index]);
	points->values[index][points->counts[index]++] = value;
}

/* A value that makes the test hold, where it is the only one of its argument. */
static uint64_t holding_value(const struct argument_test *test)
{
	switch (test->operator) {
	case COMPARISON_NE:
		return test->value ^ (test->mask & (0 - test->mask));
	case COMPARISON_LT:
		return test->value - 1;
	case COMPARISON_GT:
		return test->value + 1;
	case COMPARISON_ANY:
		return test->mask;
	default:
		return test->value;
	}
}

/* To run a program of thousands of tests takes longer than to see that it was asked this before. */
static void visit(struct points *points, const uint64_t *arguments)
{
	if (points->visited) {
		size_t size = ARGUMENTS * sizeof *arguments;
		if (map_find(points->visited, (const char *)arguments, size))
			return;
		char *key = arena_copy(points->arena, (const char *)arguments, size);
		*map_at(points->visited, key, size) = points;
	}
	points->visit(arguments, points->context);
}

static void visit_with(struct points *points, const uint64_t *base, int index, uint64_t value)
{
	uint64_t arguments[ARGUMENTS];
	memcpy(arguments, base, sizeof arguments);
	arguments[index] = value;
	visit(points, arguments);
}

/* One argument where the test changes its mind, the others as in `base`. */
static void visit_edges(struct points *points, const uint64_t *base, const struct argument_test *test)
{
	uint64_t value = test->operator== COMPARISON_ANY ? test->mask : test->value;
	const uint64_t plain[] = { value - 1, value, value + 1, 0, UINT64_MAX, test->mask, ~test->mask,
				   value | ~test->mask, value + (1ull << 32), value - (1ull << 32),
				   /* a half in the place of the other */
				   value >> 32 | value << 32, value >> 32 | (value >> 32) << 32,
				   (value & UINT32_MAX) | value << 32 };
	_Static_assert(sizeof plain / sizeof *plain == EDGES, "what proof_points_tries() counts");
	for (size_t i = 0; i < EDGES; i++)
		visit_with(points, base, test->index, plain[i]);
	for (unsigned bit = 0; points->few && bit < BITS / 2; bit++) {
		visit_with(points, base, test->index, value ^ 1ull << bit);
		visit_with(points, base, test->index, 1ull << bit);
	}
}

/* With each other argument 0, too; which is where it is already if no test looks at another. */
static void visit_test(struct points *points, const uint64_t *holding, const struct argument_test *test)
{
	const uint64_t none[ARGUMENTS] = { 0 };
	visit_edges(points, holding, test);
	for (int index = 0; index < ARGUMENTS; index++)
		if (index != test->index && holding[index]) {
			visit_edges(points, none, test);
			return;
		}
}

static void visit_condition(struct points *points, const struct condition *condition)
{
	uint64_t holding[ARGUMENTS] = { 0 };
	for (size_t i = 0; i < condition->count; i++) {
		const struct argument_test *test = &condition->comparisons[i].on[points->abi];
		holding[test->index] = holding_value(test);
	}
	visit(points, holding);
	for (size_t i = 0; i < condition->count; i++)
		visit_test(points, holding, &condition->comparisons[i].on[points->abi]);
}

/* What one argument is compared with, in the places of the others: a test may look at the wrong one. */
static void mix_arguments(struct points *points)
{
	size_t counts[ARGUMENTS];
	memcpy(counts, points->counts, sizeof counts);
	for (int to = 0; to < ARGUMENTS; to++) {
		for (int from = 0; counts[to] && from < ARGUMENTS; from++) {
			const uint64_t *values = points->values[from];
			for (size_t i = 0; values && i < counts[from]; i++)
				remember(points, to, values[i]);
		}
	}
}

/* All values together, or as many steps through all of them as there is time for. */
static void visit_combinations(struct points *points)
{
	size_t total = 1;
	for (int index = 0; index < ARGUMENTS; index++) {
		remember(points, index, 0);
		if (__builtin_mul_overflow(total, points->counts[index], &total))
			total = SIZE_MAX;
	}
	size_t step = total / COMBINATIONS_MAX + 1;
	for (size_t at = 0; at < total && total - at >= step; at += step) {
		uint64_t arguments[ARGUMENTS];
		size_t rest = at;
		for (int index = 0; index < ARGUMENTS; index++) {
			arguments[index] = points->values[index][rest % points->counts[index]];
			rest /= points->counts[index];
		}
		visit(points, arguments);
	}
}

/* NULL: nothing to visit. */
static void visit_rule(struct points *points, const struct condition *condition)
{
	if (!condition || !condition_seen(condition, points->abi))
		return;
	for (size_t i = 0; i < condition->count; i++) {
		const struct argument_test *test = &condition->comparisons[i].on[points->abi];
		remember(points, test->index, holding_value(test));
		remember(points, test->index, test->value);
	}
	visit_condition(points, condition);
}

static void visit_rules(struct points *points, const struct call_rule *rules, size_t count,
			const struct syscall_entry *call)
{
	for (size_t i = call_rules_begin(rules, count, call); i < count && rules[i].call == call; i++)
		if (!rules[i].repeats)
			visit_rule(points, rules[i].condition);
}

/* ---- what it costs ---- */

/* Rules of a call, the conditions that they have, and the tests in these. */
struct load {
	uint64_t rules, conditions, tests;
};

static void load_add(struct load *load, const struct condition *condition)
{
	load->rules++;
	load->conditions += condition != NULL;
	load->tests += condition ? condition->count : 0;
}

static void load_add_rules(struct load *load, const struct call_rule *rules, size_t count,
			   const struct syscall_entry *call)
{
	for (size_t i = call_rules_begin(rules, count, call); i < count && rules[i].call == call; i++)
		if (!rules[i].repeats)
			load_add(load, rules[i].condition);
}

static struct load load_of(const struct seccomp *seccomp, const struct syscall_entry *call)
{
	struct load load = { 0, 0, 0 };
	size_t entry_count;
	const struct call_reference *entries = base_entries(seccomp, call, &entry_count);
	load_add_rules(&load, seccomp->denied, seccomp->denied_count, call);
	load_add_rules(&load, seccomp->allowed, seccomp->allowed_count, call);
	for (size_t i = 0; i < entry_count; i++)
		load_add(&load, entries[i].condition);
	return load;
}

uint64_t proof_points_tries(const struct policy *policy)
{
	uint64_t tries = 0;
	for (size_t i = 0; i < syscall_table_size; i++) {
		const struct syscall_entry *call = &syscall_table[i];
		struct load load = load_of(&policy->seccomp, call);
		uint64_t points = load.tests * (load.conditions <= FEW ? EDGES + BITS : EDGES);
		for (enum abi abi = 0; abi < ABI_COUNT; abi++)
			if (policy_names_abi(policy, abi) && call->numbers[abi] >= 0)
				tries += points * load.conditions;
	}
	return tries;
}

/* ---- all of them ---- */

void proof_points(struct arena *arena, const struct policy *policy, const struct syscall_entry *call,
		  enum abi abi, void (*visitor)(const uint64_t *arguments, void *context), void *context)
{
	struct points points = { .arena = arena, .abi = abi, .visit = visitor, .context = context };
	const struct seccomp *seccomp = &policy->seccomp;
	const uint64_t none[ARGUMENTS] = { 0 };
	size_t entry_count;
	const struct call_reference *entries = base_entries(seccomp, call, &entry_count);
	points.few = load_of(seccomp, call).rules <= FEW;
	points.visited = points.few ? NULL : map_new(arena, 0);
	visit(&points, none);
	visit_rules(&points, seccomp->denied, seccomp->denied_count, call);
	visit_rules(&points, seccomp->allowed, seccomp->allowed_count, call);
	for (size_t i = 0; i < entry_count; i++)
		visit_rule(&points, entries[i].condition);
	if (points.few)
		mix_arguments(&points);
	visit_combinations(&points);
}
