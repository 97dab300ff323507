#include "compiler/policy/adr_code.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/suggest.h"

/* What no reader is shown, or not as text, by how it begins. */
enum markup { MARKUP_TARGET, MARKUP_COMMENT, MARKUP_DATA, MARKUP_INSTRUCTION, MARKUP_TAG, MARKUP_COUNT };

/* A run of backquotes, or (length 0) where markup begins. */
struct token {
	uint32_t begin, length;
	uint32_t line;
	uint32_t next; /* the next run of this length; 0: none (the first is never a next) */
	bool escaped;
	uint8_t markup; /* enum markup */
};

/* Those of one paragraph: nothing is paired across its end. */
struct tokens {
	struct token *items;
	size_t count, capacity;
	uint32_t longest;
};

struct code_scanner {
	struct arena *arena, *scratch;
	struct adr_text *text;
	struct tokens tokens;
	uint32_t hidden; /* the end of the last markup that hides */
	struct adr_code_span *spans;
	size_t span_count, span_capacity;
};

/*
 * What adr_names() looks in, sorted by text: whole spans, which name every command that they start
 * with, and the entries of lists, which name themselves. Made by the first question: most commands that
 * read ADRs ask none.
 */
struct adr_names {
	struct arena *arena;
	bool sorted;
	struct adr_code_span *wholes, *entries;
	size_t whole_count, entry_count, entry_capacity;
};

static bool is_escaped(const char *line, const char *at)
{
	size_t backslashes = 0;
	while (at > line && at[-1] == '\\') {
		backslashes++;
		at--;
	}
	return backslashes % 2;
}

/* A line whose tokens are added. */
struct token_line {
	const char *begin, *end;
	uint32_t number;
};

/* It is filled where it lies: handing it over by value costs more than finding it. */
static struct token *token_add(struct code_scanner *scanner, const struct token_line *line, const char *at)
{
	struct tokens *tokens = &scanner->tokens;
	if (tokens->count == tokens->capacity)
		tokens->items = arena_grow(scanner->scratch, tokens->items, tokens->count, &tokens->capacity,
					   sizeof *tokens->items);
	struct token *token = &tokens->items[tokens->count++];
	*token = (struct token){ .line = line->number };
	token->begin = (uint32_t)(at - scanner->text->bytes);
	return token;
}

/* Where the byte stands next, or the end. */
static const char *byte_find(const char *at, const char *end, char wanted)
{
	const char *found = at < end ? memchr(at, wanted, (size_t)(end - at)) : NULL;
	return found ? found : end;
}

/* The kind of markup that begins here, MARKUP_COUNT where none does. */
static enum markup markup_of(struct slice rest)
{
	if (rest.size < 2)
		return MARKUP_COUNT;
	char next = rest.at[1];
	if (rest.at[0] == ']')
		return next == '(' ? MARKUP_TARGET : MARKUP_COUNT;
	if (next == '!' && slice_starts(rest, "<!--"))
		return MARKUP_COMMENT;
	if (next == '!' && slice_starts(rest, "<!["))
		return MARKUP_DATA;
	if (next == '?')
		return MARKUP_INSTRUCTION;
	return ascii_is_letter(next) || next == '/' || next == '!' ? MARKUP_TAG : MARKUP_COUNT;
}

static void markup_token(struct code_scanner *scanner, const struct token_line *line, const char *at)
{
	enum markup markup = markup_of((struct slice){ at, (size_t)(line->end - at) });
	/* In other markups a `<` is a letter like others. */
	bool letter = scanner->text->rewritten && markup != MARKUP_TARGET && markup != MARKUP_COMMENT;
	if (markup != MARKUP_COUNT && !letter && !is_escaped(line->begin, at))
		token_add(scanner, line, at)->markup = (uint8_t)markup;
}

/* Returns the place after it. */
static const char *run_token(struct code_scanner *scanner, const struct token_line *line, const char *at)
{
	const char *after = at;
	while (after < line->end && *after == '`')
		after++;
	struct token *token = token_add(scanner, line, at);
	token->length = (uint32_t)(after - at);
	token->escaped = is_escaped(line->begin, at);
	if (token->length > scanner->tokens.longest)
		scanner->tokens.longest = token->length;
	return after;
}

