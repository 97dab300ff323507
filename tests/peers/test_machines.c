/*
 * Our filters for riscv64, ppc64le and s390x against libseccomp's: the same policy goes to both, and on every
 * known number libseccomp's exported filter and our own, run by our interpreter, must give one verdict.
 * libseccomp too has a filter for each byte order, and exports the big-endian one as a machine of that order
 * has it. test_libseccomp.c does the same for other ABIs, and says what has no peer. libseccomp 2.5.4 knows
 * no loongarch64.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <endian.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "compiler/base/compilation.h"
#include "tests/unit/filter_policy.h"

static const struct machine {
	enum abi abi;
	uint32_t arch;
} machines[] = {
	{ ABI_RISCV64, SCMP_ARCH_RISCV64 },
	{ ABI_PPC64LE, SCMP_ARCH_PPC64LE },
	{ ABI_S390X, SCMP_ARCH_S390X },
};

enum { MACHINE_COUNT = sizeof machines / sizeof *machines, LONGEST = 4096, POLICIES = 24 };

struct calls {
	const struct syscall_entry **items;
	size_t count;
};

/* libseccomp 2.5.4 has one number for sys_debug_setcontext and switch_endian, and loses the first. */
static bool is_found_again(const char *name)
{
	char *found = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, seccomp_syscall_resolve_name(name));
	bool same = found && strcmp(found, name) == 0;
	free(found);
	return same;
}

/* Whether libseccomp means by the name what our table means. Its table is older: new names are unknown. */
static bool is_shared(const struct syscall_entry *call)
{
	if (seccomp_syscall_resolve_name(call->name) == __NR_SCMP_ERROR || !is_found_again(call->name))
		return false;
	for (size_t i = 0; i < MACHINE_COUNT; i++) {
		int number = seccomp_syscall_resolve_name_arch(machines[i].arch, call->name);
		if (call->numbers[machines[i].abi] != (number < 0 ? -1 : number))
			return false;
	}
	return true;
}

static struct calls shared_calls(void)
{
	struct calls calls = { .items = calloc(syscall_table_size, sizeof *calls.items) };
	assert_non_null(calls.items);
	for (size_t i = 0; i < syscall_table_size; i++)
		if (is_shared(&syscall_table[i]))
			calls.items[calls.count++] = &syscall_table[i];
	return calls;
}

/* Of no order: multiplied by a prime, with bits of all heights in it, and the high half taken. */
static unsigned scatter(size_t call, unsigned policy, unsigned below)
{
	uint64_t product = (call * POLICIES + policy + 1) * 0x9e3779b97f4a7c15u;
	return (unsigned)(product >> 40) % below;
}

