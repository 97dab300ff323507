/* Hand-written manifests: the cases of tests/data/manifests, and a text for each form that one can have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/manifest_edit.h"
#include "compiler/base/arena.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"

#define ODD_END "here is a character that only some readers of YAML take for a line end"

enum { WISHES_MAX = 16 };

/* "docker dive" → two items. NULL: the list is not managed. */
static void wish_add(struct arena *arena, struct manifest_wish *wish, enum manifest_key key,
		     const char *words)
{
	if (!words)
		return;
	const char **items = arena_array(arena, WISHES_MAX, sizeof *items);
	wish->lists[key].managed = true;
	wish->lists[key].items = items;
	while (*words) {
		size_t size = strcspn(words, " ");
		items[wish->lists[key].count++] = arena_copy(arena, words, size);
		words += size + (words[size] == ' ');
	}
}

static struct manifest_edit edit_both(struct arena *arena, const char *text, const char *tools,
				      const char *optional)
{
	struct manifest_wish wish = { 0 };
	wish_add(arena, &wish, MANIFEST_TOOLS, tools);
	wish_add(arena, &wish, MANIFEST_OPTIONAL, optional);
	return manifest_edit(arena, text, strlen(text), &wish);
}

static void expect_both(const char *text, const char *tools, const char *optional, const char *wanted)
{
	struct arena *arena = arena_new();
	struct manifest_edit edit = edit_both(arena, text, tools, optional);
	if (edit.refusal.why)
		print_error("%s: %s\n", text, edit.refusal.why);
	assert_null(edit.refusal.why);
	assert_string_equal(edit.bytes, wanted);
	assert_int_equal(edit.changed, strcmp(text, wanted) != 0);
	if (!edit.changed)
		assert_ptr_equal(edit.bytes, text);
	arena_free(arena);
}

static void expect(const char *text, const char *tools, const char *wanted)
{
	expect_both(text, tools, NULL, wanted);
}

static void expect_same(const char *text, const char *tools)
{
	expect(text, tools, text);
}

/* `at` is the text at the place of the refusal. */
static void expect_refused(const char *text, const char *tools, const char *at, const char *why)
{
	struct arena *arena = arena_new();
	struct manifest_edit edit = edit_both(arena, text, tools, NULL);
	assert_non_null(edit.refusal.why);
	assert_string_equal(edit.refusal.why, why);
	assert_ptr_equal(text + edit.refusal.place.begin, strstr(text, at));
	assert_true(edit.refusal.place.end <= strlen(text));
	arena_free(arena);
}

/* ---- the cases of tests/data/manifests ---- */

static const char *data_folder(struct arena *arena)
{
	return path_beside(arena, __FILE__, "../data/manifests");
}

static bool file_take(struct arena *arena, const char *name, const char *file, struct strbuf *out)
{
	FILE *stream = fopen(arena_printf(arena, "%s/%s/%s", data_folder(arena), name, file), "rb");
	if (!stream)
		return false;
	char bytes[4096];
	for (size_t size; (size = fread(bytes, 1, sizeof bytes, stream)) > 0;)
		strbuf_add(out, bytes, size);
	fclose(stream);
	return true;
}

/* One command a line, each spelled with '-' for its blanks. */
static void tools_spell(struct strbuf *tools)
{
	for (size_t i = 0; i < tools->size; i++)
		tools->bytes[i] = tools->bytes[i] == ' '    ? '-'
				  : tools->bytes[i] == '\n' ? ' '
							    : tools->bytes[i];
	if (tools->size && tools->bytes[tools->size - 1] == ' ')
		tools->bytes[--tools->size] = '\0';
}

