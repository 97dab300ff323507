/*
 * The lines of a Markdown text (adr_markup.h makes the others so), as far as an ADR's recognisers need
 * them: what is a heading, what is text, and what a reader of the page does not take for either. Fenced
 * and indented code and HTML that is not shown are blanked in a copy of the same length, so that an offset
 * into the copy is one into the file.
 *
 * It follows CommonMark for fences, list items, quotes and comments, with one deviation: `---` below a
 * paragraph of several lines is a rule, not the underline of a heading.
 */
#ifndef ALLOWC_POLICY_ADR_SCAN_H
#define ALLOWC_POLICY_ADR_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/source.h"
#include "compiler/policy/adr_slice.h"

struct arena;

enum adr_line_kind { ADR_LINE_BLANK, ADR_LINE_TEXT, ADR_LINE_HEADING };

struct adr_line {
	uint32_t begin, end; /* without quote marks, list marks, '#', and white space at the ends */
	enum adr_line_kind kind;
	unsigned level; /* of a heading, 1 to 6 */
	bool opens;     /* begins a paragraph, list item, table row or heading */
	bool item;      /* begins a list item */
	unsigned depth; /* of the list items that it is in */
	bool breaks;    /* ends with a hard line break: two blanks or a backslash */
};

struct adr_text {
	const struct source *source;
	char *bytes; /* as long as the source's text, code blocks and comments blanked */
	size_t size;
	bool rewritten;     /* from another markup: an underline means a heading, even below `1. Title` */
	struct slice front; /* the YAML between the `---` lines at the top, of size 0 where there is none */
	struct adr_line *lines; /* after the front matter */
	size_t line_count, line_capacity;
	struct span *blocks; /* what stands in fences marked `allow`, outside quotes */
	size_t block_count, block_capacity;
};

/* False where the file is no text: no UTF-8, or with a NUL. The result lives in the arena. */
bool adr_scan(struct arena *arena, const struct source *source, struct adr_text *text);

/* Overwrites bytes [begin, end) with blanks; line ends stay. */
void adr_text_blank(struct adr_text *text, size_t begin, size_t end);

/* Parts of the blanked copy, and their place in the file. */
struct slice adr_text_slice(const struct adr_text *text, size_t begin, size_t end);
struct slice adr_line_slice(const struct adr_text *text, const struct adr_line *line);
struct span adr_text_span(const struct adr_text *text, struct slice slice);

#endif
