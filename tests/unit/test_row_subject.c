/* What a subject is, by how it is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/policy/row_subject.h"
#include "tests/unit/policy_text.h"

static void the_kind_is_told_by_the_form(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n"
						   "syscalls @raw { swapon; acct }\n"
						   "allow \"docker buildx\"  adr 1  because \"r\"\n"
						   "forbid CAP_SYS_PTRACE  adr 1  because \"r\"\n"
						   "forbid syscall mount, @raw  adr 1  because \"r\"\n");
	assert_clean(&text);
	const struct row *const *rows = text.policy->rows;
	assert_int_equal(text.policy->row_count, 4);
	assert_int_equal(rows[0]->kind, SUBJECT_COMMAND);
	assert_int_equal(rows[1]->kind, SUBJECT_CAPABILITY);
	assert_null(rows[1]->spelling);
	assert_int_equal(rows[2]->kind, SUBJECT_SYSCALL);
	assert_string_equal(policy_text_calls(&text, rows[2]->calls, rows[2]->call_count), "mount");
	assert_string_equal(rows[3]->subject, "@raw");
	assert_string_equal(policy_text_calls(&text, rows[3]->calls, rows[3]->call_count), "acct swapon");
	policy_text_end(&text);
}

static void spellings_join_the_words_unless_one_is_given(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n"
				 "allow \"docker compose up\"  adr 1  because \"r\"\n"
				 "allow \"docker buildx\"  adr 1  because \"r\"  as buildx\n"
				 "allow git  adr 1  because \"r\"\n");
	assert_clean(&text);
	assert_string_equal(text.policy->rows[0]->spelling, "docker-compose-up");
	assert_false(text.policy->rows[0]->spelling_given);
	assert_string_equal(text.policy->rows[1]->spelling, "buildx");
	assert_true(text.policy->rows[1]->spelling_given);
	assert_string_equal(text.policy->rows[2]->spelling, "git");
	policy_text_end(&text);
}

static void keywords_and_quoted_words_are_commands(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n"
				 "allow as, expect, \"syscall\", \"[\", \"ptrace\", g~t  adr 1  "
				 "because \"r\"\n");
	assert_clean(&text);
	assert_string_equal(policy_text_subjects(&text), "as expect syscall [ ptrace g~t");
	for (size_t i = 0; i < text.policy->row_count; i++)
		assert_int_equal(text.policy->rows[i]->kind, SUBJECT_COMMAND);
	policy_text_end(&text);
}

static void what_can_match_no_program_is_refused(void **state)
{
	(void)state;
	static const char *const subjects[] = {
		"/usr/bin/git", "./git",
		"bin/",         "-f",
		"@tracing",     "\"git  push\"",
		"\" git\"",     "\"git \"",
		"\"\"",         "g*t",
		"g?t",          "\"g[ab]t\"",
		"g\xc3\xa9t",   "cap_sys_ptrace",
		"Cap-Net-Raw",  "\"CAP_SYS_PTRACE\"",
		"cap-net-raw",
	};
	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
		struct policy_text text = policy_text_begin();
		policy_text_add(&text, "p.allow",
				arena_printf(text.compilation.arena,
					     "policy p\nforbid node, %s  adr 1  because \"r\"\n",
					     subjects[i]));
		policy_text_resolve(&text, "p.allow");
		assert_string_equal(text.found, "error command p.allow:2:14\n");
		assert_null(text.policy);
		policy_text_end(&text);
	}
}

/* The program that was meant has a row, if a wrong one. */
static void the_right_form_of_a_wrong_command_is_not_unlisted(void **state)
{
	(void)state;
	assert_found("policy p\nallow /usr/bin/git  adr 1  because \"r\"\nexpect allowed git\n",
		     "error command p.allow:2:7\n");
	assert_found("policy p\nallow \"git  push\"  adr 1  because \"r\"\nplugin x { tools \"git push\" }\n",
		     "error command p.allow:2:7\n");
}

static void a_name_of_the_kernel_is_doubtful_without_quotes(void **state)
{
	(void)state;
	assert_found("policy p\nallow ptrace, \"mount\", kill, git  adr 1  because \"r\"\n",
		     "warning kernel-name p.allow:2:7\nwarning kernel-name p.allow:2:24\n");
	assert_found("policy p\nallow sys_ptrace, chown, \"net_raw\"  adr 1  because \"r\"\n",
		     "warning kernel-name p.allow:2:7\nwarning kernel-name p.allow:2:19\n");
}

