/* A plan carried out, and taken back where the system refuses a part of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/output_write.h"
#include "tests/unit/output_folder.h"

static int begin(void **state)
{
	return output_folder_begin(state);
}

static int end(void **state)
{
	return output_folder_end(state);
}

static struct artifact artifacts[] = {
	{ "header", "p.h", "abc", 3, NULL },
	{ "plugins", "plugins/x/plugin.yaml", "", 0, NULL },
};

/* Plans and writes. */
static bool carry_out(struct output_folder *folder, size_t count)
{
	struct plan plan = output_folder_plan(folder, 2);
	assert_true(output_folder_make(&plan, artifacts, count));
	struct made_folders made = { 0 };
	if (plan_prepare(&plan, &made) && plan_finish(&plan) && plan_settle(&plan))
		return true;
	plan_undo(&plan);
	return false;
}

static void assert_text(struct output_folder *folder, const char *name, const char *text)
{
	const char *found = output_folder_text(folder, name);
	if (!text)
		assert_null(found);
	else
		assert_string_equal(found, text);
}

/* No journal and no temporary file. */
static void assert_cleared(struct output_folder *folder)
{
	assert_int_equal(scratch_run(&folder->scratch, "test -z \"$(find . -name '.*.allowc')\""), 0);
}

static void assert_trouble(const struct output_folder *folder, size_t index, const char *text)
{
	const struct diags *diags = folder->compilation.diags;
	assert_int_equal(diags_trouble_count(diags), index + 1);
	assert_string_equal(diags_trouble(diags, index), text);
}

static void what_is_planned_stands_afterwards(void **state)
{
	struct output_folder *folder = *state;
	assert_true(carry_out(folder, 2));
	assert_text(folder, "p.h", "abc");
	assert_text(folder, "plugins/x/plugin.yaml", "");
	assert_text(folder, "p.sha256", HASH_ABC "  p.h\n" HASH_EMPTY "  plugins/x/plugin.yaml\n");
	assert_cleared(folder);
}

