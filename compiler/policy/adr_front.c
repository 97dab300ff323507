#include "compiler/policy/adr_front.h"

#include <string.h>
#include <yaml.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/die.h"
#include "compiler/base/limits.h"

/* The top mapping is at depth 1; values of its keys that hold others are deeper. */
struct front_reader {
	const struct adr_text *text;
	struct adr_fields *fields;
	yaml_parser_t parser;
	size_t depth;
	bool in_value; /* the next event at depth 1 is the value of `field` */
	bool known;    /* `field` is one that is wanted */
	bool failed, done;
	struct adr_field field;
	size_t marked_bytes, marked_chars; /* where mark_offset() got to */
};

/* libyaml's marks count characters; they only grow, so that one walk over the text serves all. */
static size_t mark_offset(struct front_reader *reader, const yaml_mark_t *mark)
{
	struct slice front = reader->text->front;
	if (mark->index < reader->marked_chars)
		reader->marked_bytes = reader->marked_chars = 0;
	while (reader->marked_chars < mark->index && reader->marked_bytes < front.size) {
		reader->marked_bytes++;
		while (reader->marked_bytes < front.size &&
		       ((unsigned char)front.at[reader->marked_bytes] & 0xc0) == 0x80)
			reader->marked_bytes++;
		reader->marked_chars++;
	}
	return reader->marked_bytes;
}

static struct slice event_slice(struct front_reader *reader, const yaml_event_t *event)
{
	size_t begin = mark_offset(reader, &event->start_mark);
	size_t end = mark_offset(reader, &event->end_mark);
	return slice_trim((struct slice){ reader->text->front.at + begin, end - begin });
}

static bool is_null(const yaml_event_t *event, struct slice value)
{
	return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	       (!value.size || slice_is(value, "~") || slice_is(value, "null"));
}

/* The place of a quoted value is that of the text between the quotes, where they hide no escapes. */
static struct slice between_quotes(struct slice written, struct slice value)
{
	if (written.size == value.size + 2 && memcmp(written.at + 1, value.at, value.size) == 0)
		return (struct slice){ written.at + 1, value.size };
	return written;
}

static void scalar_add(struct front_reader *reader, const yaml_event_t *event)
{
	struct slice value = { (const char *)event->data.scalar.value, event->data.scalar.length };
	struct slice written = between_quotes(event_slice(reader, event), value);
	if (is_null(event, value))
		return;
	struct adr_field field = reader->field;
	value.at = arena_copy(reader->fields->arena, value.at, value.size);
	field.value = slice_trim(value);
	field.span = adr_text_span(reader->text, written);
	adr_field_add(reader->fields, field);
}

static void key_read(struct front_reader *reader, const yaml_event_t *event)
{
	struct slice key = { (const char *)event->data.scalar.value, event->data.scalar.length };
	reader->field = (struct adr_field){ .recogniser = ADR_RECOGNISER_FRONT_MATTER };
	reader->known =
		adr_field_name_find(key, &reader->field.name) && reader->field.name != ADR_FIELD_OTHER;
	reader->in_value = true;
}

/* A list or mapping, kept as it is written: `{proposed | accepted}` of a template is worth showing. */
static void composite_end(struct front_reader *reader, const yaml_event_t *event)
{
	size_t begin = reader->field.span.begin, end = mark_offset(reader, &event->end_mark);
	struct slice written = { reader->text->front.at + begin, end - begin };
	reader->field.value = slice_trim(written);
	reader->field.span = adr_text_span(reader->text, reader->field.value);
	reader->field.composite = true;
	if (reader->known)
		adr_field_add(reader->fields, reader->field);
}

static void value_end(struct front_reader *reader)
{
	if (reader->depth == 1)
		reader->in_value = false;
}

static void begin_read(struct front_reader *reader, const yaml_event_t *event)
{
	bool top = reader->depth == 0;
	if (top && event->type != YAML_MAPPING_START_EVENT)
		reader->failed = true;
	if (reader->depth == 1 && !reader->in_value)
		reader->failed = true; /* a key that is no text */
	if (reader->depth == 1)
		reader->field.span.begin = (uint32_t)mark_offset(reader, &event->start_mark);
	if (++reader->depth > ADR_FRONT_DEPTH_MAX)
		reader->failed = true;
}