/* Each byte of the line is looked at once for each kind, however many tokens there are. */
static void line_tokens(struct code_scanner *scanner, uint32_t number)
{
	struct slice content = adr_line_slice(scanner->text, &scanner->text->lines[number]);
	const char *end = content.at + content.size;
	struct token_line line = { content.at, end, number };
	const char *quote = byte_find(line.begin, end, '`');
	const char *angle = byte_find(line.begin, end, '<');
	const char *bracket = byte_find(line.begin, end, ']');
	for (;;) {
		const char *next = angle < bracket ? angle : bracket;
		if (quote < next) {
			quote = byte_find(run_token(scanner, &line, quote), end, '`');
			continue;
		}
		if (next == end)
			return;
		markup_token(scanner, &line, next);
		if (next == angle)
			angle = byte_find(next + 1, end, '<');
		else
			bracket = byte_find(next + 1, end, ']');
	}
}

/* Backwards, remembering where each length was seen last: linear, however many runs find no partner. */
static void tokens_pair(struct code_scanner *scanner)
{
	struct tokens *tokens = &scanner->tokens;
	uint32_t *seen = arena_array(scanner->scratch, (size_t)tokens->longest + 1, sizeof *seen);
	for (size_t i = tokens->count; i-- > 0;) {
		struct token *token = &tokens->items[i];
		token->next = seen[token->length];
		seen[token->length] = (uint32_t)i;
	}
}

/* The text between two offsets on several lines, folded, without the quote marks at their beginnings. */
static const char *lines_text(struct code_scanner *scanner, uint32_t line, uint32_t begin, uint32_t end)
{
	const struct adr_text *text = scanner->text;
	char *joined = arena_alloc(scanner->scratch, (size_t)(end - begin) + 1);
	size_t size = 0;
	for (; line < text->line_count && text->lines[line].begin < end; line++) {
		const struct adr_line *at = &text->lines[line];
		uint32_t from = at->begin > begin ? at->begin : begin;
		uint32_t to = at->end < end ? at->end : end;
		if (size)
			joined[size++] = ' ';
		memcpy(joined + size, text->bytes + from, to - from);
		size += to - from;
	}
	return slice_fold(scanner->arena, (struct slice){ joined, size });
}

static void span_add(struct code_scanner *scanner, const struct token *open, const struct token *close)
{
	uint32_t begin = open->begin + open->length;
	struct slice place = slice_trim(adr_text_slice(scanner->text, begin, close->begin));
	bool one_line = close->line == open->line;
	const char *text = one_line ? slice_fold(scanner->arena, place)
				    : lines_text(scanner, open->line, begin, close->begin);
	if (!*text)
		return;
	scanner->spans = arena_grow(scanner->scratch, scanner->spans, scanner->span_count,
				    &scanner->span_capacity, sizeof *scanner->spans);
	scanner->spans[scanner->span_count++] =
		(struct adr_code_span){ text, adr_text_span(scanner->text, place) };
}

/* The offset after the paragraph that begins at or before `line`. */
static uint32_t paragraph_end(const struct adr_text *text, uint32_t line)
{
	while (line + 1 < text->line_count && !text->lines[line + 1].opens)
		line++;
	return text->lines[line].end;
}

/* The size up to the end of `wanted`, from `from` on; 0 where it does not occur. */
static size_t size_through(struct slice slice, size_t from, const char *wanted)
{
	size_t size = strlen(wanted);
	const char *found =
		from < slice.size ? memmem(slice.at + from, slice.size - from, wanted, size) : NULL;
	return found ? (size_t)(found - slice.at) + size : 0;
}

/*
 * The same for the first `close` that stands in no quotes, or for the first of all if quotes are not closed.
 */
static size_t size_through_unquoted(struct slice slice, size_t from, char close)
{
	const char one[] = { close, '\0' };
	for (size_t at = from; at < slice.size; at++) {
		char c = slice.at[at], before = slice.at[at - 1];
		if (c == close)
			return at + 1;
		if (c != '"' && c != '\'' && c != '<')
			continue;
		bool opens = (c == '"' || c == '\'') &&
			     (ascii_is_space(before) || before == '=' || before == '\n');
		bool angle = c == '<' && close == ')' && at == from;
		const char mark = angle ? '>' : c;
		const char *end =
			opens || angle ? memchr(slice.at + at + 1, mark, slice.size - at - 1) : NULL;
		if ((opens || angle) && !end)
			return size_through(slice, from, one);
		at = end ? (size_t)(end - slice.at) : at;
	}
	return size_through(slice, from, one);
}

