/* The commit itself, with backends of two lines: what a run decides. tests/cli has kills, disks and modes. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/diag_data.h"
#include "compiler/base/strbuf.h"
#include "compiler/file.h"
#include "compiler/output.h"
#include "compiler/policy/policy.h"
#include "tests/unit/scratch.h"

static bool owns_header(const struct policy *policy, const char *path)
{
	(void)policy;
	return strcmp(path, "p.h") == 0;
}

static bool owns_plugins(const struct policy *policy, const char *path)
{
	(void)policy;
	return strncmp(path, "plugins/", 8) == 0;
}

static const struct backend header = { .name = "header", .owns = owns_header };
static const struct backend plugins = { .name = "plugins", .owns = owns_plugins };
static const struct backend *const both[] = { &header, &plugins };
static const struct policy policy = { .name = "p" };

struct place {
	struct compilation compilation;
	struct scratch scratch;
	struct output_results results;
};

static int begin(void **state)
{
	struct place *place = calloc(1, sizeof *place);
	place->compilation = compilation_begin(0);
	*state = place;
	return scratch_begin(&place->scratch) ? 0 : -1;
}

static int end(void **state)
{
	struct place *place = *state;
	scratch_end(&place->scratch);
	compilation_end(&place->compilation);
	free(place);
	return 0;
}

static const char *path_of(struct place *place, const char *name)
{
	return arena_printf(place->compilation.arena, "%s/%s", place->scratch.folder, name);
}

static const char *text_of(struct place *place, const char *name)
{
	struct file_content content;
	assert_int_equal(file_read(place->compilation.arena, AT_FDCWD, path_of(place, name), &content), 0);
	return content.exists ? content.bytes : NULL;
}

static void put(struct place *place, const char *name, const char *text)
{
	assert_int_equal(file_create(AT_FDCWD, path_of(place, name), text, strlen(text), NULL), 0);
}

static bool commit(struct place *place, size_t selected, struct artifact *items, size_t count, bool dry_run)
{
	struct output_job job = { .compilation = &place->compilation,
				  .policy = &policy,
				  .selected = both,
				  .selected_count = selected,
				  .artifacts = { items, count, count } };
	bool good = output_commit(place->scratch.folder, &job, 1, dry_run);
	place->results = job.results;
	return good;
}

static void assert_result(struct place *place, size_t index, const char *name, enum output_state state)
{
	assert_true(index < place->results.count);
	assert_string_equal(place->results.items[index].path, path_of(place, name));
	assert_int_equal(place->results.items[index].state, state);
}

/* SHA-256 of "abc" and of "". */
#define HASH_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define HASH_EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static struct artifact first[] = {
	{ "header", "p.h", "abc", 3, NULL },
	{ "plugins", "plugins/x/plugin.yaml", "", 0, NULL },
};

static void everything_is_written_once(void **state)
{
	struct place *place = *state;
	assert_true(commit(place, 2, first, 2, false));
	assert_int_equal(place->results.count, 3);
	assert_result(place, 0, "p.h", OUTPUT_WRITTEN);
	assert_result(place, 1, "plugins/x/plugin.yaml", OUTPUT_WRITTEN);
	assert_result(place, 2, "p.sha256", OUTPUT_WRITTEN);
	assert_string_equal(text_of(place, "p.h"), "abc");
	assert_string_equal(text_of(place, "p.sha256"),
			    HASH_ABC "  p.h\n" HASH_EMPTY "  plugins/x/plugin.yaml\n");
	assert_null(text_of(place, ".p.allowc"));
	assert_true(commit(place, 2, first, 2, false));
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(place->results.items[i].state, OUTPUT_UNCHANGED);
}

static void a_dry_run_writes_nothing(void **state)
{
	struct place *place = *state;
	assert_true(commit(place, 2, first, 2, true));
	assert_result(place, 2, "p.sha256", OUTPUT_WRITTEN);
	assert_null(text_of(place, "p.h"));
	assert_null(text_of(place, "p.sha256"));
}

