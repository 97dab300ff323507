/*
 * Our decisions against libseccomp's: the same random policy goes to both, and on every known number of
 * x86_64, i386, aarch64 and arm libseccomp's exported filter, run by our interpreter, and our own filter must
 * give one verdict. Policies are of numbers alone: libseccomp 2.5.4 merges 64-bit comparisons wrongly.
 *
 * Two things have no peer. x32: libseccomp's numbers of it carry the bit, and where the filter lacks the ABI
 * all of them get the action for a bad architecture; ours get what `unknown` says. `unknown`: libseccomp has one
 * default for what is not listed and for what it does not know, so it is `default` here.
 * tests/unit/test_oracle.c has both, worked out by hand.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "compiler/base/compilation.h"
#include "tests/unit/filter_policy.h"

static const struct peer {
	enum abi abi;
	uint32_t arch;
} peers[] = {
	{ ABI_X86_64, SCMP_ARCH_X86_64 },
	{ ABI_I386, SCMP_ARCH_X86 },
	{ ABI_AARCH64, SCMP_ARCH_AARCH64 },
	{ ABI_ARM, SCMP_ARCH_ARM },
};

enum { PEER_COUNT = sizeof peers / sizeof *peers, MOST_NAMES = 400, LONGEST = 4096, POLICIES = 150 };

struct random {
	uint64_t state;
};

/* splitmix64: one seed gives one series on every host. */
static uint32_t random_next(struct random *random, uint32_t below)
{
	uint64_t value = random->state += 0x9e3779b97f4a7c15u;
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
	value = (value ^ value >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)((value ^ value >> 31) >> 32) % below;
}

/* Whether libseccomp means by the name what our table means. Its table is older: new names are unknown. */
static bool is_shared(const struct syscall_entry *call)
{
	if (seccomp_syscall_resolve_name(call->name) == __NR_SCMP_ERROR)
		return false;
	for (size_t i = 0; i < PEER_COUNT; i++) {
		int number = seccomp_syscall_resolve_name_arch(peers[i].arch, call->name);
		if (call->numbers[peers[i].abi] != (number < 0 ? -1 : number))
			return false;
	}
	return true;
}

static size_t shared_calls(const struct syscall_entry **calls)
{
	size_t count = 0;
	for (size_t i = 0; i < syscall_table_size; i++)
		if (is_shared(&syscall_table[i]))
			calls[count++] = &syscall_table[i];
	return count;
}

/* What a call may get, each as often as any other. */
static struct action random_refusal(struct random *random)
{
	const struct action actions[] = { test_eperm, test_enosys, test_kill, test_log };
	return actions[random_next(random, sizeof actions / sizeof *actions)];
}

/* A deny-list, or an allow-list, of 1 to 400 of the calls. */
static void make_policy(struct random *random, bool deny_list, struct test_policy *test,
			const struct syscall_entry **calls, size_t count)
{
	test_policy_begin(test, 1u << ABI_X86_64 | 1u << ABI_I386 | 1u << ABI_AARCH64 | 1u << ABI_ARM);
	test->policy.seccomp.fallback = deny_list ? test_allow : random_refusal(random);
	test->policy.seccomp.unknown_default = true;
	size_t wanted = 1 + random_next(random, MOST_NAMES);
	for (size_t i = 0; i < count && wanted > 0; i++) {
		if (random_next(random, (uint32_t)(count - i)) >= wanted)
			continue;
		wanted--;
		if (deny_list)
			test_deny_call(test, calls[i], random_refusal(random));
		else
			test_allow_call(test, calls[i]);
	}
}

static uint32_t peer_action(struct action action)
{
	switch (action.kind) {
	case ACTION_ALLOW:
		return SCMP_ACT_ALLOW;
	case ACTION_ERRNO:
		return SCMP_ACT_ERRNO(action.errno_value);
	case ACTION_KILL:
		return SCMP_ACT_KILL_PROCESS;
	case ACTION_LOG:
		return SCMP_ACT_LOG;
	}
	abort();
}

