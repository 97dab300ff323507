/* Code spans: what is one, and which subject it names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/adr.h"

static const struct adr *read_text(struct compilation *compilation, const char *text)
{
	struct source *source = sources_add(compilation->sources, "0015-title.md", text, strlen(text));
	return adr_read(compilation, source, NULL, 0);
}

/* All spans of a text, each in brackets. */
static const char *spans_of(struct compilation *compilation, const struct adr *adr)
{
	struct strbuf out = STRBUF_INIT;
	for (size_t i = 0; i < adr->code_span_count; i++)
		strbuf_printf(&out, "[%s]", adr->code_spans[i].text);
	const char *copy = arena_copy(compilation->arena, out.bytes, out.size);
	strbuf_release(&out);
	return copy;
}

static void test_spans(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "Add `dive` and `docker  buildx`.", "[dive][docker buildx]" },
		{ "`` a ` b `` and ``` c `` d ```", "[a ` b][c `` d]" },
		{ "` git `", "[git]" },
		{ "`a\nb`", "[a b]" },
		{ "`a  \r\n\tb`", "[a b]" },
		{ "> `a\n> b`", "[a b]" },
		{ "- `a\n  b`", "[a b]" },
		{ "`a\n\nb`", "" },
		{ "`a\n# b`", "" },
		{ "`a\n- b`", "" },
		{ "| `a |\n| b` |", "" },
		{ "# Add `dive`", "[dive]" },
		{ "Use `dive`\n==========", "[dive]" },
		{ "| `a` | `b` |", "[a][b]" },
		{ "\\`a `b`", "[b]" },
		{ "\\`a` `b`", "" }, /* the second backquote opens a span of a blank, which names nothing */
		{ "\\\\`a`", "[a]" },
		{ "`a\\`b`", "[a\\]" },
		{ "`` `", "" },
		{ "`", "" },
		{ "``", "" },
		{ "` `", "" },
		{ "`\xc3\xa4`", "[\xc3\xa4]" },
		/* fences */
		{ "```\n`a`\n```\n`b`", "[b]" },
		{ "````\n```\n`a`\n```\n````\n`b`", "[b]" },
		{ "~~~ `x`\n`a`\n```\n~~~~\n`b`", "[b]" },
		{ "```\n`a`\n~~~\n`b`", "" },
		{ "``` a`b`", "[b]" },
		{ "```\n`a`\n``` x\n`b`\n```\n`c`", "[c]" },
		{ "  ```\n`a`\n   ```\n`b`", "[b]" },
		{ "    ```\n\n`b`", "[b]" },
		{ "text\n```\n`a`\n```\n`b`", "[b]" },
		{ "> ```\n> `a`\n`b`", "[b]" },
		{ "- ```\n  `a`\n\n  `a`\n  ```\n  `b`", "[b]" },
		{ "- ```\n  `a`\n`b`", "[b]" },
		{ "1. ~~~\n   `a`\n   ~~~\n2. `b`", "[b]" },
		{ "- x\n\n      `a`\n\n  `b`", "[b]" },
		{ "\t`a`\n\n`b`", "[b]" },
		{ "x\n\t`a`", "[a]" },
		/* comments */
		{ "<!-- `a` --> `b`", "[b]" },
		{ "<!--\n\n`a`\n\n-->\n`b`", "[b]" },
		{ "<!-- `a`", "" },
		{ "x <!-- `a` --> `b`", "[b]" },
		{ "x <!-- `a\n` --> `b`", "[b]" },
		{ "x <!-- `a`\n\n`b` -->", "[a][b]" },
		{ "`<!--` `a` `-->`", "[<!--][a][-->]" },
		{ "x <!-- ` --> `b`", "[b]" },
		{ "x < `a` <! `b`", "[a][b]" },
		/* targets and tags */
		{ "[docs](docs.md \"`a`\") `b`", "[b]" },
		{ "[x](<`a`>) `b`", "[b]" },
		{ "[`a`](b) `b`", "[a][b]" },
		{ "[x]( `b`", "[b]" },
		{ "<http://x/`a`> `b`", "[b]" },
		{ "see <a title=\"`a`>\">x</a> `b`", "[b]" },
		{ "<div title=\"\n`a`\n\">x</div> `b`", "[b]" },
		{ "`<b>` \\<b `a`>", "[<b>][a]" },
		{ "a <b `a`", "[a]" },
		{ "a <script>`a`</script> `b`", "[b]" },
		{ "a <style>`a`</style> `b`", "[b]" },
		{ "x <?php `a` ?> `b`", "[b]" },
		{ "x <![CDATA[> `a`]]> `b`", "[b]" },
		{ "x <!DOC `a`> `b`", "[b]" },
		{ "<div hidden>\n`a`\n</div>\n\n`b`", "" },
		{ "<div aria-hidden=\"true\">\n`a`\n</div>", "[a]" },
		{ "<span style=\"display:none\">`a`</span>", "" },
		{ "<template>\n\n`a`\n\n</template>\n\n`b`", "[b]" },
		{ "<title>`a`</title> `b`", "[b]" },
		{ "<textarea hidden>\n`a`\n</textarea>", "" },
		{ "<svg><script>\n`a`\n</script></svg> `b`", "[b]" },
		/* link definitions */
		{ "[a\\[b]: /a '`a`'\n\n`b`", "[b]" },
		{ "[a]: <b c> '`a`'\n`b`", "[b]" },
		{ "[a\nb]: /x '`a`'\n`b`", "[b]" },
		{ "[a]: /x\n  \"`a`\n`a`\"\n[c]: /d\n`b`", "[b]" },
		{ "> [a]: /x\n> \"`a`\"\n\n`b`", "[b]" },
		{ "[//]: # (`a`)\n`b`", "[b]" },
		{ "[a]: /x `b`", "[b]" },
		{ "[a]: b", "" },
		{ "[^a]: `b`", "[b]" },
		/* front matter */
		{ "---\nx: \"`a`\"\n---\n`b`", "[b]" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct compilation compilation = compilation_begin(0);
		const struct adr *adr = read_text(&compilation, cases[i][0]);
		assert_string_equal(
			arena_printf(compilation.arena, "%s => %s", cases[i][0], spans_of(&compilation, adr)),
			arena_printf(compilation.arena, "%s => %s", cases[i][0], cases[i][1]));
		compilation_end(&compilation);
	}
}