/* The size of the markup at the start of the slice, 0 where its paragraph does not end it. */
static size_t markup_size(enum markup markup, struct slice slice)
{
	if (markup == MARKUP_TARGET)
		return size_through_unquoted(slice, 2, ')');
	if (markup == MARKUP_COMMENT)
		return size_through(slice, 4, "-->");
	if (markup == MARKUP_DATA && slice_starts(slice, "<![CDATA["))
		return size_through(slice, 2, "]]>");
	if (markup == MARKUP_INSTRUCTION)
		return size_through(slice, 2, "?>");
	return size_through_unquoted(slice, 2, '>');
}

/* Whether the tag hides all that follows, by `hidden` or by its style. (aria-hidden is shown.) */
static bool tag_hides(struct slice tag)
{
	for (size_t at = 1; at < tag.size; at++) {
		struct slice rest = slice_from(tag, at);
		bool word = ascii_is_space(tag.at[at - 1]) || tag.at[at - 1] == '\n';
		if ((word && slice_starts(rest, "hidden")) || slice_starts(rest, "display:") ||
		    slice_starts(rest, "display :") || slice_starts(rest, "visibility"))
			return true;
	}
	return false;
}

/* Elements whose text no reader is shown, up to their closing tag. */
static const char *hiding_element(struct slice tag)
{
	static const char *const names[] = { "script",   "style",   "template", "title", "textarea", "iframe",
					     "noscript", "noembed", "noframes", "xmp",   "datalist", "head" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_phrase(slice_from(tag, 1), names[i]))
			return names[i];
	return NULL;
}

/* The offset after what the tag at [begin, end) hides: at least itself. */
static uint32_t tag_reach(const struct adr_text *text, uint32_t begin, uint32_t end)
{
	struct slice tag = adr_text_slice(text, begin, end);
	if (tag_hides(tag))
		return (uint32_t)text->size; /* elements nest: where it ends, only a browser knows */
	const char *name = ascii_is_letter(tag.at[1]) ? hiding_element(tag) : NULL;
	for (uint32_t at = end; name && at + 2 < text->size; at++)
		if (text->bytes[at] == '<' && text->bytes[at + 1] == '/' &&
		    slice_phrase(adr_text_slice(text, at + 2, text->size), name))
			return at;
	return name ? (uint32_t)text->size : end;
}

/*
 * What a reader is not shown names nothing and is no field. Of a tag the marks stay: `Status:
 * <s>Accepted</s>` is in doubt. A target stays: relations read it. Returns the offset after it, 0 where it
 * has no end.
 */
static uint32_t markup_hide(struct adr_text *text, const struct token *token, uint32_t stop)
{
	uint32_t begin = token->begin;
	enum markup markup = token->markup;
	size_t size = markup_size(markup, adr_text_slice(text, begin, stop));
	uint32_t end = begin + (uint32_t)size;
	if (!size || markup == MARKUP_TARGET)
		return size ? end : 0;
	if (markup == MARKUP_COMMENT) {
		adr_text_blank(text, begin, end);
		return end;
	}
	uint32_t reach = tag_reach(text, begin, end);
	adr_text_blank(text, begin + 1, end - 1);
	adr_text_blank(text, end, reach);
	return reach;
}

/* `stop` is the end of their paragraph. */
static void tokens_walk(struct code_scanner *scanner, uint32_t stop)
{
	const struct token *tokens = scanner->tokens.items;
	/* Markup of a kind that has no end in the paragraph is not looked for again: time stays linear. */
	bool unclosed[MARKUP_COUNT] = { false };
	for (size_t i = 0; i < scanner->tokens.count; i++) {
		const struct token *token = &tokens[i];
		if (token->begin < scanner->hidden)
			continue;
		if (token->length) {
			if (!token->escaped && token->next) {
				span_add(scanner, token, &tokens[token->next]);
				i = token->next;
			}
		} else if (!unclosed[token->markup]) {
			uint32_t end = markup_hide(scanner->text, token, stop);
			unclosed[token->markup] = !end;
			scanner->hidden = end ? end : scanner->hidden;
		}
	}
}

/* The paragraph that ends before this line. */
static void paragraph_finish(struct code_scanner *scanner, size_t line)
{
	struct tokens *tokens = &scanner->tokens;
	if (!tokens->count)
		return;
	tokens_pair(scanner);
	tokens_walk(scanner, scanner->text->lines[line - 1].end);
	tokens->count = 0;
	tokens->longest = 0;
}