static void end_read(struct front_reader *reader, const yaml_event_t *event)
{
	reader->depth--;
	if (reader->depth == 1)
		composite_end(reader, event);
	value_end(reader);
}

static void scalar_read(struct front_reader *reader, const yaml_event_t *event)
{
	if (reader->depth == 0)
		reader->failed = true;
	else if (reader->depth == 1 && !reader->in_value)
		key_read(reader, event);
	else if (reader->depth == 1) {
		if (reader->known)
			scalar_add(reader, event);
		value_end(reader);
	}
}

/* An alias may stand for anything: as a value it is no text. */
static void alias_read(struct front_reader *reader, const yaml_event_t *event)
{
	if (reader->depth == 1 && !reader->in_value)
		reader->failed = true;
	if (reader->depth != 1)
		return;
	reader->field.span.begin = (uint32_t)mark_offset(reader, &event->start_mark);
	composite_end(reader, event);
	value_end(reader);
}

static void event_read(struct front_reader *reader, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		begin_read(reader, event);
		break;
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		end_read(reader, event);
		break;
	case YAML_SCALAR_EVENT:
		scalar_read(reader, event);
		break;
	case YAML_ALIAS_EVENT:
		alias_read(reader, event);
		break;
	case YAML_STREAM_END_EVENT:
		reader->done = true;
		break;
	default:
		break;
	}
}

static bool yaml_read(struct front_reader *reader)
{
	struct slice front = reader->text->front;
	if (!yaml_parser_initialize(&reader->parser))
		die_out_of_memory();
	yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&reader->parser, (const unsigned char *)front.at, front.size);
	while (!reader->failed && !reader->done) {
		yaml_event_t event;
		if (!yaml_parser_parse(&reader->parser, &event)) {
			if (reader->parser.error == YAML_MEMORY_ERROR)
				die_out_of_memory();
			reader->failed = true;
			break;
		}
		event_read(reader, &event);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&reader->parser);
	return !reader->failed;
}

/* `'accepted' # remark` as YAML would have it. */
static struct slice value_unquote(struct slice value)
{
	for (size_t i = 1; i < value.size; i++)
		if (value.at[i] == '#' && ascii_is_space(value.at[i - 1]))
			value.size = i;
	value = slice_trim(value);
	bool quoted = value.size >= 2 && (value.at[0] == '"' || value.at[0] == '\'') &&
		      value.at[value.size - 1] == value.at[0];
	return quoted ? (struct slice){ value.at + 1, value.size - 2 } : value;
}

static void line_read(const struct adr_text *text, struct slice line, struct adr_fields *fields)
{
	struct adr_label label;
	struct adr_field field = { .recogniser = ADR_RECOGNISER_FRONT_MATTER };
	if (!adr_label_read(line, &label) || label.bold || !adr_field_name_find(label.name, &field.name) ||
	    field.name == ADR_FIELD_OTHER)
		return;
	field.value = value_unquote(label.value);
	field.span = adr_text_span(text, field.value);
	if (!slice_is(field.value, "null") && !slice_is(field.value, "~"))
		adr_field_add(fields, field);
}

static void lines_read(const struct adr_text *text, struct adr_fields *fields)
{
	struct slice rest = text->front;
	while (rest.size) {
		const char *feed = memchr(rest.at, '\n', rest.size);
		size_t size = feed ? (size_t)(feed - rest.at) : rest.size;
		line_read(text, (struct slice){ rest.at, size }, fields);
		rest = slice_from(rest, feed ? size + 1 : size);
	}
}

void adr_front_find(const struct adr_text *text, struct adr_fields *fields)
{
	struct front_reader reader = { .text = text, .fields = fields };
	size_t before = fields->count;
	if (!text->front.size)
		return;
	if (text->front.size <= ADR_FRONT_SIZE_MAX && yaml_read(&reader))
		return;
	fields->count = before;
	lines_read(text, fields);
}
