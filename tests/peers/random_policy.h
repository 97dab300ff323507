/*
 * Random policies of numbers alone: a fixed series, the same on every host. Of the calls of our table those
 * take part by whose name libseccomp means the same; it is older, and new names are unknown to it.
 */
#ifndef ALLOWC_TESTS_PEERS_RANDOM_POLICY_H
#define ALLOWC_TESTS_PEERS_RANDOM_POLICY_H

#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

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

enum { PEER_COUNT = sizeof peers / sizeof *peers, MOST_NAMES = 400 };
enum { POLICIES = 1000 }; /* of each series */

struct random {
	uint64_t state;
};

/* splitmix64: one seed gives one series on every host. */
static inline uint32_t random_next(struct random *random, uint32_t below)
{
	uint64_t value = random->state += 0x9e3779b97f4a7c15u;
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
	value = (value ^ value >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)((value ^ value >> 31) >> 32) % below;
}

enum { SERIES_DENY = 2026, SERIES_ALLOW = 2027 }; /* seeds */

/* libseccomp 2.5.4 has one number of its own for sys_debug_setcontext and switch_endian, and loses the first.
 */
static inline bool is_found_again(const char *name)
{
	char *found = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, seccomp_syscall_resolve_name(name));
	bool same = found && strcmp(found, name) == 0;
	free(found);
	return same;
}

static inline bool is_shared(const struct syscall_entry *call)
{
	if (seccomp_syscall_resolve_name(call->name) == __NR_SCMP_ERROR || !is_found_again(call->name))
		return false;
	for (size_t i = 0; i < PEER_COUNT; i++) {
		int number = seccomp_syscall_resolve_name_arch(peers[i].arch, call->name);
		if (call->numbers[peers[i].abi] != (number < 0 ? -1 : number))
			return false;
	}
	return true;
}

static inline size_t shared_calls(const struct syscall_entry **calls)
{
	size_t count = 0;
	for (size_t i = 0; i < syscall_table_size; i++)
		if (is_shared(&syscall_table[i]))
			calls[count++] = &syscall_table[i];
	return count;
}

/* What a call may get, each as often as any other. */
static inline struct action random_refusal(struct random *random)
{
	const struct action actions[] = { test_eperm, test_enosys, test_kill, test_log };
	return actions[random_next(random, sizeof actions / sizeof *actions)];
}

/* Every eighth policy is for all peers; the others are for the three ABIs that most machines have. */
static inline unsigned policy_abis(unsigned number)
{
	unsigned abis = 1u << ABI_X86_64 | 1u << ABI_I386 | 1u << ABI_AARCH64;
	for (size_t i = 0; number % 8 == 0 && i < PEER_COUNT; i++)
		abis |= 1u << peers[i].abi;
	return abis;
}

/*
 * A deny-list, or an allow-list, of 1 to 400 of the calls. One in eight of an allow-list is denied in its own
 * way. Where that is the default's way libseccomp takes no rule: the call is left unlisted, which is the
 * same.
 */
static inline void make_policy(struct random *random, bool deny_list, unsigned number,
			       struct test_policy *test, const struct syscall_entry **calls, size_t count)
{
	test_policy_begin(test, policy_abis(number));
	const struct action fallback = deny_list ? test_allow : random_refusal(random);
	test->policy.seccomp.fallback = fallback;
	test->policy.seccomp.unknown_default = true;
	size_t wanted = 1 + random_next(random, MOST_NAMES);
	for (size_t i = 0; i < count && wanted > 0; i++) {
		if (random_next(random, (uint32_t)(count - i)) >= wanted)
			continue;
		wanted--;
		bool denied = deny_list || random_next(random, 8) == 0;
		const struct action refusal = random_refusal(random);
		if (!denied)
			test_allow_call(test, calls[i]);
		else if (!action_equal(refusal, fallback))
			test_deny_call(test, calls[i], refusal);
	}
}

#endif
