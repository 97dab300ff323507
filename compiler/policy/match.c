#include "compiler/policy/match.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"

/* Rows that are added where the index is asked, which who asks need not know. */
struct waiting {
	const struct row *const *rows;
	size_t count;
};

struct row_index {
	struct map *rows;
	struct waiting *waiting;
};

struct row_index *row_index_over(struct arena *arena, struct map *rows)
{
	struct row_index *index = arena_alloc(arena, sizeof *index);
	*index = (struct row_index){ rows, arena_alloc(arena, sizeof *index->waiting) };
	return index;
}

struct row_index *row_index_new(struct arena *arena, size_t expected)
{
	return row_index_over(arena, map_new(arena, expected));
}

void row_index_add(struct row_index *index, const struct row *row)
{
	*map_at(index->rows, row->subject, strlen(row->subject)) = (void *)row;
}

void row_index_add_later(struct row_index *index, const struct row *const *rows, size_t count)
{
	assert(!index->waiting->count);
	*index->waiting = (struct waiting){ rows, count };
}

void row_index_complete(const struct row_index *index)
{
	const struct waiting waiting = *index->waiting;
	if (!waiting.count)
		return;
	index->waiting->count = 0;
	map_reserve(index->rows, waiting.count);
	for (size_t i = 0; i < waiting.count; i++) {
		const struct row *row = waiting.rows[i];
		if (i + MAP_AHEAD < waiting.count) {
			const char *ahead = waiting.rows[i + MAP_AHEAD]->subject;
			map_fetch(index->rows, ahead, strlen(ahead));
		}
		if (row->kind == SUBJECT_COMMAND && row->verb != VERB_DECLINE)
			*map_at(index->rows, row->subject, strlen(row->subject)) = (void *)row;
	}
}

static const struct row *row_at(const struct row_index *index, const char *command, size_t size)
{
	row_index_complete(index);
	const struct row *row = map_value(index->rows, command, size);
	return row && row->verb != VERB_DECLINE ? row : NULL;
}

const struct row *row_index_find(const struct row_index *index, const char *command)
{
	return row_at(index, command, strlen(command));
}

const struct row *row_index_match(const struct row_index *index, const char *command)
{
	size_t size = strlen(command);
	while (size) {
		const struct row *row = row_at(index, command, size);
		if (row)
			return row;
		while (size && command[size - 1] != ' ')
			size--;
		if (size)
			size--;
	}
	return NULL;
}

static enum verdict verdict_of(const struct row *row)
{
	if (!row)
		return VERDICT_UNLISTED;
	return row->verb == VERB_ALLOW ? VERDICT_ALLOWED : VERDICT_FORBIDDEN;
}

const struct row *policy_find(const struct policy *policy, const char *command)
{
	return row_index_find(policy->index, command);
}

const struct row *policy_match(const struct policy *policy, const char *command)
{
	return row_index_match(policy->index, command);
}

enum verdict policy_verdict(const struct policy *policy, const char *command)
{
	return verdict_of(policy_match(policy, command));
}

const struct row *block_match(const struct policy *policy, const struct block *block, const char *command)
{
	const struct row *own = row_index_match(block->index, command);
	if (own && own->verb == VERB_FORBID)
		return own;
	return policy_match(policy, command);
}

enum verdict block_verdict(const struct policy *policy, const struct block *block, const char *command)
{
	return verdict_of(block_match(policy, block, command));
}

/* A declined row decides nothing, so no verdict of a block concerns it. */
static bool block_sees(const struct policy *policy, const struct block *block, const struct row *row,
		       enum verb verb)
{
	if (row->kind != SUBJECT_COMMAND)
		return false;
	if (verb == VERB_DECLINE || row->verb == VERB_DECLINE)
		return row->verb == verb;
	return block_verdict(policy, block, row->subject) ==
	       (verb == VERB_ALLOW ? VERDICT_ALLOWED : VERDICT_FORBIDDEN);
}

const struct row **block_commands(struct arena *arena, const struct policy *policy, const struct block *block,
				  enum verb verb, size_t *count)
{
	const struct row **rows = arena_array(arena, policy->row_count + block->row_count + 1, sizeof *rows);
	*count = 0;
	for (size_t i = 0; i < policy->row_count; i++)
		if (block_sees(policy, block, policy->rows[i], verb))
			rows[(*count)++] = policy->rows[i];
	for (size_t i = 0; i < block->row_count; i++) {
		const struct row *row = block->rows[i];
		if (row->kind == SUBJECT_COMMAND && row->verb == verb &&
		    (verb == VERB_DECLINE || !policy_find(policy, row->subject)))
			rows[(*count)++] = row;
	}
	return rows;
}

struct map *blocks_by_name(struct arena *arena, const struct block *const *blocks, size_t count)
{
	struct map *names = map_new(arena, count);
	for (size_t i = 0; i < count; i++)
		*map_at(names, blocks[i]->name, strlen(blocks[i]->name)) = (void *)blocks[i];
	return names;
}
