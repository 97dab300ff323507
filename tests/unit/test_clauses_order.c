/* Clauses that decide alike come into one order, and none that decides otherwise does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/diff/clauses_order.h"

static const struct action allow = { .kind = ACTION_ALLOW }, kill_it = { .kind = ACTION_KILL };

#define EQUALS(number, what)                                                                                 \
	{                                                                                                    \
		.index = (number), .bits = 32, .operator= COMPARISON_EQ, .mask = UINT32_MAX, .value = (what) \
	}

static const struct argument_test one[] = { EQUALS(0, 1) }, two[] = { EQUALS(0, 2) },
				  three[] = { EQUALS(1, 1) }, both[] = { EQUALS(0, 2), EQUALS(1, 1) },
				  turned[] = { EQUALS(1, 1), EQUALS(0, 2) },
				  again[] = { EQUALS(1, 1), EQUALS(0, 2), EQUALS(1, 1) };

#define CLAUSE(tests, action)                                                                                \
	{                                                                                                    \
		(tests), sizeof(tests) / sizeof *(tests), (action)                                           \
	}
#define CLAUSES(items)                                                                                       \
	{                                                                                                    \
		(items), sizeof(items) / sizeof *(items), kill_it, false                                     \
	}

static bool equal_in_order(struct clauses first, struct clauses second)
{
	struct arena *arena = arena_new();
	first = clauses_order(arena, &first);
	second = clauses_order(arena, &second);
	bool equal = clauses_equal(&first, &second);
	arena_free(arena);
	return equal;
}

static void test_order_and_repetition_say_nothing(void **state)
{
	(void)state;
	const struct clause a[] = { CLAUSE(one, allow), CLAUSE(both, allow), CLAUSE(three, allow) };
	const struct clause b[] = { CLAUSE(again, allow), CLAUSE(three, allow), CLAUSE(one, allow),
				    CLAUSE(turned, allow) };
	const struct clauses first = CLAUSES(a), second = CLAUSES(b);
	assert_false(clauses_equal(&first, &second));
	assert_true(equal_in_order(first, second));
}

static void test_the_first_action_decides(void **state)
{
	(void)state;
	const struct clause a[] = { CLAUSE(one, kill_it), CLAUSE(three, allow) };
	const struct clause b[] = { CLAUSE(three, allow), CLAUSE(one, kill_it) };
	const struct clauses first = CLAUSES(a), second = CLAUSES(b);
	assert_false(equal_in_order(first, second));
}

static void test_what_is_tested_counts(void **state)
{
	(void)state;
	const struct clause a[] = { CLAUSE(one, allow), CLAUSE(three, allow) },
			    b[] = { CLAUSE(two, allow), CLAUSE(three, allow) }, c[] = { CLAUSE(both, allow) },
			    d[] = { CLAUSE(two, allow), CLAUSE(three, allow) }, e[] = { CLAUSE(one, allow) };
	const struct clauses first = CLAUSES(a), second = CLAUSES(b), third = CLAUSES(c), fourth = CLAUSES(d),
			     fifth = CLAUSES(e);
	assert_false(equal_in_order(first, second));
	assert_false(equal_in_order(third, fourth));
	assert_false(equal_in_order(first, fifth));
	assert_true(equal_in_order(second, fourth));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_and_repetition_say_nothing),
		cmocka_unit_test(test_the_first_action_decides),
		cmocka_unit_test(test_what_is_tested_counts),
	};
	return cmocka_run_group_tests_name("clauses_order", tests, NULL, NULL);
}
