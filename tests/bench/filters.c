/*
 * Our filters beside libseccomp's, of the same policies (tests/unit/peer_policies.h). First counts:
 * instructions in all, and executed for the known calls of each ABI; they are exact, and the same on every
 * host. Then ns a call in the kernel, the contenders in turns, the median of the rounds.
 *
 *     filters [ROUNDS]        in the root of the source tree, where the names of P2 are
 */
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "compiler/base/compilation.h"
#include "tests/unit/peer_policies.h"

enum { LONGEST = 4096, CALLS = 100000, ROUNDS_MOST = 999 };
enum { PLAIN = 1, TREE = 2 }; /* SCMP_FLTATR_CTL_OPTIMIZE */

struct program {
	const char *name;
	struct instruction code[LONGEST];
	size_t length; /* 0: no filter */
};

/* A comparison that libseccomp's filter has besides: getpgid runs for an argument of 0. */
enum extra { NOTHING, GETPGID_OF_ZERO };

static void fail(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

/* ---- programs ---- */

static void make_ours(struct program *program, const struct policy *policy)
{
	struct compilation compilation = compilation_begin(0);
	const struct filter *filter = filter_build(&compilation, policy);
	if (!filter)
		fail("allowc makes no filter");
	program->name = "allowc";
	program->length = filter->length;
	memcpy(program->code, filter->code, filter->length * sizeof *filter->code);
	compilation_end(&compilation);
}

static uint32_t peer_action(struct action action)
{
	if (action.kind == ACTION_ALLOW)
		return SCMP_ACT_ALLOW;
	return action.kind == ACTION_ERRNO ? SCMP_ACT_ERRNO(action.errno_value) : SCMP_ACT_KILL_PROCESS;
}

static uint32_t peer_arch(enum abi abi)
{
	if (abi == ABI_X32)
		return SCMP_ARCH_X32;
	return abi == ABI_I386 ? SCMP_ARCH_X86 : SCMP_ARCH_X86_64;
}

/* Names that libseccomp does not know are left out, and counted. */
static size_t add_rules(scmp_filter_ctx context, const struct call_rule *rules, size_t count, bool allowed)
{
	size_t unknown = 0;
	for (size_t i = 0; i < count; i++) {
		int number = seccomp_syscall_resolve_name(rules[i].call->name);
		uint32_t action = allowed ? SCMP_ACT_ALLOW : peer_action(rules[i].action);
		if (number == __NR_SCMP_ERROR)
			unknown++;
		else if (seccomp_rule_add(context, action, number, 0) != 0)
			fail("libseccomp does not take a rule");
	}
	return unknown;
}

static void export(scmp_filter_ctx context, struct program *program)
{
	int file = memfd_create("filter", 0);
	if (file < 0 || seccomp_export_bpf(context, file) != 0)
		fail("libseccomp makes no filter");
	ssize_t size = pread(file, program->code, sizeof program->code, 0);
	program->length = size > 0 ? (size_t)size / sizeof *program->code : 0;
	close(file);
}

/* Returns how many names libseccomp does not know. */
static size_t make_peer(struct program *program, const struct policy *policy, unsigned mode, enum extra extra)
{
	const struct seccomp *seccomp = &policy->seccomp;
	scmp_filter_ctx context = seccomp_init(peer_action(seccomp->fallback));
	program->name = mode == TREE ? "libseccomp, binary tree" : "libseccomp, plain";
	/* In this order: without an architecture it takes no attribute. */
	if (!context || seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, mode) != 0 ||
	    seccomp_arch_remove(context, SCMP_ARCH_NATIVE) != 0)
		fail("libseccomp does not start");
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && seccomp_arch_add(context, peer_arch(abi)) != 0)
			fail("libseccomp does not take an architecture");
	size_t unknown = add_rules(context, seccomp->denied, seccomp->denied_count, false);
	unknown += add_rules(context, seccomp->allowed, seccomp->allowed_count, true);
	if (extra == GETPGID_OF_ZERO &&
	    seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(getpgid), 1, SCMP_A0(SCMP_CMP_EQ, 0, 0)) != 0)
		fail("libseccomp does not take a comparison");
	export(context, program);
	seccomp_release(context);
	return unknown;
}

