#include "backends/filter/tree.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"

/*
 * A dynamic programme over intervals [i, j] of ranges. A cost is one number, the tests executed in its
 * upper half and the tests written in its lower, so that a sum or a comparison takes both, in that
 * order. A return costs nothing here: each path has exactly one, and equal returns are shared.
 */
enum { EXECUTED_SHIFT = 32, CHAIN_LIMIT = 8 };

enum plan_form { PLAN_LEAF, PLAN_SPLIT, PLAN_CHAIN, PLAN_SET };

struct plan {
	enum plan_form form;
	uint32_t depth; /* tests on the longest way: decides between equal costs */
	uint32_t value; /* the split's first range on the right, the chain's action, the set's mask */
};

struct planner {
	struct arena *arena; /* of the tree */
	const struct filter_range *ranges;
	size_t count;
	size_t *actions;              /* of each range: the first range with an equal action */
	uint64_t *weights;            /* of all ranges before each one: prefix sums */
	uint64_t *cost, *cost_by_end; /* of [i, j] at i * count + j, and at j * count + i */
	struct plan *plans;           /* at i * count + j */
};

static uint64_t weight_of(const struct planner *planner, size_t first, size_t last)
{
	return planner->weights[last + 1] - planner->weights[first];
}

static bool is_single(const struct filter_range *range)
{
	return range->first == range->last;
}

static void offer(struct planner *planner, size_t first, size_t last, uint64_t executed, uint64_t written,
		  struct plan plan)
{
	size_t at = first * planner->count + last;
	uint64_t cost = (executed << EXECUTED_SHIFT) + written;
	if (cost > planner->cost[at] || (cost == planner->cost[at] && plan.depth >= planner->plans[at].depth))
		return;
	planner->cost[at] = cost;
	planner->plans[at] = plan;
}

/* The weights of a chain's single numbers, heaviest first. */
struct chain {
	uint64_t weights[CHAIN_LIMIT];
	size_t count;
};

static void chain_add(struct chain *chain, uint64_t weight)
{
	size_t at = chain->count++;
	for (; at > 0 && chain->weights[at - 1] < weight; at--)
		chain->weights[at] = chain->weights[at - 1];
	chain->weights[at] = weight;
}

/* Each single number pays its place in the chain, all others pay the whole chain. */
static uint64_t chain_executed(const struct chain *chain, uint64_t total)
{
	uint64_t executed = 0;
	for (size_t i = 0; i < chain->count; i++) {
		executed += (i + 1) * chain->weights[i];
		total -= chain->weights[i];
	}
	return executed + total * chain->count;
}

/* All intervals from `first` on that a chain with `rest` for the other numbers decides. */
static void offer_chains(struct planner *planner, size_t first, size_t rest)
{
	struct chain chain = { .count = 0 };
	for (size_t last = first; last < planner->count; last++) {
		if (planner->actions[last] != rest) {
			if (!is_single(&planner->ranges[last]) || chain.count == CHAIN_LIMIT)
				return;
			chain_add(&chain, weight_of(planner, last, last));
		}
		offer(planner, first, last, chain_executed(&chain, weight_of(planner, first, last)),
		      chain.count, (struct plan){ PLAN_CHAIN, (uint32_t)chain.count, (uint32_t)rest });
	}
}

/* All bits that some number of [first, last] has. */
static uint32_t bits_of(const struct filter_range *range)
{
	uint32_t bits = range->first | range->last;
	for (uint32_t differ = range->first ^ range->last; differ; differ >>= 1)
		bits |= differ;
	return bits;
}

/* Whether every number of the range has a bit of `mask`. */
static bool range_meets(const struct filter_range *range, uint32_t mask)
{
	uint32_t met = range->first & mask;
	if (!met)
		return false;
	/*
	 * The next number without any bit of the mask: carry past the highest bit met, and past the mask's.
	 */
	uint64_t below = met;
	for (unsigned shift = 1; shift < 32; shift *= 2)
		below |= below >> shift;
	uint64_t next = ((range->first | mask | below) + 1) & ~(uint64_t)mask;
	return next > range->last;
}

