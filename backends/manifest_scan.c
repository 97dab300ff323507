/*
 * One pass over libyaml's events: a document of 50 MB never stands in memory as nodes. Where things are
 * comes from the marks, and those have traps: they count characters and not bytes, and the end of a block
 * list or mapping stands after the comments below it. So only the marks of scalars, of flow lists and of
 * keys are used; the lines around them are found in the text.
 */
#include "backends/manifest_scan.h"

#include <assert.h>
#include <string.h>
#include <yaml.h>

#include "compiler/base/arena.h"
#include "compiler/base/die.h"
#include "compiler/base/limits.h"
#include "compiler/base/suggest.h"

enum { STEP_DEFAULT = 2 };

struct anchors {
	const char *names[2 + MANIFEST_KEYS];
	size_t count;
};

struct scanner {
	struct arena *arena;
	const char *text;
	size_t size;
	struct manifest *manifest;
	const bool *managed;
	struct manifest_refusal refusal;
	yaml_parser_t parser;
	yaml_event_t event;
	bool has_event;
	size_t character, byte; /* a character's number and where it begins */
	size_t odd;             /* the next line end that only some readers know; the size without one */
	size_t depth;
	bool omitting; /* what is read is a list of ours: no part of `rest` */
	bool step_found, list_found;
	/* The last leaf that was read. */
	size_t leaf_character;
	bool leaf_is_block, leaf_is_empty;
	struct anchors anchors; /* of what may be edited */
};

const char *manifest_key_name(enum manifest_key key)
{
	return key == MANIFEST_TOOLS ? "external_tools" : "optional";
}

/* ---- places ---- */

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The byte at which a character begins. Marks mostly grow, so this goes on from the one before. */
static size_t byte_of(struct scanner *scanner, size_t character)
{
	if (character < scanner->character)
		scanner->character = scanner->byte = 0;
	while (scanner->character < character && scanner->byte < scanner->size) {
		scanner->byte++;
		while (scanner->byte < scanner->size && is_continuation(scanner->text[scanner->byte]))
			scanner->byte++;
		scanner->character++;
	}
	return scanner->byte;
}

static struct manifest_place place_of(struct scanner *scanner)
{
	size_t begin = byte_of(scanner, scanner->event.start_mark.index);
	return (struct manifest_place){ begin, byte_of(scanner, scanner->event.end_mark.index) };
}

static bool refuse_with(struct scanner *scanner, struct manifest_place place, const char *why,
			const char *help)
{
	if (!scanner->refusal.why)
		scanner->refusal = (struct manifest_refusal){ place, why, help };
	return false;
}

static bool refuse(struct scanner *scanner, struct manifest_place place, const char *why)
{
	return refuse_with(scanner, place, why, NULL);
}

/* ---- events ---- */

static bool refuse_broken(struct scanner *scanner)
{
	const yaml_parser_t *parser = &scanner->parser;
	if (parser->error == YAML_MEMORY_ERROR)
		die_out_of_memory();
	bool reader = parser->error == YAML_READER_ERROR;
	size_t begin = reader ? parser->problem_offset : byte_of(scanner, parser->problem_mark.index);
	if (begin > scanner->size)
		begin = scanner->size;
	bool tab = !reader && begin < scanner->size && scanner->text[begin] == '\t';
	const char *problem = parser->problem ? parser->problem : "it cannot be read";
	return refuse_with(scanner, (struct manifest_place){ begin, begin },
			   arena_printf(scanner->arena, "it is no YAML: %s", problem),
			   reader ? "save the file as UTF-8, without control characters"
			   : tab  ? "a tab stands here: YAML indents with blanks alone"
				  : "mend it here, or in the lines above");
}

static void event_drop(struct scanner *scanner)
{
	if (scanner->has_event)
		yaml_event_delete(&scanner->event);
	scanner->has_event = false;
}

static bool event_next(struct scanner *scanner)
{
	event_drop(scanner);
	if (!yaml_parser_parse(&scanner->parser, &scanner->event))
		return refuse_broken(scanner);
	scanner->has_event = true;
	return true;
}

static const char *event_anchor(const yaml_event_t *event)
{
	const yaml_char_t *anchor =
		event->type == YAML_SCALAR_EVENT           ? event->data.scalar.anchor
		: event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.anchor
		: event->type == YAML_MAPPING_START_EVENT  ? event->data.mapping_start.anchor
		: event->type == YAML_ALIAS_EVENT          ? event->data.alias.anchor
							   : NULL;
	return (const char *)anchor;
}

