#include "backends/filter/condition_index.h"

#include <stdlib.h>

#include "compiler/base/arena.h"

/* A condition: all tests hold. */
struct entry {
	const struct argument_test *tests; /* those by `==` first */
	size_t count, equalities;
	size_t place;
};

/*
 * Entries that compare the same bits of the same arguments by `==`: ascending by the values, then by place.
 */
struct group {
	const struct entry *entries;
	size_t count;
};

struct condition_index {
	const struct group *groups;
	size_t count;
};

/* ---- building it ---- */

static size_t tests_copy(struct argument_test *tests, size_t count, const struct condition *condition,
			 enum abi abi, bool equalities)
{
	for (size_t i = 0; i < condition->count; i++) {
		const struct argument_test *test = &condition->comparisons[i].on[abi];
		if ((test->operator== COMPARISON_EQ) == equalities)
			tests[count++] = *test;
	}
	return count;
}

static struct entry entry_make(struct arena *arena, const struct condition *condition, enum abi abi)
{
	struct argument_test *tests = arena_array(arena, condition->count, sizeof *tests);
	struct entry entry = { .tests = tests };
	entry.equalities = tests_copy(tests, 0, condition, abi, true);
	entry.count = tests_copy(tests, entry.equalities, condition, abi, false);
	return entry;
}

/* What stands behind one that always holds is never the first, and is left out. */
static size_t entries_make(struct arena *arena, struct entry *entries,
			   const struct condition *const *conditions, size_t count, enum abi abi, bool hidden)
{
	size_t made = 0;
	for (size_t i = 0; i < count; i++) {
		struct entry entry = { .count = 0 };
		bool seen = condition_seen(conditions[i], abi);
		if (!seen && !hidden)
			continue;
		if (seen && conditions[i])
			entry = entry_make(arena, conditions[i], abi);
		entry.place = i;
		entries[made++] = entry;
		if (!entry.count)
			break;
	}
	return made;
}

static int by_key(const struct entry *first, const struct entry *second)
{
	if (first->equalities != second->equalities)
		return first->equalities < second->equalities ? -1 : 1;
	for (size_t i = 0; i < first->equalities; i++) {
		const struct argument_test *left = &first->tests[i], *right = &second->tests[i];
		if (left->index != right->index)
			return left->index < right->index ? -1 : 1;
		if (left->mask != right->mask)
			return left->mask < right->mask ? -1 : 1;
	}
	return 0;
}

static int by_value(const struct entry *first, const struct entry *second)
{
	for (size_t i = 0; i < first->equalities; i++)
		if (first->tests[i].value != second->tests[i].value)
			return first->tests[i].value < second->tests[i].value ? -1 : 1;
	return 0;
}

static int by_key_value_and_place(const void *a, const void *b)
{
	const struct entry *first = a, *second = b;
	int order = by_key(first, second);
	if (!order)
		order = by_value(first, second);
	return order ? order : (first->place > second->place) - (first->place < second->place);
}

const struct condition_index *condition_index_new(struct arena *arena,
						  const struct condition *const *conditions, size_t count,
						  enum abi abi, bool hidden)
{
	struct condition_index *index = arena_alloc(arena, sizeof *index);
	struct entry *entries = arena_array(arena, count, sizeof *entries);
	struct group *groups = arena_array(arena, count, sizeof *groups);
	size_t made = entries_make(arena, entries, conditions, count, abi, hidden);
	qsort(entries, made, sizeof *entries, by_key_value_and_place);
	index->count = 0;
	for (size_t i = 0; i < made; i++) {
		if (!i || by_key(&entries[i - 1], &entries[i]))
			groups[index->count++] = (struct group){ .entries = &entries[i] };
		groups[index->count - 1].count++;
	}
	index->groups = groups;
	return index;
}

/* ---- asking it ---- */

static bool test_holds(const struct argument_test *test, const uint64_t *arguments)
{
	uint64_t argument = arguments[test->index] & test->mask;
	switch (test->operator) {
	case COMPARISON_EQ:
		return argument == test->value;
	case COMPARISON_NE:
		return argument != test->value;
	case COMPARISON_LT:
		return argument < test->value;
	case COMPARISON_LE:
		return argument <= test->value;
	case COMPARISON_GT:
		return argument > test->value;
	case COMPARISON_GE:
		return argument >= test->value;
	case COMPARISON_ANY:
		return argument != 0;
	case COMPARISON_COUNT:
		break;
	}
	return false;
}

/* Less than 0 where the arguments come before what the entry compares with, 0 where they are that. */
static int arguments_compare(const struct entry *entry, const uint64_t *arguments)
{
	for (size_t i = 0; i < entry->equalities; i++) {
		const struct argument_test *test = &entry->tests[i];
		uint64_t argument = arguments[test->index] & test->mask;
		if (argument != test->value)
			return argument < test->value ? -1 : 1;
	}
	return 0;
}

/* The first entry that the arguments do not come after; `group->count` without one. */
static size_t group_search(const struct group *group, const uint64_t *arguments)
{
	size_t low = 0, high = group->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (arguments_compare(&group->entries[middle], arguments) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool rest_holds(const struct entry *entry, const uint64_t *arguments)
{
	for (size_t i = entry->equalities; i < entry->count; i++)
		if (!test_holds(&entry->tests[i], arguments))
			return false;
	return true;
}

/* The place of the first of the group that holds and comes before `best`; else `best`. */
static size_t group_first(const struct group *group, const uint64_t *arguments, size_t best)
{
	for (size_t i = group_search(group, arguments); i < group->count; i++) {
		const struct entry *entry = &group->entries[i];
		if (entry->place >= best || arguments_compare(entry, arguments))
			break;
		if (rest_holds(entry, arguments))
			return entry->place;
	}
	return best;
}

size_t condition_index_first(const struct condition_index *index, const uint64_t *arguments)
{
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < index->count; i++)
		best = group_first(&index->groups[i], arguments, best);
	return best;
}