static void case_check(const char *name)
{
	struct strbuf in = STRBUF_INIT, tools = STRBUF_INIT, out = STRBUF_INIT;
	struct arena *arena = arena_new();
	assert_true(file_take(arena, name, "in.yaml", &in) && file_take(arena, name, "tools", &tools));
	tools_spell(&tools);
	struct manifest_edit edit = edit_both(arena, in.bytes, tools.bytes, NULL);
	bool wanted = file_take(arena, name, "out.yaml", &out);
	print_message("# %s\n", name);
	assert_int_equal(wanted, !edit.refusal.why);
	if (wanted) {
		assert_string_equal(edit.bytes, out.bytes);
		assert_int_equal(edit.changed, strcmp(in.bytes, out.bytes) != 0);
	}
	arena_free(arena);
	strbuf_release(&in);
	strbuf_release(&tools);
	strbuf_release(&out);
}

static void test_cases(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	DIR *folder = opendir(data_folder(arena));
	size_t count = 0;
	assert_non_null(folder);
	for (const struct dirent *entry; (entry = readdir(folder));) {
		if (entry->d_name[0] == '.')
			continue;
		case_check(entry->d_name);
		count++;
	}
	closedir(folder);
	arena_free(arena);
	assert_int_equal(count, 25);
}

/* ---- block lists ---- */

static void test_dashes_at_the_keys_own_indent(void **state)
{
	(void)state;
	expect("requirements:\n  external_tools:\n  - a\n  optional:\n  - z\n", "a b",
	       "requirements:\n  external_tools:\n  - a\n  - b\n  optional:\n  - z\n");
	expect("requirements:\n  external_tools:\n  - a\n", "b", "requirements:\n  external_tools:\n  - b\n");
	/* A missing key is written as the file writes its lists. */
	expect("scope:\n- x\nrequirements:\n  other: 1\n", "a",
	       "scope:\n- x\nrequirements:\n  other: 1\n  external_tools:\n  - a\n");
}

static void test_indent_and_gap_are_the_files_own(void **state)
{
	(void)state;
	expect("requirements:\n    external_tools:\n        -   a\n", "a b",
	       "requirements:\n    external_tools:\n        -   a\n        -   b\n");
	expect("scope:\n    x: 1\n", "a",
	       "scope:\n    x: 1\nrequirements:\n    external_tools:\n        - a\n");
}

static void test_comments_between_items(void **state)
{
	(void)state;
	expect("requirements:\n  external_tools:  # of the host\n\n    - a  # one\n\n    # two\n    - b\n  # "
	       "end\n",
	       "b a",
	       "requirements:\n  external_tools:  # of the host\n\n    # two\n    - b\n\n    - a  # one\n  # "
	       "end\n");
}

static void test_comments_of_what_goes(void **state)
{
	(void)state;
	const char *text =
		"requirements:\n  external_tools:\n    - a\n    # old\n    - b\n    # new\n    - c\n";
	struct arena *arena = arena_new();
	struct manifest_edit edit = edit_both(arena, text, "a c", NULL);
	assert_string_equal(edit.bytes,
			    "requirements:\n  external_tools:\n    - a\n    # old\n    # new\n    - c\n");
	assert_int_equal(edit.stray_count, 1);
	assert_string_equal(edit.strays[0].text, "b");
	assert_ptr_equal(text + edit.strays[0].item.begin, strstr(text, "b\n"));
	/* They stay at the end where no item follows. */
	edit = edit_both(arena, text, "a d", NULL);
	assert_string_equal(edit.bytes,
			    "requirements:\n  external_tools:\n    - a\n    - d\n    # old\n    # new\n");
	assert_int_equal(edit.stray_count, 2);
	/* A comment on the item's own line goes with it, and nobody is told. */
	edit = edit_both(arena, "requirements:\n  external_tools:\n    - a # x\n\n    - b # y\n", "b", NULL);
	assert_string_equal(edit.bytes, "requirements:\n  external_tools:\n\n    - b # y\n");
	assert_int_equal(edit.stray_count, 0);
	arena_free(arena);
}