static void an_orphan_goes_and_others_stay(void **state)
{
	struct place *place = *state;
	struct artifact other = { "header", "p.h", "abc", 3, NULL };
	assert_true(commit(place, 2, first, 2, false));
	/* Only the header is selected: the plugin's file and line stay. */
	assert_true(commit(place, 1, &other, 1, false));
	assert_int_equal(place->results.count, 2);
	assert_result(place, 1, "p.sha256", OUTPUT_UNCHANGED);
	assert_string_equal(text_of(place, "plugins/x/plugin.yaml"), "");
	/* Both are selected, and the plugin is no longer produced. */
	assert_true(commit(place, 2, &other, 1, false));
	assert_result(place, 1, "plugins/x/plugin.yaml", OUTPUT_REMOVED);
	assert_string_equal(text_of(place, "p.sha256"), HASH_ABC "  p.h\n");
	assert_int_equal(access(path_of(place, "plugins"), F_OK), -1);
}

static void assert_refused(struct place *place, const char *message)
{
	assert_int_equal(diags_exit_status(place->compilation.diags), 1);
	assert_int_equal(diags_count(place->compilation.diags), 1);
	struct diag_view view = diags_view(place->compilation.diags, 0);
	assert_int_equal(view.id, DIAG_OUTPUT);
	assert_string_equal(view.text, message);
	assert_null(text_of(place, "p.sha256"));
	assert_null(text_of(place, ".p.allowc"));
}

static void a_foreign_file_is_refused(void **state)
{
	struct place *place = *state;
	put(place, "p.h", "mine");
	assert_false(commit(place, 2, first, 2, false));
	assert_refused(place,
		       arena_printf(place->compilation.arena,
				    "'%s/p.h' is not allowc's own: it is neither listed in p.sha256 nor "
				    "marked as generated",
				    place->scratch.folder));
	assert_string_equal(text_of(place, "p.h"), "mine");
	assert_int_equal(access(path_of(place, "plugins"), F_OK), -1);
}

static void a_foreign_journal_is_refused(void **state)
{
	struct place *place = *state;
	put(place, ".p.allowc", "mine");
	assert_false(commit(place, 2, first, 2, false));
	assert_int_equal(diags_exit_status(place->compilation.diags), 1);
	assert_string_equal(text_of(place, ".p.allowc"), "mine");
	assert_null(text_of(place, "p.h"));
}

static void a_large_foreign_file_is_refused_unread(void **state)
{
	struct place *place = *state;
	put(place, "p.h", "/* Generated by allowc from p.allow */");
	assert_int_equal(truncate(path_of(place, "p.h"), (off_t)64 << 30), 0);
	assert_false(commit(place, 2, first, 2, false));
	assert_refused(place, arena_printf(place->compilation.arena,
					   "'%s/p.h' is too large to be allowc's own: more than 256 MiB",
					   place->scratch.folder));
}

static void a_name_like_a_temporary_makes_no_file_ours(void **state)
{
	struct place *place = *state;
	put(place, ".p.h.allowc", "mine");
	assert_false(commit(place, 2, first, 2, false));
	assert_refused(place, arena_printf(place->compilation.arena,
					   "'%s/.p.h.allowc' is in the way: that is where allowc puts 'p.h' "
					   "together",
					   place->scratch.folder));
	assert_string_equal(text_of(place, ".p.h.allowc"), "mine");
	assert_null(text_of(place, "p.h"));
	assert_int_equal(access(path_of(place, "plugins"), F_OK), -1);
}

static void a_mark_makes_it_ours(void **state)
{
	struct place *place = *state;
	put(place, "p.h", "/* Generated by allowc from p.allow; edited */\n");
	assert_true(commit(place, 2, first, 2, false));
	assert_string_equal(text_of(place, "p.h"), "abc");
}

#define HASH_OLD "06fc9c0ead6c7d49be5df37c3279f48cd6ff0e6bb7b48a8bc8f9e9ee0e5c9c61"

