/* The policy as a whole, and when there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/policy/match.h"
#include "compiler/policy/resolver.h"
#include "tests/unit/policy_text.h"

static void the_names_of_a_policy(void **state)
{
	(void)state;
	const struct policy_file file = { "some/folder/x.allow", "policy a-b_c\ntitle \"T\"\n" };
	struct policy_text text = policy_text_load_files(&file, 1);
	assert_clean(&text);
	assert_string_equal(text.policy->name, "a-b_c");
	assert_string_equal(text.policy->identifier, "a_b_c");
	assert_string_equal(text.policy->title, "T");
	assert_string_equal(text.policy->file, "x.allow");
	assert_int_equal(text.policy->edition, 1);
	assert_int_equal(text.policy->row_count, 0);
	assert_int_equal(policy_verdict(text.policy, "git"), VERDICT_UNLISTED);
	policy_text_end(&text);
}

static void counts_are_of_commands(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n"
						   "allow git, node  adr 1  because \"r\"  on windows\n"
						   "forbid strace, CAP_SYS_PTRACE  adr 1  because \"r\"\n"
						   "forbid syscall mount  adr 1  because \"r\"\n"
						   "decline jq  adr 1  because \"r\"\n"
						   "role probe { forbid git  adr 1  because \"r\" }\n");
	assert_clean(&text);
	assert_int_equal(text.policy->allowed_count, 2);
	assert_int_equal(text.policy->forbidden_count, 1);
	assert_int_equal(text.policy->declined_count, 1);
	assert_int_equal(text.policy->row_count, 6);
	policy_text_end(&text);
}

static void with_an_error_there_is_no_policy(void **state)
{
	(void)state;
	struct policy_text text = policy_text_begin();
	assert_null(diags_option(text.compilation.diags, "error=reason"));
	policy_text_add(&text, "p.allow", "policy p\nallow git  adr 1\n");
	policy_text_resolve(&text, "p.allow");
	assert_string_equal(text.found, "error reason p.allow:2:7\n");
	assert_null(text.policy);
	assert_int_equal(diags_exit_status(text.compilation.diags), 1);
	policy_text_end(&text);
}

static void a_file_of_the_command_line_that_is_not_there_is_trouble(void **state)
{
	(void)state;
	struct policy_text text = policy_text_begin();
	policy_text_resolve(&text, "no/such/file.allow");
	assert_string_equal(text.found, "trouble\n");
	assert_null(text.policy);
	assert_int_equal(diags_exit_status(text.compilation.diags), 2);
	policy_text_end(&text);
}

static void every_part_reports_and_goes_on(void **state)
{
	(void)state;
	assert_found("policy p\n"
		     "alow git  adr 1  because \"r\"\n"
		     "forbid syscall ptrase  adr 1  because \"r\"\n"
		     "allow node  adr 1  because \"r\"  requires make\n"
		     "plugin x { tools jq }\n"
		     "seccomp { deny-with allow }\n"
		     "expect forbidden node\n",
		     "error syntax p.allow:2:1\n"
		     "error syscall p.allow:3:16\n"
		     "error requires p.allow:4:42\n"
		     "error tool p.allow:5:18\n"
		     "error value p.allow:6:21\n"
		     "error expect p.allow:7:18\n");
}

static void what_a_broken_line_names_is_neither_missing_nor_unlisted(void **state)
{
	(void)state;
	assert_found("policy p\n"
		     "allow git  becuase \"r\"  adr 1\n"
		     "allow dive  adr 1  because \"r\"  requires git\n"
		     "plugin x { tools git }\n"
		     "expect allowed git\n",
		     "error syntax p.allow:2:12\n");
}

static void without_reading_adrs_a_policy_is_the_same(void **state)
{
	(void)state;
	static const char bytes[] =
		"policy p\ndecisions \"no/such/folder\"\nallow git  adr 7  because \"r\"\n";
	assert_found(bytes, "error decisions p.allow:2:11\n");
	struct policy_text text = policy_text_begin();
	text.compilation.adrs_unread = true;
	policy_text_add(&text, "p.allow", bytes);
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	assert_string_equal(text.policy->rows[0]->citations[0].text, "p/7");
	policy_text_end(&text);
}

static void a_policy_without_decisions_is_told_so_once(void **state)
{
	(void)state;
	struct policy_text text = { .compilation = compilation_begin(0) };
	policy_text_add(&text, "p.allow", "policy p\nallow git, node  adr 1  because \"r\"\n");
	policy_text_resolve(&text, "p.allow");
	assert_string_equal(text.found, "warning adr-unchecked p.allow:1:8\n");
	assert_non_null(text.policy);
	policy_text_end(&text);
}

static void what_a_broken_statement_says_of_calls_is_not_missed(void **state)
{
	(void)state;
	static const char expect[] = "expect denied syscall ptrace\n";
	static const struct {
		const char *statement, *found;
	} cases[] = {
		{ "forbid syscall ptrace  adr\n", "error syntax p.allow:2:27\n" },
		{ "syscalls { ptrace }\n", "error syntax p.allow:2:10\n" },
		{ "syscalls @x { ptrace , , }\n", "error syntax p.allow:2:22\n" },
		{ "title\n", "error syntax p.allow:2:6\nerror expect p.allow:4:23\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char policy[200];
		snprintf(policy, sizeof policy, "policy p\n%sallow git  adr 1  because \"r\"\n%s",
			 cases[i].statement, expect);
		assert_found(policy, cases[i].found);
	}
}

static void names_are_searched_until_it_takes_too_long(void **state)
{
	(void)state;
	struct resolver resolver = { 0 };
	for (size_t i = 0; i < 9; i++)
		assert_true(names_may_be_searched(&resolver, 1000 * 1000));
	assert_false(names_may_be_searched(&resolver, 2 * 1000 * 1000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_names_of_a_policy),
		cmocka_unit_test(counts_are_of_commands),
		cmocka_unit_test(with_an_error_there_is_no_policy),
		cmocka_unit_test(a_file_of_the_command_line_that_is_not_there_is_trouble),
		cmocka_unit_test(every_part_reports_and_goes_on),
		cmocka_unit_test(what_a_broken_line_names_is_neither_missing_nor_unlisted),
		cmocka_unit_test(without_reading_adrs_a_policy_is_the_same),
		cmocka_unit_test(a_policy_without_decisions_is_told_so_once),
		cmocka_unit_test(what_a_broken_statement_says_of_calls_is_not_missed),
		cmocka_unit_test(names_are_searched_until_it_takes_too_long),
	};
	return cmocka_run_group_tests_name("resolve", tests, NULL, NULL);
}