/* Whether `mask` is met by all ranges of [first, last] whose action is not `zero`. */
static bool mask_tells(const struct planner *planner, size_t first, size_t last, size_t zero, uint32_t mask)
{
	for (size_t i = first; i <= last; i++)
		if (planner->actions[i] != zero && !range_meets(&planner->ranges[i], mask))
			return false;
	return true;
}

/*
 * All intervals from `first` on of just two actions that one mask tells apart: `zero` for numbers
 * without a bit of it. The widest such mask has every bit that no number of `zero` has; it only shrinks
 * as the interval grows, so the first interval that fails is the last to try.
 */
static void offer_sets(struct planner *planner, size_t first, size_t zero, size_t one)
{
	uint32_t mask = UINT32_MAX;
	for (size_t last = first; last < planner->count; last++) {
		size_t action = planner->actions[last], from = last;
		if (action != zero && action != one)
			return;
		if (action == zero && mask & bits_of(&planner->ranges[last])) {
			mask &= ~bits_of(&planner->ranges[last]);
			from = first;
		}
		if (!mask_tells(planner, from, last, zero, mask))
			return;
		if (last > first)
			offer(planner, first, last, weight_of(planner, first, last), 1,
			      (struct plan){ PLAN_SET, 1, mask });
	}
}

static uint32_t split_depth(const struct planner *planner, size_t first, size_t split, size_t last)
{
	uint32_t left = planner->plans[first * planner->count + split - 1].depth;
	uint32_t right = planner->plans[split * planner->count + last].depth;
	return 1 + (left > right ? left : right);
}

static void offer_splits(struct planner *planner, size_t first, size_t last)
{
	const uint64_t *left = planner->cost + first * planner->count;
	const uint64_t *right = planner->cost_by_end + last * planner->count;
	uint64_t best = UINT64_MAX;
	uint32_t depth = 0;
	size_t split = first;
	for (size_t i = first; i < last; i++) {
		uint64_t cost = left[i] + right[i + 1];
		if (cost > best || (cost == best && split_depth(planner, first, i + 1, last) >= depth))
			continue;
		best = cost;
		split = i + 1;
		depth = split_depth(planner, first, split, last);
	}
	offer(planner, first, last, weight_of(planner, first, last) + (best >> EXECUTED_SHIFT),
	      1 + (uint32_t)best, (struct plan){ PLAN_SPLIT, depth, (uint32_t)split });
}

static void plan_from(struct planner *planner, size_t first)
{
	size_t count = planner->count;
	for (size_t last = first; last < count; last++)
		planner->cost[first * count + last] = UINT64_MAX;
	planner->cost[first * count + first] = 0;
	/* `rest` runs over the actions of the first few ranges; a chain has some range of the rest there. */
	for (size_t i = first; i < count && i <= first + CHAIN_LIMIT; i++)
		offer_chains(planner, first, planner->actions[i]);
	if (first + 1 < count) {
		offer_sets(planner, first, planner->actions[first], planner->actions[first + 1]);
		offer_sets(planner, first, planner->actions[first + 1], planner->actions[first]);
	}
	for (size_t last = first; last < count; last++) {
		/* Nothing is cheaper than one test. */
		if (last > first && planner->plans[first * count + last].depth != 1)
			offer_splits(planner, first, last);
		planner->cost_by_end[last * count + first] = planner->cost[first * count + last];
	}
}

static const struct tree_node *node_new(struct planner *planner, struct tree_node node)
{
	node.size = node.test == TEST_NONE ? 0 : 1 + node.yes->size + node.no->size;
	struct tree_node *copy = arena_alloc(planner->arena, sizeof *copy);
	*copy = node;
	return copy;
}

static const struct tree_node *leaf_new(struct planner *planner, size_t range)
{
	return node_new(planner, (struct tree_node){ .test = TEST_NONE,
						     .action = planner->ranges[range].action,
						     .clauses = planner->ranges[range].clauses });
}

