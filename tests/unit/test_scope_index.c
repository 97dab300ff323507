#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/policy/scope_index.h"

static int begin(void **state)
{
	*state = arena_new();
	return 0;
}

static int end(void **state)
{
	arena_free(*state);
	return 0;
}

static const char *spelt(const struct scope_index *index, const char *spelling, bool expected_several)
{
	bool several;
	const char *found = scope_index_spelt(index, spelling, &several);
	assert_int_equal(several, expected_several);
	return found;
}

static void the_only_scope_is_found_by_each_spelling(void **state)
{
	struct scope_index index = scope_index_new(*state);
	scope_index_add(&index, "phase2", "two");
	scope_index_add(&index, "Tools", "tools");
	assert_string_equal(scope_index_named(&index, "phase2"), "two");
	assert_null(scope_index_named(&index, "P2"));
	assert_string_equal(spelt(&index, "phase2", false), "two");
	assert_string_equal(spelt(&index, "P2", false), "two");
	assert_string_equal(spelt(&index, "02-x", false), "two");
	assert_string_equal(spelt(&index, "tools", false), "tools");
	assert_null(spelt(&index, "phase3", false));
	assert_null(spelt(&index, "tool", false));
}

static void of_several_none_is_meant_but_by_its_name(void **state)
{
	struct scope_index index = scope_index_new(*state);
	scope_index_add(&index, "phase2", "two");
	scope_index_add(&index, "P2", "other");
	scope_index_add(&index, "phase-2", "third");
	assert_string_equal(spelt(&index, "phase2", false), "two");
	assert_string_equal(spelt(&index, "P2", false), "other");
	assert_string_equal(spelt(&index, "phase-2", false), "third");
	assert_null(spelt(&index, "02", true));
}

static void of_one_name_the_first_counts(void **state)
{
	struct scope_index index = scope_index_new(*state);
	scope_index_add(&index, "phase2", "first");
	scope_index_add(&index, "phase2", "second");
	assert_string_equal(spelt(&index, "phase2", false), "first");
	assert_string_equal(spelt(&index, "02", false), "first");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_only_scope_is_found_by_each_spelling, begin, end),
		cmocka_unit_test_setup_teardown(of_several_none_is_meant_but_by_its_name, begin, end),
		cmocka_unit_test_setup_teardown(of_one_name_the_first_counts, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
