/* References: what a row may write, and what running text, links and file names hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/policy/adr.h"
#include "compiler/policy/adr_reference.h"

struct parse_case {
	const char *text, *scope;
	bool valid;
	unsigned long number;
};

static void test_parse(void **state)
{
	(void)state;
	static const struct parse_case cases[] = {
		{ "0015", NULL, true, 15 },
		{ "15", NULL, true, 15 },
		{ "0", NULL, true, 0 },
		{ "00000000000000000000000000000000015", NULL, true, 15 },
		{ "phase2/0001", "phase2", true, 1 },
		{ "06.5/0001", "06.5", true, 1 },
		{ "ADR-0015", NULL, true, 15 },
		{ "phase2/ADR-0001", "phase2", true, 1 },
		{ "99999999999999999999999999", NULL, false, 0 },
		{ "", NULL, false, 0 },
		{ "ADR-", NULL, false, 0 },
		{ "adr-15", NULL, false, 0 },
		{ "ADR-ADR-15", NULL, false, 0 },
		{ "ADR 15", NULL, false, 0 },
		{ "0015x", NULL, false, 0 },
		{ "-15", NULL, false, 0 },
		{ "+15", NULL, false, 0 },
		{ " 15", NULL, false, 0 },
		{ "0x15", NULL, false, 0 },
		{ "phase2/", NULL, false, 0 },
		{ "/0001", NULL, false, 0 },
		{ "a/b/0001", NULL, false, 0 },
		{ "../0001", NULL, false, 0 },
		{ "a b/0001", NULL, false, 0 },
	};
	struct compilation compilation = compilation_begin(0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *scope;
		unsigned long number;
		assert_int_equal(adr_reference_parse(&compilation, cases[i].text, &scope, &number),
				 cases[i].valid);
		if (!cases[i].valid)
			continue;
		assert_int_equal(number, cases[i].number);
		assert_string_equal(scope ? scope : "none", cases[i].scope ? cases[i].scope : "none");
	}
	compilation_end(&compilation);
}

static void test_read(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		/* text, scope number slug */
		{ "0001", "- 1 -" },
		{ "ADR-0001", "- 1 -" },
		{ "adr 1", "- 1 -" },
		{ "Phase 2 ADR-0001", "phase2 1 -" },
		{ "02-ADR-0001", "02 1 -" },
		{ "ADR-02-0001", "02 1 -" },
		{ "ADR-P2-001", "P2 1 -" },
		{ "P2-ADR-0001", "P2 1 -" },
		{ "phase2/0001", "phase2 1 -" },
		{ "06.5/ADR-0001", "06.5 1 -" },
		{ "20260924-drop-dive", "- 20260924 drop-dive" },
		{ "20260924-drop-dive.md", NULL },
		{ "phase2/20260924-drop", "phase2 20260924 drop" },
		{ "20261324-no-month", NULL },
		{ "0001-title", NULL },
		{ "ADR-0001-title", NULL },
		{ "see 0001", NULL },
		{ "0001 and 0002", NULL },
		{ " 0001", NULL },
		{ "99999999999999999999999999", NULL },
		{ "", NULL },
	};
	struct compilation compilation = compilation_begin(0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct adr_reference read;
		bool valid = adr_reference_read(&compilation, cases[i][0], &read);
		const char *text = "no";
		if (valid)
			text = arena_printf(compilation.arena, "%s %lu %s", read.scope ? read.scope : "-",
					    read.number, read.slug ? read.slug : "-");
		assert_string_equal(arena_printf(compilation.arena, "%s: %s", cases[i][0], text),
				    arena_printf(compilation.arena, "%s: %s", cases[i][0],
						 cases[i][1] ? cases[i][1] : "no"));
	}
	compilation_end(&compilation);
}

