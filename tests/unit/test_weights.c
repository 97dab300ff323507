/* How often each range of a section is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/filter/tree.h"
#include "backends/filter/weights.h"
#include "compiler/base/arena.h"
#include "tests/unit/filter_policy.h"

static const struct filter_range ranges[] = {
	{ 0, 9, { .kind = ACTION_ALLOW }, 10, NULL }, /* read (0), write (1) and eight more */
	{ 10, 10, { .kind = ACTION_KILL }, 1, NULL }, /* mprotect */
	{ 11, 99, { .kind = ACTION_ALLOW }, 89, NULL },
	{ 100, UINT32_MAX, { .kind = ACTION_KILL }, 0, NULL },
};

static const struct filter_section section = {
	.abis = { { .abi = ABI_X86_64 } },
	.abi_count = 1,
	.ranges = ranges,
	.range_count = 4,
};

static void without_hot_calls_there_are_no_weights(void **state)
{
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	assert_null(weights_make(*state, &test.policy, &section));
	/* A call of another ABI is none here either. */
	const struct syscall_entry *hot[] = { syscall_find("mmap2") };
	test.policy.seccomp.hot = hot;
	test.policy.seccomp.hot_count = 1;
	assert_null(weights_make(*state, &test.policy, &section));
}

/* 100 calls are known and two hot: 2 for each known call, 400 for each hot one. */
static void hot_calls_weigh_four_fifths(void **state)
{
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	const struct syscall_entry *hot[] = { syscall_find("mprotect"), syscall_find("read") };
	test.policy.seccomp.hot = hot;
	test.policy.seccomp.hot_count = 2;
	const uint64_t *weights = weights_make(*state, &test.policy, &section);
	assert_non_null(weights);
	assert_int_equal(weights[0], 10 * 2 + 400);
	assert_int_equal(weights[1], 1 * 2 + 400);
	assert_int_equal(weights[2], 89 * 2);
	assert_int_equal(weights[3], 0);
	assert_int_equal(weights[0] + weights[1] + weights[2], 5 * 100 * 2);
}

/* Two numbers out of many, by a chain of tests: whichever is made more often stands first. */
static void the_tree_asks_for_the_heaviest_first(void **state)
{
	const struct filter_range two[] = {
		{ 0, 4, test_allow, 5, NULL },           { 5, 5, test_kill, 1, NULL },
		{ 6, 8, test_allow, 3, NULL },           { 9, 9, test_kill, 1, NULL },
		{ 10, UINT32_MAX, test_allow, 9, NULL },
	};
	for (size_t heavy = 1; heavy <= 3; heavy += 2) {
		uint64_t weights[] = { 5, 1, 3, 1, 9 };
		weights[heavy] = 1000;
		const struct tree_node *root = tree_make_weighed(*state, two, weights, 5);
		assert_int_equal(root->test, TEST_EQ);
		assert_int_equal(root->constant, two[heavy].first);
		assert_int_equal(root->no->test, TEST_EQ);
		assert_int_equal(root->no->constant, two[4 - heavy].first);
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
		cmocka_unit_test_setup_teardown(without_hot_calls_there_are_no_weights, begin, end),
		cmocka_unit_test_setup_teardown(hot_calls_weigh_four_fifths, begin, end),
		cmocka_unit_test_setup_teardown(the_tree_asks_for_the_heaviest_first, begin, end),
	};
	return cmocka_run_group_tests_name("weights", tests, NULL, NULL);
}