/* A deny-list or an allow-list of some of the calls: of few in the first policies, of most in the last. */
static void make_policy(bool deny_list, unsigned policy, struct test_policy *test, const struct calls *calls)
{
	const struct action refusals[] = { test_eperm, test_enosys, test_kill, test_log };
	test_policy_begin(test, 1u << ABI_RISCV64 | 1u << ABI_PPC64LE | 1u << ABI_S390X);
	test->policy.seccomp.fallback = deny_list ? test_allow : refusals[policy % 4];
	test->policy.seccomp.unknown_default = true;
	for (size_t i = 0; i < calls->count; i++) {
		if (scatter(i, policy, POLICIES) > policy)
			continue;
		if (deny_list)
			test_deny_call(test, calls->items[i], refusals[scatter(i, policy, 97) % 4]);
		else
			test_allow_call(test, calls->items[i]);
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

static bool add_rule(scmp_filter_ctx context, const struct syscall_entry *call, struct action action)
{
	int number = seccomp_syscall_resolve_name(call->name);
	return seccomp_rule_add(context, peer_action(action), number, 0) == 0;
}

static bool add_rules(scmp_filter_ctx context, const struct seccomp *seccomp)
{
	bool good = true;
	for (size_t i = 0; i < seccomp->denied_count; i++)
		good &= add_rule(context, seccomp->denied[i].call, seccomp->denied[i].action);
	for (size_t i = 0; i < seccomp->allowed_count; i++)
		good &= add_rule(context, seccomp->allowed[i].call, test_allow);
	return good;
}

/* As this host reads them, of bytes as a machine of that order has them. */
static void instructions_swap(struct instruction *code, size_t count, bool big_endian)
{
	for (size_t i = 0; i < count; i++) {
		code[i].code = big_endian ? be16toh(code[i].code) : le16toh(code[i].code);
		code[i].constant = big_endian ? be32toh(code[i].constant) : le32toh(code[i].constant);
	}
}

/* libseccomp's filter for the machines of one byte order: instructions, 0 where it made none. */
static size_t peer_filter(const struct seccomp *seccomp, bool big_endian, struct instruction *code)
{
	scmp_filter_ctx context = seccomp_init(peer_action(seccomp->fallback));
	int file = memfd_create("filter", 0);
	bool good = context && file >= 0 && seccomp_arch_remove(context, SCMP_ARCH_NATIVE) == 0;
	for (size_t i = 0; i < MACHINE_COUNT; i++)
		if (abi_facts(machines[i].abi)->big_endian == big_endian)
			good = good && seccomp_arch_add(context, machines[i].arch) == 0;
	good = good && add_rules(context, seccomp) && seccomp_export_bpf(context, file) == 0;
	ssize_t size = good ? pread(file, code, LONGEST * sizeof *code, 0) : 0;
	if (file >= 0)
		close(file);
	seccomp_release(context);
	size_t count = size > 0 ? (size_t)size / sizeof *code : 0;
	instructions_swap(code, count, big_endian);
	return count;
}

/*
 * libseccomp 2.5.4 leaves the value of some big-endian returns in the order of the host. No value that these
 * policies ask for is another one swapped.
 */
static bool is_same(uint32_t our, uint32_t their, bool big_endian)
{
	return our == their || (big_endian && our == __builtin_bswap32(their));
}

/* Verdicts that differ, each printed. */
static size_t compare(const struct machine *machine, const struct filter *ours,
		      const struct instruction *theirs, const struct calls *calls)
{
	size_t different = 0;
	for (size_t i = 0; i < calls->count; i++) {
		int32_t number = calls->items[i]->numbers[machine->abi];
		const struct interpret_input input = {
			.number = (uint32_t)number,
			.arch = abi_facts(machine->abi)->token,
		};
		if (number < 0)
			continue;
		uint32_t our = interpret_run(ours->code, &input).value;
		uint32_t their = interpret_run(theirs, &input).value;
		if (is_same(our, their, ours->big_endian))
			continue;
		print_message("%s on %s: %#" PRIx32 ", libseccomp %#" PRIx32 "\n", calls->items[i]->name,
			      abi_facts(machine->abi)->name, our, their);
		different++;
	}
	return different;
}

static void compare_filter(const struct filter *ours, const struct seccomp *seccomp,
			   const struct calls *calls)
{
	static struct instruction theirs[LONGEST];
	size_t where, different = 0, length = peer_filter(seccomp, ours->big_endian, theirs);
	assert_true(length > 0);
	assert_null(interpret_check(theirs, length, &where));
	for (size_t i = 0; i < MACHINE_COUNT; i++)
		if (abi_facts(machines[i].abi)->big_endian == ours->big_endian)
			different += compare(&machines[i], ours, theirs, calls);
	assert_int_equal(different, 0);
}

static void compare_policies(bool deny_list)
{
	static struct test_policy test;
	struct calls calls = shared_calls();
	for (unsigned policy = 0; policy < POLICIES; policy++) {
		struct compilation compilation = compilation_begin(0);
		make_policy(deny_list, policy, &test, &calls);
		const struct filter *little = filter_build(&compilation, &test.policy);
		assert_non_null(little);
		assert_non_null(little->next);
		compare_filter(little, &test.policy.seccomp, &calls);
		compare_filter(little->next, &test.policy.seccomp, &calls);
		compilation_end(&compilation);
	}
	free(calls.items);
}

static void test_deny_lists(void **state)
{
	(void)state;
	compare_policies(true);
}

static void test_allow_lists(void **state)
{
	(void)state;
	compare_policies(false);
}

/* The comparison is of most calls: libseccomp 2.5.4 knows those up to Linux 5.17. */
static void test_most_calls_are_shared(void **state)
{
	(void)state;
	struct calls calls = shared_calls();
	print_message("%zu of %zu calls\n", calls.count, syscall_table_size);
	free(calls.items);
	assert_true(calls.count * 10 >= syscall_table_size * 9);
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