static void test_all_items_go(void **state)
{
	(void)state;
	expect("requirements:\n  external_tools: # c\n    # d\n    - a # e\n  optional: [z]\n", "",
	       "requirements:\n  external_tools: [] # c\n    # d\n  optional: [z]\n");
	expect("requirements:\n  external_tools:\n    - a", "", "requirements:\n  external_tools: []");
	expect("requirements:\n  external_tools:\r\n    - a\r\n", "",
	       "requirements:\n  external_tools: []\r\n");
}

static void test_equal_items_become_one(void **state)
{
	(void)state;
	expect("requirements:\n  external_tools:\n    - a # 1\n    - a # 2\n", "a",
	       "requirements:\n  external_tools:\n    - a # 1\n");
}

static void test_line_ends(void **state)
{
	(void)state;
	/* A file with both kinds keeps each line's own; what is new gets that of the first line. */
	expect("requirements:\r\n  external_tools:\n    - a\n    - b\r\n", "b a c",
	       "requirements:\r\n  external_tools:\n    - b\r\n    - a\n    - c\r\n");
	expect("requirements:\r\n  external_tools:\r\n    - a", "b a",
	       "requirements:\r\n  external_tools:\r\n    - b\r\n    - a");
	expect("requirements:\n  other: 1", "a", "requirements:\n  other: 1\n  external_tools:\n    - a");
	expect("requirements:\n  external_tools:", "a", "requirements:\n  external_tools:\n    - a");
	expect("name: p", "a", "name: p\nrequirements:\n  external_tools:\n    - a");
}

static void test_bytes_and_characters(void **state)
{
	(void)state;
	/* Each of these has more bytes than characters. */
	expect("# größer 漢字 🙂\nname: \"é\"\nrequirements:\n  external_tools: [ä, docker] # ü\n",
	       "docker dive",
	       "# größer 漢字 🙂\nname: \"é\"\nrequirements:\n  external_tools: [docker, dive] # "
	       "ü\n");
	expect("é: ü\nrequirements:\n  external_tools:\n    - ö # ß\n    - a # ß\n", "a b",
	       "é: ü\nrequirements:\n  external_tools:\n    - a # ß\n    - b\n");
}

/* ---- flow lists ---- */

static void test_flow_over_several_lines(void **state)
{
	(void)state;
	expect("requirements:\n  external_tools: [\n    a,\n    b\n  ]\n", "a b c",
	       "requirements:\n  external_tools: [\n    a,\n    b,\n    c\n  ]\n");
	expect("requirements:\n  external_tools: [\n    a\n  ]\n", "a b",
	       "requirements:\n  external_tools: [\n    a,\n    b\n  ]\n");
	expect("requirements:\n  external_tools: [\n    a,\n    b,\n  ]\n", "b",
	       "requirements:\n  external_tools: [\n    b,\n  ]\n");
	expect("requirements:\n  external_tools: [a,b]\n", "b a c",
	       "requirements:\n  external_tools: [b,a,c]\n");
	expect("requirements:\n  external_tools: [a]\n", "", "requirements:\n  external_tools: []\n");
}

static void test_flow_mappings(void **state)
{
	(void)state;
	expect("requirements: {external_tools: [a], x: 1}\n", "a b",
	       "requirements: {external_tools: [a, b], x: 1}\n");
	expect("requirements: {}\n", "a", "requirements: {external_tools: [a]}\n");
	expect("requirements: {x: 1} # c\n", "a", "requirements: {x: 1, external_tools: [a]} # c\n");
	expect("requirements: {optional: [z]}\n", "a",
	       "requirements: {external_tools: [a], optional: [z]}\n");
	expect("{requirements: {external_tools: null}}\n", "a", "{requirements: {external_tools: [a]}}\n");
	expect("requirements: ~ # c\n", "a", "requirements: {external_tools: [a]} # c\n");
}