struct name_case {
	const char *text, *subject, *span; /* NULL: not named */
	uint32_t begin;
};

static void test_names(void **state)
{
	(void)state;
	static const struct name_case cases[] = {
		{ "use `git`", "git", "git", 5 },
		{ "use ` git `", "git", "git", 6 },
		{ "use `docker buildx build`", "docker buildx", "docker buildx build", 5 },
		{ "use `docker buildx build`", "docker", "docker buildx build", 5 },
		{ "use `docker buildx build`", "docker build", NULL, 0 },
		{ "use `docker buildx build`", "buildx", NULL, 0 },
		{ "use `docker-buildx`", "docker", NULL, 0 },
		{ "use `docker`", "docker buildx", NULL, 0 },
		{ "use `ripgrep`", "rg", NULL, 0 },
		{ "use `Git`", "git", NULL, 0 },
		{ "use git", "git", NULL, 0 },
		{ "use `git`", "", NULL, 0 },
		{ "`@a, @b`", "@b", "@b", 5 },
		{ "`@a, @b`", "@a", "@a", 1 },
		{ "`ptrace,kcmp`", "kcmp", "kcmp", 8 },
		{ "`a,\nb`", "b", "b", 4 },
		{ "`a,  b`", "b", "b", 1 }, /* the place of the whole span, where white space was folded */
		{ "`git log, dive`", "git", "git log, dive", 1 },
		{ "`dive, git log`", "git", NULL, 0 },
		{ "`dive, git log`", "git log", "git log", 7 },
		{ "`a, , b`", "b", "b", 6 },
		{ "`git status` `git`", "git", "git", 14 },
		{ "`git b` `git!` `git a`", "git", "git a", 16 },
		{ "`git` `git`", "git", "git", 1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct compilation compilation = compilation_begin(0);
		const struct adr *adr = read_text(&compilation, cases[i].text);
		const struct adr_code_span *span = adr_names(adr, cases[i].subject);
		assert_int_equal(span != NULL, cases[i].span != NULL);
		if (span) {
			assert_string_equal(span->text, cases[i].span);
			assert_ptr_equal(span->span.source, adr->source);
			assert_int_equal(span->span.begin, cases[i].begin);
		}
		compilation_end(&compilation);
	}
}

static void test_nearest(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	const struct adr *adr = read_text(&compilation, "`dive`, `strace` and `ptrace, kcmp`; `sfrace`");
	assert_string_equal(adr_nearest(adr, "strce")->text, "strace");
	assert_int_equal(adr_nearest(adr, "strce")->span.begin, 9);
	assert_string_equal(adr_nearest(adr, "kcpm")->text, "kcmp");
	assert_int_equal(adr_nearest(adr, "kcpm")->span.begin, 30);
	assert_null(adr_nearest(adr, "semgrep"));
	compilation_end(&compilation);
}

/* 100,000 names asked of one ADR: each question is a binary search. */
static void test_many_names(void **state)
{
	(void)state;
	enum { NAMES = 100 * 1000 };
	struct compilation compilation = compilation_begin(0);
	struct strbuf text = STRBUF_INIT;
	for (int i = 0; i < NAMES; i++)
		strbuf_printf(&text, "- `tool%d`\n", i);
	const struct adr *adr = read_text(&compilation, text.bytes);
	assert_int_equal(adr->code_span_count, NAMES);
	for (int i = 0; i < NAMES; i++)
		assert_non_null(adr_names(adr, arena_printf(compilation.arena, "tool%d", i)));
	strbuf_release(&text);
	compilation_end(&compilation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_many_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
