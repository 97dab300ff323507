/* plugin.yaml: the lists of `requirements`, as the scanner of the backend reads them. */
#include "backends/manifest_scan.h"

#include <string.h>

#include "backends/quote.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/map.h"
#include "compiler/import/import.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/import_naming.h"

struct reader {
	struct import *import;
	const struct source *source;
	bool good;
};

static struct span span_of(const struct reader *reader, struct manifest_place place)
{
	return (struct span){ reader->source, (uint32_t)place.begin, (uint32_t)place.end };
}

static struct diagnostic *report(struct reader *reader, struct manifest_place place, const char *why)
{
	reader->good = false;
	return diag_report(reader->import->compilation->diags, DIAG_MANIFEST, span_of(reader, place),
			   "the tools cannot be read: %s", why);
}

/* A plain scalar that some reader takes for a number, a date, a truth value or nothing. */
static bool is_text(const struct manifest_item *item)
{
	return !item->plain || quote_yaml_is_text(item->text);
}

static void item_add(struct reader *reader, struct import_list *list, const struct manifest_item *item)
{
	const struct import_entry entry = { .command = item->text, .place = span_of(reader, item->place) };
	if (item->trouble)
		diag_help(report(reader, item->place, item->trouble), "write each tool as one name: - jq");
	else if (!is_text(item))
		diag_help(report(reader, item->place, "some readers of YAML take this item for no text"),
			  "write it in quotes: \"%s\"", item->text);
	else
		import_entry_add(reader->import, list, &entry);
}

/* A list that is not there, but for a key that is nearly called so. */
static void twin_report(struct reader *reader, const struct manifest_list *list, const char *name)
{
	if (!list->twin)
		return;
	struct diagnostic *d =
		report(reader, list->twin_place,
		       arena_printf(reader->import->compilation->arena,
				    "'%s' is not read, and there is no '%s'", list->twin, name));
	if (import_naming_refuses(list->twin, 1)) /* "denied_tools": to call it as asked would let them run */
		diag_help(d, "list what is refused by itself, in a list of which the name says so");
	else
		diag_help(d, "did you mean '%s'?", name);
	diag_help(d, "if it is something else, write beside it: %s: []", name);
}

static bool is_told(const struct manifest *manifest, const struct manifest_key_text *other)
{
	for (enum manifest_key key = 0; key < MANIFEST_KEYS; key++) {
		const struct manifest_list *list = &manifest->lists[key];
		if (list->state == MANIFEST_ABSENT && list->twin &&
		    list->twin_place.begin == other->place.begin)
			return true;
	}
	return false;
}

/* "denied_tools: [su]", which may refuse what another list allows. */
static void refusals_report(struct reader *reader, const struct manifest *manifest)
{
	for (size_t i = 0; i < manifest->other_count; i++) {
		const struct manifest_key_text *other = &manifest->others[i];
		if (!import_naming_refuses(other->text, 1) || is_told(manifest, other))
			continue;
		struct diagnostic *d =
			report(reader, other->place,
			       arena_printf(reader->import->compilation->arena,
					    "'%s' may refuse some, and is not read", other->text));
		diag_help(d, "list what is refused by itself, in a list of which the name says so");
	}
}

static void list_add(struct reader *reader, const struct manifest *manifest, enum manifest_key key,
		     const char *name)
{
	static const enum import_kind kinds[] = {
		[MANIFEST_TOOLS] = IMPORT_TOOLS, [MANIFEST_OPTIONAL] = IMPORT_OPTIONAL
	};
	const struct manifest_list *from = &manifest->lists[key];
	if (from->state == MANIFEST_ABSENT) {
		twin_report(reader, from, manifest_key_name(key));
		return;
	}
	if (from->state == MANIFEST_OTHER) {
		diag_help(report(reader, from->value, "this is no list"), MANIFEST_PLAINLY);
		return;
	}
	if (from->properties && strcmp(from->properties, "a tag") == 0) {
		diag_help(report(reader, from->value, "this list has a tag, which may make another of it"),
			  MANIFEST_PLAINLY);
		return;
	}
	struct import_list *list =
		import_list_add(reader->import, kinds[key], reader->source, name,
				span_of(reader, manifest->name ? manifest->name_place : from->key));
	for (size_t i = 0; i < from->count; i++)
		item_add(reader, list, &from->items[i]);
}

