/* The profile as data: what is a rule, what the default, and what an engine would let pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/oci_profile.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "tests/unit/filter_policy.h"

enum { BOTH_X86 = 1u << ABI_X86_64 | 1u << ABI_I386 };

static const struct action test_eacces = { .kind = ACTION_ERRNO, .errno_value = 13 };

static struct oci_profile make(struct compilation *compilation, const struct test_policy *test,
			       enum oci_default form)
{
	return oci_profile_make(compilation->arena, &test->policy, OCI_LITTLE_ENDIAN, form);
}

/* What a call gets by its rule, or by default. */
static struct action action_of(const struct oci_profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->rule_count; i++)
		for (size_t k = 0; k < profile->rules[i].count; k++)
			if (strcmp(profile->rules[i].calls[k]->name, name) == 0)
				return profile->rules[i].action;
	return profile->fallback;
}

static bool has_rule(const struct oci_profile *profile, const char *name)
{
	return !action_equal(action_of(profile, name), profile->fallback);
}

static void a_deny_list_is_its_denials(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, BOTH_X86);
	/* set_tls is arm's: no named ABI has it */
	test_deny(&test, "ptrace set_tls", test_kill);
	test_deny(&test, "reboot kcmp", test_eperm);
	test_deny(&test, "acct", test_log);
	struct oci_profile profile = make(&compilation, &test, OCI_DEFAULT_ERRNO);
	assert_int_equal(profile.fallback.kind, ACTION_ALLOW);
	assert_int_equal(profile.architecture_count, 2);
	assert_string_equal(profile.architectures[0], "SCMP_ARCH_X86_64");
	assert_string_equal(profile.architectures[1], "SCMP_ARCH_X86");
	assert_int_equal(profile.rule_count, 3);
	assert_int_equal(profile.rules[0].action.kind, ACTION_LOG);
	assert_int_equal(profile.rules[1].count, 2);
	assert_string_equal(profile.rules[1].calls[0]->name, "kcmp");
	assert_string_equal(profile.rules[1].calls[1]->name, "reboot");
	assert_int_equal(profile.rules[2].count, 1);
	assert_string_equal(profile.rules[2].calls[0]->name, "ptrace");
	assert_string_equal(oci_profile_action(profile.rules[2].action), "SCMP_ACT_KILL_PROCESS");
	compilation_end(&compilation);
}

/* Known calls that no row names get EPERM by rules; only what nobody knows gets ENOSYS. */
static void unknown_numbers_decide_the_default(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64);
	test.policy.seccomp.fallback = test_eperm;
	test_allow_names(&test, "read");
	struct oci_profile profile = make(&compilation, &test, OCI_DEFAULT_ERRNO);
	assert_true(action_equal(profile.fallback, test_enosys));
	assert_int_equal(profile.rule_count, 2);
	assert_int_equal(profile.rules[0].action.kind, ACTION_ALLOW);
	assert_int_equal(profile.rules[0].count, 1);
	assert_true(action_equal(profile.rules[1].action, test_eperm));
	assert_int_equal(profile.rules[1].count, abi_call_count(ABI_AARCH64) - 1);
	/* A call of x86_64 alone is no business of this profile. */
	assert_false(has_rule(&profile, "open"));
	compilation_end(&compilation);
}

static void the_default_says_the_rest_where_unknown_is_default(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64);
	test.policy.seccomp.fallback = test_kill;
	test.policy.seccomp.unknown_default = true;
	test_allow_names(&test, "read write");
	struct oci_profile profile = make(&compilation, &test, OCI_DEFAULT_ERRNO);
	assert_int_equal(profile.fallback.kind, ACTION_KILL);
	assert_int_equal(profile.rule_count, 1);
	assert_int_equal(profile.rules[0].count, 2);
	compilation_end(&compilation);
}

/* SeccompProfile has no errno of the default: EPERM is the engine's. Others are rules. */
static void another_errno_of_the_default_becomes_rules(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64);
	test.policy.seccomp.fallback = test_eacces;
	test.policy.seccomp.unknown_default = true;
	test_allow_names(&test, "read");
	test_deny(&test, "ptrace", test_eperm);
	struct oci_profile profile = make(&compilation, &test, OCI_DEFAULT_EPERM);
	assert_true(action_equal(profile.fallback, test_eperm));
	assert_true(action_equal(action_of(&profile, "ptrace"), test_eperm));
	assert_true(action_equal(action_of(&profile, "reboot"), test_eacces));
	assert_true(action_equal(action_of(&profile, "read"), test_allow));
	compilation_end(&compilation);
}

