/*
 * What a policy gives a system call, from its rules alone: what the proof compares with. Written apart
 * from decisions.h, whose faults it is there to find.
 */
#ifndef ALLOWC_BACKENDS_FILTER_ORACLE_H
#define ALLOWC_BACKENDS_FILTER_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/policy/policy.h"

struct arena;
struct oracle;

/* In the arena; keeps the policy. */
const struct oracle *oracle_new(struct arena *arena, const struct policy *policy);

/* All as in struct seccomp_data; of the six arguments it looks at those that the call's conditions name. */
struct action oracle_action(const struct oracle *oracle, uint32_t arch, uint32_t number,
			    const uint64_t *arguments);

/* The same where the number alone decides; false where the call's rules look at its arguments. */
bool oracle_by_number(const struct oracle *oracle, uint32_t arch, uint32_t number, struct action *action);

/* The call whose rules look at its arguments; NULL where the number alone decides. Its ABI in `*abi`. */
const struct syscall_entry *oracle_conditional(const struct oracle *oracle, uint32_t arch, uint32_t number,
					       enum abi *abi);

#endif
