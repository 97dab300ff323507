#include "compiler/policy/condition.h"

#include <assert.h>

#include "compiler/data/arguments.h"

const char *comparison_sign(enum comparison_operator operator)
{
	static const char *const signs[] = {
#define X(id, sign) sign,
		COMPARISON_LIST(X)
#undef X
	};
	assert(operator<COMPARISON_COUNT);
	return signs[operator];
}

/* ---- tests of one argument: is there a value for all of them? ---- */

enum { STEPS_MAX = 20000, TESTS_MAX = 1024 };

/* Some tests, of any arguments. */
struct test_list {
	struct argument_test items[TESTS_MAX];
	size_t count;
	bool overflow; /* not all of them fitted */
};

/* Not by an initialiser, which would write all of the items. */
static void list_begin(struct test_list *list)
{
	list->count = 0;
	list->overflow = false;
}

static void list_add(struct test_list *list, struct argument_test test)
{
	if (list->count == TESTS_MAX)
		list->overflow = true;
	else
		list->items[list->count++] = test;
}

static void list_add_condition(struct test_list *list, const struct condition *condition, enum abi abi)
{
	for (size_t i = 0; condition && i < condition->count; i++)
		list_add(list, condition->comparisons[i].on[abi]);
}

static struct argument_test negation(struct argument_test test)
{
	static const enum comparison_operator opposite[] = {
		[COMPARISON_EQ] = COMPARISON_NE,  [COMPARISON_NE] = COMPARISON_EQ,
		[COMPARISON_LT] = COMPARISON_GE,  [COMPARISON_LE] = COMPARISON_GT,
		[COMPARISON_GT] = COMPARISON_LE,  [COMPARISON_GE] = COMPARISON_LT,
		[COMPARISON_ANY] = COMPARISON_EQ,
	};
	if (test.operator== COMPARISON_ANY)
		test.value = 0;
	test.operator= opposite[test.operator];
	return test;
}

/* Whether some value with the bits `known`, and any in the places of `open`, passes. */
static bool test_possible(const struct argument_test *test, uint64_t known, uint64_t open)
{
	uint64_t least = known & test->mask, most = (known | open) & test->mask;
	switch (test->operator) {
	case COMPARISON_EQ:
		return ((least ^ test->value) & ~(open & test->mask)) == 0;
	case COMPARISON_NE:
		return least != most || least != test->value;
	case COMPARISON_LT:
		return least < test->value;
	case COMPARISON_LE:
		return least <= test->value;
	case COMPARISON_GT:
		return most > test->value;
	case COMPARISON_GE:
		return most >= test->value;
	case COMPARISON_ANY:
		return most != 0;
	case COMPARISON_COUNT:
		break;
	}
	assert(false); /* an eighth operator */
	return true;
}

/* The search for a value of one argument. */
struct search {
	const struct test_list *list;
	int index;
	uint64_t masked; /* bits that tests of some bits look at: they are settled first */
	unsigned steps;
};

static bool all_possible(const struct search *search, uint64_t known, uint64_t open)
{
	for (size_t i = 0; i < search->list->count; i++)
		if (search->list->items[i].index == search->index &&
		    !test_possible(&search->list->items[i], known, open))
			return false;
	return true;
}

static uint64_t highest_bit(uint64_t bits)
{
	return 1ull << (63 - __builtin_clzll(bits));
}

/* Bit by bit, both ways where both are possible. Nearly always one of them is not. */
static bool value_exists(struct search *search, uint64_t known, uint64_t open)
{
	if (!all_possible(search, known, open))
		return false;
	if (!open || ++search->steps > STEPS_MAX)
		return true;
	uint64_t bit = highest_bit(open & search->masked ? open & search->masked : open);
	return value_exists(search, known, open ^ bit) || value_exists(search, known | bit, open ^ bit);
}

static bool argument_can_hold(const struct test_list *list, int index)
{
	struct search search = { .list = list, .index = index };
	unsigned bits = 0;
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].index == index && list->items[i].bits > bits)
			bits = list->items[i].bits;
	if (!bits)
		return true;
	uint64_t all = UINT64_MAX >> (64 - bits);
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].index == index && list->items[i].mask != all)
			search.masked |= list->items[i].mask;
	return value_exists(&search, 0, all);
}

static bool list_can_hold(const struct test_list *list)
{
	for (int index = 0; index < ARGUMENT_COUNT; index++)
		if (!argument_can_hold(list, index))
			return false;
	return true;
}

/* ---- conditions ---- */

bool condition_seen(const struct condition *condition, enum abi abi)
{
	for (size_t i = 0; condition && i < condition->count; i++)
		if (condition->comparisons[i].on[abi].index < 0)
			return false;
	return true;
}

bool comparison_can_hold(const struct comparison *comparison, enum abi abi)
{
	const struct condition alone = { .comparisons = comparison, .count = 1 };
	return condition_can_hold(&alone, abi);
}

bool comparison_can_fail(const struct comparison *comparison, enum abi abi)
{
	struct test_list list;
	list_begin(&list);
	list_add(&list, negation(comparison->on[abi]));
	return list_can_hold(&list);
}

bool condition_can_hold(const struct condition *condition, enum abi abi)
{
	return conditions_overlap(condition, NULL, abi);
}

bool condition_can_fail(const struct condition *condition, enum abi abi)
{
	for (size_t i = 0; condition && i < condition->count; i++)
		if (comparison_can_fail(&condition->comparisons[i], abi))
			return true;
	return false;
}

bool conditions_overlap(const struct condition *first, const struct condition *second, enum abi abi)
{
	struct test_list list;
	list_begin(&list);
	list_add_condition(&list, first, abi);
	list_add_condition(&list, second, abi);
	return list_can_hold(&list);
}

static bool list_implies(struct test_list *list, const struct condition *second, enum abi abi)
{
	bool implied = !list->overflow;
	for (size_t i = 0; implied && second && i < second->count; i++) {
		list_add(list, negation(second->comparisons[i].on[abi]));
		implied = !list->overflow && !list_can_hold(list);
		list->count--;
	}
	return implied;
}

bool condition_escapes(const struct condition *first, const struct condition *second,
		       const struct condition *const *others, size_t count, enum abi abi)
{
	struct test_list list;
	list_begin(&list);
	list_add_condition(&list, first, abi);
	list_add_condition(&list, second, abi);
	for (size_t i = 0; i < count; i++)
		if (!others[i])
			return false;
		else if (others[i]->count == 1)
			list_add(&list, negation(others[i]->comparisons[0].on[abi]));
	if (!list_can_hold(&list))
		return false;
	for (size_t i = 0; i < count; i++)
		if (others[i]->count > 1 && list_implies(&list, others[i], abi))
			return false;
	return true;
}
