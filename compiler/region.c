#include "compiler/region.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"

static const char sign[] = "allowc:";
static const char begin_word[] = "allowc:begin";
static const char end_word[] = "allowc:end";

/* A near one is "allowc: end" or "allowc:end_p": no marker, yet perhaps meant as one. */
enum marker_kind { MARKER_NONE, MARKER_BEGIN, MARKER_END, MARKER_NEAR };

struct marker {
	enum marker_kind kind;
	const char *name;            /* "" where it has none */
	size_t at;                   /* of the word */
	size_t line_begin, line_end; /* of its line; the end is behind the LF */
};

struct scan {
	struct arena *arena;
	const char *text;
	size_t size, at;
	struct region_result *result;
	struct map *names; /* to the marker that begins the region of that name */
};

/* ---- lines ---- */

static size_t line_begin(const char *text, size_t at)
{
	const char *before = at ? memrchr(text, '\n', at) : NULL;
	return before ? (size_t)(before - text) + 1 : 0;
}

static size_t line_end(const char *text, size_t size, size_t at)
{
	const char *end = at < size ? memchr(text + at, '\n', size - at) : NULL;
	return end ? (size_t)(end - text) + 1 : size;
}

/* ---- markers ---- */

static bool is_name(char c)
{
	return ascii_is_letter(c) || ascii_is_digit(c) || c == '_' || c == '-' || c == '.';
}

