/* From the tree, which says what belongs together, and the source, which has spelling and comments. */
#include "compiler/layout/layout.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/layout/lines.h"
#include "compiler/layout/order.h"
#include "compiler/layout/piece.h"
#include "compiler/layout/same.h"
#include "compiler/policy/ast.h"
#include "compiler/policy/edition.h"
#include "compiler/policy/parse.h"

/* The '{' of the statement that begins at `from`, or that goes on there. */
static uint32_t open_at(const struct source *source, uint32_t from)
{
	struct pieces pieces = { .source = source, .at = from };
	struct piece piece = pieces_next(&pieces);
	while (piece.kind != PIECE_OPEN) {
		assert(piece.kind != PIECE_END);
		piece = pieces_next(&pieces);
	}
	return piece.begin;
}

static bool comment_between(const struct source *source, uint32_t begin, uint32_t end)
{
	struct pieces pieces = { .source = source, .at = begin };
	for (struct piece piece; (piece = pieces_next(&pieces)).begin < end;)
		if (piece.kind == PIECE_COMMENT)
			return true;
	return false;
}

/* ---- attributes ---- */

static uint32_t attribute_end(const struct ast_attribute *attribute)
{
	const struct ast_entries *values = &attribute->values;
	if (values->count)
		return ast_entry_span(&values->items[values->count - 1]).end;
	return attribute->qualifier->span.end; /* `with kill` */
}

static void attribute_add(struct lines *lines, const struct ast_attribute *attribute)
{
	line_add_range(lines, attribute->keyword_begin, attribute_end(attribute));
}

static bool stands_on_line(enum attribute kind)
{
	return kind == ATTRIBUTE_ADR || kind == ATTRIBUTE_BECAUSE;
}

/* Behind what the line has. */
static void attribute_append(struct lines *lines, const struct ast_attribute *attribute)
{
	line_add(lines, "  ");
	attribute_add(lines, attribute);
}

/* ---- rows ---- */

/* Two attributes beside ADR and reason are more than one line should hold. */
static bool wants_block(const struct ast_statement *row)
{
	unsigned others = 0;
	for (const struct ast_attribute *at = row->attributes; at; at = at->next)
		others += !stands_on_line(at->kind);
	return others > 1;
}

/* A row whose attributes no comment ties to their place. */
static void row_add_free(struct lines *lines, const struct ast_statement *row)
{
	unsigned indent = lines->indent;
	const struct ast_attribute *at = order_next(row, NULL);
	bool block = wants_block(row);
	for (; at && (!block || stands_on_line(at->kind)); at = order_next(row, at))
		attribute_append(lines, at);
	if (!block)
		return;
	line_add(lines, " {");
	for (; at; at = order_next(row, at)) {
		line_next(lines, indent + INDENT_BLOCK);
		attribute_add(lines, at);
	}
	line_next(lines, indent);
	line_add(lines, "}");
}

/* The attributes before the byte `end`; returns the next. A comment among them keeps their order. */
static const struct ast_attribute *attributes_append(struct lines *lines, const struct ast_statement *row,
						     uint32_t end)
{
	const struct ast_attribute *first = row->attributes, *rest = first;
	while (rest && rest->keyword_begin < end)
		rest = rest->next;
	bool tied = first != rest && comment_between(lines->source, first->keyword_begin, end);
	for (const struct ast_attribute *at = first; tied && at != rest; at = at->next)
		attribute_append(lines, at);
	for (const struct ast_attribute *at = order_next(row, NULL); !tied && at; at = order_next(row, at))
		if (at->keyword_begin < end)
			attribute_append(lines, at);
	return rest;
}