/* ---- counts ---- */

struct counts {
	double mean, hot;
	unsigned worst;
};

static unsigned executed(const struct program *program, enum abi abi, const struct syscall_entry *call)
{
	const struct interpret_input input = {
		.number = (uint32_t)call->numbers[abi] + abi_facts(abi)->base,
		.arch = abi_facts(abi)->token,
	};
	return interpret_run(program->code, &input).executed;
}

/* Over all calls of the ABI; hot are the calls that programs spend their time in. */
static struct counts count_calls(const struct program *program, enum abi abi)
{
	static const char *const hot[] = { "read",   "write", "futex", "epoll_wait",
					   "openat", "close", "mmap",  "clock_gettime" };
	enum { HOT = sizeof hot / sizeof *hot };
	struct counts counts = { .worst = 0 };
	for (size_t i = 0; i < abi_call_count(abi); i++) {
		unsigned count = executed(program, abi, abi_call(abi, i));
		counts.worst = count > counts.worst ? count : counts.worst;
		counts.mean += (double)count / (double)abi_call_count(abi);
	}
	for (size_t i = 0; i < HOT; i++)
		counts.hot += (double)executed(program, abi, syscall_find(hot[i])) / HOT;
	return counts;
}

static void show_counts(const struct program *program, enum abi abi)
{
	struct counts counts = count_calls(program, abi);
	printf("    %-24s %-8s %12zu %9.2f %9u %9.2f\n", program->name, abi_facts(abi)->name, program->length,
	       counts.mean, counts.worst, counts.hot);
}

static void compare_counts(const char *title, void (*make)(struct test_policy *test))
{
	static struct test_policy test;
	static struct program ours, plain, tree;
	make(&test);
	make_ours(&ours, &test.policy);
	size_t unknown = make_peer(&plain, &test.policy, PLAIN, NOTHING);
	make_peer(&tree, &test.policy, TREE, NOTHING);
	printf("  %s", title);
	if (unknown)
		printf(" (libseccomp does not know %zu of the names)", unknown);
	printf("\n");
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!policy_names_abi(&test.policy, abi))
			continue;
		show_counts(&ours, abi);
		show_counts(&plain, abi);
		show_counts(&tree, abi);
	}
}

/* ---- time ---- */

struct race {
	const struct program *programs[4];
	size_t count;
	long number, argument; /* the call that is made */
	double *nanoseconds;   /* shared with the children; 0: no answer */
	double results[4][ROUNDS_MOST];
};

static bool install(const struct program *program)
{
	struct sock_fprog filter = { (unsigned short)program->length, (struct sock_filter *)program->code };
	return program->length == 0 || (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
					syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0);
}

/* The processor's time, which the neighbours of a busy machine lengthen least. */
static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void call_often(const struct race *race, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		syscall(race->number, race->argument);
}

