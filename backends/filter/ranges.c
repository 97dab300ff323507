#include "backends/filter/ranges.h"

#include <assert.h>

#include "compiler/base/arena.h"

struct range_list {
	struct filter_range *items;
	size_t count;
};

/* Numbers [first, last] get `action`; `known` of them are system calls. Called in ascending order. */
static void range_add(struct range_list *list, uint32_t first, uint32_t last, struct action action,
		      size_t known)
{
	struct filter_range *before = list->count ? &list->items[list->count - 1] : NULL;
	assert(first == (before ? before->last + 1 : 0));
	if (before && action_equal(before->action, action)) {
		before->last = last;
		before->known += known;
		return;
	}
	list->items[list->count++] = (struct filter_range){ first, last, action, known };
}

/* The zone's numbers, and those of its known calls from `*next` on. */
static void zone_ranges(struct range_list *list, const struct decisions *decisions, const struct zone *zone,
			size_t *next)
{
	uint32_t number = zone->first;
	while (*next < decisions->known_count && decisions->known[*next].number <= zone->last) {
		const struct decision *known = &decisions->known[(*next)++];
		if (number < known->number)
			range_add(list, number, known->number - 1, zone->action, 0);
		range_add(list, known->number, known->number, known->action, 1);
		if (known->number == zone->last)
			return;
		number = known->number + 1;
	}
	range_add(list, number, zone->last, zone->action, 0);
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
