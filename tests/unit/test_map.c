#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"

static void map_finds_what_was_put(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct map *map = map_new(arena, 0);
	enum { COUNT = 5000 };
	for (size_t i = 0; i < COUNT; i++) {
		char *key = arena_printf(arena, "key %zu", i);
		assert_null(map_find(map, key, strlen(key)));
		void **place = map_at(map, key, strlen(key));
		assert_null(*place);
		*place = key;
	}
	for (size_t i = 0; i < COUNT; i++) {
		char key[32];
		int size = snprintf(key, sizeof key, "key %zu", i);
		void **place = map_find(map, key, (size_t)size);
		assert_non_null(place);
		assert_string_equal((char *)*place, key);
		assert_ptr_equal(map_at(map, key, (size_t)size), place);
	}
	assert_null(map_find(map, "key", 3));
	arena_free(arena);
}

static void map_makes_room_and_keeps_its_keys(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct map *map = map_new(arena, 0);
	*map_at(map, "git", 3) = "first";
	*map_at(map, "", 0) = "empty";
	map_reserve(map, 1000);
	map_reserve(map, 1); /* never shrinks */
	assert_string_equal(*map_find(map, "git", 3), "first");
	assert_string_equal(*map_find(map, "", 0), "empty");
	assert_null(map_find(map, "gitleaks", 8));
	arena_free(arena);
}

/* Keys whose bytes differ in one place, before, at and after the hash's steps of eight. */
static void map_tells_each_byte(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct map *map = map_new(arena, 0);
	for (size_t i = 0; i < 20; i++) {
		char *key = arena_copy(arena, "aaaaaaaaaaaaaaaaaaaa", 20);
		key[i] = 'b';
		void **place = map_at(map, key, 20);
		assert_null(*place);
		*place = key;
	}
	assert_null(map_find(map, "aaaaaaaaaaaaaaaaaaaa", 20));
	assert_non_null(map_find(map, "aaaaaaabaaaaaaaaaaaa", 20));
	assert_null(map_find(map, "aaaaaaabaaaaaaaaaaaa", 19));
	arena_free(arena);
}

static void map_values_are_replaced_and_may_be_null(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct map *map = map_new(arena, 4);
	assert_null(map_value(map, "git", 3));
	*map_at(map, "git", 3) = "first";
	assert_string_equal(map_value(map, "gitleaks", 3), "first");
	*map_at(map, "git", 3) = "second";
	assert_string_equal(map_value(map, "git", 3), "second");
	*map_at(map, "git", 3) = NULL;
	assert_null(map_value(map, "git", 3));
	assert_non_null(map_find(map, "git", 3)); /* the key stays */
	arena_free(arena);
}

/* Names that meet in one slot by one seed are spread by another: nobody can choose them for a map. */
static void seeds_spread_what_was_chosen(void **state)
{
	(void)state;
	enum { CHOSEN = 64, SLOTS = 1024 };
	static unsigned char taken[SLOTS];
	unsigned chosen = 0, spread = 0;
	for (unsigned i = 0; chosen < CHOSEN; i++) {
		char key[32];
		size_t size = (size_t)snprintf(key, sizeof key, "command-%u", i);
		if (key_hash(key, size, 0) % SLOTS)
			continue;
		chosen++;
		unsigned slot = key_hash(key, size, 0x1234567890u) % SLOTS;
		spread += !taken[slot];
		taken[slot] = 1;
	}
	assert_true(spread > CHOSEN / 4 * 3);
}

/*
 * Twelve times sixteen bytes, each with or without three bits that lie so that what the first of them changes
 * in a product is what the two others change back: whatever the seed, names of this form must not meet.
 */
static void no_bits_take_each_other_back(void **state)
{
	(void)state;
	enum { PARTS = 12, NAMES = 1 << PARTS, SIZE = PARTS * 16, PLACES = 1 << 20 };
	static unsigned char taken[PLACES];
	unsigned apart = 0;
	for (unsigned i = 0; i < NAMES; i++) {
		char key[SIZE];
		memset(key, '1', sizeof key);
		for (unsigned part = 0; part < PARTS; part++)
			if (i >> part & 1)
				key[part * 16 + 7] = key[part * 16 + 11] = key[part * 16 + 15] = 'q';
		unsigned place = key_hash(key, sizeof key, 0x1234567890u) % PLACES;
		apart += !taken[place];
		taken[place] = 1;
	}
	assert_true(apart > NAMES / 100 * 98);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(map_finds_what_was_put),
		cmocka_unit_test(map_makes_room_and_keeps_its_keys),
		cmocka_unit_test(map_tells_each_byte),
		cmocka_unit_test(map_values_are_replaced_and_may_be_null),
		cmocka_unit_test(seeds_spread_what_was_chosen),
		cmocka_unit_test(no_bits_take_each_other_back),
	};
	return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
