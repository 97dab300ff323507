/* What conditions have to do with each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"

/* The conditions of one row, in the order of its list. */
struct conditions {
	struct policy_text text;
	const struct condition *items[8];
	size_t count;
};

/* `list` is of lseek and kill: "lseek(offset > 5), kill(sig == 9)". */
static void read_list(struct conditions *conditions, const char *list)
{
	conditions->text = policy_text_begin();
	diags_option(conditions->text.compilation.diags, "no-fixed-condition");
	policy_text_add(&conditions->text, "p.allow",
			arena_printf(conditions->text.compilation.arena,
				     "policy p\nforbid syscall %s  adr 1  because \"r\"\n", list));
	policy_text_resolve(&conditions->text, "p.allow");
	assert_clean(&conditions->text);
	conditions->count = conditions->text.policy->row_count;
	for (size_t i = 0; i < conditions->count; i++)
		conditions->items[i] = conditions->text.policy->rows[i]->calls[0].condition;
}

/* Each as "hold" and "fail" letters: HF can do both, H- always holds, -F never. */
static void assert_can(const char *list, enum abi abi, const char *expected)
{
	struct conditions conditions;
	read_list(&conditions, list);
	const char *answers = "";
	for (size_t i = 0; i < conditions.count; i++)
		answers = arena_printf(conditions.text.compilation.arena, "%s%s%c%c", answers, i ? " " : "",
				       condition_can_hold(conditions.items[i], abi) ? 'H' : '-',
				       condition_can_fail(conditions.items[i], abi) ? 'F' : '-');
	assert_string_equal(answers, expected);
	policy_text_end(&conditions.text);
}

static void a_comparison_can_hold_and_fail(void **state)
{
	(void)state;
	assert_can("lseek(offset == 5), lseek(offset != 5), lseek(offset & 4), lseek((offset & 6) == 4)",
		   ABI_X86_64, "HF HF HF HF");
	assert_can("lseek(offset < 1), lseek(offset <= 0), lseek(offset > 0), lseek(offset >= 1)", ABI_X86_64,
		   "HF HF HF HF");
}

static void some_comparisons_cannot(void **state)
{
	(void)state;
	assert_can("lseek(offset < 0), lseek(offset >= 0), lseek(offset & 0), lseek((offset & 6) == 1)",
		   ABI_X86_64, "-F H- -F -F");
	assert_can("lseek((offset & 6) != 1), lseek(offset <= 0xffffffffffffffff), "
		   "lseek(offset > 0xffffffffffffffff)",
		   ABI_X86_64, "H- H- -F");
}

/* An int has 32 bits everywhere, a long as many as the ABI. */
static void the_width_decides(void **state)
{
	(void)state;
	static const char list[] = "kill(sig == 0x100000009), lseek(offset == 0x100000009), lseek(offset < "
				   "0x100000000), lseek(offset & 0xf00000000)";
	assert_can(list, ABI_X86_64, "-F HF HF HF");
	assert_can(list, ABI_I386, "-F -F H- -F");
	assert_can("kill(sig == -1), lseek(offset == -1)", ABI_I386, "HF HF");
}

static void parts_contradict_each_other(void **state)
{
	(void)state;
	assert_can("kill(sig == 9 && sig == 15), kill(sig > 9 && sig < 10), kill(sig > 9 && sig < 11), "
		   "kill((sig & 1) == 0 && sig == 9), kill((sig & 1) == 1 && sig == 9)",
		   ABI_X86_64, "-F -F HF -F HF");
	assert_can("kill(sig & 3 && sig != 1 && sig != 2 && sig != 3 && sig < 4), kill(sig & 3 && sig < 4 && "
		   "sig != 3), "
		   "kill(pid == 9 && sig == 15)",
		   ABI_X86_64, "-F HF HF");
}

static void assert_overlap(const char *list, bool expected)
{
	struct conditions conditions;
	read_list(&conditions, list);
	assert_int_equal(conditions.count, 2);
	assert_int_equal(conditions_overlap(conditions.items[0], conditions.items[1], ABI_X86_64), expected);
	assert_int_equal(conditions_overlap(conditions.items[1], conditions.items[0], ABI_X86_64), expected);
	assert_true(conditions_overlap(conditions.items[0], NULL, ABI_X86_64));
	policy_text_end(&conditions.text);
}

static void two_conditions_overlap(void **state)
{
	(void)state;
	assert_overlap("kill(sig == 9), kill(sig >= 9)", true);
	assert_overlap("kill(sig == 9), kill(sig > 9)", false);
	assert_overlap("kill(sig == 9), kill(pid == 9)", true);
	assert_overlap("kill(sig & 1), kill(sig & 2)", true);
	assert_overlap("kill(sig & 1), kill((sig & 3) == 2)", false);
	assert_overlap("kill(sig & 1 && sig < 1000000), kill((sig & 3) == 2)", false);
	assert_overlap("kill(sig == 9), kill(arg1 != 9)", false); /* one argument under two names */
}

static void assert_escapes(const char *list, bool expected)
{
	struct conditions conditions;
	read_list(&conditions, list);
	assert_int_equal(condition_escapes(conditions.items[0], NULL, conditions.items + 1,
					   conditions.count - 1, ABI_X86_64),
			 expected);
	policy_text_end(&conditions.text);
}

/* The first is tried against all others. */
static void what_escapes_the_others(void **state)
{
	(void)state;
	assert_escapes("kill(sig > 3), kill(sig > 2)", false);
	assert_escapes("kill(sig > 2), kill(sig > 3)", true);
	assert_escapes("kill(sig >= 0), kill(sig < 9), kill(sig >= 9)", false);
	assert_escapes("kill(sig >= 0), kill(sig < 9), kill(sig > 9)", true);
	assert_escapes("kill(sig == 5), kill(sig > 3 && sig < 7)", false);
	assert_escapes("kill(sig == 5), kill(sig > 3 && pid < 7)", true);
	const struct condition *const all[] = { NULL };
	assert_false(condition_escapes(NULL, NULL, all, 1, ABI_X86_64));
	assert_true(condition_escapes(NULL, NULL, all, 0, ABI_X86_64));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_comparison_can_hold_and_fail),
		cmocka_unit_test(some_comparisons_cannot),
		cmocka_unit_test(the_width_decides),
		cmocka_unit_test(parts_contradict_each_other),
		cmocka_unit_test(two_conditions_overlap),
		cmocka_unit_test(what_escapes_the_others),
	};
	return cmocka_run_group_tests_name("condition", tests, NULL, NULL);
}
