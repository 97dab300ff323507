/*
 * The decision tree of one token: tests of the number, with actions at the leaves.
 *
 * tree_make() minimises, over trees of the form below, first the instructions executed for all known
 * calls together, then the number of tests, then the longest way. Inner nodes split an interval of ranges in
 * two (TEST_GE). A subtree over an interval may also be
 *   - a chain of TEST_EQ for single numbers, when all other ranges of the interval have one action;
 *   - one TEST_SET, when a mask tells the interval's two actions apart.
 */
#ifndef ALLOWC_BACKENDS_FILTER_TREE_H
#define ALLOWC_BACKENDS_FILTER_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "backends/filter/filter.h"

struct arena;

enum tree_test {
	TEST_NONE, /* a leaf: `action` */
	TEST_GE,   /* number >= constant */
	TEST_EQ,   /* number == constant */
	TEST_SET,  /* number & constant */
};

struct tree_node {
	enum tree_test test;
	uint32_t constant;
	struct action action;
	const struct clauses *clauses; /* of a leaf that is decided by arguments, before `action`; or NULL */
	const struct tree_node *yes, *no;
	size_t size; /* tests in it */
};

/* `ranges` as ranges_make() gives them. The tree lives in the arena. */
const struct tree_node *tree_make(struct arena *arena, const struct filter_range *ranges, size_t count);

/* The same where calls are not made equally often: `weights` of the ranges, in all at most WEIGHT_MAX. */
enum { WEIGHT_MAX = 1 << 24 };
const struct tree_node *tree_make_weighed(struct arena *arena, const struct filter_range *ranges,
					  const uint64_t *weights, size_t count);

#endif
