#include "compiler/policy/adr_field.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/policy/adr_front.h"
#include "compiler/policy/adr_reference.h"
#include "compiler/policy/adr_status.h"

enum { NAME_SIZE_MAX = 40 };

struct known_name {
	const char *letters; /* lower case, nothing but letters */
	enum adr_field_name name;
};

static const struct known_name known_names[] = {
	{ "status", ADR_FIELD_STATUS },
	{ "date", ADR_FIELD_DATE },
	{ "title", ADR_FIELD_TITLE },
	{ "supersededby", ADR_FIELD_SUPERSEDED_BY },
	{ "supercededby", ADR_FIELD_SUPERSEDED_BY },
	{ "superseededby", ADR_FIELD_SUPERSEDED_BY },
	{ "superceededby", ADR_FIELD_SUPERSEDED_BY },
	{ "amendedby", ADR_FIELD_AMENDED_BY },
	{ "amends", ADR_FIELD_AMENDS },
	{ "approvedby", ADR_FIELD_OTHER },
	{ "approvers", ADR_FIELD_OTHER },
	{ "area", ADR_FIELD_OTHER },
	{ "author", ADR_FIELD_OTHER },
	{ "authors", ADR_FIELD_OTHER },
	{ "category", ADR_FIELD_OTHER },
	{ "component", ADR_FIELD_OTHER },
	{ "consulted", ADR_FIELD_OTHER },
	{ "created", ADR_FIELD_OTHER },
	{ "deciders", ADR_FIELD_OTHER },
	{ "decisionmakers", ADR_FIELD_OTHER },
	{ "dependson", ADR_FIELD_OTHER },
	{ "driver", ADR_FIELD_OTHER },
	{ "informed", ADR_FIELD_OTHER },
	{ "issue", ADR_FIELD_OTHER },
	{ "labels", ADR_FIELD_OTHER },
	{ "lastupdated", ADR_FIELD_OTHER },
	{ "links", ADR_FIELD_OTHER },
	{ "owner", ADR_FIELD_OTHER },
	{ "owners", ADR_FIELD_OTHER },
	{ "phase", ADR_FIELD_OTHER },
	{ "references", ADR_FIELD_OTHER },
	{ "revdate", ADR_FIELD_DATE },
	{ "related", ADR_FIELD_OTHER },
	{ "relatesto", ADR_FIELD_OTHER },
	{ "reviewers", ADR_FIELD_OTHER },
	{ "scope", ADR_FIELD_OTHER },
	{ "seealso", ADR_FIELD_OTHER },
	{ "stakeholders", ADR_FIELD_OTHER },
	{ "supersedes", ADR_FIELD_SUPERSEDES },
	{ "supercedes", ADR_FIELD_SUPERSEDES },
	{ "replaces", ADR_FIELD_SUPERSEDES },
	{ "replacedby", ADR_FIELD_SUPERSEDED_BY },
	{ "tags", ADR_FIELD_OTHER },
	{ "technicalstory", ADR_FIELD_OTHER },
	{ "type", ADR_FIELD_OTHER },
	{ "updated", ADR_FIELD_OTHER },
	{ "version", ADR_FIELD_OTHER },
};

bool adr_field_name_find(struct slice name, enum adr_field_name *found)
{
	char letters[NAME_SIZE_MAX + 1];
	size_t size = 0;
	for (size_t i = 0; i < name.size; i++) {
		char c = ascii_lower(name.at[i]);
		if (c == ' ' || c == '-' || c == '_')
			continue;
		if (size == NAME_SIZE_MAX || c < 'a' || c > 'z')
			return false;
		letters[size++] = c;
	}
	letters[size] = '\0';
	for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++)
		if (strcmp(known_names[i].letters, letters) == 0) {
			*found = known_names[i].name;
			return true;
		}
	return false;
}

void adr_field_add(struct adr_fields *fields, struct adr_field field)
{
	if (!field.value.size)
		return;
	fields->items = arena_grow(fields->arena, fields->items, fields->count, &fields->capacity,
				   sizeof *fields->items);
	fields->items[fields->count++] = field;
}

static bool is_emphasis(char c)
{
	return c == '*' || c == '_';
}

static size_t emphasis_size(struct slice slice)
{
	size_t size = 0;
	while (size < slice.size && is_emphasis(slice.at[size]))
		size++;
	return size;
}

static size_t name_size(struct slice slice)
{
	size_t size = 0;
	while (size < slice.size && size < NAME_SIZE_MAX &&
	       (ascii_is_alnum(slice.at[size]) || strchr(" -_", slice.at[size])))
		size++;
	while (size && (ascii_is_space(slice.at[size - 1]) || slice.at[size - 1] == '_'))
		size--;
	return size;
}

