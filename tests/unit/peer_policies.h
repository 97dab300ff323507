/*
 * P1 to P5: the policies that filters are compared by, here and in tests/bench/filters.c. x86_64 alone, but
 * for P3. What other compilers of filters make of them stands beside our figures in the bench.
 */
#ifndef ALLOWC_TESTS_UNIT_PEER_POLICIES_H
#define ALLOWC_TESTS_UNIT_PEER_POLICIES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/filter_policy.h"

/* Names, one a line, '#' begins a comment; from the root of the source tree, where tests run. */
#define PEER_CONTAINER "tests/data/container-default.txt"

/* P1: everything runs but seven calls of tracing. */
static inline void peer_deny_tracing(struct test_policy *test)
{
	test_policy_begin(test, 1u << ABI_X86_64);
	test_deny(test, TEST_TRACING " perf_event_open", test_eperm);
}

/* What container engines allow; all else gets EPERM, numbers that no table knows ENOSYS. */
static inline void peer_allow_container(struct test_policy *test, unsigned abis)
{
	char line[256];
	FILE *file = fopen(PEER_CONTAINER, "r");
	if (!file) {
		perror(PEER_CONTAINER);
		abort();
	}
	test_policy_begin(test, abis);
	test->policy.seccomp.fallback = test_eperm;
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = 0;
		if (line[0] && line[0] != '#')
			test_allow_names(test, line);
	}
	fclose(file);
}

/* P2: the same with EPERM for unknown numbers too. */
static inline void peer_container(struct test_policy *test)
{
	peer_allow_container(test, 1u << ABI_X86_64);
	test->policy.seccomp.unknown_default = true;
}

/* P2 as the language's own defaults have it. */
static inline void peer_container_unknown(struct test_policy *test)
{
	peer_allow_container(test, 1u << ABI_X86_64);
}

/* P3: P2 on three ABIs. */
static inline void peer_container_three(struct test_policy *test)
{
	peer_allow_container(test, 1u << ABI_X86_64 | 1u << ABI_I386 | 1u << ABI_X32);
	test->policy.seccomp.unknown_default = true;
}

/* The known numbers that `runs` says yes to run, the other known ones get EPERM, all others are killed. */
static inline void peer_by_number(struct test_policy *test, bool (*runs)(uint32_t number))
{
	test_policy_begin(test, 1u << ABI_X86_64);
	test->policy.seccomp.fallback = test_kill;
	test->policy.seccomp.unknown_default = true;
	for (size_t i = 0; i < abi_call_count(ABI_X86_64); i++) {
		const struct syscall_entry *call = abi_call(ABI_X86_64, i);
		if (runs((uint32_t)call->numbers[ABI_X86_64]))
			test_allow_call(test, call);
		else
			test_deny_call(test, call, test_eperm);
	}
}

static inline bool peer_is_even(uint32_t number)
{
	return number % 2 == 0;
}

static inline bool peer_is_chosen(uint32_t number)
{
	return number == 60 || number == 231 || (number * 2654435761u) >> 16 & 1;
}

/* P4: as regular as a policy can be, and the worst for comparisons. */
static inline void peer_even(struct test_policy *test)
{
	peer_by_number(test, peer_is_even);
}

/* P5: no order at all. */
static inline void peer_without_order(struct test_policy *test)
{
	peer_by_number(test, peer_is_chosen);
}

#endif
