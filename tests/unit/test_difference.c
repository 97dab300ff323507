#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/strbuf.h"
#include "compiler/difference.h"

static void assert_diff(const char *old, const char *new, const char *wanted)
{
	struct difference_side a = { "a", old, strlen(old) }, b = { "b", new, strlen(new) };
	struct strbuf out = STRBUF_INIT;
	difference_print(&a, &b, &out);
	assert_string_equal(out.bytes, wanted);
	strbuf_release(&out);
}

#define HEAD "--- a\n+++ b\n"

static void equal_texts_have_none(void **state)
{
	assert_diff("", "", "");
	assert_diff("x\ny", "x\ny", "");
	(void)state;
}

static void one_side_may_be_empty(void **state)
{
	assert_diff("", "x\ny\n", HEAD "@@ -0,0 +1,2 @@\n+x\n+y\n");
	assert_diff("x\n", "", HEAD "@@ -1 +0,0 @@\n-x\n");
	(void)state;
}

static void three_lines_of_context_stand_around(void **state)
{
	assert_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
		    HEAD "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
	assert_diff("1\n2\n", "0\n1\n2\n", HEAD "@@ -1,2 +1,3 @@\n+0\n 1\n 2\n");
	(void)state;
}

static void near_changes_share_a_hunk(void **state)
{
	/* Six equal lines between: one hunk. Seven: two. */
	assert_diff("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
		    HEAD "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
	assert_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
		    HEAD "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
	(void)state;
}

static void the_script_is_the_shortest(void **state)
{
	/* Myers' own example: five edits, four equal lines. */
	assert_diff("A\nB\nC\nA\nB\nB\nA\n", "C\nB\nA\nB\nA\nC\n",
		    HEAD "@@ -1,7 +1,6 @@\n-A\n-B\n C\n+B\n A\n B\n-B\n A\n+C\n");
	(void)state;
}

static void a_missing_line_feed_is_said(void **state)
{
	assert_diff("x\n", "x", HEAD "@@ -1 +1 @@\n-x\n+x\n\\ No newline at end of file\n");
	assert_diff("x", "x\n", HEAD "@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
	(void)state;
}

static void bytes_that_are_no_text_only_differ(void **state)
{
	struct difference_side a = { "a", "x\0y", 3 }, b = { "/dev/null", "", 0 };
	struct strbuf out = STRBUF_INIT;
	difference_print(&a, &b, &out);
	assert_string_equal(out.bytes, "Binary files a and /dev/null differ\n");
	strbuf_release(&out);
	(void)state;
}

static void very_different_texts_are_replaced(void **state)
{
	struct strbuf old = STRBUF_INIT, new = STRBUF_INIT, wanted = STRBUF_INIT;
	strbuf_add_text(&wanted, HEAD "@@ -1,3000 +1,3000 @@\n");
	for (int i = 0; i < 3000; i++) {
		strbuf_printf(&old, "old %d\n", i);
		strbuf_printf(&new, "new %d\n", i);
		strbuf_printf(&wanted, "-old %d\n", i);
	}
	for (int i = 0; i < 3000; i++)
		strbuf_printf(&wanted, "+new %d\n", i);
	assert_diff(old.bytes, new.bytes, wanted.bytes);
	strbuf_release(&old);
	strbuf_release(&new);
	strbuf_release(&wanted);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_have_none),
		cmocka_unit_test(one_side_may_be_empty),
		cmocka_unit_test(three_lines_of_context_stand_around),
		cmocka_unit_test(near_changes_share_a_hunk),
		cmocka_unit_test(the_script_is_the_shortest),
		cmocka_unit_test(a_missing_line_feed_is_said),
		cmocka_unit_test(bytes_that_are_no_text_only_differ),
		cmocka_unit_test(very_different_texts_are_replaced),
	};
	return cmocka_run_group_tests_name("difference", tests, NULL, NULL);
}
