/*
 * Our filters in the kernel: 50 of the random policies are installed in children, and what the kernel answers
 * to a call is what the interpreter says it will. The calls do no harm: every argument is -1, so that those
 * that run fail by themselves, each in a way that a child without a filter has shown.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "compiler/base/compilation.h"
#include "tests/peers/random_policy.h"

enum { LOADED_EVERY = 40 }; /* of 2,000 policies: 50 */
enum { DATA_OF_VALUE = 0xffff };

static const char *const harmless[] = {
	"read",
	"write",
	"close",
	"fstat",
	"lseek",
	"ioctl",
	"pread64",
	"pwrite64",
	"readv",
	"writev",
	"fcntl",

	"fsync",
	"fdatasync",
	"ftruncate",
	"fchdir",
	"fchmod",
	"fchown",
	"getdents64",
	"fstatfs",
	"sendto",
	"recvfrom",
	"bind",
	"connect",
	"listen",
	"accept",
	"getsockname",
	"getpeername",
	"shutdown",
	"dup",
	"dup3",
	"fallocate",
	"syncfs",
	"openat",
	"mkdirat",
	"unlinkat",
	"readlinkat",
	"faccessat",
	"fchmodat",
	"statx",
	"getrandom",
	"memfd_create",
	"setns",
	"kcmp",
	"readahead",
	"epoll_ctl",
	"inotify_rm_watch",
	"timerfd_gettime",
	"process_vm_readv",
};
enum { HARMLESS = sizeof harmless / sizeof *harmless };

/* What a child leaves behind in memory that it shares, since its filter may forbid it to speak. */
struct answer {
	bool installed, returned;
	int error; /* of the call; 0: none */
};