static int compare_spans(const void *left, const void *right)
{
	const struct adr_code_span *a = left, *b = right;
	int order = strcmp(a->text, b->text);
	return order ? order : (a->span.begin > b->span.begin) - (a->span.begin < b->span.begin);
}

/* `@a, @b`: each entry, with its own place where folding the span's white space moved nothing. */
static void entries_add(struct adr_names *names, const struct adr_code_span *whole)
{
	const char *end = whole->text + strlen(whole->text);
	bool in_place = (size_t)(end - whole->text) == whole->span.end - whole->span.begin;
	for (const char *at = whole->text; at <= end;) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma ? comma : end;
		struct slice entry = slice_trim((struct slice){ at, (size_t)(stop - at) });
		at = stop + 1;
		if (!entry.size)
			continue;
		struct span place = whole->span;
		if (in_place) {
			place.begin += (uint32_t)(entry.at - whole->text);
			place.end = place.begin + (uint32_t)entry.size;
		}
		names->entries = arena_grow(names->arena, names->entries, names->entry_count,
					    &names->entry_capacity, sizeof *names->entries);
		names->entries[names->entry_count++] =
			(struct adr_code_span){ arena_copy(names->arena, entry.at, entry.size), place };
	}
}

static const struct adr_names *names_sorted(const struct adr *adr)
{
	struct adr_names *names = adr->names;
	if (!names || names->sorted)
		return names;
	names->sorted = true;
	names->whole_count = adr->code_span_count;
	names->wholes = arena_array(names->arena, adr->code_span_count, sizeof *names->wholes);
	for (size_t i = 0; i < adr->code_span_count; i++) {
		names->wholes[i] = adr->code_spans[i];
		if (strchr(adr->code_spans[i].text, ','))
			entries_add(names, &adr->code_spans[i]);
	}
	if (names->whole_count)
		qsort(names->wholes, names->whole_count, sizeof *names->wholes, compare_spans);
	if (names->entry_count)
		qsort(names->entries, names->entry_count, sizeof *names->entries, compare_spans);
	return names;
}

static struct adr_code_span *spans_keep(const struct code_scanner *scanner)
{
	struct adr_code_span *kept = arena_array(scanner->arena, scanner->span_count, sizeof *kept);
	for (size_t i = 0; i < scanner->span_count; i++)
		kept[i] = scanner->spans[i];
	return kept;
}

/* Passes white space, line ends, and the marks of a quote. */
static size_t after_blanks(struct slice slice, size_t at)
{
	while (at < slice.size && (ascii_is_space(slice.at[at]) || strchr("\r\n>", slice.at[at])))
		at++;
	return at;
}

static size_t unescaped_find(struct slice slice, size_t at, char wanted)
{
	while (at < slice.size && slice.at[at] != wanted)
		at += slice.at[at] == '\\' ? 2 : 1;
	return at < slice.size ? at : slice.size;
}

/* The offset of the line's end where nothing but blanks stands before it, else 0. */
static size_t rest_of_line(struct slice slice, size_t at)
{
	while (at < slice.size && (ascii_is_space(slice.at[at]) || slice.at[at] == '\r') &&
	       slice.at[at] != '\n')
		at++;
	return at >= slice.size || slice.at[at] == '\n' ? at : 0;
}

/* Of `[name]: target` the offset after it, 0 where the paragraph begins otherwise. */
static size_t definition_target(struct slice slice)
{
	size_t at = unescaped_find(slice, 1, ']');
	if (slice.size < 2 || slice.at[0] != '[' || slice.at[1] == '^' || at + 1 >= slice.size ||
	    slice.at[at + 1] != ':')
		return 0;
	at = after_blanks(slice, at + 2);
	if (at == slice.size)
		return 0;
	if (slice.at[at] == '<')
		return unescaped_find(slice, at, '>') + 1;
	while (at < slice.size && !ascii_is_space(slice.at[at]) && !strchr("\r\n", slice.at[at]))
		at++;
	return at;
}

/*
 * The size of `[name]: target "title"`, which is shown nowhere (it is how a comment is written in Markdown,
 * too); 0 where the paragraph does not begin with one. A footnote is shown.
 */
static size_t definition_size(struct slice slice)
{
	size_t target = definition_target(slice);
	if (!target || target > slice.size)
		return 0;
	size_t alone = rest_of_line(slice, target), at = after_blanks(slice, target);
	if (at == slice.size || !strchr("\"'(", slice.at[at]))
		return alone;
	size_t close = unescaped_find(slice, at + 1, slice.at[at] == '(' ? ')' : slice.at[at]);
	size_t end = close < slice.size ? rest_of_line(slice, close + 1) : 0;
	return end ? end : alone;
}

