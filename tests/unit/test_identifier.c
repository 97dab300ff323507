/* Identifiers of C and C++ for commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/identifier.h"
#include "compiler/base/arena.h"

static void check(const char *const *spellings, const char *const *expected, size_t count)
{
	struct arena *arena = arena_new();
	const char **identifiers = identifiers_assign(arena, spellings, count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(identifiers[i], expected[i]);
	arena_free(arena);
}

static void test_forms(void **state)
{
	(void)state;
	static const char *const spellings[] = {
		"git",    "docker-buildx", "x86_64-linux-gnu-gcc", "g++",    "7z", "[", "a--b",
		"_start", "a__b.c",        "caf\xc3\xa9",          "Rscript"
	};
	static const char *const expected[] = { "git",  "docker_buildx", "x86_64_linux_gnu_gcc",
						"gxx",  "n_7z",          "command",
						"a_b",  "start",         "a_b_c",
						"caf_", "Rscript" };
	check(spellings, expected, sizeof spellings / sizeof *spellings);
}

/* The first and last words of the table, so that a table out of order shows. */
static void test_keywords(void **state)
{
	(void)state;
	static const char *const spellings[] = { "new",     "if",       "linux",  "unix",
						 "NULL",    "alignas",  "xor_eq", "while",
						 "char8-t", "co_await", "typeof", "News" };
	static const char *const expected[] = { "new_",     "if_",       "linux_",  "unix_",
						"NULL_",    "alignas_",  "xor_eq_", "while_",
						"char8_t_", "co_await_", "typeof_", "News" };
	check(spellings, expected, sizeof spellings / sizeof *spellings);
}

static void test_equal_ones_are_numbered(void **state)
{
	(void)state;
	static const char *const spellings[] = { "a-b",    "a_b_2", "a_b",  "a.b",
						 "a_b_2.", "new",   "new-", "a-b-3" };
	static const char *const expected[] = { "a_b",    "a_b_2", "a_b_3", "a_b_4",
						"a_b_2_", "new_",  "new_2", "a_b_3_2" };
	check(spellings, expected, sizeof spellings / sizeof *spellings);
}

/* A hundred thousand equals must not take their square. */
static void test_many_equals(void **state)
{
	(void)state;
	enum { MANY = 100000 };
	struct arena *arena = arena_new();
	const char **spellings = arena_array(arena, MANY, sizeof *spellings);
	for (size_t i = 0; i < MANY; i++)
		spellings[i] = "[";
	const char **identifiers = identifiers_assign(arena, spellings, MANY);
	assert_string_equal(identifiers[0], "command");
	assert_string_equal(identifiers[1], "command_2");
	assert_string_equal(identifiers[MANY - 1], "command_100000");
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_keywords),
		cmocka_unit_test(test_equal_ones_are_numbered),
		cmocka_unit_test(test_many_equals),
	};
	return cmocka_run_group_tests_name("identifier", tests, NULL, NULL);
}
