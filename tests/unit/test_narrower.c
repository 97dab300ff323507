/* Whether a role's filter lets nothing more pass than the layers do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/filter/narrower.h"
#include "backends/role_view.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "tests/unit/filter_policy.h"
#include "tests/unit/policy_text.h"

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

/* ---- conditions ---- */

/* Its role denies one call by more arguments than the layers, one as they do, and one that they do not. */
static struct policy_text conditional_text(void)
{
	struct policy_text text = policy_text_load(
		"policy p\n"
		"forbid syscall kill(pid == 1), kill(pid == 2), kill(sig > 30)  adr 1  because \"r\"\n"
		"forbid syscall socket(domain == AF_ALG && (type & 15) == SOCK_SEQPACKET)  adr 1  because "
		"\"r\"\n"
		"role runner {\n"
		"    forbid syscall kill(pid == 3), kcmp(type == 2)  adr 1  because \"r\"\n"
		"}\n");
	assert_clean(&text);
	return text;
}

static bool view_narrows(const struct policy *layers, const struct policy *view)
{
	struct compilation compilation = compilation_begin(0);
	bool proven = narrower_prove(&compilation, layers, view);
	compilation_end(&compilation);
	return proven;
}

static void more_conditions_narrow_and_fewer_do_not(void **state)
{
	(void)state;
	struct policy_text text = conditional_text();
	const struct policy *view = &role_views(text.compilation.arena, text.policy)[0];
	assert_true(view_narrows(text.policy, view));
	assert_false(view_narrows(view, text.policy));
	policy_text_end(&text);
}

/* The rules of a role with one of them changed. */
struct changed {
	struct policy view;
	struct call_rule rules[16];
	struct condition condition; /* of that rule, where it has another */
	struct comparison comparison;
};

static void change_begin(struct changed *changed, const struct policy *view)
{
	size_t count = view->seccomp.denied_count;
	assert_in_range(count, 1, 16);
	changed->view = *view;
	memcpy(changed->rules, view->seccomp.denied, count * sizeof *changed->rules);
	changed->view.seccomp.denied = changed->rules;
}

/* How many of the role's rules cannot be changed so without being found to be wider. */
static size_t noticed_of(const struct policy_text *text, const struct policy *view,
			 void (*change)(struct changed *, size_t at))
{
	size_t noticed = 0;
	for (size_t i = 0; i < view->seccomp.denied_count; i++) {
		struct changed changed;
		change_begin(&changed, view);
		change(&changed, i);
		noticed += !view_narrows(text->policy, &changed.view);
	}
	return noticed;
}

static void lose(struct changed *changed, size_t at)
{
	size_t behind = changed->view.seccomp.denied_count - at - 1;
	memmove(&changed->rules[at], &changed->rules[at + 1], behind * sizeof *changed->rules);
	changed->view.seccomp.denied_count--;
}

static void only_log(struct changed *changed, size_t at)
{
	changed->rules[at].action = test_log;
}

static void compare_beside(struct changed *changed, size_t at)
{
	changed->condition = *changed->rules[at].condition;
	changed->comparison = changed->condition.comparisons[0];
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		changed->comparison.on[abi].value += 100;
	changed->condition.comparisons = &changed->comparison;
	changed->condition.count = 1;
	changed->rules[at].condition = &changed->condition;
}

/* Four rules are of the layers: a role that lost one is wider, and one that lost one of its own is not. */
static void no_rule_of_the_layers_can_be_lost(void **state)
{
	(void)state;
	struct policy_text text = conditional_text();
	const struct policy *view = &role_views(text.compilation.arena, text.policy)[0];
	assert_int_equal(view->seccomp.denied_count, 6);
	assert_int_equal(noticed_of(&text, view, lose), 4);
	policy_text_end(&text);
}

/*
 * All of them are refusals with errno: one that only logs is wider where the layers have it. So is kill(pid
 * == 3), the role's own: a log goes before denials with `deny-with`'s action, so it lets kill(3, 31) pass.
 * That of kcmp is not.
 */
static void no_rule_of_the_layers_can_become_milder(void **state)
{
	(void)state;
	struct policy_text text = conditional_text();
	const struct policy *view = &role_views(text.compilation.arena, text.policy)[0];
	assert_int_equal(noticed_of(&text, view, only_log), 5);
	policy_text_end(&text);
}

/* The same condition, one value beside: a rule that looks like the layers' is not taken for it. */
static void no_condition_of_the_layers_can_be_another(void **state)
{
	(void)state;
	struct policy_text text = conditional_text();
	const struct policy *view = &role_views(text.compilation.arena, text.policy)[0];
	assert_int_equal(noticed_of(&text, view, compare_beside), 4);
	policy_text_end(&text);
}

/* What all rules have in common decides, too: with equal rules, another action where none holds. */
static void equal_rules_under_a_wider_default_do_not_narrow(void **state)
{
	(void)state;
	struct policy_text text = conditional_text();
	struct policy layers = *text.policy, role = *text.policy;
	assert_true(view_narrows(&layers, &role));
	layers.seccomp.fallback = test_log;
	assert_false(view_narrows(&layers, &role));
	policy_text_end(&text);
}

/*
 * An action of its own goes before `deny-with`'s: kill(1, 31) is refused under one, and logged under the
 * other.
 */
static void equal_rules_under_another_deny_with_do_not_narrow(void **state)
{
	(void)state;
	struct policy_text text = conditional_text();
	struct changed layers, role;
	change_begin(&layers, text.policy);
	for (size_t i = 0; i < layers.view.seccomp.denied_count; i++)
		if (strcmp(layers.rules[i].condition->text, "sig > 30") == 0)
			layers.rules[i].action = test_log;
	change_begin(&role, &layers.view);
	layers.view.seccomp.deny = test_log;
	assert_true(view_narrows(&role.view, &layers.view));
	assert_false(view_narrows(&layers.view, &role.view));
	policy_text_end(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_denies_more_narrows),
		cmocka_unit_test(one_that_lacks_a_denial_does_not),
		cmocka_unit_test(one_that_is_milder_does_not),
		cmocka_unit_test(to_be_logged_is_less_than_to_pass),
		cmocka_unit_test(more_conditions_narrow_and_fewer_do_not),
		cmocka_unit_test(no_rule_of_the_layers_can_be_lost),
		cmocka_unit_test(no_rule_of_the_layers_can_become_milder),
		cmocka_unit_test(no_condition_of_the_layers_can_be_another),
		cmocka_unit_test(equal_rules_under_a_wider_default_do_not_narrow),
		cmocka_unit_test(equal_rules_under_another_deny_with_do_not_narrow),
	};
	return cmocka_run_group_tests_name("narrower", tests, NULL, NULL);
}
