#include "compiler/policy/adr_scan.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/utf8.h"
#include "compiler/policy/adr_markup.h"

/* A list item deeper than this is read as text of the one above it. */
enum { LIST_DEPTH_MAX = 32, TAB_WIDTH = 4, CODE_INDENT = 4 };

struct fence {
	char mark;
	size_t length;            /* 0: none is open */
	unsigned quotes, content; /* of the quote and the list item that hold it */
	bool rows;                /* it is marked `allow`, and so the last of the text's blocks */
};

struct scanner {
	struct arena *arena;
	struct adr_text *text;
	struct fence fence;
	const char *hidden_end; /* what ends the HTML that no reader is shown; NULL outside of any */
	size_t paragraph_lines; /* of the paragraph that the next line may continue */
	bool paragraph_in_item;
	unsigned quotes;
	unsigned contents[LIST_DEPTH_MAX]; /* columns where the text of each open list item begins */
	size_t depth;
	bool item; /* the line begins one */
};

/* A place in one line. */
struct cursor {
	const char *bytes;
	size_t at, end;
	unsigned column;
};

static bool text_is_valid(const char *bytes, size_t size)
{
	const uint64_t high_bits = 0x8080808080808080u;
	size_t at = 0;
	while (at < size) {
		uint64_t eight;
		if (size - at >= sizeof eight) {
			memcpy(&eight, bytes + at, sizeof eight);
			if (!(eight & high_bits)) {
				at += sizeof eight;
				continue;
			}
		}
		uint32_t code;
		size_t length = utf8_decode(bytes + at, size - at, &code);
		if (!length)
			return false;
		at += length;
	}
	return !memchr(bytes, '\0', size);
}

void adr_text_blank(struct adr_text *text, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++)
		if (text->bytes[i] != '\n' && text->bytes[i] != '\r')
			text->bytes[i] = ' ';
}

struct slice adr_text_slice(const struct adr_text *text, size_t begin, size_t end)
{
	return (struct slice){ text->bytes + begin, end - begin };
}

struct slice adr_line_slice(const struct adr_text *text, const struct adr_line *line)
{
	return adr_text_slice(text, line->begin, line->end);
}

struct span adr_text_span(const struct adr_text *text, struct slice slice)
{
	uint32_t begin = (uint32_t)(slice.at - text->bytes);
	return (struct span){ text->source, begin, begin + (uint32_t)slice.size };
}

static void cursor_advance(struct cursor *cursor)
{
	bool tab = cursor->bytes[cursor->at++] == '\t';
	cursor->column += tab ? TAB_WIDTH - cursor->column % TAB_WIDTH : 1;
}

static void cursor_skip_blanks(struct cursor *cursor)
{
	while (cursor->at < cursor->end && ascii_is_space(cursor->bytes[cursor->at]))
		cursor_advance(cursor);
}

static struct slice cursor_rest(const struct cursor *cursor)
{
	return (struct slice){ cursor->bytes + cursor->at, cursor->end - cursor->at };
}

/* Passes up to `most` quote marks, each with the blank after it. Columns count from there. */
static unsigned cursor_skip_quotes(struct cursor *cursor, unsigned most)
{
	unsigned quotes = 0;
	while (quotes < most && cursor->at < cursor->end) {
		struct cursor ahead = *cursor;
		if (ascii_is_alnum(cursor->bytes[cursor->at])) /* as most lines begin */
			break;
		cursor_skip_blanks(&ahead);
		if (ahead.at == ahead.end || ahead.bytes[ahead.at] != '>' ||
		    ahead.column - cursor->column >= CODE_INDENT)
			break;
		cursor_advance(&ahead);
		if (ahead.at < ahead.end && ascii_is_space(ahead.bytes[ahead.at]))
			cursor_advance(&ahead);
		*cursor = ahead;
		cursor->column = 0;
		quotes++;
	}
	return quotes;
}

static size_t run_length(struct slice slice)
{
	size_t length = 0;
	while (length < slice.size && slice.at[length] == slice.at[0])
		length++;
	return length;
}

static struct adr_line *line_add(struct scanner *scanner, enum adr_line_kind kind, struct slice content)
{
	struct adr_text *text = scanner->text;
	text->lines = arena_grow(scanner->arena, text->lines, text->line_count, &text->line_capacity,
				 sizeof *text->lines);
	struct adr_line *line = &text->lines[text->line_count++];
	content = slice_trim(content);
	struct span place = adr_text_span(text, content);
	*line = (struct adr_line){ .begin = place.begin, .end = place.end, .kind = kind };
	line->item = scanner->item;
	line->depth = (unsigned)scanner->depth;
	return line;
}