static const char *event_tag(const yaml_event_t *event)
{
	const yaml_char_t *tag = event->type == YAML_SCALAR_EVENT           ? event->data.scalar.tag
				 : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.tag
				 : event->type == YAML_MAPPING_START_EVENT  ? event->data.mapping_start.tag
									    : NULL;
	return (const char *)tag;
}

static const char *event_properties(const yaml_event_t *event)
{
	return event_anchor(event) ? "an anchor" : event_tag(event) ? "a tag" : NULL;
}

static bool event_is_plain(const yaml_event_t *event)
{
	return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static bool event_is_text(const yaml_event_t *event, const char *text)
{
	return event->type == YAML_SCALAR_EVENT && event->data.scalar.length == strlen(text) &&
	       memcmp(event->data.scalar.value, text, event->data.scalar.length) == 0;
}

/* ---- the rest of the document, as text that can be compared ---- */

/* None of it is ever written: it is compared, byte by byte. */
static void rest_add_bytes(struct strbuf *rest, const void *bytes, size_t size)
{
	strbuf_add(rest, bytes, size); /* lint-quoting: compared, never written */
}

static void rest_add_name(struct strbuf *rest, const char *sign, const char *name)
{
	if (!name)
		return;
	strbuf_add_text(rest, sign);
	rest_add_bytes(rest, name, strlen(name) + 1);
}

static void rest_add(struct scanner *scanner, const yaml_event_t *event)
{
	struct strbuf *rest = &scanner->manifest->rest;
	if (scanner->omitting)
		return;
	char type = (char)event->type;
	rest_add_bytes(rest, &type, 1);
	rest_add_name(rest, "&", event_anchor(event));
	rest_add_name(rest, "!", event_tag(event));
	if (event->type != YAML_SCALAR_EVENT)
		return;
	/* Only a plain scalar can be a number or a null. A length comes first: a text may hold anything. */
	size_t length = event->data.scalar.length;
	strbuf_add_text(rest, event_is_plain(event) ? "p" : "q");
	rest_add_bytes(rest, &length, sizeof length);
	rest_add_bytes(rest, event->data.scalar.value, length);
}

/* ---- line ends that only some readers know ---- */

/*
 * NEL, LS and PS end a line in YAML 1.1 and not in 1.2: what stands behind one in a comment is a key to
 * libyaml, and to others, and to a person, part of the comment. Inside quotes and block texts they are
 * harmless. The size of one at the start of the bytes, 0 where none is.
 */
static size_t odd_end_size(const char *at, size_t size)
{
	if (size >= 2 && memcmp(at, "\xc2\x85", 2) == 0)
		return 2;
	bool separator =
		size >= 3 && (memcmp(at, "\xe2\x80\xa8", 3) == 0 || memcmp(at, "\xe2\x80\xa9", 3) == 0);
	return separator ? 3 : 0;
}

static size_t odd_find(const struct scanner *scanner, size_t at)
{
	while (at < scanner->size && !odd_end_size(scanner->text + at, scanner->size - at))
		at++;
	return at;
}

static bool odd_refuse(struct scanner *scanner)
{
	return refuse(scanner, (struct manifest_place){ scanner->odd, scanner->odd },
		      "here is a character that only some readers of YAML take for a line end");
}

/* Passes over those inside the scalar at hand. */
static bool odd_pass(struct scanner *scanner)
{
	if (scanner->odd == scanner->size || event_is_plain(&scanner->event))
		return true;
	struct manifest_place place = place_of(scanner);
	if (scanner->odd < place.begin)
		return odd_refuse(scanner);
	while (scanner->odd < place.end)
		scanner->odd = odd_find(scanner, scanner->odd + 1);
	return true;
}

/* ---- what every node does ---- */

static bool alias_check(struct scanner *scanner)
{
	const char *name = event_anchor(&scanner->event);
	assert(name);
	for (size_t i = 0; i < scanner->anchors.count; i++)
		if (strcmp(scanner->anchors.names[i], name) == 0 && !scanner->manifest->shared.why)
			scanner->manifest->shared =
				(struct manifest_refusal){ place_of(scanner),
							   "an alias here stands for what would be changed",
							   NULL };
	return true;
}

static void leaf_note(struct scanner *scanner)
{
	const yaml_event_t *event = &scanner->event;
	bool scalar = event->type == YAML_SCALAR_EVENT;
	yaml_scalar_style_t style = scalar ? event->data.scalar.style : YAML_ANY_SCALAR_STYLE;
	scanner->leaf_character = event->end_mark.index;
	scanner->leaf_is_block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
	scanner->leaf_is_empty = scalar && event->start_mark.index == event->end_mark.index;
}

/* A flow list or mapping ends where its bracket does; the end of a block one is of no use. */
static bool ends_flow(const struct scanner *scanner)
{
	const yaml_event_t *event = &scanner->event;
	bool end = event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT;
	return end && event->end_mark.index > event->start_mark.index;
}

/* The event that is at hand is part of the document: counted, and noted for the comparison. */
static bool event_take(struct scanner *scanner)
{
	rest_add(scanner, &scanner->event);
	switch (scanner->event.type) {
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		if (++scanner->depth > MANIFEST_DEPTH_MAX)
			return refuse(scanner, place_of(scanner), "it is nested too deeply");
		return true;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		scanner->depth--;
		if (ends_flow(scanner))
			leaf_note(scanner);
		return true;
	case YAML_ALIAS_EVENT:
		leaf_note(scanner);
		return alias_check(scanner);
	default:
		assert(scanner->event.type == YAML_SCALAR_EVENT);
		leaf_note(scanner);
		return odd_pass(scanner);
	}
}

/* How the file indents: told by the first list and the first mapping that are values of a block mapping. */
static void style_note(struct scanner *scanner, size_t key_column)
{
	const yaml_event_t *event = &scanner->event;
	size_t column = event->start_mark.column;
	if (column < key_column)
		return;
	if (event->type == YAML_SEQUENCE_START_EVENT && !scanner->list_found &&
	    event->data.sequence_start.style == YAML_BLOCK_SEQUENCE_STYLE) {
		scanner->list_found = true;
		scanner->manifest->list_indent = column - key_column;
	}
	if (event->type == YAML_MAPPING_START_EVENT && !scanner->step_found && column > key_column &&
	    event->data.mapping_start.style == YAML_BLOCK_MAPPING_STYLE) {
		scanner->step_found = true;
		scanner->manifest->step = column - key_column;
	}
}

/* Passes over the node that begins with the event at hand. */
static bool node_pass(struct scanner *scanner)
{
	size_t outside = scanner->depth;
	if (!event_take(scanner))
		return false;
	while (scanner->depth > outside)
		if (!event_next(scanner) || !event_take(scanner))
			return false;
	return true;
}

/* ---- a list ---- */

static const char *item_trouble(const yaml_event_t *event)
{
	if (event->type == YAML_ALIAS_EVENT)
		return "an item is an alias";
	if (event->type != YAML_SCALAR_EVENT)
		return "an item is a list or a mapping";
	if (event_properties(event))
		return event_anchor(event) ? "an item has an anchor" : "an item has a tag";
	return event->start_mark.line != event->end_mark.line ? "an item goes over several lines" : NULL;
}

static bool item_read(struct scanner *scanner, struct manifest_list *list)
{
	const yaml_event_t *event = &scanner->event;
	list->items =
		arena_grow(scanner->arena, list->items, list->count, &list->capacity, sizeof *list->items);
	struct manifest_item *item = &list->items[list->count++];
	*item = (struct manifest_item){ .place = place_of(scanner), .trouble = item_trouble(event) };
	if (event->type == YAML_SCALAR_EVENT) {
		item->text = arena_copy(scanner->arena, (const char *)event->data.scalar.value,
					event->data.scalar.length);
		item->plain = event_is_plain(event);
		item->double_quoted = event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
		if (!item->trouble && strlen(item->text) != event->data.scalar.length)
			item->trouble = "an item holds a NUL";
	}
	return node_pass(scanner);
}

static bool items_read(struct scanner *scanner, struct manifest_list *list)
{
	list->state = MANIFEST_LIST;
	list->flow = scanner->event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
	if (list->flow)
		list->value.begin = list->value.end - strlen("["); /* behind an anchor or a tag */
	if (!event_take(scanner))
		return false;
	while (event_next(scanner) && scanner->event.type != YAML_SEQUENCE_END_EVENT)
		if (!item_read(scanner, list))
			return false;
	if (scanner->refusal.why)
		return false;
	if (list->flow)
		list->value.end = place_of(scanner).end;
	return event_take(scanner);
}

/* A value that is no collection. */
static enum manifest_state scalar_state(const yaml_event_t *event)
{
	static const char *const words[] = { "null", "Null", "NULL", "~" };
	if (event->type != YAML_SCALAR_EVENT || !event_is_plain(event))
		return MANIFEST_OTHER;
	if (event->data.scalar.length == 0)
		return MANIFEST_NULL;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (event_is_text(event, words[i]))
			return MANIFEST_NULL_WORD;
	return MANIFEST_OTHER;
}

static void anchor_watch(struct scanner *scanner)
{
	const char *anchor = event_anchor(&scanner->event);
	if (!anchor || scanner->event.type == YAML_ALIAS_EVENT)
		return;
	assert(scanner->anchors.count < sizeof scanner->anchors.names / sizeof *scanner->anchors.names);
	scanner->anchors.names[scanner->anchors.count++] = arena_copy(scanner->arena, anchor, strlen(anchor));
}

static bool list_read(struct scanner *scanner, struct manifest_list *list)
{
	list->value = place_of(scanner);
	list->properties = event_properties(&scanner->event);
	if (scanner->omitting)
		anchor_watch(scanner);
	if (scanner->event.type == YAML_SEQUENCE_START_EVENT)
		return items_read(scanner, list);
	list->state = scalar_state(&scanner->event);
	return node_pass(scanner);
}

/* ---- mappings ---- */

/* Called for the value of each key with the event of the value at hand. */
typedef bool value_function(struct scanner *scanner, const yaml_event_t *key, struct manifest_place place);

static void first_key_note(struct scanner *scanner, struct manifest_mapping *mapping)
{
	const yaml_event_t *event = &scanner->event;
	if (mapping->pair_count++)
		return;
	mapping->column = event->start_mark.column;
	mapping->keys_quoted = event->type == YAML_SCALAR_EVENT &&
			       event->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

static bool list_key(const yaml_event_t *key, enum manifest_key *which)
{
	for (*which = 0; *which < MANIFEST_KEYS; (*which)++)
		if (event_is_text(key, manifest_key_name(*which)))
			return true;
	return false;
}

/* The key's own event is taken here, since one of ours is no part of the rest. */
static bool pair_read(struct scanner *scanner, struct manifest_mapping *mapping, value_function *value)
{
	size_t column = scanner->event.start_mark.column;
	struct manifest_place place = place_of(scanner);
	first_key_note(scanner, mapping);
	if (scanner->event.type == YAML_ALIAS_EVENT)
		return refuse(scanner, place,
			      "a key here is an alias: which key that is, readers may not agree");
	if (scanner->event.type == YAML_SCALAR_EVENT && event_tag(&scanner->event))
		return refuse(scanner, place,
			      "a key here has a tag: which key that is, readers may not agree");
	if (scanner->event.type != YAML_SCALAR_EVENT) {
		if (!node_pass(scanner) || !event_next(scanner))
			return false;
		return node_pass(scanner);
	}
	mapping->merges |= event_is_plain(&scanner->event) && event_is_text(&scanner->event, "<<");
	yaml_event_t key = scanner->event;
	scanner->has_event = false;
	bool good = event_next(scanner);
	if (good && !mapping->flow)
		style_note(scanner, column);
	good = good && value(scanner, &key, place);
	yaml_event_delete(&key);
	return good;
}

/* The mapping whose start is at hand. */
static bool mapping_read(struct scanner *scanner, struct manifest_mapping *mapping, value_function *value)
{
	mapping->state = MANIFEST_LIST;
	mapping->value = place_of(scanner);
	mapping->flow = scanner->event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
	if (mapping->flow)
		mapping->value.begin = mapping->value.end - strlen("{");
	mapping->properties = event_properties(&scanner->event);
	anchor_watch(scanner);
	if (!event_take(scanner))
		return false;
	while (event_next(scanner) && scanner->event.type != YAML_MAPPING_END_EVENT)
		if (!pair_read(scanner, mapping, value))
			return false;
	if (scanner->refusal.why)
		return false;
	mapping->leaf_end = byte_of(scanner, scanner->leaf_character);
	mapping->leaf_is_block = scanner->leaf_is_block;
	mapping->leaf_is_empty = scanner->leaf_is_empty;
	if (mapping->flow)
		mapping->value.end = place_of(scanner).end;
	return event_take(scanner);
}

/* A pair that is none of ours. */
static bool pair_pass(struct scanner *scanner, const yaml_event_t *key)
{
	rest_add(scanner, key);
	return node_pass(scanner);
}

/* A mapping with nothing but our lists says no more than none: one sign for its start, one for its end. */
static void rest_forget(struct scanner *scanner, size_t before, size_t opened, bool bare)
{
	struct strbuf *rest = &scanner->manifest->rest;
	if (bare && rest->size == opened + 2)
		rest->size = before;
}

/* Whether a key may be meant as one of ours: "external_tool: [jq]", "tools: [jq]", "programs: [jq]". */
static bool is_twin(enum manifest_key which, const char *text, bool list)
{
	static const char *const parts[][5] = {
		[MANIFEST_TOOLS] = { "tool", "program", "command", "executable", "binar" },
		[MANIFEST_OPTIONAL] = { "optional" },
	};
	struct suggestion suggestion = suggestion_begin(manifest_key_name(which));
	suggestion_offer(&suggestion, text);
	if (suggestion.nearest)
		return true;
	for (size_t i = 0; list && i < sizeof parts[which] / sizeof *parts[which] && parts[which][i]; i++)
		if (strstr(text, parts[which][i]))
			return true;
	return false;
}

static void other_note(struct scanner *scanner, const char *text, struct manifest_place place)
{
	struct manifest *manifest = scanner->manifest;
	manifest->others = arena_grow(scanner->arena, manifest->others, manifest->other_count,
				      &manifest->other_capacity, sizeof *manifest->others);
	manifest->others[manifest->other_count++] =
		(struct manifest_key_text){ place, arena_copy(scanner->arena, text, strlen(text)) };
}

/* What was meant is for the reader of the lists to say. "optional_tools" is one of them, the last. */
static void twin_note(struct scanner *scanner, const yaml_event_t *key, struct manifest_place place)
{
	const char *text = (const char *)key->data.scalar.value;
	bool is_list = scanner->event.type == YAML_SEQUENCE_START_EVENT;
	if (is_list)
		other_note(scanner, text, place);
	for (enum manifest_key which = MANIFEST_KEYS; which-- > 0;) {
		struct manifest_list *list = &scanner->manifest->lists[which];
		if (!is_twin(which, text, is_list))
			continue;
		if (!list->twin) {
			list->twin = arena_copy(scanner->arena, text, strlen(text));
			list->twin_place = place;
		}
		return;
	}
}

static bool requirements_value(struct scanner *scanner, const yaml_event_t *key, struct manifest_place place)
{
	enum manifest_key which;
	if (!list_key(key, &which)) {
		twin_note(scanner, key, place);
		return pair_pass(scanner, key);
	}
	struct manifest_list *list = &scanner->manifest->lists[which];
	if (list->state != MANIFEST_ABSENT)
		return refuse(
			scanner, place,
			arena_printf(scanner->arena, "the key '%s' stands twice", manifest_key_name(which)));
	list->key = place;
	if (!scanner->managed[which])
		rest_add(scanner, key);
	scanner->omitting = scanner->managed[which];
	bool good = list_read(scanner, list);
	scanner->omitting = false;
	return good;
}

/* `requirements:` with no mapping behind it. */
static bool requirements_pass(struct scanner *scanner, const yaml_event_t *key)
{
	struct manifest_mapping *requirements = &scanner->manifest->requirements;
	requirements->value = place_of(scanner);
	requirements->properties = event_properties(&scanner->event);
	requirements->state = scalar_state(&scanner->event);
	if (requirements->state == MANIFEST_OTHER || requirements->properties)
		return pair_pass(scanner, key);
	scanner->omitting = true;
	bool good = node_pass(scanner);
	scanner->omitting = false;
	return good;
}

static bool requirements_read(struct scanner *scanner, const yaml_event_t *key, struct manifest_place place)
{
	struct manifest_mapping *requirements = &scanner->manifest->requirements;
	if (requirements->state != MANIFEST_ABSENT)
		return refuse(scanner, place, "the key 'requirements' stands twice");
	requirements->key = place;
	if (scanner->event.type != YAML_MAPPING_START_EVENT)
		return requirements_pass(scanner, key);
	size_t before = scanner->manifest->rest.size;
	bool bare = !event_properties(&scanner->event);
	rest_add(scanner, key);
	size_t opened = scanner->manifest->rest.size;
	if (!mapping_read(scanner, requirements, requirements_value))
		return false;
	rest_forget(scanner, before, opened, bare);
	return true;
}

static bool root_value(struct scanner *scanner, const yaml_event_t *key, struct manifest_place place)
{
	struct manifest *manifest = scanner->manifest;
	if (event_is_text(key, "requirements"))
		return requirements_read(scanner, key, place);
	if (event_is_text(key, "name") && scanner->event.type == YAML_SCALAR_EVENT) {
		manifest->name_place = place_of(scanner);
		manifest->name = arena_copy(scanner->arena, (const char *)scanner->event.data.scalar.value,
					    scanner->event.data.scalar.length);
	}
	return pair_pass(scanner, key);
}

/* ---- the document ---- */

static bool document_read(struct scanner *scanner)
{
	if (!event_next(scanner))
		return false;
	if (scanner->event.type != YAML_MAPPING_START_EVENT)
		return refuse(scanner, place_of(scanner), "it is no mapping");
	bool bare = !event_properties(&scanner->event);
	if (!mapping_read(scanner, &scanner->manifest->root, root_value))
		return false;
	rest_forget(scanner, 0, 0, bare);
	return event_next(scanner); /* the document's end */
}

static bool stream_read(struct scanner *scanner)
{
	if (!event_next(scanner)) /* the stream's start */
		return false;
	if (!event_next(scanner))
		return false;
	if (scanner->event.type == YAML_STREAM_END_EVENT)
		return true;
	if (!document_read(scanner) || !event_next(scanner))
		return false;
	if (scanner->event.type == YAML_STREAM_END_EVENT)
		return true;
	return refuse_with(scanner, place_of(scanner), "it holds more than one document",
			   "leave one document in the file");
}

static bool begins_line(const struct scanner *scanner, size_t at)
{
	const char *text = scanner->text + at;
	return at == 0 || text[-1] == '\n' || text[-1] == '\r' ||
	       (at >= 2 && odd_end_size(text - 2, 2) == 2) || (at >= 3 && odd_end_size(text - 3, 3) == 3);
}

/* Counted before libyaml reads on, which takes all directives of a document at once. */
static bool tags_are_few(struct scanner *scanner)
{
	static const char word[] = "%TAG";
	const char *at = scanner->text, *end = at + scanner->size;
	for (size_t count = 0; (at = memmem(at, (size_t)(end - at), word, sizeof word - 1)); at++) {
		size_t place = (size_t)(at - scanner->text);
		if (begins_line(scanner, place) && ++count > MANIFEST_TAGS_MAX)
			return refuse_with(scanner,
					   (struct manifest_place){ place, place + sizeof word - 1 },
					   arena_printf(scanner->arena, "it has more than %d %%TAG lines",
							(int)MANIFEST_TAGS_MAX),
					   "remove those that no tag uses, or write tags out: !<URI>");
	}
	return true;
}

struct manifest_refusal manifest_scan(struct arena *arena, const char *text, size_t size,
				      const bool managed[MANIFEST_KEYS], struct manifest *manifest)
{
	*manifest = (struct manifest){ .step = STEP_DEFAULT, .rest = STRBUF_INIT };
	struct scanner scanner = {
		.arena = arena, .text = text, .size = size, .manifest = manifest, .managed = managed
	};
	if (!yaml_parser_initialize(&scanner.parser))
		die_out_of_memory();
	yaml_parser_set_encoding(&scanner.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&scanner.parser, (const unsigned char *)text, size);
	scanner.odd = odd_find(&scanner, 0);
	if (tags_are_few(&scanner) && stream_read(&scanner) && scanner.odd < size)
		odd_refuse(&scanner);
	event_drop(&scanner);
	yaml_parser_delete(&scanner.parser);
	if (!scanner.list_found)
		manifest->list_indent = manifest->step;
	return scanner.refusal;
}

void manifest_release(struct manifest *manifest)
{
	strbuf_release(&manifest->rest);
}