static void test_scope_spellings(void **state)
{
	(void)state;
	static const struct spelling_case {
		const char *name, *spelling;
		bool same;
	} cases[] = {
		{ "phase2", "phase2", true }, { "phase2", "Phase2", true },
		{ "phase2", "02", true },     { "phase2", "P2", true },
		{ "phase-2", "2", true },     { "02-tools", "phase2", true },
		{ "06.5", "6.5", true },      { "06.5", "phase06.5", true },
		{ "06.5", "6", false },       { "phase2", "phase20", false },
		{ "phase2", "3", false },     { "tools", "2", false },
		{ "phase2a", "2", false },    { "phase", "p", false },
		{ "p", "p", true },           { "0", "00", true },
		{ "2.", "2", false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(adr_scope_is_spelt(cases[i].name, cases[i].spelling), cases[i].same);
}

static void test_largest_number(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	unsigned long number;
	char *largest = arena_printf(compilation.arena, "%lu", ULONG_MAX);
	assert_true(adr_number_read(slice_of(largest), &number));
	assert_true(number == ULONG_MAX);
	largest[strlen(largest) - 1]++;
	assert_false(adr_number_read(slice_of(largest), &number));
	compilation_end(&compilation);
}

static void test_find(void **state)
{
	(void)state;
	static const char *const cases[][3] = {
		/* text, reference, its place */
		{ "ADR-0011", "0011", "ADR-0011" },
		{ "adr-11", "11", "adr-11" },
		{ " the newer ADR-0011.", "0011", "ADR-0011" },
		{ "ADR 0011", "0011", "ADR 0011" },
		{ "0011", "0011", "0011" },
		{ "0011-title", "0011", "0011-title" },
		{ "see 0011", NULL, NULL },
		{ "phase2/0011", "phase2/0011", "phase2/0011" },
		{ "phase2/ADR-0011", "phase2/0011", "phase2/ADR-0011" },
		{ "see phase2/0011, too", "phase2/0011", "phase2/0011" },
		{ "02-ADR-0011", "02/0011", "02-ADR-0011" },
		{ "P2-ADR-0011", "P2/0011", "P2-ADR-0011" },
		{ "ADR-02-0011", "02/0011", "ADR-02-0011" },
		{ "ADR-P2-001", "P2/001", "ADR-P2-001" },
		{ "ADR-06.5-001", "06.5/001", "ADR-06.5-001" },
		{ "Phase 2 ADR-0011", "phase2/0011", "Phase 2 ADR-0011" },
		{ "phase 06.5, ADR-0011", "phase06.5/0011", "phase 06.5, ADR-0011" },
		{ "Phase 2", NULL, NULL },
		{ "ADR-0011-drop-dive.md", "0011", "ADR-0011-drop-dive.md" },
		{ "ADR-0011-2026-plan", "0011", "ADR-0011-2026-plan" },
		{ "2026-05-17", NULL, NULL },
		{ "20260924-drop-dive", "20260924-drop-dive", "20260924-drop-dive" },
		{ "[Drop](20260924-drop-dive.md)", "20260924-drop-dive", "[Drop](20260924-drop-dive.md)" },
		{ "v2.1/3.4", NULL, NULL },
		{ "and/or", NULL, NULL },
		{ "ADR-NNNN", NULL, NULL },
		{ "[ADR-0011]", "0011", "[ADR-0011]" },
		{ "[[0011]]", "0011", "[[0011]]" },
		{ "[ADR-0011][x]", "0011", "[ADR-0011][x]" },
		{ "[3. Drop](0003-drop.md)", "0003", "[3. Drop](0003-drop.md)" },
		{ "[Drop](./0003-drop.md \"t\")", "0003", "[Drop](./0003-drop.md \"t\")" },
		{ "[Drop](<0003-drop.md#status>)", "0003", "[Drop](<0003-drop.md#status>)" },
		{ "[Drop](../phase2/adr-003-drop.md)", "phase2/003", "[Drop](../phase2/adr-003-drop.md)" },
		{ "[Drop](../phase7/0003-drop.md)", "0003", "[Drop](../phase7/0003-drop.md)" },
		{ "[Drop](../0003-drop.md)", NULL, NULL },
		{ "[0003](../0003-drop.md)", "0003", "[0003](../0003-drop.md)" },
		{ "[phase2/0003](../0003-drop.md)", "phase2/0003", "[phase2/0003](../0003-drop.md)" },
		{ "[minutes](minutes.md), ADR-7", "7", "ADR-7" },
		{ "[Drop](2026-05-17-drop.md)", NULL, NULL },
		{ "[ADR 1](https://example.org/other/0001-t.md)", NULL, NULL },
		{ "[1](<https://example.org/0001-t.md>)", NULL, NULL },
		{ "[ADR-1](//example.org/0001-t.md), ADR-2", "2", "ADR-2" },
		{ "https://example.org/phase2/ADR-0001", NULL, NULL },
		{ "<https://example.org/ADR-0001> ADR-2", "2", "ADR-2" },
		{ "[ADR-0011", "0011", "ADR-0011" },
		{ "[", NULL, NULL },
		{ "[[", NULL, NULL },
		{ "[]", NULL, NULL },
		{ "[](", NULL, NULL },
		{ "", NULL, NULL },
	};
	struct compilation compilation = compilation_begin(0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct slice place = { "-", 1 };
		const char *found = adr_reference_find(compilation.arena, slice_of(cases[i][0]),
						       slice_of("phase7"), &place);
		assert_string_equal(
			arena_printf(compilation.arena, "%s => %s", cases[i][0], found ? found : "-"),
			arena_printf(compilation.arena, "%s => %s", cases[i][0],
				     cases[i][1] ? cases[i][1] : "-"));
		if (found)
			assert_string_equal(arena_copy(compilation.arena, place.at, place.size), cases[i][2]);
	}
	compilation_end(&compilation);
}

static void test_file_digits(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "0015-title.md", "0015" },
		{ "0015_title.rst", "0015" },
		{ "0015.md", "0015" },
		{ "adr-015-title.md", "015" },
		{ "ADR-0007-title.md", "0007" },
		{ "adr_7.md", "7" },
		{ "ADR7-title.md", "7" },
		{ "02-ADR-0001-title.md", "0001" },
		{ "20260924-title.md", "20260924" },
		{ "2026-09-24-title.md", "" },
		{ "title-0015.md", "" },
		{ "0015title.md", "" },
		{ "README.md", "" },
		{ "adr.md", "" },
		{ "adr-template.md", "" },
		{ "", "" },
	};
	struct compilation compilation = compilation_begin(0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct slice digits = adr_file_digits(slice_of(cases[i][0]));
		assert_string_equal(arena_copy(compilation.arena, digits.at, digits.size), cases[i][1]);
	}
	compilation_end(&compilation);
}

static void test_paths(void **state)
{
	(void)state;
	assert_true(slice_is(adr_path_base(slice_of("a/b.md")), "b.md"));
	assert_true(slice_is(adr_path_base(slice_of("b.md")), "b.md"));
	assert_true(slice_is(adr_path_folder(slice_of("adr/phase7//b.md")), "phase7"));
	assert_true(slice_is(adr_path_folder(slice_of("b.md")), ""));
	assert_true(slice_is(adr_path_folder(slice_of("/b.md")), ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),  cmocka_unit_test(test_scope_spellings),
		cmocka_unit_test(test_parse), cmocka_unit_test(test_largest_number),
		cmocka_unit_test(test_find),  cmocka_unit_test(test_file_digits),
		cmocka_unit_test(test_paths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
