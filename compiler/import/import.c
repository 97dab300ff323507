#include "compiler/import/import.h"

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/import/import_naming.h"

struct import_list *import_list_add(struct import *import, enum import_kind kind, const struct source *source,
				    const char *name, struct span place)
{
	struct arena *arena = import->compilation->arena;
	struct import_list *list = arena_alloc(arena, sizeof *list);
	*list = (struct import_list){ .kind = kind, .source = source, .name = name, .place = place };
	import->lists = arena_grow(arena, import->lists, import->count, &import->capacity,
				   sizeof(struct import_list *));
	import->lists[import->count++] = list;
	return list;
}

/*
 * "# Denied" above entries, or behind one: no reader takes a comment for what decides. In a list of which the
 * name says that its commands may run it is a heading as any other.
 */
static const char *wider_by_comment(struct arena *arena, const struct import_list *list,
				    const struct import_entry *entry)
{
	if (entry->verdict != IMPORT_ALLOW || import_naming_of(list->name) == NAMING_ALLOWS)
		return NULL;
	if (entry->group && import_naming_refuses(entry->group, 2))
		return arena_printf(arena, "stands below '%s' there, and is allowed as a row", entry->group);
	if (entry->reason && import_naming_refuses(entry->reason, 1))
		return arena_printf(arena, "has '%s' behind it there, and is allowed as a row",
				    entry->reason);
	return NULL;
}

void import_entry_add(struct import *import, struct import_list *list, const struct import_entry *entry)
{
	struct arena *arena = import->compilation->arena;
	list->entries = arena_grow(arena, list->entries, list->count, &list->capacity, sizeof *list->entries);
	struct import_entry *added = &list->entries[list->count++];
	*added = *entry;
	if (list->kind == IMPORT_COMMANDS && !added->wider)
		added->wider = wider_by_comment(arena, list, added);
}
