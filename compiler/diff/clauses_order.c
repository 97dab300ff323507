#include "compiler/diff/clauses_order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"

static int numbers_compare(uint64_t first, uint64_t second)
{
	return (first > second) - (first < second);
}

static int test_compare(const void *first, const void *second)
{
	const struct argument_test *a = first, *b = second;
	const uint64_t keys[][2] = {
		{ (uint64_t)a->index, (uint64_t)b->index }, { a->bits, b->bits },
		{ a->operator, b->operator}, { a->mask, b->mask }, { a->value, b->value } };
	int order = 0;
	for (size_t i = 0; !order && i < sizeof keys / sizeof *keys; i++)
		order = numbers_compare(keys[i][0], keys[i][1]);
	return order;
}

static int clause_compare(const void *first, const void *second)
{
	const struct clause *a = first, *b = second;
	int order = numbers_compare(a->count, b->count);
	for (size_t i = 0; !order && i < a->count; i++)
		order = test_compare(&a->tests[i], &b->tests[i]);
	return order;
}

/* Of sorted items each once; how many are left. */
static size_t once(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	char *bytes = items;
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (kept && compare(bytes + (kept - 1) * size, bytes + i * size) == 0)
			continue;
		memmove(bytes + kept++ * size, bytes + i * size, size);
	}
	return kept;
}

static size_t sort_once(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	qsort(items, count, size, compare);
	return once(items, count, size, compare);
}

static struct clause clause_order(struct arena *arena, const struct clause *clause)
{
	struct argument_test *tests = arena_array(arena, clause->count, sizeof *tests);
	memcpy(tests, clause->tests, clause->count * sizeof *tests);
	return (struct clause){ tests, sort_once(tests, clause->count, sizeof *tests, test_compare),
				clause->action };
}

/* The first clause that holds decides: only those of one action may change places. */
struct clauses clauses_order(struct arena *arena, const struct clauses *clauses)
{
	struct clause *items = arena_array(arena, clauses->count, sizeof *items);
	struct clauses ordered = *clauses;
	ordered.items = items;
	ordered.count = 0;
	for (size_t i = 0; i < clauses->count;) {
		struct clause *run = items + ordered.count;
		size_t count = 0;
		do {
			run[count++] = clause_order(arena, &clauses->items[i++]);
		} while (i < clauses->count && action_equal(run->action, clauses->items[i].action));
		ordered.count += sort_once(run, count, sizeof *run, clause_compare);
	}
	return ordered;
}
