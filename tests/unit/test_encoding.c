/* What a reviewer cannot see is an error wherever it stands, and the only one on its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/encoding.h"
#include "compiler/policy/parse.h"

static void assert_messages(const char *text, size_t size, const char *expected)
{
	struct compilation compilation = compilation_begin(0);
	const struct source *source = sources_add(compilation.sources, "x", text, size);
	struct ast_layer layer;
	assert_int_equal(layer_parse(&compilation, source, &layer), *expected == '\0');
	struct strbuf shown = STRBUF_INIT;
	diags_render(compilation.diags, DIAG_TEXT, false, &shown);
	assert_string_equal(shown.bytes, expected);
	strbuf_release(&shown);
	compilation_end(&compilation);
}

#define ASSERT_MESSAGES(text, expected) assert_messages(text, sizeof(text) - 1, expected)

static void test_good_text(void **state)
{
	(void)state;
	ASSERT_MESSAGES("", "");
	ASSERT_MESSAGES("\xef\xbb\xbf# é 😀\r\n\tallow é because \"naïve – “x”\"\r\n", "");
	ASSERT_MESSAGES("title \"no-break: \xc2\xa0, zero width: \xe2\x80\x8b\"\n", "");
	ASSERT_MESSAGES("title \"\\\"\xc2\xa0\" # \"\n", "");
}

static void test_control_characters(void **state)
{
	(void)state;
	ASSERT_MESSAGES("policy a\0b\n", "x:1:9: error: a NUL, U+0000 [encoding]\n"
					 "    1 | policy a\\u{0}b\n"
					 "      |         ^~~~~\n"
					 "x:1:9: help: remove it\n");
	ASSERT_MESSAGES("# \x1b[31m\n", "x:1:3: error: a control character, U+001B [encoding]\n"
					"    1 | # \\u{1b}[31m\n"
					"      |   ^~~~~~\n"
					"x:1:3: help: remove it\n");
	ASSERT_MESSAGES("title \"\x7f\"\n", "x:1:8: error: a control character, U+007F [encoding]\n"
					    "    1 | title \"\\u{7f}\"\n"
					    "      |        ^~~~~~\n"
					    "x:1:8: help: remove it\n");
	ASSERT_MESSAGES("policy a\rtitle \"b\"",
			"x:1:9: error: a carriage return without a line feed, U+000D [encoding]\n"
			"    1 | policy a\\u{d}title \"b\"\n"
			"      |         ^~~~~\n"
			"x:1:9: help: end each line with LF or CRLF\n");
}

static void test_bidirectional_controls(void **state)
{
	(void)state;
	ASSERT_MESSAGES("title \"\xe2\x80\xae\"\n",
			"x:1:8: error: a bidirectional control, U+202E [encoding]\n"
			"    1 | title \"\\u{202e}\"\n"
			"      |        ^~~~~~~~\n"
			"x:1:8: help: remove it: it makes a line read differently from what it says\n");
	ASSERT_MESSAGES("# \xe2\x81\xa6\n",
			"x:1:3: error: a bidirectional control, U+2066 [encoding]\n"
			"    1 | # \\u{2066}\n"
			"      |   ^~~~~~~~\n"
			"x:1:3: help: remove it: it makes a line read differently from what it says\n");
}

static void test_invisible_characters(void **state)
{
	(void)state;
	ASSERT_MESSAGES("allow\xc2\xa0git adr 1\n",
			"x:1:6: error: an invisible character, U+00A0 [encoding]\n"
			"    1 | allow\\u{a0}git adr 1\n"
			"      |      ^~~~~~\n"
			"x:1:6: help: write an ordinary blank or line end\n");
	ASSERT_MESSAGES("al\xe2\x80\x8blow git adr 1\n",
			"x:1:3: error: an invisible character, U+200B [encoding]\n"
			"    1 | al\\u{200b}low git adr 1\n"
			"      |   ^~~~~~~~\n"
			"x:1:3: help: remove it: nobody can see it\n");
	ASSERT_MESSAGES("title \"a\" # \"\xe2\x80\xa8\"\n",
			"x:1:14: error: an invisible character, U+2028 [encoding]\n"
			"    1 | title \"a\" # \"\\u{2028}\"\n"
			"      |              ^~~~~~~~\n"
			"x:1:14: help: write an ordinary blank or line end\n");
}

static void test_no_utf8(void **state)
{
	(void)state;
	ASSERT_MESSAGES("title \"\xe9t\xe9\"\nfoo {\n",
			"x:1:8: error: byte 0xe9 is no UTF-8 [encoding]\n"
			"    1 | title \"\\xe9t\\xe9\"\n"
			"      |        ^~~~\n"
			"x:1:8: help: save the file as UTF-8\n"
			"x:1:10: error: byte 0xe9 is no UTF-8 [encoding]\n"
			"    1 | title \"\\xe9t\\xe9\"\n"
			"      |             ^~~~\n"
			"x:1:10: help: save the file as UTF-8\n"
			"x:2:1: error: unknown statement 'foo' [syntax]\n"
			"    2 | foo {\n"
			"      | ^~~\n"
			"x:2:1: help: a line here begins with one of allow, forbid, "
			"decline, revoke, policy, edition, title, extends, use, decisions, "
			"role, plugin, seccomp, syscalls, output, expect\n"
			"x:2:5: error: '{' without its '}' [block]\n"
			"    2 | foo {\n"
			"      |     ^\n"
			"x:2:5: help: write '}' after the last line of the block\n");
}

/* One message for the whole text, with a mark or without, whichever byte comes first. */
static void test_utf16(void **state)
{
	(void)state;
	ASSERT_MESSAGES("\xff\xfe" "a\0\n\0b\0",
			"x:1:1: error: this is UTF-16, not UTF-8 [encoding]\n"
			"    1 | \\xff\\xfea\\u{0}\n"
			"      | ^~~~~~~~\n"
			"x:1:1: help: save the file as UTF-8, in an editor or by: iconv -f UTF-16 -t UTF-8\n");
	ASSERT_MESSAGES("\xfe\xff\0a\0b",
			"x:1:1: error: this is UTF-16, not UTF-8 [encoding]\n"
			"    1 | \\xfe\\xff\\u{0}a\\u{0}b\n"
			"      | ^~~~~~~~\n"
			"x:1:1: help: save the file as UTF-8, in an editor or by: iconv -f UTF-16 -t UTF-8\n");
	ASSERT_MESSAGES("a\0b\0",
			"x:1:1: error: this is UTF-16, not UTF-8 [encoding]\n"
			"    1 | a\\u{0}b\\u{0}\n"
			"      | ^~~~~~\n"
			"x:1:1: help: save the file as UTF-8, in an editor or by: iconv -f UTF-16LE -t UTF-8\n");
	ASSERT_MESSAGES("\0a\0b\0\n\0c\0d",
			"x:1:1: error: this is UTF-16, not UTF-8 [encoding]\n"
			"    1 | \\u{0}a\\u{0}b\\u{0}\n"
			"      | ^~~~~~\n"
			"x:1:1: help: save the file as UTF-8, in an editor or by: iconv -f UTF-16BE -t UTF-8\n");
}

