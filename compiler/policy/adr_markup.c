#include "compiler/policy/adr_markup.h"

#include <string.h>

#include "compiler/base/ascii.h"

/* One line, without its end. `bytes` is the writable copy. */
struct line {
	char *bytes;
	size_t size, indent; /* indent: of blanks at its start; the size where there is nothing else */
};

struct rewriter {
	size_t previous_size; /* of the line before; 0 where it is blank, or a heading's underline */
	bool previous_alone;  /* that line begins its paragraph */
	char first_style;     /* of headings: the first one is the title's */
	bool in_block;        /* RST: a directive, comment or literal block */
	size_t block_indent;  /* it holds all lines that stand deeper */
	char fence;           /* AsciiDoc: the mark of the line that ends the open block */
	size_t fence_size;    /* its length; 0 where none is open */
	unsigned conditions;  /* AsciiDoc: open ifdef, ifndef and ifeval */
	bool hidden;          /* AsciiDoc: a paragraph or block marked [comment] is next, or goes on */
	bool hidden_begun;    /* one of its lines was read: a blank one ends it */
};

typedef void line_rewrite(struct rewriter *rewriter, struct line line);

static bool line_is_blank(struct line line)
{
	return line.indent == line.size;
}

static struct line line_at(struct adr_text *text, size_t begin, size_t *next)
{
	const char *feed = memchr(text->bytes + begin, '\n', text->size - begin);
	size_t end = feed ? (size_t)(feed - text->bytes) : text->size;
	struct line line = { text->bytes + begin, end - begin, 0 };
	*next = feed ? end + 1 : end;
	while (line.size && ascii_is_space(line.bytes[line.size - 1]))
		line.size--;
	while (line.indent < line.size && ascii_is_space(line.bytes[line.indent]))
		line.indent++;
	return line;
}

static void line_blank(struct line line)
{
	memset(line.bytes, ' ', line.size);
}

/* One mark from the first byte to the last. */
static bool line_is_run(struct line line)
{
	for (size_t i = 1; i < line.size; i++)
		if (line.bytes[i] != line.bytes[0])
			return false;
	return line.size > 0;
}

/* `:Status: Accepted`: without the first colon it is a field of Markdown. */
static void field_rewrite(struct line line)
{
	size_t at = line.indent + 1;
	if (line.bytes[line.indent] != ':')
		return;
	while (at < line.size && (ascii_is_alnum(line.bytes[at]) || strchr(" -_", line.bytes[at])))
		at++;
	if (at > line.indent + 1 && at < line.size && line.bytes[at] == ':')
		line.bytes[line.indent] = ' ';
}

/* `[text](target)` over [begin, end), which is long enough. */
static void link_write(char *begin, const char *end, struct slice text, struct slice target)
{
	enum { COPY_MAX = 512 };
	char copy[COPY_MAX];
	size_t size = (size_t)(end - begin), at = 0;
	if (size > COPY_MAX || text.size + target.size + 4 > size)
		return;
	copy[at++] = '[';
	memcpy(copy + at, text.at, text.size);
	at += text.size;
	copy[at++] = ']';
	copy[at++] = '(';
	memcpy(copy + at, target.at, target.size);
	at += target.size;
	copy[at++] = ')';
	memset(copy + at, ' ', size - at);
	memcpy(begin, copy, size);
}

static char *line_find(struct line line, size_t from, const char *wanted)
{
	size_t size = strlen(wanted);
	return from < line.size ? memmem(line.bytes + from, line.size - from, wanted, size) : NULL;
}

static struct slice between(const char *begin, const char *end)
{
	return (struct slice){ begin, (size_t)(end - begin) };
}

/* ---- reStructuredText ---- */

/* `text <target>`_ and :doc:`text <target>` */
static void rst_links_rewrite(struct line line)
{
	for (char *open = line_find(line, 0, "`"); open;) {
		size_t at = (size_t)(open - line.bytes) + 1;
		char *close = line_find(line, at, "`");
		if (!close)
			return;
		char *angle = memmem(open, (size_t)(close - open), " <", 2);
		if (angle && close[-1] == '>')
			link_write(open, close + 1, between(open + 1, angle), between(angle + 2, close - 1));
		open = line_find(line, (size_t)(close - line.bytes) + 1, "`");
	}
}

