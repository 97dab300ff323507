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

/*
 * What a number gets, worked out once: a proof asks for each several times. Small, since each page that a
 * small run touches counts.
 */
struct oracle_answer {
	uint8_t kind; /* enum action_kind */
	bool conditional; /* the call's rules look at its arguments: oracle_action() knows */
	uint16_t errno_value;
};

enum { ORACLE_ANSWERS = 640 };

/* Of the numbers from 0, and of those from the x32 bit on; NULL where no ABI of the token has such numbers. */
struct oracle_answers {
	const struct oracle_answer *low, *x32;
	bool foreign;             /* the policy names no ABI of the token: */
	struct action of_foreign; /* all numbers get this */
};

struct oracle_answers oracle_answers(const struct oracle *oracle, uint32_t arch);

/* The call whose rules look at its arguments; NULL where the number alone decides. Its ABI in `*abi`. */
const struct syscall_entry *oracle_conditional(const struct oracle *oracle, uint32_t arch, uint32_t number,
					       enum abi *abi);

#endif