static size_t blanks_skip(const char *text, size_t size, size_t at)
{
	while (at < size && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return at;
}

/* "-->" and "--}}" close a comment, and so does "--" alone. */
static bool comment_closes(const struct scan *scan, size_t at)
{
	size_t end = at;
	while (end < scan->size && scan->text[end] == '-')
		end++;
	return end - at >= 2 && (end == scan->size || !is_name(scan->text[end]));
}

/* The word behind the marker's own, where blanks are between them. */
static const char *marker_name(const struct scan *scan, size_t at)
{
	size_t begin = blanks_skip(scan->text, scan->size, at), end = begin;
	while (begin > at && end < scan->size && is_name(scan->text[end]))
		end++;
	if (end - begin >= 2 && scan->text[begin] == '-' && scan->text[begin + 1] == '-')
		end = begin;
	bool closed = end < scan->size && (scan->text[end] == '>' || scan->text[end] == '}');
	if (closed && end - begin > 2 && comment_closes(scan, end - 2))
		end -= 2;
	return arena_copy(scan->arena, scan->text + begin, end - begin);
}

static bool word_is(const struct scan *scan, size_t at, const char *word)
{
	size_t size = strlen(word);
	return scan->size - at >= size && memcmp(scan->text + at, word, size) == 0 &&
	       (scan->size - at == size || !is_name(scan->text[at + size]) ||
		comment_closes(scan, at + size));
}

/* In any case of the letters. */
static bool begins_with(const char *text, size_t size, const char *word)
{
	size_t at = 0;
	while (at < size && word[at] && ascii_lower(text[at]) == word[at])
		at++;
	return !word[at];
}

/* The first marker, or near one, from `*at` on. */
static bool sign_find(const char *text, size_t size, size_t *at)
{
	size_t length = strlen(sign);
	const char *colon;
	for (size_t from = *at; from < size && (colon = memchr(text + from, ':', size - from)) != NULL;) {
		from = (size_t)(colon - text) + 1;
		if (from < *at + length || !begins_with(text + from - length, length, sign))
			continue;
		size_t word = blanks_skip(text, size, from);
		if (!begins_with(text + word, size - word, begin_word + length) &&
		    !begins_with(text + word, size - word, end_word + length))
			continue;
		*at = from - length;
		return true;
	}
	return false;
}

/* The next one from `scan->at` on. False at the end of the text. */
static bool marker_next(struct scan *scan, struct marker *marker)
{
	size_t at = scan->at;
	if (!sign_find(scan->text, scan->size, &at))
		return false;
	scan->at = at + strlen(sign);
	bool begins = word_is(scan, at, begin_word), ends = word_is(scan, at, end_word);
	size_t behind = at + strlen(begins ? begin_word : end_word);
	*marker = (struct marker){ .kind = begins ? MARKER_BEGIN
					   : ends ? MARKER_END
						  : MARKER_NEAR,
				   .name = begins || ends ? marker_name(scan, behind) : "",
				   .at = at,
				   .line_begin = line_begin(scan->text, at),
				   .line_end = line_end(scan->text, scan->size, at) };
	return true;
}

static bool refuse(struct scan *scan, const struct marker *at, const struct marker *before,
		   const char *before_is, const char *why)
{
	scan->result->why = why;
	scan->result->second = at->at;
	scan->result->first = before ? before->at : at->at;
	scan->result->first_is = before ? before_is : NULL;
	return false;
}

static bool begin_check(struct scan *scan, const struct marker *open, const struct marker *marker)
{
	if (open->kind == MARKER_BEGIN && open->line_begin == marker->line_begin)
		return refuse(scan, marker, open, "the first is here", "two markers stand on one line");
	if (open->kind == MARKER_BEGIN)
		return refuse(scan, marker, open, "that one begins here",
			      arena_printf(scan->arena, "the region '%s' begins inside '%s'", marker->name,
					   open->name));
	if (!*marker->name)
		return refuse(scan, marker, NULL, NULL, "this region has no name");
	void **known = map_at(scan->names, marker->name, strlen(marker->name));
	if (*known)
		return refuse(scan, marker, *known, "the first begins here",
			      arena_printf(scan->arena, "the region '%s' stands twice", marker->name));
	struct marker *kept = arena_alloc(scan->arena, sizeof *kept);
	*kept = *marker;
	*known = kept;
	return true;
}

static bool end_check(struct scan *scan, const struct marker *open, const struct marker *marker)
{
	if (open->kind != MARKER_BEGIN)
		return refuse(scan, marker, NULL, NULL, "a region ends here that does not begin");
	if (open->line_begin == marker->line_begin)
		return refuse(scan, marker, open, "the first is here", "two markers stand on one line");
	if (*marker->name && strcmp(marker->name, open->name) != 0)
		return refuse(
			scan, marker, open, "it begins here",
			arena_printf(scan->arena, "the region '%s' ends as '%s'", open->name, marker->name));
	return true;
}

/* In a region it would let the region run on, over what somebody wrote; elsewhere it is but text. */
static bool near_check(struct scan *scan, const struct marker *open, const struct marker *marker)
{
	if (open->kind != MARKER_BEGIN)
		return true;
	return refuse(scan, marker, open, "it begins here",
		      arena_printf(scan->arena, "this is almost a marker, in the region '%s'", open->name));
}

/* Looks at all markers; the pair of `name` in `pair`, where there is one. */
static bool markers_check(struct scan *scan, const char *name, struct marker pair[2])
{
	struct marker open = { .kind = MARKER_NONE }, marker;
	while (marker_next(scan, &marker)) {
		if (marker.kind == MARKER_NEAR) {
			if (!near_check(scan, &open, &marker))
				return false;
			continue;
		}
		bool begins = marker.kind == MARKER_BEGIN;
		if (begins ? !begin_check(scan, &open, &marker) : !end_check(scan, &open, &marker))
			return false;
		if (!begins && strcmp(open.name, name) == 0) {
			pair[0] = open;
			pair[1] = marker;
		}
		open = begins ? marker : (struct marker){ .kind = MARKER_NONE };
	}
	if (open.kind == MARKER_BEGIN)
		return refuse(scan, &open, NULL, NULL,
			      arena_printf(scan->arena, "the region '%s' does not end", open.name));
	return true;
}

/* ---- the new text ---- */

static size_t indent_size(const char *text, size_t begin, size_t end)
{
	size_t at = begin;
	while (at < end && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return at - begin;
}

static void content_add(struct strbuf *out, const struct scan *scan, const struct marker *begin,
			const char *content, size_t size)
{
	const char *line_close =
		begin->line_end - begin->line_begin >= 2 && scan->text[begin->line_end - 2] == '\r' ? "\r\n"
												    : "\n";
	size_t indent = indent_size(scan->text, begin->line_begin, begin->line_end);
	for (size_t at = 0, next; at < size; at = next) {
		next = line_end(content, size, at);
		size_t end = next > at && content[next - 1] == '\n' ? next - 1 : next;
		if (end < next && end > at && content[end - 1] == '\r')
			end--;
		if (end > at)
			strbuf_add(out, scan->text + begin->line_begin, indent);
		strbuf_add(out, content + at, end - at);
		strbuf_add_text(out, line_close);
	}
}

enum region_state region_replace(struct arena *arena, const char *text, size_t size, const char *name,
				 const char *content, size_t content_size, struct region_result *result)
{
	*result = (struct region_result){ 0 };
	struct scan scan = { arena, text, size, 0, result, map_new(arena, 0) };
	struct marker pair[2] = { { .kind = MARKER_NONE } };
	if (!markers_check(&scan, name, pair))
		return REGION_REFUSED;
	if (pair[0].kind == MARKER_NONE)
		return REGION_ABSENT;
	struct strbuf out = STRBUF_INIT;
	strbuf_add(&out, text, pair[0].line_end);
	content_add(&out, &scan, &pair[0], content, content_size);
	strbuf_add(&out, text + pair[1].line_begin, size - pair[1].line_begin);
	result->first = pair[0].line_begin;
	result->size = out.size;
	result->bytes = strbuf_detach(&out);
	arena_adopt(arena, (void *)result->bytes);
	return REGION_REPLACED;
}

bool region_has_marker(const char *text, size_t size)
{
	size_t at = 0;
	return sign_find(text, size, &at);
}

/* ---- definitions ---- */

/*
 * Whether the line that begins here defines the name: `NAME: …`, `NAME = …`, `#define NAME`, `enum NAME {`.
 */
static bool line_defines(const char *line, size_t size, const char *name)
{
	static const char *const words[] = { "#define ", "enum ", "struct " };
	size_t length = strlen(name), word = 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (size > strlen(words[i]) && memcmp(line, words[i], strlen(words[i])) == 0)
			word = strlen(words[i]);
	if (size - word <= length || memcmp(line + word, name, length) != 0)
		return false;
	const char *behind = line + word + length;
	return strchr(word ? " (\n" : ":=", *behind) || (!word && *behind == ' ' && behind[1] == '=');
}

/* Whether the line at `at` goes on with the definition whose last line ends there. */
static bool line_goes_on(const char *text, size_t size, size_t at)
{
	if (at >= 2 && text[at - 2] == '\\')
		return at < size;
	return at < size && strchr(" \t)]}", text[at]) != NULL;
}

bool region_definition(const char *text, size_t size, const char *name, size_t *begin, size_t *end)
{
	for (size_t at = 0; at < size; at = line_end(text, size, at)) {
		if (!line_defines(text + at, size - at, name))
			continue;
		*begin = at;
		do
			at = line_end(text, size, at);
		while (line_goes_on(text, size, at));
		*end = at;
		return true;
	}
	return false;
}

/* The name that the line defines with a value to read: not a switch of the module's own, as `NAME = …`. */
static const char *line_name(struct arena *arena, const char *line, size_t size)
{
	static const char define[] = "#define ";
	size_t begin =
		size > strlen(define) && memcmp(line, define, strlen(define)) == 0 ? strlen(define) : 0;
	size_t length = begin;
	while (length < size && !ascii_is_lower(line[length]) &&
	       (ascii_is_alnum(line[length]) || line[length] == '_'))
		length++; /* small letters begin a sentence, "Advisory: …" */
	bool named = length > begin && length < size && (begin || line[length] == ':');
	const char *name = named ? arena_copy(arena, line + begin, length - begin) : NULL;
	return name && line_defines(line, size, name) ? name : NULL;
}

const char *region_definitions(struct arena *arena, const char *text, size_t size)
{
	enum { SHOWN_MAX = 12 };
	const char *names = "";
	size_t count = 0;
	for (size_t at = 0; at < size && count <= SHOWN_MAX; at = line_end(text, size, at)) {
		const char *name = line_name(arena, text + at, size - at);
		if (name)
			names = arena_printf(arena, "%s%s%s", names, count ? ", " : "",
					     count < SHOWN_MAX ? name : "…");
		count += name != NULL;
	}
	return names;
}
