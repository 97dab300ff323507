#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/base/strbuf.h"
#include "compiler/base/utf8.h"

static void utf8_is_read_strictly(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t size, length;
		uint32_t code;
	} cases[] = {
		{ "a", 1, 1, 'a' },
		{ "\xc3\xa9", 2, 2, 0xe9 },
		{ "\xe2\x82\xac", 3, 3, 0x20ac },
		{ "\xf0\x9f\x98\x80", 4, 4, 0x1f600 },
		{ "\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff },
		{ "\xc3", 1, 0, 0 },             /* cut short */
		{ "\xc0\x80", 2, 0, 0 },         /* overlong */
		{ "\xc1\xbf", 2, 0, 0 },         /* overlong */
		{ "\xe0\x9f\xbf", 3, 0, 0 },     /* overlong */
		{ "\xf0\x8f\xbf\xbf", 4, 0, 0 }, /* overlong */
		{ "\xed\xa0\x80", 3, 0, 0 },     /* surrogate */
		{ "\xf4\x90\x80\x80", 4, 0, 0 }, /* too large */
		{ "\x80", 1, 0, 0 },             /* a tail alone */
		{ "\xff", 1, 0, 0 },
		{ "\xe2\x28\xa1", 3, 0, 0 },
		{ "", 0, 0, 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t code = 0;
		assert_int_equal(utf8_decode(cases[i].bytes, cases[i].size, &code), cases[i].length);
		if (!cases[i].length)
			continue;
		assert_int_equal(code, cases[i].code);
		struct strbuf again = STRBUF_INIT;
		utf8_add(&again, code);
		assert_int_equal(again.size, cases[i].size);
		assert_memory_equal(again.bytes, cases[i].bytes, again.size);
		strbuf_release(&again);
	}
}

static void text_ends_where_it_is_none(void **state)
{
	(void)state;
	assert_int_equal(utf8_text_size("", 0), 0);
	assert_int_equal(utf8_text_size("a\xc3\xa9", 3), 3);
	assert_int_equal(utf8_text_size("a\xc3\xa9", 2), 1);
	assert_int_equal(utf8_text_size("ab\0c", 4), 2);
	assert_int_equal(utf8_text_size("\xff", 1), 0);
}

static void hidden_characters_are_known(void **state)
{
	(void)state;
	assert_true(utf8_is_control(0));
	assert_true(utf8_is_control(0x1b));
	assert_true(utf8_is_control(0x7f));
	assert_true(utf8_is_control(0x85));
	assert_false(utf8_is_control('\t'));
	assert_false(utf8_is_control('\n'));
	assert_true(utf8_is_bidi(0x202e));
	assert_true(utf8_is_bidi(0x2066));
	assert_true(utf8_is_bidi(0x61c));
	assert_false(utf8_is_bidi(0x2014));
	assert_true(utf8_is_invisible(0xa0));
	assert_true(utf8_is_invisible(0x200b));
	assert_true(utf8_is_invisible(0x2028));
	assert_true(utf8_is_invisible(0xfeff));
	assert_false(utf8_is_invisible(0xe9));
}

static void most_control_characters_are_no_text(void **state)
{
	(void)state;
	assert_false(utf8_is_binary("", 0));
	assert_false(utf8_is_binary("g\0i\0t\0", 6)); /* UTF-16 */
	assert_false(utf8_is_binary("\0g\0i\0t\0", 7));
	assert_true(utf8_is_binary("\x7f" "ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16));
	assert_false(utf8_is_binary("\t\t\n\r\f", 5));
	assert_true(utf8_is_binary("\x1b\x7f", 2));
	assert_false(utf8_is_binary("\xc3\xa9\1", 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_is_read_strictly),
		cmocka_unit_test(text_ends_where_it_is_none),
		cmocka_unit_test(hidden_characters_are_known),
		cmocka_unit_test(most_control_characters_are_no_text),
	};
	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
