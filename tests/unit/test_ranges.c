#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/filter/ranges.h"
#include "compiler/base/arena.h"
#include "tests/unit/filter_policy.h"

static void assert_ranges(const struct filter_range *got, size_t count, const struct filter_range *want,
			  size_t want_count)
{
	assert_int_equal(count, want_count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(got[i].first, want[i].first);
		assert_int_equal(got[i].last, want[i].last);
		assert_int_equal(got[i].action.kind, want[i].action.kind);
		assert_int_equal(got[i].action.errno_value, want[i].action.errno_value);
		assert_int_equal(got[i].known, want[i].known);
	}
}

static void neighbours_with_one_action_merge(void **state)
{
	struct arena *arena = *state;
	size_t count;
	const struct decision known[] = {
		{ 0, test_eperm, NULL }, { 1, test_eperm, NULL }, { 2, test_allow, NULL },
		{ 5, test_allow, NULL }, { 6, test_kill, NULL },
	};
	const struct decisions decisions = {
		.zones = { { 0, UINT32_MAX, ZONE_UNKNOWN, test_allow } },
		.zone_count = 1,
		.known = known,
		.known_count = 5,
	};
	const struct filter_range want[] = {
		{ 0, 1, test_eperm, 2, NULL },
		{ 2, 5, test_allow, 2, NULL },
		{ 6, 6, test_kill, 1, NULL },
		{ 7, UINT32_MAX, test_allow, 0, NULL },
	};
	const struct filter_range *got = ranges_make(arena, &decisions, &count);
	assert_ranges(got, count, want, 4);
}

static void zones_end_ranges_and_equal_ones_do_not(void **state)
{
	size_t count;
	const struct decision known[] = { { 9, test_eperm, NULL },
					  { 20, test_allow, NULL },
					  { UINT32_MAX, test_kill, NULL } };
	const struct decisions decisions = {
		.zones = { { 0, 9, ZONE_UNKNOWN, test_allow },
			   { 10, 19, ZONE_X32, test_eperm },
			   { 20, 99, ZONE_UNKNOWN, test_allow },
			   { 100, UINT32_MAX, ZONE_X32, test_allow } },
		.zone_count = 4,
		.known = known,
		.known_count = 3,
	};
	const struct filter_range want[] = {
		{ 0, 8, test_allow, 0, NULL },
		{ 9, 19, test_eperm, 1, NULL },
		{ 20, UINT32_MAX - 1, test_allow, 1, NULL },
		{ UINT32_MAX, UINT32_MAX, test_kill, 1, NULL },
	};
	const struct filter_range *got = ranges_make(*state, &decisions, &count);
	assert_ranges(got, count, want, 4);
}

/* ptrace 101; process_vm_readv, process_vm_writev, kcmp 310-312; pidfd_getfd 438; process_madvise 440. */
static void the_tracing_calls_of_x86_64(void **state)
{
	struct test_policy test;
	size_t count;
	test_policy_begin(&test, 1u << ABI_X86_64);
	test_deny(&test, TEST_TRACING, test_eperm);
	const struct decisions *decisions = decisions_make(*state, *state, &test.policy, &count);
	const struct filter_range want[] = {
		{ 0, 100, test_allow, 101, NULL },
		{ 101, 101, test_eperm, 1, NULL },
		{ 102, 309, test_allow, 208, NULL },
		{ 310, 312, test_eperm, 3, NULL },
		{ 313, 437, test_allow, 38, NULL }, /* 313-336 and 424-437 */
		{ 438, 438, test_eperm, 1, NULL },
		{ 439, 439, test_allow, 1, NULL },
		{ 440, 440, test_eperm, 1, NULL },
		{ 441, 511, test_allow, 31, NULL },
		{ 512, 547, test_enosys, 0, NULL },
		{ 548, 0x3fffffff, test_allow, 0, NULL },
		{ 0x40000000, UINT32_MAX, test_enosys, 0, NULL },
	};
	const struct filter_range *got = ranges_make(*state, decisions, &count);
	assert_ranges(got, count, want, 12);
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
		cmocka_unit_test_setup_teardown(neighbours_with_one_action_merge, begin, end),
		cmocka_unit_test_setup_teardown(zones_end_ranges_and_equal_ones_do_not, begin, end),
		cmocka_unit_test_setup_teardown(the_tracing_calls_of_x86_64, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
