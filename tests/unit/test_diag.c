#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"

static const char text[] = "policy x\n\nallow git\tadr 1\nforbid \xc3\xa9\xe2\x80\xae""e adr 2\r\n";

struct fixture {
	struct compilation compilation;
	struct source *source;
};

static struct fixture fixture_begin(size_t max_errors)
{
	struct fixture fixture = { .compilation = compilation_begin(max_errors) };
	fixture.source = sources_add(fixture.compilation.sources, "x.allow", text, sizeof text - 1);
	return fixture;
}

static struct span at(const struct fixture *fixture, const char *word)
{
	uint32_t begin = (uint32_t)(strstr(text, word) - text);
	return (struct span){ fixture->source, begin, begin + (uint32_t)strlen(word) };
}

static void assert_rendered(struct fixture *fixture, enum diag_format format, const char *expected)
{
	struct strbuf out = STRBUF_INIT;
	diags_render(fixture->compilation.diags, format, false, &out);
	assert_string_equal(out.bytes, expected);
	strbuf_release(&out);
	compilation_end(&fixture->compilation);
}

static void a_diagnostic_shows_place_notes_and_helps(void **state)
{
	(void)state;
	struct fixture f = fixture_begin(0);
	struct diagnostic *d = diag_report(f.compilation.diags, DIAG_CONFLICT, at(&f, "adr 1"), "bad '%s'", "git");
	diag_note(d, at(&f, "policy"), "see here");
	diag_help(d, "write:");
	diag_fix(d, "revoke git");
	assert_rendered(&f, DIAG_TEXT,
			"x.allow:3:11: error: bad 'git' [conflict]\n"
			"    3 | allow git\tadr 1\n"
			"      |          \t^~~~~\n"
			"x.allow:1:1: note: see here\n"
			"    1 | policy x\n"
			"      | ^~~~~~\n"
			"x.allow:3:11: help: write:\n"
			"      | revoke git\n");
}

static void order_is_by_place(void **state)
{
	(void)state;
	struct fixture f = fixture_begin(0);
	diag_report(f.compilation.diags, DIAG_REASON, at(&f, "git"), "second");
	diag_report(f.compilation.diags, DIAG_POLICY, at(&f, "policy"), "first");
	diag_report(f.compilation.diags, DIAG_ADR_STATUS, at(&f, "git"), "third");
	assert_rendered(&f, DIAG_TEXT,
			"x.allow:1:1: error: first [policy]\n"
			"    1 | policy x\n"
			"      | ^~~~~~\n"
			"x.allow:3:7: warning: second [-Wreason]\n"
			"    3 | allow git\tadr 1\n"
			"      |       ^~~\n"
			"x.allow:3:7: error: third [adr-status]\n"
			"    3 | allow git\tadr 1\n"
			"      |       ^~~\n");
}

static void hidden_characters_are_shown(void **state)
{
	(void)state;
	struct fixture f = fixture_begin(0);
	diag_report(f.compilation.diags, DIAG_ENCODING, at(&f, "\xe2\x80\xae"), "a\33[31m\n\xff");
	assert_rendered(&f, DIAG_TEXT,
			"x.allow:4:9: error: a\\u{1b}[31m\\u{a}\\xff [encoding]\n"
			"    4 | forbid \xc3\xa9\\u{202e}e adr 2\n"
			"      |         ^~~~~~~~\n");
}

static void columns_count_characters(void **state)
{
	(void)state;
	struct fixture f = fixture_begin(0);
	struct position position = source_position(f.source, at(&f, "adr 2").begin);
	assert_int_equal(position.line, 4);
	assert_int_equal(position.column, 12);
	struct span line = source_line(f.source, 4);
	assert_int_equal(f.source->text[line.end], '\r');
	compilation_end(&f.compilation);
}