static void some_verbs_do_not_take_some_subjects(void **state)
{
	(void)state;
	assert_found("policy p\nallow CAP_SYS_PTRACE  adr 1  because \"r\"\n", "error subject p.allow:2:7\n");
	assert_found("policy p\ndecline CAP_SYS_PTRACE  adr 1  because \"r\"\n",
		     "error subject p.allow:2:9\n");
	assert_found("policy p\ndecline syscall ptrace  adr 1  because \"r\"\n",
		     "error subject p.allow:2:17\n");
	/* And they are not in force. */
	assert_found("policy p\nallow CAP_SYS_PTRACE  adr 1  because \"r\"\n"
		     "allow gdb  adr 1  because \"r\"  needs CAP_SYS_PTRACE\n",
		     "error subject p.allow:2:7\n");
	assert_found("policy p\nforbid CAP_SYS_PTRACES  adr 1  because \"r\"\n",
		     "error capability p.allow:2:8\n");
}

/* Bare where a word is one, else a string; it compiles without a warning, and is the command again. */
static void a_command_is_written_so_that_it_compiles(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "git", "git" },
		{ "g++", "g++" },
		{ "[", "[" },
		{ "adr", "adr" },
		{ "a=b", "a=b" },
		{ "!x", "!x" },
		{ "Git", "Git" },
		{ "syscall", "\"syscall\"" },
		{ "ptrace", "\"ptrace\"" },
		{ "sys_ptrace", "\"sys_ptrace\"" },
		{ "AP_SYS_PTRACE", "\"AP_SYS_PTRACE\"" },
		{ "AP_AUDIT_CONTROL", "\"AP_AUDIT_CONTROL\"" },
		{ "cat_x", "cat_x" },
		{ "CAPTURE", "CAPTURE" },
		{ "docker buildx", "\"docker buildx\"" },
		{ "a,b", "\"a,b\"" },
		{ "a|b", "\"a|b\"" },
		{ "a&b", "\"a&b\"" },
		{ "=x", "\"=x\"" },
		{ "#x", "\"#x\"" },
		{ "a#b", "\"a#b\"" },
		{ "$x", "\"$x\"" },
		{ "it's", "\"it's\"" },
		{ "`x", "\"`x\"" },
		{ "x;y", "\"x;y\"" },
		{ "x()", "\"x()\"" },
		{ "{", "\"{\"" },
		{ "}", "\"}\"" },
		{ ">=", "\">=\"" },
		{ "<", "\"<\"" },
		{ "a\"b", "\"a\\\"b\"" },
		{ "a\\nb", "\"a\\\\nb\"" },
		{ "\\\\\\\\\\\\\\\\\\\\", "\"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\"" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_new();
		assert_string_equal(command_as_subject(arena, cases[i][0]), cases[i][1]);
		struct policy_text text = policy_text_load(
			arena_printf(arena, "policy p\nallow %s  adr 1  because \"r\"\n", cases[i][1]));
		assert_clean(&text);
		assert_int_equal(text.policy->rows[0]->kind, SUBJECT_COMMAND);
		assert_string_equal(text.policy->rows[0]->subject, cases[i][0]);
		policy_text_end(&text);
		arena_free(arena);
	}
}

/* What the resolver refuses, as a word or as a string. */
static void what_no_row_names_is_not_written(void **state)
{
	(void)state;
	static const char *const cases[] = { "",
					     " ",
					     "bin/x",
					     "*",
					     "l?",
					     "a[b]",
					     "-x",
					     "@raw",
					     "h\xc3\xa9",
					     "cap_sys_ptrace",
					     "CAP_BPF",
					     "cap-x",
					     "a\x7f",
					     "a\n",
					     "\x01x",
					     "a \x01",
					     "a \xff",
					     "a \xe2\x80\xae",
					     "a \xe2\x80\x8b" };
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_null(command_as_subject(arena, cases[i]));
	arena_free(arena);
}

static void a_spelling_is_the_commands_own_or_another(void **state)
{
	(void)state;
	static const struct {
		const char *subject, *spelling;
		bool own;
	} cases[] = {
		{ "docker buildx", "docker-buildx", true },
		{ "a-b", "a-b", true },
		{ "git", NULL, true },
		{ "docker buildx", "docker", false },
		{ "git", "git-x", false },
		{ "a.b", "a-b", false },
		{ "docker buildx", "buildx", false },
		{ "a b", "axb", false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct row row = { .subject = cases[i].subject, .spelling = cases[i].spelling };
		assert_int_equal(row_spelling_is_own(&row), cases[i].own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kind_is_told_by_the_form),
		cmocka_unit_test(spellings_join_the_words_unless_one_is_given),
		cmocka_unit_test(keywords_and_quoted_words_are_commands),
		cmocka_unit_test(what_can_match_no_program_is_refused),
		cmocka_unit_test(the_right_form_of_a_wrong_command_is_not_unlisted),
		cmocka_unit_test(a_name_of_the_kernel_is_doubtful_without_quotes),
		cmocka_unit_test(some_verbs_do_not_take_some_subjects),
		cmocka_unit_test(a_command_is_written_so_that_it_compiles),
		cmocka_unit_test(what_no_row_names_is_not_written),
		cmocka_unit_test(a_spelling_is_the_commands_own_or_another),
	};
	return cmocka_run_group_tests_name("row_subject", tests, NULL, NULL);
}
