/* Front matter: values as YAML means them, with their places; what YAML rejects is read line by line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/limits.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/adr_front.h"

/* `field=value@bytes of its place`, `!` before a list or mapping; each ends with `;`. */
static const char *read_front(struct compilation *compilation, const char *front)
{
	static const char *const names[] = { "status", "date", "title", "superseded-by", "other" };
	const char *bytes = arena_printf(compilation->arena, "---\n%s---\n", front);
	struct adr_text text;
	struct source *source = sources_add(compilation->sources, "a.md", bytes, strlen(bytes));
	assert_true(adr_scan(compilation->arena, source, &text));
	struct adr_fields fields = { .arena = compilation->arena };
	adr_front_find(&text, &fields);
	struct strbuf out = STRBUF_INIT;
	for (size_t i = 0; i < fields.count; i++) {
		const struct adr_field *field = &fields.items[i];
		strbuf_printf(&out, "%s%s=%.*s@%.*s;", field->composite ? "!" : "", names[field->name],
			      (int)field->value.size, field->value.at,
			      (int)(field->span.end - field->span.begin), bytes + field->span.begin);
	}
	const char *copy = arena_copy(compilation->arena, out.bytes, out.size);
	strbuf_release(&out);
	return copy;
}

static void test_values(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "status: accepted\ndate: 2026-03-06\n",
		  "status=accepted@accepted;date=2026-03-06@2026-03-06;" },
		{ "Status: accepted # sure\n", "status=accepted@accepted;" },
		{ "status: \"accepted\"\n", "status=accepted@accepted;" },
		{ "status: 'accepted'\n", "status=accepted@accepted;" },
		{ "status: \"\\x61ccepted\"\n", "status=accepted@\"\\x61ccepted\";" },
		{ "status: |\n  accepted\ndate: x\n", "status=accepted@|\n  accepted;date=x@x;" },
		{ "tags: [\xc3\xa4, \xe2\x82\xac]\nstatus: accepted\n", "status=accepted@accepted;" },
		{ "tags: {status: no}\nstatus: accepted\n", "status=accepted@accepted;" },
		{ "tags:\n- status\n- x\nstatus: accepted\n", "status=accepted@accepted;" },
		{ "status: [accepted]\n", "!status=[accepted]@[accepted];" },
		{ "status: {a | b}\n", "!status={a | b}@{a | b};" },
		{ "status: *a\n", "!status=*a@*a;" },
		{ "superseded-by:\n- ADR-1\n- ADR-2\nstatus: x\n",
		  "!superseded-by=- ADR-1\n- ADR-2@- ADR-1\n- ADR-2;status=x@x;" },
		{ "status:\n", "" },
		{ "status: ~\ndate: null\ntitle: ''\n", "" },
		{ "status: 'null'\n", "status=null@null;" },
		{ "status: a\nstatus: b\n", "status=a@a;status=b@b;" },
		{ "other: x\nadr: {status: y}\n", "" },
		{ "", "" },
		{ "# nothing\n", "" },
		/* no YAML mapping, or no YAML */
		{ "- status: accepted\n", "" },
		{ "[status, x]: y\nstatus: accepted\n", "status=accepted@accepted;" },
		{ "title: a: b\nstatus: 'accepted' # sure\n", "title=a: b@a: b;status=accepted@accepted;" },
		{ "x: {\nstatus: accepted\n", "status=accepted@accepted;" },
		{ "x: {\n  status: accepted\n", "" },
		{ "x: {\nstatus: null\n", "" },
		{ "x: {\n**status:** accepted\n", "" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct compilation compilation = compilation_begin(0);
		assert_string_equal(arena_printf(compilation.arena, "%s=> %s", cases[i][0],
						 read_front(&compilation, cases[i][0])),
				    arena_printf(compilation.arena, "%s=> %s", cases[i][0], cases[i][1]));
		compilation_end(&compilation);
	}
}

static const char *read_filled(struct compilation *compilation, const char *before, char fill, size_t count,
			       const char *after)
{
	struct strbuf front = STRBUF_INIT;
	strbuf_add_text(&front, before);
	strbuf_add_fill(&front, fill, count);
	strbuf_add_text(&front, after);
	const char *result = read_front(compilation, front.bytes);
	strbuf_release(&front);
	return result;
}

/* Past the caps the lines are still read: a mapping in one line is none of them. */
static void test_caps(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	assert_string_equal(read_filled(&compilation, "x: ", '[', 60 * 1000, "\nstatus: accepted\n"),
			    "status=accepted@accepted;");
	assert_string_equal(
		read_filled(&compilation, "x: '", 'y', ADR_FRONT_SIZE_MAX, "'\nstatus: accepted\n"),
		"status=accepted@accepted;");
	assert_string_equal(
		read_filled(&compilation, "{status: accepted, x: '", 'y', ADR_FRONT_SIZE_MAX, "'}\n"), "");
	compilation_end(&compilation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_caps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
