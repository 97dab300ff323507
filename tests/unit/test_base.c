/* arena, strbuf, map, utf8 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/utf8.h"

static void arena_memory_is_zeroed_and_aligned(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (size_t size = 1; size < 300000; size = size * 3 + 1) {
		unsigned char *bytes = arena_alloc(arena, size);
		assert_int_equal((size_t)bytes % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(bytes[i], 0);
		memset(bytes, 0xff, size);
	}
	assert_string_equal(arena_printf(arena, "%s-%d", "x", 7), "x-7");
	assert_string_equal(arena_copy(arena, "abcdef", 3), "abc");
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

static void strbuf_holds_what_is_added(void **state)
{
	(void)state;
	struct strbuf buffer = STRBUF_INIT;
	assert_string_equal(buffer.bytes, "");
	strbuf_add(&buffer, "", 0);
	assert_string_equal(buffer.bytes, "");
	strbuf_add_text(&buffer, "ab");
	strbuf_add_char(&buffer, 'c');
	strbuf_add_fill(&buffer, '-', 3);
	strbuf_printf(&buffer, "%0200d", 5);
	assert_int_equal(buffer.size, 206);
	assert_memory_equal(buffer.bytes, "abc---000", 9);
	assert_int_equal(buffer.bytes[205], '5');
	assert_int_equal(buffer.bytes[206], '\0');
	strbuf_add(&buffer, "\0z", 2);
	assert_int_equal(buffer.size, 208);
	strbuf_release(&buffer);
	assert_int_equal(buffer.size, 0);
	assert_string_equal(buffer.bytes, "");
	strbuf_release(&buffer);
}

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

static void utf8_is_read_strictly(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t size, length;
		uint32_t code;
	} cases[] = {
		{ "a", 1, 1, 'a' },
		{ "\xc3\xa9", 2, 2, 0xe9 },
		{ "\xe2\x82\xac", 3, 3, 0x20ac },
		{ "\xf0\x9f\x98\x80", 4, 4, 0x1f600 },
		{ "\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff },
		{ "\xc3", 1, 0, 0 },             /* cut short */
		{ "\xc0\x80", 2, 0, 0 },         /* overlong */
		{ "\xc1\xbf", 2, 0, 0 },         /* overlong */
		{ "\xe0\x9f\xbf", 3, 0, 0 },     /* overlong */
		{ "\xf0\x8f\xbf\xbf", 4, 0, 0 }, /* overlong */
		{ "\xed\xa0\x80", 3, 0, 0 },     /* surrogate */
		{ "\xf4\x90\x80\x80", 4, 0, 0 }, /* too large */
		{ "\x80", 1, 0, 0 },             /* a tail alone */
		{ "\xff", 1, 0, 0 },
		{ "\xe2\x28\xa1", 3, 0, 0 },
		{ "", 0, 0, 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t code = 0;
		assert_int_equal(utf8_decode(cases[i].bytes, cases[i].size, &code), cases[i].length);
		if (!cases[i].length)
			continue;
		assert_int_equal(code, cases[i].code);
		struct strbuf again = STRBUF_INIT;
		utf8_add(&again, code);
		assert_int_equal(again.size, cases[i].size);
		assert_memory_equal(again.bytes, cases[i].bytes, again.size);
		strbuf_release(&again);
	}
}

static void hidden_characters_are_known(void **state)
{
	(void)state;
	assert_true(utf8_is_control(0));
	assert_true(utf8_is_control(0x1b));
	assert_true(utf8_is_control(0x7f));
	assert_true(utf8_is_control(0x85));
	assert_false(utf8_is_control('\t'));
	assert_false(utf8_is_control('\n'));
	assert_true(utf8_is_bidi(0x202e));
	assert_true(utf8_is_bidi(0x2066));
	assert_true(utf8_is_bidi(0x61c));
	assert_false(utf8_is_bidi(0x2014));
	assert_true(utf8_is_invisible(0xa0));
	assert_true(utf8_is_invisible(0x200b));
	assert_true(utf8_is_invisible(0x2028));
	assert_true(utf8_is_invisible(0xfeff));
	assert_false(utf8_is_invisible(0xe9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_memory_is_zeroed_and_aligned),
		cmocka_unit_test(arena_arrays_grow_and_keep_their_items),
		cmocka_unit_test(strbuf_holds_what_is_added),
		cmocka_unit_test(map_finds_what_was_put),
		cmocka_unit_test(map_makes_room_and_keeps_its_keys),
		cmocka_unit_test(map_tells_each_byte),
		cmocka_unit_test(packed_texts_stand_apart),
		cmocka_unit_test(utf8_is_read_strictly),
		cmocka_unit_test(hidden_characters_are_known),
	};
	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