/* Of its first 512 bytes more than two of three are control characters. */
static void test_binary(void **state)
{
	(void)state;
	static const char told[] = "x:1:1: error: this is a binary file, and a policy is text [encoding]\n"
				   "x:1:1: help: name the file in which the policy is written\n";
	static char bytes[2 * 1024 * 1024];
	memset(bytes + 342, '#', 170);
	assert_messages(bytes, sizeof bytes, told);
	bytes[341] = '#';
	struct compilation compilation = compilation_begin(0);
	const struct source *source = sources_add(compilation.sources, "x", bytes, 1024);
	assert_false(encoding_check(&compilation, source).no_text);
	compilation_end(&compilation);
}

/* Whatever the offset, the eight bytes that are looked at together hide nothing. */
static void test_every_byte_at_every_offset(void **state)
{
	(void)state;
	for (int byte = 0; byte < 256; byte++) {
		for (size_t at = 0; at < 24; at++) {
			char text[24];
			memset(text, 'a', sizeof text);
			text[at] = (char)byte;
			struct compilation compilation = compilation_begin(0);
			const struct source *source =
				sources_add(compilation.sources, "x", text, sizeof text);
			struct encoding_errors errors = encoding_check(&compilation, source);
			bool printable = (byte >= ' ' && byte <= '~') || byte == '\n' || byte == '\t';
			assert_int_equal(errors.count, printable ? 0 : 1);
			assert_int_equal(errors.text[at], printable ? (char)byte : ' ');
			assert_int_equal(text[at], (char)byte);
			compilation_end(&compilation);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_text),
		cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_bidirectional_controls),
		cmocka_unit_test(test_invisible_characters),
		cmocka_unit_test(test_no_utf8),
		cmocka_unit_test(test_utf16),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_every_byte_at_every_offset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
