/*
 * What a row that both sides forbid keeps denied: a group that shrinks, or a `needs` that says less, loses a
 * guard even where another row denies the same call today. That other row may be taken back tomorrow. A row
 * that says less in another way, or ends earlier, is one guard less.
 */
#include <string.h>

#include "compiler/diff/comparer.h"
#include "compiler/diff/weakening.h"

/* All calls that the row denies, each once; it may be for other systems alone. */
struct guarded {
	const struct call_reference **calls;
	size_t count;
	struct map *known; /* their texts, conditions and all */
};

static void calls_add(struct arena *arena, struct guarded *guarded, const struct call_reference *calls,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = call_reference_text(arena, &calls[i]);
		void **place = map_at(guarded->known, text, strlen(text));
		if (*place)
			continue;
		*place = (void *)text;
		guarded->calls[guarded->count++] = &calls[i];
	}
}

static struct guarded guarded_by(struct arena *arena, const struct row *row)
{
	struct guarded guarded = { .known = map_new(arena, 0) };
	if (!row_is_for_linux(row))
		return guarded;
	size_t most = row->call_count;
	for (size_t i = 0; i < row_more(row)->need_count; i++)
		most += row_more(row)->needs[i].call_count;
	guarded.calls = arena_array(arena, most, sizeof(const struct call_reference *));
	calls_add(arena, &guarded, row->calls, row->call_count);
	for (size_t i = 0; i < row_more(row)->need_count; i++)
		calls_add(arena, &guarded, row_more(row)->needs[i].calls, row_more(row)->needs[i].call_count);
	return guarded;
}

static size_t missing(struct arena *arena, const struct guarded *some, const struct guarded *others)
{
	size_t count = 0;
	for (size_t i = 0; i < some->count; i++)
		count += !call_is_in(arena, some->calls[i], others->known);
	return count;
}

static bool denies_calls(const struct row *row)
{
	return row->call_count || row_more(row)->need_count;
}

/* A capability is one guard, on Linux. */
static bool is_guard(const struct row *row)
{
	return row->kind == SUBJECT_CAPABILITY && row_is_for_linux(row);
}

/* Where no system has capabilities and calls but Linux, to gain it is no loss of the others. */
static bool comes_to_linux(const struct row *from, const struct row *to)
{
	return from->kind != SUBJECT_COMMAND && !row_is_for_linux(from) && row_is_for_linux(to);
}

/* What the second guards less than the first. */
static size_t guards_lost(struct arena *arena, const struct row *from, const struct row *to)
{
	size_t lost = is_guard(from) && !is_guard(to);
	if (denies_calls(from)) {
		struct guarded before = guarded_by(arena, from), after = guarded_by(arena, to);
		lost += missing(arena, &before, &after);
	}
	if (lost || comes_to_linux(from, to))
		return lost;
	return forbid_is_weaker(arena, from, to) || row_ends_earlier(from, to);
}

void guarded_calls_compare(struct comparer *comparer, const struct row *old, const struct row *now)
{
	struct axis_verdict *guards = &comparer->comparison->axes[AXIS_GUARDS];
	guards->more += guards_lost(comparer->arena, now, old);
	guards->less += guards_lost(comparer->arena, old, now);
}
