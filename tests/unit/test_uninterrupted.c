/* Signals that stop a program wait until the work is done, and then do what they do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/uninterrupted.h"

enum { REACHED = 7 };

/* A process that gets the signal inside the work, and says whether it came to its end. Its wait status. */
static int stopped_by(int number, int reached)
{
	pid_t child = fork();
	if (child == 0) {
		struct uninterrupted work = uninterrupted_begin();
		raise(number);
		ssize_t written = write(reached, "x", 1);
		uninterrupted_end(&work);
		_exit(written == 1 ? REACHED : 0);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void the_work_ends_before_the_process(void **state)
{
	(void)state;
	const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		int ends[2];
		char byte = 0;
		assert_int_equal(pipe(ends), 0);
		signal(signals[i], SIG_DFL); /* nohup, and a shell's background, leave some ignored */
		int status = stopped_by(signals[i], ends[1]);
		close(ends[1]);
		assert_int_equal(read(ends[0], &byte, 1), 1);
		close(ends[0]);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), signals[i]);
	}
}

static void a_signal_that_is_ignored_stays_so(void **state)
{
	(void)state;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	signal(SIGINT, SIG_IGN);
	int status = stopped_by(SIGINT, ends[1]);
	signal(SIGINT, SIG_DFL);
	close(ends[0]);
	close(ends[1]);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), REACHED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_work_ends_before_the_process),
		cmocka_unit_test(a_signal_that_is_ignored_stays_so),
	};
	return cmocka_run_group_tests_name("uninterrupted", tests, NULL, NULL);
}
