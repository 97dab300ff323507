/* With a table of three backends of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/options.h"

static const struct backend alpha_audit = { .name = "alpha --audit", .audits = true };
static const struct backend alpha = { .name = "alpha", .by_default = true, .audit = &alpha_audit };
static const struct backend beta = { .name = "beta", .by_default = true };
static const struct backend gamma_text = { .name = "gamma-text" };
const struct backend *const backends[] = { &alpha, &beta, &gamma_text, &alpha_audit };
const size_t backend_count = 4;

const struct backend *backend_find(const char *name)
{
	for (size_t i = 0; i < backend_count; i++)
		if (strcmp(backends[i]->name, name) == 0)
			return backends[i];
	return NULL;
}

const char *backend_nearest(const char *name)
{
	return strcmp(name, "betta") == 0 ? "beta" : NULL;
}

struct line {
	struct arena *arena;
	struct options options;
	const char *message;
};

/* The words of a command line, NULL at the end. */
static struct line parse(unsigned command, const char *const *words)
{
	struct line line = { .arena = arena_new() };
	char *argv[16] = { arena_copy(line.arena, "allowc", 6) };
	int argc = 1;
	for (; *words; words++)
		argv[argc++] = arena_copy(line.arena, *words, strlen(*words));
	line.message = options_parse(line.arena, command, argc, argv, &line.options);
	return line;
}

#define PARSE(command, ...) parse(command, (const char *const[]){ __VA_ARGS__, NULL })

static void assert_wrong(struct line line, const char *message)
{
	assert_non_null(line.message);
	assert_string_equal(line.message, message);
	arena_free(line.arena);
}

static void defaults_are_those_of_the_manual(void **state)
{
	struct line line = PARSE(FOR_COMPILE, "p.allow");
	assert_null(line.message);
	assert_int_equal(line.options.argument_count, 1);
	assert_string_equal(line.options.arguments[0], "p.allow");
	assert_string_equal(line.options.folder, "generated");
	assert_int_equal(line.options.selected_count, 2);
	assert_ptr_equal(line.options.selected[0], &alpha);
	assert_ptr_equal(line.options.selected[1], &beta);
	assert_int_equal(line.options.max_errors, 20);
	assert_int_equal(line.options.format, DIAG_TEXT);
	assert_int_equal(line.options.color, COLOR_AUTO);
	assert_null(line.options.today);
	arena_free(line.arena);
	(void)state;
}

static void options_stand_anywhere(void **state)
{
	struct line line = PARSE(FOR_COMPILE, "a", "-nqo", "out//", "b", "--max-errors=0", "--", "-n", "-");
	assert_null(line.message);
	assert_true(line.options.dry_run);
	assert_true(line.options.quiet);
	assert_string_equal(line.options.folder, "out");
	assert_int_equal(line.options.max_errors, 0);
	assert_int_equal(line.options.argument_count, 4);
	assert_string_equal(line.options.arguments[1], "b");
	assert_string_equal(line.options.arguments[2], "-n");
	assert_string_equal(line.options.arguments[3], "-");
	arena_free(line.arena);
	line = PARSE(FOR_COMPILE, "-o", "/", "a");
	assert_string_equal(line.options.folder, "/");
	arena_free(line.arena);
	(void)state;
}

static void assert_selected(const char *list, bool a, bool b, bool c)
{
	struct line line = PARSE(FOR_COMPILE, "--emit", list, "p");
	const bool wanted[] = { a, b, c };
	size_t next = 0;
	assert_null(line.message);
	for (size_t i = 0; i < 3; i++)
		if (wanted[i])
			assert_ptr_equal(line.options.selected[next++], backends[i]);
	assert_int_equal(line.options.selected_count, next);
	arena_free(line.arena);
}

static void emit_selects_in_the_order_of_the_table(void **state)
{
	assert_selected("alpha", true, false, false);
	assert_selected("gamma-text,alpha", true, false, true);
	assert_selected("beta,beta", false, true, false);
	assert_selected("all", true, true, true);
	assert_selected("+gamma-text", true, true, true);
	assert_selected("+alpha", true, true, false);
	assert_selected("alpha,+gamma-text", true, false, true);
	(void)state;
}

