#include "backends/filter/ranges.h"

#include <assert.h>

#include "compiler/base/arena.h"

struct range_list {
	struct arena *arena;
	struct filter_range *items;
	size_t count, capacity;
};

/* Called in ascending order. `known` calls are in the range: one or none. */
static void range_add(struct range_list *list, uint32_t first, uint32_t last, struct action action,
		      const struct clauses *clauses, size_t known)
{
	struct filter_range *before = list->count ? &list->items[list->count - 1] : NULL;
	assert(first == (before ? before->last + 1 : 0));
	if (before && action_equal(before->action, action) && before->clauses == clauses) {
		before->last = last;
		before->known += known;
		return;
	}
	list->items = arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof *list->items);
	list->items[list->count++] = (struct filter_range){
		.first = first, .last = last, .action = action, .known = known, .clauses = clauses
	};
}

/* Numbers that no table knows. */
static void gap_add(struct range_list *list, uint32_t first, uint32_t last, struct action action)
{
	range_add(list, first, last, action, NULL, 0);
}

static void known_add(struct range_list *list, const struct decision *known)
{
	range_add(list, known->number, known->number, known->action, known->clauses, 1);
}

/* The zone's numbers, and those of its known calls from `*next` on. */
static void zone_ranges(struct range_list *list, const struct decisions *decisions, const struct zone *zone,
			size_t *next)
{
	uint32_t number = zone->first;
	while (*next < decisions->known_count && decisions->known[*next].number <= zone->last) {
		const struct decision *known = &decisions->known[(*next)++];
		if (number < known->number)
			gap_add(list, number, known->number - 1, zone->action);
		known_add(list, known);
		if (known->number == zone->last)
			return;
		number = known->number + 1;
	}
	gap_add(list, number, zone->last, zone->action);
}

const struct filter_range *ranges_make(struct arena *arena, const struct decisions *decisions, size_t *count)
{
	struct range_list list = { .arena = arena };
	size_t next = 0;
	for (size_t i = 0; i < decisions->zone_count; i++)
		zone_ranges(&list, decisions, &decisions->zones[i], &next);
	assert(next == decisions->known_count);
	*count = list.count;
	return list.items;
}
