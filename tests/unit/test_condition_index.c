/* Which of many conditions holds first: found by values, and held against trying one after another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "backends/filter/condition_index.h"
#include "compiler/base/arena.h"

enum { CONDITIONS = 40, COMPARISONS = 3 };

/* Conditions on the arguments of x86_64. */
struct conditions {
	struct condition items[CONDITIONS];
	struct comparison comparisons[CONDITIONS][COMPARISONS];
	const struct condition *pointers[CONDITIONS];
	size_t count;
};

/* A row of tests ends with one whose mask is 0. */
static void conditions_add(struct conditions *conditions, const struct argument_test *tests)
{
	size_t at = conditions->count++, count = 0;
	assert_true(at < CONDITIONS);
	for (; count < COMPARISONS && tests[count].mask; count++)
		conditions->comparisons[at][count].on[ABI_X86_64] = tests[count];
	conditions->items[at] =
		(struct condition){ .comparisons = conditions->comparisons[at], .count = count };
	conditions->pointers[at] = count ? &conditions->items[at] : NULL;
}

static size_t first(const struct conditions *conditions, bool hidden, const uint64_t *arguments)
{
	struct arena *arena = arena_new();
	const struct condition_index *index =
		condition_index_new(arena, conditions->pointers, conditions->count, ABI_X86_64, hidden);
	size_t found = condition_index_first(index, arguments);
	arena_free(arena);
	return found;
}

#define ALL UINT64_MAX
#define FIRST(conditions, ...) first(conditions, false, (const uint64_t[6]){ __VA_ARGS__ })
#define ADD(conditions, ...)                                                                                 \
	conditions_add(conditions, (const struct argument_test[COMPARISONS]){ __VA_ARGS__ })

static void none_holds_of_none(void **state)
{
	(void)state;
	const struct conditions none = { .count = 0 };
	assert_int_equal(FIRST(&none, 0), SIZE_MAX);
}

static void the_first_decides_whatever_it_is_found_by(void **state)
{
	(void)state;
	struct conditions test = { .count = 0 };
	ADD(&test, { 0, 64, COMPARISON_EQ, ALL, 7 }, { 1, 64, COMPARISON_GT, ALL, 3 });
	ADD(&test, { 0, 64, COMPARISON_EQ, ALL, 5 });
	ADD(&test, { 0, 64, COMPARISON_LT, ALL, 9 });
	ADD(&test, { 0, 64, COMPARISON_EQ, ALL, 7 });
	ADD(&test, { 0, 64, COMPARISON_EQ, 0xf, 12 });
	ADD(&test, { 1, 64, COMPARISON_EQ, ALL, 1 });
	assert_int_equal(FIRST(&test, 7, 4), 0);
	assert_int_equal(FIRST(&test, 7, 3), 2);
	assert_int_equal(FIRST(&test, 5, 9), 1);
	assert_int_equal(FIRST(&test, 12, 1), 4);
	assert_int_equal(FIRST(&test, 0xffc, 0), 4);
	assert_int_equal(FIRST(&test, 0xffd, 1), 5);
	assert_int_equal(FIRST(&test, 0xffd, 0), SIZE_MAX);
	assert_int_equal(FIRST(&test, 1ull << 32 | 5, 0), SIZE_MAX);
}

/* A value with bits beyond the mask is one that no argument has. */
static void what_does_not_fit_never_holds(void **state)
{
	(void)state;
	struct conditions test = { .count = 0 };
	ADD(&test, { 0, 32, COMPARISON_EQ, UINT32_MAX, 1ull << 32 | 5 });
	assert_int_equal(FIRST(&test, 5), SIZE_MAX);
	assert_int_equal(FIRST(&test, 1ull << 32 | 5), SIZE_MAX);
}

static void one_without_tests_always_holds(void **state)
{
	(void)state;
	struct conditions test = { .count = 0 };
	ADD(&test, { 0, 64, COMPARISON_EQ, ALL, 7 });
	ADD(&test, { .mask = 0 });
	ADD(&test, { 0, 64, COMPARISON_EQ, ALL, 8 });
	assert_int_equal(FIRST(&test, 7), 0);
	assert_int_equal(FIRST(&test, 8), 1);
	assert_int_equal(FIRST(&test, 9), 1);
}

