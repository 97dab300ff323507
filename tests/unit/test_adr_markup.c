/* reStructuredText and AsciiDoc, rewritten as Markdown of the same length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/policy/adr.h"
#include "compiler/policy/adr_markup.h"

struct rewrite_case {
	const char *text, *rewritten;
};

static void assert_rewrites(const char *path, const struct rewrite_case *cases, size_t count)
{
	struct compilation compilation = compilation_begin(0);
	for (size_t i = 0; i < count; i++) {
		struct source source = { .path = path, .text = cases[i].text, .size = strlen(cases[i].text) };
		struct adr_text text = { .source = &source, .size = source.size };
		text.bytes = arena_copy(compilation.arena, source.text, source.size);
		adr_markup_rewrite(&text);
		assert_string_equal(text.bytes, cases[i].rewritten);
		assert_int_equal(strlen(cases[i].rewritten), source.size);
	}
	compilation_end(&compilation);
}

static void test_rst(void **state)
{
	(void)state;
	static const struct rewrite_case cases[] = {
		{ "", "" },
		{ "Title\n~~~~~\nStatus\n^^^^^^\nx", "Title\n=====\nStatus\n------\nx" },
		{ "#####\nTitle\n#####\n\nStatus\n=====\n", "     \nTitle\n=====\n\nStatus\n-----\n" },
		{ "a\nb\n~~~~\n", "a\nb\n    \n" }, /* below a paragraph of two lines it is none */
		{ "a\n\n----\n\nb\n", "a\n\n    \n\nb\n" },
		{ "long line\n~~~\n", "long line\n~~~\n" },
		{ ":Status: Accepted\n:Decided by: all\n", " Status: Accepted\n Decided by: all\n" },
		{ ":not a field\n:a/b: c\n", ":not a field\n:a/b: c\n" },
		{ ".. a comment\n\n   Status: Accepted\n\nb\n",
		  "            \n\n                   \n\nb\n" },
		{ ".. code-block:: sh\n  x\ny", "                  \n   \ny" },
		{ "Like this::\n\n  Status: Accepted\n\n b\nc",
		  "Like this::\n\n                  \n\n  \nc" },
		{ "..\n   ``a``\n\n   b\nc\n", "  \n        \n\n    \nc\n" },
		{ "- .. ``a``\n     b\n- c\n", "          \n      \n- c\n" },
		{ "1. .. ``a``\nb\n", "           \nb\n" },
		{ "by `ADR 3 <0003-x.rst>`_.", "by [ADR 3](0003-x.rst) _." },
		{ "`a` and ``b`` and `c", "`a` and ``b`` and `c" },
	};
	assert_rewrites("adr/0001-a.rst", cases, sizeof cases / sizeof *cases);
	assert_rewrites("adr/0001-a.RST", cases, sizeof cases / sizeof *cases);
}

static void test_asciidoc(void **state)
{
	(void)state;
	static const struct rewrite_case cases[] = {
		{ "= Title\n\n== Status\n\nx == y\n==\n", "# Title\n\n## Status\n\nx == y\n==\n" },
		{ "Title\n=====\nStatus\n~~~~~~~\n", "Title\n=====\nStatus\n-------\n" },
		{ "words\n----\nStatus: x\n----\ny\n",
		  "words\n----\nStatus: x\n    \n \n" }, /* a heading, a block */
		{ "a\n\n----\nStatus: x\n-----\n----\nb", "a\n\n    \n         \n     \n    \nb" },
		{ "////\nx\n////\n// y\n/// z\n", "    \n \n    \n    \n/// z\n" },
		{ ":status: Accepted\n", " status: Accepted\n" },
		{ "//////////\n`a`\n//////////\nb\n", "          \n   \n          \nb\n" },
		{ "ifdef::zz[]\n`a`\nifndef::y[]\nendif::[]\n`a`\nendif::[]\nb\n",
		  "           \n   \n           \n         \n   \n         \nb\n" },
		{ "ifeval::[1 == 2]\n`a`\nendif::[]\nb", "                \n   \n         \nb" },
		{ "ifdef::x[`a`]\nb", "             \nb" },
		{ "[comment]\n`a`\n`a`\n\nb", "         \n   \n   \n\nb" },
		{ "[comment]\n--\n`a`\n\n`a`\n--\nb", "         \n  \n   \n\n   \n  \nb" },
		{ "[comment]\n\n`a`\n\nb", "         \n\n   \n\nb" },
		{ ":x: `a`", " x:  a " },
		{ "[[`a`]] `b`", "[[ a ]] `b`" },
		{ "(((`a`))) `b`", "((( a ))) `b`" },
		{ "pass:[`a`] `b`", "pass:[ a ] `b`" },
		{ "anchor:x[`a`] `b`", "anchor:x[ a ] `b`" },
		{ "indexterm:[`a`] `b`", "indexterm:[ a ] `b`" },
		{ "Status: Accepted +\nDate: x\n", "Status: Accepted  \nDate: x\n" },
		{ " Status: Accepted\n\n * item\n", "                 \n\n * item\n" },
		{ "by xref:0003-x.adoc[ADR 3].", "by [ADR 3](0003-x.adoc)   ." },
		{ "by link:0003-x.adoc[ADR 3]", "by [ADR 3](0003-x.adoc)   " },
		{ "by <<0003-x.adoc#,ADR 3>>", "by [ADR 3](0003-x.adoc#) " },
		{ "xref:a b[c] << >> link:", "xref:a b[c] << >> link:" },
	};
	assert_rewrites("adr/0001-a.adoc", cases, sizeof cases / sizeof *cases);
	assert_rewrites("adr/0001-a.asciidoc", cases, sizeof cases / sizeof *cases);
}

