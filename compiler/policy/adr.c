#include "compiler/policy/adr.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/date.h"
#include "compiler/policy/adr_code.h"
#include "compiler/policy/adr_field.h"
#include "compiler/policy/adr_reference.h"
#include "compiler/policy/adr_relation.h"
#include "compiler/policy/adr_scan.h"
#include "compiler/policy/adr_status.h"

struct adr_reader {
	struct arena *arena;   /* of what is kept */
	struct arena *scratch; /* of the scanned text and its fields */
	struct adr_text text;
	struct adr_fields fields;
	struct adr_accept accept;
	struct slice folder; /* that the file is in */
	struct adr *adr;
};

const char *adr_status_word(enum adr_status status)
{
	static const char *const words[] = {
#define X(id, word) [ADR_##id] = (word),
		ADR_STATUS_LIST(X)
#undef X
	};
	return words[status];
}

const char *adr_status_help(const struct adr *adr)
{
	if (adr->no_text)
		return "save the file as UTF-8";
	if (!*adr->status_text)
		return "an ADR says of itself 'Status: Accepted', or has a section 'Status' with that word";
	return "a status is one word, with a comment after '.', ',' or '(': Accepted, 2026-05-19; a word of "
	       "your own that means it: decisions \"…\" accept \"Approved\"";
}

static const struct adr_field *field_first(const struct adr_fields *fields, enum adr_field_name name)
{
	for (size_t i = 0; i < fields->count; i++)
		if (fields->items[i].name == name)
			return &fields->items[i];
	return NULL;
}

/* Where a part of the value stands in the file as it is meant, it has its own place; else the whole. */
static struct span part_span(const struct adr_field *field, struct slice part)
{
	struct span span = field->span;
	size_t size = span.end - span.begin, offset = (size_t)(part.at - field->value.at);
	if (size != field->value.size ||
	    memcmp(span.source->text + span.begin + offset, part.at, part.size) != 0)
		return span;
	span.begin += (uint32_t)offset;
	span.end = span.begin + (uint32_t)part.size;
	return span;
}

static struct adr_reading field_reading(const struct adr_reader *reader, const struct adr_field *field)
{
	if (field->composite)
		return (struct adr_reading){ .status = ADR_UNKNOWN,
					     .doubt = "it is a list or mapping, no word" };
	return adr_status_read(reader->arena, field->value, field->rest, reader->accept, reader->folder);
}

/*
 * Whether another place gainsays the first: of the same recogniser any that reads differently, of a later
 * one (a note such as "see above" is no status) only another certain status.
 */
static bool is_gainsaid(const struct adr_reader *reader, const struct adr_field *first,
			enum adr_status status)
{
	const struct adr_fields *fields = &reader->fields;
	for (const struct adr_field *field = first + 1; field < fields->items + fields->count; field++) {
		if (field->name != ADR_FIELD_STATUS)
			continue;
		enum adr_status other = field_reading(reader, field).status;
		if (other != status && (other != ADR_UNKNOWN || field->recogniser == first->recogniser))
			return true;
	}
	return false;
}

static void status_read(struct adr_reader *reader)
{
	struct adr *adr = reader->adr;
	const struct adr_field *field = field_first(&reader->fields, ADR_FIELD_STATUS);
	if (!field) {
		adr->doubt = "it has no status";
		return;
	}
	struct adr_reading reading = field_reading(reader, field);
	adr->status_span = field->span;
	adr->status_text = slice_fold(reader->arena, field->value);
	adr->status = reading.status;
	adr->doubt = reading.doubt;
	if (reading.successor) {
		adr->successor = reading.successor;
		adr->successor_span = part_span(field, reading.successor_place);
	}
	if (reading.status != ADR_UNKNOWN && is_gainsaid(reader, field, reading.status)) {
		adr->status = ADR_UNKNOWN;
		adr->doubt = "it names another status elsewhere";
		adr->successor = NULL;
	}
}