static void a_hidden_argument_is_what_the_caller_says(void **state)
{
	(void)state;
	struct conditions test = { .count = 0 };
	const uint64_t seven[6] = { 7 }, eight[6] = { 8 }, nine[6] = { 9 };
	ADD(&test, { 0, 64, COMPARISON_EQ, ALL, 7 });
	ADD(&test, { 0, 64, COMPARISON_EQ, ALL, 8 }, { -1, 64, COMPARISON_EQ, ALL, 8 });
	ADD(&test, { 0, 64, COMPARISON_EQ, ALL, 9 });
	assert_int_equal(first(&test, true, seven), 0);
	assert_int_equal(first(&test, true, nine), 1);
	assert_int_equal(first(&test, false, eight), SIZE_MAX);
	assert_int_equal(first(&test, false, nine), 2);
}

/* ---- against one after another ---- */

static uint64_t draw(uint64_t *seed, uint64_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % below;
}

static bool compares(const struct argument_test *test, uint64_t argument)
{
	argument &= test->mask;
	const bool answers[COMPARISON_COUNT] = {
		[COMPARISON_EQ] = argument == test->value,
		[COMPARISON_NE] = argument != test->value,
		[COMPARISON_LT] = argument<test->value, [COMPARISON_LE] = argument <= test->value,
					   [COMPARISON_GT] = argument>
					  test->value,
		[COMPARISON_GE] = argument >= test->value,
		[COMPARISON_ANY] = argument != 0,
	};
	return answers[test->operator];
}

static size_t first_of_all(const struct conditions *conditions, const uint64_t *arguments)
{
	for (size_t i = 0; i < conditions->count; i++) {
		bool holds = true;
		for (size_t k = 0; k < conditions->items[i].count; k++) {
			const struct argument_test *test = &conditions->comparisons[i][k].on[ABI_X86_64];
			holds = holds && compares(test, arguments[test->index]);
		}
		if (holds)
			return i;
	}
	return SIZE_MAX;
}

/* Few arguments, masks and values, and `==` most of the time, so that conditions meet often. */
static void conditions_draw(struct conditions *conditions, uint64_t *seed)
{
	static const uint64_t masks[] = { ALL, ALL, UINT32_MAX, 3, 6 };
	conditions->count = 0;
	for (size_t count = draw(seed, CONDITIONS); count > 0; count--) {
		struct argument_test tests[COMPARISONS] = { { .mask = 0 } };
		for (size_t i = 0, some = 1 + draw(seed, COMPARISONS); i < some; i++)
			tests[i] = (struct argument_test){
				.index = (int)draw(seed, 2),
				.bits = 64,
				.operator= draw(seed, 3)
					? COMPARISON_EQ
					: (enum comparison_operator)draw(seed, COMPARISON_COUNT),
				.mask = masks[draw(seed, 5)],
				.value = draw(seed, 8),
			};
		conditions_add(conditions, tests);
	}
}

static void many_are_as_one_after_another(void **state)
{
	(void)state;
	uint64_t seed = 1;
	size_t found = 0;
	for (size_t round = 0; round < 300; round++) {
		struct conditions test;
		conditions_draw(&test, &seed);
		struct arena *arena = arena_new();
		const struct condition_index *index =
			condition_index_new(arena, test.pointers, test.count, ABI_X86_64, false);
		for (uint64_t at = 0; at < 100; at++) {
			const uint64_t arguments[6] = { at % 10, at / 10 };
			size_t place = condition_index_first(index, arguments);
			assert_int_equal(place, first_of_all(&test, arguments));
			found += place != SIZE_MAX;
		}
		arena_free(arena);
	}
	assert_in_range(found, 3000, 27000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_holds_of_none),
		cmocka_unit_test(the_first_decides_whatever_it_is_found_by),
		cmocka_unit_test(what_does_not_fit_never_holds),
		cmocka_unit_test(one_without_tests_always_holds),
		cmocka_unit_test(a_hidden_argument_is_what_the_caller_says),
		cmocka_unit_test(many_are_as_one_after_another),
	};
	return cmocka_run_group_tests_name("condition_index", tests, NULL, NULL);
}
