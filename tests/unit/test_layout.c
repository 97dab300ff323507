/* The rules on which a layout turns. The golden cases fmt-* show whole files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/compilation.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/layout/layout.h"

static void lays_out(const char *text, const char *wanted)
{
	struct compilation compilation = compilation_begin(0);
	struct strbuf out = STRBUF_INIT;
	const struct source *source = sources_add(compilation.sources, "x.allow", text, strlen(text));
	assert_true(layout_make(&compilation, source, &out));
	assert_string_equal(out.bytes, wanted);
	strbuf_release(&out);
	compilation_end(&compilation);
}

static void stays(const char *text)
{
	lays_out(text, text);
}

/* ---- rows ---- */

static void test_one_attribute_beside_adr_and_reason_stays_on_the_line(void **state)
{
	(void)state;
	lays_out("allow a adr 1 because \"b\" {\n on linux\n}\n",
		 "allow a  adr 1  because \"b\"  on linux\n");
	lays_out("allow a adr 1 { on linux }", "allow a  adr 1  on linux\n");
}

static void test_two_stand_in_a_block(void **state)
{
	(void)state;
	lays_out("allow a on linux as b adr 1", "allow a  adr 1 {\n    as b\n    on linux\n}\n");
}

static void test_each_need_counts(void **state)
{
	(void)state;
	lays_out("forbid a needs CAP_B needs syscall c adr 1",
		 "forbid a  adr 1 {\n    needs CAP_B\n    needs syscall c\n}\n");
}

static void test_a_with_has_its_end(void **state)
{
	(void)state;
	lays_out("forbid a with kill adr 1; forbid b with errno EPERM adr 1",
		 "forbid a  adr 1  with kill\nforbid b  adr 1  with errno EPERM\n");
}

static void test_a_comment_behind_a_row_ties_nothing(void **state)
{
	(void)state;
	lays_out("allow a on linux adr 1 # c", "allow a  adr 1  on linux  # c\n");
	lays_out("allow a adr 1 { on linux } # c", "allow a  adr 1  on linux  # c\n");
}

static void test_a_comment_in_the_braces_keeps_them(void **state)
{
	(void)state;
	stays("allow a  adr 1 {\n    # c\n    on linux\n}\n");
	stays("allow a  adr 1 {  # c\n    on linux\n    as b\n}\n");
	stays("allow a  adr 1 {\n    # c\n}\n");
	lays_out("allow a because \"b\" adr 1 {on linux;as b # c\n}",
		 "allow a  adr 1  because \"b\" {\n    on linux\n    as b  # c\n}\n");
}

static void test_a_comment_in_the_list_of_an_attribute_keeps_them_in_order(void **state)
{
	(void)state;
	lays_out("allow a because \"b\" adr 1, # c\n2 {on linux;as b}",
		 "allow a  because \"b\"  adr 1,  # c\n        2 {\n    on linux\n    as b\n}\n");
}

static void test_a_comment_among_the_subjects_ties_no_attribute(void **state)
{
	(void)state;
	lays_out("allow a, # c\nb because \"b\" adr 1", "allow a,  # c\n        b  adr 1  because \"b\"\n");
}

/* ---- lines ---- */

static void test_statements_between_semicolons_get_their_lines(void **state)
{
	(void)state;
	lays_out("edition 1;;title \"a\";\n;\n;policy b", "edition 1\ntitle \"a\"\npolicy b\n");
	lays_out("edition 1;\n\n;title \"a\"", "edition 1\n\ntitle \"a\"\n");
}

static void test_signs_in_strings_are_text(void **state)
{
	(void)state;
	stays("title \"# { } ; , \\\" \\\\\"\n");
	stays("allow a  adr 1  because \"{ # \\\"\" {\n    # c\n    on linux\n}\n");
}

static void test_a_line_of_members_may_end_without_a_comma_alone(void **state)
{
	(void)state;
	lays_out("syscalls @a {\nb,\n# c\n\nd, e\nf\n}",
		 "syscalls @a {\n    b\n    # c\n    d, e\n    f\n}\n");
}

static void test_conditions(void **state)
{
	(void)state;
	lays_out("forbid syscall a ( ( b&c )==d|e&&f>=-1 ) adr 1",
		 "forbid syscall a((b & c) == d|e && f >= -1)  adr 1\n");
	lays_out("forbid syscall a((b)<((c))) adr 1", "forbid syscall a((b) < ((c)))  adr 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_attribute_beside_adr_and_reason_stays_on_the_line),
		cmocka_unit_test(test_two_stand_in_a_block),
		cmocka_unit_test(test_each_need_counts),
		cmocka_unit_test(test_a_with_has_its_end),
		cmocka_unit_test(test_a_comment_behind_a_row_ties_nothing),
		cmocka_unit_test(test_a_comment_in_the_braces_keeps_them),
		cmocka_unit_test(test_a_comment_in_the_list_of_an_attribute_keeps_them_in_order),
		cmocka_unit_test(test_a_comment_among_the_subjects_ties_no_attribute),
		cmocka_unit_test(test_statements_between_semicolons_get_their_lines),
		cmocka_unit_test(test_signs_in_strings_are_text),
		cmocka_unit_test(test_a_line_of_members_may_end_without_a_comma_alone),
		cmocka_unit_test(test_conditions),
	};
	return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
