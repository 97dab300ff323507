#include "compiler/diff/weakening.h"

#include <string.h>

#include "compiler/base/map.h"

static unsigned platforms_of(const struct row *row)
{
	return row_more(row)->platforms ? row_more(row)->platforms : (1u << PLATFORM_COUNT) - 1;
}

/* ---- sets of texts ---- */

static void text_put(struct map *set, const char *text)
{
	*map_at(set, text, strlen(text)) = (void *)text;
}

static bool calls_are_in(struct arena *arena, const struct call_reference *calls, size_t count,
			 const struct map *set)
{
	for (size_t i = 0; i < count; i++)
		if (!call_is_in(arena, &calls[i], set))
			return false;
	return true;
}

static bool has_more_calls(struct arena *arena, const struct row *row, const struct row *than)
{
	struct map *known = map_new(arena, than->call_count);
	calls_put(arena, known, than->calls, than->call_count);
	return !calls_are_in(arena, row->calls, row->call_count, known);
}

static bool has_more_needs(struct arena *arena, const struct row *row, const struct row *than)
{
	struct map *known = map_new(arena, 0);
	for (size_t i = 0; i < row_more(than)->need_count; i++) {
		calls_put(arena, known, row_more(than)->needs[i].calls, row_more(than)->needs[i].call_count);
		if (row_more(than)->needs[i].capability)
			text_put(known, row_more(than)->needs[i].capability->name);
	}
	for (size_t i = 0; i < row_more(row)->need_count; i++) {
		const struct need *need = &row_more(row)->needs[i];
		if (!calls_are_in(arena, need->calls, need->call_count, known) ||
		    (need->capability &&
		     !map_find(known, need->capability->name, strlen(need->capability->name))))
			return true;
	}
	return false;
}

static bool has_more_paths(const struct row *row, const struct row *than)
{
	for (size_t i = 0; i < row_more(row)->path_count; i++) {
		bool known = false;
		for (size_t k = 0; k < row_more(than)->path_count && !known; k++)
			known = strcmp(row_more(row)->paths[i], row_more(than)->paths[k]) == 0;
		if (!known)
			return true;
	}
	return false;
}

/* ---- terms of an allow row ---- */

static bool requires_as(const struct row *row, const struct requirement *wanted)
{
	for (size_t i = 0; i < row_more(row)->requirement_count; i++) {
		const struct requirement *at = &row_more(row)->requirements[i];
		if (texts_equal(at->command, wanted->command) &&
		    texts_equal(at->operator, wanted->operator) && texts_equal(at->version, wanted->version))
			return true;
	}
	return false;
}

static bool drops_requirement(const struct row *old, const struct row *now)
{
	for (size_t i = 0; i < row_more(old)->requirement_count; i++)
		if (!requires_as(now, &row_more(old)->requirements[i]))
			return true;
	return false;
}

bool allow_is_wider(struct arena *arena, const struct row *old, const struct row *now)
{
	return (platforms_of(now) & ~platforms_of(old)) || drops_requirement(old, now) ||
	       has_more_paths(now, old) || (row_more(old)->path_count && !row_more(now)->path_count) ||
	       !texts_equal(old->spelling, now->spelling) || has_more_calls(arena, now, old);
}

/* ---- the force of a forbid row ---- */

/* Another action than before is stricter only where it kills. */
static bool acts_softer(const struct row *old, const struct row *now)
{
	bool same =
		row_more(old)->has_action == row_more(now)->has_action &&
		(!row_more(old)->has_action || action_equal(row_more(old)->action, row_more(now)->action));
	return !same && !(row_more(now)->has_action && row_more(now)->action.kind == ACTION_KILL);
}

bool forbid_is_weaker(struct arena *arena, const struct row *old, const struct row *now)
{
	return (platforms_of(old) & ~platforms_of(now)) || has_more_needs(arena, old, now) ||
	       has_more_paths(old, now) || acts_softer(old, now) || has_more_calls(arena, old, now);
}

bool row_ends_earlier(const struct row *old, const struct row *now)
{
	return row_more(now)->until &&
	       (!row_more(old)->until || strcmp(row_more(now)->until, row_more(old)->until) < 0);
}
