/* Whether a role's filter lets nothing more pass than the layers do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/filter/narrower.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "tests/unit/filter_policy.h"

static bool narrows(struct test_policy *layers, struct test_policy *role)
{
	struct compilation compilation = compilation_begin(0);
	bool proven = narrower_prove(&compilation, &layers->policy, &role->policy);
	assert_int_equal(diags_in_trouble(compilation.diags), !proven);
	compilation_end(&compilation);
	return proven;
}

static void begin(struct test_policy *layers, struct test_policy *role)
{
	test_policy_begin(layers, 1u << ABI_X86_64 | 1u << ABI_AARCH64);
	test_policy_begin(role, 1u << ABI_X86_64 | 1u << ABI_AARCH64);
}

static void one_that_denies_more_narrows(void **state)
{
	(void)state;
	struct test_policy layers, role;
	begin(&layers, &role);
	assert_true(narrows(&layers, &role)); /* no more, no less */
	begin(&layers, &role);
	test_deny(&layers, "ptrace", test_eperm);
	test_deny(&role, "ptrace", test_kill);
	test_deny(&role, "acct mount", test_eperm);
	assert_true(narrows(&layers, &role));
}

static void one_that_lacks_a_denial_does_not(void **state)
{
	(void)state;
	struct test_policy layers, role;
	begin(&layers, &role);
	test_deny(&layers, "ptrace acct", test_eperm);
	test_deny(&role, "ptrace", test_eperm);
	assert_false(narrows(&layers, &role));
}

static void one_that_is_milder_does_not(void **state)
{
	(void)state;
	struct test_policy layers, role;
	begin(&layers, &role);
	test_deny(&layers, "ptrace", test_kill);
	test_deny(&role, "ptrace", test_eperm);
	assert_false(narrows(&layers, &role));
	begin(&layers, &role);
	layers.policy.seccomp.fallback = test_eperm;
	assert_false(narrows(&layers, &role));
}

static void to_be_logged_is_less_than_to_pass(void **state)
{
	(void)state;
	struct test_policy layers, role;
	begin(&layers, &role);
	test_deny(&role, "ptrace", test_log);
	assert_true(narrows(&layers, &role));
	begin(&layers, &role);
	test_deny(&layers, "ptrace", test_log);
	assert_false(narrows(&layers, &role));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_denies_more_narrows),
		cmocka_unit_test(one_that_lacks_a_denial_does_not),
		cmocka_unit_test(one_that_is_milder_does_not),
		cmocka_unit_test(to_be_logged_is_less_than_to_pass),
	};
	return cmocka_run_group_tests_name("narrower", tests, NULL, NULL);
}
