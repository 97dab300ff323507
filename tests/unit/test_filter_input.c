#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "backends/filter/filter_input.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/condition.h"
#include "tests/unit/filter_policy.h"

static struct test_policy begun(void)
{
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	test_deny_call(&test, syscall_find("ptrace"), test_eperm);
	return test;
}

/* The test's arrays are where the policy points only where it stands now. */
static bool equal_inputs(struct test_policy *a, struct test_policy *b)
{
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	a->policy.seccomp.denied = a->denied;
	b->policy.seccomp.denied = b->denied;
	filter_input(&a->policy.seccomp, &first);
	filter_input(&b->policy.seccomp, &second);
	bool equal = first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0;
	strbuf_release(&first);
	strbuf_release(&second);
	return equal;
}

static void what_no_filter_sees_makes_no_difference(void **state)
{
	(void)state;
	struct test_policy a = begun(), b = begun();
	struct row row = { .subject = "strace" };
	b.policy.name = "other";
	b.denied[0].row = &row;
	assert_true(equal_inputs(&a, &b));
}

static void each_setting_makes_a_difference(void **state)
{
	(void)state;
	struct test_policy a = begun();
	const struct syscall_entry *hot[] = { syscall_find("read") };
	const struct call_reference base[] = { { .call = syscall_find("read") } };
	const struct seccomp of = a.policy.seccomp;
	struct seccomp others[] = { of, of, of, of, of, of, of, of };
	others[0].fallback = test_kill;
	others[1].deny = test_kill;
	others[2].unknown_default = true;
	others[3].unknown = test_eperm;
	others[4].abis = 1u << ABI_X86_64 | 1u << ABI_I386;
	others[5].audit = true;
	others[6].hot = hot;
	others[6].hot_count = 1;
	others[7].base = "@base";
	others[7].base_calls = base;
	others[7].base_call_count = 1;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct test_policy b = begun();
		b.policy.seccomp = others[i];
		assert_false(equal_inputs(&a, &b));
	}
}

static void each_part_of_a_rule_makes_a_difference(void **state)
{
	(void)state;
	struct test_policy a = begun();
	const struct capability *capability = capability_find("CAP_SYS_PTRACE");
	const struct condition condition = { .call = a.denied[0].call, .text = "arg0 == 1" };
	const struct call_rule of = a.denied[0];
	struct call_rule others[] = { of, of, of, of, of, of };
	others[0].call = syscall_find("kcmp");
	others[1].capability = capability;
	others[2].condition = &condition;
	others[3].follows = syscall_find("clone");
	others[4].action = test_kill;
	others[5].repeats = true;
	assert_non_null(capability);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct test_policy b = begun();
		b.denied[0] = others[i];
		assert_false(equal_inputs(&a, &b));
	}
}

static void a_rule_that_allows_is_none_that_denies(void **state)
{
	(void)state;
	struct test_policy a = begun(), b = begun();
	b.policy.seccomp.allowed = a.denied;
	b.policy.seccomp.allowed_count = 1;
	b.policy.seccomp.denied_count = 0;
	assert_false(equal_inputs(&a, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_no_filter_sees_makes_no_difference),
		cmocka_unit_test(each_setting_makes_a_difference),
		cmocka_unit_test(each_part_of_a_rule_makes_a_difference),
		cmocka_unit_test(a_rule_that_allows_is_none_that_denies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
