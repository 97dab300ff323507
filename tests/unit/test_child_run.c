/* A program that is asked once: what it answers, how it ends, and what becomes of those that it leaves. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/child.h"
#include "compiler/base/child_run.h"

enum { SECONDS = 20, MOST = 1000 };

static struct child_answer run(struct arena *arena, const char *script, const char *input)
{
	const char *const words[] = { "sh", "-c", script, NULL };
	const char *const environment[] = { "PATH=/usr/bin:/bin", NULL };
	const struct child_order order = {
		.path = "/bin/sh",
		.arguments = words,
		.environment = environment,
		.folder = "/",
		.input = input,
		.input_size = strlen(input),
		.seconds = SECONDS,
		.most = MOST,
	};
	return child_run(arena, &order);
}

static void check(const char *script, const char *input, enum child_end end, int status, const char *output)
{
	struct arena *arena = arena_new();
	struct child_answer answer = run(arena, script, input);
	assert_int_equal(answer.end, end);
	assert_int_equal(answer.status, status);
	assert_string_equal(answer.output.bytes, output);
	strbuf_release(&answer.output);
	strbuf_release(&answer.errors);
	arena_free(arena);
}

static void it_reads_and_answers(void **state)
{
	(void)state;
	check("cat; pwd; echo $HOME", "asked\n", CHILD_EXITED, 0, "asked\n/\n\n");
	check("echo; exit 7", "", CHILD_EXITED, 7, "\n");
	check("exec <&-; echo", "nobody reads this", CHILD_EXITED, 0, "\n");
	check("kill -KILL $$", "", CHILD_KILLED, SIGKILL, "");
}

/* More than a pipe holds, in both directions, and nobody waits for the other. */
static void neither_waits_for_the_other(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	enum { SIZE = 1000000 };
	char *input = arena_alloc(arena, SIZE + 1);
	memset(input, 'x', SIZE);
	check("head -c 500000 /dev/zero >&2; wc -c | tr -d ' '", input, CHILD_EXITED, 0, "1000000\n");
	arena_free(arena);
}

static void too_much_is_cut_and_it_is_killed(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct child_answer answer = run(arena, "echo why >&2; exec cat /dev/zero", "");
	assert_int_equal(answer.end, CHILD_LOUD);
	assert_int_equal(answer.output.size, MOST);
	assert_string_equal(answer.errors.bytes, "why\n");
	assert_false(answer.errors_cut);
	strbuf_release(&answer.output);
	strbuf_release(&answer.errors);
	arena_free(arena);
}

static void complaints_are_cut(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct child_answer answer = run(arena, "head -c 1000000 /dev/zero >&2; echo done", "");
	assert_int_equal(answer.end, CHILD_EXITED);
	assert_string_equal(answer.output.bytes, "done\n");
	assert_int_equal(answer.errors.size, 64 * 1024);
	assert_true(answer.errors_cut);
	strbuf_release(&answer.output);
	strbuf_release(&answer.errors);
	arena_free(arena);
}

/* Where the caller ignores the signals that tell of ends. */
static void ignored_signals_change_nothing(void **state)
{
	(void)state;
	signal(SIGCHLD, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	check("exit 3", "", CHILD_EXITED, 3, "");
	check("kill -PIPE $$", "", CHILD_KILLED, SIGPIPE, "");
	assert_ptr_equal(signal(SIGCHLD, SIG_DFL), SIG_IGN);
	assert_ptr_equal(signal(SIGPIPE, SIG_DFL), SIG_IGN);
	sigset_t blocked;
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	assert_false(sigismember(&blocked, SIGPIPE) || sigismember(&blocked, SIGTERM));
}

static void what_is_no_program_is_trouble(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *const arguments[] = { "passwd", NULL }, *const none[] = { NULL };
	const struct child_order order = { .path = "/etc/passwd",
					   .arguments = arguments,
					   .environment = none,
					   .input = "",
					   .seconds = SECONDS };
	struct child_answer answer = child_run(arena, &order);
	/* valgrind makes a fork of vfork(2), where a failed exec shows as an exit. */
	const char *preload = getenv("LD_PRELOAD");
	bool forked = preload && strstr(preload, "vgpreload");
	assert_int_equal(answer.end, forked ? CHILD_EXITED : CHILD_TROUBLE);
	assert_int_equal(answer.status, forked ? 127 : EACCES);
	arena_free(arena);
}

static void programs_are_found_in_absolute_folders(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	char *before = getenv("PATH");
	before = before ? strdup(before) : NULL;
	setenv("PATH", ":.:bin:/nowhere:/bin", 1);
	assert_string_equal(child_find(arena, "sh"), "/bin/sh");
	assert_null(child_find(arena, "no-such-program"));
	assert_int_equal(errno, ENOENT);
	setenv("PATH", "/", 1);
	assert_null(child_find(arena, "bin"));
	setenv("PATH", "/etc:/usr", 1);
	assert_null(child_find(arena, "passwd"));
	assert_int_equal(errno, EACCES);
	if (before)
		setenv("PATH", before, 1);
	free(before);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_and_answers),
		cmocka_unit_test(neither_waits_for_the_other),
		cmocka_unit_test(too_much_is_cut_and_it_is_killed),
		cmocka_unit_test(complaints_are_cut),
		cmocka_unit_test(ignored_signals_change_nothing),
		cmocka_unit_test(what_is_no_program_is_trouble),
		cmocka_unit_test(programs_are_found_in_absolute_folders),
	};
	return cmocka_run_group_tests_name("child_run", tests, NULL, NULL);
}
