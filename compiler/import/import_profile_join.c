/* The profiles of one policy, a file for each byte order, as one. */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/import/import.h"
#include "compiler/import/import_profile.h"
#include "compiler/import/json_place.h"

static bool report(struct import *import, struct span place, const char *message)
{
	struct diagnostic *d =
		diag_report(import->compilation->diags, DIAG_IMPORT_PROFILE, place, "%s", message);
	diag_note(d, (struct span){ import->profile->source, 0, 0 }, "the first is here");
	diag_help(d, "only files of one policy, each for architectures of its own, are imported together");
	return false;
}

/* Whatever their order: one of them has to hold. No call has one twice. */
static bool conditions_equal(struct arena *arena, const struct profile_call *a, const struct profile_call *b)
{
	struct map *known = map_new(arena, a->count);
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		*map_at(known, a->conditions[i], strlen(a->conditions[i])) = (void *)a;
	for (size_t i = 0; i < b->count; i++)
		if (!map_value(known, b->conditions[i], strlen(b->conditions[i])))
			return false;
	return true;
}

static bool calls_equal(struct arena *arena, const struct profile_call *a, const struct profile_call *b)
{
	if (!a->ruled || !b->ruled)
		return a->ruled == b->ruled;
	return action_equal(a->action, b->action) && conditions_equal(arena, a, b);
}

static bool report_call(struct import *import, const struct import_profile *second, size_t index)
{
	const struct profile_call *call = &second->calls[index];
	struct span place = { second->source, 0, 0 };
	if (call->ruled)
		place = json_place(second->source, call->name);
	return report(import, place,
		      arena_printf(import->compilation->arena,
				   "'%s' gets another answer here than in the first profile",
				   syscall_table[index].name));
}

/* What no ABI of the first has, the second decides, whatever the first says of it. */
static bool call_join(struct import *import, const struct import_profile *second, size_t index)
{
	struct profile_call *first = &import->profile->calls[index];
	const struct syscall_entry *entry = &syscall_table[index];
	if (!import_profile_has(second, entry))
		return true;
	if (!import_profile_has(import->profile, entry))
		*first = second->calls[index];
	return calls_equal(import->compilation->arena, first, &second->calls[index]) ||
	       report_call(import, second, index);
}

/* The order of the first, and then that of the second. */
static void order_join(struct import *import, const struct import_profile *second)
{
	struct import_profile *first = import->profile;
	bool *placed = arena_array(import->compilation->arena, syscall_table_size, sizeof *placed);
	size_t kept = 0;
	for (size_t i = 0; i < first->count; i++) {
		placed[first->order[i]] = true;
		if (first->calls[first->order[i]].ruled)
			first->order[kept++] = first->order[i];
	}
	for (size_t i = 0; i < second->count; i++)
		if (!placed[second->order[i]] && first->calls[second->order[i]].ruled)
			first->order[kept++] = second->order[i];
	first->count = kept;
}

bool import_profile_join(struct import *import, const struct import_profile *second)
{
	struct import_profile *first = import->profile;
	const struct span start = { second->source, 0, 0 };
	if (!first->abis || !second->abis || first->abis & second->abis)
		return report(import, start, "this is a second seccomp profile, and a policy has one filter");
	if (!action_equal(first->fallback, second->fallback))
		return report(import, start, "the default here is another one than in the first profile");
	for (size_t i = 0; i < syscall_table_size; i++)
		if (!call_join(import, second, i))
			return false;
	order_join(import, second);
	first->abis |= second->abis;
	return true;
}