/* What is by default for some policies is chosen later, where the defaults were asked for. */
static void emit_keeps_the_defaults_or_replaces_them(void **state)
{
	static const struct {
		const char *first, *second;
		bool defaults;
	} lines[] = {
		{ NULL, NULL, true },
		{ "alpha", NULL, false },
		{ "+gamma-text", NULL, true },
		{ "all", NULL, false },
		{ "+gamma-text", "alpha", true },
		{ "alpha", "+gamma-text", false },
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct line line = !lines[i].first ? PARSE(FOR_COMPILE, "p") :
				   !lines[i].second ?
						     PARSE(FOR_COMPILE, "--emit", lines[i].first, "p") :
						     PARSE(FOR_COMPILE, "--emit", lines[i].first, "--emit",
							   lines[i].second, "p");
		assert_null(line.message);
		assert_int_equal(line.options.defaults, lines[i].defaults);
		arena_free(line.arena);
	}
	(void)state;
}

static void emit_refuses_what_there_is_not(void **state)
{
	assert_wrong(PARSE(FOR_COMPILE, "--emit", "betta", "p"),
		     "--emit: there is no artifact 'betta'; did you mean 'beta'?");
	assert_wrong(PARSE(FOR_COMPILE, "--emit", "alpha,xyz", "p"),
		     "--emit: there is no artifact 'xyz', nor 'allowc-gen-xyz' on PATH; there are alpha, "
		     "beta, gamma-text");
	assert_wrong(PARSE(FOR_COMPILE, "--emit", "", "p"), "--emit: an empty name in the list");
	assert_wrong(PARSE(FOR_COMPILE, "--emit", "alpha,", "p"), "--emit: an empty name in the list");
	assert_wrong(PARSE(FOR_COMPILE, "--emit", "+", "p"), "--emit: an empty name in the list");
	(void)state;
}

static void assert_day(const char *date, bool exists)
{
	struct line line = PARSE(FOR_CHECK, "--today", date, "p");
	assert_int_equal(line.message == NULL, exists);
	if (exists)
		assert_string_equal(line.options.today, date);
	arena_free(line.arena);
}

static void today_is_a_day_of_the_calendar(void **state)
{
	assert_day("2026-05-19", true);
	assert_day("2024-02-29", true);
	assert_day("2000-02-29", true);
	assert_day("1900-02-29", false);
	assert_day("2026-02-29", false);
	assert_day("2026-04-31", false);
	assert_day("2026-12-31", true);
	assert_day("2026-13-01", false);
	assert_day("2026-00-10", false);
	assert_day("2026-01-00", false);
	assert_day("0000-01-01", false);
	assert_day("2026-1-01", false);
	assert_day("2026-01-011", false);
	assert_day("2026/01/01", false);
	assert_day("", false);
	(void)state;
}

static void counts_are_whole_numbers(void **state)
{
	static const char *const wrong[] = { "", "-1", "+1", " 1", "1x", "99999999999999999999", "many" };
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct line line = PARSE(FOR_LIST, "--max-errors", wrong[i], "p");
		assert_non_null(line.message);
		arena_free(line.arena);
	}
	(void)state;
}

static void warnings_are_checked_and_kept_in_order(void **state)
{
	struct line line = PARSE(FOR_CHECK, "-Werror", "-W", "no-adr-silent", "p");
	assert_null(line.message);
	assert_int_equal(line.options.warning_count, 2);
	struct compilation compilation = options_compilation(&line.options, NULL);
	assert_false(diag_enabled(compilation.diags, DIAG_ADR_SILENT));
	compilation_end(&compilation);
	arena_free(line.arena);
	assert_wrong(PARSE(FOR_CHECK, "-Wno-output", "p"), "-Wno-output: 'output' is always an error");
	(void)state;
}

static void each_command_has_its_own_options(void **state)
{
	assert_wrong(PARSE(FOR_CHECK, "--emit", "alpha", "p"), "there is no option '--emit' here");
	assert_wrong(PARSE(FOR_LIST, "-q", "p"), "there is no option '-q' here");
	assert_wrong(PARSE(FOR_COMPILE, "--role", "x", "p"), "there is no option '--role' here");
	assert_wrong(PARSE(FOR_COMPILE, "--list-output=x", "p"), "--list-outputs takes no value");
	assert_wrong(PARSE(FOR_LIST, "p", "--layer"), "--layer needs a value: NAME");
	assert_wrong(PARSE(FOR_COMPILE, "p", "-o"), "--output needs a value: DIR");
	assert_wrong(PARSE(FOR_COMPILE, "--d=x", "p"), "'--d' is short for more than one option");
	assert_wrong(PARSE(FOR_COMPILE, "--allow-outside", "p"), "there is no option '--allow-outside' here");
	(void)state;
}