/* "node" of "plugins/node/plugin.yaml": manifests without a name are known by their folder. */
static const char *folder_name(struct reader *reader)
{
	const char *path = reader->source->path, *base = path_base(path);
	size_t end = base == path ? 0 : (size_t)(base - path) - 1;
	size_t begin = end;
	while (begin > 0 && path[begin - 1] != '/')
		begin--;
	return arena_copy(reader->import->compilation->arena, path + begin, end - begin);
}

/* A policy has one block for each plugin. */
static bool name_take(struct reader *reader, const char *name, struct span place)
{
	struct import *import = reader->import;
	struct arena *arena = import->compilation->arena;
	if (!import->plugins)
		import->plugins = map_new(arena, 0);
	void **known = map_at(import->plugins, name, strlen(name));
	const struct span *other = *known;
	if (!other) {
		struct span *first = *known = arena_alloc(arena, sizeof *first);
		*first = place;
		return true;
	}
	struct diagnostic *d = diag_report(import->compilation->diags, DIAG_IMPORT_FORM, place,
					   "'%s' is the name of another plugin too", name);
	diag_note(d, *other, "the other is here");
	diag_help(d, "give one of them another name, or import one of them");
	return reader->good = false;
}

static void manifest_read(struct reader *reader, const struct manifest *manifest)
{
	const struct manifest_mapping *requirements = &manifest->requirements;
	const char *name = manifest->name ? manifest->name : folder_name(reader);
	if (requirements->state == MANIFEST_OTHER)
		diag_help(report(reader, requirements->value, "'requirements' is no mapping"),
			  MANIFEST_PLAINLY);
	else if (requirements->state != MANIFEST_LIST)
		diag_help(report(reader, requirements->key, "it has no 'requirements'"),
			  "tools stand in requirements.external_tools and requirements.optional");
	else if (requirements->merges)
		diag_help(report(reader, requirements->key, "a '<<' here adds what is written elsewhere"),
			  MANIFEST_PLAINLY);
	else if (!*name)
		diag_help(report(reader, requirements->key, "the plugin has no name"),
			  "write one above: name: NAME");
	else if (strlen(name) > COMMAND_SIZE_MAX)
		report(reader, manifest->name ? manifest->name_place : requirements->key,
		       "the plugin's name is longer than a command may be");
	else if (name_take(reader, name,
			   span_of(reader, manifest->name ? manifest->name_place : requirements->key))) {
		for (enum manifest_key key = 0; key < MANIFEST_KEYS; key++)
			list_add(reader, manifest, key, name);
		refusals_report(reader, manifest);
	}
}

/* From standard input it has no name. */
static bool has_requirements(const struct source *source)
{
	static const char key[] = "requirements:";
	return strncmp(source->text, key, strlen(key)) == 0 || strstr(source->text, "\nrequirements:");
}

bool import_manifest_is(const struct source *source)
{
	if (path_ends_with(source->path, ".py")) /* whatever stands in its texts */
		return false;
	return path_ends_with(source->path, ".yaml") || path_ends_with(source->path, ".yml") ||
	       has_requirements(source);
}

bool import_manifest_read(struct import *import, const struct source *source)
{
	static const bool managed[MANIFEST_KEYS] = { true, true };
	struct reader reader = { import, source, true };
	struct manifest manifest;
	struct manifest_refusal refusal =
		manifest_scan(import->compilation->arena, source->text, source->size, managed, &manifest);
	if (!refusal.why)
		manifest_read(&reader, &manifest);
	else
		diag_help(report(&reader, refusal.place, refusal.why), "%s",
			  refusal.help ? refusal.help : MANIFEST_PLAINLY);
	manifest_release(&manifest);
	return reader.good;
}
