/* The tokens of Python: kinds, values, lines and brackets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/python_tokens.h"

struct cut {
	struct compilation compilation;
	struct python_tokens tokens;
	bool good;
};

static struct cut cut(const char *text)
{
	struct cut cut = { .compilation = compilation_begin(0) };
	const struct source *source = sources_add(cut.compilation.sources, "x.py", text, strlen(text));
	cut.good = python_tokens_read(&cut.compilation, source, &cut.tokens);
	return cut;
}

/* "NAME:x SIGN:= STRING:git END": each kind with its text. */
static void cuts_to(const char *text, const char *wanted)
{
	static const char *const kinds[] = { "END", "LINE", "NAME", "STRING", "NUMBER", "SIGN", "COMMENT" };
	struct cut all = cut(text);
	struct strbuf got = STRBUF_INIT;
	assert_true(all.good);
	for (size_t i = 0; i < all.tokens.count; i++) {
		const struct python_token *token = &all.tokens.items[i];
		strbuf_printf(&got, "%s%s", i ? " " : "", kinds[token->kind]);
		if (*token->text)
			strbuf_printf(&got, ":%s", token->text);
		if (token->fault)
			strbuf_printf(&got, "(%s)", token->fault);
	}
	assert_string_equal(got.bytes, wanted);
	strbuf_release(&got);
	compilation_end(&all.compilation);
}

static void fails(const char *text)
{
	struct cut all = cut(text);
	assert_false(all.good);
	assert_int_equal(diags_errors_of(all.compilation.diags, DIAG_IMPORT_FORM), 1);
	compilation_end(&all.compilation);
}

static void test_kinds(void **state)
{
	(void)state;
	cuts_to("", "END");
	cuts_to("A: set[str] = {'x'}\n",
		"NAME:A SIGN:: NAME:set SIGN:[ NAME:str SIGN:] SIGN:= SIGN:{ STRING:x SIGN:} LINE END");
	cuts_to("x = 0x1F + 1_000.5e3 - .5\n", "NAME:x SIGN:= NUMBER SIGN:+ NUMBER SIGN:- NUMBER LINE END");
	cuts_to("a |= b; c := d # e\r\n",
		"NAME:a SIGN:|= NAME:b SIGN:; NAME:c SIGN::= NAME:d COMMENT: e LINE END");
	cuts_to("é = 1", "NAME:é SIGN:= NUMBER END");
	cuts_to("a ** b // c -> d ... e",
		"NAME:a SIGN:** NAME:b SIGN:// NAME:c SIGN:-> NAME:d SIGN:... NAME:e END");
}

static void test_lines(void **state)
{
	(void)state;
	cuts_to("\n\n# c\n\nx\n\n", "COMMENT: c NAME:x LINE END");
	cuts_to("f(\n a,\n # c\n b\n)\ng",
		"NAME:f SIGN:( NAME:a SIGN:, COMMENT: c NAME:b SIGN:) LINE NAME:g END");
	cuts_to("a = \\\n b\nc \\\r\n d", "NAME:a SIGN:= NAME:b LINE NAME:c NAME:d END");
	cuts_to("a\f\r\nb", "NAME:a LINE NAME:b END");
}

static void test_strings(void **state)
{
	(void)state;
	cuts_to("'a' \"b\" ''", "STRING:a STRING:b STRING END");
	cuts_to("'''a'b\n''c''' \"\"\"\"\"\"", "STRING:a'b\n''c STRING END");
	cuts_to("'a\\'b\\\\c' \"\\x67\\u0069\\U00000074\\151\"", "STRING:a'b\\c STRING:giti END");
	cuts_to("'a\\\nb' 'a\\\r\nb'", "STRING:ab STRING:ab END");
	cuts_to("'\\d\\q'", "STRING:\\d\\q END"); /* what Python does not know stays */
	cuts_to("r'a\\n\\'b' R\"\\\"\"", "STRING:a\\n\\'b STRING:\\\" END");
}

static void test_prefixes(void **state)
{
	(void)state;
	cuts_to("u'a' U'b' r'c\\d' rb'e' f'{x}' Rb'' t'' bR\"\"\"f\"\"\"",
		"STRING:a STRING:b STRING:c\\d STRING:e(holds bytes, not text) "
		"STRING:{x}(is put together when the program runs) STRING(holds bytes, not text) "
		"STRING(is put together when the program runs) STRING:f(holds bytes, not text) END");
	cuts_to("bar'x'", "NAME:bar STRING:x END");
	cuts_to("rbf", "NAME:rbf END");
}

static void test_values_that_are_not_known(void **state)
{
	(void)state;
	cuts_to("'\\0'", "STRING(holds a NUL) END");
	cuts_to("'\\x4'", "STRING(holds an escape that is cut off) END");
	cuts_to("'\\ud800'", "STRING(holds a code that is no character) END");
	cuts_to("'\\U00110000'", "STRING(holds a code that is no character) END");
	cuts_to("'\\N{DIGIT ONE}'", "STRING:{DIGIT ONE}(names a character by \\N{…}) END");
}

static void test_what_has_no_end(void **state)
{
	(void)state;
	static const char *const texts[] = { "'a", "'a\nb'", "'''a''", "\"\"\"", "'\\",   "(",     "{[}",
					     ")",  "'a\\",   "$",      "`x`",    "r'\\'", "a ? b", "\\ x" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		fails(texts[i]);
}

static void test_brackets_are_counted(void **state)
{
	(void)state;
	struct cut all = cut("a({b: [c]})\nd");
	static const unsigned depths[] = { 0, 0, 1, 2, 2, 2, 3, 2, 1, 0, 0, 0, 0 };
	assert_int_equal(all.tokens.count, sizeof depths / sizeof *depths);
	for (size_t i = 0; i < all.tokens.count; i++)
		assert_int_equal(all.tokens.items[i].depth, depths[i]);
	compilation_end(&all.compilation);
}

static void test_places_in_lines(void **state)
{
	(void)state;
	struct cut all = cut("if x:\n    y = '''a\nb''' # c\nz");
	const struct python_token *at = all.tokens.items; /* if x : LINE y = STRING COMMENT LINE z END */
	assert_int_equal(all.tokens.count, 11);
	assert_true(at[0].top && at[0].first);
	assert_false(at[1].top || at[1].first);
	assert_true(at[4].first && !at[4].top);
	assert_int_equal(at[6].line, 2);
	assert_int_equal(at[7].line, 3);
	assert_true(at[9].top);
	assert_int_equal(at[9].line, 4);
	compilation_end(&all.compilation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_values_that_are_not_known),
		cmocka_unit_test(test_what_has_no_end),
		cmocka_unit_test(test_brackets_are_counted),
		cmocka_unit_test(test_places_in_lines),
	};
	return cmocka_run_group_tests_name("python_tokens", tests, NULL, NULL);
}
