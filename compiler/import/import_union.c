#include "compiler/import/import_union.h"

#include <string.h>
#include <strings.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/row_subject.h"

/* ---- what decides where a list comes from ---- */

static bool refuses(const struct import_entry *entry)
{
	return entry->verdict != IMPORT_ALLOW && !entry->fault;
}

/* What refuses fewer words than those of the command, and stands behind `after`; NULL where nothing does. */
static const struct import_entry *refusal_above(const struct map *refused, const char *command,
						const struct import_entry *after)
{
	for (const char *blank = command; (blank = strchr(blank, ' ')); blank++) {
		const struct import_entry *entry = map_value(refused, command, (size_t)(blank - command));
		if (entry && entry > after)
			return entry;
	}
	return NULL;
}

/* The last entry that refuses each command. */
static void refusals_add(struct map *refused, const struct import_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct import_entry *entry = &list->entries[i];
		if (refuses(entry))
			*map_at(refused, entry->command, strlen(entry->command)) = entry;
	}
}

static void overruled_mark(const struct import *import, const struct map *refused, struct import_list *list)
{
	bool last = list->precedence == IMPORT_LAST;
	for (size_t i = 0; i < list->count; i++) {
		struct import_entry *entry = &list->entries[i];
		const char *what, *right;
		bool nameable =
			command_is_nameable(import->compilation->arena, entry->command, &what, &right);
		if (entry->verdict != IMPORT_ALLOW || entry->fault || !nameable)
			continue;
		const struct import_entry *above =
			refusal_above(refused, entry->command, last ? entry : NULL);
		if (!above)
			continue;
		entry->fault = arena_printf(import->compilation->arena,
					    "is refused there, by '%s'; as a row it would be allowed",
					    above->command);
		entry->mend = last ? "the last entry decides there, the longest row here: leave it out, or "
				     "write the row"
				   : "the strictest rule decides there, the longest row here: leave it out, "
				     "or write the row";
	}
}

/* Rules of all files are one set; an alias of sudoers stands for itself. */
static void precedence_apply(const struct import *import)
{
	struct map *strict = map_new(import->compilation->arena, 0);
	for (size_t i = 0; i < import->count; i++)
		if (import->lists[i]->precedence == IMPORT_STRICTEST)
			refusals_add(strict, import->lists[i]);
	for (size_t i = 0; i < import->count; i++) {
		struct import_list *list = import->lists[i];
		struct map *refused = strict;
		if (list->precedence == IMPORT_LAST) {
			refused = map_new(import->compilation->arena, list->count);
			refusals_add(refused, list);
		}
		if (list->precedence != IMPORT_LONGEST)
			overruled_mark(import, refused, list);
	}
}

/* ---- uniting ---- */

static void line_add(struct import *import, struct import_union *all, const struct import_line *line)
{
	all->lines = arena_grow(import->compilation->arena, all->lines, all->count, &all->capacity,
				sizeof *all->lines);
	all->lines[all->count++] = *line;
}

static void joined_add(struct import *import, struct import_union *all, const char *command)
{
	if (!strchr(command, ' '))
		return;
	char *joined = arena_copy(import->compilation->arena, command, strlen(command));
	for (char *c = joined; *c; c++)
		*c = *c == ' ' ? '-' : *c;
	*map_at(all->joined, joined, strlen(joined)) = (void *)command;
}

static void use_add(struct import *import, struct import_union *all, const char *command,
		    const struct import_use *use)
{
	struct arena *arena = import->compilation->arena;
	void **known = map_at(all->names, command, strlen(command));
	struct import_name *name = *known;
	if (!name) {
		name = *known = arena_alloc(arena, sizeof *name);
		name->command = command;
		line_add(import, all, &(struct import_line){ .first = *use, .name = name });
		joined_add(import, all, command);
	}
	name->uses = arena_grow(arena, name->uses, name->count, &name->capacity, sizeof *name->uses);
	name->uses[name->count++] = *use;
}

