/* The settings of the filter, layer over layer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"

enum {
	X86_64 = 1u << ABI_X86_64,
	I386 = 1u << ABI_I386,
	X32 = 1u << ABI_X32,
	AARCH64 = 1u << ABI_AARCH64,
	ARM = 1u << ABI_ARM,
	RISCV64 = 1u << ABI_RISCV64,
	S390X = 1u << ABI_S390X,
	PPC64LE = 1u << ABI_PPC64LE,
	LOONGARCH64 = 1u << ABI_LOONGARCH64,
};

static struct action errno_of(uint16_t value)
{
	return (struct action){ .kind = ACTION_ERRNO, .errno_value = value };
}

static void assert_action(struct action action, struct action expected)
{
	assert_int_equal(action.kind, expected.kind);
	assert_int_equal(action.errno_value, expected.errno_value);
}

static void without_a_setting_the_defaults_hold(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\nseccomp { }\n");
	assert_clean(&text);
	const struct seccomp *seccomp = &text.policy->seccomp;
	assert_int_equal(seccomp->fallback.kind, ACTION_ALLOW);
	assert_action(seccomp->deny, errno_of(1));
	assert_false(seccomp->unknown_default);
	assert_action(seccomp->unknown, errno_of(38));
	assert_int_equal(seccomp->abis, X86_64 | I386 | AARCH64 | ARM);
	policy_text_end(&text);
}

static void each_setting_is_read(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n"
						   "seccomp {\n"
						   "    default errno EACCES\n"
						   "    deny-with kill\n"
						   "    unknown default\n"
						   "    arch aarch64\n"
						   "}\n");
	assert_clean(&text);
	const struct seccomp *seccomp = &text.policy->seccomp;
	assert_action(seccomp->fallback, errno_of(13));
	assert_int_equal(seccomp->deny.kind, ACTION_KILL);
	assert_true(seccomp->unknown_default);
	assert_int_equal(seccomp->abis, AARCH64 | ARM);
	assert_true(policy_names_abi(text.policy, ABI_ARM));
	assert_false(policy_names_abi(text.policy, ABI_X86_64));
	policy_text_end(&text);
}

static void abis_add_up_and_replace_the_default(void **state)
{
	(void)state;
	static const struct {
		const char *settings;
		unsigned abis;
	} cases[] = {
		{ "abi x86_64", X86_64 },
		{ "arch x86_64", X86_64 | I386 },
		{ "abi x32", X32 },
		{ "arch x86_64; abi x32", X86_64 | I386 | X32 },
		{ "abi aarch64, i386", AARCH64 | I386 },
		{ "abi arm; arch aarch64", AARCH64 | ARM },
		/* Their kernels run a 32-bit ABI too, which the language does not have: it is killed. */
		{ "arch riscv64, s390x, ppc64le, loongarch64", RISCV64 | S390X | PPC64LE | LOONGARCH64 },
		{ "abi s390x; arch aarch64", S390X | AARCH64 | ARM },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct policy_text text = policy_text_begin();
		policy_text_add(&text, "p.allow",
				arena_printf(text.compilation.arena, "policy p\nseccomp { %s }\n",
					     cases[i].settings));
		policy_text_resolve(&text, "p.allow");
		assert_clean(&text);
		assert_int_equal(text.policy->seccomp.abis, cases[i].abis);
		policy_text_end(&text);
	}
}

static void each_setting_is_inherited_by_itself(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_over(
		"policy base\nseccomp { default errno EACCES; unknown kill; abi x86_64, i386 }\n",
		"policy p\nextends base\nseccomp { deny-with kill; abi x86_64 }\n");
	assert_clean(&text);
	const struct seccomp *seccomp = &text.policy->seccomp;
	assert_action(seccomp->fallback, errno_of(13));
	assert_int_equal(seccomp->unknown.kind, ACTION_KILL);
	assert_int_equal(seccomp->deny.kind, ACTION_KILL);
	assert_int_equal(seccomp->abis, X86_64);
	policy_text_end(&text);
}

