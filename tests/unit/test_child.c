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
		cmocka_unit_test(it_sees_only_what_it_is_given),
		cmocka_unit_test(it_is_looked_for_in_absolute_folders_alone),
	};
	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
