#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/filter/decisions.h"
#include "compiler/base/arena.h"
#include "tests/unit/filter_policy.h"

static void assert_action(struct action got, struct action want)
{
	assert_int_equal(got.kind, want.kind);
	assert_int_equal(got.errno_value, want.errno_value);
}

static void assert_zone(const struct decisions *decisions, size_t index, uint32_t first, uint32_t last,
			struct action action)
{
	assert_true(index < decisions->zone_count);
	assert_int_equal(decisions->zones[index].first, first);
	assert_int_equal(decisions->zones[index].last, last);
	assert_action(decisions->zones[index].action, action);
}

static struct action known_action(const struct decisions *decisions, uint32_t number)
{
	for (size_t i = 0; i < decisions->known_count; i++)
		if (decisions->known[i].number == number)
			return decisions->known[i].action;
	fail_msg("number %u is not known", number);
	return test_kill;
}

/* One set of decisions, for tests with one token. */
static const struct decisions *decide(struct arena *arena, const struct test_policy *test)
{
	size_t count;
	const struct decisions *decisions = decisions_make(arena, arena, &test->policy, &count);
	assert_int_equal(count, 1);
	return decisions;
}

static void a_deny_list_lets_all_else_pass_but_x32(void **state)
{
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	test_deny(&test, "ptrace", test_eperm);
	const struct decisions *decisions = decide(*state, &test);
	assert_int_equal(decisions->known_count, 385);
	assert_action(known_action(decisions, 101), test_eperm);
	assert_action(known_action(decisions, 100), test_allow);
	assert_int_equal(decisions->zone_count, 4);
	assert_zone(decisions, 0, 0, 511, test_allow);
	assert_zone(decisions, 1, 512, 547, test_enosys);
	assert_zone(decisions, 2, 548, 0x3fffffff, test_allow);
	assert_zone(decisions, 3, 0x40000000, 0xffffffff, test_enosys);
}

static void x32_gets_what_unknown_gives_and_never_a_way_through(void **state)
{
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	test.policy.seccomp.unknown = test_kill;
	assert_zone(decide(*state, &test), 3, 0x40000000, 0xffffffff, test_kill);
	test.policy.seccomp.unknown = test_log;
	assert_zone(decide(*state, &test), 3, 0x40000000, 0xffffffff, test_enosys);
	test.policy.seccomp.unknown_default = true;
	assert_zone(decide(*state, &test), 1, 512, 547, test_enosys);
	test.policy.seccomp.fallback = test_kill;
	assert_zone(decide(*state, &test), 1, 512, 547, test_kill);
}

static void an_allow_list_tells_unlisted_from_unknown(void **state)
{
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64);
	test.policy.seccomp.fallback = test_kill;
	test_allow_names(&test, "read write ptrace");
	test_deny(&test, "ptrace", test_eperm);
	const struct decisions *decisions = decide(*state, &test);
	assert_action(known_action(decisions, 63), test_allow);  /* read */
	assert_action(known_action(decisions, 117), test_eperm); /* ptrace: allowed less denied */
	assert_action(known_action(decisions, 62), test_kill);   /* lseek */
	assert_int_equal(decisions->zone_count, 1);
	assert_zone(decisions, 0, 0, 0xffffffff, test_enosys);
	test.policy.seccomp.unknown_default = true;
	assert_zone(decide(*state, &test), 0, 0, 0xffffffff, test_kill);
}

static void a_named_x32_shares_the_token(void **state)
{
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64 | 1u << ABI_X32);
	test_deny(&test, "ptrace", test_eperm);
	const struct decisions *decisions = decide(*state, &test);
	assert_int_equal(decisions->known_count, 385 + 374 + 1);
	assert_action(known_action(decisions, 0x40000000 + 521), test_eperm);
	/* Kernels before 5.4 run ptrace under this number too. */
	assert_action(known_action(decisions, 0x40000000 + 101), test_eperm);
	assert_zone(decisions, 1, 512, 547, test_enosys);
	assert_zone(decisions, 3, 0x40000000, 0xffffffff, test_allow);
}

static void x32_alone_kills_what_comes_without_its_bit(void **state)
{
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X32);
	const struct decisions *decisions = decide(*state, &test);
	assert_int_equal(decisions->abi, ABI_X32);
	assert_int_equal(decisions->known_count, 374);
	assert_zone(decisions, 0, 0, 0x3fffffff, test_kill);
	assert_zone(decisions, 1, 0x40000000, 0xffffffff, test_allow);
}

static void the_64_bit_tokens_come_first(void **state)
{
	struct test_policy test;
	size_t count;
	test_policy_begin(&test, 1u << ABI_X86_64 | 1u << ABI_I386 | 1u << ABI_AARCH64 | 1u << ABI_ARM);
	const struct decisions *list = decisions_make(*state, *state, &test.policy, &count);
	assert_int_equal(count, 4);
	assert_int_equal(list[0].abi, ABI_X86_64);
	assert_int_equal(list[1].abi, ABI_AARCH64);
	assert_int_equal(list[2].abi, ABI_I386);
	assert_int_equal(list[3].abi, ABI_ARM);
}

static void the_first_of_two_rules_decides(void **state)
{
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_I386);
	test_deny_call(&test, syscall_find("ptrace"), test_kill);
	test_deny_call(&test, syscall_find("ptrace"), test_eperm);
	assert_action(known_action(decide(*state, &test), 26), test_kill);
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
		cmocka_unit_test_setup_teardown(a_deny_list_lets_all_else_pass_but_x32, begin, end),
		cmocka_unit_test_setup_teardown(x32_gets_what_unknown_gives_and_never_a_way_through, begin,
						end),
		cmocka_unit_test_setup_teardown(an_allow_list_tells_unlisted_from_unknown, begin, end),
		cmocka_unit_test_setup_teardown(a_named_x32_shares_the_token, begin, end),
		cmocka_unit_test_setup_teardown(x32_alone_kills_what_comes_without_its_bit, begin, end),
		cmocka_unit_test_setup_teardown(the_64_bit_tokens_come_first, begin, end),
		cmocka_unit_test_setup_teardown(the_first_of_two_rules_decides, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
