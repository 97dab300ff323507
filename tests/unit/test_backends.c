/* The table of backends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/backend.h"

static void test_order_and_defaults(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool by_default;
	} expected[] = {
		{ "c-header", true }, { "seccomp", true },     { "bpf", true },   { "oci-seccomp", false },
		{ "python", true },   { "plugin-yaml", true }, { "json", false }, { "listing", false },
		{ "names", false },   { "markdown", false }, { "spo", false },
	};
	assert_int_equal(backend_count, sizeof expected / sizeof *expected);
	for (size_t i = 0; i < backend_count; i++) {
		assert_string_equal(backends[i]->name, expected[i].name);
		assert_int_equal(backends[i]->by_default, expected[i].by_default);
		assert_true(strlen(backends[i]->summary) > 0);
	}
}

static void test_find(void **state)
{
	(void)state;
	assert_ptr_equal(backend_find("python"), &backend_python);
	assert_null(backend_find("Python"));
	assert_null(backend_find(""));
	assert_string_equal(backend_nearest("pyton"), "python");
	assert_string_equal(backend_nearest("c_header"), "c-header");
	assert_null(backend_nearest("helicopter"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_and_defaults),
		cmocka_unit_test(test_find),
	};
	return cmocka_run_group_tests_name("backends", tests, NULL, NULL);
}