/* "deny rm", as lists of rules have it; no program is called so. NULL where no such word begins it. */
static const char *verb_before(const char *command)
{
	static const char *const verbs[] = { "deny", "disallow", "forbid", "prohibit", "refuse" };
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		size_t size = strlen(verbs[i]);
		if (strncasecmp(command, verbs[i], size) == 0 && command[size] == ' ')
			return verbs[i];
	}
	return NULL;
}

/* `docker *`: a row would name the word '*' alone, and of a list of what is forbidden refuse nothing. */
static bool ends_with_star(const char *command)
{
	size_t size = strlen(command);
	return size > 2 && strcmp(command + size - 2, " *") == 0;
}

static void fault_find(struct arena *arena, const char *command, struct import_line *line)
{
	const char *right;
	if (strncmp(command, "CAP_", 4) == 0) {
		line->fault = "is a capability, not a program";
		line->mend = arena_printf(
			arena, "what no row forbids is not refused; to refuse it: forbid %s", command);
	} else if (*command == '!' || verb_before(command)) {
		line->fault = arena_printf(arena, "begins with '%s', which may refuse what stands behind it",
					   *command == '!' ? "!" : verb_before(command));
		line->mend = "list what is refused by itself, in a list of which the name says so";
	} else if (!command_is_nameable(arena, command, &line->fault, &right)) {
		if (right)
			line->mend = arena_printf(arena, "write it so where it is listed: %s", right);
	} else if (ends_with_star(command)) {
		line->fault = "ends with '*', which a row takes as it is written";
		line->mend = arena_printf(arena, "list '%.*s': a row covers all that follows its words",
					  (int)strlen(command) - 2, command);
	}
}

static void entry_unite(struct import *import, struct import_union *all, const struct import_use *use)
{
	const struct import_entry *entry = use->entry;
	struct arena *arena = import->compilation->arena;
	struct import_line line = { .first = *use, .fault = entry->fault, .mend = entry->mend };
	if (!line.fault)
		fault_find(arena, entry->command, &line);
	if (line.fault)
		line_add(import, all, &line);
	else
		use_add(import, all,
			use->list->kind == IMPORT_COMMANDS ? entry->command
							   : import_tool(all, entry->command),
			use);
}

/* Tools last: which commands they are is known when all lists of commands are. */
struct import_union import_unite(struct import *import)
{
	struct arena *arena = import->compilation->arena;
	struct import_union all = { .names = map_new(arena, 0), .joined = map_new(arena, 0) };
	precedence_apply(import);
	for (unsigned tools = 0; tools < 2; tools++)
		for (size_t i = 0; i < import->count; i++) {
			const struct import_list *list = import->lists[i];
			for (size_t k = 0; (list->kind != IMPORT_COMMANDS) == tools && k < list->count; k++)
				entry_unite(import, &all, &(struct import_use){ list, &list->entries[k] });
		}
	return all;
}

const char *import_tool(const struct import_union *all, const char *spelled)
{
	size_t size = strlen(spelled);
	const char *command =
		map_value(all->names, spelled, size) ? NULL : map_value(all->joined, spelled, size);
	return command ? command : spelled;
}

/* ---- asking ---- */

const struct import_use *import_use_of(const struct import_name *name, enum import_verdict verdict)
{
	for (size_t i = 0; i < name->count; i++)
		if (name->uses[i].entry->verdict == verdict)
			return &name->uses[i];
	return NULL;
}

bool import_is_conflict(const struct import_name *name)
{
	for (size_t i = 1; i < name->count; i++)
		if (name->uses[i].entry->verdict != name->uses[0].entry->verdict)
			return true;
	return false;
}

void import_place_add(struct strbuf *out, const struct import_list *list, struct span place)
{
	bool named = strcmp(list->name, path_base(list->source->path)) != 0;
	if (named) {
		text_add_visible(out, list->name, strlen(list->name));
		strbuf_add_text(out, " (");
	}
	text_add_visible(out, list->source->path, strlen(list->source->path));
	if (place.source)
		strbuf_printf(out, ":%u", source_line_number(list->source, place.begin));
	strbuf_add_text(out, named ? ")" : "");
}
