/* Pieces of text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/policy/adr_slice.h"

static void test_phrase(void **state)
{
	(void)state;
	assert_int_equal(slice_phrase(slice_of("In  \n Part."), "in part"), 10);
	assert_int_equal(slice_phrase(slice_of("accepted"), "Accepted"), 8);
	assert_int_equal(slice_phrase(slice_of("accepted."), "accepted"), 8);
	assert_int_equal(slice_phrase(slice_of("accepted1"), "accepted"), 0);
	assert_int_equal(slice_phrase(slice_of("accept"), "accepted"), 0);
	assert_int_equal(slice_phrase(slice_of("inpart"), "in part"), 0);
	assert_int_equal(slice_phrase(slice_of("in"), "in part"), 0);
	assert_int_equal(slice_phrase(slice_of("phase 2"), "phase "), 6);
	assert_int_equal(slice_phrase(slice_of("by"), ""), 0);
	assert_int_equal(slice_phrase(slice_of(""), "by"), 0);
}

static void test_next_word(void **state)
{
	(void)state;
	struct slice text = slice_of(" ab-c\xe2\x80\x94"
				     "d");
	assert_int_equal(slice_next_word(text, 0), 1);
	assert_int_equal(slice_next_word(text, 1), 1);
	assert_int_equal(slice_next_word(text, 2), 4);
	assert_int_equal(slice_next_word(text, 5), 8); /* a dash is no part of a word */
	assert_int_equal(slice_next_word(text, 9), 9);
	assert_int_equal(slice_next_word(slice_of(""), 0), 0);
}

static void test_trim_and_fold(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	assert_int_equal(slice_trim(slice_of(" \t\r\n")).size, 0);
	assert_true(slice_is(slice_trim(slice_of(" A b ")), "a B"));
	assert_string_equal(slice_fold(arena, slice_of(" a \r\n\tb  c ")), "a b c");
	assert_string_equal(slice_fold(arena, slice_of("")), "");
	assert_false(slice_is(slice_of("ab"), "a"));
	assert_false(slice_is(slice_of("a"), "ab"));
	assert_true(slice_starts(slice_of("ABC"), "ab"));
	assert_false(slice_starts(slice_of("a"), "ab"));
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_phrase),
		cmocka_unit_test(test_next_word),
		cmocka_unit_test(test_trim_and_fold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
