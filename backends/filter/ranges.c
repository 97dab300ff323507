#include "backends/filter/ranges.h"

#include <assert.h>

#include "compiler/base/arena.h"

struct range_list {
	struct filter_range *items;
	size_t count;
};

/* Called in ascending order. */
static void range_add(struct range_list *list, struct filter_range range)
{
	struct filter_range *before = list->count ? &list->items[list->count - 1] : NULL;
	assert(range.first == (before ? before->last + 1 : 0));
	if (before && action_equal(before->action, range.action) && before->clauses == range.clauses) {
		before->last = range.last;
		before->known += range.known;
		return;
	}
	list->items[list->count++] = range;
}

/* Numbers that no table knows. */
static void gap_add(struct range_list *list, uint32_t first, uint32_t last, struct action action)
{
	range_add(list, (struct filter_range){ .first = first, .last = last, .action = action });
}

static void known_add(struct range_list *list, const struct decision *known)
{
	range_add(list, (struct filter_range){ .first = known->number,
					       .last = known->number,
					       .action = known->action,
					       .known = 1,
					       .clauses = known->clauses });
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
	/* Each known call is a range at most, and so is the gap before it. */
	size_t most = 2 * decisions->known_count + decisions->zone_count;
	struct range_list list = { .items = arena_array(arena, most, sizeof *list.items) };
	size_t next = 0;
	for (size_t i = 0; i < decisions->zone_count; i++)
		zone_ranges(&list, decisions, &decisions->zones[i], &next);
	assert(next == decisions->known_count);
	*count = list.count;
	return list.items;
}
