/*
 * What a call gets by its arguments on one ABI: clauses in the order in which they are asked, made of the
 * policy's rules. What can never hold there is left out, what always does is asked no more.
 */
#ifndef ALLOWC_BACKENDS_FILTER_CLAUSES_H
#define ALLOWC_BACKENDS_FILTER_CLAUSES_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/policy/policy.h"

struct arena;

/* All tests hold: then `action`. Each is of an argument that a filter sees, and neither always nor never
 * holds. */
struct clause {
	const struct argument_test *tests;
	size_t count; /* at least 1 */
	struct action action;
};

/* The first clause that holds decides. */
struct clauses {
	const struct clause *items;
	size_t count;
	struct action otherwise;
	bool big_endian; /* the ABI: where the halves of an argument stand */
};

/* Of a call that the ABI has. `count` is 0 where its arguments decide nothing. In the arena. */
struct clauses clauses_make(struct arena *arena, const struct policy *policy,
			    const struct syscall_entry *call, enum abi abi);

/* A clause without tests ends the list, and one that says what follows anyway is asked for nothing. */
void clauses_trim(struct clauses *clauses);

bool clauses_equal(const struct clauses *first, const struct clauses *second);

#endif