static void options_act_in_order(void **state)
{
	(void)state;
	struct fixture f = fixture_begin(0);
	struct diags *diags = f.compilation.diags;
	assert_null(diags_option(diags, "no-reason"));
	assert_null(diag_report(diags, DIAG_REASON, at(&f, "git"), "off"));
	assert_null(diags_option(diags, "reason"));
	assert_null(diags_option(diags, "error"));
	assert_null(diags_option(diags, "no-error=declined"));
	assert_null(diags_option(diags, "no-error=adr-status"));
	assert_non_null(diag_report(diags, DIAG_REASON, at(&f, "git"), "promoted"));
	assert_non_null(diag_report(diags, DIAG_DECLINED, at(&f, "git"), "kept"));
	assert_non_null(diag_report(diags, DIAG_ADR_STATUS, at(&f, "git"), "lowered"));
	assert_int_equal(diags_errors(diags), 1);
	assert_int_equal(diags_warnings(diags), 2);
	assert_string_equal(diags_option(diags, "no-conflict"), "'conflict' is always an error");
	assert_string_equal(diags_option(diags, "resaon"), "unknown diagnostic 'resaon'; did you mean 'reason'?");
	assert_string_equal(diags_option(diags, "zzz"), "unknown diagnostic 'zzz'");
	assert_rendered(&f, DIAG_GITHUB,
			"::error file=x.allow,line=3,col=7,title=reason::promoted\n"
			"::warning file=x.allow,line=3,col=7,title=declined::kept\n"
			"::warning file=x.allow,line=3,col=7,title=adr-status::lowered\n");
}

static void the_limit_is_said(void **state)
{
	(void)state;
	struct fixture f = fixture_begin(1);
	diag_report(f.compilation.diags, DIAG_POLICY, at(&f, "policy"), "one");
	assert_null(diag_report(f.compilation.diags, DIAG_POLICY, at(&f, "git"), "two"));
	diag_note(NULL, at(&f, "git"), "nothing happens");
	assert_int_equal(diags_errors(f.compilation.diags), 2);
	assert_rendered(&f, DIAG_TEXT,
			"x.allow:1:1: error: one [policy]\n"
			"    1 | policy x\n"
			"      | ^~~~~~\n"
			"allowc: 1 more error not shown; --max-errors 0 shows all\n");
}

/* Stages report one behind the other, and none of them knows what a later one finds above. */
static void the_limit_leaves_the_first_by_place(void **state)
{
	(void)state;
	struct fixture f = fixture_begin(2);
	struct diagnostic *goes = diag_report(f.compilation.diags, DIAG_POLICY, at(&f, "adr 1"), "fourth");
	diag_report(f.compilation.diags, DIAG_REASON, at(&f, "git"), "a warning has a limit of its own");
	diag_report(f.compilation.diags, DIAG_POLICY, at(&f, "git"), "third");
	diag_report(f.compilation.diags, DIAG_POLICY, at(&f, "x\n"), "second");
	diag_help(goes, "nobody sees it");
	diag_report(f.compilation.diags, DIAG_POLICY, at(&f, "policy"), "first");
	assert_null(diag_report(f.compilation.diags, DIAG_POLICY, at(&f, "x\n"), "second again"));
	assert_rendered(&f, DIAG_GITHUB,
			"::error file=x.allow,line=1,col=1,title=policy::first\n"
			"::error file=x.allow,line=1,col=8,title=policy::second\n"
			"::warning file=x.allow,line=3,col=7,title=reason::a warning has a limit of its own\n"
			"::notice::3 more errors not shown; --max-errors 0 shows all\n");
}

static void trouble_goes_before_errors(void **state)
{
	(void)state;
	struct fixture f = fixture_begin(0);
	assert_int_equal(diags_exit_status(f.compilation.diags), 0);
	diag_report(f.compilation.diags, DIAG_REASON, at(&f, "git"), "only a warning");
	assert_int_equal(diags_exit_status(f.compilation.diags), 0);
	diag_report(f.compilation.diags, DIAG_POLICY, at(&f, "policy"), "x");
	assert_int_equal(diags_exit_status(f.compilation.diags), 1);
	diag_trouble(f.compilation.diags, "cannot read %s", "y");
	assert_int_equal(diags_exit_status(f.compilation.diags), 2);
	compilation_end(&f.compilation);
}

