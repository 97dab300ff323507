#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"
#include "compiler/claims.h"

static void a_set_is_sorted_and_without_doubles(void **state)
{
	struct arena *arena = arena_new();
	struct claims claims = { 0 };
	claims_add(arena, &claims, "b", "2");
	claims_add(arena, &claims, "a/b", "1");
	claims_add(arena, &claims, "b", "1");
	claims_add(arena, &claims, "b", "2");
	claims_add(arena, &claims, "a", "9");
	claims_sort(&claims);
	assert_int_equal(claims.count, 4);
	static const char *const wanted[][2] = { { "a", "9" }, { "a/b", "1" }, { "b", "1" }, { "b", "2" } };
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(claims.items[i].path, wanted[i][0]);
		assert_string_equal(claims.items[i].hash, wanted[i][1]);
	}
	arena_free(arena);
	(void)state;
}

static void questions_find_every_hash_of_a_path(void **state)
{
	struct arena *arena = arena_new();
	struct claims claims = { 0 };
	size_t first;
	claims_sort(&claims);
	assert_int_equal(claims_about(&claims, "a", &first), 0);
	claims_add(arena, &claims, "a", "1");
	claims_add(arena, &claims, "c", "3");
	claims_add(arena, &claims, "c", "4");
	claims_sort(&claims);
	assert_int_equal(claims_about(&claims, "c", &first), 2);
	assert_int_equal(first, 1);
	assert_int_equal(claims_about(&claims, "a", &first), 1);
	assert_int_equal(claims_about(&claims, "b", &first), 0);
	assert_int_equal(claims_about(&claims, "d", &first), 0);
	assert_true(claims_have(&claims, "c", "4"));
	assert_false(claims_have(&claims, "c", "1"));
	assert_false(claims_have(&claims, "b", "3"));
	arena_free(arena);
	(void)state;
}

static void assert_printed(const char *name, const char *wanted)
{
	struct strbuf out = STRBUF_INIT;
	name_print(&out, name);
	assert_string_equal(out.bytes, wanted);
	strbuf_release(&out);
}

static void names_are_escaped_as_sha256sum_does(void **state)
{
	assert_false(name_escaped("plain name"));
	assert_true(name_escaped("line\nfeed"));
	assert_true(name_escaped("return\r"));
	assert_true(name_escaped("back\\slash"));
	assert_printed("plain name", "plain name");
	assert_printed("line\nfeed", "line\\nfeed");
	assert_printed("return\r", "return\\r");
	assert_printed("back\\slash\\", "back\\\\slash\\\\");
	(void)state;
}

static void names_are_read_back(void **state)
{
	struct arena *arena = arena_new();
	assert_string_equal(name_parse(arena, "a\\nb\\\\c\\r", 9, true), "a\nb\\c\r");
	assert_string_equal(name_parse(arena, "a\\nb", 4, false), "a\\nb");
	assert_null(name_parse(arena, "a\\", 2, true));
	assert_null(name_parse(arena, "a\\x", 3, true));
	assert_null(name_parse(arena, "a\\\0", 3, true));
	assert_null(name_parse(arena, "", 0, false));
	arena_free(arena);
	(void)state;
}

static void names_that_leave_the_folder_are_known(void **state)
{
	static const char *const inside[] = {
		"a", "a/b", "plugins/x/plugin.yaml", "..a", "a..", ".a", "..."
	};
	static const char *const outside[] = { "",       "/", "/a",  "..",   "../a", "a/..",
					       "a/../b", ".", "./a", "a//b", "a/" };
	for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++)
		assert_true(name_inside(inside[i]));
	for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
		assert_false(name_inside(outside[i]));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_set_is_sorted_and_without_doubles),
		cmocka_unit_test(questions_find_every_hash_of_a_path),
		cmocka_unit_test(names_are_escaped_as_sha256sum_does),
		cmocka_unit_test(names_are_read_back),
		cmocka_unit_test(names_that_leave_the_folder_are_known),
	};
	return cmocka_run_group_tests_name("claims", tests, NULL, NULL);
}