static void definitions_blank(struct adr_text *text)
{
	bool after = false; /* the line follows a definition */
	uint32_t stop = 0;  /* the end of the paragraph last looked at */
	for (size_t i = 0; i < text->line_count;) {
		struct adr_line *line = &text->lines[i];
		bool begins = line->kind == ADR_LINE_TEXT && (line->opens || after);
		line->opens = line->opens || after;
		after = begins && text->bytes[line->begin] == '[';
		size_t size = 0;
		if (after && stop < line->end)
			stop = paragraph_end(text, (uint32_t)i);
		if (after)
			size = definition_size(adr_text_slice(text, line->begin, stop));
		after = size > 0;
		uint32_t end = line->begin + (uint32_t)size;
		adr_text_blank(text, line->begin, end);
		do {
			text->lines[i].kind = size ? ADR_LINE_BLANK : text->lines[i].kind;
			i++;
		} while (i < text->line_count && text->lines[i].begin < end);
	}
}

/* What was blanked leaves lines without content; inside a paragraph they do not end it. */
static void lines_trim(struct adr_text *text)
{
	for (size_t i = 0; i < text->line_count; i++) {
		struct adr_line *line = &text->lines[i];
		struct slice content = slice_trim(adr_line_slice(text, line));
		if (content.size) {
			line->begin = (uint32_t)(content.at - text->bytes);
			line->end = line->begin + (uint32_t)content.size;
		} else if (line->kind == ADR_LINE_TEXT && line->opens) {
			line->kind = ADR_LINE_BLANK;
		}
	}
}

void adr_code_scan(struct arena *arena, struct arena *scratch, struct adr_text *text, struct adr *adr)
{
	struct code_scanner scanner = { .arena = arena, .scratch = scratch, .text = text };
	definitions_blank(text);
	for (size_t i = 0; i < text->line_count; i++) {
		if (text->lines[i].opens)
			paragraph_finish(&scanner, i);
		if (text->lines[i].kind != ADR_LINE_BLANK)
			line_tokens(&scanner, (uint32_t)i);
	}
	paragraph_finish(&scanner, text->line_count);
	lines_trim(text);
	adr->code_spans = spans_keep(&scanner);
	adr->code_span_count = scanner.span_count;
	adr->names = arena_alloc(arena, sizeof *adr->names);
	adr->names->arena = arena;
}

/* Orders a span's text against `subject`, or against `subject` and a blank. */
static int compare_name(const char *text, const char *subject, size_t size, bool blank)
{
	int order = strncmp(text, subject, size);
	if (order)
		return order;
	return (int)(unsigned char)text[size] - (blank ? ' ' : '\0');
}

/* The first of the sorted spans that is `subject`, or starts with it and a blank. */
static const struct adr_code_span *spans_find(const struct adr_code_span *spans, size_t count,
					      const char *subject, bool blank)
{
	size_t size = strlen(subject), low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_name(spans[middle].text, subject, size, blank) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && compare_name(spans[low].text, subject, size, blank) == 0 ? &spans[low] : NULL;
}

const struct adr_code_span *adr_names(const struct adr *adr, const char *subject)
{
	const struct adr_names *names = names_sorted(adr);
	if (!*subject || !names)
		return NULL;
	const struct adr_code_span *found = spans_find(names->wholes, names->whole_count, subject, false);
	if (!found)
		found = spans_find(names->wholes, names->whole_count, subject, true);
	if (!found)
		found = spans_find(names->entries, names->entry_count, subject, false);
	return found;
}

static void spans_offer(struct suggestion *suggestion, const struct adr_code_span *spans, size_t count,
			const struct adr_code_span **nearest)
{
	for (size_t i = 0; i < count; i++) {
		suggestion_offer(suggestion, spans[i].text);
		if (suggestion->nearest == spans[i].text)
			*nearest = &spans[i];
	}
}

const struct adr_code_span *adr_nearest(const struct adr *adr, const char *subject)
{
	const struct adr_code_span *nearest = NULL;
	const struct adr_names *names = names_sorted(adr);
	struct suggestion suggestion = suggestion_begin(subject);
	if (!names)
		return NULL;
	spans_offer(&suggestion, names->wholes, names->whole_count, &nearest);
	spans_offer(&suggestion, names->entries, names->entry_count, &nearest);
	return nearest;
}
