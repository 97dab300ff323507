#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"

static void arena_memory_is_zeroed_and_aligned(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (size_t size = 1; size < 300000; size = size * 3 + 1) {
		unsigned char *bytes = arena_alloc(arena, size);
		assert_int_equal((size_t)bytes % _Alignof(uint64_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(bytes[i], 0);
		memset(bytes, 0xff, size);
	}
	assert_string_equal(arena_printf(arena, "%s-%d", "x", 7), "x-7");
	assert_string_equal(arena_copy(arena, "abcdef", 3), "abc");
	assert_string_equal(arena_joined(arena, "phase7", "", "/", "0015"), "phase7/0015");
	assert_string_equal(arena_joined(arena, ""), "");
	arena_free(arena);
	arena_free(NULL);
}

static void arena_arrays_grow_and_keep_their_items(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	size_t *items = NULL, count = 0, capacity = 0;
	for (; count < 1000; count++) {
		items = arena_grow(arena, items, count, &capacity, sizeof *items);
		items[count] = count;
	}
	for (size_t i = 0; i < count; i++)
		assert_int_equal(items[i], i);
	arena_free(arena);
}

static void reserved_room_is_exact_and_keeps_what_is_there(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	size_t capacity = 0, *items = arena_reserve(arena, NULL, 0, &capacity, 3, sizeof *items);
	assert_int_equal(capacity, 3);
	items[0] = 7;
	items[1] = 8;
	assert_ptr_equal(arena_reserve(arena, items, 2, &capacity, 1, sizeof *items), items);
	items = arena_reserve(arena, items, 2, &capacity, 5, sizeof *items);
	assert_int_equal(capacity, 7);
	assert_int_equal(items[0], 7);
	assert_int_equal(items[1], 8);
	arena_free(arena);
}

static void packed_texts_stand_apart(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *empty = arena_text(arena, "", 0), *git = arena_text(arena, "gitleaks", 3);
	char large[2000];
	memset(large, 'x', sizeof large);
	const char *copies[1000];
	for (size_t i = 0; i < 1000; i++)
		copies[i] = arena_text(arena, large, i);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(strlen(copies[i]), i);
	assert_string_equal(git, "git");
	assert_string_equal(empty, "");
	assert_int_equal(strlen(arena_text(arena, large, sizeof large)), 2000);
	arena_free(arena);
}

static void a_product_of_zero_is_memory_too(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	assert_non_null(arena_array(arena, 0, 8));
	assert_non_null(arena_alloc(arena, 0));
	int *numbers = arena_array(arena, 100, sizeof *numbers);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(numbers[i], 0);
	arena_free(arena);
}

static void a_cleared_arena_gives_zeroed_bytes_again(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	arena_clear(arena); /* nothing to clear */
	for (size_t round = 0; round < 3; round++) {
		for (size_t size = 1; size <= 1024 * 1024; size *= 4) {
			unsigned char *bytes = arena_alloc(arena, size);
			for (size_t i = 0; i < size; i++)
				assert_int_equal(bytes[i], 0);
			memset(bytes, 0xff, size);
		}
		assert_string_equal(arena_text(arena, "text", 4), "text");
		arena_clear(arena);
	}
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cleared_arena_gives_zeroed_bytes_again),
		cmocka_unit_test(arena_memory_is_zeroed_and_aligned),
		cmocka_unit_test(arena_arrays_grow_and_keep_their_items),
		cmocka_unit_test(reserved_room_is_exact_and_keeps_what_is_there),
		cmocka_unit_test(packed_texts_stand_apart),
		cmocka_unit_test(a_product_of_zero_is_memory_too),
	};
	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
