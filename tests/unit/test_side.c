/* Sides of a comparison from files: what is opened, what is refused, and what options do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/diag_data.h"
#include "compiler/diff/side.h"
#include "compiler/options.h"
#include "compiler/policy/policy.h"
#include "tests/unit/scratch.h"

static struct scratch scratch;

static int folder_begin(void **state)
{
	(void)state;
	static const char policy[] = "policy p\ndecisions \"adr\"\nallow git  adr 1\n";
	if (!scratch_begin(&scratch) || chdir(scratch.folder) != 0)
		return 1;
	bool good = scratch_write(&scratch, "p.allow", policy, sizeof policy - 1) &&
		    scratch_write(&scratch, "a:b", policy, sizeof policy - 1) &&
		    scratch_write(&scratch, "broken", "policy\n", 7) &&
		    scratch_write(&scratch, "cut", "{", 1);
	return !good || scratch_run(&scratch, "mkdir adr && echo '# 1. T' >adr/0001-t.md");
}

static int folder_end(void **state)
{
	(void)state;
	if (chdir("/") == 0)
		scratch_end(&scratch);
	return 0;
}

static struct side open_side(const char *argument, const char *const *warnings, size_t count)
{
	struct side side;
	const struct options options = {
		.max_errors = 20, .warnings = (const char **)warnings, .warning_count = count
	};
	side_open(&side, argument, &options);
	return side;
}

static void assert_trouble(const char *argument, const char *wanted)
{
	struct side side = open_side(argument, NULL, 0);
	assert_null(side.policy);
	assert_int_equal(diags_trouble_count(side.compilation.diags), 1);
	assert_string_equal(diags_trouble(side.compilation.diags, 0), wanted);
	side_end(&side);
}

static void a_file_is_a_side_whatever_its_adrs_say(void **state)
{
	(void)state;
	struct side side = open_side("p.allow", NULL, 0);
	assert_non_null(side.policy);
	assert_false(side.policy->saved);
	assert_string_equal(side.label, "");
	assert_int_equal(diags_errors_of(side.compilation.diags, DIAG_ADR_STATUS), 1);
	assert_int_equal(diags_warnings(side.compilation.diags), 0);
	side_end(&side);
}

static void a_file_with_a_colon_goes_before_a_revision(void **state)
{
	(void)state;
	struct side side = open_side("a:b", NULL, 0);
	assert_non_null(side.policy);
	assert_null(side.revision);
	side_end(&side);
}

static void what_is_asked_for_is_reported_and_no_side_is_lost_by_it(void **state)
{
	(void)state;
	static const char *const warn[] = { "reason" }, *const error[] = { "no-adr-status", "error=reason" };
	struct side side = open_side("p.allow", warn, 1);
	assert_int_equal(diags_warnings(side.compilation.diags), 1);
	side_end(&side);
	side = open_side("p.allow", error, 2);
	assert_non_null(side.policy);
	assert_int_equal(diags_errors(side.compilation.diags), 1);
	side_end(&side);
}

static void what_is_no_side(void **state)
{
	(void)state;
	assert_trouble(":p.allow", "cannot read ':p.allow': no revision stands before the ':'");
	assert_trouble("cut", "cannot read 'cut': line 1, column 1: string or '}' expected near end of file");
	struct side side = open_side("broken", NULL, 0);
	assert_null(side.policy);
	assert_int_equal(diags_trouble_count(side.compilation.diags), 0);
	assert_true(diags_errors(side.compilation.diags) > 0);
	side_end(&side);
	side = open_side("gone", NULL, 0);
	assert_null(side.policy);
	assert_true(diags_in_trouble(side.compilation.diags));
	side_end(&side);
}

static void standard_input_is_in_no_revision(void **state)
{
	(void)state;
	struct side side;
	const struct options options = { .max_errors = 20 };
	side_open_in(&side, "main", "-", &options);
	assert_null(side.policy);
	assert_string_equal(diags_trouble(side.compilation.diags, 0),
			    "standard input is in no revision: --base needs the policy's file");
	side_end(&side);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_a_side_whatever_its_adrs_say),
		cmocka_unit_test(a_file_with_a_colon_goes_before_a_revision),
		cmocka_unit_test(what_is_asked_for_is_reported_and_no_side_is_lost_by_it),
		cmocka_unit_test(what_is_no_side),
		cmocka_unit_test(standard_input_is_in_no_revision),
	};
	return cmocka_run_group_tests_name("side", tests, folder_begin, folder_end);
}