static void what_does_not_change_is_not_touched(void **state)
{
	struct output_folder *folder = *state;
	struct stat before, after;
	assert_true(carry_out(folder, 1));
	assert_int_equal(fstatat(folder->fd, "p.h", &before, 0), 0);
	assert_true(carry_out(folder, 2));
	assert_int_equal(fstatat(folder->fd, "p.h", &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_text(folder, "plugins/x/plugin.yaml", "");
}

/* An artifact of an older run, with a mode that no new file gets. */
static void put_older(struct output_folder *folder)
{
	output_folder_put(folder, "p.h", "a");
	output_folder_put(folder, "p.sha256", HASH_A "  p.h\n");
	assert_int_equal(fchmodat(folder->fd, "p.h", 0640, 0), 0);
}

static void assert_mode_of_older(const struct output_folder *folder)
{
	struct stat status;
	assert_int_equal(fstatat(folder->fd, "p.h", &status, 0), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
}

static void a_file_that_is_replaced_keeps_its_mode(void **state)
{
	struct output_folder *folder = *state;
	put_older(folder);
	assert_true(carry_out(folder, 1));
	assert_text(folder, "p.h", "abc");
	assert_mode_of_older(folder);
}

static void an_orphan_goes_with_the_folders_that_it_leaves_empty(void **state)
{
	struct output_folder *folder = *state;
	assert_true(carry_out(folder, 2));
	assert_true(carry_out(folder, 1));
	assert_text(folder, "p.sha256", HASH_ABC "  p.h\n");
	assert_int_equal(faccessat(folder->fd, "plugins", F_OK, 0), -1);
	assert_cleared(folder);
}

/* A folder stands where the temporary file would. */
static void what_cannot_all_be_written_is_not_begun(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.h", "a");
	output_folder_put(folder, "p.sha256", HASH_A "  p.h\n");
	assert_int_equal(scratch_run(&folder->scratch, "mkdir -p plugins/x/.plugin.yaml.allowc/full"), 0);
	struct plan plan = output_folder_plan(folder, 2);
	assert_false(output_folder_make(&plan, artifacts, 2));
	assert_text(folder, "p.h", "a");
	assert_text(folder, "p.sha256", HASH_A "  p.h\n");
	assert_int_equal(scratch_run(&folder->scratch, "rm -r plugins/x/.plugin.yaml.allowc"), 0);
	assert_cleared(folder);
}

static void what_a_killed_run_left_is_cleared_up(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.h", "abc");
	output_folder_put(folder, ".p.h.allowc", "ab");
	output_folder_put(folder, "p.sha256", HASH_ABC "  p.h\n");
	output_folder_put(folder, ".p.allowc", "allowc journal 1\n" HASH_A " " HASH_ABC " p.h\n");
	assert_true(carry_out(folder, 1)); /* nothing to write, and yet */
	assert_cleared(folder);
	assert_text(folder, "p.h", "abc");
}

/* Written up to the rename of the second file, which a folder keeps from its place. */
static struct plan fail_late(struct output_folder *folder)
{
	struct plan plan = output_folder_plan(folder, 2);
	struct made_folders made = { 0 };
	assert_true(output_folder_make(&plan, artifacts, 2));
	assert_true(plan_prepare(&plan, &made));
	assert_int_equal(scratch_run(&folder->scratch, "mkdir plugins/x/plugin.yaml"), 0);
	assert_false(plan_finish(&plan));
	assert_text(folder, "p.h", "abc");
	assert_trouble(folder, 0, "cannot replace 'out/plugins/x/plugin.yaml': Is a directory");
	return plan;
}

static void what_was_replaced_is_put_back(void **state)
{
	struct output_folder *folder = *state;
	put_older(folder);
	struct plan plan = fail_late(folder);
	plan_undo(&plan);
	assert_text(folder, "p.h", "a");
	assert_text(folder, "p.sha256", HASH_A "  p.h\n");
	assert_mode_of_older(folder);
	assert_cleared(folder);
}

static void what_was_not_there_goes_again(void **state)
{
	struct output_folder *folder = *state;
	struct plan plan = fail_late(folder);
	plan_undo(&plan);
	assert_text(folder, "p.h", NULL);
	assert_text(folder, "p.sha256", NULL);
	assert_cleared(folder);
}

/* The journal stays: the next run knows the file by it. */
static void what_cannot_be_put_back_is_in_the_journal(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.h", "a");
	output_folder_put(folder, "p.sha256", HASH_A "  p.h\n");
	struct plan plan = fail_late(folder);
	assert_int_equal(scratch_run(&folder->scratch, "mkdir -p .p.h.allowc/full"), 0);
	plan_undo(&plan);
	assert_trouble(folder, 1, "cannot put back 'out/p.h': File exists");
	assert_text(folder, "p.h", "abc");
	assert_non_null(output_folder_text(folder, ".p.allowc"));
	assert_int_equal(scratch_run(&folder->scratch, "rm -r .p.h.allowc plugins/x/plugin.yaml"), 0);
	assert_true(carry_out(folder, 2));
	assert_text(folder, "p.sha256", HASH_ABC "  p.h\n" HASH_EMPTY "  plugins/x/plugin.yaml\n");
	assert_cleared(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_planned_stands_afterwards, begin, end),
		cmocka_unit_test_setup_teardown(what_does_not_change_is_not_touched, begin, end),
		cmocka_unit_test_setup_teardown(a_file_that_is_replaced_keeps_its_mode, begin, end),
		cmocka_unit_test_setup_teardown(an_orphan_goes_with_the_folders_that_it_leaves_empty, begin,
						end),
		cmocka_unit_test_setup_teardown(what_cannot_all_be_written_is_not_begun, begin, end),
		cmocka_unit_test_setup_teardown(what_a_killed_run_left_is_cleared_up, begin, end),
		cmocka_unit_test_setup_teardown(what_was_replaced_is_put_back, begin, end),
		cmocka_unit_test_setup_teardown(what_was_not_there_goes_again, begin, end),
		cmocka_unit_test_setup_teardown(what_cannot_be_put_back_is_in_the_journal, begin, end),
	};
	return cmocka_run_group_tests_name("output_write", tests, NULL, NULL);
}
