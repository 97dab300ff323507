/* What conditions have to do with each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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
	diags_option(conditions->text.compilation.diags, "no-unseen-argument");
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

/* An ABI with 32 bits passes 64 in two halves. */
static void an_argument_in_halves_is_not_seen(void **state)
{
	(void)state;
	struct conditions conditions;
	read_list(&conditions,
		  "pread64(offset > 5), pread64(offset > 5 && fd == 3), pread64(fd == 3 && offset > 5), "
		  "pread64(fd == 3)");
	for (size_t i = 0; i < conditions.count; i++) {
		assert_true(condition_seen(conditions.items[i], ABI_X86_64));
		assert_int_equal(condition_seen(conditions.items[i], ABI_ARM), i == 3);
	}
	assert_true(condition_seen(NULL, ABI_ARM));
	policy_text_end(&conditions.text);
}

/* Only the lowest two bits contradict each other, which is found after all 2^15 values of those above. */
static void what_is_hard_is_taken_for_possible(void **state)
{
	(void)state;
	static const char lowest[] = "(sig & 3) != 0 && (sig & 3) != 1 && (sig & 3) != 2 && (sig & 3) != 3";
	char list[256];
	snprintf(list, sizeof list, "kill(%s), kill((sig & 0x1fffc) != 1 && %s)", lowest, lowest);
	assert_can(list, ABI_X86_64, "-F HF");
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
	assert_escapes("kill(sig == 5), kill(pid < 7 && sig > 3)", true);
	const struct condition *const all[] = { NULL };
	assert_false(condition_escapes(NULL, NULL, all, 1, ABI_X86_64));
	assert_true(condition_escapes(NULL, NULL, all, 0, ABI_X86_64));
}

static void two_escape_together(void **state)
{
	(void)state;
	struct conditions conditions;
	read_list(&conditions, "kill(sig > 3), kill(sig < 5), kill(sig == 4)");
	const struct condition *const *items = conditions.items;
	assert_false(condition_escapes(items[0], items[1], items + 2, 1, ABI_X86_64));
	assert_true(condition_escapes(items[0], NULL, items + 2, 1, ABI_X86_64));
	policy_text_end(&conditions.text);
}

/* A comparison more than are looked at: that others cover the first is no longer said, whichever it is. */
static void what_has_too_many_parts_escapes(void **state)
{
	(void)state;
	struct argument_test is_five = {
		.bits = 32, .operator= COMPARISON_EQ, .mask = UINT32_MAX, .value = 5
	};
	struct comparison parts[1025], above_three[2];
	for (size_t i = 0; i < 1025; i++)
		parts[i].on[ABI_X86_64] = is_five;
	for (size_t i = 0; i < 2; i++) {
		above_three[i].on[ABI_X86_64] = is_five;
		above_three[i].on[ABI_X86_64].operator= COMPARISON_GT;
		above_three[i].on[ABI_X86_64].value = 3;
	}
	const struct condition first = { .comparisons = parts, .count = 1025 };
	const struct condition fewer = { .comparisons = parts, .count = 1023 };
	const struct condition other = { .comparisons = above_three, .count = 2 };
	const struct condition *const others[] = { &other, &other };
	assert_true(condition_escapes(&first, NULL, others, 2, ABI_X86_64));
	assert_false(condition_escapes(&fewer, NULL, others, 2, ABI_X86_64));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_comparison_can_hold_and_fail),
		cmocka_unit_test(some_comparisons_cannot),
		cmocka_unit_test(the_width_decides),
		cmocka_unit_test(parts_contradict_each_other),
		cmocka_unit_test(two_conditions_overlap),
		cmocka_unit_test(an_argument_in_halves_is_not_seen),
		cmocka_unit_test(what_is_hard_is_taken_for_possible),
		cmocka_unit_test(what_escapes_the_others),
		cmocka_unit_test(two_escape_together),
		cmocka_unit_test(what_has_too_many_parts_escapes),
	};
	return cmocka_run_group_tests_name("condition", tests, NULL, NULL);
}
