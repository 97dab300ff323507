/* The rules of --depfile. tests/cli/test_depfile.py gives them to make and to ninja. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/base/strbuf.h"
#include "compiler/depfile.h"

static void test_rules(void **state)
{
	(void)state;
	static const char *const targets[] = { "out/p.h", "out/p.py" };
	static const char *const inputs[] = { "p.allow", "adr/0001.md" };
	const struct depfile depfile = { targets, 2, inputs, 2 };
	struct strbuf out = STRBUF_INIT;
	const char *bad;
	assert_true(depfile_add(&out, &depfile, &bad));
	assert_string_equal(out.bytes, "out/p.h out/p.py: \\\n  p.allow \\\n  adr/0001.md\n"
				       "\np.allow:\n\nadr/0001.md:\n");
	strbuf_release(&out);
}

static void test_escapes(void **state)
{
	(void)state;
	static const char *const targets[] = { "a b#c$d:e" };
	static const char *const inputs[] = { "x\\y\\ z" };
	const struct depfile depfile = { targets, 1, inputs, 1 };
	struct strbuf out = STRBUF_INIT;
	const char *bad;
	assert_true(depfile_add(&out, &depfile, &bad));
	assert_string_equal(out.bytes, "a\\ b\\#c$$d\\:e: \\\n  x\\y\\\\\\ z\n\nx\\y\\\\\\ z:\n");
	strbuf_release(&out);
}

static void expect_rules(const char *first, const char *second, const char *expected)
{
	static const char *const targets[] = { "t" };
	const char *const inputs[] = { first, second };
	const struct depfile depfile = { targets, 1, inputs, 2 };
	struct strbuf out = STRBUF_INIT;
	const char *bad;
	assert_true(depfile_add(&out, &depfile, &bad));
	assert_string_equal(out.bytes, expected);
	strbuf_release(&out);
}

/* No rule sets a variable, and none is for a pattern of targets. */
static void test_signs_of_make(void **state)
{
	(void)state;
	expect_rules("a=b", "c", "t: /dev/null /dev/null \\\n  a=b \\\n  c\n\nc:\n");
	expect_rules("a", "=b", "t: /dev/null /dev/null \\\n  a \\\n  =b\n\na:\n");
	expect_rules("a%b", "c", "t: \\\n  a%b \\\n  c\n\nc:\n");
	/* What fits these patterns is the file itself, too. */
	expect_rules("a*b?", "]c[", "t: \\\n  a*b? \\\n  ]c[\n\na*b?:\n\n]c[:\n");
}

static void expect_none(const char *input)
{
	const char *const targets[] = { "a" }, *const inputs[] = { "b", input };
	const struct depfile depfile = { targets, 1, inputs, 2 };
	struct strbuf out = STRBUF_INIT;
	const char *bad = NULL;
	assert_false(depfile_add(&out, &depfile, &bad));
	assert_ptr_equal(bad, input);
	assert_int_equal(out.size, 0);
	strbuf_release(&out);
}

static void test_names_without_a_form(void **state)
{
	(void)state;
	expect_none("c\nd");
	expect_none("c\rd");
	expect_none("c\\");
	expect_none("c;d");
	expect_none("c|d");
	expect_none("~c");
	expect_none("c\\#d");
	expect_none("c\\:d");
	expect_none("c&");
	expect_none("c(d)");
	expect_none("c[1].d");
	expect_none("c\\*.d");
	expect_none("c\\d?");
	expect_none("c\\[d");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_signs_of_make),
		cmocka_unit_test(test_names_without_a_form),
	};
	return cmocka_run_group_tests_name("depfile", tests, NULL, NULL);
}