static bool add_rules(scmp_filter_ctx context, const struct policy *policy)
{
	const struct seccomp *seccomp = &policy->seccomp;
	bool good = true;
	for (size_t i = 0; i < seccomp->denied_count; i++)
		good = good &&
		       seccomp_rule_add(context, peer_action(seccomp->denied[i].action),
					seccomp_syscall_resolve_name(seccomp->denied[i].call->name), 0) == 0;
	for (size_t i = 0; i < seccomp->allowed_count; i++)
		good = good &&
		       seccomp_rule_add(context, SCMP_ACT_ALLOW,
					seccomp_syscall_resolve_name(seccomp->allowed[i].call->name), 0) == 0;
	return good;
}

/* libseccomp's filter of the policy: instructions, 0 where it made none. */
static size_t peer_filter(const struct policy *policy, struct instruction *code)
{
	scmp_filter_ctx context = seccomp_init(peer_action(policy->seccomp.fallback));
	int file = memfd_create("filter", 0);
	bool good = context && file >= 0 && seccomp_arch_remove(context, SCMP_ARCH_NATIVE) == 0;
	for (size_t i = 0; i < PEER_COUNT; i++)
		good = good && seccomp_arch_add(context, peers[i].arch) == 0;
	good = good && add_rules(context, policy) && seccomp_export_bpf(context, file) == 0;
	ssize_t size = good ? pread(file, code, LONGEST * sizeof *code, 0) : 0;
	if (file >= 0)
		close(file);
	seccomp_release(context);
	return size > 0 ? (size_t)size / sizeof *code : 0;
}

/* Verdicts that differ, each printed. */
static size_t compare(const struct filter *ours, const struct instruction *theirs, unsigned policy,
		      const struct syscall_entry **calls, size_t count)
{
	size_t different = 0;
	for (size_t p = 0; p < PEER_COUNT; p++) {
		for (size_t i = 0; i < count; i++) {
			int32_t number = calls[i]->numbers[peers[p].abi];
			if (number < 0)
				continue;
			const struct interpret_input input = {
				.number = (uint32_t)number,
				.arch = abi_facts(peers[p].abi)->token,
			};
			uint32_t our = interpret_run(ours->code, &input).value;
			uint32_t their = interpret_run(theirs, &input).value;
			if (our == their)
				continue;
			print_message("policy %u: %s on %s: %#" PRIx32 ", libseccomp %#" PRIx32 "\n", policy,
				      calls[i]->name, abi_facts(peers[p].abi)->name, our, their);
			different++;
		}
	}
	return different;
}

/* Verdicts that differ; a filter that either side cannot make counts as one. */
static size_t compare_policy(struct random *random, bool deny_list, unsigned number,
			     const struct syscall_entry **calls, size_t count)
{
	static struct test_policy test;
	static struct instruction theirs[LONGEST];
	struct compilation compilation = compilation_begin(0);
	size_t where, different = 1;
	make_policy(random, deny_list, &test, calls, count);
	const struct filter *ours = filter_build(&compilation, &test.policy);
	size_t length = peer_filter(&test.policy, theirs);
	if (!ours || !length || interpret_check(theirs, length, &where))
		print_message("policy %u: no filter\n", number);
	else
		different = compare(ours, theirs, number, calls, count);
	compilation_end(&compilation);
	return different;
}

static void compare_policies(bool deny_list, uint64_t seed)
{
	const struct syscall_entry **calls = calloc(syscall_table_size, sizeof *calls);
	struct random random = { .state = seed };
	size_t different = 0;
	assert_non_null(calls);
	size_t count = shared_calls(calls);
	for (unsigned i = 0; i < POLICIES; i++)
		different += compare_policy(&random, deny_list, i, calls, count);
	free(calls);
	assert_int_equal(different, 0);
}

static void test_deny_lists(void **state)
{
	(void)state;
	compare_policies(true, 2026);
}

static void test_allow_lists(void **state)
{
	(void)state;
	compare_policies(false, 2027);
}

/* The comparison is of most calls: libseccomp 2.5.4 knows those up to Linux 5.17. */
static void test_most_calls_are_shared(void **state)
{
	(void)state;
	const struct syscall_entry **calls = calloc(syscall_table_size, sizeof *calls);
	assert_non_null(calls);
	size_t count = shared_calls(calls);
	print_message("%zu of %zu calls\n", count, syscall_table_size);
	free(calls);
	assert_true(count * 10 >= syscall_table_size * 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_most_calls_are_shared),
		cmocka_unit_test(test_deny_lists),
		cmocka_unit_test(test_allow_lists),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