static void nothing_passes_that_is_refused_below(void **state)
{
	(void)state;
	static const char lower[] =
		"policy base\nseccomp { default errno EPERM; unknown kill; abi x86_64 }\n";
	assert_found_over(lower, "policy p\nextends base\nseccomp { default allow }\n",
			  "error widens p.allow:3:11\n");
	assert_found_over(lower, "policy p\nextends base\nseccomp { default log }\n",
			  "error widens p.allow:3:11\n");
	assert_found_over(lower, "policy p\nextends base\nseccomp { unknown log }\n",
			  "error widens p.allow:3:11\n");
	assert_found_over(lower, "policy p\nextends base\nseccomp { deny-with log }\n",
			  "error widens p.allow:3:11\n");
	assert_found_over(lower, "policy p\nextends base\nseccomp { arch x86_64 }\n",
			  "error widens p.allow:3:11\n");
	assert_found_over(lower, "policy p\nextends base\nseccomp { default kill; unknown errno EPERM }\n",
			  "");
}

static void what_a_setting_may_not_say(void **state)
{
	(void)state;
	assert_found("policy p\nseccomp { arch x86_65 }\n", "error value p.allow:2:16\n");
	assert_found("policy p\nseccomp { arch x32 }\n", "error value p.allow:2:16\n");
	assert_found("policy p\nseccomp { deny-with allow }\n", "error value p.allow:2:21\n");
	assert_found("policy p\nseccomp { default errno EPREM }\n", "error value p.allow:2:25\n");
	assert_found("policy p\nseccomp { default kill; default kill }\n", "error duplicate p.allow:2:25\n");
	assert_found("policy p\nseccomp { default kill }\nseccomp { unknown kill }\n",
		     "error duplicate p.allow:3:1\n");
	assert_found("policy p\nseccomp { arch native }\n", "error value p.allow:2:16\n");
	assert_found("policy p\nseccomp { abi ppc64 }\n", "error value p.allow:2:15\n");
	assert_found("policy p\nseccomp { abi s390x, s390x }\n", "error duplicate p.allow:2:22\n");
	assert_found("policy p\nseccomp { unknown allow }\n", "error value p.allow:2:19\n");
	assert_found("policy p\nseccomp { default errno 12ab }\n", "error value p.allow:2:25\n");
	assert_found("policy p\nseccomp { default errno 00013 }\n", "error value p.allow:2:25\n");
	assert_found("policy p\nseccomp { default errno 4096 }\n", "error value p.allow:2:25\n");
}

/* Neither what it would have meant nor what holds without it: nothing more is said of calls. */
static void what_is_wrong_in_a_setting_is_told_alone(void **state)
{
	(void)state;
	static const char rows[] =
		"allow syscall read  adr 1  because \"r\"\nallow gdb  adr 1  because \"r\"\n"
		"expect denied syscall acct\n";
	static const struct {
		const char *settings, *found;
	} cases[] = {
		{ "default errno EPREM", "error value p.allow:2:25\n" },
		{ "default erno", "error value p.allow:2:19\n" },
		{ "default", "error syntax p.allow:2:18\n" },
		{ "abi ppc64", "error value p.allow:2:15\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct policy_text text = policy_text_begin();
		assert_found(arena_printf(text.compilation.arena, "policy p\nseccomp { %s }\n%s",
					  cases[i].settings, rows),
			     cases[i].found);
		policy_text_end(&text);
	}
	/* The first of two holds, and lists what passes. */
	assert_found("policy p\nseccomp { default errno EPERM; default allow }\n"
		     "allow syscall read  adr 1  because \"r\"\n",
		     "error duplicate p.allow:2:32\n");
}

/* Rules that follow from a base stand in the layer that names it. */
static void a_base_is_a_row_of_its_layer(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_over("policy base\nsyscalls @few { read }\n",
							"policy p\nextends base\nseccomp { base @few }\n");
	assert_clean(&text);
	assert_non_null(text.policy->seccomp.base_row);
	assert_ptr_equal(text.policy->seccomp.base_row->layer, &text.policy->layers[1]);
	policy_text_end(&text);
	text = policy_text_load("policy p\nseccomp { default errno EPERM }\n");
	assert_clean(&text);
	assert_null(text.policy->seccomp.base_row);
	policy_text_end(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_setting_the_defaults_hold),
		cmocka_unit_test(each_setting_is_read),
		cmocka_unit_test(abis_add_up_and_replace_the_default),
		cmocka_unit_test(each_setting_is_inherited_by_itself),
		cmocka_unit_test(nothing_passes_that_is_refused_below),
		cmocka_unit_test(what_a_setting_may_not_say),
		cmocka_unit_test(what_is_wrong_in_a_setting_is_told_alone),
		cmocka_unit_test(a_base_is_a_row_of_its_layer),
	};
	return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
