/*
 * One loop waits for four things at a time: room for the input, output, complaints, and signals. So neither
 * side waits for the other for ever, whatever the program reads or prints first.
 */
#include "compiler/base/child_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compiler/base/child.h"

enum { ERRORS_MOST = 64 * 1024, PIECE = 64 * 1024 };

struct run {
	const struct child_order *order;
	struct child_answer *answer;
	pid_t pid;
	int input, output, errors; /* our ends; -1 when closed */
	int signals;
	size_t sent;
	long long deadline; /* milliseconds of a clock that nobody sets */
};

static long long now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- signals ---- */

struct handling {
	sigset_t before;        /* what was blocked */
	struct sigaction child; /* what was done about SIGCHLD */
	sigset_t taken;
};

/* One that is ignored (nohup) stays so: blocked it would come all the same. */
static void take_unless_ignored(sigset_t *taken, int number)
{
	struct sigaction action;
	if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
		sigaddset(taken, number);
}

/*
 * Signals come by a file while the program runs: its end (which an ignored SIGCHLD would hide), and those
 * that end this one. SIGPIPE is an error of write().
 */
static void signals_take(struct handling *handling)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigaction(SIGCHLD, &usual, &handling->child);
	sigemptyset(&handling->taken);
	sigaddset(&handling->taken, SIGCHLD);
	sigaddset(&handling->taken, SIGPIPE);
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		take_unless_ignored(&handling->taken, ending[i]);
	sigprocmask(SIG_BLOCK, &handling->taken, &handling->before);
}

static void signals_give_back(const struct handling *handling)
{
	static const struct timespec at_once = { 0 };
	sigset_t pipe;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigtimedwait(&pipe, NULL, &at_once);
	sigaction(SIGCHLD, &handling->child, NULL);
	sigprocmask(SIG_SETMASK, &handling->before, NULL);
}

/* True where one of them tells this program to end. */
static bool signals_read(struct run *run)
{
	struct signalfd_siginfo info;
	while (read(run->signals, &info, sizeof info) == (ssize_t)sizeof info) {
		if (info.ssi_signo == SIGCHLD || info.ssi_signo == SIGPIPE)
			continue;
		run->answer->end = CHILD_INTERRUPTED;
		run->answer->status = (int)info.ssi_signo;
		return true;
	}
	return false;
}

/* ---- the three streams ---- */

/* A program that reads no more has read enough. */
static void input_send(struct run *run)
{
	size_t left = run->order->input_size - run->sent;
	ssize_t done = left ? write(run->input, run->order->input + run->sent, left) : 0;
	if (done > 0)
		run->sent += (size_t)done;
	bool again = done < 0 && (errno == EINTR || errno == EAGAIN);
	if (!again && (done < 0 || run->sent == run->order->input_size))
		close_end(&run->input);
}

/* What is there now; closes at its end. */
static void stream_read(int *fd, struct strbuf *text, size_t most, bool *cut)
{
	char piece[PIECE];
	for (;;) {
		ssize_t got = *fd < 0 ? 0 : read(*fd, piece, sizeof piece);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return;
		if (got <= 0) {
			close_end(fd);
			return;
		}
		size_t room = most - text->size, size = (size_t)got;
		strbuf_add(text, piece, size < room ? size : room);
		if (size > room) {
			*cut = true;
			return;
		}
	}
}

/* False where it prints too much. */
static bool streams_read(struct run *run)
{
	struct child_answer *answer = run->answer;
	bool loud = false;
	stream_read(&run->output, &answer->output, run->order->most, &loud);
	stream_read(&run->errors, &answer->errors, ERRORS_MOST, &answer->errors_cut);
	if (loud)
		answer->end = CHILD_LOUD;
	return !loud;
}

/* ---- its end ---- */

/* Whether it has ended; it stays there to be waited for, so that its number is nobody else's yet. */
static bool child_is_over(const struct run *run)
{
	siginfo_t info = { 0 };
	return waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == run->pid;
}

static void child_reap(struct run *run, bool ended)
{
	int status = 0;
	kill(-run->pid, SIGKILL);
	while (waitpid(run->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (!ended)
		return;
	run->answer->end = WIFEXITED(status) ? CHILD_EXITED : CHILD_KILLED;
	run->answer->status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
}

/* ---- the whole ---- */

/* False where there is nothing more to wait for but what the answer's end says. */
static bool wait_once(struct run *run)
{
	struct pollfd wanted[] = {
		{ .fd = run->signals, .events = POLLIN },
		{ .fd = run->input, .events = POLLOUT },
		{ .fd = run->output, .events = POLLIN },
		{ .fd = run->errors, .events = POLLIN },
	};
	long long left = run->deadline - now();
	if (left <= 0) {
		run->answer->end = CHILD_LATE;
		return false;
	}
	poll(wanted, sizeof wanted / sizeof *wanted, (int)left);
	if (wanted[0].revents && signals_read(run))
		return false;
	if (wanted[1].revents)
		input_send(run);
	return streams_read(run);
}

static void converse(struct run *run)
{
	bool ended = false, waiting = true;
	while (waiting && !ended) {
		waiting = wait_once(run);
		ended = waiting && child_is_over(run);
	}
	child_reap(run, ended);
	/* What it printed last is in the pipes; what it left behind is dead, or is not waited for. */
	if (ended)
		streams_read(run);
}

static int start(struct arena *arena, struct run *run)
{
	int ends[3][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
	int error = 0;
	for (size_t i = 0; !error && i < 3; i++)
		error = pipe2(ends[i], O_CLOEXEC) < 0 ? errno : 0;
	/* Before there is a program to be ended: a pipe that waits would keep the loop from its deadline. */
	for (size_t i = 0; !error && i < 3; i++)
		error = fcntl(ends[i][i == 0], F_SETFL, O_NONBLOCK) < 0 ? errno : 0;
	const struct child_spawn spawn = {
		.path = run->order->path,
		.arguments = run->order->arguments,
		.environment = run->order->environment,
		.folder = run->order->folder,
		.input = ends[0][0],
		.output = ends[1][1],
		.errors = ends[2][1],
		.session = true,
	};
	if (!error)
		error = child_spawn(arena, &spawn, &run->pid);
	run->input = ends[0][1];
	run->output = ends[1][0];
	run->errors = ends[2][0];
	close_end(&ends[0][0]);
	close_end(&ends[1][1]);
	close_end(&ends[2][1]);
	return error;
}

struct child_answer child_run(struct arena *arena, const struct child_order *order)
{
	struct child_answer answer = { .end = CHILD_TROUBLE, .output = STRBUF_INIT, .errors = STRBUF_INIT };
	struct run run = { .order = order, .answer = &answer, .input = -1, .output = -1, .errors = -1 };
	struct handling handling;
	signals_take(&handling);
	run.deadline = now() + (long long)order->seconds * 1000;
	run.signals = signalfd(-1, &handling.taken, SFD_CLOEXEC | SFD_NONBLOCK);
	answer.status = run.signals < 0 ? errno : start(arena, &run);
	if (!answer.status)
		converse(&run);
	close_end(&run.input);
	close_end(&run.output);
	close_end(&run.errors);
	close_end(&run.signals);
	signals_give_back(&handling);
	return answer;
}