/* Else the rule for socket would let pass socketcall(SYS_SOCKET), which the policy refuses on i386. */
static void socketcall_and_ipc_keep_rules_of_their_own(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, BOTH_X86);
	test.policy.seccomp.fallback = test_eperm;
	test.policy.seccomp.unknown_default = true;
	test_allow_names(&test, "socket");
	struct oci_profile profile = make(&compilation, &test, OCI_DEFAULT_ERRNO);
	assert_true(action_equal(profile.fallback, test_enosys));
	assert_true(action_equal(action_of(&profile, "socketcall"), test_eperm));
	assert_true(action_equal(action_of(&profile, "ipc"), test_eperm));
	assert_true(action_equal(action_of(&profile, "reboot"), test_eperm));
	/* Where the default must be EPERM, these two get another errno. */
	profile = make(&compilation, &test, OCI_DEFAULT_EPERM);
	assert_true(action_equal(profile.fallback, test_eperm));
	assert_true(action_equal(action_of(&profile, "socketcall"), test_enosys));
	assert_true(action_equal(action_of(&profile, "ipc"), test_enosys));
	assert_false(has_rule(&profile, "reboot"));
	test.policy.seccomp.fallback = test_kill;
	profile = make(&compilation, &test, OCI_DEFAULT_EPERM);
	assert_true(action_equal(profile.fallback, test_eperm));
	assert_true(action_equal(action_of(&profile, "socketcall"), test_kill));
	/* Each other errno may be one of theirs. */
	test_deny(&test, "socketcall", test_enosys);
	test_deny(&test, "ipc", test_eperm);
	test.policy.seccomp.fallback = test_eperm;
	profile = make(&compilation, &test, OCI_DEFAULT_ERRNO);
	assert_true(action_equal(profile.fallback, test_eacces));
	assert_true(action_equal(action_of(&profile, "socketcall"), test_enosys));
	assert_true(action_equal(action_of(&profile, "ipc"), test_eperm));
	profile = make(&compilation, &test, OCI_DEFAULT_EPERM);
	assert_true(action_equal(profile.fallback, test_eperm));
	assert_true(action_equal(action_of(&profile, "ipc"), test_enosys));
	test.policy.seccomp.fallback = test_kill;
	test.policy.seccomp.denied_count = 0;
	/* x86_64 alone has neither of them. */
	test.policy.seccomp.abis = 1u << ABI_X86_64;
	profile = make(&compilation, &test, OCI_DEFAULT_ERRNO);
	assert_int_equal(profile.fallback.kind, ACTION_KILL);
	assert_false(has_rule(&profile, "reboot"));
	compilation_end(&compilation);
}

static void one_byte_order_has_one_profile(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64 | 1u << ABI_S390X);
	/* s390x has no time */
	test_deny(&test, "time ptrace", test_eperm);
	assert_true(oci_profile_wanted(&test.policy, OCI_LITTLE_ENDIAN));
	assert_true(oci_profile_wanted(&test.policy, OCI_BIG_ENDIAN));
	struct oci_profile big =
		oci_profile_make(compilation.arena, &test.policy, OCI_BIG_ENDIAN, OCI_DEFAULT_ERRNO);
	assert_int_equal(big.architecture_count, 1);
	assert_string_equal(big.architectures[0], "SCMP_ARCH_S390X");
	assert_true(has_rule(&big, "ptrace"));
	assert_false(has_rule(&big, "time"));
	struct oci_profile little = make(&compilation, &test, OCI_DEFAULT_ERRNO);
	assert_string_equal(little.architectures[0], "SCMP_ARCH_X86_64");
	assert_int_equal(little.architecture_count, 1);
	assert_true(has_rule(&little, "time"));
	test.policy.seccomp.abis = 1u << ABI_X86_64;
	assert_false(oci_profile_wanted(&test.policy, OCI_BIG_ENDIAN));
	compilation_end(&compilation);
}

/* x32's calls have x86_64's names; without x86_64 its unknown numbers still decide the default. */
static void x32_is_an_architecture_of_its_own(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X32);
	test_deny(&test, "ptrace", test_eperm);
	struct oci_profile profile = make(&compilation, &test, OCI_DEFAULT_ERRNO);
	assert_int_equal(profile.architecture_count, 1);
	assert_string_equal(profile.architectures[0], "SCMP_ARCH_X32");
	assert_int_equal(profile.fallback.kind, ACTION_ALLOW);
	assert_int_equal(profile.rule_count, 1);
	compilation_end(&compilation);
}

