#include "compiler/import/import.h"

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"

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

void import_entry_add(struct import *import, struct import_list *list, const struct import_entry *entry)
{
	list->entries = arena_grow(import->compilation->arena, list->entries, list->count, &list->capacity,
				   sizeof *list->entries);
	list->entries[list->count++] = *entry;
}
