#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/filter/tree.h"
#include "compiler/base/arena.h"
#include "tests/unit/filter_policy.h"

static struct action walk(const struct tree_node *node, uint32_t number, unsigned *tests)
{
	for (*tests = 0; node->test != TEST_NONE; ++*tests) {
		bool yes = node->test == TEST_GE   ? number >= node->constant
			   : node->test == TEST_EQ ? number == node->constant
						   : (number & node->constant) != 0;
		node = yes ? node->yes : node->no;
	}
	return node->action;
}

/* Both ends of each range, and what its known calls execute, when each number up to `dense` is one. */
static unsigned assert_decides(const struct tree_node *root, const struct filter_range *ranges, size_t count,
			       uint32_t dense)
{
	unsigned tests, total = 0;
	for (size_t i = 0; i < count; i++) {
		assert_true(action_equal(walk(root, ranges[i].first, &tests), ranges[i].action));
		assert_true(action_equal(walk(root, ranges[i].last, &tests), ranges[i].action));
		for (uint32_t number = ranges[i].first; number <= ranges[i].last && number < dense;
		     number++) {
			assert_true(action_equal(walk(root, number, &tests), ranges[i].action));
			total += tests;
		}
	}
	return total;
}

static void one_range_is_a_leaf(void **state)
{
	const struct filter_range ranges[] = { { 0, UINT32_MAX, test_allow, 3, NULL } };
	const struct tree_node *root = tree_make(*state, ranges, 1);
	assert_int_equal(root->test, TEST_NONE);
	assert_int_equal(root->action.kind, ACTION_ALLOW);
	assert_int_equal(root->size, 0);
}

static void two_ranges_are_one_comparison(void **state)
{
	const struct filter_range ranges[] = { { 0, 9, test_allow, 10, NULL },
					       { 10, UINT32_MAX, test_kill, 0, NULL } };
	const struct tree_node *root = tree_make(*state, ranges, 2);
	assert_int_equal(root->size, 1);
	assert_int_equal(assert_decides(root, ranges, 2, 10), 10);
}

/* One number out of many: one test for all, where two comparisons would cost some calls two. */
static void a_single_number_is_tested_for_equality(void **state)
{
	const struct filter_range ranges[] = {
		{ 0, 100, test_allow, 101, NULL },
		{ 101, 101, test_eperm, 1, NULL },
		{ 102, UINT32_MAX, test_allow, 100, NULL },
	};
	const struct tree_node *root = tree_make(*state, ranges, 3);
	assert_int_equal(root->test, TEST_EQ);
	assert_int_equal(root->constant, 101);
	assert_int_equal(root->size, 1);
	assert_int_equal(assert_decides(root, ranges, 3, 202), 202);
}

/* 0-7 by bit 1: two and two. Three comparisons at least, or one bit test. */
static void a_bit_tells_two_actions_apart(void **state)
{
	const struct filter_range ranges[] = {
		{ 0, 1, test_allow, 2, NULL },         { 2, 3, test_eperm, 2, NULL },
		{ 4, 5, test_allow, 2, NULL },         { 6, 7, test_eperm, 2, NULL },
		{ 8, UINT32_MAX, test_kill, 0, NULL },
	};
	const struct tree_node *root = tree_make(*state, ranges, 5);
	assert_int_equal(root->test, TEST_GE);
	assert_int_equal(root->constant, 8);
	assert_int_equal(root->no->test, TEST_SET);
	assert_int_equal(root->no->constant, 2);
	assert_int_equal(root->size, 2);
	assert_int_equal(assert_decides(root, ranges, 5, 8), 16);
}