static void test_json_stays_json(void **state)
{
	(void)state;
	expect("{\"requirements\": {\"external_tools\": [\"a\"]}}\n", "a b",
	       "{\"requirements\": {\"external_tools\": [\"a\", \"b\"]}}\n");
	expect("{\"requirements\": {\"x\": 1}}\n", "a",
	       "{\"requirements\": {\"x\": 1, \"external_tools\": [\"a\"]}}\n");
	expect("{\"requirements\": {\"x\": 1, \"external_tools\": []}}\n", "a",
	       "{\"requirements\": {\"x\": 1, \"external_tools\": [\"a\"]}}\n");
}

/* ---- keys ---- */

static void test_quoted_keys(void **state)
{
	(void)state;
	expect("\"requirements\":\n  'external_tools' :\n    - a\n", "a b",
	       "\"requirements\":\n  'external_tools' :\n    - a\n    - b\n");
	expect("'requirements':\n  \"external_tools\": [a]\n", "",
	       "'requirements':\n  \"external_tools\": []\n");
}

static void test_missing_keys(void **state)
{
	(void)state;
	/* A comment right above `optional` is its own. */
	expect("requirements:\n  x: 1\n\n  # z\n  optional:\n    - z\n", "a",
	       "requirements:\n  x: 1\n\n  external_tools:\n    - a\n  # z\n  optional:\n    - z\n");
	expect("requirements:\n  optional: [z]\n", "a",
	       "requirements:\n  external_tools: [a]\n  optional: [z]\n");
	/* The end of a value, not of the comments below it. */
	expect("requirements:\n  x:\n    - 1 # c\n  # end\n\n# other\nscope: 1\n", "a",
	       "requirements:\n  x:\n    - 1 # c\n  external_tools:\n    - a\n  # end\n\n# other\nscope: "
	       "1\n");
	expect("requirements:\n  x: |\n    text\n\nscope: 1\n", "a",
	       "requirements:\n  x: |\n    text\n\n  external_tools:\n    - a\nscope: 1\n");
	expect("requirements:\n  x: |+\n    text\n\n", "a",
	       "requirements:\n  x: |+\n    text\n\n  external_tools:\n    - a\n");
	expect("requirements: # c\nscope: 1\n", "a",
	       "requirements: # c\n  external_tools:\n    - a\nscope: 1\n");
	expect("", "a", "requirements:\n  external_tools:\n    - a\n");
	expect("# nothing\n", "a", "# nothing\nrequirements:\n  external_tools:\n    - a\n");
}

static void test_both_lists(void **state)
{
	(void)state;
	expect_both("name: p\n", "a", "b",
		    "name: p\nrequirements:\n  external_tools:\n    - a\n  optional:\n    - b\n");
	expect_both("requirements:\n  optional:\n    - z\n  external_tools:\n    - y\n", "a", "b",
		    "requirements:\n  optional:\n    - b\n  external_tools:\n    - a\n");
	expect_both("requirements:\n  external_tools: [a]\n", "a", "b",
		    "requirements:\n  external_tools: [a]\n  optional: [b]\n");
	expect_both("requirements:\n  external_tools: [a]\n  x: 1\n", "", "b",
		    "requirements:\n  external_tools: []\n  x: 1\n  optional: [b]\n");
	expect_both("requirements:\n  optional:\n    - z\n", "a", "z b",
		    "requirements:\n  external_tools:\n    - a\n  optional:\n    - z\n    - b\n");
	expect_both("requirements: {}\n", "a", "b", "requirements: {external_tools: [a], optional: [b]}\n");
}

/* ---- what surrounds the lists ---- */

static void test_the_same_words_elsewhere(void **state)
{
	(void)state;
	const char *text = "about: |\n  requirements:\n    external_tools:\n      - a\n"
			   "scope: {requirements: {external_tools: [x]}}\n"
			   "external_tools: [y]\n"
			   "requirements:\n  inner: {external_tools: [z]}\n  external_tools: [a]\n";
	expect(text, "b",
	       "about: |\n  requirements:\n    external_tools:\n      - a\n"
	       "scope: {requirements: {external_tools: [x]}}\n"
	       "external_tools: [y]\n"
	       "requirements:\n  inner: {external_tools: [z]}\n  external_tools: [b]\n");
}

