/* Packages whose program has another name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/data/packages.h"

static void test_find(void **state)
{
	(void)state;
	size_t count;
	const struct package *found = packages_find("ripgrep", &count);
	assert_int_equal(count, 1);
	assert_string_equal(found->program, "rg");
	assert_string_equal(found->source, "Debian package ripgrep");
	found = packages_find("fd-find", &count);
	assert_int_equal(count, 2);
	assert_string_equal(found[0].program, "fd");
	assert_string_equal(found[1].program, "fdfind");
	packages_find("ack-grep", &count); /* the first and the last of the table */
	assert_int_equal(count, 1);
	packages_find("xz-utils", &count);
	assert_int_equal(count, 1);
}

static void test_programs_are_no_packages(void **state)
{
	(void)state;
	static const char *const names[] = { "rg", "", "Ripgrep", "ripgre", "ripgrepx", "zzz" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t count = 7;
		packages_find(names[i], &count);
		assert_int_equal(count, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_programs_are_no_packages),
	};
	return cmocka_run_group_tests_name("packages", tests, NULL, NULL);
}
