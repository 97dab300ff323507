#include "compiler/import/import.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"

struct import_list *import_list_add(struct import *import, enum import_kind kind, const struct source *source,
				    const char *name, struct span place)
{
	struct arena *arena = import->compilation->arena;
	struct import_list *list = arena_alloc(arena, sizeof *list);
	*list = (struct import_list){ .kind = kind, .source = source, .name = name, .place = place };
	import->lists = arena_grow(arena, import->lists, import->count, &import->capacity, sizeof(struct import_list *));
	import->lists[import->count++] = list;
	return list;
}

/* Those that a person types are few. */
size_t import_symbol(const struct import *import, const char *name)
{
	size_t i = 0;
	while (i < import->symbol_count && strcmp(import->symbols[i], name) != 0)
		i++;
	return i;
}

void import_entry_add(struct import *import, struct import_list *list, const struct import_entry *entry)
{
	list->entries = arena_grow(import->compilation->arena, list->entries, list->count, &list->capacity,
				   sizeof *list->entries);
	list->entries[list->count++] = *entry;
}