static void test_document_markers(void **state)
{
	(void)state;
	expect("%YAML 1.1\n---\nrequirements:\n  external_tools:\n    - a\n...\n", "a b",
	       "%YAML 1.1\n---\nrequirements:\n  external_tools:\n    - a\n    - b\n...\n");
	expect("---\nname: p\n...\n", "a", "---\nname: p\nrequirements:\n  external_tools:\n    - a\n...\n");
	expect_refused("name: p\n---\nname: q\n", "a", "---", "it holds more than one document");
}

static void test_merges_anchors_aliases(void **state)
{
	(void)state;
	expect("b: &b {x: 1}\nc: *b\nrequirements:\n  <<: *b\n  external_tools: [a]\n", "a b",
	       "b: &b {x: 1}\nc: *b\nrequirements:\n  <<: *b\n  external_tools: [a, b]\n");
	expect("requirements: &r\n  external_tools: &t [a]\n", "b",
	       "requirements: &r\n  external_tools: &t [b]\n");
	expect_refused("b: &b {x: 1}\nrequirements:\n  <<: *b\n", "a", "requirements",
		       "what is missing may come from its merge key '<<'");
	expect_refused("requirements:\n  external_tools: &t [a]\nother: *t\n", "b", "*t",
		       "an alias here stands for what would be changed");
	expect_refused("requirements: &r\n  external_tools: [a]\nother:\n  <<: *r\n", "b", "*r",
		       "an alias here stands for what would be changed");
	expect_refused("r: &r {external_tools: [a]}\nrequirements: *r\n", "b", "*r",
		       "'requirements' is no mapping");
}

/* ---- nothing to do ---- */

static void test_nothing_to_do(void **state)
{
	(void)state;
	expect_same("requirements:\n  external_tools: [ a ,b # c\n   ]\n", "a b");
	expect_same("requirements:\n  external_tools: &t\n  - 'a'\nx: *t\n", "a");
	expect_same("name: p\n", "");
	expect_same("requirements:\n  external_tools:\n", "");
	expect_same("requirements: ~\n", "");
	expect_same("", "");
}

/* ---- items ---- */

static void test_plain_items_that_are_no_text(void **state)
{
	(void)state;
	expect("requirements:\n  external_tools:\n    - yes # c\n    - 1.0\n", "yes 1.0",
	       "requirements:\n  external_tools:\n    - \"yes\" # c\n    - \"1.0\"\n");
	expect("requirements:\n  external_tools:\n    - yes", "yes",
	       "requirements:\n  external_tools:\n    - \"yes\"");
	expect("requirements:\n  external_tools: [null, a]\n", "a null",
	       "requirements:\n  external_tools: [a, \"null\"]\n");
	expect("requirements:\n  external_tools: [a]\n", "a on 0x1 12:30 ~",
	       "requirements:\n  external_tools: [a, \"on\", \"0x1\", \"12:30\", \"~\"]\n");
}

/* ---- what is refused ---- */

static void test_refused_items(void **state)
{
	(void)state;
	expect_refused("x: &x a\nrequirements:\n  external_tools: [*x]\n", "b", "*x", "an item is an alias");
	expect_refused("requirements:\n  external_tools:\n    - &q a\n", "b", "&q", "an item has an anchor");
	expect_refused("requirements:\n  external_tools:\n    - !t a\n", "b", "!t", "an item has a tag");
	expect_refused("requirements:\n  external_tools:\n    - {k: v}\n", "b", "{k",
		       "an item is a list or a mapping");
	expect_refused("requirements:\n  external_tools:\n    - a\n      bc\n", "b", "a\n",
		       "an item goes over several lines");
	expect_refused("requirements:\n  external_tools:\n    -\n      q\n", "b", "q\n",
		       "an item does not stand behind a dash on a line of its own");
	expect_refused("requirements:\n  external_tools: [q, # c\n    b]\n", "b", "# c",
		       "a comment stands between the brackets");
	expect_refused("requirements:\n  external_tools:\n    - q # c\xc2\x85    - b\n", "b", "\xc2\x85",
		       ODD_END);
}

