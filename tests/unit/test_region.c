/* Managed regions: what is replaced, and which markers are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/region.h"

static void expect(const char *text, const char *name, const char *content, const char *wanted)
{
	struct arena *arena = arena_new();
	struct region_result result;
	assert_int_equal(region_replace(arena, text, strlen(text), name, content, strlen(content), &result),
			 REGION_REPLACED);
	assert_string_equal(result.bytes, wanted);
	assert_int_equal(result.size, strlen(wanted));
	arena_free(arena);
}

/* `second` and `first` are texts at the two places; `first` is NULL where there is only one. */
static void expect_refused(const char *text, const char *why, const char *second, const char *first)
{
	struct arena *arena = arena_new();
	struct region_result result;
	assert_int_equal(region_replace(arena, text, strlen(text), "p", "new\n", 4, &result), REGION_REFUSED);
	assert_string_equal(result.why, why);
	assert_memory_equal(text + result.second, second, strlen(second));
	assert_int_equal(result.first_is != NULL, first != NULL);
	if (first)
		assert_memory_equal(text + result.first, first, strlen(first));
	arena_free(arena);
}

static void test_between_the_markers(void **state)
{
	(void)state;
	expect("a\n# allowc:begin p\nold\nolder\n# allowc:end\nb", "p", "new\n",
	       "a\n# allowc:begin p\nnew\n# allowc:end\nb");
	expect("<!-- allowc:begin p -->\n<!-- allowc:end -->\n", "p", "one\n\ntwo\n",
	       "<!-- allowc:begin p -->\none\n\ntwo\n<!-- allowc:end -->\n");
	expect("/* allowc:begin p */\n/* allowc:end p */", "p", "",
	       "/* allowc:begin p */\n/* allowc:end p */");
}

static void test_indent_and_line_ends(void **state)
{
	(void)state;
	expect("x:\r\n  # allowc:begin p\r\n  old\r\n # allowc:end\r\n", "p", "a\n\n  b\n",
	       "x:\r\n  # allowc:begin p\r\n  a\r\n\r\n    b\r\n # allowc:end\r\n");
	expect("allowc:begin p\r\nallowc:end\r\n", "p", "a\r\n\r\nb\rc\r\n",
	       "allowc:begin p\r\na\r\n\r\nb\rc\r\nallowc:end\r\n");
	expect("allowc:begin p\nallowc:end\n", "p", "a\r\nb\r\n", "allowc:begin p\na\nb\nallowc:end\n");
	expect("\t// allowc:begin p\n\t// allowc:end\n", "p", "no end",
	       "\t// allowc:begin p\n\tno end\n\t// allowc:end\n");
}

static void test_other_regions_stay(void **state)
{
	(void)state;
	expect("# allowc:begin p2\n1\n# allowc:end\n# allowc:begin p\n2\n# allowc:end\n", "p", "3\n",
	       "# allowc:begin p2\n1\n# allowc:end\n# allowc:begin p\n3\n# allowc:end\n");
	/* Words that only begin like markers are none. */
	expect("allowc:beginning p\nallowc:ends\nallowc:begin p\nallowc:end\n", "p", "3\n",
	       "allowc:beginning p\nallowc:ends\nallowc:begin p\n3\nallowc:end\n");
}

static void test_absent(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct region_result result;
	const char *text = "# allowc:begin q\n# allowc:end\n";
	assert_int_equal(region_replace(arena, text, strlen(text), "p", "", 0, &result), REGION_ABSENT);
	assert_int_equal(region_replace(arena, "", 0, "p", "", 0, &result), REGION_ABSENT);
	arena_free(arena);
}

static void test_refused(void **state)
{
	(void)state;
	expect_refused("allowc:begin p\n", "the region 'p' does not end", "allowc:begin p\n", NULL);
	expect_refused("allowc:end\n", "a region ends here that does not begin", "allowc:end\n", NULL);
	expect_refused("allowc:begin p\nallowc:begin q\nallowc:end\nallowc:end\n",
		       "the region 'q' begins inside 'p'", "allowc:begin q", "allowc:begin p");
	expect_refused("allowc:begin p\nallowc:end\nallowc:begin p\nallowc:end \n",
		       "the region 'p' stands twice", "allowc:begin p\nallowc:end ",
		       "allowc:begin p\nallowc:end\n");
	expect_refused("allowc:begin p\nallowc:end q\n", "the region 'p' ends as 'q'", "allowc:end q",
		       "allowc:begin p");
	expect_refused("allowc:begin p allowc:end\n", "two markers stand on one line", "allowc:end",
		       "allowc:begin p");
	expect_refused("<!-- allowc:begin -->\nallowc:end\n", "this region has no name", "allowc:begin",
		       NULL);
	/* Of another region, too: its end could be this one's. */
	expect_refused("allowc:begin p\nallowc:end\nallowc:begin q\n", "the region 'q' does not end",
		       "allowc:begin q", NULL);
}

