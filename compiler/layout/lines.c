#include "compiler/layout/lines.h"

#include <string.h>

#include "compiler/base/source.h"
#include "compiler/layout/piece.h"

void lines_begin(struct lines *lines, const struct source *source, struct strbuf *out)
{
	*lines = (struct lines){ .source = source, .out = out, .entry = STRBUF_INIT, .edge = true };
}

void lines_end(struct lines *lines)
{
	strbuf_release(&lines->entry);
}

/* ---- pieces of a line ---- */

static size_t characters(const char *bytes, size_t size)
{
	size_t count = 0;
	for (size_t i = 0; i < size; i++)
		count += ((unsigned char)bytes[i] & 0xc0) != 0x80;
	return count;
}

static void add(struct lines *lines, const char *bytes, size_t size)
{
	strbuf_add(lines->out, bytes, size);
	lines->width += characters(bytes, size);
}

void line_add(struct lines *lines, const char *text)
{
	while (*text) {
		strbuf_add_char(lines->out, *text++);
		lines->width++;
	}
}

static void indent_add(struct lines *lines, unsigned indent)
{
	strbuf_add_fill(lines->out, ' ', indent);
	lines->width = indent;
}

static void comment_add(struct lines *lines, struct piece comment)
{
	add(lines, lines->source->text + comment.begin, comment.end - comment.begin);
}

/* Inside a list. */
static void line_break(struct lines *lines, unsigned indent)
{
	strbuf_add_char(lines->out, '\n');
	indent_add(lines, indent);
}

/* ---- between lines ---- */

static void blank_line(struct lines *lines, bool wanted)
{
	if (wanted && !lines->edge)
		strbuf_add_char(lines->out, '\n');
	lines->edge = false;
}

/*
 * The comments from where the last line ended up to `end`, each on a line of its own. True when a blank line
 * stands behind the last of them.
 */
static bool comments_add(struct lines *lines, uint32_t end, unsigned indent)
{
	struct pieces pieces = { .source = lines->source, .at = lines->done };
	bool blank = false;
	unsigned line_ends = 0;
	for (struct piece piece; (piece = pieces_next(&pieces)).begin < end;) {
		if (piece.kind == PIECE_LINE_END) {
			blank |= ++line_ends > 1;
			continue;
		}
		line_ends = 0; /* a ';' alone on its line makes that one no blank line */
		if (piece.kind != PIECE_COMMENT)
			continue;
		blank_line(lines, blank);
		indent_add(lines, indent);
		comment_add(lines, piece);
		strbuf_add_char(lines->out, '\n');
		blank = false;
	}
	lines->done = end;
	return blank;
}

void line_begin(struct lines *lines, uint32_t at, unsigned indent)
{
	bool blank = comments_add(lines, at, indent);
	blank_line(lines, blank);
	indent_add(lines, indent);
	lines->indent = indent;
}

void line_begin_close(struct lines *lines, uint32_t at, unsigned indent)
{
	comments_add(lines, at, indent + INDENT_BLOCK);
	indent_add(lines, indent);
	line_add(lines, "}");
	lines->indent = indent;
	lines->edge = false;
}

void line_begin_nothing(struct lines *lines)
{
	comments_add(lines, (uint32_t)lines->source->size, 0);
}

void line_next(struct lines *lines, unsigned indent)
{
	line_break(lines, indent);
	lines->indent = indent;
}

void line_end(struct lines *lines, uint32_t after)
{
	struct pieces pieces = { .source = lines->source, .at = after };
	struct piece piece = pieces_next(&pieces);
	while (piece.kind == PIECE_SEMICOLON)
		piece = pieces_next(&pieces);
	lines->done = after;
	if (piece.kind == PIECE_COMMENT) {
		line_add(lines, "  ");
		comment_add(lines, piece);
		lines->done = piece.end;
	}
	strbuf_add_char(lines->out, '\n');
}

void line_end_open(struct lines *lines, uint32_t open)
{
	line_add(lines, " {");
	line_end(lines, open + 1);
	lines->edge = true;
}

/* ---- tokens ---- */

