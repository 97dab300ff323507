#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/base/date.h"

static void a_date_is_a_day_that_exists(void **state)
{
	(void)state;
	static const char *const right[] = { "2026-11-29", "2024-02-29", "2000-02-29", "0001-01-01",
					     "9999-12-31" };
	static const char *const wrong[] = { "2026-02-29", "1900-02-29",  "2026-13-01", "2026-00-10",
					     "2026-04-31", "2026-1-01",   "2026-01-00", "26-01-01",
					     "2026/01/01", "2026-01-01x", "0000-01-01", "" };
	for (size_t i = 0; i < sizeof right / sizeof *right; i++)
		assert_true(date_is_valid(right[i]));
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(date_is_valid(wrong[i]));
}

static void a_form_is_a_start(void **state)
{
	(void)state;
	assert_true(date_is_formed("2026-02-31 or so", 16));
	assert_true(date_is_formed("2026-02-31x", DATE_SIZE));
	assert_false(date_is_formed("2026-02-31", DATE_SIZE - 1));
	assert_false(date_is_formed("2026-2-31x", DATE_SIZE));
	assert_false(date_exists("2026-02-31"));
	assert_true(date_exists("2026-01-31T00:00"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_date_is_a_day_that_exists),
		cmocka_unit_test(a_form_is_a_start),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