/* `**Name:** value`, `**Name**: value`, `**Name: value**` and `Name: value`. */
bool adr_label_read(struct slice line, struct adr_label *label)
{
	size_t open = emphasis_size(line);
	struct slice rest = slice_from(line, open);
	label->name = (struct slice){ rest.at, name_size(rest) };
	label->bold = open > 0;
	rest = slice_from(rest, label->name.size);
	size_t closed = open ? emphasis_size(rest) : 0;
	rest = slice_from(rest, closed);
	while (rest.size && (rest.at[0] == ' ' || rest.at[0] == '\t'))
		rest = slice_from(rest, 1);
	if (!label->name.size || !ascii_is_alnum(label->name.at[0]) || !rest.size || rest.at[0] != ':')
		return false;
	rest = slice_from(rest,
			  rest.size > 1 && rest.at[1] == ':' ? 2 : 1); /* AsciiDoc: `Status:: Accepted` */
	if (open && !closed) {
		closed = emphasis_size(rest);
		rest = slice_from(rest, closed);
	}
	if (rest.size && !ascii_is_space(rest.at[0]))
		return false;
	label->value = slice_trim(rest);
	for (size_t i = 0; i < open && !closed; i++)
		if (label->value.size && is_emphasis(label->value.at[label->value.size - 1]))
			label->value.size--;
	label->value = slice_trim(label->value);
	return true;
}

/*
 * `Outcome: Rejected`: a name that we do not know does not take a status word away from the text before it.
 */
static bool is_second_status(const struct adr_label *label)
{
	enum adr_field_name name;
	return !adr_field_name_find(label->name, &name) && adr_status_begins(label->value);
}

/* Inside a line, only emphasis or a known name makes a label: `Accepted because: …` is prose. */
static bool is_label_inside(struct slice slice)
{
	struct adr_label label;
	enum adr_field_name name;
	return adr_label_read(slice, &label) && !is_second_status(&label) &&
	       (label.bold || adr_field_name_find(label.name, &name));
}

/* At the start of a line, also a name of up to three words with a capital letter: `Technical lead: …`. */
static bool is_label_line(struct slice line)
{
	struct adr_label label;
	if (is_label_inside(line))
		return true;
	if (!adr_label_read(line, &label) || is_second_status(&label) || label.name.at[0] < 'A' ||
	    label.name.at[0] > 'Z')
		return false;
	size_t blanks = 0;
	for (size_t i = 0; i < label.name.size; i++)
		blanks += label.name.at[i] == ' ';
	return blanks <= 2;
}

/* Where in the value the next field of the same line begins, or its size. */
static size_t value_size(struct slice value)
{
	for (size_t at = 1; at < value.size; at++)
		if (ascii_is_space(value.at[at - 1]) && !ascii_is_space(value.at[at]) &&
		    is_label_inside(slice_from(value, at)))
			return at;
	return value.size;
}

/* Without the sign that parts it from the next field: `accepted · **Date:** …`. */
static struct slice value_trim(struct slice value)
{
	static const char *const separators[] = { "\xc2\xb7", "\xe2\x80\xa2", "|", "/" };
	value = slice_trim(value);
	for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
		size_t size = strlen(separators[i]);
		if (value.size >= size && memcmp(value.at + value.size - size, separators[i], size) == 0) {
			value.size -= size;
			return slice_trim(value);
		}
	}
	return value;
}

/* The line after the paragraph's last line that continues line `i` and is no field of its own. */
static size_t continuation_end(const struct adr_text *text, size_t i, bool stop_at_break)
{
	for (; i + 1 < text->line_count; i++) {
		const struct adr_line *next = &text->lines[i + 1];
		if (next->kind != ADR_LINE_TEXT || next->opens || (stop_at_break && text->lines[i].breaks) ||
		    is_label_line(adr_line_slice(text, next)))
			break;
	}
	return i + 1;
}

/* The line after the last one of the list item that line `i` is in: nested items, later paragraphs. */
static size_t item_end(const struct adr_text *text, size_t i)
{
	unsigned depth = text->lines[i].depth;
	size_t end = i + 1;
	for (size_t at = i + 1; depth && at < text->line_count; at++) {
		const struct adr_line *next = &text->lines[at];
		if (next->kind == ADR_LINE_BLANK)
			continue;
		if (next->depth < depth || (next->depth == depth && next->item))
			break;
		end = at + 1;
	}
	return end;
}

