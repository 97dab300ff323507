#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"
#include "tests/unit/scratch.h"

static void assert_position(const struct source *source, uint32_t offset, unsigned line, unsigned column)
{
	struct position position = source_position(source, offset);
	assert_int_equal(position.line, line);
	assert_int_equal(position.column, column);
	assert_int_equal(source_line_number(source, offset), line);
}

/* "é" and "€" are one column each, of two and three bytes; a tab is one. */
static void columns_are_characters(void **state)
{
	(void)state;
	static const char text[] = "a\xc3\xa9\xe2\x82\xac"
				   "b\n\tc\n\nd";
	struct arena *arena = arena_new();
	struct sources *sources = sources_new(arena);
	const struct source *source = sources_add(sources, "x", text, sizeof text - 1);
	assert_position(source, 0, 1, 1);
	assert_position(source, 1, 1, 2);
	assert_position(source, 3, 1, 3);
	assert_position(source, 6, 1, 4);
	assert_position(source, 9, 2, 2);
	assert_position(source, 11, 3, 1);
	assert_position(source, 12, 4, 1);
	assert_position(source, 13, 4, 2);
	arena_free(arena);
}

/* The first question is of a line behind, or of the last byte, or of none: each time in a source of its own. */
static void lines_are_found_as_they_are_asked_for(void **state)
{
	(void)state;
	static const char text[] = "a\nbc\n\nd\n";
	struct arena *arena = arena_new();
	struct sources *sources = sources_new(arena);
	const struct source *source = sources_add(sources, "x", text, sizeof text - 1);
	struct span third = source_line(source, 3), fourth = source_line(source, 4);
	assert_int_equal(third.begin, 5);
	assert_int_equal(third.end, 5);
	assert_int_equal(fourth.begin, 6);
	assert_int_equal(fourth.end, 7);
	assert_position(source, 3, 2, 2);
	assert_position(source, 0, 1, 1);
	source = sources_add(sources, "y", text, sizeof text - 1);
	assert_position(source, 8, 5, 1);
	assert_position(source, 1, 1, 2);
	assert_position(source, 5, 3, 1);
	struct span last = source_line(source, 5);
	assert_int_equal(last.begin, 8);
	assert_int_equal(last.end, 8);
	source = sources_add(sources, "z", text, 0);
	assert_position(source, 0, 1, 1);
	assert_int_equal(source_line(source, 1).end, 0);
	arena_free(arena);
}

/* A stray continuation, a lead without its rest, then "é": asked in any order, each byte has its place. */
static void bytes_that_are_no_utf8_are_a_column_each(void **state)
{
	(void)state;
	static const char text[] = "a\x80\x80\xe2\xc3\xa9z";
	static const unsigned columns[] = { 1, 2, 3, 4, 5, 6, 6, 7 }; /* inside "é" is after it */
	struct arena *arena = arena_new();
	struct sources *sources = sources_new(arena);
	const struct source *source = sources_add(sources, "x", text, sizeof text - 1);
	for (uint32_t first = 0; first < 8; first++) {
		for (uint32_t second = 0; second < 8; second++) {
			assert_position(source, first, 1, columns[first]);
			assert_position(source, second, 1, columns[second]);
		}
	}
	arena_free(arena);
}

static void lines_end_before_their_ends(void **state)
{
	(void)state;
	static const char text[] = "one\r\ntwo\n\nfour";
	struct arena *arena = arena_new();
	const struct source *source = sources_add(sources_new(arena), "x", text, sizeof text - 1);
	static const struct {
		unsigned line;
		const char *text;
	} lines[] = { { 1, "one" }, { 2, "two" }, { 3, "" }, { 4, "four" } };
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct span span = source_line(source, lines[i].line);
		size_t size = span.end - span.begin;
		assert_int_equal(size, strlen(lines[i].text));
		assert_memory_equal(text + span.begin, lines[i].text, size);
	}
	arena_free(arena);
}

static void sources_keep_their_order_and_are_read_once(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct sources *sources = sources_new(arena);
	const struct source *first = sources_add(sources, "b.allow", "1", 1);
	const struct source *second = sources_add(sources, "a.allow", "2", 1);
	assert_ptr_equal(sources_load(sources, "b.allow"), first);
	assert_int_equal(sources_count(sources), 2);
	assert_ptr_equal(sources_get(sources, 1), second);
	assert_int_equal(second->index, 1);
	arena_free(arena);
}

static void a_mark_of_the_byte_order_is_no_text(void **state)
{
	(void)state;
	struct scratch scratch = { "" };
	struct arena *arena = arena_new();
	struct sources *sources = sources_new(arena);
	assert_true(scratch_begin(&scratch));
	assert_true(scratch_write(&scratch, "x.allow", "\xef\xbb\xbfpolicy x", 11));
	const struct source *source =
		sources_load(sources, arena_printf(arena, "%s/x.allow", scratch.folder));
	assert_non_null(source);
	assert_string_equal(source->text, "policy x");
	assert_int_equal(source->size, 8);
	scratch_end(&scratch);
	arena_free(arena);
}

static void what_cannot_be_read_says_why(void **state)
{
	(void)state;
	struct scratch scratch = { "" };
	struct arena *arena = arena_new();
	struct sources *sources = sources_new(arena);
	assert_true(scratch_begin(&scratch));
	errno = 0;
	assert_null(sources_load(sources, arena_printf(arena, "%s/none.allow", scratch.folder)));
	assert_int_equal(errno, ENOENT);
	assert_null(sources_load(sources, scratch.folder));
	assert_int_equal(errno, EISDIR);
	assert_int_equal(sources_count(sources), 0);
	scratch_end(&scratch);
	arena_free(arena);
}

static void paths_start_at_the_folder_of_the_file(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	assert_string_equal(path_beside(arena, "policies/x.allow", "../adr"), "policies/../adr");
	assert_string_equal(path_beside(arena, "x.allow", "y.allow"), "y.allow");
	assert_string_equal(path_beside(arena, "policies/x.allow", "/srv/adr"), "/srv/adr");
	assert_string_equal(path_base("a/b/c.allow"), "c.allow");
	assert_string_equal(path_base("c.allow"), "c.allow");
	assert_string_equal(path_base("a/"), "");
	assert_true(path_ends_with("a/b.c", ".c") && path_ends_with(".c", ".c"));
	assert_false(path_ends_with("c", ".c") || path_ends_with("b.c/d", ".c"));
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_characters),
		cmocka_unit_test(lines_are_found_as_they_are_asked_for),
		cmocka_unit_test(bytes_that_are_no_utf8_are_a_column_each),
		cmocka_unit_test(lines_end_before_their_ends),
		cmocka_unit_test(sources_keep_their_order_and_are_read_once),
		cmocka_unit_test(a_mark_of_the_byte_order_is_no_text),
		cmocka_unit_test(what_cannot_be_read_says_why),
		cmocka_unit_test(paths_start_at_the_folder_of_the_file),
	};
	return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
