#include "compiler/policy/adr_code.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/suggest.h"

/* A run of backquotes, or where a comment begins (length 0). */
struct token {
	uint32_t begin, length;
	uint32_t line, paragraph;
	uint32_t next; /* the next run of this length in the paragraph; 0: none (the first is never a next) */
	bool escaped;
};

struct tokens {
	struct token *items;
	size_t count, capacity;
	uint32_t longest;
};

struct code_scanner {
	struct arena *arena, *scratch;
	struct adr_text *text;
	struct tokens tokens;
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

static void token_add(struct code_scanner *scanner, struct token token)
{
	struct tokens *tokens = &scanner->tokens;
	tokens->items =
		arena_grow(scanner->scratch, tokens->items, tokens->count, &tokens->capacity, sizeof token);
	tokens->items[tokens->count++] = token;
	if (token.length > tokens->longest)
		tokens->longest = token.length;
}

/* The next byte of a kind in a line. Each byte of the line is looked at once, however many there are. */
struct finder {
	const char *next; /* NULL: not looked for since `at` passed it */
	char wanted;
};

static const char *finder_next(struct finder *finder, const char *at, const char *end)
{
	if (finder->next && finder->next >= at)
		return finder->next;
	const char *found = at < end ? memchr(at, finder->wanted, (size_t)(end - at)) : NULL;
	finder->next = found ? found : end;
	return finder->next;
}

static const char *comment_token(struct code_scanner *scanner, struct token token, const char *at,
				 const char *end)
{
	if (end - at >= 4 && memcmp(at, "<!--", 4) == 0)
		token_add(scanner, token);
	return at + 1;
}

static const char *run_token(struct code_scanner *scanner, struct token token, const char *at,
			     const char *line, const char *end)
{
	const char *after = at;
	while (after < end && *after == '`')
		after++;
	token.length = (uint32_t)(after - at);
	token.escaped = is_escaped(line, at);
	token_add(scanner, token);
	return after;
}

static void line_tokens(struct code_scanner *scanner, uint32_t line, uint32_t paragraph)
{
	struct slice content = adr_line_slice(scanner->text, &scanner->text->lines[line]);
	struct finder quotes = { .wanted = '`' }, angles = { .wanted = '<' };
	const char *at = content.at, *end = content.at + content.size;
	for (;;) {
		const char *quote = finder_next(&quotes, at, end), *angle = finder_next(&angles, at, end);
		const char *next = quote < angle ? quote : angle;
		if (next == end)
			return;
		struct token token = { .begin = (uint32_t)(next - scanner->text->bytes),
				       .line = line,
				       .paragraph = paragraph };
		at = next == quote ? run_token(scanner, token, next, content.at, end)
				   : comment_token(scanner, token, next, end);
	}
}

/* Backwards, remembering where each length was seen last: linear, however many runs find no partner. */
static void tokens_pair(struct code_scanner *scanner)
{
	struct tokens *tokens = &scanner->tokens;
	uint32_t *seen = arena_array(scanner->scratch, (size_t)tokens->longest + 1, sizeof *seen);
	for (size_t i = tokens->count; i-- > 0;) {
		struct token *token = &tokens->items[i];
		uint32_t next = seen[token->length];
		if (next && tokens->items[next].paragraph == token->paragraph)
			token->next = next;
		seen[token->length] = (uint32_t)i;
	}
}

/* The text between two offsets, folded, without the quote marks at the beginnings of lines. */
static const char *span_text(struct code_scanner *scanner, uint32_t line, uint32_t begin, uint32_t end)
{
	const struct adr_text *text = scanner->text;
	if (end <= text->lines[line].end)
		return slice_fold(scanner->arena, adr_text_slice(text, begin, end));
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
	const char *text = span_text(scanner, open->line, begin, close->begin);
	if (!*text)
		return;
	struct slice place = slice_trim(adr_text_slice(scanner->text, begin, close->begin));
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

/* The offset after the comment that begins here, or 0 where its paragraph, up to `end`, does not end it. */
static uint32_t comment_end(const struct adr_text *text, const struct token *token, uint32_t end)
{
	uint32_t from = token->begin + 4;
	const char *close = from < end ? memmem(text->bytes + from, end - from, "-->", 3) : NULL;
	return close ? (uint32_t)(close - text->bytes) + 3 : 0;
}

static void tokens_walk(struct code_scanner *scanner)
{
	const struct token *tokens = scanner->tokens.items;
	size_t count = scanner->tokens.count;
	uint32_t hidden = 0; /* the end of the last comment */
	uint32_t paragraph = UINT32_MAX,
		 paragraph_stop = 0; /* the last one that had a comment, and its end */
	bool unclosed = false;       /* its further comments have no end */
	for (size_t i = 0; i < count; i++) {
		const struct token *token = &tokens[i];
		if (token->begin < hidden)
			continue;
		if (!token->length && token->paragraph != paragraph) {
			paragraph = token->paragraph;
			paragraph_stop = paragraph_end(scanner->text, token->line);
			unclosed = false;
		}
		if (!token->length && !unclosed) {
			uint32_t end = comment_end(scanner->text, token, paragraph_stop);
			unclosed = !end;
			if (end)
				adr_text_blank(scanner->text, token->begin, hidden = end);
		} else if (token->length && !token->escaped && token->next) {
			span_add(scanner, token, &tokens[token->next]);
			i = token->next;
		}
	}
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

/*
 * `[name]: target "title"` is shown nowhere; it is how a comment is written in Markdown, too. A footnote is
 * shown.
 */
static bool is_link_definition(struct slice line)
{
	const char *close = line.size && line.at[0] == '[' ? memmem(line.at, line.size, "]:", 2) : NULL;
	if (!close || line.at[1] == '^' || memchr(line.at + 1, '[', (size_t)(close - line.at) - 1))
		return false;
	struct slice rest = slice_trim(slice_from(line, (size_t)(close - line.at) + 2));
	size_t target = 0;
	while (target < rest.size && !ascii_is_space(rest.at[target]))
		target++;
	rest = slice_trim(slice_from(rest, target));
	return !rest.size || strchr("\"'(", rest.at[0]);
}

void adr_code_scan(struct arena *arena, struct arena *scratch, struct adr_text *text, struct adr *adr)
{
	struct code_scanner scanner = { .arena = arena, .scratch = scratch, .text = text };
	uint32_t paragraph = 0;
	bool hidden = false; /* a title may go on to the end of the paragraph */
	for (size_t i = 0; i < text->line_count; i++) {
		const struct adr_line *line = &text->lines[i];
		paragraph += line->opens;
		hidden = (hidden && !line->opens && line->kind != ADR_LINE_BLANK) ||
			 (line->opens && is_link_definition(slice_trim(adr_line_slice(text, line))));
		if (line->kind != ADR_LINE_BLANK && !hidden)
			line_tokens(&scanner, (uint32_t)i, paragraph);
	}
	tokens_pair(&scanner);
	tokens_walk(&scanner);
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
