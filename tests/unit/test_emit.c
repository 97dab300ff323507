#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/filter/emit.h"
#include "compiler/base/arena.h"

static void assert_program(const struct emitter *emitter, const struct instruction *want, size_t count)
{
	const struct instruction *got = emit_program(emitter);
	assert_int_equal(emitter->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(got[i].code, want[i].code);
		assert_int_equal(got[i].jump_true, want[i].jump_true);
		assert_int_equal(got[i].jump_false, want[i].jump_false);
		assert_int_equal(got[i].constant, want[i].constant);
	}
}

static void equal_returns_are_written_once(void **state)
{
	struct emitter emitter = { .arena = *state };
	size_t one = emit_return(&emitter, 1);
	size_t two = emit_return(&emitter, 2);
	assert_int_equal(emit_return(&emitter, 1), one);
	emit_load(&emitter, EMIT_NUMBER, emit_test(&emitter, TEST_GE, 9, one, two));
	const struct instruction want[] = {
		{ 0x20, 0, 0, 0 },
		{ 0x35, 1, 0, 9 },
		{ 0x06, 0, 0, 2 },
		{ 0x06, 0, 0, 1 },
	};
	assert_program(&emitter, want, 4);
}

static void equal_tests_are_written_once(void **state)
{
	struct emitter emitter = { .arena = *state };
	size_t one = emit_return(&emitter, 1), two = emit_return(&emitter, 2);
	size_t test = emit_test(&emitter, TEST_SET, 1, one, two);
	assert_int_equal(emit_test(&emitter, TEST_SET, 1, one, two), test);
	assert_int_not_equal(emit_test(&emitter, TEST_SET, 1, two, one), test);
	assert_int_not_equal(emit_test(&emitter, TEST_SET, 3, one, two), test);
	assert_int_not_equal(emit_test(&emitter, TEST_EQ, 1, one, two), test);
	assert_int_equal(emitter.count, 6);
}

/* Loads stand for any instructions between a jump and its targets. */
static void fill(struct emitter *emitter, size_t count)
{
	while (count-- > 0)
		emit_load(emitter, EMIT_ARCH, emitter->count - 1);
}

static void the_farthest_jump_is_255(void **state)
{
	struct emitter emitter = { .arena = *state };
	size_t one = emit_return(&emitter, 1);
	fill(&emitter, 255);
	size_t test = emit_test(&emitter, TEST_EQ, 7, one, 255);
	assert_int_equal(test, 256);
	assert_int_equal(emitter.items[test].jump_true, 255);
	assert_int_equal(emitter.items[test].jump_false, 0);
}

/* A copy of the return costs no call anything. */
static void a_far_return_is_copied(void **state)
{
	struct emitter emitter = { .arena = *state };
	size_t one = emit_return(&emitter, 1);
	fill(&emitter, 256);
	size_t test = emit_test(&emitter, TEST_EQ, 7, one, 256);
	assert_int_equal(test, 258);
	assert_int_equal(emitter.items[257].code, 0x06);
	assert_int_equal(emitter.items[257].constant, 1);
	assert_int_equal(emitter.items[test].jump_true, 0);
	assert_int_equal(emitter.items[test].jump_false, 1);
}

static void a_far_test_is_reached_by_a_jump(void **state)
{
	struct emitter emitter = { .arena = *state };
	size_t one = emit_return(&emitter, 1);
	size_t far = emit_test(&emitter, TEST_GE, 3, one, one);
	fill(&emitter, 300);
	size_t test = emit_test(&emitter, TEST_EQ, 7, 301, far);
	assert_int_equal(test, 303);
	assert_int_equal(emitter.items[302].code, 0x05);
	assert_int_equal(302 - 1 - emitter.items[302].constant, far);
	assert_int_equal(emitter.items[test].jump_true, 1);
	assert_int_equal(emitter.items[test].jump_false, 0);
}

/* Bringing one target near moves the other out of reach. */
static void two_far_targets_are_both_brought_near(void **state)
{
	struct emitter emitter = { .arena = *state };
	size_t one = emit_return(&emitter, 1);
	size_t two = emit_return(&emitter, 2);
	fill(&emitter, 255);
	size_t test = emit_test(&emitter, TEST_EQ, 7, two, one);
	const struct instruction *item = &emitter.items[test];
	assert_int_equal(emitter.items[test - 1 - item->jump_true].constant, 2);
	assert_int_equal(emitter.items[test - 1 - item->jump_false].constant, 1);
	assert_int_equal(emitter.count, 260);
}

static void a_load_falls_through(void **state)
{
	struct emitter emitter = { .arena = *state };
	size_t one = emit_return(&emitter, 1);
	emit_return(&emitter, 2);
	emit_load(&emitter, EMIT_NUMBER, one);
	const struct instruction want[] = {
		{ 0x20, 0, 0, 0 },
		{ 0x06, 0, 0, 1 },
		{ 0x06, 0, 0, 2 },
		{ 0x06, 0, 0, 1 },
	};
	assert_program(&emitter, want, 4);
}

/* The test that the load is for was written earlier, for another token: a copy saves the jump to it. */
static void a_load_before_a_written_test_repeats_it(void **state)
{
	struct emitter emitter = { .arena = *state };
	size_t one = emit_return(&emitter, 1), two = emit_return(&emitter, 2);
	size_t test = emit_test(&emitter, TEST_EQ, 7, one, two);
	fill(&emitter, 1);
	emit_load(&emitter, EMIT_NUMBER, test);
	const struct instruction want[] = {
		{ 0x20, 0, 0, 0 }, { 0x15, 3, 2, 7 }, { 0x20, 0, 0, 4 },
		{ 0x15, 1, 0, 7 }, { 0x06, 0, 0, 2 }, { 0x06, 0, 0, 1 },
	};
	assert_program(&emitter, want, 6);
}

static void a_test_whose_targets_are_far_is_jumped_to(void **state)
{
	struct emitter emitter = { .arena = *state };
	size_t one = emit_return(&emitter, 1), two = emit_return(&emitter, 2);
	size_t test = emit_test(&emitter, TEST_EQ, 7, one, two);
	fill(&emitter, 253); /* the copy would stand at 256, and 255 before `one` is 256 - 1 - 255 = 0 */
	emit_load(&emitter, EMIT_NUMBER, test);
	assert_int_equal(emitter.items[256].code, 0x15);
	assert_int_equal(emitter.items[256].jump_true, 255);
	assert_int_equal(emitter.items[256].jump_false, 254);
	emit_load(&emitter, EMIT_NUMBER, test);
	assert_int_equal(emitter.items[258].code, 0x05);
	assert_int_equal(258 - 1 - emitter.items[258].constant, test);
}

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(equal_returns_are_written_once, begin, end),
		cmocka_unit_test_setup_teardown(equal_tests_are_written_once, begin, end),
		cmocka_unit_test_setup_teardown(the_farthest_jump_is_255, begin, end),
		cmocka_unit_test_setup_teardown(a_far_return_is_copied, begin, end),
		cmocka_unit_test_setup_teardown(a_far_test_is_reached_by_a_jump, begin, end),
		cmocka_unit_test_setup_teardown(two_far_targets_are_both_brought_near, begin, end),
		cmocka_unit_test_setup_teardown(a_load_falls_through, begin, end),
		cmocka_unit_test_setup_teardown(a_load_before_a_written_test_repeats_it, begin, end),
		cmocka_unit_test_setup_teardown(a_test_whose_targets_are_far_is_jumped_to, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