static bool rst_is_adornment(struct line line)
{
	bool comment = line.size == 2 && line.bytes[0] == '.';
	return line.size >= 2 && !line.indent && !comment && line_is_run(line) &&
	       strchr("=-~^\"'`#*+.:_<>", line.bytes[0]);
}

/* A row of one mark below a line of its own is a heading; above one, or between blank lines, decoration. */
static bool rst_heading_rewrite(struct rewriter *rewriter, struct line line)
{
	if (!rst_is_adornment(line) || (line.size < 4 && line.size < rewriter->previous_size))
		return false;
	bool heading = rewriter->previous_size && rewriter->previous_alone;
	if (heading && !rewriter->first_style)
		rewriter->first_style = line.bytes[0];
	if (heading)
		memset(line.bytes, line.bytes[0] == rewriter->first_style ? '=' : '-', line.size);
	else
		line_blank(line);
	return true;
}

/* The offset after list marks: `- .. a comment` is one, too, which holds what stands deeper than its `..`. */
static size_t rst_after_marks(struct line line)
{
	size_t at = line.indent;
	for (;;) {
		size_t mark = at;
		if (strchr("-*+", line.bytes[mark])) {
			mark++;
		} else {
			mark += line.bytes[mark] == '(';
			while (mark < line.size &&
			       (ascii_is_alnum(line.bytes[mark]) || line.bytes[mark] == '#'))
				mark++;
			if (mark == at || mark >= line.size || !strchr(".)", line.bytes[mark]))
				return at;
			mark++;
		}
		if (mark >= line.size || !ascii_is_space(line.bytes[mark]))
			return at;
		while (ascii_is_space(line.bytes[mark])) /* a line's last byte is no blank */
			mark++;
		at = mark;
	}
}

/* `.. code-block:: sh`, `.. a comment`: what begins at `at`. */
static bool rst_is_explicit(struct line line, size_t at)
{
	return line.size - at >= 2 && line.bytes[at] == '.' && line.bytes[at + 1] == '.' &&
	       (line.size - at == 2 || ascii_is_space(line.bytes[at + 2]));
}

/* Also a paragraph that ends with `::`. */
static bool rst_block_opens(struct line line, size_t at)
{
	size_t size = line.size;
	return rst_is_explicit(line, at) ||
	       (size - at >= 2 && line.bytes[size - 1] == ':' && line.bytes[size - 2] == ':');
}

static void rst_line_rewrite(struct rewriter *rewriter, struct line line)
{
	if (rewriter->in_block && !line_is_blank(line) && line.indent <= rewriter->block_indent)
		rewriter->in_block = false;
	if (rewriter->in_block) {
		line_blank(line);
		return;
	}
	if (line_is_blank(line) || rst_heading_rewrite(rewriter, line))
		return;
	size_t at = rst_after_marks(line);
	bool explicit = rst_is_explicit(line, at);
	rewriter->in_block = rst_block_opens(line, at);
	rewriter->block_indent = explicit ? at : line.indent;
	if (explicit) {
		line_blank(line);
		return;
	}
	field_rewrite(line);
	rst_links_rewrite(line);
}

/* ---- AsciiDoc ---- */

/* xref:target[text], link:target[text] */
static void asciidoc_macro_rewrite(struct line line, const char *name)
{
	for (char *begin = line_find(line, 0, name); begin;) {
		char *target = begin + strlen(name);
		char *open = line_find(line, (size_t)(target - line.bytes), "[");
		char *close = open ? line_find(line, (size_t)(open - line.bytes), "]") : NULL;
		if (!close)
			return;
		if (!memchr(target, ' ', (size_t)(open - target)))
			link_write(begin, close + 1, between(open + 1, close), between(target, open));
		begin = line_find(line, (size_t)(close - line.bytes) + 1, name);
	}
}