/* A row with comments among its attributes: what stands on its line and what in its braces stays there. */
static void row_add_tied(struct lines *lines, const struct ast_statement *row)
{
	unsigned indent = lines->indent;
	uint32_t end = row->span.end;
	if (!row->has_block) {
		attributes_append(lines, row, end);
		return;
	}
	uint32_t open = open_at(lines->source, row->span.begin);
	const struct ast_attribute *at = attributes_append(lines, row, open);
	line_end_open(lines, open);
	for (; at; at = at->next) {
		line_begin(lines, at->keyword_begin, indent + INDENT_BLOCK);
		attribute_add(lines, at);
		line_end(lines, attribute_end(at));
	}
	line_begin_close(lines, end - 1, indent);
}

static void row_add(struct lines *lines, const struct ast_statement *row)
{
	assert(row->entries.count);
	uint32_t subjects_end = ast_entry_span(&row->entries.items[row->entries.count - 1]).end;
	line_add_range(lines, row->span.begin, subjects_end);
	if (comment_between(lines->source, subjects_end, row->span.end))
		row_add_tied(lines, row);
	else
		row_add_free(lines, row);
}

/* ---- statements ---- */

static void statements_add(struct lines *lines, const struct ast_statement *statement, unsigned indent);

static void block_add(struct lines *lines, const struct ast_statement *statement)
{
	unsigned indent = lines->indent;
	uint32_t open = open_at(lines->source, statement->span.begin);
	line_add_range(lines, statement->span.begin, open);
	line_end_open(lines, open);
	statements_add(lines, statement->words->block, indent + INDENT_BLOCK);
	line_begin_close(lines, statement->span.end - 1, indent);
}

static void statement_add(struct lines *lines, const struct ast_statement *statement)
{
	if (statement->kind == AST_ROW)
		row_add(lines, statement);
	else if (statement->has_block)
		block_add(lines, statement);
	else if (statement->kind == AST_MEMBERS)
		line_add_members(lines, statement->span.begin, statement->span.end);
	else
		line_add_range(lines, statement->span.begin, statement->span.end);
}

static void statements_add(struct lines *lines, const struct ast_statement *statement, unsigned indent)
{
	for (; statement; statement = statement->next) {
		line_begin(lines, statement->span.begin, indent);
		statement_add(lines, statement);
		line_end(lines, statement->span.end);
	}
}

/* ---- the whole ---- */

static bool layer_read(struct compilation *compilation, const struct source *source, struct ast_layer *layer)
{
	bool good = layer_parse(compilation, source, layer);
	for (const struct ast_statement *at = layer->others; at; at = at->words->next_other)
		if (at->kind == AST_EDITION && !at->broken)
			good &= edition_check(compilation->diags, &at->words->name);
	return good;
}

/* Each line has its end. */
static bool has_long_line(const char *text, size_t size)
{
	for (size_t at = 0; at < size;) {
		const char *end = memchr(text + at, '\n', size - at);
		assert(end);
		if ((size_t)(end - text) - at > LINE_SIZE_MAX)
			return true;
		at = (size_t)(end - text) + 1;
	}
	return false;
}

/* An indent makes a line longer, and so does a row that becomes one line. */
static void report_refused(struct compilation *compilation, const struct source *source, bool too_long)
{
	if (too_long)
		diag_trouble(compilation->diags,
			     "'%s' would have a line longer than %d MiB in its layout; it stays as it is",
			     source->path, LINE_SIZE_MAX / MIB);
	else
		diag_trouble(
			compilation->diags,
			"internal error: '%s' would not say the same in another layout; it stays as it is",
			source->path);
}

bool layout_make(struct compilation *compilation, const struct source *source, struct strbuf *out)
{
	struct ast_layer layer;
	if (!layer_read(compilation, source, &layer))
		return false;
	size_t before = out->size;
	struct lines lines;
	lines_begin(&lines, source, out);
	statements_add(&lines, layer.statements, 0);
	line_begin_nothing(&lines);
	lines_end(&lines);
	bool too_long = has_long_line(out->bytes + before, out->size - before);
	if (!too_long && same_text(&layer, out->bytes + before, out->size - before))
		return true;
	report_refused(compilation, source, too_long);
	out->size = before;
	return false;
}
