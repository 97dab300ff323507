/*
 * Installs the filter of phase 7 in forked children and asks the kernel what it refuses then. x86_64:
 * the other ways into the kernel of that machine, int 0x80 and the x32 numbers, are asked too. TAP.
 *
 * ptrace(PTRACE_TRACEME) is the call to refuse: without a filter it succeeds, which the first test shows.
 */
#include "phase7.seccomp.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { X32_BIT = 0x40000000, X32_PTRACE = 521, I386_GETPID = 20, I386_PTRACE = 26 };

/* How a child ends that has something else to say than yes or no. */
enum { CHILD_NO = 1, CHILD_NOT_INSTALLED = 2 };

/* 0, or the error number of the call. */
static int refused(long number)
{
	errno = 0;
	return syscall(number, (long)PTRACE_TRACEME, 0L, 0L, 0L) == -1 ? errno : 0;
}

static int install(void)
{
	return phase7_install_filter() == 0;
}

static int traceme_passes_without(void)
{
	return refused(SYS_ptrace) == 0;
}

static int ptrace_is_refused(void)
{
	return refused(SYS_ptrace) == EPERM;
}

static int getpid_passes(void)
{
	return syscall(SYS_getpid) == (long)getpid() && getpid() > 1;
}

/* The other calls that the capability gates. */
static int the_others_are_refused(void)
{
	return refused(SYS_kcmp) == EPERM && refused(SYS_process_vm_readv) == EPERM &&
	       refused(SYS_process_vm_writev) == EPERM && refused(SYS_pidfd_getfd) == EPERM &&
	       refused(SYS_process_madvise) == EPERM;
}

struct thread_state {
	pthread_barrier_t installed;
	int answer;
};

static void *thread_run(void *argument)
{
	struct thread_state *state = argument;
	pthread_barrier_wait(&state->installed);
	state->answer = ptrace_is_refused() && getpid_passes();
	return NULL;
}

/* The thread runs before the filter is there, and is filtered as well: TSYNC. */
static int other_thread_is_filtered(void)
{
	struct thread_state state = { .answer = 0 };
	pthread_t thread;
	pthread_barrier_init(&state.installed, NULL, 2);
	if (pthread_create(&thread, NULL, thread_run, &state) != 0 || !install())
		return 0;
	pthread_barrier_wait(&state.installed);
	pthread_join(thread, NULL);
	return state.answer && ptrace_is_refused();
}

#ifdef __x86_64__
/* A system call by the door of 32-bit programs. The kernel's answer: -errno, or a result. */
static long call_i386(long number, long argument)
{
	long result;
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(argument), "c"(0L), "d"(0L), "S"(0L)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

static int i386_door_is_there(void)
{
	return call_i386(I386_GETPID, 0) == (long)getpid();
}

static int i386_traceme_passes_without(void)
{
	return call_i386(I386_PTRACE, PTRACE_TRACEME) == 0;
}

static int i386_ptrace_is_refused(void)
{
	return call_i386(I386_PTRACE, PTRACE_TRACEME) == -EPERM && i386_door_is_there();
}

/* ENOSYS is what the policy's `unknown` gives to x32, which it does not name. */
static int x32_ptrace_is_refused(void)
{
	return refused(X32_BIT | SYS_ptrace) == ENOSYS && refused(X32_BIT | X32_PTRACE) == ENOSYS;
}

static int x32_number_without_bit_is_refused(void)
{
	return refused(X32_PTRACE) == ENOSYS;
}
#endif

/* Whether `check` says yes in a child; with the filter installed before, where `with_filter`. */
static int in_child(int (*check)(void), int with_filter)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		if (with_filter && !install())
			_exit(CHILD_NOT_INSTALLED);
		_exit(check() ? 0 : CHILD_NO);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 0;
	if (WIFSIGNALED(status))
		printf("# the child was killed by signal %d\n", WTERMSIG(status));
	else if (WEXITSTATUS(status) == CHILD_NOT_INSTALLED)
		printf("# the filter could not be installed\n");
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct test {
	const char *name;
	int (*check)(void);
	int with_filter;
	int (*possible)(void); /* asked first, without the filter; NULL: always */
	const char *otherwise; /* the reason of the skip */
};

static const struct test tests[] = {
	{ "without the filter ptrace passes", traceme_passes_without, 0, NULL, NULL },
	{ "ptrace is refused with EPERM", ptrace_is_refused, 1, NULL, NULL },
	{ "the other calls of CAP_SYS_PTRACE too", the_others_are_refused, 1, NULL, NULL },
	{ "getpid passes", getpid_passes, 1, NULL, NULL },
	{ "a thread that runs already is filtered", other_thread_is_filtered, 0, NULL, NULL },
#ifdef __x86_64__
	{ "without the filter ptrace by int 0x80 passes", i386_traceme_passes_without, 0, i386_door_is_there,
	  "the kernel has no int 0x80" },
	{ "ptrace by int 0x80 is refused with EPERM", i386_ptrace_is_refused, 1, i386_door_is_there,
	  "the kernel has no int 0x80" },
	{ "ptrace by its x32 numbers is refused", x32_ptrace_is_refused, 1, NULL, NULL },
	{ "x32's ptrace without the bit is refused", x32_number_without_bit_is_refused, 1, NULL, NULL },
#endif
};

int main(void)
{
	int failed = 0;
	const size_t count = sizeof tests / sizeof *tests;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%zu\n", count);
	for (size_t i = 0; i < count; i++) {
		const struct test *test = &tests[i];
		if (test->possible && !in_child(test->possible, 0)) {
			printf("ok %zu - %s # SKIP %s\n", i + 1, test->name, test->otherwise);
			continue;
		}
		int passed = in_child(test->check, test->with_filter);
		printf("%s %zu - %s\n", passed ? "ok" : "not ok", i + 1, test->name);
		failed |= !passed;
	}
	return failed;
}
