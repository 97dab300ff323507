/* The levels of `expect strength`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/policy/strength_level.h"

static void test_words(void **state)
{
	(void)state;
	enum strength strength;
	assert_string_equal(strength_words(STRENGTH_HOLES), "enforced with holes");
	assert_string_equal(strength_meaning(STRENGTH_ADVISORY), "it holds for callers that ask");
	assert_true(strength_find("enforced with holes", &strength));
	assert_int_equal(strength, STRENGTH_HOLES);
	assert_true(strength_find("none", &strength));
	assert_int_equal(strength, STRENGTH_NONE);
	assert_false(strength_find("Enforced", &strength));
	assert_false(strength_find("", &strength));
	assert_string_equal(strength_nearest("advisry"), "advisory");
	assert_null(strength_nearest("strong"));
}

static void test_order(void **state)
{
	(void)state;
	assert_true(strength_is_less(STRENGTH_NONE, STRENGTH_ADVISORY));
	assert_true(strength_is_less(STRENGTH_ADVISORY, STRENGTH_MECHANISM));
	assert_true(strength_is_less(STRENGTH_MECHANISM, STRENGTH_HOLES));
	assert_true(strength_is_less(STRENGTH_HOLES, STRENGTH_ENFORCED));
	assert_false(strength_is_less(STRENGTH_ENFORCED, STRENGTH_ENFORCED));
	assert_false(strength_is_less(STRENGTH_ENFORCED, STRENGTH_NONE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_order),
	};
	return cmocka_run_group_tests_name("strength_level", tests, NULL, NULL);
}