static void test_markdown_stays(void **state)
{
	(void)state;
	static const struct rewrite_case cases[] = {
		{ ":Status: Accepted\n== x\n// y\n.. z\n", ":Status: Accepted\n== x\n// y\n.. z\n" },
	};
	assert_rewrites("adr/0001-a.md", cases, 1);
	assert_rewrites("adr.rst/0001-a", cases, 1);
}

struct file_case {
	const char *path, *text, *read; /* status, date, successor, title */
};

static void test_files(void **state)
{
	(void)state;
	static const struct file_case cases[] = {
		{ "1-a.rst", "1. A tool\n=========\n\nStatus\n------\n\nAccepted\n", "accepted - - A tool" },
		{ "1-a.rst", "A tool\n######\n\n:Status: Accepted\n:Date: 2026-01-02\n\nContext\n*******\n",
		  "accepted 2026-01-02 - A tool" },
		{ "1-a.rst", ":Status: Accepted\n  until the review\n", "unknown - - " },
		{ "1-a.rst", "Ab\n==\n\nStatus\n------\n\nSuperseded by `a newer one <0003-x.rst>`_\n",
		  "superseded - 0003 Ab" },
		{ "1-a.rst", "Ab\n==\n\n.. Status: Accepted\n", "unknown - - Ab" },
		{ "1-a.rst", "Ab\n==\n\nExample::\n\n  Status: Accepted\n", "unknown - - Ab" },
		{ "1-a.adoc", "= ADR-1: A tool\n:status: Accepted\n:date: 2026-01-02\n",
		  "accepted 2026-01-02 - A tool" },
		{ "1-a.adoc", "= A\n\n== Status\n\nSuperseded by xref:0003-x.adoc[Better]\n\n== Context\n",
		  "superseded - 0003 A" },
		{ "1-a.adoc", "= A\n\n*Status:* Accepted +\n*Date:* 2026-01-02\n",
		  "accepted 2026-01-02 - A" },
		{ "1-a.adoc", "= A\n\nStatus:: Accepted\n", "accepted - - A" },
		{ "1-a.adoc", "= A\n\n|===\n|Status |Accepted\n|===\n", "accepted - - A" },
		{ "1-a.adoc", "= A\n\n----\nStatus: Accepted\n----\n", "unknown - - A" },
		{ "1-a.adoc", "= A\n\n////\n== Status\n\nAccepted\n////\n", "unknown - - A" },
	};
	struct compilation compilation = compilation_begin(0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *path = arena_printf(compilation.arena, "%zu/%s", i, cases[i].path);
		struct source *source =
			sources_add(compilation.sources, path, cases[i].text, strlen(cases[i].text));
		const struct adr *adr = adr_read(&compilation, source, NULL, 0);
		assert_string_equal(arena_printf(compilation.arena, "%s: %s %s %s %s", cases[i].text,
						 adr_status_word(adr->status), adr->date ? adr->date : "-",
						 adr->successor ? adr->successor : "-", adr->title),
				    arena_printf(compilation.arena, "%s: %s", cases[i].text, cases[i].read));
	}
	compilation_end(&compilation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rst),
		cmocka_unit_test(test_asciidoc),
		cmocka_unit_test(test_markdown_stays),
		cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
