/* Which lines begin a table of TOML or a section. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/import/table_line.h"

/* What is found in a text; NULL for nothing. */
static void assert_found(const char *text, const char *expected)
{
	struct compilation compilation = compilation_begin(0);
	char *copy = arena_copy(compilation.arena, text, strlen(text));
	const struct source *source = sources_add(compilation.sources, "a", copy, strlen(text));
	struct span place;
	bool found = table_line_find(source, &place);
	assert_int_equal(found, expected != NULL);
	if (found)
		assert_string_equal(
			arena_text(compilation.arena, text + place.begin, place.end - place.begin), expected);
	compilation_end(&compilation);
}

static void test_tables(void **state)
{
	(void)state;
	assert_found("[deny]", "[deny]");
	assert_found("a\n \t[[tool.x]] # more\n", "[[tool.x]]");
	assert_found("[ deny . tools ]\r\n", "[ deny . tools ]");
	assert_found("[tool.\"x y\"]\n[b]\n", "[tool.\"x y\"]");
	assert_found("[\"deny\"]\n", "[\"deny\"]");
	assert_found("[Service:1]\n", "[Service:1]");
}

static void test_other_lines(void **state)
{
	(void)state;
	static const char *const texts[] = { "",
					     "\n",
					     "[",
					     "[[",
					     "[]\n",
					     "[a",
					     "[[a]\n",
					     "[a]]\n",
					     "[a, b]\n",
					     "[a] = b\n",
					     "x = [deny]\n",
					     "    [\"npm\"]\n",
					     "[\"npm\", \"ci\"]\n",
					     "# [deny]\n",
					     "[[[a]]]\n" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_found(texts[i], NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_other_lines),
	};
	return cmocka_run_group_tests_name("table_line", tests, NULL, NULL);
}