/* The next heading of the same or of a higher level than that of line `heading`. */
static size_t section_end(const struct adr_text *text, size_t heading)
{
	size_t i = heading + 1;
	while (i < text->line_count &&
	       (text->lines[i].kind != ADR_LINE_HEADING || text->lines[i].level > text->lines[heading].level))
		i++;
	return i;
}

/*
 * A value that ends its line goes on in the lines that continue the paragraph. Below it is what else its
 * paragraph and its list item hold; below one that stands in a heading, the heading's section.
 */
static void value_extend(const struct adr_text *text, size_t i, bool ends_line, struct adr_field *field)
{
	if (text->lines[i].kind == ADR_LINE_HEADING) {
		size_t end = section_end(text, i);
		field->rest = adr_text_slice(text, text->lines[i].end, text->lines[end - 1].end);
		return;
	}
	size_t paragraph = continuation_end(text, i, false), item = item_end(text, i);
	const struct adr_line *last = &text->lines[continuation_end(text, i, ends_line) - 1];
	const struct adr_line *rest = &text->lines[(item > paragraph ? item : paragraph) - 1];
	size_t begin = (size_t)(field->value.at - text->bytes);
	if (ends_line && last != &text->lines[i])
		field->value = adr_text_slice(text, begin, last->end);
	field->rest = adr_text_slice(text, last->end, rest->end);
}

/* The fields of one line, each ending where the next begins. */
static void line_fields_add(const struct adr_text *text, size_t i, enum adr_recogniser recogniser,
			    struct adr_fields *fields)
{
	struct adr_label label;
	struct slice line = adr_line_slice(text, &text->lines[i]);
	while (adr_label_read(line, &label)) {
		struct adr_field field = { .name = ADR_FIELD_OTHER, .recogniser = recogniser };
		bool known = adr_field_name_find(label.name, &field.name);
		size_t size = value_size(label.value);
		bool last = size == label.value.size;
		line = slice_from(label.value, size);
		field.value = value_trim((struct slice){ label.value.at, size });
		if (known && field.value.size && (last || text->lines[i].kind != ADR_LINE_HEADING))
			value_extend(text, i, last, &field);
		field.span = adr_text_span(text, field.value);
		if (known && field.name != ADR_FIELD_OTHER)
			adr_field_add(fields, field);
		if (last)
			return;
	}
}

/* The next cell of a table's row; the slice goes on after it. */
static struct slice cell_next(struct slice *row)
{
	const char *bar = memchr(row->at, '|', row->size);
	size_t size = bar ? (size_t)(bar - row->at) : row->size;
	struct slice cell = slice_trim((struct slice){ row->at, size });
	*row = slice_from(*row, bar ? size + 1 : size);
	return cell;
}

static struct slice cell_name(struct slice cell)
{
	while (cell.size && is_emphasis(cell.at[0]))
		cell = slice_from(cell, 1);
	while (cell.size && (is_emphasis(cell.at[cell.size - 1]) || cell.at[cell.size - 1] == ':'))
		cell.size--;
	return slice_trim(cell);
}

/* Without the bar that ends the row, and empty cells before it. */
static struct slice cells_trim(struct slice row)
{
	while (row.size && (row.at[row.size - 1] == '|' || ascii_is_space(row.at[row.size - 1])))
		row.size--;
	return slice_trim(row);
}

/* `| **Status** | Accepted |`: the name in the first cell, the value in the second, doubts in others. */
static void row_field_add(const struct adr_text *text, struct slice row, enum adr_recogniser recogniser,
			  struct adr_fields *fields)
{
	struct adr_field field = { .recogniser = recogniser };
	row = slice_from(row, 1);
	struct slice name = cell_name(cell_next(&row));
	field.value = cell_next(&row);
	field.rest = cells_trim(row);
	field.span = adr_text_span(text, field.value);
	if (adr_field_name_find(name, &field.name) && field.name != ADR_FIELD_OTHER)
		adr_field_add(fields, field);
}

static void line_find(const struct adr_text *text, size_t i, enum adr_recogniser recogniser,
		      struct adr_fields *fields)
{
	struct slice line = adr_line_slice(text, &text->lines[i]);
	if (text->lines[i].kind != ADR_LINE_BLANK && line.size && line.at[0] == '|')
		row_field_add(text, line, recogniser, fields);
	else if (text->lines[i].kind != ADR_LINE_BLANK)
		line_fields_add(text, i, recogniser, fields);
}

