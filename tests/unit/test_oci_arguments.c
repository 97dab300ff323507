/* Rules of a container profile, made of clauses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/oci_arguments.h"
#include "tests/unit/policy_text.h"

static const struct action act_allow = { .kind = ACTION_ALLOW };
static const struct action act_eperm = { .kind = ACTION_ERRNO, .errno_value = 1 };

/* "0: value & mask; …", rules apart by "|"; "" where they cannot be made. */
static const char *rules(struct policy_text *text, const char *call, enum abi abi, struct action fallback)
{
	struct arena *arena = text->compilation.arena;
	struct clauses clauses = clauses_make(arena, text->policy, syscall_find(call), abi);
	struct oci_alternatives made;
	const char *list = "";
	if (!oci_arguments_make(arena, &clauses, fallback, abi_facts(abi)->bits, &made))
		return "";
	for (size_t i = 0; i < made.count; i++)
		for (int index = 0; index < OCI_ARGUMENTS; index++) {
			const struct oci_comparison *item = &made.items[i].items[index];
			if (made.items[i].used >> index & 1)
				list = arena_printf(arena, "%s[%zu] %d %s %#llx %#llx ", list, i, index,
						    oci_comparison_word(item) + strlen("SCMP_CMP_"),
						    (unsigned long long)oci_comparison_first(item),
						    (unsigned long long)oci_comparison_second(item));
		}
	return list;
}

static void assert_rules(const char *rows, const char *call, enum abi abi, struct action fallback,
			 const char *expected)
{
	struct policy_text text = policy_text_begin();
	assert_null(diags_option(text.compilation.diags, "no-incomplete-group"));
	policy_text_add(&text, "p.allow", arena_printf(text.compilation.arena, "policy p\n%s", rows));
	policy_text_resolve(&text, "p.allow");
	assert_non_null(text.policy);
	assert_string_equal(rules(&text, call, abi, fallback), expected);
	policy_text_end(&text);
}

#define R "  adr 1  because \"r\"\n"
#define LISTED "seccomp { default errno EPERM }\n"

/* The kernel reads 32 bits of an int, whatever else is in the register. */
static void an_int_is_compared_by_its_bits(void **state)
{
	(void)state;
	assert_rules("forbid syscall kill(sig == 9)" R, "kill", ABI_X86_64, act_allow,
		     "[0] 1 MASKED_EQ 0xffffffff 0x9 ");
	assert_rules("forbid syscall kill(sig < 2)" R, "kill", ABI_X86_64, act_allow,
		     "[0] 1 MASKED_EQ 0xfffffffe 0 ");
	assert_rules("forbid syscall kill(pid == 1 && sig == 9)" R, "kill", ABI_X86_64, act_allow,
		     "[0] 0 MASKED_EQ 0xffffffff 0x1 [0] 1 MASKED_EQ 0xffffffff 0x9 ");
}

static void any_bit_is_a_rule_for_each(void **state)
{
	(void)state;
	assert_rules("forbid syscall clone(flags & 0x50000)" R, "clone", ABI_X86_64, act_allow,
		     "[0] 0 MASKED_EQ 0x40000 0x40000 [1] 0 MASKED_EQ 0x50000 0x10000 ");
	assert_rules("forbid syscall clone((flags & 0x5) != 0x4)" R, "clone", ABI_X86_64, act_allow,
		     "[0] 0 MASKED_EQ 0x4 0 [1] 0 MASKED_EQ 0x5 0x5 ");
}

/* What is denied of an allowed call is what is not allowed. */
static void a_denial_is_turned_round(void **state)
{
	(void)state;
	assert_rules(LISTED "allow syscall clone" R "forbid syscall clone(flags & 0x50000)" R, "clone",
		     ABI_X86_64, act_eperm, "[0] 0 MASKED_EQ 0x50000 0 ");
	assert_rules(LISTED "allow syscall chmod(mode < 4)" R "forbid syscall chmod(mode == 2)" R, "chmod",
		     ABI_X86_64, act_eperm, "[0] 1 MASKED_EQ 0xfffe 0 [1] 1 MASKED_EQ 0xffff 0x3 ");
}

static void a_whole_register_is_compared_as_it_is(void **state)
{
	(void)state;
	assert_rules("forbid syscall lseek(offset > 5)" R, "lseek", ABI_X86_64, act_allow, "[0] 1 GT 0x5 0 ");
	assert_rules("forbid syscall lseek(offset == 5)" R, "lseek", ABI_X86_64, act_allow,
		     "[0] 1 EQ 0x5 0 ");
}

static void what_cannot_be_said(void **state)
{
	(void)state;
	/* Two comparisons of one argument: engines would ask for either. */
	assert_rules("forbid syscall lseek(offset > 5 && offset < 9)" R, "lseek", ABI_X86_64, act_allow, "");
	/* libseccomp merges several of these wrongly. */
	assert_rules("forbid syscall lseek(offset > 5), lseek(whence == 2)" R, "lseek", ABI_X86_64, act_allow,
		     "");
	/* Two actions beside the default. */
	assert_rules("forbid syscall kill(sig == 9)" R "forbid syscall kill(sig == 8)  with kill" R, "kill",
		     ABI_X86_64, act_allow, "");
	/* Readers with signed numbers. */
	assert_rules("forbid syscall lseek(offset == 0x8000000000000000)" R, "lseek", ABI_X86_64, act_allow,
		     "");
	/* 32 * 32 rules. */
	assert_rules("forbid syscall kill(pid != 1 && sig != 9)" R, "kill", ABI_X86_64, act_allow, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_int_is_compared_by_its_bits),
		cmocka_unit_test(any_bit_is_a_rule_for_each),
		cmocka_unit_test(a_denial_is_turned_round),
		cmocka_unit_test(a_whole_register_is_compared_as_it_is),
		cmocka_unit_test(what_cannot_be_said),
	};
	return cmocka_run_group_tests_name("oci_arguments", tests, NULL, NULL);
}