/* Readers of YAML 1.1 and 1.2 would see different keys. */
static void test_line_ends_of_some_readers(void **state)
{
	(void)state;
	expect_refused("# a\xc2\x85requirements: {external_tools: [a]}\n", "a", "\xc2\x85", ODD_END);
	expect_refused("x: 1 # a\xe2\x80\xa8 # b\n", "a", "\xe2\x80\xa8", ODD_END);
	expect_refused("x: 'a\xe2\x80\xa9' # b\xe2\x80\xa8# c\n", "a", "\xe2\x80\xa8", ODD_END);
	expect_refused("requirements:\n  external_tools: [a] # c\xc2\x85\n", "a", "\xc2\x85", ODD_END);
	expect("x: \"a\xe2\x80\xa8\xc2\x85z\"\ny: |\n  a\xe2\x80\xa9  z\nrequirements:\n  external_tools: "
	       "[a]\n",
	       "b",
	       "x: \"a\xe2\x80\xa8\xc2\x85z\"\ny: |\n  a\xe2\x80\xa9  z\nrequirements:\n  external_tools: "
	       "[b]\n");
	/* The bytes of other characters: e9, and e2 80 94. */
	expect("# \xc3\xa9 \xe2\x80\x94\nrequirements: {external_tools: [a]}\n", "b",
	       "# \xc3\xa9 \xe2\x80\x94\nrequirements: {external_tools: [b]}\n");
}

static void test_keys_that_are_no_plain_names(void **state)
{
	static const char alias[] = "a key here is an alias: which key that is, readers may not agree";
	static const char tag[] = "a key here has a tag: which key that is, readers may not agree";
	(void)state;
	expect_refused("a: &k external_tools\nrequirements:\n  *k : [a]\n", "b", "*k", alias);
	expect_refused("a: &k requirements\n*k : {external_tools: [a]}\n", "b", "*k", alias);
	expect_refused("requirements:\n  !!str external_tools: [a]\n", "b", "!!str", tag);
	expect_refused("requirements:\n  !x external_tools: [a]\n", "a", "!x", tag);
	expect("requirements:\n  &k external_tools: [a]\nz: *k\n", "b",
	       "requirements:\n  &k external_tools: [b]\nz: *k\n");
	expect("requirements: {? external_tools : [a]}\n", "b", "requirements: {? external_tools : [b]}\n");
	expect_refused("? requirements\n: ? external_tools\n  : - a\n", "b", "a\n",
		       "an item does not stand behind a dash on a line of its own");
}

