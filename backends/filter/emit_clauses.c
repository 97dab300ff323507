#include <assert.h>

#include "backends/filter/clauses.h"
#include "backends/filter/emit.h"
#include "compiler/base/arena.h"

/* What the accumulator holds where it is no word of the input. */
#define NOTHING UINT32_MAX

/* Where to go on: `label` expects the word at `holds` in the accumulator, or with NOTHING expects nothing. */
struct entry {
	size_t label;
	uint32_t holds;
};

/* Tests of one clause, while it is written for one end of the ABI's bytes. */
struct writer {
	struct emitter *emitter;
	bool big_endian;
};

/* Of one half of an argument, in struct seccomp_data. */
static uint32_t half_offset(const struct writer *writer, int index, bool high)
{
	return EMIT_ARGUMENTS + 8 * (uint32_t)index + (high != writer->big_endian ? 4 : 0);
}

/* The label for somebody who has the word at `holds` loaded. */
static size_t enter(struct writer *writer, struct entry entry, uint32_t holds)
{
	if (entry.holds == NOTHING || entry.holds == holds)
		return entry.label;
	return emit_load(writer->emitter, entry.holds, entry.label);
}

/* One jump on the loaded word. */
static struct entry write_jump(struct writer *writer, enum tree_test test, uint32_t offset, uint32_t constant,
			       struct entry yes, struct entry no)
{
	size_t yes_label = enter(writer, yes, offset);
	size_t no_label = enter(writer, no, offset);
	return (struct entry){ emit_test(writer->emitter, test, constant, yes_label, no_label), offset };
}

/* The same on some bits of it: the others are gone then. */
static struct entry write_masked_jump(struct writer *writer, enum tree_test test, uint32_t offset,
				      uint32_t mask, uint32_t constant, struct entry yes, struct entry no)
{
	if (mask == UINT32_MAX)
		return write_jump(writer, test, offset, constant, yes, no);
	size_t yes_label = enter(writer, yes, NOTHING);
	size_t no_label = enter(writer, no, NOTHING);
	size_t jump = emit_test(writer->emitter, test, constant, yes_label, no_label);
	return (struct entry){ emit_and(writer->emitter, mask, jump), offset };
}

static bool is_single_bit(uint32_t mask)
{
	return (mask & (mask - 1)) == 0;
}

/* (word & mask) == value; `mask` is not 0, and `value` within it. */
static struct entry write_equal(struct writer *writer, uint32_t offset, uint32_t mask, uint32_t value,
				struct entry yes, struct entry no)
{
	if (mask != UINT32_MAX && value == 0)
		return write_jump(writer, TEST_SET, offset, mask, no, yes);
	if (value == mask && is_single_bit(mask))
		return write_jump(writer, TEST_SET, offset, mask, yes, no);
	return write_masked_jump(writer, TEST_EQ, offset, mask, value, yes, no);
}

static uint32_t low_half(uint64_t value)
{
	return (uint32_t)value;
}

static uint32_t high_half(uint64_t value)
{
	return (uint32_t)(value >> 32);
}

static struct entry write_equal_64(struct writer *writer, const struct argument_test *test, struct entry yes,
				   struct entry no)
{
	uint32_t low = low_half(test->mask), high = high_half(test->mask);
	if (low)
		yes = write_equal(writer, half_offset(writer, test->index, false), low, low_half(test->value),
				  yes, no);
	if (high)
		yes = write_equal(writer, half_offset(writer, test->index, true), high,
				  high_half(test->value), yes, no);
	return yes;
}

static struct entry write_any(struct writer *writer, const struct argument_test *test, struct entry yes,
			      struct entry no)
{
	uint32_t low = low_half(test->mask), high = high_half(test->mask);
	if (low)
		no = write_jump(writer, TEST_SET, half_offset(writer, test->index, false), low, yes, no);
	if (high)
		no = write_jump(writer, TEST_SET, half_offset(writer, test->index, true), high, yes, no);
	return no;
}

/* argument >= value, which is neither 0 nor beyond what the argument can be. */
static struct entry write_at_least(struct writer *writer, const struct argument_test *test, uint64_t value,
				   struct entry yes, struct entry no)
{
	uint32_t low = low_half(value), high = high_half(value);
	uint32_t low_offset = half_offset(writer, test->index, false);
	uint32_t high_offset = half_offset(writer, test->index, true);
	if (test->bits <= 32)
		return write_masked_jump(writer, TEST_GE, low_offset, low_half(test->mask), low, yes, no);
	if (low == 0)
		return write_jump(writer, TEST_GE, high_offset, high, yes, no);
	struct entry equal = write_jump(writer, TEST_GE, low_offset, low, yes, no);
	if (high > 0)
		equal = write_jump(writer, TEST_EQ, high_offset, high, equal, no);
	if (high == UINT32_MAX)
		return equal;
	return write_jump(writer, TEST_GE, high_offset, high + 1, yes, equal);
}

static struct entry write_test(struct writer *writer, const struct argument_test *test, struct entry yes,
			       struct entry no)
{
	switch (test->operator) {
	case COMPARISON_EQ:
		return write_equal_64(writer, test, yes, no);
	case COMPARISON_NE:
		return write_equal_64(writer, test, no, yes);
	case COMPARISON_ANY:
		return write_any(writer, test, yes, no);
	case COMPARISON_GE:
		return write_at_least(writer, test, test->value, yes, no);
	case COMPARISON_LT:
		return write_at_least(writer, test, test->value, no, yes);
	case COMPARISON_GT:
		return write_at_least(writer, test, test->value + 1, yes, no);
	case COMPARISON_LE:
		return write_at_least(writer, test, test->value + 1, no, yes);
	case COMPARISON_COUNT:
		break;
	}
	assert(false); /* an eighth operator */
	return yes;
}

static struct entry write_return(struct writer *writer, struct action action)
{
	return (struct entry){ emit_return(writer->emitter, filter_return_value(action)), NOTHING };
}

/* From the last test of the last clause to the first of the first: what a test leads to is there before it.
 */
static struct entry write_clauses(struct writer *writer, const struct clauses *clauses)
{
	struct entry next = write_return(writer, clauses->otherwise);
	for (size_t i = clauses->count; i-- > 0;) {
		const struct clause *clause = &clauses->items[i];
		struct entry yes = write_return(writer, clause->action), no = next;
		for (size_t k = clause->count; k-- > 0;)
			yes = write_test(writer, &clause->tests[k], yes, no);
		next = yes;
	}
	return next;
}

size_t emit_clauses(struct emitter *emitter, const struct clauses *clauses)
{
	for (size_t i = 0; i < emitter->leaf_count; i++)
		if (emitter->leaves[i].clauses == clauses)
			return emitter->leaves[i].label;
	struct writer writer = { emitter, clauses->big_endian };
	size_t before = emitter->count;
	size_t label = enter(&writer, write_clauses(&writer, clauses), NOTHING);
	emitter->leaves = arena_grow(emitter->arena, emitter->leaves, emitter->leaf_count,
				     &emitter->leaf_capacity, sizeof *emitter->leaves);
	emitter->leaves[emitter->leaf_count++] =
		(struct emitted_clauses){ clauses, label, emitter->count - before };
	return label;
}