static void every_abi_has_an_architecture(void **state)
{
	(void)state;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		struct compilation compilation = compilation_begin(0);
		enum oci_order order = abi_facts(abi)->big_endian ? OCI_BIG_ENDIAN : OCI_LITTLE_ENDIAN;
		struct test_policy test;
		test_policy_begin(&test, 1u << abi);
		struct oci_profile profile =
			oci_profile_make(compilation.arena, &test.policy, order, OCI_DEFAULT_ERRNO);
		assert_int_equal(profile.architecture_count, 1);
		assert_memory_equal(profile.architectures[0], "SCMP_ARCH_", strlen("SCMP_ARCH_"));
		compilation_end(&compilation);
	}
}

static void actions_have_the_words_of_the_specification(void **state)
{
	(void)state;
	assert_string_equal(oci_profile_action(test_allow), "SCMP_ACT_ALLOW");
	assert_string_equal(oci_profile_action(test_log), "SCMP_ACT_LOG");
	assert_string_equal(oci_profile_action(test_eperm), "SCMP_ACT_ERRNO");
	assert_int_equal(oci_profile_errno(test_eperm), 0);
	assert_int_equal(oci_profile_errno(test_enosys), 38);
	assert_int_equal(oci_profile_errno(test_kill), 0);
}

static void engines_pass_what_their_list_has(void **state)
{
	(void)state;
	assert_true(syscall_passes_engines("read"));
	assert_true(syscall_passes_engines("_llseek"));
	assert_true(syscall_passes_engines("writev"));
	assert_false(syscall_passes_engines("mount"));
	assert_false(syscall_passes_engines("bpf"));
	assert_false(syscall_passes_engines(""));
}

static void assert_warning(struct test_policy *test, const char *text)
{
	struct compilation compilation = compilation_begin(0);
	struct strbuf out = STRBUF_INIT;
	oci_profile_warn(&compilation, &test->policy);
	diags_render(compilation.diags, DIAG_TEXT, false, &out);
	if (!text)
		assert_int_equal(out.size, 0);
	else
		assert_non_null(strstr(out.bytes, text));
	strbuf_release(&out);
	compilation_end(&compilation);
}

/* All that engines refuse is denied by name, but for the two given. */
static void deny_what_engines_refuse(struct test_policy *test, const char *but, const char *and_but)
{
	for (size_t i = 0; i < syscall_table_size; i++) {
		const char *name = syscall_table[i].name;
		if (!syscall_passes_engines(name) && strcmp(name, but) != 0 && strcmp(name, and_but) != 0)
			test_deny_call(test, &syscall_table[i], test_eperm);
	}
}

static void the_warning_names_what_would_pass(void **state)
{
	(void)state;
	struct test_policy test;
	test_policy_begin(&test, BOTH_X86);
	deny_what_engines_refuse(&test, "mount", "acct");
	assert_warning(&test, "what this one lets pass: acct, mount [-Woci-replaces-default]\n");
	test_policy_begin(&test, BOTH_X86);
	deny_what_engines_refuse(&test, "", "");
	assert_warning(&test, NULL);
	/* What is only logged passes. */
	test.policy.seccomp.fallback = test_log;
	assert_warning(&test, NULL);
	test_policy_begin(&test, BOTH_X86);
	test.policy.seccomp.fallback = test_log;
	assert_warning(
		&test,
		"in place of its own, which refuses what this one lets pass: _sysctl, acct, add_key and ");
	/* What is refused when no row names it needs no warning. */
	test.policy.seccomp.fallback = test_eperm;
	assert_warning(&test, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deny_list_is_its_denials),
		cmocka_unit_test(unknown_numbers_decide_the_default),
		cmocka_unit_test(the_default_says_the_rest_where_unknown_is_default),
		cmocka_unit_test(another_errno_of_the_default_becomes_rules),
		cmocka_unit_test(socketcall_and_ipc_keep_rules_of_their_own),
		cmocka_unit_test(one_byte_order_has_one_profile),
		cmocka_unit_test(x32_is_an_architecture_of_its_own),
		cmocka_unit_test(every_abi_has_an_architecture),
		cmocka_unit_test(actions_have_the_words_of_the_specification),
		cmocka_unit_test(engines_pass_what_their_list_has),
		cmocka_unit_test(the_warning_names_what_would_pass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