/* Orders the chain's members, heaviest first and by number. Their count is small. */
static size_t chain_members(const struct planner *planner, size_t first, size_t last, size_t rest,
			    size_t members[CHAIN_LIMIT])
{
	size_t count = 0;
	for (size_t i = first; i <= last; i++) {
		if (planner->actions[i] == rest)
			continue;
		size_t at = count++;
		uint64_t weight = weight_of(planner, i, i);
		for (; at > 0 && weight_of(planner, members[at - 1], members[at - 1]) < weight; at--)
			members[at] = members[at - 1];
		members[at] = i;
	}
	return count;
}

static const struct tree_node *chain_node(struct planner *planner, size_t first, size_t last, size_t rest)
{
	size_t members[CHAIN_LIMIT];
	size_t count = chain_members(planner, first, last, rest, members);
	const struct tree_node *node = leaf_new(planner, rest);
	while (count-- > 0) {
		size_t member = members[count];
		node = node_new(planner, (struct tree_node){ .test = TEST_EQ,
							     .constant = planner->ranges[member].first,
							     .yes = leaf_new(planner, member),
							     .no = node });
	}
	return node;
}

static const struct tree_node *set_node(struct planner *planner, size_t first, size_t last, uint32_t mask)
{
	uint32_t bits = 0; /* those that occur: the others of the mask tell nothing */
	for (size_t i = first; i <= last; i++)
		bits |= bits_of(&planner->ranges[i]);
	mask &= bits;
	bool first_is_one = range_meets(&planner->ranges[first], mask);
	return node_new(planner,
			(struct tree_node){ .test = TEST_SET,
					    .constant = mask,
					    .yes = leaf_new(planner, first_is_one ? first : first + 1),
					    .no = leaf_new(planner, first_is_one ? first + 1 : first) });
}

static const struct tree_node *interval_node(struct planner *planner, size_t first, size_t last)
{
	struct plan plan = planner->plans[first * planner->count + last];
	switch (plan.form) {
	case PLAN_LEAF:
		break;
	case PLAN_CHAIN:
		return chain_node(planner, first, last, plan.value);
	case PLAN_SET:
		return set_node(planner, first, last, plan.value);
	case PLAN_SPLIT:
		return node_new(planner,
				(struct tree_node){ .test = TEST_GE,
						    .constant = planner->ranges[plan.value].first,
						    .yes = interval_node(planner, plan.value, last),
						    .no = interval_node(planner, first, plan.value - 1) });
	}
	assert(first == last);
	return leaf_new(planner, first);
}

static bool same_leaf(const struct filter_range *first, const struct filter_range *second)
{
	return action_equal(first->action, second->action) && first->clauses == second->clauses;
}

static void name_actions(struct planner *planner)
{
	for (size_t i = 0; i < planner->count; i++) {
		size_t same = 0;
		/* Policies have a handful of actions, so an equal one stands near the front. */
		while (!same_leaf(&planner->ranges[same], &planner->ranges[i]))
			same++;
		planner->actions[i] = same;
	}
}

/* NULL weighs each known call alike. */
const struct tree_node *tree_make_weighed(struct arena *arena, const struct filter_range *ranges,
					  const uint64_t *weights, size_t count)
{
	struct arena *scratch = arena_new();
	struct planner planner = {
		.arena = arena,
		.ranges = ranges,
		.count = count,
		.actions = arena_array(scratch, count, sizeof *planner.actions),
		.weights = arena_array(scratch, count + 1, sizeof *planner.weights),
		.cost = arena_array(scratch, count * count, sizeof *planner.cost),
		.cost_by_end = arena_array(scratch, count * count, sizeof *planner.cost_by_end),
		.plans = arena_array(scratch, count * count, sizeof *planner.plans),
	};
	name_actions(&planner);
	for (size_t i = 0; i < count; i++)
		planner.weights[i + 1] = planner.weights[i] + (weights ? weights[i] : ranges[i].known);
	assert(planner.weights[count] <= WEIGHT_MAX);
	for (size_t i = count; i-- > 0;)
		plan_from(&planner, i);
	const struct tree_node *root = interval_node(&planner, 0, count - 1);
	arena_free(scratch);
	return root;
}

const struct tree_node *tree_make(struct arena *arena, const struct filter_range *ranges, size_t count)
{
	return tree_make_weighed(arena, ranges, NULL, count);
}
