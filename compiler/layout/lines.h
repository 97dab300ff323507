/*
 * The lines of a laid out text, written one after the other: tokens with the blanks that belong between them,
 * and the comments and blank lines of the source where they stood. Internal to layout.c.
 */
#ifndef ALLOWC_LAYOUT_LINES_H
#define ALLOWC_LAYOUT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/strbuf.h"

struct source;

enum {
	LINE_WIDTH = 100,       /* characters; a list goes on in a further line rather than beyond it */
	INDENT_BLOCK = 4,       /* of what stands in braces */
	INDENT_CONTINUATION = 8 /* of the further lines of a list: deeper than a block, which may follow */
};

struct lines {
	const struct source *source;
	struct strbuf *out;
	struct strbuf entry; /* of a list, before it is known on which line it goes */
	uint32_t done;       /* how far the source's comments and blank lines are written */
	unsigned indent;     /* of the present line */
	size_t width;        /* characters on it */
	bool edge;           /* it is the first of the file or of a block: no blank line goes before it */
};

/* lines_end() frees what is not the caller's. */
void lines_begin(struct lines *lines, const struct source *source, struct strbuf *out);
void lines_end(struct lines *lines);

/* Comments and blank lines up to the byte `at`, where a token stands, and then the indent of its line. */
void line_begin(struct lines *lines, uint32_t at, unsigned indent);

/* The same for the '}' of a block at `indent`, and the '}'. */
void line_begin_close(struct lines *lines, uint32_t at, unsigned indent);

/* Comments up to the end of the text. */
void line_begin_nothing(struct lines *lines);

/* The comment that stands behind the byte `after` on its line, and the line's end. */
void line_end(struct lines *lines, uint32_t after);

/* The same behind the '{' of a block, which is written first. */
void line_end_open(struct lines *lines, uint32_t open);

/* The line's end and the indent of the next, where the source has no comment between the two. */
void line_next(struct lines *lines, unsigned indent);

void line_add(struct lines *lines, const char *text);

/* The tokens of [begin, end), lists filled to the width of a line. */
void line_add_range(struct lines *lines, uint32_t begin, uint32_t end);

/* Entries of a `syscalls` block, where a line's end separates as a ',' does: a full line ends without one. */
void line_add_members(struct lines *lines, uint32_t begin, uint32_t end);

#endif