static void selectors_exclude_each_other(void **state)
{
	struct line line = PARSE(FOR_LIST, "--forbidden", "--forbidden", "--adr", "0015", "--as", "p");
	assert_null(line.message);
	assert_int_equal(line.options.selection, SELECT_FORBIDDEN);
	assert_string_equal(line.options.adr, "0015");
	assert_true(line.options.spelled);
	arena_free(line.arena);
	assert_wrong(PARSE(FOR_LIST, "--declined", "--forbidden", "p"),
		     "--forbidden and --declined exclude each other");
	assert_wrong(PARSE(FOR_LIST, "--layer", "a", "--layer", "b", "p"),
		     "only one of --layer, --plugin, --role and --adr can be given, once");
	(void)state;
}

/* Behind POLICY COMMAND all is the command's but for explain's own options with a value. */
static void words_of_a_command(void **state)
{
	(void)state;
	struct line line = PARSE(FOR_EXPLAIN, "p", "strace", "-V", "--help", "--format", "json", "--",
				 "--format", "x", "-", "-");
	assert_null(line.message);
	assert_int_equal(line.options.argument_count, 1);
	assert_int_equal(line.options.word_count, 8); /* "-" is standard input in front alone */
	assert_string_equal(line.options.words[1], "-V");
	assert_string_equal(line.options.words[2], "--help");
	assert_string_equal(line.options.words[3], "--");
	assert_string_equal(line.options.words[5], "x");
	assert_int_equal(line.options.explain_format, EXPLAIN_JSON);
	assert_string_equal(line.options.option_among_words, "--format");
	assert_false(line.options.help || line.options.words_literal);
	arena_free(line.arena);
	line = PARSE(FOR_EXPLAIN, "p", "--", "syscall", "--format=json");
	assert_int_equal(line.options.word_count, 2);
	assert_true(line.options.words_literal);
	assert_int_equal(line.options.explain_format, EXPLAIN_TEXT);
	arena_free(line.arena);
	line = PARSE(FOR_EXPLAIN, "adr-silent");
	assert_null(line.message);
	assert_int_equal(line.options.word_count, 0);
	arena_free(line.arena);
	assert_wrong(PARSE(FOR_EXPLAIN, "p", "git", "--format"), "--format needs a value: FORMAT");
	assert_wrong(PARSE(FOR_EXPLAIN, "p", "git", "--format=tsv"),
		     "--format cannot be 'tsv'; it is 'text' or 'json'");
	assert_wrong(PARSE(FOR_EXPLAIN, "p", ""), "the command is empty");
}

static void the_first_mistake_is_told(void **state)
{
	assert_wrong(PARSE(FOR_COMPILE, "--color", "red", "--emit", "xyz", "p"),
		     "--color cannot be 'red'; it is 'auto', 'always' or 'never'");
	assert_wrong(PARSE(FOR_COMPILE, "-q"), "no policy is named");
	assert_wrong(PARSE(FOR_COMPILE, "-o", "", "p"), "-o, --output: the name of the folder is empty");
	assert_wrong(PARSE(FOR_COMPILE, "-", "--", "-"), "standard input ('-') can be read only once");
	struct line line = PARSE(FOR_COMPILE, "--nonsense", "--help");
	assert_null(line.message);
	assert_true(line.options.help);
	arena_free(line.arena);
	assert_wrong(PARSE(FOR_COMPILE, "-check", "p"),
		     "there is no option '-check' here; did you mean '--check'?");
	assert_wrong(PARSE(FOR_COMPILE, "-qxh", "p"), "there is no option '-x' here");
	(void)state;
}