static void a_journal_makes_it_ours_and_goes(void **state)
{
	struct place *place = *state;
	/* A run was killed after its first rename: the plugin's temporary file lies about. */
	put(place, "p.h", "abc");
	assert_int_equal(mkdir(path_of(place, "plugins"), 0777), 0);
	assert_int_equal(mkdir(path_of(place, "plugins/x"), 0777), 0);
	put(place, "plugins/x/.plugin.yaml.allowc", "half");
	put(place, ".p.allowc",
	    "allowc journal 1\n- " HASH_ABC " p.h\n- " HASH_OLD " plugins/x/plugin.yaml\n- " HASH_OLD
	    " p.sha");
	struct artifact changed = { "header", "p.h", "abcd", 4, NULL };
	assert_true(commit(place, 2, &changed, 1, false));
	assert_string_equal(text_of(place, "p.h"), "abcd");
	assert_null(text_of(place, ".p.allowc"));
	assert_int_equal(access(path_of(place, "plugins"), F_OK), -1);
}

static void a_folder_that_cannot_be_made_is_trouble(void **state)
{
	struct place *place = *state;
	struct output_job job = { .compilation = &place->compilation,
				  .policy = &policy,
				  .selected = both,
				  .selected_count = 2,
				  .artifacts = { first, 2, 2 } };
	put(place, "file", "");
	assert_false(output_commit(path_of(place, "file/x"), &job, 1, false));
	assert_int_equal(diags_exit_status(place->compilation.diags), 2);
}

static void assert_check(struct place *place, bool current, const char *wanted)
{
	const struct output_job job = { .compilation = &place->compilation,
					.policy = &policy,
					.selected = both,
					.selected_count = 2,
					.artifacts = { first, 2, 2 } };
	struct strbuf out = STRBUF_INIT;
	bool got;
	assert_true(output_check(place->scratch.folder, &job, &out, &got));
	assert_int_equal(got, current);
	assert_string_equal(out.bytes, wanted);
	strbuf_release(&out);
}

static void a_check_shows_what_lags(void **state)
{
	struct place *place = *state;
	struct arena *arena = place->compilation.arena;
	struct artifact other = { "header", "p.h", "abc", 3, NULL };
	assert_true(commit(place, 2, &other, 1, false));
	assert_int_equal(unlink(path_of(place, "p.h")), 0);
	put(place, "p.h", "abcd");
	const char *folder = place->scratch.folder;
	assert_check(place, false,
		     arena_printf(arena,
				  "  edited     %s/p.h\n--- %s/p.h\n+++ %s/p.h\n@@ -1 +1 @@\n-abcd\n"
				  "\\ No newline at end of file\n+abc\n\\ No newline at end of file\n"
				  "  missing    %s/plugins/x/plugin.yaml\n"
				  "  stale      %s/p.sha256\n--- %s/p.sha256\n+++ %s/p.sha256\n"
				  "@@ -1 +1,2 @@\n " HASH_ABC "  p.h\n+" HASH_EMPTY
				  "  plugins/x/plugin.yaml\n",
				  folder, folder, folder, folder, folder, folder, folder));
	assert_string_equal(text_of(place, "p.h"), "abcd");
	assert_int_equal(unlink(path_of(place, "p.h")), 0);
	assert_true(commit(place, 2, first, 2, false));
	assert_check(place, true, "");
}

static void paths_are_joined_with_one_slash(void **state)
{
	struct place *place = *state;
	assert_string_equal(output_path(&place->compilation, "a", "b"), "a/b");
	assert_string_equal(output_path(&place->compilation, "/", "b"), "/b");
	assert_string_equal(output_manifest_name(&place->compilation, "phase7"), "phase7.sha256");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(everything_is_written_once, begin, end),
		cmocka_unit_test_setup_teardown(a_dry_run_writes_nothing, begin, end),
		cmocka_unit_test_setup_teardown(an_orphan_goes_and_others_stay, begin, end),
		cmocka_unit_test_setup_teardown(a_foreign_file_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(a_foreign_journal_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(a_large_foreign_file_is_refused_unread, begin, end),
		cmocka_unit_test_setup_teardown(a_name_like_a_temporary_makes_no_file_ours, begin, end),
		cmocka_unit_test_setup_teardown(a_mark_makes_it_ours, begin, end),
		cmocka_unit_test_setup_teardown(a_journal_makes_it_ours_and_goes, begin, end),
		cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_made_is_trouble, begin, end),
		cmocka_unit_test_setup_teardown(a_check_shows_what_lags, begin, end),
		cmocka_unit_test_setup_teardown(paths_are_joined_with_one_slash, begin, end),
	};
	return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