/* Numbers divisible by four against the others: a mask of two bits. */
static void a_mask_may_have_several_bits(void **state)
{
	const struct filter_range ranges[] = {
		{ 0, 0, test_allow, 1, NULL },          { 1, 3, test_eperm, 3, NULL },
		{ 4, 4, test_allow, 1, NULL },          { 5, 7, test_eperm, 3, NULL },
		{ 8, 8, test_allow, 1, NULL },          { 9, 11, test_eperm, 3, NULL },
		{ 12, UINT32_MAX, test_kill, 0, NULL },
	};
	const struct tree_node *root = tree_make(*state, ranges, 7);
	assert_int_equal(root->no->test, TEST_SET);
	assert_int_equal(root->no->constant, 3);
	assert_int_equal(assert_decides(root, ranges, 7, 12), 24);
}

/* A third action forbids the bit test; the numbers past the last pair must not match it by chance. */
static void a_mask_never_covers_more_than_it_tells(void **state)
{
	const struct filter_range ranges[] = {
		{ 0, 0, test_allow, 1, NULL },          { 1, 1, test_eperm, 1, NULL },
		{ 2, 2, test_allow, 1, NULL },          { 3, 3, test_kill, 1, NULL },
		{ 4, UINT32_MAX, test_allow, 0, NULL },
	};
	const struct tree_node *root = tree_make(*state, ranges, 5);
	unsigned tests;
	assert_decides(root, ranges, 5, 1024);
	assert_int_equal(walk(root, 0x80000001, &tests).kind, ACTION_ALLOW);
	assert_int_equal(walk(root, 7, &tests).kind, ACTION_ALLOW);
}

/* Known calls weigh, other numbers do not: the unknown tail is asked for last, at no cost to the calls. */
static void weights_are_known_calls(void **state)
{
	const struct filter_range ranges[] = {
		{ 0, 9, test_allow, 10, NULL },        { 10, 19, test_eperm, 1, NULL },
		{ 20, 29, test_kill, 0, NULL },        { 30, 39, test_enosys, 0, NULL },
		{ 40, UINT32_MAX, test_log, 0, NULL },
	};
	const struct tree_node *root = tree_make(*state, ranges, 5);
	assert_int_equal(root->constant, 10);
	assert_int_equal(root->yes->constant, 20);
	assert_int_equal(root->size, 4);
}

/* Every assignment of three actions to eight numbers: right everywhere, and no worse than comparisons. */
static void all_small_policies_are_right(void **state)
{
	(void)state;
	const struct action actions[] = { test_allow, test_eperm, test_kill };
	for (unsigned code = 0; code < 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3; code++) {
		struct filter_range ranges[9];
		size_t count = 0;
		for (unsigned number = 0, rest = code; number < 9; number++, rest /= 3) {
			struct action action = number < 8 ? actions[rest % 3] : test_enosys;
			uint32_t last = number < 8 ? number : UINT32_MAX;
			if (count && action_equal(ranges[count - 1].action, action)) {
				ranges[count - 1].last = last;
				ranges[count - 1].known++;
			} else {
				ranges[count++] =
					(struct filter_range){ number, last, action, number < 8, NULL };
			}
		}
		struct arena *arena = arena_new();
		const struct tree_node *root = tree_make(arena, ranges, count);
		unsigned total = assert_decides(root, ranges, count, 8);
		assert_true(root->size <= count - 1);
		assert_true(total <=
			    8 * 4); /* eight known leaves and the tail: never deeper than four on average */
		arena_free(arena);
	}
}

static int begin(void **state)
{
	*state = arena_new();
	return 0;
}

static int end(void **state)
{
	arena_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_range_is_a_leaf, begin, end),
		cmocka_unit_test_setup_teardown(two_ranges_are_one_comparison, begin, end),
		cmocka_unit_test_setup_teardown(a_single_number_is_tested_for_equality, begin, end),
		cmocka_unit_test_setup_teardown(a_bit_tells_two_actions_apart, begin, end),
		cmocka_unit_test_setup_teardown(a_mask_may_have_several_bits, begin, end),
		cmocka_unit_test_setup_teardown(a_mask_never_covers_more_than_it_tells, begin, end),
		cmocka_unit_test_setup_teardown(weights_are_known_calls, begin, end),
		cmocka_unit_test(all_small_policies_are_right),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
