/* Labels and names of fields, and which recogniser finds what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/adr_field.h"

static void test_labels(void **state)
{
	(void)state;
	static const char *const cases[][3] = {
		/* line, name (NULL: no label), value */
		{ "Status: Accepted", "Status", "Accepted" },
		{ "Status :\tAccepted ", "Status", "Accepted" },
		{ "**Status:** Accepted", "Status", "Accepted" },
		{ "**Status**: Accepted", "Status", "Accepted" },
		{ "**Status: Accepted**", "Status", "Accepted" },
		{ "__Superseded by__: 3", "Superseded by", "3" },
		{ "superseded_by: 3", "superseded_by", "3" },
		{ "Status:", "Status", "" },
		{ "*Status:*", "Status", "" },
		{ "Status: **a**", "Status", "**a**" },
		{ "Status:Accepted", NULL, NULL },
		{ "https://example.org", NULL, NULL },
		{ "Status", NULL, NULL },
		{ ": a", NULL, NULL },
		{ "**: a", NULL, NULL },
		{ "", NULL, NULL },
		{ "a name that is longer than forty bytes is: none", NULL, NULL },
	};
	struct compilation compilation = compilation_begin(0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct adr_label label;
		bool read = adr_label_read(slice_of(cases[i][0]), &label);
		assert_int_equal(read, cases[i][1] != NULL);
		if (!read)
			continue;
		assert_string_equal(slice_fold(compilation.arena, label.name), cases[i][1]);
		assert_string_equal(slice_fold(compilation.arena, label.value), cases[i][2]);
		assert_int_equal(label.bold, strchr("*_", cases[i][0][0]) != NULL);
	}
	compilation_end(&compilation);
}

static void test_names(void **state)
{
	(void)state;
	enum adr_field_name name;
	static const char *const superseded[] = { "superseded-by", "superseded_by", "supersededBy",
						  "Superceded By", "SUPERSEEDED BY" };
	for (size_t i = 0; i < sizeof superseded / sizeof *superseded; i++) {
		assert_true(adr_field_name_find(slice_of(superseded[i]), &name));
		assert_int_equal(name, ADR_FIELD_SUPERSEDED_BY);
	}
	assert_true(adr_field_name_find(slice_of("STATUS"), &name));
	assert_int_equal(name, ADR_FIELD_STATUS);
	assert_true(adr_field_name_find(slice_of("Deciders"), &name));
	assert_int_equal(name, ADR_FIELD_OTHER);
	assert_false(adr_field_name_find(slice_of("Statuses"), &name));
	assert_false(adr_field_name_find(slice_of("status2"), &name));
	assert_false(adr_field_name_find(slice_of(""), &name));
}

/* `recogniser field value|rest`, a line each. */
static const char *fields_of(struct compilation *compilation, const char *bytes)
{
	static const char *const names[] = { "status", "date", "title", "superseded-by", "other" };
	static const char *const recognisers[] = { "front", "line", "section" };
	struct adr_text text;
	struct source *source = sources_add(compilation->sources, "a.md", bytes, strlen(bytes));
	assert_true(adr_scan(compilation->arena, source, &text));
	struct adr_fields fields = adr_fields_find(compilation->arena, &text);
	struct strbuf out = STRBUF_INIT;
	for (size_t i = 0; i < fields.count; i++)
		strbuf_printf(&out, "%s %s %s|%s\n", recognisers[fields.items[i].recogniser],
			      names[fields.items[i].name],
			      slice_fold(compilation->arena, fields.items[i].value),
			      slice_fold(compilation->arena, fields.items[i].rest));
	const char *copy = arena_copy(compilation->arena, out.bytes, out.size);
	strbuf_release(&out);
	return copy;
}

static void test_fields(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "Status: a Date: b Tags: c", "line status a|\nline date b|\n" },
		{ "Status: a Superseded by: b", "line status a|\nline superseded-by b|\n" },
		{ "**Status:** a \xc2\xb7 **Anything:** b | **Date:** c", "line status a|\nline date c|\n" },
		{ "Status: a Anything: b", "line status a Anything: b|\n" },
		{ "Status: a\nb\nDate: c\nd", "line status a b|\nline date c d|\n" },
		{ "Status: a\nTechnical lead: b", "line status a|\n" },
		{ "Status: a\nprovided that: b", "line status a provided that: b|\n" },
		{ "Status: a  \nb", "line status a|b\n" },
		{ "Status: a\n\nb", "line status a|\n" },
		{ "- Status: a\n- b", "line status a|\n" },
		{ "| Status | a | b |\n| Date | c |\n| x |\n|", "line status a|b\nline date c|\n" },
		{ "# T\n## Status: a\n\nb\n\nc\n\n## Date: d\n## Context\nStatus: e",
		  "line status a|b c\nline date d|\nsection status a|b c\nsection date d|\n" },
		{ "# T\nStatus: a\n## Context\nStatus: b", "line status a|\n" },
		{ "## Status\n\na\nb\n\nc\nDate: d\n\n## X\n\ne",
		  "section status a b|c Date: d\nsection date d|\n" },
		{ "## Status\n\n- Status: a Date: b\n- c",
		  "section status a|Date: b - c\nsection date b|\n" },
		{ "## Status\n\n## Superseded by\n\n3\n", "section superseded-by 3|\n" },
		{ "## Status\n\na\n\n### History\n\nb\n\n## X\n\nc", "section status a|### History b\n" },
		{ "## Status: a\n\n### Update\n\nb\n\n## X\n\nc",
		  "line status a|### Update b\nsection status a|### Update b\n" },
		{ "- Status: a\n  - b\n    - c\n\n  d\n- e", "line status a|- b - c d\n" },
		{ "* Status: a Date: b\n\n  c\n\nd", "line status a|c\nline date b|c\n" },
		{ "Status: a **Outcome:** Rejected", "line status a **Outcome:** Rejected|\n" },
		{ "Status: a\nOutcome: **Rejected**\nDate: b",
		  "line status a Outcome: **Rejected**|\nline date b|\n" },
		{ "Status: a\nType: Draft", "line status a|\n" },
		{ "| Status | a | |", "line status a|\n" },
		{ "## Tags\n\na\n", "" },
		{ "# T: Status: a", "" },
		{ "---\nstatus: a\n---\nStatus: b\n\n# Status\n\nc",
		  "front status a|\nline status b|\nsection status c|\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct compilation compilation = compilation_begin(0);
		assert_string_equal(arena_printf(compilation.arena, "%s =>\n%s", cases[i][0],
						 fields_of(&compilation, cases[i][0])),
				    arena_printf(compilation.arena, "%s =>\n%s", cases[i][0], cases[i][1]));
		compilation_end(&compilation);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_fields),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