static void test_further_kinds(void **state)
{
	(void)state;
	expect("%YAML 1.1\n---\nrequirements:\n  external_tools: !!seq\n    - a\n...\n# t\n", "b",
	       "%YAML 1.1\n---\nrequirements:\n  external_tools: !!seq\n    - b\n...\n# t\n");
	expect("--- {requirements: {external_tools: [a]}}\n", "b",
	       "--- {requirements: {external_tools: [b]}}\n");
	expect("--- # c\nrequirements : # d\n  external_tools : # e\n    - a\n", "b",
	       "--- # c\nrequirements : # d\n  external_tools : # e\n    - b\n");
	expect("requirements:\n  external_tools: [ a\n    , b\n    ]\n", "b c",
	       "requirements:\n  external_tools: [ b\n    , c\n    ]\n");
	expect("requirements:\n  external_tools:\n    [a,\n     b]\n", "c d",
	       "requirements:\n  external_tools:\n    [c,\n     d]\n");
	expect("requirements:\r\n  external_tools:\n    - a\r\n", "a b",
	       "requirements:\r\n  external_tools:\n    - a\r\n    - b\r\n");
	expect("requirements:  \n  external_tools:  \n    - a  \n    - b  \n", "b",
	       "requirements:  \n  external_tools:  \n    - b  \n");
	expect("requirements:\n  external_tools:\n    -\n    - a\n", "a",
	       "requirements:\n  external_tools:\n    - a\n");
	expect("requirements:\n  external_tools:\n    - a\t# c\n    - b#c\n", "a",
	       "requirements:\n  external_tools:\n    - a\t# c\n");
	expect("requirements:\n  note: |+\n    text\n\n\nz: 1\n", "a",
	       "requirements:\n  note: |+\n    text\n\n\n  external_tools:\n    - a\nz: 1\n");
	expect("name: \"a\n  b\"", "a", "name: \"a\n  b\"\nrequirements:\n  external_tools:\n    - a");
	expect_refused("requirements:\n\texternal_tools:\n\t- a\n", "b", "\texternal",
		       "it is no YAML: found character that cannot start any token");
	expect_refused("requirements:\r  external_tools:\r    - a\rz: 1\r", "b", "a\r",
		       "an item does not stand behind a dash on a line of its own");
	expect_refused("requirements:\n  external_tools: !!null\n", "a", "external_tools",
		       "the list's key has no value that could become a list");
	expect_refused("requirements:\n  external_tools: [a: b]\n", "a", "a: b",
		       "an item is a list or a mapping");
	expect_refused("requirements:\n  external_tools:\n    - |\n      a\n", "b", "|",
		       "an item goes over several lines");
}

static void test_very_long_lines(void **state)
{
	(void)state;
	enum { LENGTH = 200000 };
	struct arena *arena = arena_new();
	char *long_text = arena_alloc(arena, LENGTH + 1);
	memset(long_text, 'x', LENGTH);
	expect(arena_printf(arena, "requirements:\n  external_tools: [a] # %s\nz: %s\n", long_text,
			    long_text),
	       "b",
	       arena_printf(arena, "requirements:\n  external_tools: [b] # %s\nz: %s\n", long_text,
			    long_text));
	arena_free(arena);
}

static void test_refused_documents(void **state)
{
	(void)state;
	expect_refused("requirements:\n  external_tools: 1\n", "a", "1", "the value is no list");
	expect_refused("requirements:\n  external_tools: ''\n", "a", "''", "the value is no list");
	expect_refused("requirements: [x]\n", "a", "[x]", "'requirements' is no mapping");
	expect_refused("requirements: {}\n'requirements': {}\n", "a", "'requirements'",
		       "the key 'requirements' stands twice");
	expect_refused("requirements:\n  external_tools: &t\n    - a\n", "", "&t",
		       "the list would be empty, and has an anchor or a tag");
	expect_refused("requirements: {external_tools: }\n", "a", "external_tools",
		       "the list's key has no value that could become a list");
	expect_refused("{name: p}\n", "a", "{name",
		       "the document is one flow mapping without 'requirements'");
}

static void test_depth(void **state)
{
	(void)state;
	char text[256] = "x: ";
	memset(text + 3, '[', 120);
	struct arena *arena = arena_new();
	struct manifest_edit edit = edit_both(arena, text, "a", NULL);
	assert_string_equal(edit.refusal.why, "it is nested too deeply");
	arena_free(arena);
}

static void test_name(void **state)
{
	(void)state;
	const char *text = "version: 1\nname: 'p q'\n";
	struct arena *arena = arena_new();
	struct manifest_edit edit = edit_both(arena, text, "", NULL);
	assert_string_equal(edit.name, "p q");
	assert_ptr_equal(text + edit.name_place.begin, strstr(text, "'p q'"));
	assert_null(edit_both(arena, "x: {name: p}\n", "", NULL).name);
	arena_free(arena);
}

