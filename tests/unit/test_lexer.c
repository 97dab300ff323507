/* Lines, blocks and missing braces: what the parser is given of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/diag_data.h"
#include "compiler/policy/lexer.h"
#include "compiler/policy/parser.h"
#include "grammar/allow.tab.h"

/* One character a token: w a word, s a string, k a keyword, ; the end of a statement, and signs as they are.
 */
static char token_sign(int kind)
{
	switch (kind) {
	case TOKEN_WORD:
		return 'w';
	case TOKEN_STRING:
		return 's';
	case TOKEN_SEPARATOR:
		return ';';
	case TOKEN_COMMA:
		return ',';
	case TOKEN_OPEN:
		return '{';
	case TOKEN_CLOSE:
		return '}';
	case TOKEN_LEFT:
		return '(';
	case TOKEN_RIGHT:
		return ')';
	case TOKEN_GE:
	case TOKEN_MASK:
		return '>';
	default:
		return 'k';
	}
}

/* The tokens of the text, and the names of what was reported, in order. */
static void assert_tokens(const char *text, const char *signs, const char *reported)
{
	struct compilation compilation = compilation_begin(0);
	const struct source *source = sources_add(compilation.sources, "x.allow", text, strlen(text));
	struct lexer lexer;
	const char *word;
	struct span place;
	char found[200];
	size_t count = 0;
	int kind;
	lexer_begin(&lexer, &compilation, source);
	while ((kind = lexer_next(&lexer, &word, &place)) != TOKEN_END) {
		assert_true(count + 1 < sizeof found);
		assert_true(place.begin <= place.end && place.end <= source->size);
		found[count++] = token_sign(kind);
	}
	found[count] = '\0';
	lexer_end(&lexer);
	assert_string_equal(found, signs);
	const char *names = "";
	for (size_t i = 0; i < diags_count(compilation.diags); i++)
		names = arena_printf(compilation.arena, "%s%s%s", names, i ? " " : "",
				     diag_name(diags_view(compilation.diags, i).id));
	assert_string_equal(names, reported);
	compilation_end(&compilation);
}

static void each_statement_ends_once(void **state)
{
	(void)state;
	assert_tokens("", "", "");
	assert_tokens("\n\n# only this\n;;\n", "", "");
	assert_tokens("policy p", "kw;", "");
	assert_tokens("policy p\r\n\r\ntitle \"t\"\n", "kw;ks;", "");
	assert_tokens("policy p; title \"t\";\n", "kw;ks;", "");
}

static void a_comma_takes_in_the_next_line(void **state)
{
	(void)state;
	assert_tokens("allow a,\n\n  # between\n  b\nallow c\n", "kw,w;kw;", "");
	assert_tokens("allow a\n, b\n", "kw;,w;", "");
}

static void blocks_separate_what_they_hold(void **state)
{
	(void)state;
	assert_tokens("plugin x { tools a; optional b }\n", "kw{kw;kw;};", "");
	assert_tokens("plugin x {\n  tools a\n}\n", "kw{kw;};", "");
	assert_tokens("seccomp { }\n", "k{};", "");
	assert_tokens("role r { allow a { as b } }\n", "kw{kw{kw;};};", "");
}

static void a_brace_that_is_missing_is_reported_and_given(void **state)
{
	(void)state;
	assert_tokens("plugin x {\n  tools a\n", "kw{kw;};", "block");
	/* `expect` cannot stand there: it closes the block. */
	assert_tokens("plugin x {\n  tools a\nexpect allowed a\n", "kw{kw;};kkw;", "block");
	assert_tokens("policy p\n}\n", "kw;", "block");
}

static void keywords_are_words_where_they_cannot_be_meant(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	static const char text[] = "allow allow\n";
	const struct source *source = sources_add(compilation.sources, "x.allow", text, sizeof text - 1);
	struct lexer lexer;
	const char *word;
	struct span place;
	lexer_begin(&lexer, &compilation, source);
	assert_int_equal(lexer_next(&lexer, &word, &place), TOKEN_ALLOW);
	assert_int_equal(place.begin, 0);
	assert_int_equal(lexer_block(&lexer), BLOCK_FILE);
	int second = lexer_next(&lexer, &word, &place);
	assert_true(second == TOKEN_WORD || second == TOKEN_ALLOW); /* the grammar decides by place */
	assert_int_equal(place.begin, 6);
	assert_int_equal(place.end, 11);
	assert_int_equal(lexer_recent(&lexer, 1)->kind, TOKEN_ALLOW);
	lexer_end(&lexer);
	compilation_end(&compilation);
}

static void the_rest_of_a_refused_statement_is_left_out(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	static const char text[] = "allow a b { as c; on linux }\ntitle \"t\"\n";
	const struct source *source = sources_add(compilation.sources, "x.allow", text, sizeof text - 1);
	struct lexer lexer;
	const char *word;
	struct span place;
	lexer_begin(&lexer, &compilation, source);
	for (int i = 0; i < 3; i++)
		lexer_next(&lexer, &word, &place);
	lexer_skip_statement(&lexer);
	int kind = lexer_next(&lexer, &word, &place);
	if (kind == TOKEN_SEPARATOR)
		kind = lexer_next(&lexer, &word, &place);
	assert_int_equal(kind, TOKEN_TITLE);
	assert_int_equal(place.begin, 29);
	lexer_end(&lexer);
	compilation_end(&compilation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_statement_ends_once),
		cmocka_unit_test(a_comma_takes_in_the_next_line),
		cmocka_unit_test(blocks_separate_what_they_hold),
		cmocka_unit_test(a_brace_that_is_missing_is_reported_and_given),
		cmocka_unit_test(keywords_are_words_where_they_cannot_be_meant),
		cmocka_unit_test(the_rest_of_a_refused_statement_is_left_out),
	};
	return cmocka_run_group_tests_name("lexer", tests, NULL, NULL);
}
