/* Patterns of folders: what is understood, and what matches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/policy/adr_folders.h"
#include "tests/unit/scratch.h"

static void test_patterns(void **state)
{
	(void)state;
	static const struct pattern_case {
		const char *path;
		bool is, valid;
	} cases[] = {
		{ "adr", false, false }, { "docs/*/adr", true, true }, { "*", true, true },
		{ "a*b", true, true },   { "*/*", true, false },       { "**", true, false },
		{ "a?", true, false },   { "*[a]", true, false },      { "", false, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(adr_pattern_is(cases[i].path), cases[i].is);
		assert_int_equal(adr_pattern_is_valid(cases[i].path), cases[i].valid);
	}
}

static void test_folder(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "docs/phases/*/adr", "docs/phases" }, { "*/adr", "." },      { "/*/adr", "/" },
		{ "a*b/docs/x-*", "a*b/docs" },         { "../*-y/z", ".." },
	};
	struct compilation compilation = compilation_begin(0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(adr_pattern_folder(&compilation, cases[i][0]), cases[i][1]);
	compilation_end(&compilation);
}

static void test_matches(void **state)
{
	(void)state;
	static const char *const made[] = { "p-b",    "p-b/adr", "p-a",       "p-a/adr", "p-c", "p-",
					    "p-/adr", "p-x y",   "p-x y/adr", ".p-d",    "q",   "q/adr" };
	struct scratch scratch = { 0 };
	struct compilation compilation = compilation_begin(0);
	struct arena *arena = compilation.arena;
	assert_true(scratch_begin(&scratch));
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		assert_int_equal(mkdir(arena_printf(arena, "%s/%s", scratch.folder, made[i]), 0755), 0);
	struct adr_folders folders;
	assert_true(
		adr_folders_find(&compilation, arena_printf(arena, "%s/p-*/adr", scratch.folder), &folders));
	assert_int_equal(folders.count, 2);
	assert_string_equal(folders.items[0].name, "a");
	assert_string_equal(folders.items[1].name, "b");
	assert_string_equal(folders.items[1].path, arena_printf(arena, "%s/p-b/adr", scratch.folder));
	assert_false(
		adr_folders_find(&compilation, arena_printf(arena, "%s/none/*", scratch.folder), &folders));
	assert_int_equal(errno, ENOENT);
	scratch_end(&scratch);
	compilation_end(&compilation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_folder),
		cmocka_unit_test(test_matches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