static void help_shows_what_the_command_takes(void **state)
{
	struct strbuf out = STRBUF_INIT;
	options_help(FOR_LIST, &out);
	assert_non_null(strstr(out.bytes, "\n      --adr REF           only the rows that cite this ADR\n"));
	assert_null(strstr(out.bytes, "--emit"));
	strbuf_release(&out);
	options_help(FOR_COMPILE, &out);
	assert_non_null(strstr(out.bytes, "  -o, --output DIR        write"));
	assert_null(strstr(out.bytes, "--adr REF"));
	strbuf_release(&out);
	(void)state;
}

static void a_closed_set_lists_its_words(void **state)
{
	(void)state;
	assert_string_equal(option_word(OPTION_COLOR, 0), "auto");
	assert_string_equal(option_word(OPTION_COLOR, 1), "always");
	assert_string_equal(option_word(OPTION_COLOR, 2), "never");
	assert_null(option_word(OPTION_COLOR, 3));
	assert_null(option_word(OPTION_OUTPUT, 0)); /* free */
	assert_null(option_word(OPTION_QUIET, 0));  /* none */
}

static void an_audit_is_of_what_is_selected(void **state)
{
	(void)state;
	struct line line = PARSE(FOR_COMPILE, "--audit", "--emit", "all", "p.allow");
	assert_null(line.message);
	assert_int_equal(line.options.selected_count, 1);
	assert_ptr_equal(line.options.selected[0], &alpha_audit);
	arena_free(line.arena);
	line = PARSE(FOR_COMPILE, "--emit", "all", "p.allow");
	assert_int_equal(line.options.selected_count, 3);
	arena_free(line.arena);
	assert_wrong(PARSE(FOR_COMPILE, "--audit", "--emit", "beta", "p.allow"),
		     "--audit: none of the artifacts of --emit is a filter; there are alpha");
	assert_wrong(PARSE(FOR_CHECK, "--audit", "p.allow"), "there is no option '--audit' here");
}

static void the_gate_takes_its_rules(void **state)
{
	(void)state;
	struct line line =
		PARSE(FOR_GATE, "--require-adr=changed", "--require-adr", "--fail-on", "any", "--allow",
		      "guard-removed", "--exactly=1=a,b c", "--exactly", "p/2=", "x", "y");
	const struct gate_rules *rules = &line.options.rules;
	assert_null(line.message);
	assert_true(rules->adr_changed);
	assert_int_equal(rules->fail_on, FAIL_ON_ANY);
	assert_true(rules->allowed[GATE_ALLOW_GUARD_REMOVED]);
	assert_false(rules->allowed[GATE_ALLOW_TRUST_CHANGED]);
	assert_int_equal(rules->exactly_count, 2);
	assert_string_equal(rules->exactly[0], "1=a,b c");
	assert_string_equal(rules->exactly[1], "p/2=");
	arena_free(line.arena);
	assert_wrong(PARSE(FOR_GATE, "--exactly", "=a", "x", "y"),
		     "--exactly cannot be '=a'; it is an ADR and its commands: 0015=dive,jq");
	assert_wrong(
		PARSE(FOR_GATE, "--allow", "trust", "x", "y"),
		"--allow cannot be 'trust'; it is 'trust-changed', 'guard-removed' or 'seccomp-setting'");
	assert_wrong(PARSE(FOR_DIFF, "--initial", "x", "y"), "there is no option '--initial' here");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_are_those_of_the_manual),
		cmocka_unit_test(options_stand_anywhere),
		cmocka_unit_test(emit_selects_in_the_order_of_the_table),
		cmocka_unit_test(emit_keeps_the_defaults_or_replaces_them),
		cmocka_unit_test(emit_refuses_what_there_is_not),
		cmocka_unit_test(today_is_a_day_of_the_calendar),
		cmocka_unit_test(counts_are_whole_numbers),
		cmocka_unit_test(warnings_are_checked_and_kept_in_order),
		cmocka_unit_test(each_command_has_its_own_options),
		cmocka_unit_test(selectors_exclude_each_other),
		cmocka_unit_test(words_of_a_command),
		cmocka_unit_test(the_first_mistake_is_told),
		cmocka_unit_test(help_shows_what_the_command_takes),
		cmocka_unit_test(a_closed_set_lists_its_words),
		cmocka_unit_test(an_audit_is_of_what_is_selected),
		cmocka_unit_test(the_gate_takes_its_rules),
	};
	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
