/* What a layout must keep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/compilation.h"
#include "compiler/base/source.h"
#include "compiler/layout/same.h"
#include "compiler/policy/parse.h"

static void keeps(const char *text, const char *other, bool wanted)
{
	struct compilation compilation = compilation_begin(0);
	struct ast_layer layer;
	const struct source *source = sources_add(compilation.sources, "x.allow", text, strlen(text));
	assert_true(layer_parse(&compilation, source, &layer));
	assert_int_equal(same_text(&layer, other, strlen(other)), wanted);
	compilation_end(&compilation);
}

static void differs(const char *text, const char *other)
{
	keeps(text, other, false);
	keeps(other, text, false);
}

static void test_the_same_in_another_layout(void **state)
{
	(void)state;
	keeps("allow a  adr 1  because \"b\"  on linux # c", "allow a on linux because \"b\" adr 1 {} # c",
	      true);
	keeps("syscalls @a { b, c\nd }", "syscalls @a { b\nc, d }", true);
	keeps("forbid syscall a(b&c) adr 1", "forbid syscall a((b & c))  adr 1", true);
	keeps("# a  \n", "#a", false);
}

static void test_another_word_is_another_text(void **state)
{
	(void)state;
	differs("allow a adr 1", "allow b adr 1");
	differs("allow a adr 1", "allow \"a\" adr 1");
	differs("allow a adr 1", "forbid a adr 1");
	differs("allow a adr 1", "allow a adr 2");
	differs("allow a, b adr 1", "allow b, a adr 1");
	differs("allow a adr 1", "allow a adr 1 on linux");
	differs("allow a requires b >= 1", "allow a requires b");
	differs("allow a requires b >= 1", "allow a requires b >= 2");
	differs("forbid a needs b", "forbid a needs syscall b");
	differs("forbid a needs b needs c", "forbid a needs c needs b");
	differs("forbid a with log", "forbid a with kill");
	differs("use \"a\"", "use <a>");
	differs("extends a", "extends b");
	differs("decisions a \"b\"", "decisions \"b\"");
	differs("output a \"b\"", "output a \"b\" region c");
	differs("expect allowed a", "expect forbidden a");
}

static void test_another_block_is_another_text(void **state)
{
	(void)state;
	differs("role a {\nallow b adr 1\n}", "role a {\n}");
	differs("role a {\nallow b adr 1\n}", "role a {\n}\nallow b adr 1");
	differs("syscalls @a { b, c }", "syscalls @a { c, b }");
	differs("syscalls @a { b, c }", "syscalls @a { b }");
	differs("seccomp { base a }", "seccomp { hot a }");
	differs("plugin a { tools b }", "plugin a { optional b }");
	differs("plugin a \"b\" {\n}", "plugin a {\n}");
}

static void test_another_condition_is_another_text(void **state)
{
	(void)state;
	differs("forbid syscall a(b == c) adr 1", "forbid syscall a adr 1");
	differs("forbid syscall a(b == c) adr 1", "forbid syscall a(b != c) adr 1");
	differs("forbid syscall a(b == c) adr 1", "forbid syscall a(b == d) adr 1");
	differs("forbid syscall a(b == c && d == e) adr 1", "forbid syscall a(d == e && b == c) adr 1");
}

static void test_another_order_or_comment_is_another_text(void **state)
{
	(void)state;
	differs("allow a adr 1\nallow b adr 1", "allow b adr 1\nallow a adr 1");
	differs("# a\n# b", "# b\n# a");
	differs("# a\n# b", "# a");
	differs("title \"# a\"", "title \"# a\" # a");
}

static void test_a_text_with_a_mistake_keeps_nothing(void **state)
{
	(void)state;
	keeps("allow a adr 1", "alow a adr 1", false);
	keeps("", "", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_same_in_another_layout),
		cmocka_unit_test(test_another_word_is_another_text),
		cmocka_unit_test(test_another_block_is_another_text),
		cmocka_unit_test(test_another_condition_is_another_text),
		cmocka_unit_test(test_another_order_or_comment_is_another_text),
		cmocka_unit_test(test_a_text_with_a_mistake_keeps_nothing),
	};
	return cmocka_run_group_tests_name("same", tests, NULL, NULL);
}
