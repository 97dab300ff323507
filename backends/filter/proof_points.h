/*
 * Arguments to prove a conditional call with: where its conditions change their mind, in both halves of a
 * register.
 *
 * For each condition of the call a set of arguments that makes it hold, and none that holds any; from both
 * on, each argument that it looks at in turn takes the value beside which it is compared, its neighbours, the
 * same with each bit turned, each bit alone (but where a call has very many conditions), and the ends. Then
 * all combinations of the values that the conditions of the call compare any argument with, as far as they
 * are few. Where a call has very many conditions, no arguments come twice.
 */
#ifndef ALLOWC_BACKENDS_FILTER_PROOF_POINTS_H
#define ALLOWC_BACKENDS_FILTER_PROOF_POINTS_H

#include <stdint.h>

#include "compiler/policy/policy.h"

struct arena;

/* Calls `visitor` with six arguments, `context` beside them. The arena has what is needed in between. */
void proof_points(struct arena *arena, const struct policy *policy, const struct syscall_entry *call,
		  enum abi abi, void (*visitor)(const uint64_t *arguments, void *context), void *context);

/*
 * How often a condition is tried at most while the policy's filter is proven, but for combinations: each of a
 * call at the points of each other, on each ABI.
 */
uint64_t proof_points_tries(const struct policy *policy);

#endif
