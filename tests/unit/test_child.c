/* A program beside the test: the talk, its end, its complaints, where it is looked for. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/child.h"

static const char *const nothing[] = { NULL };

static struct child start(struct arena *arena, const char *script, const char *const *environment)
{
	const char *const words[] = { "sh", "-c", script, NULL };
	struct child child;
	assert_int_equal(child_start(arena, words, environment, &child), 0);
	return child;
}

static void it_answers(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct child child = start(arena, "read -r line && printf 'got %s\\nmore' \"$line\"", nothing);
	char line[64], more[5] = "";
	assert_int_equal(child_send(&child, "hello\n", 6), 0);
	assert_int_equal(child_receive_line(&child, line, sizeof line), 0);
	assert_string_equal(line, "got hello");
	assert_int_equal(child_receive(&child, more, 4), 0);
	assert_string_equal(more, "more");
	assert_int_equal(child_receive(&child, more, 1), EPIPE);
	assert_int_equal(child_end(&child), 0);
	arena_free(arena);
}

static void a_line_that_is_too_long_is_no_line(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct child child = start(arena, "echo 0123456789", nothing);
	char line[8];
	assert_int_equal(child_receive_line(&child, line, sizeof line), EPROTO);
	child_end(&child);
	arena_free(arena);
}

static void what_it_complains_of_is_kept_and_its_end_is_no_signal(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct child child = start(arena, "echo first >&2; echo second >&2; exit 3", nothing);
	char line[8];
	assert_int_equal(child_receive_line(&child, line, sizeof line), EPIPE);
	assert_string_equal(child_complaint(arena, &child), "first");
	assert_int_equal(child_send(&child, "x", 1), EPIPE); /* and not SIGPIPE */
	assert_int_equal(child_end(&child), 3);
	arena_free(arena);
}

static void one_that_is_killed_or_closes_early_says_no_more(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	char line[8];
	struct child killed = start(arena, "kill -9 $$", nothing);
	assert_int_equal(child_receive_line(&killed, line, sizeof line), EPIPE);
	assert_string_equal(child_complaint(arena, &killed), "");
	assert_int_equal(child_end(&killed), -1);
	struct child closed = start(arena, "exec <&- >&-; exit 4", nothing);
	assert_int_equal(child_receive(&closed, line, 1), EPIPE);
	assert_int_equal(child_end(&closed), 4);
	struct child half = start(arena, "printf half", nothing);
	assert_int_equal(child_receive_line(&half, line, sizeof line), EPIPE);
	assert_int_equal(child_end(&half), 0);
	arena_free(arena);
}

/* More than any buffer between the two holds, in both directions. */
static void much_is_said_and_heard(void **state)
{
	(void)state;
	enum { SIZE = 3 * 1000 * 1000 };
	struct arena *arena = arena_new();
	char *bytes = arena_alloc(arena, SIZE);
	memset(bytes, 'x', SIZE);
	struct child child = start(arena, "head -c 3000000 | wc -c; head -c 3000000 /dev/zero", nothing);
	char line[32];
	assert_int_equal(child_send(&child, bytes, SIZE), 0);
	assert_int_equal(child_receive_line(&child, line, sizeof line), 0);
	assert_int_equal(atoi(line), SIZE);
	assert_int_equal(child_receive(&child, bytes, SIZE), 0);
	assert_int_equal(bytes[SIZE - 1], 0);
	assert_int_equal(child_end(&child), 0);
	arena_free(arena);
}

/* Who is still writing when nobody listens gets a signal, and does not keep its parent waiting. */
static void one_that_is_left_while_it_talks_ends(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct child child = start(arena, "exec cat /dev/zero", nothing);
	char byte;
	assert_int_equal(child_receive(&child, &byte, 1), 0);
	assert_int_equal(child_end(&child), -1);
	arena_free(arena);
}

static void it_sees_only_what_it_is_given(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *const given[] = { "GIVEN=yes", NULL };
	setenv("SECRET", "x", 1);
	struct child child = start(arena, "echo \"$GIVEN$SECRET${PATH:+path}\"", given);
	char line[64];
	assert_int_equal(child_receive_line(&child, line, sizeof line), 0);
	assert_string_equal(line, "yespath");
	assert_int_equal(child_end(&child), 0);
	arena_free(arena);
}

static void it_is_looked_for_in_absolute_folders_alone(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *const words[] = { "sh", NULL };
	struct child child;
	char *path = strdup(getenv("PATH"));
	setenv("PATH", ":.:bin:/nowhere", 1);
	assert_int_equal(child_start(arena, words, nothing, &child), ENOENT);
	setenv("PATH", path, 1);
	free(path);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_answers),
		cmocka_unit_test(a_line_that_is_too_long_is_no_line),
		cmocka_unit_test(what_it_complains_of_is_kept_and_its_end_is_no_signal),
		cmocka_unit_test(one_that_is_killed_or_closes_early_says_no_more),
		cmocka_unit_test(much_is_said_and_heard),
		cmocka_unit_test(one_that_is_left_while_it_talks_ends),
		cmocka_unit_test(it_sees_only_what_it_is_given),
		cmocka_unit_test(it_is_looked_for_in_absolute_folders_alone),
	};
	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
