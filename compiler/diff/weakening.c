#include "compiler/diff/weakening.h"

#include <string.h>

#include "compiler/base/arena.h"
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
		const struct need *need = &row_more(than)->needs[i];
		calls_put(arena, known, need->calls, need->call_count);
		if (need->capability)
			text_put(known, need->capability->name);
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

static bool has_more_paths(struct arena *arena, const struct row *row, const struct row *than)
{
	const struct row_more *more = row_more(row), *less = row_more(than);
	struct map *known = map_new(arena, less->path_count);
	for (size_t i = 0; i < less->path_count; i++)
		text_put(known, less->paths[i]);
	for (size_t i = 0; i < more->path_count; i++)
		if (!map_find(known, more->paths[i], strlen(more->paths[i])))
			return true;
	return false;
}

/* ---- terms of an allow row ---- */

/* Of two that say the same, and of no others, the same; `operator` has no blank. */
static const char *requirement_key(struct arena *arena, const struct requirement *requirement)
{
	const char *relation = requirement->operator ? requirement->operator : "";
	const char *version = requirement->version ? requirement->version : "";
	return arena_printf(arena, "%zu %s%s %s", strlen(version), version, relation, requirement->command);
}

static bool drops_requirement(struct arena *arena, const struct row *old, const struct row *now)
{
	const struct row_more *before = row_more(old), *after = row_more(now);
	struct map *known = map_new(arena, after->requirement_count);
	for (size_t i = 0; i < after->requirement_count; i++)
		text_put(known, requirement_key(arena, &after->requirements[i]));
	for (size_t i = 0; i < before->requirement_count; i++) {
		const char *key = requirement_key(arena, &before->requirements[i]);
		if (!map_find(known, key, strlen(key)))
			return true;
	}
	return false;
}

bool allow_is_wider(struct arena *arena, const struct row *old, const struct row *now)
{
	return (platforms_of(now) & ~platforms_of(old)) || drops_requirement(arena, old, now) ||
	       has_more_paths(arena, now, old) || (row_more(old)->path_count && !row_more(now)->path_count) ||
	       !texts_equal(old->spelling, now->spelling) || has_more_calls(arena, now, old);
}

/* ---- the force of a forbid row ---- */

bool actions_are_equal(const struct row *old, const struct row *now)
{
	const struct row_more *before = row_more(old), *after = row_more(now);
	return before->has_action == after->has_action &&
	       (!before->has_action || action_equal(before->action, after->action));
}

/* Another action than before is stricter only where it kills. */
static bool acts_softer(const struct row *old, const struct row *now)
{
	const struct row_more *after = row_more(now);
	return !actions_are_equal(old, now) && !(after->has_action && after->action.kind == ACTION_KILL);
}

bool forbid_is_weaker(struct arena *arena, const struct row *old, const struct row *now)
{
	return (platforms_of(old) & ~platforms_of(now)) || has_more_needs(arena, old, now) ||
	       has_more_paths(arena, old, now) || acts_softer(old, now) || has_more_calls(arena, old, now);
}

bool row_ends_earlier(const struct row *old, const struct row *now)
{
	const char *before = row_more(old)->until, *after = row_more(now)->until;
	return after && (!before || strcmp(after, before) < 0);
}
