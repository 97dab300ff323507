#include "compiler/import/import_drift.h"

#include <stdbool.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/data/packages.h"
#include "compiler/import/import.h"
#include "compiler/import/import_union.h"

struct drift {
	const struct import *import;
	const struct import_union *all;
	bool *takes_part;              /* of each list and verdict: IMPORT_VERDICTS to a list */
	size_t lists[IMPORT_VERDICTS]; /* of commands, that take part */
	size_t tools;                  /* lists of a plugin's */
	size_t most;
};

/* What one report shows of a kind, and how many lines it left out. */
struct shown {
	struct strbuf text;
	size_t count;
};

static bool *part_of(const struct drift *drift, size_t list, enum import_verdict verdict)
{
	return &drift->takes_part[list * IMPORT_VERDICTS + verdict];
}

/* A list is one of allowed commands where it allows one; an empty one is what it is called. */
static void parts_find(struct drift *drift)
{
	const struct import *import = drift->import;
	drift->takes_part =
		arena_array(import->compilation->arena, import->count + 1, IMPORT_VERDICTS * sizeof(bool));
	for (size_t i = 0; i < import->count; i++) {
		const struct import_list *list = import->lists[i];
		drift->tools += list->kind != IMPORT_COMMANDS;
		for (size_t k = 0; list->kind == IMPORT_COMMANDS && k < list->count; k++)
			*part_of(drift, i, list->entries[k].verdict) = true;
		if (list->kind == IMPORT_COMMANDS && !list->count)
			*part_of(drift, i, list->verdict) = true;
		for (enum import_verdict verdict = 0; verdict < IMPORT_VERDICTS; verdict++)
			drift->lists[verdict] += *part_of(drift, i, verdict);
	}
}

static bool line_has_room(const struct drift *drift, struct shown *shown)
{
	return ++shown->count <= drift->most || !drift->most;
}

static void more_add(const struct drift *drift, const struct shown *shown, struct strbuf *out)
{
	strbuf_add(out, shown->text.bytes, shown->text.size);
	if (drift->most && shown->count > drift->most)
		strbuf_printf(out, "  and %zu more (--max-errors 0 shows all)\n", shown->count - drift->most);
}

static void name_add(struct strbuf *out, const char *name)
{
	bool quoted = strchr(name, ' ') != NULL;
	strbuf_add_text(out, quoted ? "'" : "");
	text_add_visible(out, name, strlen(name));
	strbuf_add_text(out, quoted ? "'" : "");
}

/* ---- names ---- */

/* The next use of this verdict in a list other than `before`'s. */
static const struct import_use *use_after(const struct import_name *name, enum import_verdict verdict,
					  size_t *at)
{
	for (; *at < name->count; ++*at) {
		const struct import_use *use = &name->uses[*at];
		bool again = *at > 0 && use[-1].list == use->list && use[-1].entry->verdict == verdict;
		if (use->entry->verdict == verdict && !again)
			return &name->uses[(*at)++];
	}
	return NULL;
}

/* In how many of the lists of commands it is. */
static size_t lists_with(const struct import_name *name, enum import_verdict verdict)
{
	const struct import_use *use;
	size_t count = 0;
	for (size_t at = 0; (use = use_after(name, verdict, &at));)
		count += use->list->kind == IMPORT_COMMANDS;
	return count;
}

static void places_add(const struct import_name *name, enum import_verdict verdict, struct strbuf *out)
{
	const struct import_use *use;
	const char *before = "";
	for (size_t at = 0; (use = use_after(name, verdict, &at)); before = ", ") {
		strbuf_add_text(out, before);
		import_place_add(out, use->list, use->entry->place);
	}
}

static bool list_has(const struct import_list *list, const struct import_name *name,
		     enum import_verdict verdict)
{
	for (size_t i = 0; i < name->count; i++)
		if (name->uses[i].list == list && name->uses[i].entry->verdict == verdict)
			return true;
	return false;
}

static void missing_add(const struct drift *drift, const struct import_name *name,
			enum import_verdict verdict, struct strbuf *out)
{
	const char *before = "";
	for (size_t i = 0; i < drift->import->count; i++) {
		const struct import_list *list = drift->import->lists[i];
		if (!*part_of(drift, i, verdict) || list_has(list, name, verdict))
			continue;
		strbuf_add_text(out, before);
		import_place_add(out, list, (struct span){ 0 });
		before = ", ";
	}
}