/* In a child: a filter is never taken off again. */
static double run_once(const struct race *race, const struct program *program)
{
	int status;
	*race->nanoseconds = 0;
	pid_t child = fork();
	if (child == 0) {
		if (!install(program))
			_exit(1);
		call_often(race, CALLS / 10);
		double begin = now();
		call_often(race, CALLS);
		*race->nanoseconds = (now() - begin) / CALLS;
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		fail("no child");
	return *race->nanoseconds;
}

static int by_value(const void *a, const void *b)
{
	const double *first = a, *second = b;
	return (*first > *second) - (*first < *second);
}

static void run_race(struct race *race, unsigned rounds, const char *title)
{
	for (unsigned round = 0; round < rounds; round++)
		for (size_t i = 0; i < race->count; i++)
			race->results[i][round] = run_once(race, race->programs[i]);
	printf("  %s\n", title);
	for (size_t i = 0; i < race->count; i++)
		qsort(race->results[i], rounds, sizeof(double), by_value);
	double base = race->results[0][rounds / 2];
	for (size_t i = 0; i < race->count; i++) {
		double median = race->results[i][rounds / 2];
		if (race->results[i][0] == 0)
			printf("    %-24s no figure: the filter could not be installed\n",
			       race->programs[i]->name);
		else
			printf("    %-24s %9.1f ns %9.2f\n", race->programs[i]->name, median, median / base);
	}
}

/* P2 without a name that it allows. */
static void container_without(struct test_policy *test, const char *name)
{
	size_t kept = 0;
	peer_container(test);
	for (size_t i = 0; i < test->policy.seccomp.allowed_count; i++)
		if (strcmp(test->allowed[i].call->name, name) != 0)
			test->allowed[kept++] = test->allowed[i];
	test->policy.seccomp.allowed_count = kept;
}

/* P2 that allows getpgid for the argument 0 alone, an int. */
static void container_of_zero(struct test_policy *test)
{
	static struct comparison comparison = { .argument = "pid" };
	static struct condition condition = { .comparisons = &comparison, .count = 1, .text = "pid == 0" };
	peer_container(test);
	condition.call = syscall_find("getpgid");
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		comparison.on[abi] = (struct argument_test){
			.index = 0, .bits = 32, .operator = COMPARISON_EQ, .mask = UINT32_MAX, .value = 0
		};
	for (size_t i = 0; i < test->policy.seccomp.allowed_count; i++)
		if (test->allowed[i].call == condition.call)
			test->allowed[i].condition = &condition;
}

static void compare_times(unsigned rounds)
{
	static struct program none = { .name = "no filter" }, ours, plain, tree;
	static struct test_policy test;
	static struct race race = { .count = 4 };
	race.nanoseconds =
		mmap(NULL, sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (race.nanoseconds == MAP_FAILED)
		fail("no memory");
	race.programs[0] = &none;
	race.programs[1] = &plain;
	race.programs[2] = &tree;
	race.programs[3] = &ours;

	peer_container(&test);
	make_ours(&ours, &test.policy);
	make_peer(&plain, &test.policy, PLAIN, NOTHING);
	make_peer(&tree, &test.policy, TREE, NOTHING);
	race.number = SYS_getpgid;
	run_race(&race, rounds,
		 "P2, getpgid(0), allowed by its number: the kernel answers from its action cache");

	container_without(&test, "getpgid");
	make_ours(&ours, &test.policy);
	make_peer(&plain, &test.policy, PLAIN, NOTHING);
	make_peer(&tree, &test.policy, TREE, NOTHING);
	run_race(&race, rounds, "P2 without getpgid, which is refused: the filter runs, the call does not");

	make_peer(&plain, &test.policy, PLAIN, GETPGID_OF_ZERO);
	make_peer(&tree, &test.policy, TREE, GETPGID_OF_ZERO);
	container_of_zero(&test);
	make_ours(&ours, &test.policy);
	run_race(&race, rounds,
		 "P2, getpgid(0), allowed for the argument 0 alone: the filter runs, and the call");
}

int main(int count, char **words)
{
	unsigned rounds = count > 1 ? (unsigned)strtoul(words[1], NULL, 10) : 15;
	if (rounds < 1 || rounds > ROUNDS_MOST)
		fail("1 to 999 rounds");
	printf("  %-26s %-8s %12s %9s %9s %9s\n", "filters", "", "instructions", "mean", "worst", "hot");
	compare_counts("P1: seven calls of tracing are refused", peer_deny_tracing);
	compare_counts("P2: what container engines allow", peer_container);
	compare_counts("P3: P2 on three ABIs", peer_container_three);
	printf("a call in the kernel: median of %u rounds in turns, and the ratio to no filter\n", rounds);
	fflush(stdout);
	compare_times(rounds);
	return 0;
}