static bool install(const struct filter *filter)
{
	struct sock_fprog program = { (unsigned short)filter->length, (struct sock_filter *)filter->code };
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

/*
 * After the filter stands nothing is called but the one number. How the child ends is another matter: where
 * the filter refuses exit_group, by an instruction that no program may run, of which cmocka shall not hear.
 */
static _Noreturn void child_run(const struct filter *filter, long number, struct answer *answer)
{
	const struct rlimit none = { 0, 0 };
	setrlimit(RLIMIT_CORE, &none);
	signal(SIGSEGV, SIG_DFL);
	answer->installed = !filter || install(filter);
	if (answer->installed) {
		errno = 0;
		answer->error = syscall(number, -1L, -1L, -1L, -1L, -1L, -1L) == -1 ? errno : 0;
		answer->returned = true;
	}
	_exit(0);
}

/* The status of the child as wait(2) has it. */
static int ask(const struct filter *filter, long number, struct answer *answer)
{
	int status;
	*answer = (struct answer){ .installed = false };
	pid_t child = fork();
	if (child == 0)
		child_run(filter, number, answer);
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

struct kernel {
	struct answer *answer; /* shared with the children */
	enum abi abi;          /* of this program */
	int errors[HARMLESS];  /* without a filter; 0 where the ABI lacks the call */
	size_t asked, refused, killed;
};

static int32_t number_of(const struct kernel *kernel, size_t call)
{
	return syscall_find(harmless[call])->numbers[kernel->abi];
}

static bool compare_call(struct kernel *kernel, const struct filter *filter, size_t call)
{
	const struct interpret_input input = {
		.number = (uint32_t)number_of(kernel, call),
		.arch = abi_facts(kernel->abi)->token,
	};
	uint32_t value = interpret_run(filter->code, &input).value;
	int status = ask(filter, number_of(kernel, call), kernel->answer);
	const struct answer *answer = kernel->answer;
	bool good = answer->installed;
	kernel->asked++;
	switch (value & ~(uint32_t)DATA_OF_VALUE) {
	case SECCOMP_RET_KILL_PROCESS:
		kernel->killed++;
		good = good && !answer->returned && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
		break;
	case SECCOMP_RET_ERRNO:
		kernel->refused++;
		good = good && answer->returned && answer->error == (int)(value & DATA_OF_VALUE);
		break;
	default: /* allowed, or logged */
		good = good && answer->returned && answer->error == kernel->errors[call];
	}
	if (!good)
		print_message(
			"# %s: the interpreter says %#x; installed %d, returned %d, errno %d, status %#x\n",
			harmless[call], value, answer->installed, answer->returned, answer->error, status);
	return good;
}

/* Calls that differ. */
static size_t compare_policy(struct kernel *kernel, const struct policy *policy)
{
	struct compilation compilation = compilation_begin(0);
	const struct filter *filter = filter_build(&compilation, policy);
	size_t different = 0;
	assert_non_null(filter);
	for (size_t i = 0; i < HARMLESS; i++)
		if (kernel->errors[i])
			different += !compare_call(kernel, filter, i);
	compilation_end(&compilation);
	return different;
}

static size_t compare_series(struct kernel *kernel, bool deny_list, uint64_t seed)
{
	static struct test_policy test;
	const struct syscall_entry **calls = calloc(syscall_table_size, sizeof *calls);
	struct random random = { .state = seed };
	size_t different = 0, loaded = 0;
	assert_non_null(calls);
	size_t count = shared_calls(calls);
	for (unsigned i = 0; i < POLICIES; i++) {
		make_policy(&random, deny_list, i, &test, calls, count);
		if (i % LOADED_EVERY)
			continue;
		loaded++;
		different += compare_policy(kernel, &test.policy);
	}
	free(calls);
	assert_int_equal(loaded, 25);
	return different;
}

/* The ABI that this program is compiled for; ABI_COUNT where the policies do not name it. */
static enum abi own_abi(void)
{
	for (size_t i = 0; i < PEER_COUNT; i++)
		if (peers[i].arch == seccomp_arch_native())
			return peers[i].abi;
	return ABI_COUNT;
}

static bool filters_can_be_installed(const struct kernel *kernel)
{
	static const struct instruction code[] = { { 0x06, 0, 0, SECCOMP_RET_ALLOW } };
	const struct filter all = { .code = code, .length = 1 };
	ask(&all, SYS_getpid, kernel->answer);
	return kernel->answer->returned;
}

/* Sets the errors; false where a call does something instead of failing. */
static bool ask_without_filter(struct kernel *kernel)
{
	bool good = true;
	for (size_t i = 0; i < HARMLESS; i++) {
		if (number_of(kernel, i) < 0)
			continue;
		ask(NULL, number_of(kernel, i), kernel->answer);
		kernel->errors[i] = kernel->answer->error;
		if (kernel->answer->error)
			continue;
		print_message("# %s does not fail\n", harmless[i]);
		good = false;
	}
	return good;
}

static void the_kernel_decides_as_the_interpreter(void **state)
{
	(void)state;
	struct kernel kernel = { .abi = own_abi() };
	kernel.answer =
		mmap(NULL, sizeof *kernel.answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(kernel.answer, MAP_FAILED);
	if (kernel.abi == ABI_COUNT || !filters_can_be_installed(&kernel)) {
		print_message("# needs a kernel of x86_64, i386, aarch64 or arm that takes filters\n");
		skip();
	}
	assert_true(ask_without_filter(&kernel));
	size_t different = compare_series(&kernel, true, SERIES_DENY);
	different += compare_series(&kernel, false, SERIES_ALLOW);
	print_message("# %zu calls under 50 filters; %zu refused, %zu killed\n", kernel.asked, kernel.refused,
		      kernel.killed);
	assert_int_equal(different, 0);
	assert_true(kernel.refused > 100 && kernel.killed > 100 &&
		    kernel.asked > kernel.refused + kernel.killed);
	munmap(kernel.answer, sizeof *kernel.answer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_decides_as_the_interpreter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