static void name_compare(const struct drift *drift, const struct import_name *name,
			 enum import_verdict verdict, struct shown *shown)
{
	static const char *const verbs[IMPORT_VERDICTS] = { "", "forbid ", "decline " };
	if (!import_use_of(name, verdict) || lists_with(name, verdict) == drift->lists[verdict] ||
	    !line_has_room(drift, shown))
		return;
	strbuf_printf(&shown->text, "  %s", verbs[verdict]);
	name_add(&shown->text, name->command);
	strbuf_add_text(&shown->text, ": in ");
	places_add(name, verdict, &shown->text);
	strbuf_add_text(&shown->text, "; not in ");
	missing_add(drift, name, verdict, &shown->text);
	strbuf_add_char(&shown->text, '\n');
}

static void names_compare(const struct drift *drift, struct shown *shown)
{
	for (size_t i = 0; i < drift->all->count; i++)
		for (enum import_verdict verdict = 0; drift->all->lines[i].name && verdict < IMPORT_VERDICTS;
		     verdict++)
			if (drift->lists[verdict])
				name_compare(drift, drift->all->lines[i].name, verdict, shown);
}

/* ---- spellings ---- */

static const struct import_name *name_find(const struct drift *drift, const char *command)
{
	return command ? map_value(drift->all->names, command, strlen(command)) : NULL;
}

static void twin_add(const struct drift *drift, const struct import_name *name,
		     const struct import_name *other, const char *what, struct shown *shown)
{
	if (!line_has_room(drift, shown))
		return;
	strbuf_add_text(&shown->text, "  ");
	name_add(&shown->text, name->command);
	strbuf_add_text(&shown->text, ", ");
	import_place_add(&shown->text, name->uses[0].list, name->uses[0].entry->place);
	strbuf_printf(&shown->text, ", %s ", what);
	name_add(&shown->text, other->command);
	strbuf_add_text(&shown->text, ", ");
	import_place_add(&shown->text, other->uses[0].list, other->uses[0].entry->place);
	strbuf_add_char(&shown->text, '\n');
}

static void twins_find(const struct drift *drift, struct shown *shown)
{
	for (size_t i = 0; i < drift->all->count; i++) {
		const struct import_name *name = drift->all->lines[i].name;
		if (!name)
			continue;
		size_t size = strlen(name->command);
		const struct import_name *words =
			name_find(drift, map_value(drift->all->joined, name->command, size));
		if (words)
			twin_add(drift, name, words, "may be", shown);
		size_t programs;
		const struct package *packages = packages_find(name->command, &programs);
		for (size_t k = 0; k < programs; k++) {
			const struct import_name *program = name_find(drift, packages[k].program);
			if (program)
				twin_add(drift, name, program, "is also the package of", shown);
		}
	}
}

/* ---- the report ---- */

/* Lists of tools are compared with those of allowed commands. */
static size_t lists_compared(const struct drift *drift)
{
	size_t count = drift->lists[IMPORT_ALLOW] ? drift->tools : 0;
	for (enum import_verdict verdict = 0; verdict < IMPORT_VERDICTS; verdict++)
		if (drift->lists[verdict] > 1 || (verdict == IMPORT_ALLOW && count))
			count += drift->lists[verdict];
	return count;
}

void import_drift(const struct import *import, const struct import_union *all, size_t most,
		  struct strbuf *out)
{
	struct drift drift = { .import = import, .all = all, .most = most };
	struct shown names = { .text = STRBUF_INIT }, twins = { .text = STRBUF_INIT };
	parts_find(&drift);
	if (!lists_compared(&drift))
		return;
	names_compare(&drift, &names);
	twins_find(&drift, &twins);
	if (names.count)
		strbuf_add_text(out, "drift: these names are not in every list\n");
	else
		strbuf_printf(out, "drift: none between %zu lists\n", lists_compared(&drift));
	more_add(&drift, &names, out);
	if (twins.count)
		strbuf_add_text(out, "spellings that may be of one program\n");
	more_add(&drift, &twins, out);
	strbuf_release(&names.text);
	strbuf_release(&twins.text);
}
