/* What words and strings mean, and what is said of those that mean nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/policy/parse.h"
#include "tests/unit/policy_text.h"

/* The one word of `title WORD`, as the tree has it. */
static void assert_value(const char *written, const char *value, bool quoted)
{
	struct compilation compilation = compilation_begin(0);
	const char *text = arena_printf(compilation.arena, "title %s\n", written);
	const struct source *source = sources_add(compilation.sources, "x.allow", text, strlen(text));
	struct ast_layer layer = { 0 };
	assert_true(layer_parse(&compilation, source, &layer));
	const struct ast_word *name = &layer.statements->words->name;
	assert_string_equal(name->text, value);
	assert_int_equal(ast_word_is_quoted(name), quoted);
	assert_int_equal(name->span.begin, 6);
	assert_int_equal(name->span.end, 6 + strlen(written));
	compilation_end(&compilation);
}

/* What is said of the text, and where: "NAME LINE:COLUMN\n". */
static void assert_said(const char *text, const char *said)
{
	struct compilation compilation = compilation_begin(0);
	const struct source *source = sources_add(compilation.sources, "x", text, strlen(text));
	struct ast_layer layer = { 0 };
	assert_false(layer_parse(&compilation, source, &layer));
	assert_string_equal(policy_text_found(&compilation), said);
	compilation_end(&compilation);
}

static void escapes_become_characters(void **state)
{
	(void)state;
	assert_value("\"plain\"", "plain", true);
	assert_value("\"\"", "", true);
	assert_value("\"a\\\"b\\\\c\"", "a\"b\\c", true);
	assert_value("\"a\\nb\\tc\"", "a\nb\tc", true);
	assert_value("\"\\u{41}\\u{e9}\\u{20AC}\\u{1f600}\"", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", true);
	assert_value("\"# no { comment } ; here, 'or' `there`\"", "# no { comment } ; here, 'or' `there`",
		     true);
}

static void escapes_that_mean_nothing_are_refused(void **state)
{
	(void)state;
	static const char *const escapes[] = { "\\x",       "\\0",    "\\r",         "\\u41",
					       "\\u{}",     "\\u{0}", "\\u{110000}", "\\u{d800}",
					       "\\u{202e}", "\\u{7}", "\\'" };
	for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
		struct compilation compilation = compilation_begin(0);
		const char *text = arena_printf(compilation.arena, "title \"ab%s\"\n", escapes[i]);
		const struct source *source = sources_add(compilation.sources, "x", text, strlen(text));
		struct ast_layer layer = { 0 };
		assert_false(layer_parse(&compilation, source, &layer));
		assert_string_equal(policy_text_found(&compilation), "error string x:1:10\n");
		compilation_end(&compilation);
	}
}

static void words_hold_what_names_need(void **state)
{
	(void)state;
	static const char text[] = "allow g++, a.b:c@d, x=y, [, 7z, -\n";
	static const char *const words[] = { "g++", "a.b:c@d", "x=y", "[", "7z", "-" };
	struct compilation compilation = compilation_begin(0);
	const struct source *source = sources_add(compilation.sources, "x", text, strlen(text));
	struct ast_layer layer = { 0 };
	assert_true(layer_parse(&compilation, source, &layer));
	assert_int_equal(layer.statements->entries.count, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_string_equal(layer.statements->entries.items[i].word.text, words[i]);
		assert_false(ast_word_is_quoted(&layer.statements->entries.items[i].word));
	}
	compilation_end(&compilation);
}

static void words_and_strings_stand_apart(void **state)
{
	(void)state;
	assert_said("allow a\"b\"\n", "error word x:1:7\n");
	assert_said("allow \"a\"b\n", "error word x:1:7\n");
	assert_said("allow \"a\"\"b\"\n", "error word x:1:7\n");
}

static void signs_of_other_languages_are_refused(void **state)
{
	(void)state;
	assert_said("allow a'b\n", "error word x:1:8\n");
	assert_said("allow 'a b'\n", "error word x:1:7\n");
	assert_said("allow `a b`\n", "error word x:1:7\n");
	assert_said("allow $HOME\n", "error word x:1:7\n");
	assert_said("allow a\\b\n", "error word x:1:8\n");
	assert_said("allow a#b\n", "error word x:1:8\n");
	assert_said("// a comment\ntitle \"t\"\n", "error word x:1:1\n");
	assert_said("/* a\ncomment */\ntitle \"t\"\n", "error word x:1:1\n");
}

/* The string ends with its line, and the next line is read as if nothing had happened. */
static void an_open_string_ends_with_its_line(void **state)
{
	(void)state;
	assert_said("title \"open\nedition\n", "error string x:1:7\nerror syntax x:2:8\n");
	assert_said("allow a  because \"open {\n  as b\n}\nedition\n",
		    "error string x:1:18\nerror syntax x:4:8\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_become_characters),
		cmocka_unit_test(escapes_that_mean_nothing_are_refused),
		cmocka_unit_test(words_hold_what_names_need),
		cmocka_unit_test(words_and_strings_stand_apart),
		cmocka_unit_test(signs_of_other_languages_are_refused),
		cmocka_unit_test(an_open_string_ends_with_its_line),
	};
	return cmocka_run_group_tests_name("spelling", tests, NULL, NULL);
}
