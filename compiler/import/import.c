#include "compiler/import/import.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
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

enum import_verdict import_verdict_of(struct arena *arena, const char *name)
{
	static const char *const refusing[] = {
		"FORBID",    "DENY",    "DENIED",   "BLOCK",     "BAN",     "DISALLOW",
		"REJECT",    "REFUSE",  "PROHIBIT", "UNSAFE",    "DANGER",  "NOT_",
		"BLACKLIST", "EXCLUDE", "DISABLE",  "UNTRUSTED", "ILLEGAL", "RESTRICTED",
	};
	char *upper = arena_copy(arena, name, strlen(name));
	for (char *c = upper; *c; c++)
		*c = ascii_is_alnum(*c) ? ascii_upper(*c) : '_';
	if (strstr(upper, "DECLINE"))
		return IMPORT_DECLINE;
	for (size_t i = 0; i < sizeof refusing / sizeof *refusing; i++)
		if (strstr(upper, refusing[i]))
			return IMPORT_FORBID;
	return IMPORT_ALLOW;
}