/* <<target,text>> */
static void asciidoc_references_rewrite(struct line line)
{
	for (char *begin = line_find(line, 0, "<<"); begin;) {
		char *close = line_find(line, (size_t)(begin - line.bytes), ">>");
		if (!close)
			return;
		char *comma = memchr(begin, ',', (size_t)(close - begin));
		if (comma)
			link_write(begin, close + 2, between(comma + 1, close), between(begin + 2, comma));
		begin = line_find(line, (size_t)(close - line.bytes) + 2, "<<");
	}
}

/* `== Status` */
static bool asciidoc_heading_rewrite(struct line line)
{
	size_t level = 0;
	while (level < line.size && line.bytes[level] == '=')
		level++;
	if (!level || level > 6 || level == line.size || line.bytes[level] != ' ')
		return false;
	memset(line.bytes, '#', level);
	return true;
}

/* The old form: a row of `=`, `-` or `~` as long as the line above, give or take one. */
static bool asciidoc_underline_rewrite(const struct rewriter *rewriter, struct line line)
{
	size_t above = rewriter->previous_size;
	if (!above || !rewriter->previous_alone || line.size < 2 || !line_is_run(line) ||
	    !strchr("=-~^", line.bytes[0]) || line.size > above + 1 || line.size + 1 < above)
		return false;
	memset(line.bytes, line.bytes[0] == '=' ? '=' : '-', line.size);
	return true;
}

/* Listing, literal, passthrough and comment blocks; their end is the same line. */
static bool asciidoc_fence_opens(struct rewriter *rewriter, struct line line)
{
	bool other = rewriter->hidden && line.size >= 2 && line_is_run(line) && strchr("-=*_", line.bytes[0]);
	if (!other && (line.size < 4 || !line_is_run(line) || !strchr("-.+/", line.bytes[0])))
		return false;
	rewriter->fence = line.bytes[0];
	rewriter->fence_size = line.size;
	return true;
}

static bool line_starts(struct line line, const char *word)
{
	return line.size >= strlen(word) && memcmp(line.bytes, word, strlen(word)) == 0;
}

/* What stands in `ifdef::x[]` to `endif::[]` may be shown or not: it counts for nothing. */
static bool asciidoc_is_conditional(struct rewriter *rewriter, struct line line)
{
	bool inside = rewriter->conditions > 0;
	if (line_starts(line, "endif::")) {
		rewriter->conditions -= inside;
		return true;
	}
	bool opens = line_starts(line, "ifdef::") || line_starts(line, "ifndef::") ||
		     line_starts(line, "ifeval::");
	bool whole = opens && line.bytes[line.size - 1] == ']' &&
		     (line.bytes[line.size - 2] == '[' || line_starts(line, "ifeval::"));
	rewriter->conditions += whole; /* `ifdef::x[text]` is a line of its own */
	return inside || opens;
}

/* `[comment]` hides the paragraph or block below it. */
static bool asciidoc_is_hidden(struct rewriter *rewriter, struct line line)
{
	if (line_starts(line, "[comment") && line.bytes[line.size - 1] == ']') {
		rewriter->hidden = true;
		rewriter->hidden_begun = false;
		return true;
	}
	if (line_is_blank(line) && rewriter->hidden_begun)
		rewriter->hidden = false;
	rewriter->hidden_begun = rewriter->hidden && !line_is_blank(line);
	return rewriter->hidden && line.size;
}

/* `:x: ...` sets an attribute, and is shown nowhere: what it names is blanked, unless it is a field. */
static void asciidoc_attribute_rewrite(struct line line)
{
	for (size_t i = 0; i < line.size && line.bytes[0] == ':'; i++)
		if (line.bytes[i] == '`')
			line.bytes[i] = ' ';
}