static void line_add_blank(struct scanner *scanner, struct slice content)
{
	line_add(scanner, ADR_LINE_BLANK, content)->opens = true;
	scanner->paragraph_lines = 0;
}

static bool ends_with_break(struct slice content)
{
	size_t size = content.size;
	while (size && content.at[size - 1] == '\r')
		size--;
	return size >= 2 &&
	       (content.at[size - 1] == '\\' || (content.at[size - 1] == ' ' && content.at[size - 2] == ' '));
}

static void line_add_text(struct scanner *scanner, struct slice content)
{
	struct adr_line *line = line_add(scanner, ADR_LINE_TEXT, content);
	line->opens = !scanner->paragraph_lines || content.at[0] == '|';
	line->breaks = ends_with_break(content);
	scanner->paragraph_lines++;
}

/* `## Status ##`: the closing marks are no part of it. */
static bool heading_add(struct scanner *scanner, struct slice content)
{
	size_t level = run_length(content);
	if (content.at[0] != '#' || level > 6 || (level < content.size && !ascii_is_space(content.at[level])))
		return false;
	struct slice title = slice_trim(slice_from(content, level));
	size_t size = title.size;
	while (size && title.at[size - 1] == '#')
		size--;
	if (!size || ascii_is_space(title.at[size - 1]))
		title.size = size;
	struct adr_line *line = line_add(scanner, ADR_LINE_HEADING, title);
	line->level = (unsigned)level;
	line->opens = true;
	scanner->paragraph_lines = 0;
	return true;
}

/* `***`, `- - -`, `___`: three or more of one mark, blanks between them. */
static bool is_rule(struct slice content)
{
	char mark = content.at[0];
	size_t marks = 0;
	if (mark != '*' && mark != '-' && mark != '_')
		return false;
	for (size_t i = 0; i < content.size; i++) {
		if (content.at[i] == mark)
			marks++;
		else if (!ascii_is_space(content.at[i]))
			return false;
	}
	return marks >= 3;
}

/* A row of `=` or `-` below a paragraph of one line makes a heading of that line. */
static bool underline_apply(struct scanner *scanner, struct slice content)
{
	char mark = content.at[0];
	if (!scanner->paragraph_lines || (mark != '=' && mark != '-'))
		return false;
	content = slice_trim(content);
	if (content.size < 2 || run_length(content) != content.size)
		return false;
	struct adr_line *above = &scanner->text->lines[scanner->text->line_count - 1];
	if (scanner->paragraph_lines == 1 && (!scanner->paragraph_in_item || scanner->text->rewritten)) {
		above->kind = ADR_LINE_HEADING;
		above->level = mark == '=' ? 1 : 2;
	}
	line_add_blank(scanner, content);
	return true;
}

static unsigned innermost_content(const struct scanner *scanner)
{
	return scanner->depth ? scanner->contents[scanner->depth - 1] : 0;
}

/* The first word after the fence. */
static bool is_marked_allow(struct slice info)
{
	info = slice_trim(info);
	size_t size = 0;
	while (size < info.size && !ascii_is_space(info.at[size]))
		size++;
	info.size = size;
	return size == strlen("allow") && memcmp(info.at, "allow", size) == 0;
}

static void block_add(struct scanner *scanner)
{
	struct adr_text *text = scanner->text;
	text->blocks = arena_grow(scanner->arena, text->blocks, text->block_count, &text->block_capacity,
				  sizeof *text->blocks);
	text->blocks[text->block_count++] = (struct span){ text->source, 0, 0 };
}

/* One more line of the last block. */
static void block_extend(struct adr_text *text, struct slice line)
{
	struct span place = adr_text_span(text, line), *block = &text->blocks[text->block_count - 1];
	if (!block->end)
		block->begin = place.begin;
	block->end = place.end;
}

static bool fence_open(struct scanner *scanner, struct slice content)
{
	size_t length = run_length(content);
	char mark = content.at[0];
	if ((mark != '`' && mark != '~') || length < 3)
		return false;
	if (mark == '`' && memchr(content.at + length, '`', content.size - length))
		return false;
	bool rows = !scanner->quotes && is_marked_allow(slice_from(content, length));
	scanner->fence = (struct fence){ mark, length, scanner->quotes, innermost_content(scanner), rows };
	if (rows)
		block_add(scanner);
	return true;
}

static bool fence_closes(const struct fence *fence, struct slice content)
{
	size_t length = run_length(content);
	return content.at[0] == fence->mark && length >= fence->length &&
	       slice_trim(slice_from(content, length)).size == 0;
}

