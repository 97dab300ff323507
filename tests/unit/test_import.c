/* Files in memory as policies: each format cut off anywhere, and what the union and the drift report make of lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import.h"
#include "compiler/import/import_drift.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/import_print.h"
#include "compiler/import/import_union.h"
#include "compiler/layout/layout.h"

struct work {
	struct compilation compilation;
	struct import import;
};

static void work_begin(struct work *work)
{
	work->compilation = compilation_begin(0);
	work->import = (struct import){ .compilation = &work->compilation };
}

static const struct source *file_add(struct work *work, const char *path, const char *text, size_t size)
{
	char *copy = arena_copy(work->compilation.arena, text, size);
	return sources_add(work->compilation.sources, path, copy, size);
}

static bool file_import(struct work *work, const char *path, const char *text)
{
	return import_file(&work->import, file_add(work, path, text, strlen(text)));
}

/* A layout of the layout is the same text, whatever was imported. */
static void laid_out(const struct strbuf *policy)
{
	struct compilation compilation = compilation_begin(0);
	struct strbuf again = STRBUF_INIT;
	assert_true(layout_make(&compilation, sources_add(compilation.sources, "x.allow", policy->bytes, policy->size),
				&again));
	assert_string_equal(again.bytes, policy->bytes);
	strbuf_release(&again);
	compilation_end(&compilation);
}

/* ---- cut off anywhere ---- */

static void import_begin_of(const char *path, const char *text, size_t size)
{
	struct work work;
	struct strbuf policy = STRBUF_INIT, drift = STRBUF_INIT;
	work_begin(&work);
	if (import_file(&work.import, file_add(&work, path, text, size))) {
		struct import_union all = import_unite(&work.import);
		import_print(&work.import, &all, &policy);
		import_drift(&work.import, &all, 0, &drift);
		laid_out(&policy);
	} else {
		assert_int_equal(diags_exit_status(work.compilation.diags), 1);
	}
	assert_false(diags_in_trouble(work.compilation.diags));
	strbuf_release(&policy);
	strbuf_release(&drift);
	compilation_end(&work.compilation);
}

