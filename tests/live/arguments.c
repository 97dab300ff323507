/*
 * Installs a filter that looks at arguments in forked children, and asks the kernel what it refuses then.
 * x86_64: int 0x80 is asked too. TAP.
 *
 * Each refused call is one that works without the filter, which the first tests show.
 */
#define _GNU_SOURCE

#include "arguments.seccomp.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { I386_GETPID = 20, I386_SOCKET = 359 };
#define HIGH_BIT (1L << 32)

/* How a child ends that has something else to say than yes or no. */
enum { CHILD_NO = 1, CHILD_NOT_INSTALLED = 2 };

/* 0, or the error number of a child's clone; the child itself ends at once. */
static int clone_error(long flags)
{
	long child = syscall(SYS_clone, flags | SIGCHLD, 0L, 0L, 0L, 0L);
	if (child == 0)
		_exit(0);
	if (child < 0)
		return errno;
	waitpid((pid_t)child, NULL, 0);
	return 0;
}

static int socket_error(long domain, long type)
{
	long file = syscall(SYS_socket, domain, type, 0L);
	if (file < 0)
		return errno;
	close((int)file);
	return 0;
}

static int call_i386(int number, unsigned first, int second, int third)
{
	int result;
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(first), "c"(second), "d"(third)
			 : "memory", "r8", "r9", "r10", "r11");
	return result;
}

static int i386_door_is_there(void)
{
	return call_i386(I386_GETPID, 0, 0, 0) == (int)getpid();
}

static int socket_error_i386(unsigned domain)
{
	int result = call_i386(I386_SOCKET, domain, SOCK_STREAM, 0);
	if (result < 0)
		return -result;
	close(result);
	return 0;
}

static int namespaces_are_there(void)
{
	return clone_error(CLONE_NEWUSER) == 0;
}

static int without_it_all_passes(void)
{
	return clone_error(0) == 0 && socket_error(AF_INET, SOCK_STREAM) == 0 &&
	       socket_error(AF_INET | HIGH_BIT, SOCK_STREAM) == 0;
}

static int clone_with_a_namespace_is_refused(void)
{
	return clone_error(CLONE_NEWUSER) == EPERM && clone_error(CLONE_NEWUSER | CLONE_FS) == EPERM;
}

static int the_high_half_is_no_way_round(void)
{
	return clone_error(CLONE_NEWUSER | HIGH_BIT) == EPERM &&
	       socket_error(AF_INET | HIGH_BIT, SOCK_STREAM) == EAFNOSUPPORT;
}

static int fork_works(void)
{
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	return child > 0 && waitpid(child, NULL, 0) == child && clone_error(0) == 0;
}

static void *thread_run(void *argument)
{
	return argument;
}

/* The C library asks for clone3 first. */
static int threads_work(void)
{
	pthread_t thread;
	void *answer = NULL;
	int word;
	errno = 0;
	return syscall(SYS_clone3, NULL, 0L) == -1 && errno == ENOSYS &&
	       pthread_create(&thread, NULL, thread_run, &word) == 0 && pthread_join(thread, &answer) == 0 &&
	       answer == &word;
}

static int one_family_of_sockets_is_refused(void)
{
	return socket_error(AF_INET, SOCK_STREAM) == EAFNOSUPPORT &&
	       socket_error(AF_INET, SOCK_DGRAM) == EAFNOSUPPORT && socket_error(AF_UNIX, SOCK_STREAM) == 0;
}

/* Raw sockets need CAP_NET_RAW: the filter says EPERM before anybody asks for it. */
static int raw_sockets_are_refused(void)
{
	return socket_error(AF_INET6, SOCK_RAW | SOCK_CLOEXEC) == EPERM &&
	       socket_error(AF_PACKET, SOCK_DGRAM) == EPERM &&
	       socket_error(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC) == 0;
}

static int whole_offsets_are_compared(void)
{
	FILE *file = tmpfile();
	int number = file ? fileno(file) : -1;
	int good = number >= 0 && syscall(SYS_lseek, number, 5L, SEEK_SET) == 5 &&
		   syscall(SYS_lseek, number, 5L + HIGH_BIT, SEEK_SET) == 5 + HIGH_BIT;
	errno = 0;
	good = good && syscall(SYS_lseek, number, 6L + HIGH_BIT, SEEK_SET) == -1 && errno == EPERM;
	return good && syscall(SYS_lseek, number, 6L, SEEK_SET) == 6;
}

static int the_32_bit_entry_is_filtered(void)
{
	return socket_error_i386(AF_INET) == EAFNOSUPPORT && socket_error_i386(AF_UNIX) == 0;
}

/* Whether `check` says yes in a child; with the filter installed before, where `with_filter`. */
static int in_child(int (*check)(void), int with_filter)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		if (with_filter && arguments_install_filter() != 0)
			_exit(CHILD_NOT_INSTALLED);
		_exit(check() ? 0 : CHILD_NO);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 0;
	if (status != 0)
		printf("# wait status %#x\n", (unsigned)status);
	return status == 0;
}

static const struct test {
	const char *name;
	int (*check)(void);
	int with_filter;
	int (*possible)(void); /* asked first, without the filter; NULL: always */
	const char *otherwise; /* the reason of the skip */
} tests[] = {
	{ "without the filter all passes", without_it_all_passes, 0, NULL, NULL },
	{ "clone with CLONE_NEWUSER is refused", clone_with_a_namespace_is_refused, 1, namespaces_are_there,
	  "the kernel gives no user namespace here" },
	{ "a bit that the kernel does not read changes nothing", the_high_half_is_no_way_round, 1, NULL,
	  NULL },
	{ "fork works", fork_works, 1, NULL, NULL },
	{ "clone3 is not there, and threads work", threads_work, 1, NULL, NULL },
	{ "one family of sockets is refused", one_family_of_sockets_is_refused, 1, NULL, NULL },
	{ "raw and packet sockets are refused, netlink's are not", raw_sockets_are_refused, 1, NULL, NULL },
	{ "both halves of an offset are compared", whole_offsets_are_compared, 1, NULL, NULL },
	{ "the 32-bit entry is filtered", the_32_bit_entry_is_filtered, 1, i386_door_is_there,
	  "the kernel has no int 0x80" },
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
