/*
 * What a policy gives a system call, from its rules alone: what the proof compares with. Written apart
 * from decisions.h, whose faults it is there to find.
 */
#ifndef ALLOWC_BACKENDS_FILTER_ORACLE_H
#define ALLOWC_BACKENDS_FILTER_ORACLE_H

#include <stdint.h>

#include "compiler/policy/policy.h"

struct arena;
struct oracle;

/* In the arena; keeps the policy. */
const struct oracle *oracle_new(struct arena *arena, const struct policy *policy);

/* `arch` and `number` as in struct seccomp_data. */
struct action oracle_action(const struct oracle *oracle, uint32_t arch, uint32_t number);

#endif