static void test_a_file_may_end_anywhere(void **state)
{
	(void)state;
	static const char *const files[][2] = {
		{ "a.py", "\"\"\"Doc\"\"\"\nA: Final[frozenset[str]] = frozenset(\n    {\n        # Phase 2, ADR-1\n"
			  "        \"git\",  # clones\n        r'a\\'b' 'c',\n        (\"docker\", \"buildx\"),\n    }\n)\n"
			  "B = MappingProxyType({\"x\": \"y\\x41\"})\ndel A[\"x\"]\nA.add(f'{x}')\n" },
		{ "b.py", "# ADR-7\n# What may run\nA: \"Allowed\" = [\"git\"]\n(B, c.D), *E = (A, F), {*A, \"x\"}\n"
			  "DENIED: set = sorted(list((A)) + [x])\nlist.remove((A), \"git\")\ndel ((A))[0]\n= A | B\n" },
		{ "a.rules", "# R, ADR-7\nprefix_rule(\n  pattern=[\"git\", [\"a\", 'b']], decision = \"prompt\",\n"
			     "  justification=\"x\", match=[[\"git\"], \"git a\"])\nprefix_rule(pattern=[\"git\"])\n" },
		{ "a.sudoers", "# x\n#1000 ALL = ALL, !B\nCmnd_Alias A = /usr/bin/git a\\,b, \\\n !B, sha256:00 /x, ^a$ : "
			       "B = /bin/sh \"\", A\n" },
		{ "b.sudoers", "Cmnd_Alias A = /bin/a\n\"a !\\\"b\" H = (r : \"s)\") PASSWD: CWD=\"/x y\" A, \\\n !/bin/a b \\\r\n"
			       ": I\\!J = !B, /bin/c\nHost_Alias H = a\nUser_Alias U = !a\n@include x\n" },
		{ "a.names", "\xef\xbb\xbf# R, ADR-7\ngit # clones\r\n  docker  buildx\t\n/bin/su\ng\xc3\xaft\n" },
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		for (size_t size = 0; size <= strlen(files[i][1]); size++)
			import_begin_of(files[i][0], files[i][1], size);
}

static void test_any_byte_may_stand_anywhere(void **state)
{
	(void)state;
	static const char text[] = "A = {\"git\", 'x': (\"a\",)} # c\nprefix_rule(pattern=[\"a\"])\n";
	static const char *const paths[] = { "a.py", "a.rules", "a.names" };
	for (unsigned byte = 0; byte < 256; byte++)
		for (size_t at = 0; at + 1 < sizeof text; at += 3) {
			char copy[sizeof text];
			memcpy(copy, text, sizeof text);
			copy[at] = (char)byte;
			import_begin_of(paths[(byte + at) % 3], copy, sizeof text - 1);
		}
}

/* ---- aliases of aliases ---- */

static void test_aliases_that_double_are_taken_once(void **state)
{
	(void)state;
	struct work work;
	struct strbuf text = STRBUF_INIT;
	work_begin(&work);
	strbuf_add_text(&text, "Cmnd_Alias A0 = /usr/bin/git\n");
	for (unsigned i = 1; i <= 60; i++)
		strbuf_printf(&text, "Cmnd_Alias A%u = A%u, A%u\n", i, i - 1, i - 1);
	assert_true(file_import(&work, "a.sudoers", text.bytes));
	assert_int_equal(work.import.lists[0]->count, 1);
	strbuf_release(&text);
	compilation_end(&work.compilation);
}

static void test_aliases_in_too_many_steps_are_told(void **state)
{
	(void)state;
	struct work work;
	struct strbuf text = STRBUF_INIT;
	work_begin(&work);
	strbuf_add_text(&text, "Cmnd_Alias A0 = /usr/bin/git\n");
	for (unsigned i = 1; i <= 100000; i++)
		strbuf_printf(&text, "Cmnd_Alias A%u = A%u\n", i, i - 1);
	assert_true(file_import(&work, "a.sudoers", text.bytes));
	assert_int_equal(work.import.lists[0]->count, 1);
	assert_string_equal(work.import.lists[0]->entries[0].fault, "is an alias of aliases in more than 64 steps");
	strbuf_release(&text);
	compilation_end(&work.compilation);
}

/* ---- the union ---- */

static struct import_list *list_add(struct work *work, enum import_kind kind, const char *name, const char *const *commands,
				    enum import_verdict verdict)
{
	const struct source *source = file_add(work, name, "\n", 1);
	struct import_list *list = import_list_add(&work->import, kind, source, name, (struct span){ source, 0, 0 });
	list->verdict = verdict;
	for (; *commands; commands++)
		import_entry_add(&work->import, list,
				 &(struct import_entry){ .command = *commands, .place = list->place, .verdict = verdict });
	return list;
}

static void reports(struct work *work, const char *wanted)
{
	struct strbuf drift = STRBUF_INIT;
	struct import_union all = import_unite(&work->import);
	import_drift(&work->import, &all, 0, &drift);
	assert_string_equal(drift.bytes, wanted);
	strbuf_release(&drift);
	compilation_end(&work->compilation);
}

static void test_order_is_that_of_first_sight(void **state)
{
	(void)state;
	struct work work;
	work_begin(&work);
	list_add(&work, IMPORT_COMMANDS, "a", (const char *[]){ "c", "a", "c", NULL }, IMPORT_ALLOW);
	list_add(&work, IMPORT_COMMANDS, "b", (const char *[]){ "b", "a", NULL }, IMPORT_FORBID);
	struct import_union all = import_unite(&work.import);
	assert_int_equal(all.count, 3);
	assert_string_equal(all.lines[0].name->command, "c");
	assert_int_equal(all.lines[0].name->count, 2);
	assert_string_equal(all.lines[1].name->command, "a");
	assert_true(import_is_conflict(all.lines[1].name));
	assert_string_equal(all.lines[2].name->command, "b");
	assert_false(import_is_conflict(all.lines[2].name));
	assert_null(import_use_of(all.lines[2].name, IMPORT_ALLOW));
	compilation_end(&work.compilation);
}

static void test_tools_are_spelt_without_blanks(void **state)
{
	(void)state;
	struct work work;
	work_begin(&work);
	list_add(&work, IMPORT_TOOLS, "plugin", (const char *[]){ "docker-buildx", "npm-ci", NULL }, IMPORT_ALLOW);
	list_add(&work, IMPORT_COMMANDS, "a", (const char *[]){ "docker buildx", "npm ci", "npm-ci", NULL }, IMPORT_ALLOW);
	struct import_union all = import_unite(&work.import);
	assert_int_equal(all.count, 3);
	assert_string_equal(import_tool(&all, "docker-buildx"), "docker buildx");
	assert_string_equal(import_tool(&all, "npm-ci"), "npm-ci"); /* a command of its own */
	assert_string_equal(import_tool(&all, "other"), "other");
	compilation_end(&work.compilation);
}

/* ---- drift ---- */

static void test_one_list_is_compared_with_nothing(void **state)
{
	(void)state;
	struct work work;
	work_begin(&work);
	list_add(&work, IMPORT_COMMANDS, "a", (const char *[]){ "ripgrep", "rg", NULL }, IMPORT_ALLOW);
	list_add(&work, IMPORT_COMMANDS, "b", (const char *[]){ "su", NULL }, IMPORT_FORBID);
	reports(&work, "");
}

static void test_a_plugin_needs_not_every_command(void **state)
{
	(void)state;
	struct work work;
	work_begin(&work);
	list_add(&work, IMPORT_COMMANDS, "a", (const char *[]){ "git", "docker buildx", "jq", NULL }, IMPORT_ALLOW);
	list_add(&work, IMPORT_TOOLS, "p", (const char *[]){ "docker-buildx", "jq", NULL }, IMPORT_ALLOW);
	reports(&work, "drift: none between 2 lists\n");
}

static void test_a_tool_that_no_list_allows(void **state)
{
	(void)state;
	struct work work;
	work_begin(&work);
	list_add(&work, IMPORT_COMMANDS, "a", (const char *[]){ "git", NULL }, IMPORT_ALLOW);
	list_add(&work, IMPORT_TOOLS, "p", (const char *[]){ "git", "dive", NULL }, IMPORT_ALLOW);
	reports(&work, "drift: these names are not in every list\n"
		       "  dive: in p:1; not in a\n");
}

static void test_lists_of_one_length_may_differ(void **state)
{
	(void)state;
	struct work work;
	work_begin(&work);
	list_add(&work, IMPORT_COMMANDS, "a", (const char *[]){ "git", "jq", NULL }, IMPORT_ALLOW);
	list_add(&work, IMPORT_COMMANDS, "b", (const char *[]){ "git", "git", NULL }, IMPORT_ALLOW);
	reports(&work, "drift: these names are not in every list\n"
		       "  jq: in a:1; not in b\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file_may_end_anywhere),
		cmocka_unit_test(test_any_byte_may_stand_anywhere),
		cmocka_unit_test(test_aliases_that_double_are_taken_once),
		cmocka_unit_test(test_aliases_in_too_many_steps_are_told),
		cmocka_unit_test(test_order_is_that_of_first_sight),
		cmocka_unit_test(test_tools_are_spelt_without_blanks),
		cmocka_unit_test(test_one_list_is_compared_with_nothing),
		cmocka_unit_test(test_a_plugin_needs_not_every_command),
		cmocka_unit_test(test_a_tool_that_no_list_allows),
		cmocka_unit_test(test_lists_of_one_length_may_differ),
	};
	return cmocka_run_group_tests_name("import", tests, NULL, NULL);
}
