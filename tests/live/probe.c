/*
 * What the filter that this process runs under says of every system call number, without making one of the
 * calls.
 *
 *     probe            x86_64's numbers 0..511 and some beyond, i386's 0..511; a line each
 *     probe --plain    only that it runs
 *
 * A child puts a filter of its own above: calls with a mark in their fifth argument go to this process (user
 * notification, Linux 5.0), which answers in the kernel's place. A refusal of the filter below goes before
 * that, so the child sees the mark's answer where the call would pass, the errno where it is refused, and
 * dies where it is killed. Lines: "x86_64 101 passes", "i386 26 errno 1", "x86_64 9999 kills". Then a call in
 * earnest: "getppid passes", "getpriority errno 13".
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MARK = 0x2f6d3a51, ANSWER = 0x1d8e, TABLE = 512, I386_GETPID = 20 };

static const uint32_t beyond[] = { 600, 9999, 0x3fffffff, 0x40000000, 0x40000065, 0x40000209, 0x7fffffff };

enum {
	BEYOND_COUNT = sizeof beyond / sizeof *beyond,
	X86_64_COUNT = TABLE + BEYOND_COUNT,
	CALL_COUNT = X86_64_COUNT + TABLE
};

/* What parent and child share: where the child is, and what it was told. */
struct progress {
	volatile int listener; /* -1 before it is there, -2 where there can be none */
	volatile int at;
	volatile long results[CALL_COUNT]; /* as the kernel returns: a value or -errno */
};

enum { KILLED = 1 }; /* a result that is neither the answer nor an errno */

static uint32_t call_number(int index)
{
	if (index < TABLE)
		return (uint32_t)index;
	return index < X86_64_COUNT ? beyond[index - TABLE] : (uint32_t)(index - X86_64_COUNT);
}

static long call_x86_64(long number, long fifth)
{
	long result;
	register long fourth __asm__("r10") = -1, mark __asm__("r8") = fifth, sixth __asm__("r9") = -1;
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(-1L), "S"(-1L), "d"(-1L), "r"(fourth), "r"(mark), "r"(sixth)
			 : "rcx", "r11", "memory");
	return result;
}

static long call_i386(long number, long fifth)
{
	long result;
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(-1L), "c"(-1L), "d"(-1L), "S"(-1L), "D"(fifth)
			 : "r8", "r9", "r10", "r11", "memory");
	return (int)result;
}

static long call_marked(int index)
{
	return index < X86_64_COUNT ? call_x86_64((long)call_number(index), MARK)
				    : call_i386((long)call_number(index), MARK);
}

/* The descriptor from which the parent answers marked calls; -2 where the kernel has no such thing. */
static int listen_to_marks(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[4])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MARK, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, code };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -2;
	long listener =
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	return listener < 0 ? -2 : (int)listener;
}

static void child_run(struct progress *progress)
{
	int listener = listen_to_marks();
	progress->listener = listener;
	if (listener < 0)
		_exit(1);
	for (; progress->at < CALL_COUNT; progress->at++)
		progress->results[progress->at] = call_marked(progress->at);
	_exit(0);
}

/* Until the child is gone. */
static void answer_marks(int listener)
{
	for (;;) {
		struct seccomp_notif asked = { 0 };
		struct seccomp_notif_resp answer = { 0 };
		struct pollfd event = { .fd = listener, .events = POLLIN };
		if (poll(&event, 1, -1) < 0 || !(event.revents & POLLIN))
			return;
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
			continue; /* the child was killed meanwhile */
		answer.id = asked.id;
		answer.val = ANSWER;
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
}

/* Descriptors are shared, so that the parent has the child's listener. False where it cannot listen. */
static int probe_on(struct progress *progress)
{
	int status = 0;
	progress->listener = -1;
	long child = syscall(SYS_clone, (long)(CLONE_FILES | SIGCHLD), 0L, 0L, 0L, 0L);
	if (child == 0)
		child_run(progress);
	while (child > 0 && progress->listener == -1)
		usleep(1000);
	if (progress->listener >= 0) {
		answer_marks(progress->listener);
		close(progress->listener);
	}
	if (child < 0 || waitpid((pid_t)child, &status, 0) != child || progress->listener < 0)
		return 0;
	if (WIFSIGNALED(status))
		progress->results[progress->at++] = KILLED;
	return 1;
}

static void print_result(const char *name, long result)
{
	if (result == ANSWER)
		printf("%s passes\n", name);
	else if (result == KILLED)
		printf("%s kills\n", name);
	else
		printf("%s errno %ld\n", name, -result);
}

static void print_results(const struct progress *progress)
{
	for (int i = 0; i < CALL_COUNT; i++) {
		char name[32];
		snprintf(name, sizeof name, "%s %u", i < X86_64_COUNT ? "x86_64" : "i386", call_number(i));
		print_result(name, progress->results[i]);
	}
}

static int i386_door_is_there(void)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		_exit(call_i386(I386_GETPID, 0) == (long)getpid() ? 0 : 1);
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--plain") == 0)
		return puts("runs") < 0;
	struct progress *progress =
		mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED)
		return 1;
	printf("int 0x80 %s\n", i386_door_is_there() ? "passes" : "missing");
	fflush(stdout);
	while (progress->at < CALL_COUNT)
		if (!probe_on(progress))
			return puts("no listener") < 0;
	print_results(progress);
	print_result("getppid", getppid() >= 0 ? ANSWER : -errno);
	errno = 0;
	long priority = syscall(SYS_getpriority, PRIO_PROCESS, 0);
	print_result("getpriority", priority >= 0 ? ANSWER : -errno);
	return puts("end") < 0;
}