/* `superseded-by: none` and its like; `-`, `[]` and other values of punctuation alone. */
static bool says_nothing(struct slice value)
{
	static const char *const words[] = { "none", "nothing", "n/a", "null", "\xe2\x80\x94" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (slice_is(value, words[i]))
			return true;
	for (size_t i = 0; i < value.size; i++)
		if (ascii_is_alnum(value.at[i]) || (unsigned char)value.at[i] >= 0x80)
			return false;
	return true;
}

/*
 * A `superseded-by` outranks "accepted" and stands for a status that is absent; a status that is worse
 * than superseded stays.
 */
static void superseded_by_read(struct adr_reader *reader)
{
	struct adr *adr = reader->adr;
	const struct adr_field *field = NULL;
	for (size_t i = 0; i < reader->fields.count && !field; i++)
		if (reader->fields.items[i].name == ADR_FIELD_SUPERSEDED_BY &&
		    !says_nothing(reader->fields.items[i].value))
			field = &reader->fields.items[i];
	bool absent = !*adr->status_text;
	if (!field || (!absent && adr->status != ADR_ACCEPTED && adr->status != ADR_SUPERSEDED))
		return;
	if (absent) {
		adr->status_text = slice_fold(reader->arena, field->value);
		adr->status_span = field->span;
	}
	adr->status = ADR_SUPERSEDED;
	adr->doubt = NULL;
	struct slice place;
	const char *successor = adr_reference_find(reader->arena, field->value, reader->folder, &place);
	if (!adr->successor && successor) {
		adr->successor = successor;
		adr->successor_span = part_span(field, place);
	}
}

/* A date at the start, and no digit after it. */
static bool starts_with_date(struct slice text)
{
	return date_is_formed(text.at, text.size) && date_exists(text.at) &&
	       !(text.size > DATE_SIZE && ascii_is_digit(text.at[DATE_SIZE]));
}

static void date_read(struct adr_reader *reader)
{
	for (size_t i = 0; i < reader->fields.count && !reader->adr->date; i++) {
		const struct adr_field *field = &reader->fields.items[i];
		if (field->name == ADR_FIELD_DATE && !field->composite && starts_with_date(field->value))
			reader->adr->date = arena_copy(reader->arena, field->value.at, DATE_SIZE);
	}
}

/* `0015. Title`, `ADR-0015: Title`, `[ADR-0015] Title`, `15 - Title`; "3 ways to build" is a title. */
static struct slice title_strip(struct slice title)
{
	static const char *const separators[] = { ".", ":", ")", "\xe2\x80\x94", "\xe2\x80\x93", "-" };
	bool bracket = title.size && title.at[0] == '[';
	struct slice number = slice_from(title, bracket);
	size_t size = adr_reference_size(number);
	struct slice rest = slice_from(number, size);
	if (!size || (bracket && (!rest.size || rest.at[0] != ']')))
		return title;
	rest = slice_trim(slice_from(rest, bracket));
	for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
		size_t length = strlen(separators[i]);
		if (slice_starts(rest, separators[i]) &&
		    (rest.size == length || ascii_is_space(rest.at[length])))
			return slice_trim(slice_from(rest, length));
	}
	return bracket ? rest : title;
}

static enum adr_relation_kind field_relation(enum adr_field_name name)
{
	switch (name) {
	case ADR_FIELD_SUPERSEDES:
		return ADR_SUPERSEDES;
	case ADR_FIELD_SUPERSEDED_BY:
		return ADR_SUPERSEDED_BY;
	case ADR_FIELD_AMENDS:
		return ADR_AMENDS;
	case ADR_FIELD_AMENDED_BY:
		return ADR_AMENDED_BY;
	default:
		return ADR_RELATION_COUNT;
	}
}

/* What was found since the first `from`, its places in a field's value, or (NULL) in the text. */
static void relations_keep(struct adr_reader *reader, const struct adr_relations *relations, size_t from,
			   const struct adr_field *field, struct adr_relation **kept, size_t *capacity)
{
	struct adr *adr = reader->adr;
	for (size_t i = from; i < relations->count; i++) {
		const struct adr_relation_found *found = &relations->items[i];
		*kept = arena_grow(reader->arena, *kept, adr->relation_count, capacity, sizeof **kept);
		(*kept)[adr->relation_count++] =
			(struct adr_relation){ found->kind, found->reference,
					       field ? part_span(field, found->place)
						     : adr_text_span(&reader->text, found->place) };
	}
	adr->relations = *kept;
}

