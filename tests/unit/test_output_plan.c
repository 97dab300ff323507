/* What a run would do to the output folder; nothing is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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

static const char both_listed[] = HASH_ABC "  p.h\n" HASH_EMPTY "  plugins/x/plugin.yaml\n";

static void assert_step(const struct plan *plan, size_t index, const char *path, enum output_state state)
{
	assert_true(index < plan->step_count);
	assert_string_equal(plan->steps[index].path, path);
	assert_int_equal(plan->steps[index].state, state);
}

/* The only diagnostic of the compilation. */
static void assert_one(const struct output_folder *folder, enum diag_id id)
{
	assert_int_equal(diags_count(folder->compilation.diags), 1);
	assert_int_equal(diags_view(folder->compilation.diags, 0).id, id);
}

static void into_an_empty_folder_all_is_written_and_the_list_last(void **state)
{
	struct output_folder *folder = *state;
	struct plan plan = output_folder_plan(folder, 2);
	assert_true(output_folder_make(&plan, artifacts, 2));
	assert_true(plan_changes(&plan));
	assert_int_equal(plan.step_count, 3);
	assert_step(&plan, 0, "p.h", OUTPUT_WRITTEN);
	assert_string_equal(plan.steps[0].hash, HASH_ABC);
	assert_null(plan.steps[0].old_hash);
	assert_step(&plan, 1, "plugins/x/plugin.yaml", OUTPUT_WRITTEN);
	assert_step(&plan, 2, "p.sha256", OUTPUT_WRITTEN);
	assert_string_equal(plan.steps[2].bytes, both_listed);
	assert_null(output_folder_text(folder, "p.h"));
}

static void a_folder_that_is_not_there_is_an_empty_one(void **state)
{
	struct output_folder *folder = *state;
	struct plan plan = output_folder_plan(folder, 2);
	plan.fd = -1;
	assert_true(output_folder_make(&plan, artifacts, 2));
	assert_int_equal(plan.step_count, 3);
	assert_step(&plan, 2, "p.sha256", OUTPUT_WRITTEN);
}

static void what_stands_already_is_unchanged(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.h", "abc");
	output_folder_put(folder, "p.sha256", HASH_ABC "  p.h\n");
	struct plan plan = output_folder_plan(folder, 1);
	assert_true(output_folder_make(&plan, artifacts, 1));
	assert_false(plan_changes(&plan));
	assert_step(&plan, 0, "p.h", OUTPUT_UNCHANGED);
	assert_step(&plan, 1, "p.sha256", OUTPUT_UNCHANGED);
}

static void a_file_of_ours_is_replaced_and_a_strangers_is_not(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.h", "a");
	struct plan plan = output_folder_plan(folder, 1);
	assert_false(output_folder_make(&plan, artifacts, 1));
	assert_one(folder, DIAG_OUTPUT);
	output_folder_put(folder, "p.sha256", HASH_A "  p.h\n");
	plan = output_folder_plan(folder, 1);
	assert_true(output_folder_make(&plan, artifacts, 1));
	assert_step(&plan, 0, "p.h", OUTPUT_WRITTEN);
	assert_string_equal(plan.steps[0].old_hash, HASH_A);
	assert_false(plan.steps[0].unclaimed);
}

static void a_check_goes_on_after_a_strangers_file(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.h", "a");
	struct plan plan = output_folder_plan(folder, 1);
	plan.checking = true;
	assert_true(output_folder_make(&plan, artifacts, 1));
	assert_true(plan.steps[0].unclaimed);
	assert_int_equal(diags_count(folder->compilation.diags), 0);
}

static void the_mark_makes_a_file_ours(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.h", "/* " GENERATED_MARK "p.allow */\nint edited;\n");
	struct plan plan = output_folder_plan(folder, 1);
	assert_true(output_folder_make(&plan, artifacts, 1));
	assert_step(&plan, 0, "p.h", OUTPUT_WRITTEN);
}

static void an_orphan_goes_unless_it_was_edited(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.h", "abc");
	output_folder_put(folder, "p.old", "a");
	output_folder_put(folder, "p.sha256", HASH_ABC "  p.h\n" HASH_A "  p.old\n");
	struct plan plan = output_folder_plan(folder, 1);
	assert_true(output_folder_make(&plan, artifacts, 1));
	assert_int_equal(plan.step_count, 3);
	assert_step(&plan, 1, "p.old", OUTPUT_REMOVED);
	assert_string_equal(plan.steps[2].bytes, HASH_ABC "  p.h\n");
	output_folder_put(folder, "p.old", "edited");
	plan = output_folder_plan(folder, 1);
	assert_true(output_folder_make(&plan, artifacts, 1));
	assert_one(folder, DIAG_ORPHAN);
	assert_int_equal(plan.step_count, 2);
	assert_step(&plan, 1, "p.sha256", OUTPUT_UNCHANGED);
}

static void what_a_backend_that_is_not_selected_wrote_stays_listed(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.sha256", both_listed);
	struct plan plan = output_folder_plan(folder, 1);
	assert_true(output_folder_make(&plan, artifacts, 1));
	assert_int_equal(plan.step_count, 2);
	assert_string_equal(plan.steps[1].bytes, both_listed);
}

/* A run that was killed wrote "a"; both hashes of its journal count as ours. */
static void a_journal_claims_for_a_killed_run(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.h", "a");
	output_folder_put(folder, ".p.allowc", "allowc journal 1\n- " HASH_A " p.h\n");
	struct plan plan = output_folder_plan(folder, 1);
	assert_true(output_folder_make(&plan, artifacts, 1));
	assert_true(plan.journal.exists);
	assert_false(plan.steps[0].unclaimed);
}

static void lists_that_are_none_are_refused(void **state)
{
	struct output_folder *folder = *state;
	output_folder_put(folder, "p.sha256", "notes\n");
	struct plan plan = output_folder_plan(folder, 1);
	assert_false(output_folder_make(&plan, artifacts, 1));
	assert_one(folder, DIAG_OUTPUT);
	assert_int_equal(unlinkat(folder->fd, "p.sha256", 0), 0);
	output_folder_put(folder, ".p.allowc", "notes\n");
	plan = output_folder_plan(folder, 1);
	assert_false(output_folder_make(&plan, artifacts, 1));
	assert_int_equal(diags_count(folder->compilation.diags), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(into_an_empty_folder_all_is_written_and_the_list_last, begin,
						end),
		cmocka_unit_test_setup_teardown(a_folder_that_is_not_there_is_an_empty_one, begin, end),
		cmocka_unit_test_setup_teardown(what_stands_already_is_unchanged, begin, end),
		cmocka_unit_test_setup_teardown(a_file_of_ours_is_replaced_and_a_strangers_is_not, begin,
						end),
		cmocka_unit_test_setup_teardown(a_check_goes_on_after_a_strangers_file, begin, end),
		cmocka_unit_test_setup_teardown(the_mark_makes_a_file_ours, begin, end),
		cmocka_unit_test_setup_teardown(an_orphan_goes_unless_it_was_edited, begin, end),
		cmocka_unit_test_setup_teardown(what_a_backend_that_is_not_selected_wrote_stays_listed, begin,
						end),
		cmocka_unit_test_setup_teardown(a_journal_claims_for_a_killed_run, begin, end),
		cmocka_unit_test_setup_teardown(lists_that_are_none_are_refused, begin, end),
	};
	return cmocka_run_group_tests_name("output_plan", tests, NULL, NULL);
}