/* Every prefix of a manifest is edited or refused; what the edit leaves is never taken for granted. */
static void test_cut_anywhere(void **state)
{
	(void)state;
	static const char text[] =
		"# é\nname: p\nrequirements: &r\n  # c\n  external_tools: # d\n    - a # e\n\n"
		"    - 'b'\n  optional: [ x,\n   y ]\nother: |+\n  t\n\n";
	struct arena *arena = arena_new();
	for (size_t size = 0; size < sizeof text; size++) {
		const char *cut = arena_copy(arena, text, size);
		struct manifest_edit edit = edit_both(arena, cut, "c b", "y");
		assert_true(edit.refusal.why || edit.changed);
		if (edit.refusal.why)
			continue;
		struct manifest_edit again = edit_both(arena, edit.bytes, "c b", "y");
		assert_null(again.refusal.why);
		assert_false(again.changed);
	}
	arena_free(arena);
}

/* What YAML allows and people hardly write: other line ends, and keys behind a question mark. */
static void test_rare_forms(void **state)
{
	(void)state;
	expect_refused("requirements:\n  external_tools:\n    - docker\r    - jq\n", "git", "docker",
		       "an item does not stand behind a dash on a line of its own");
	expect_refused("? requirements\n? other\n", "git", "requirements",
		       "something stands behind the key on its line");
	expect_refused("requirements:\n  external_tools:\r  x: 3\n", "git", "external_tools",
		       "something stands behind the key on its line");
	expect_refused("requirements:\r  a: b\rname: x\n", "git", "requirements",
		       "no line could begin behind its last value");
	expect_refused("name: a\rother: x\rrequirements:\n  ? optional\n  : [x]\n", "git", "optional",
		       "the key does not begin its line");
	expect_refused("requirements: {a: }\n", "git", "requirements", "its last value is empty");
	expect_refused("requirements:\n  external_tools: [\"a\\0b\"]\n", "git", "\"a", "an item holds a NUL");
	expect_both("requirements:\n  [1, 2]: 3\n  external_tools: [a]\n", "git", NULL,
		    "requirements:\n  [1, 2]: 3\n  external_tools: [git]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_dashes_at_the_keys_own_indent),
		cmocka_unit_test(test_indent_and_gap_are_the_files_own),
		cmocka_unit_test(test_comments_between_items),
		cmocka_unit_test(test_comments_of_what_goes),
		cmocka_unit_test(test_all_items_go),
		cmocka_unit_test(test_equal_items_become_one),
		cmocka_unit_test(test_line_ends),
		cmocka_unit_test(test_bytes_and_characters),
		cmocka_unit_test(test_flow_over_several_lines),
		cmocka_unit_test(test_flow_mappings),
		cmocka_unit_test(test_json_stays_json),
		cmocka_unit_test(test_quoted_keys),
		cmocka_unit_test(test_missing_keys),
		cmocka_unit_test(test_both_lists),
		cmocka_unit_test(test_the_same_words_elsewhere),
		cmocka_unit_test(test_document_markers),
		cmocka_unit_test(test_merges_anchors_aliases),
		cmocka_unit_test(test_nothing_to_do),
		cmocka_unit_test(test_plain_items_that_are_no_text),
		cmocka_unit_test(test_refused_items),
		cmocka_unit_test(test_line_ends_of_some_readers),
		cmocka_unit_test(test_keys_that_are_no_plain_names),
		cmocka_unit_test(test_further_kinds),
		cmocka_unit_test(test_very_long_lines),
		cmocka_unit_test(test_refused_documents),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_rare_forms),
	};
	return cmocka_run_group_tests_name("manifest_edit", tests, NULL, NULL);
}