static void relations_read(struct adr_reader *reader)
{
	struct adr_relations found = { .arena = reader->arena, .folder = reader->folder };
	struct adr_relation *kept = NULL;
	size_t capacity = 0;
	for (size_t i = 0; i < reader->fields.count; i++) {
		const struct adr_field *field = &reader->fields.items[i];
		enum adr_relation_kind kind = field_relation(field->name);
		size_t from = found.count;
		if (kind != ADR_RELATION_COUNT && field->composite)
			adr_relations_scan_list(&found, field->value, kind);
		else if (kind != ADR_RELATION_COUNT || field->name == ADR_FIELD_STATUS)
			adr_relations_scan(&found, field->value, kind);
		relations_keep(reader, &found, from, field, &kept, &capacity);
		from = found.count;
		if (field->name == ADR_FIELD_STATUS)
			adr_relations_scan(&found, field->rest, ADR_RELATION_COUNT);
		relations_keep(reader, &found, from, NULL, &kept, &capacity);
	}
	size_t heading = 0, from = found.count;
	while (heading < reader->text.line_count && reader->text.lines[heading].kind != ADR_LINE_HEADING)
		heading++;
	if (heading < reader->text.line_count)
		adr_relations_scan(&found, adr_line_slice(&reader->text, &reader->text.lines[heading]),
				   ADR_RELATION_COUNT);
	relations_keep(reader, &found, from, NULL, &kept, &capacity);
}

/* The first heading; before it, a line that opens like `ADR-0007: Title`; else the front matter's. */
static void title_read(struct adr_reader *reader)
{
	const struct adr_text *text = &reader->text;
	const struct adr_field *field = field_first(&reader->fields, ADR_FIELD_TITLE);
	struct slice title = { "", 0 };
	size_t i = 0;
	while (i < text->line_count && text->lines[i].kind == ADR_LINE_BLANK)
		i++;
	bool plain = i < text->line_count && slice_starts(adr_line_slice(text, &text->lines[i]), "adr") &&
		     adr_reference_size(adr_line_slice(text, &text->lines[i]));
	while (!plain && i < text->line_count && text->lines[i].kind != ADR_LINE_HEADING)
		i++;
	if (i < text->line_count &&
	    (plain || text->lines[i].level == 1 || adr_reference_size(adr_line_slice(text, &text->lines[i]))))
		title = adr_line_slice(text, &text->lines[i]);
	else if (field && !field->composite)
		title = field->value;
	reader->adr->title = slice_fold(reader->arena, title_strip(title));
}

static struct span first_line(const struct source *source)
{
	const char *feed = memchr(source->text, '\n', source->size);
	size_t end = feed ? (size_t)(feed - source->text) : source->size;
	if (end && source->text[end - 1] == '\r')
		end--;
	return (struct span){ source, 0, (uint32_t)end };
}

static void blocks_keep(struct adr_reader *reader)
{
	const struct adr_text *text = &reader->text;
	struct span *blocks = arena_array(reader->arena, text->block_count, sizeof *blocks);
	for (size_t i = 0; i < text->block_count; i++)
		blocks[i] = text->blocks[i];
	reader->adr->blocks = blocks;
	reader->adr->block_count = text->block_count;
}

static struct adr *adr_begin(struct arena *arena, const struct source *source)
{
	struct adr *adr = arena_alloc(arena, sizeof *adr);
	adr->source = source;
	adr->scope = adr->title = adr->status_text = "";
	adr->status = ADR_UNKNOWN;
	adr->status_span = first_line(source);
	adr_number_read(adr_file_digits(adr_path_base(slice_of(source->path))), &adr->number);
	return adr;
}

const struct adr *adr_read(struct compilation *compilation, const struct source *source,
			   const char *const *accept, size_t accept_count)
{
	struct adr_reader reader = {
		.arena = compilation->arena,
		.scratch = compilation->scratch,
		.accept = { accept, accept_count },
		.folder = adr_path_folder(slice_of(source->path)),
		.adr = adr_begin(compilation->arena, source),
	};
	arena_clear(reader.scratch);
	if (!adr_scan(reader.scratch, source, &reader.text)) {
		reader.adr->doubt = "the file is no UTF-8 text";
		reader.adr->no_text = true;
		return reader.adr;
	}
	blocks_keep(&reader);
	adr_code_scan(reader.arena, reader.scratch, &reader.text, reader.adr);
	reader.fields = adr_fields_find(reader.scratch, &reader.text);
	status_read(&reader);
	superseded_by_read(&reader);
	date_read(&reader);
	relations_read(&reader);
	title_read(&reader);
	return reader.adr;
}