/* `<` and `>` around the name of a library, and `|`, which binds closest, touch what they stand between. */
static bool sign_touches(const struct pieces *pieces, struct piece sign)
{
	char c = pieces->source->text[sign.begin];
	if (sign.kind != PIECE_SIGN || sign.end - sign.begin > 1)
		return false;
	return c == '|' || (!pieces->parentheses && (c == '<' || c == '>'));
}

/* Whether a blank stands between two tokens of one entry. */
static bool stand_apart(const struct pieces *pieces, struct piece before, struct piece piece)
{
	if (before.kind == PIECE_LEFT || piece.kind == PIECE_RIGHT)
		return false;
	if (piece.kind == PIECE_LEFT)
		return before.kind == PIECE_SIGN;
	if (sign_touches(pieces, before))
		return false;
	bool opens = piece.kind == PIECE_SIGN && pieces->source->text[piece.begin] == '<';
	return (opens && !pieces->parentheses) || !sign_touches(pieces, piece);
}

/* One entry of a list, with what stands before the list or behind it. True when a ',' follows, which is
 * taken. */
static bool entry_read(struct lines *lines, struct pieces *pieces, uint32_t end)
{
	const char *text = lines->source->text;
	struct piece before = { PIECE_END, 0, 0 };
	lines->entry.size = 0;
	while (pieces_peek(pieces).begin < end) {
		struct piece piece = pieces_next(pieces);
		if (piece.kind == PIECE_COMMA)
			return true;
		if (piece.kind == PIECE_LINE_END)
			continue; /* behind the ',' before it */
		if (before.kind != PIECE_END && stand_apart(pieces, before, piece))
			strbuf_add_char(&lines->entry, ' ');
		strbuf_add(&lines->entry, text + piece.begin, piece.end - piece.begin);
		before = piece;
	}
	return false;
}

/* Whether a comment stands behind a ',', before the list's next entry. */
static bool comment_follows(struct pieces pieces)
{
	struct piece piece = pieces_next(&pieces);
	while (piece.kind == PIECE_LINE_END)
		piece = pieces_next(&pieces);
	return piece.kind == PIECE_COMMENT;
}

/* The comments behind a ',', the first on its line where it stands there. */
static void list_comments_add(struct lines *lines, struct pieces *pieces, unsigned indent)
{
	bool own_line = false;
	for (struct piece piece;
	     (piece = pieces_peek(pieces)).kind == PIECE_LINE_END || piece.kind == PIECE_COMMENT;) {
		pieces_next(pieces);
		if (piece.kind == PIECE_LINE_END) {
			own_line = true;
			continue;
		}
		if (own_line)
			line_break(lines, indent);
		else
			line_add(lines, "  ");
		comment_add(lines, piece);
	}
}

/* How a list goes on in another line: what stands at the end of the one before, and the other's indent. */
struct list_style {
	const char *comma;
	unsigned indent;
};

static void list_add(struct lines *lines, uint32_t begin, uint32_t end, struct list_style style)
{
	struct pieces pieces = { .source = lines->source, .at = begin };
	bool more = entry_read(lines, &pieces, end);
	add(lines, lines->entry.bytes, lines->entry.size);
	while (more) {
		bool breaks = comment_follows(pieces);
		if (breaks) {
			line_add(lines, style.comma);
			list_comments_add(lines, &pieces, style.indent);
		}
		more = entry_read(lines, &pieces, end);
		size_t width = lines->width + 2 + characters(lines->entry.bytes, lines->entry.size);
		width += more ? strlen(style.comma) : 0;
		if (breaks) {
			line_break(lines, style.indent);
		} else if (width <= LINE_WIDTH) {
			line_add(lines, ", ");
		} else {
			line_add(lines, style.comma);
			line_break(lines, style.indent);
		}
		add(lines, lines->entry.bytes, lines->entry.size);
	}
}

void line_add_range(struct lines *lines, uint32_t begin, uint32_t end)
{
	list_add(lines, begin, end, (struct list_style){ ",", lines->indent + INDENT_CONTINUATION });
}

void line_add_members(struct lines *lines, uint32_t begin, uint32_t end)
{
	list_add(lines, begin, end, (struct list_style){ "", lines->indent });
}