static void test_comments_may_close_tightly(void **state)
{
	(void)state;
	expect("<!--allowc:begin p-->\nold\n<!--allowc:end-->\nmine\n", "p", "new\n",
	       "<!--allowc:begin p-->\nnew\n<!--allowc:end-->\nmine\n");
	expect("{{!--allowc:begin p--}}\nold\n{{!--allowc:end p--}}\n", "p", "new\n",
	       "{{!--allowc:begin p--}}\nnew\n{{!--allowc:end p--}}\n");
	expect("-- allowc:begin p--\nold\n-- allowc:end--", "p--", "new\n",
	       "-- allowc:begin p--\nnew\n-- allowc:end--");
	expect("/*allowc:begin p*/\nold\n/*allowc:end*/\n", "p", "new\n",
	       "/*allowc:begin p*/\nnew\n/*allowc:end*/\n");
}

static void expect_near(const char *word)
{
	struct arena *arena = arena_new();
	const char *text = arena_printf(arena, "allowc:begin p\nold\n# %s\nmine\nallowc:end\n", word);
	expect_refused(text, "this is almost a marker, in the region 'p'", word, "allowc:begin p");
	/* Where no region is open, it hides nothing. */
	expect(arena_printf(arena, "%s\nallowc:begin p\nallowc:end\n%s", word, word), "p", "3\n",
	       arena_printf(arena, "%s\nallowc:begin p\n3\nallowc:end\n%s", word, word));
	assert_true(region_has_marker(word, strlen(word)));
	arena_free(arena);
}

static void test_near_ones_are_refused_in_a_region(void **state)
{
	(void)state;
	static const char *const words[] = {
		"allowc:end-p",  "allowc:end_p",   "allowc: end",     "allowc:\tend",
		"allowc:ends",   "allowc:END",     "Allowc: End p",   "allowc:end.",
		"allowc:end--p", "allowc:begin_q", "allowc: begin q",
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		expect_near(words[i]);
}

static void test_has_marker(void **state)
{
	(void)state;
	assert_false(region_has_marker("allowc:", 7));
	assert_false(region_has_marker("allowc", 6));
	assert_false(region_has_marker("llowc:end", 9));
	assert_false(region_has_marker("allowc:\nend", 11));
	assert_true(region_has_marker("x allowc:end y", 14));
	assert_true(region_has_marker("allowc:begin", 12));
	assert_false(region_has_marker("allowc:en", 9));
}

static void expect_definition(const char *text, const char *name, const char *wanted)
{
	size_t begin, end;
	assert_true(region_definition(text, strlen(text), name, &begin, &end));
	assert_int_equal(end - begin, strlen(wanted));
	assert_memory_equal(text + begin, wanted, strlen(wanted));
}

static void test_definition(void **state)
{
	(void)state;
	static const char python[] =
		"# A: no\nABC = 1\nA: Final[x] = f(\n    {\n        # c\n    }\n)\n\nB = A\n";
	static const char c[] =
		"#define A_B 1\n#define A(X) \\\n\tX(1) \\\n\tX(2)\n#define B 2\nenum e { A };\n";
	size_t begin, end;
	expect_definition(python, "A", "A: Final[x] = f(\n    {\n        # c\n    }\n)\n");
	expect_definition(python, "B", "B = A\n");
	expect_definition(c, "A", "#define A(X) \\\n\tX(1) \\\n\tX(2)\n");
	expect_definition(c, "B", "#define B 2\n");
	expect_definition(c, "e", "enum e { A };\n");
	assert_false(region_definition(python, strlen(python), "AB", &begin, &end));
	assert_false(region_definition("A", 1, "A", &begin, &end));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_between_the_markers),
		cmocka_unit_test(test_indent_and_line_ends),
		cmocka_unit_test(test_other_regions_stay),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_comments_may_close_tightly),
		cmocka_unit_test(test_near_ones_are_refused_in_a_region),
		cmocka_unit_test(test_has_marker),
		cmocka_unit_test(test_definition),
	};
	return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