static void json_is_complete(void **state)
{
	(void)state;
	struct fixture f = fixture_begin(0);
	struct diagnostic *d = diag_report(f.compilation.diags, DIAG_CONFLICT, at(&f, "git"), "a \"b\"\\\n");
	diag_note(d, (struct span){ 0 }, "n");
	diag_help(d, "h");
	diag_fix(d, "one");
	diag_fix(d, "two");
	diag_trouble(f.compilation.diags, "t");
	assert_rendered(&f, DIAG_JSON,
			"[{\"severity\": \"error\", \"name\": \"conflict\", \"message\": \"a \\\"b\\\"\\\\\\u000a\", "
			"\"file\": \"x.allow\", \"line\": 3, \"column\": 7, \"endLine\": 3, \"endColumn\": 10, "
			"\"notes\": [{\"message\": \"n\"}], \"helps\": [{\"message\": \"h\", \"fix\": [\"one\", \"two\"]}]},\n"
			" {\"severity\": \"trouble\", \"message\": \"t\"}]\n");
}

/* Two policies that lean on one layer, each with its own compilation. */
static void what_was_told_is_not_told_again(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct told *told = told_new(arena);
	struct strbuf out = STRBUF_INIT;
	for (int policy = 0; policy < 2; policy++) {
		struct fixture fixture = fixture_begin(0);
		diags_tell_once(fixture.compilation.diags, told);
		diag_report(fixture.compilation.diags, DIAG_VALUE, at(&fixture, "git"), "shared");
		diag_report(fixture.compilation.diags, DIAG_VALUE, at(&fixture, "git"), "policy %d's own",
			    policy);
		struct diagnostic *caused =
			diag_report(fixture.compilation.diags, DIAG_VALUE, at(&fixture, "git"), "caused");
		diag_note(caused, at(&fixture, policy ? "git" : "policy"), "by this");
		diag_trouble(fixture.compilation.diags, "no disk");
		diags_render(fixture.compilation.diags, DIAG_GITHUB, false, &out);
		assert_int_equal(diags_errors(fixture.compilation.diags), 3);
		compilation_end(&fixture.compilation);
	}
	assert_string_equal(out.bytes,
			    "::error file=x.allow,line=3,col=7,title=value::shared\n"
			    "::error file=x.allow,line=3,col=7,title=value::policy 0's own\n"
			    "::error file=x.allow,line=3,col=7,title=value::caused%0Ax.allow:1: by this\n"
			    "::error::no disk\n"
			    "::error file=x.allow,line=3,col=7,title=value::policy 1's own\n"
			    "::error file=x.allow,line=3,col=7,title=value::caused%0Ax.allow:3: by this\n");
	strbuf_release(&out);
	arena_free(arena);
}

static void a_policy_is_named_where_all_its_errors_were_told(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct told *told = told_new(arena);
	struct strbuf out = STRBUF_INIT;
	static const char *const paths[] = { "a.allow", "b\n.allow", "c.allow", "d.allow" };
	for (size_t policy = 0; policy < 4; policy++) {
		struct fixture fixture = fixture_begin(0);
		struct diags *diags = fixture.compilation.diags;
		diags_tell_once(diags, told);
		diags_name_policy(diags, paths[policy]);
		if (policy < 2)
			diag_report(diags, DIAG_VALUE, at(&fixture, "git"), "shared");
		if (policy >= 2)
			diag_trouble(diags, "cannot read 'c.allow'");
		diags_render(diags, DIAG_TEXT, false, &out);
		compilation_end(&fixture.compilation);
	}
	assert_string_equal(out.bytes, "x.allow:3:7: error: shared [value]\n"
				       "    3 | allow git\tadr 1\n"
				       "      |       ^~~\n"
				       "allowc: 'b\\u{a}.allow' is rejected for what is told above\n"
				       "allowc: cannot read 'c.allow'\n"
				       "allowc: 'd.allow' is stopped by the trouble told above\n");
	strbuf_release(&out);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_diagnostic_shows_place_notes_and_helps),
		cmocka_unit_test(order_is_by_place),
		cmocka_unit_test(hidden_characters_are_shown),
		cmocka_unit_test(columns_count_characters),
		cmocka_unit_test(options_act_in_order),
		cmocka_unit_test(the_limit_is_said),
		cmocka_unit_test(the_limit_leaves_the_first_by_place),
		cmocka_unit_test(trouble_goes_before_errors),
		cmocka_unit_test(json_is_complete),
		cmocka_unit_test(what_was_told_is_not_told_again),
		cmocka_unit_test(a_policy_is_named_where_all_its_errors_were_told),
	};
	return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
