#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"

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

static void strbuf_grows_by_what_is_asked(void **state)
{
	(void)state;
	struct strbuf buffer = STRBUF_INIT;
	strbuf_reserve(&buffer, 100000);
	assert_int_equal(buffer.size, 0);
	assert_true(buffer.capacity > 100000);
	const char *bytes = buffer.bytes;
	strbuf_add_fill(&buffer, 'x', 100000);
	assert_ptr_equal(buffer.bytes, bytes);
	assert_int_equal(strlen(buffer.bytes), 100000);
	strbuf_release(&buffer);
}

/* The bytes outlive the buffer, which begins anew; also those of a buffer that never had any. */
static void strbuf_gives_its_bytes_away(void **state)
{
	(void)state;
	struct strbuf buffer = STRBUF_INIT;
	char *none = strbuf_detach(&buffer);
	strbuf_add_text(&buffer, "abc");
	char *some = strbuf_detach(&buffer);
	assert_int_equal(buffer.size, 0);
	assert_string_equal(buffer.bytes, "");
	strbuf_add_text(&buffer, "de");
	assert_string_equal(none, "");
	assert_string_equal(some, "abc");
	assert_string_equal(buffer.bytes, "de");
	free(none);
	free(some);
	strbuf_release(&buffer);
}

static void strbuf_leaves_its_text_in_an_arena(void **state)
{
	(void)state;
	struct strbuf buffer = STRBUF_INIT;
	struct arena *arena = arena_new();
	const char *none = strbuf_keep(&buffer, arena);
	strbuf_add_text(&buffer, "abc");
	const char *some = strbuf_keep(&buffer, arena);
	assert_int_equal(buffer.size, 0);
	strbuf_add_text(&buffer, "de");
	assert_string_equal(none, "");
	assert_string_equal(some, "abc");
	assert_string_equal(buffer.bytes, "de");
	strbuf_release(&buffer);
	arena_free(arena);
}

static void strbuf_prints_more_than_it_has_room_for(void **state)
{
	(void)state;
	struct strbuf buffer = STRBUF_INIT;
	for (int i = 0; i < 1000; i++)
		strbuf_printf(&buffer, "%04d", i);
	assert_int_equal(buffer.size, 4000);
	for (int i = 0; i < 1000; i++) {
		char digits[5] = { 0 };
		memcpy(digits, buffer.bytes + (size_t)i * 4, 4);
		assert_int_equal(atoi(digits), i);
	}
	strbuf_release(&buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strbuf_holds_what_is_added),
		cmocka_unit_test(strbuf_grows_by_what_is_asked),
		cmocka_unit_test(strbuf_gives_its_bytes_away),
		cmocka_unit_test(strbuf_leaves_its_text_in_an_arena),
		cmocka_unit_test(strbuf_prints_more_than_it_has_room_for),
	};
	return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