/* Whether the open fence holds this line. It ends with its last line, and with its quote or list item. */
static bool fence_holds(struct scanner *scanner, struct cursor cursor)
{
	struct fence *fence = &scanner->fence;
	if (cursor_skip_quotes(&cursor, fence->quotes) < fence->quotes) {
		fence->length = 0;
		return false;
	}
	cursor_skip_blanks(&cursor);
	if (cursor.at == cursor.end)
		return true;
	if (cursor.column < fence->content) {
		fence->length = 0;
		return false;
	}
	if (cursor.column - fence->content < CODE_INDENT && fence_closes(fence, cursor_rest(&cursor)))
		fence->length = 0;
	return true;
}

/* HTML whose text no reader is shown. CommonMark's HTML blocks of kinds 1 to 5, but for pre and textarea. */
static const struct {
	const char *begin, *end;
	bool letter; /* one follows */
} hiding[] = {
	{ "<!--", "-->", false }, { "<script", "</script>", false }, { "<style", "</style>", false },
	{ "<?", "?>", false },    { "<![CDATA[", "]]>", false },     { "<!", ">", true },
};

/* Case of letters aside. */
static bool begins_with(struct slice content, const char *word)
{
	size_t size = strlen(word);
	for (size_t i = 0; i < size && i < content.size; i++)
		if (ascii_lower(content.at[i]) != ascii_lower(word[i]))
			return false;
	return content.size >= size;
}

static const char *find_end(struct slice content, const char *end)
{
	for (size_t i = 0; i < content.size; i++)
		if (begins_with(slice_from(content, i), end))
			return content.at + i;
	return NULL;
}

/* What ends the hidden HTML that begins here, or NULL. */
static const char *hidden_end_of(struct slice content)
{
	for (size_t i = 0; content.at[0] == '<' && i < sizeof hiding / sizeof *hiding; i++) {
		size_t size = strlen(hiding[i].begin);
		if (!begins_with(content, hiding[i].begin))
			continue;
		bool letter = size < content.size && ascii_is_letter(content.at[size]);
		bool tag = ascii_is_letter(hiding[i].begin[1]);
		if (tag ? !letter : letter || !hiding[i].letter)
			return hiding[i].end;
	}
	return NULL;
}

/* Inside hidden HTML: blanks it in this line, and leaves the cursor after it (or at the end of the line). */
static void hidden_blank(struct scanner *scanner, struct cursor *cursor)
{
	while (scanner->hidden_end) {
		struct slice rest = cursor_rest(cursor);
		const char *end = scanner->hidden_end, *close = find_end(rest, end);
		size_t after = close ? (size_t)(close - cursor->bytes) + strlen(end) : cursor->end;
		adr_text_blank(scanner->text, cursor->at, after);
		cursor->at = after;
		if (!close)
			return;
		rest = cursor_rest(cursor);
		const char *next = memmem(rest.at, rest.size, "<!--", 4);
		bool opens = next && !memmem(next, (size_t)(rest.at + rest.size - next), "-->", 3);
		scanner->hidden_end = opens ? "-->" : NULL;
		if (opens)
			cursor->at = (size_t)(next - cursor->bytes);
	}
}

/* The length of a list mark, 0 where there is none: `-`, `*`, `+`, `1.`, `1)`, then white space. */
static size_t list_mark(struct slice content)
{
	size_t length = 0;
	if (content.at[0] == '-' || content.at[0] == '*' || content.at[0] == '+') {
		length = 1;
	} else {
		while (length < content.size && length < 9 && ascii_is_digit(content.at[length]))
			length++;
		if (!length || length == content.size ||
		    (content.at[length] != '.' && content.at[length] != ')'))
			return 0;
		length++;
	}
	return length == content.size || ascii_is_space(content.at[length]) ? length : 0;
}

/* Passes list marks. False where the item holds indented code, or nothing. */
static bool list_enter(struct scanner *scanner, struct cursor *cursor)
{
	size_t mark;
	while (cursor->at < cursor->end && !is_rule(cursor_rest(cursor)) &&
	       (mark = list_mark(cursor_rest(cursor)))) {
		for (size_t i = 0; i < mark; i++)
			cursor_advance(cursor);
		unsigned after = cursor->column;
		cursor_skip_blanks(cursor);
		bool code = cursor->column - after > CODE_INDENT;
		if (scanner->depth < LIST_DEPTH_MAX)
			scanner->contents[scanner->depth++] =
				code || cursor->at == cursor->end ? after + 1 : cursor->column;
		scanner->paragraph_lines = 0;
		scanner->paragraph_in_item = true;
		scanner->item = true;
		if (code)
			return false;
	}
	return cursor->at < cursor->end;
}

