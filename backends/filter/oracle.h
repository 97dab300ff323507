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

struct oracle_answer {
	struct action action;
	const struct syscall_entry *call; /* that the number makes, of an ABI that the policy names; NULL */
	enum abi abi;                     /* of the call */
	bool conditional;                 /* the call's rules look at its arguments */
};

/* The same, with what it was asked for. */
struct oracle_answer oracle_answer(const struct oracle *oracle, uint32_t arch, uint32_t number,
				   const uint64_t *arguments);

/*
 * Whether both are made of the same rules for this call and of the same settings, and so give the same answer
 * on every ABI, with whatever arguments. False also where they would and it does not show.
 */
bool oracles_agree(const struct oracle *first, const struct oracle *second, const struct syscall_entry *call);

/* Numbers, ascending. */
struct oracle_edges {
	uint32_t items[2048];
	size_t count;
};

/*
 * The numbers at which answers under a token change, or could: all numbers from one edge up to the next have
 * the same answer, and so do those before the first. A call's number is an edge.
 */
void oracle_edges(const struct oracle *oracle, uint32_t arch, struct oracle_edges *edges);

#endif
