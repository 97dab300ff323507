/*
 * All lists of an import as one: each command once, in the order in which it was first seen, with all places
 * that name it.
 */
#ifndef ALLOWC_IMPORT_IMPORT_UNION_H
#define ALLOWC_IMPORT_IMPORT_UNION_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/import/import.h"

struct map;
struct strbuf;

struct import_use {
	const struct import_list *list;
	const struct import_entry *entry;
};

struct import_name {
	const char *command;
	struct import_use *uses; /* in the order of the lists, and of their texts */
	size_t count, capacity;
};

/* What the policy has at one place: a command, or an entry that no row can name. */
struct import_line {
	struct import_use first;
	const struct import_name *name; /* NULL: no row can name it */
	const char *fault, *mend;       /* why, completes "'command' …"; what to write, or NULL */
};

struct import_union {
	struct import_line *lines;
	size_t count, capacity;
	struct map *names;  /* command to struct import_name */
	struct map *joined; /* "docker-buildx" to "docker buildx", of all that have blanks */
};

/* In the compilation's arena. Marks what a list's own precedence would decide otherwise as a fault. */
struct import_union import_unite(struct import *import);

/*
 * The command that a tool of a plugin is, whose spelling has no blanks: "docker buildx" for docker-buildx
 * where only that is in a list of commands.
 */
const char *import_tool(const struct import_union *all, const char *spelled);

/* The first use with this verdict; NULL where there is none. */
const struct import_use *import_use_of(const struct import_name *name, enum import_verdict verdict);

/* Whether its places have more than one verdict. */
bool import_is_conflict(const struct import_name *name);

/* "ALLOWED (a.py:3)", "tools.names:3": the place in its list. */
void import_place_add(struct strbuf *out, const struct import_list *list, struct span place);

#endif
