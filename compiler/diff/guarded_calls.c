/*
 * What a row that both sides forbid keeps denied: a group that shrinks, or a `needs` that says less, loses a
 * guard even where another row denies the same call today. That other row may be taken back tomorrow.
 */
#include <string.h>

#include "compiler/diff/comparer.h"

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
	for (size_t i = 0; i < row->need_count; i++)
		most += row->needs[i].call_count;
	guarded.calls = arena_array(arena, most, sizeof(const struct call_reference *));
	calls_add(arena, &guarded, row->calls, row->call_count);
	for (size_t i = 0; i < row->need_count; i++)
		calls_add(arena, &guarded, row->needs[i].calls, row->needs[i].call_count);
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
	return row->call_count || row->need_count;
}

/* A capability is one guard, on Linux. */
static bool is_guard(const struct row *row)
{
	return row->kind == SUBJECT_CAPABILITY && row_is_for_linux(row);
}

void guarded_calls_compare(struct comparer *comparer, const struct row *old, const struct row *now)
{
	struct axis_verdict *guards = &comparer->comparison->axes[AXIS_GUARDS];
	guards->more += is_guard(now) && !is_guard(old);
	guards->less += is_guard(old) && !is_guard(now);
	if (!denies_calls(old) && !denies_calls(now))
		return;
	struct guarded before = guarded_by(comparer->arena, old), after = guarded_by(comparer->arena, now);
	guards->more += missing(comparer->arena, &after, &before);
	guards->less += missing(comparer->arena, &before, &after);
}
