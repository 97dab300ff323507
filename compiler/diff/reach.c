#include "compiler/diff/reach.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/policy/policy.h"

/* A command, and its place in the order of the rows. */
struct placed {
	const char *command;
	uint32_t place;
};

struct reach {
	struct arena *arena;
	const char **in_order;
	struct placed *sorted; /* as strcmp() has them */
	size_t count;
	uint32_t *found; /* places */
	size_t found_count, found_capacity;
	const char **answer;
	size_t answer_capacity;
};

static bool decides(const struct row *row)
{
	return row->kind == SUBJECT_COMMAND && row->verb != VERB_DECLINE;
}

static void rows_add(struct reach *reach, struct map *seen, const struct policy *policy)
{
	for (size_t i = 0; i < policy->row_count; i++) {
		const char *command = policy->rows[i]->subject;
		void **known = decides(policy->rows[i]) ? map_at(seen, command, strlen(command)) : NULL;
		if (!known || *known)
			continue;
		*known = (void *)command;
		reach->sorted[reach->count] = (struct placed){ command, (uint32_t)reach->count };
		reach->in_order[reach->count++] = command;
	}
}

static int by_command(const void *left, const void *right)
{
	return strcmp(((const struct placed *)left)->command, ((const struct placed *)right)->command);
}

struct reach *reach_new(struct arena *arena, const struct policy *now, const struct policy *old)
{
	size_t most = now->row_count + old->row_count;
	struct reach *reach = arena_alloc(arena, sizeof *reach);
	reach->arena = arena;
	reach->in_order = arena_array(arena, most, sizeof *reach->in_order);
	reach->sorted = arena_array(arena, most, sizeof *reach->sorted);
	struct map *seen = map_new(arena, most);
	rows_add(reach, seen, now);
	rows_add(reach, seen, old);
	if (reach->count)
		qsort(reach->sorted, reach->count, sizeof *reach->sorted, by_command);
	return reach;
}

static size_t first_from(const struct reach *reach, const char *words)
{
	size_t low = 0, high = reach->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(reach->sorted[middle].command, words) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool begins_with(const char *command, const char *words, size_t size)
{
	return strncmp(command, words, size) == 0 && (!command[size] || command[size] == ' ');
}

/* No character of a command is less than a blank: the longer ones follow the words themselves. */
static void words_find(struct reach *reach, const char *words)
{
	size_t size = strlen(words);
	for (size_t i = first_from(reach, words);
	     i < reach->count && begins_with(reach->sorted[i].command, words, size); i++) {
		reach->found = arena_grow(reach->arena, reach->found, reach->found_count,
					  &reach->found_capacity, sizeof *reach->found);
		reach->found[reach->found_count++] = reach->sorted[i].place;
	}
}

static void block_find(struct reach *reach, const struct block *block)
{
	for (size_t i = 0; block && i < block->row_count; i++)
		if (decides(block->rows[i]))
			words_find(reach, block->rows[i]->subject);
}

static int by_place(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

size_t reach_of(struct reach *reach, const struct block *now, const struct block *old,
		const char *const **commands)
{
	reach->found_count = 0;
	block_find(reach, now);
	block_find(reach, old);
	if (reach->found_count)
		qsort(reach->found, reach->found_count, sizeof *reach->found, by_place);
	size_t count = 0;
	for (size_t i = 0; i < reach->found_count; i++) {
		if (i && reach->found[i] == reach->found[i - 1])
			continue;
		reach->answer = arena_grow(reach->arena, reach->answer, count, &reach->answer_capacity,
					   sizeof *reach->answer);
		reach->answer[count++] = reach->in_order[reach->found[i]];
	}
	*commands = reach->answer;
	return count;
}
