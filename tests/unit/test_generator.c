/* What can be a generator's name, and where its program is. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/generator.h"
#include "tests/unit/scratch.h"

static void names_lead_into_no_other_folder(void **state)
{
	static const char *const good[] = { "x", "typescript", "tree-digest", "a1", "a--" };
	static const char *const bad[] = { "",    "X",  "1a",  "-a",  "a_b", "a.b",
					   "a/b", "..", "a b", "a\n", "é",   "aB" };
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_true(generator_is_name(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(generator_is_name(bad[i]));
}

static void its_program_is_on_path(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct generator generator;
	struct scratch scratch = { "" };
	assert_true(scratch_begin(&scratch));
	const char *program = arena_printf(arena, "%s/allowc-gen-x", scratch.folder);
	char *before = getenv("PATH");
	before = before ? strdup(before) : NULL;
	setenv("PATH", scratch.folder, 1);
	assert_false(generator_find(arena, "x", &generator));
	assert_int_equal(errno, ENOENT);
	assert_true(scratch_write(&scratch, "allowc-gen-x", "", 0));
	assert_false(generator_find(arena, "x", &generator));
	assert_int_equal(errno, EACCES);
	assert_int_equal(chmod(program, 0700), 0);
	assert_true(generator_find(arena, "x", &generator));
	assert_string_equal(generator.name, "x");
	assert_string_equal(generator.path, program);
	assert_false(generator_find(arena, "../x", &generator));
	assert_int_equal(errno, ENOENT);
	if (before)
		setenv("PATH", before, 1);
	free(before);
	scratch_end(&scratch);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_lead_into_no_other_folder),
		cmocka_unit_test(its_program_is_on_path),
	};
	return cmocka_run_group_tests_name("generator", tests, NULL, NULL);
}
