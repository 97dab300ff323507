/* Lines of Markdown: kinds, content, and what is blanked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/adr_scan.h"

static struct adr_text scan(struct compilation *compilation, const char *text)
{
	struct adr_text scanned;
	struct source *source = sources_add(compilation->sources, "a.md", text, strlen(text));
	assert_true(adr_scan(compilation->arena, source, &scanned));
	return scanned;
}

/* A line for each: `.` blank, `t` text, `+` text that goes on, a digit for a heading; then the content. */
static const char *lines_of(struct compilation *compilation, const struct adr_text *text)
{
	struct strbuf out = STRBUF_INIT;
	for (size_t i = 0; i < text->line_count; i++) {
		const struct adr_line *line = &text->lines[i];
		struct slice content = adr_line_slice(text, line);
		char kind = line->kind == ADR_LINE_BLANK     ? '.'
			    : line->kind == ADR_LINE_HEADING ? (char)('0' + line->level)
			    : line->opens                    ? 't'
							     : '+';
		strbuf_printf(&out, "%c%s%.*s\n", kind, line->breaks ? "!" : "", (int)content.size,
			      content.at);
	}
	const char *copy = arena_copy(compilation->arena, out.bytes, out.size);
	strbuf_release(&out);
	return copy;
}

static void test_lines(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "", "" },
		{ "a", "ta\n" },
		{ "a\nb\n\nc\n", "ta\n+b\n.\ntc\n" },
		{ "a\r\nb\r\n", "ta\n+b\n" },
		{ "a  \nb\\\nc \n", "t!a\n+!b\\\n+c\n" },
		{ "# a\n## b ##\n### c#\n#d\n####### e\n#", "1a\n2b\n3c#\nt#d\n+####### e\n1\n" },
		{ "a\n# b\nc", "ta\n1b\ntc\n" },
		{ "a\n===\nb\n---\n", "1a\n.===\n2b\n.---\n" },
		{ "a\nb\n---\n",
		  "ta\n+b\n.---\n" }, /* the deviation: CommonMark has a heading of two lines */
		{ "- a\n---\nb", "ta\n.---\ntb\n" },
		{ "***\n* * *\n___\n---x", ".***\n.* * *\n.___\nt---x\n" },
		{ "- a\n* b\n+ c\n1. d\n2) e\n-f", "ta\ntb\ntc\ntd\nte\n+-f\n" },
		{ "- - a\n  - b\n- ", "ta\ntb\n.\n" },
		{ "> a\n>b\n> > c\nd", "ta\n+b\ntc\ntd\n" },
		{ "| a |\n| b |", "t| a |\nt| b |\n" },
		{ "    a\n\tb\n  c", ".\n.\ntc\n" },
		{ "a\n     b", "ta\n+b\n" },
		{ "- a\n\n  b\n\n      c\n\n    d", "ta\n.\ntb\n.\n.\n.\ntd\n" },
		{ "-     a\n", ".\n" },
		{ "```\na\n```\nb", ".\n.\n.\ntb\n" },
		{ "<!-- a -->\nb <!-- c\n\n--> d", ".\ntb <!-- c\n.\nt--> d\n" },
		{ "<!-- a\nb\n--> c\nd", ".\n.\ntc\n+d\n" },
		{ "---\na: b\n---\nc", "tc\n" },
		{ "---\na: b\n...\nc", "tc\n" },
		{ "---\na: b\n", ".---\nta: b\n" },
		{ "--- \na: b\n---", "" },
		{ "\n---\na: b\n---\n", ".\n.---\n2a: b\n.---\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct compilation compilation = compilation_begin(0);
		struct adr_text text = scan(&compilation, cases[i][0]);
		assert_string_equal(arena_printf(compilation.arena, "%s =>\n%s", cases[i][0],
						 lines_of(&compilation, &text)),
				    arena_printf(compilation.arena, "%s =>\n%s", cases[i][0], cases[i][1]));
		compilation_end(&compilation);
	}
}

static void test_blanked(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct adr_text text = scan(&compilation, "a\n```\nb\n```\n<!-- c\r\nd --> e\n");
	assert_string_equal(text.bytes, "a\n   \n \n   \n      \r\n      e\n");
	assert_string_equal(text.source->text, "a\n```\nb\n```\n<!-- c\r\nd --> e\n");
	compilation_end(&compilation);
}

static void test_front(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct adr_text text = scan(&compilation, "---\na: b\n---\nc");
	assert_string_equal(arena_copy(compilation.arena, text.front.at, text.front.size), "a: b\n");
	struct span span = adr_text_span(&text, text.front);
	assert_int_equal(span.begin, 4);
	assert_int_equal(span.end, 9);
	assert_int_equal(scan(&compilation, "c").front.size, 0);
	compilation_end(&compilation);
}

static void test_encoding(void **state)
{
	(void)state;
	static const struct encoding_case {
		const char *bytes;
		size_t size;
		bool valid;
	} cases[] = {
		{ "", 0, true },
		{ "plain text of some length", 25, true },
		{ "eight...\xc3\xa4 \xe2\x82\xac \xf0\x9f\x9f\xa2", 19, true },
		{ "eight...\xc3", 9, false },
		{ "\xff", 1, false },
		{ "\xc0\xaf", 2, false },
		{ "\xed\xa0\x80", 3, false },
		{ "a\0b", 3, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct compilation compilation = compilation_begin(0);
		struct adr_text text;
		struct source *source =
			sources_add(compilation.sources, "a.md", cases[i].bytes, cases[i].size);
		assert_int_equal(adr_scan(compilation.arena, source, &text), cases[i].valid);
		compilation_end(&compilation);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_blanked),
		cmocka_unit_test(test_front),
		cmocka_unit_test(test_encoding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