/* A line that is neither blank nor code, from its first byte that means something. */
static void content_scan(struct scanner *scanner, struct cursor *cursor)
{
	struct slice content = cursor_rest(cursor);
	/* Nothing else begins with a letter or a digit: list marks are behind the cursor. */
	if (ascii_is_alnum(content.at[0])) {
		line_add_text(scanner, content);
		return;
	}
	scanner->hidden_end = hidden_end_of(content);
	if (scanner->hidden_end) {
		scanner->paragraph_lines = 0;
		hidden_blank(scanner, cursor);
		content = cursor_rest(cursor);
	}
	bool blank = !slice_trim(content).size;
	bool fence = !blank && fence_open(scanner, content);
	if (fence)
		adr_text_blank(scanner->text, cursor->at, cursor->end);
	if (blank || fence || is_rule(content))
		line_add_blank(scanner, content);
	else if (!heading_add(scanner, content))
		line_add_text(scanner, content);
}

static void code_add(struct scanner *scanner, struct slice line)
{
	size_t begin = (size_t)(line.at - scanner->text->bytes);
	adr_text_blank(scanner->text, begin, begin + line.size);
	line_add_blank(scanner, line);
}

static void line_scan(struct scanner *scanner, struct slice line)
{
	size_t begin = (size_t)(line.at - scanner->text->bytes);
	struct cursor cursor = { scanner->text->bytes, begin, begin + line.size, 0 };
	scanner->item = false;
	if (scanner->hidden_end)
		hidden_blank(scanner, &cursor);
	if (scanner->fence.length && fence_holds(scanner, cursor)) {
		if (scanner->fence.length && scanner->fence.rows)
			block_extend(scanner->text, line);
		code_add(scanner, line);
		return;
	}
	unsigned quotes = cursor_skip_quotes(&cursor, (unsigned)-1);
	if (quotes != scanner->quotes) {
		scanner->quotes = quotes;
		scanner->depth = 0;
		scanner->paragraph_lines = 0;
	}
	cursor_skip_blanks(&cursor);
	if (cursor.at == cursor.end) {
		line_add_blank(scanner, line);
		return;
	}
	while (scanner->depth && cursor.column < innermost_content(scanner))
		scanner->depth--;
	if (!scanner->paragraph_lines)
		scanner->paragraph_in_item = scanner->depth > 0;
	bool indented = cursor.column - innermost_content(scanner) >= CODE_INDENT;
	if (indented && scanner->paragraph_lines)
		line_add_text(scanner, cursor_rest(&cursor));
	else if (!indented && scanner->paragraph_lines && underline_apply(scanner, cursor_rest(&cursor)))
		return;
	else if (indented || !list_enter(scanner, &cursor))
		code_add(scanner, line);
	else
		content_scan(scanner, &cursor);
}

/* The next line without its line feed, and the offset after it. */
static struct slice line_at(const struct adr_text *text, size_t begin, size_t *next)
{
	const char *feed = memchr(text->bytes + begin, '\n', text->size - begin);
	size_t end = feed ? (size_t)(feed - text->bytes) : text->size;
	*next = feed ? end + 1 : end;
	return adr_text_slice(text, begin, end);
}

static bool is_front_mark(struct slice line, const char *mark)
{
	size_t size = line.size;
	while (size && ascii_is_space(line.at[size - 1]))
		size--;
	return size == 3 && memcmp(line.at, mark, 3) == 0;
}

/* Returns the offset of the first line after the front matter. An opening mark alone is a rule. */
static size_t front_find(struct adr_text *text)
{
	size_t begin;
	if (!is_front_mark(line_at(text, 0, &begin), "---"))
		return 0;
	for (size_t at = begin, next; at < text->size; at = next) {
		struct slice line = line_at(text, at, &next);
		if (is_front_mark(line, "---") || is_front_mark(line, "...")) {
			text->front = adr_text_slice(text, begin, at);
			return next;
		}
	}
	return 0;
}

bool adr_scan(struct arena *arena, const struct source *source, struct adr_text *text)
{
	*text = (struct adr_text){ .source = source, .size = source->size };
	if (!text_is_valid(source->text, source->size))
		return false;
	text->bytes = arena_copy(arena, source->text, source->size);
	adr_markup_rewrite(text);
	struct scanner scanner = { .arena = arena, .text = text };
	for (size_t at = front_find(text), next; at < text->size; at = next)
		line_scan(&scanner, line_at(text, at, &next));
	return true;
}