/* `## Status: Accepted` belongs to the preamble, `## Context` ends it. */
static bool is_section(const struct adr_text *text, size_t i)
{
	struct adr_label label;
	enum adr_field_name name;
	if (text->lines[i].kind != ADR_LINE_HEADING)
		return false;
	return !adr_label_read(adr_line_slice(text, &text->lines[i]), &label) || !label.value.size ||
	       !adr_field_name_find(label.name, &name);
}

static void preamble_find(const struct adr_text *text, struct adr_fields *fields)
{
	bool headed = false;
	for (size_t i = 0; i < text->line_count; i++) {
		const struct adr_line *line = &text->lines[i];
		bool title = !headed && line->kind == ADR_LINE_HEADING &&
			     (line->level == 1 || adr_reference_size(adr_line_slice(text, line)));
		if (is_section(text, i) && !title)
			return;
		if (line->kind == ADR_LINE_HEADING)
			headed = true;
		if (!title || !is_section(text, i))
			line_find(text, i, ADR_RECOGNISER_PREAMBLE, fields);
	}
}

/* Of `## 2. Status:`, the name `Status`. */
static struct slice section_name(struct slice heading)
{
	size_t digits = 0;
	while (digits < heading.size && (ascii_is_digit(heading.at[digits]) || heading.at[digits] == '.'))
		digits++;
	return cell_name(slice_trim(slice_from(heading, digits)));
}

/* The value is the section's first paragraph; `Status: Accepted` may stand there too. */
static void section_value_add(const struct adr_text *text, size_t first, size_t end, struct adr_field field,
			      struct adr_fields *fields)
{
	struct adr_label label;
	enum adr_field_name name;
	size_t after = continuation_end(text, first, true);
	struct slice value = adr_text_slice(text, text->lines[first].begin, text->lines[after - 1].end);
	if (adr_label_read(value, &label) && adr_field_name_find(label.name, &name)) {
		if (name != field.name)
			return;
		value = label.value;
	}
	size_t size = value_size(value);
	size_t rest = (size_t)(value.at - text->bytes) + size;
	field.value = value_trim((struct slice){ value.at, size });
	field.rest = adr_text_slice(text, rest, text->lines[end - 1].end);
	field.span = adr_text_span(text, field.value);
	adr_field_add(fields, field);
}

/* Dates and successors in a Status section. Its status is the section's value, unless that is a table. */
static void section_lines_find(const struct adr_text *text, size_t first, size_t end, bool table,
			       struct adr_fields *fields)
{
	size_t kept = fields->count;
	for (size_t i = first; i < end; i++)
		line_find(text, i, ADR_RECOGNISER_SECTION, fields);
	for (size_t i = kept; i < fields->count; i++)
		if (table || fields->items[i].name != ADR_FIELD_STATUS)
			fields->items[kept++] = fields->items[i];
	fields->count = kept;
}

static void section_read(const struct adr_text *text, size_t heading, enum adr_field_name name,
			 struct adr_fields *fields)
{
	size_t end = section_end(text, heading), first = heading + 1;
	while (first < end && text->lines[first].kind == ADR_LINE_BLANK)
		first++;
	if (first == end || text->lines[first].kind == ADR_LINE_HEADING || name == ADR_FIELD_OTHER)
		return;
	struct adr_field field = { .name = name, .recogniser = ADR_RECOGNISER_SECTION };
	bool table = text->bytes[text->lines[first].begin] == '|';
	if (!table)
		section_value_add(text, first, end, field, fields);
	if (name == ADR_FIELD_STATUS)
		section_lines_find(text, first, end, table, fields);
}

/* Also `## Status: Accepted` where it stands below other sections. */
static void section_find(const struct adr_text *text, struct adr_fields *fields)
{
	for (size_t i = 0; i < text->line_count; i++) {
		enum adr_field_name name;
		if (text->lines[i].kind != ADR_LINE_HEADING)
			continue;
		if (!is_section(text, i))
			line_find(text, i, ADR_RECOGNISER_SECTION, fields);
		else if (adr_field_name_find(section_name(adr_line_slice(text, &text->lines[i])), &name))
			section_read(text, i, name, fields);
	}
}

struct adr_fields adr_fields_find(struct arena *arena, const struct adr_text *text)
{
	static void (*const find[])(const struct adr_text *, struct adr_fields *) = {
#define X(id, name, function) [ADR_RECOGNISER_##id] = (function),
		ADR_RECOGNISER_LIST(X)
#undef X
	};
	struct adr_fields fields = { .arena = arena };
	for (size_t i = 0; i < ADR_RECOGNISER_COUNT; i++)
		find[i](text, &fields);
	return fields;
}