/* `[[id]]`, `(((term)))`, `anchor:id[text]`: shown nowhere, or as it is written. */
static void asciidoc_unseen_rewrite(struct line line)
{
	static const char *const pairs[][2] = {
		{ "[[", "]]" }, { "(((", ")))" }, { "pass:", "]" }, { "anchor:", "]" }, { "indexterm:", "]" },
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		for (char *begin = line_find(line, 0, pairs[i][0]); begin;) {
			size_t from = (size_t)(begin - line.bytes);
			char *end = line_find(line, from, pairs[i][1]);
			if (!end)
				break;
			for (char *at = begin; at < end; at++)
				*at = *at == '`' ? ' ' : *at;
			begin = line_find(line, (size_t)(end - line.bytes) + 1, pairs[i][0]);
		}
}

/* ` +` at the end of a line is a line break: two blanks in Markdown. */
static void asciidoc_break_rewrite(struct line line)
{
	if (line.size >= 2 && line.bytes[line.size - 1] == '+' && line.bytes[line.size - 2] == ' ')
		line.bytes[line.size - 1] = ' ';
}

static bool asciidoc_is_comment(struct line line)
{
	return line.size >= 2 && line.bytes[0] == '/' && line.bytes[1] == '/' &&
	       (line.size == 2 || line.bytes[2] != '/');
}

/* A paragraph whose first line is indented is shown as it is written; a list item is none. */
static bool asciidoc_is_literal(const struct rewriter *rewriter, struct line line)
{
	return line.indent && !rewriter->previous_size && !strchr("*-.", line.bytes[line.indent]);
}

static void asciidoc_line_rewrite(struct rewriter *rewriter, struct line line)
{
	if (rewriter->fence_size) {
		if (line.size == rewriter->fence_size && line.bytes[0] == rewriter->fence &&
		    line_is_run(line))
			rewriter->fence_size = 0;
		line_blank(line);
		return;
	}
	if (asciidoc_is_conditional(rewriter, line) ||
	    (rewriter->hidden && asciidoc_fence_opens(rewriter, line)) ||
	    asciidoc_is_hidden(rewriter, line)) {
		rewriter->hidden = rewriter->hidden && !rewriter->fence_size;
		line_blank(line);
		return;
	}
	if (line_is_blank(line) || asciidoc_heading_rewrite(line) ||
	    asciidoc_underline_rewrite(rewriter, line))
		return;
	if (asciidoc_fence_opens(rewriter, line) || asciidoc_is_comment(line) ||
	    asciidoc_is_literal(rewriter, line)) {
		line_blank(line);
		return;
	}
	asciidoc_attribute_rewrite(line);
	asciidoc_unseen_rewrite(line);
	field_rewrite(line);
	asciidoc_break_rewrite(line);
	asciidoc_macro_rewrite(line, "xref:");
	asciidoc_macro_rewrite(line, "link:");
	asciidoc_references_rewrite(line);
}

/* ---- both ---- */

static line_rewrite *markup_of(const char *path)
{
	const char *dot = strrchr(path, '.');
	struct slice extension = slice_of(dot ? dot : "");
	if (slice_is(extension, ".rst"))
		return rst_line_rewrite;
	if (slice_is(extension, ".adoc") || slice_is(extension, ".asciidoc"))
		return asciidoc_line_rewrite;
	return NULL;
}

static bool ends_paragraph(struct line line)
{
	return line_is_blank(line) || line.bytes[0] == '#' ||
	       (strchr("=-", line.bytes[0]) && line_is_run(line));
}

void adr_markup_rewrite(struct adr_text *text)
{
	line_rewrite *rewrite = markup_of(text->source->path);
	struct rewriter rewriter = { 0 };
	text->rewritten = rewrite != NULL;
	for (size_t at = 0, next; rewrite && at < text->size; at = next) {
		struct line line = line_at(text, at, &next);
		bool begins = rewriter.previous_size == 0;
		rewrite(&rewriter, line);
		line = line_at(text, at, &next);
		rewriter.previous_alone = begins;
		rewriter.previous_size = ends_paragraph(line) ? 0 : line.size - line.indent;
	}
}
