#include "compiler/region_imports.h"

#include <string.h>

#include "compiler/base/ascii.h"

/* What backends/python.c uses, and where it is from. */
static const struct known {
	struct region_import import;
	bool in_annotation;
} known[REGION_IMPORTS_MAX] = {
	{ { "Final", "from typing import Final" }, true },
	{ { "Mapping", "from collections.abc import Mapping" }, true },
	{ { "MappingProxyType", "from types import MappingProxyType" }, false },
};

/* ---- lines ---- */

static size_t indent_of(const char *line, const char *end)
{
	size_t indent = 0;
	while (line + indent < end && (line[indent] == ' ' || line[indent] == '\t'))
		indent++;
	return indent;
}

static bool begins_with(const char *text, const char *end, const char *word)
{
	size_t size = strlen(word);
	return (size_t)(end - text) > size && memcmp(text, word, size) == 0;
}

static bool has_text(const char *text, size_t size, const char *part)
{
	return memmem(text, size, part, strlen(part)) != NULL;
}

/* Up to the ':' of it, since in a comment a `not` says nothing. */
static bool begins_type_checking(const char *line, const char *end)
{
	static const char asked[] = "TYPE_CHECKING:";
	if (!begins_with(line, end, "if "))
		return false;
	const char *found = memmem(line, (size_t)(end - line), asked, strlen(asked));
	return found && !has_text(line, (size_t)(found - line), " not ");
}

/* "if TYPE_CHECKING:" with all that is indented below it, where that begins here; else 0. */
static size_t type_checking_size(const char *text, size_t size)
{
	const char *end = text + size, *line_end = memchr(text, '\n', size);
	line_end = line_end ? line_end : end;
	size_t indent = indent_of(text, line_end);
	if (!begins_type_checking(text + indent, line_end))
		return 0;
	while (line_end < end) {
		const char *next = line_end + 1, *next_end = memchr(next, '\n', (size_t)(end - next));
		next_end = next_end ? next_end : end;
		size_t here = indent_of(next, next_end);
		bool blank = next + here == next_end || strchr("#\r", next[here]);
		if (!blank && here <= indent)
			return (size_t)(next - text);
		line_end = next_end;
	}
	return size;
}

/* ---- words ---- */

static bool is_part_of_word(char c)
{
	return ascii_is_alnum(c) || c == '_';
}

/* `typing.Final`, `Final[…]` and `Final as F` give a file no name `Final`. */
static bool is_bare(const char *text, size_t size, size_t begin, size_t end)
{
	static const char renamed[] = " as ";
	bool member = begin > 0 && text[begin - 1] == '.';
	bool used = end < size && (text[end] == '[' || text[end] == '(');
	bool other = size - end > strlen(renamed) && memcmp(text + end, renamed, strlen(renamed)) == 0;
	return !member && !used && !other;
}

/* The size of a string that begins here, up to the line's end where it has none. */
static size_t string_size(const char *text, size_t size)
{
	bool triple = size >= 3 && text[1] == text[0] && text[2] == text[0];
	size_t quotes = triple ? 3 : 1;
	for (size_t at = quotes; at < size; at++) {
		if (text[at] == '\\')
			at++;
		else if (size - at >= quotes && text[at] == text[0] &&
			 (!triple || memcmp(text + at, text, quotes) == 0))
			return at + quotes;
		else if (text[at] == '\n' && !triple)
			return at;
	}
	return size;
}

/* The words of code: those of comments and strings are none, nor what only type checkers read. */
struct words {
	const char *text;
	size_t size, at;
	size_t begin; /* of the word at hand, which ends at `at` */
};

static bool word_next(struct words *words)
{
	const char *text = words->text;
	while (words->at < words->size) {
		size_t at = words->at, left = words->size - at;
		size_t unread = !at || text[at - 1] == '\n' ? type_checking_size(text + at, left) : 0;
		if (unread) {
			words->at += unread;
		} else if (text[at] == '#') {
			const char *end = memchr(text + at, '\n', left);
			words->at = end ? (size_t)(end - text) : words->size;
		} else if (text[at] == '"' || text[at] == '\'') {
			words->at += string_size(text + at, left);
		} else if (is_part_of_word(text[at])) {
			words->begin = at;
			while (words->at < words->size && is_part_of_word(text[words->at]))
				words->at++;
			return true;
		} else {
			words->at++;
		}
	}
	return false;
}

static bool word_is(const struct words *words, const char *word)
{
	size_t size = words->at - words->begin;
	return strlen(word) == size && memcmp(words->text + words->begin, word, size) == 0;
}

/* Whether the word stands in the code; `bare`: so that the name may be the file's. */
static bool has_word(const char *text, size_t size, const char *word, bool bare)
{
	struct words words = { .text = text, .size = size };
	while (word_next(&words))
		if (word_is(&words, word) && (!bare || is_bare(text, size, words.begin, words.at)))
			return true;
	return false;
}

/* "from __future__ import annotations", alone or among others. */
static bool has_postponed_annotations(const char *text, size_t size)
{
	struct words words = { .text = text, .size = size };
	while (word_next(&words)) {
		if (!word_is(&words, "__future__"))
			continue;
		const char *rest = text + words.at, *end = text + size;
		const char *line_end = memchr(rest, '\n', (size_t)(end - rest));
		line_end = line_end ? line_end : end;
		if (memchr(rest, '(', (size_t)(line_end - rest)))
			line_end = memchr(rest, ')', (size_t)(end - rest));
		if (has_word(rest, (size_t)((line_end ? line_end : end) - rest), "annotations", false))
			return true;
	}
	return false;
}

/* ---- what is around ---- */

/*
 * Whether what follows the text, whose last line is the marker's indent, is in a function: the nearest line
 * above with less indent that opens a function or a class says it.
 */
static bool is_in_function(const char *text, size_t size)
{
	const char *end = text + size, *line = end;
	while (line > text && line[-1] != '\n')
		line--;
	for (size_t indent = indent_of(line, end); line > text && indent > 0;) {
		end = line - 1;
		for (line = end; line > text && line[-1] != '\n';)
			line--;
		size_t here = indent_of(line, end);
		const char *first = line + here;
		if (first == end || *first == '#' || *first == '\r' || here >= indent)
			continue;
		indent = here;
		if (begins_with(first, end, "def ") || begins_with(first, end, "async def "))
			return true;
		if (begins_with(first, end, "class "))
			return false;
	}
	return false;
}

/* ---- the answer ---- */

size_t region_imports_missing(const char *content, size_t content_size, const char *text, size_t before,
			      const char *after, size_t after_size,
			      struct region_import missing[REGION_IMPORTS_MAX])
{
	bool in_function = is_in_function(text, before);
	bool evaluated = !in_function && !has_postponed_annotations(text, before);
	size_t count = 0;
	if (has_text(content, content_size, "\nfrom ") || has_text(text, before, "import *"))
		return 0;
	for (size_t i = 0; i < REGION_IMPORTS_MAX; i++) {
		const char *name = known[i].import.name;
		if ((evaluated || !known[i].in_annotation) && has_word(content, content_size, name, false) &&
		    !has_word(text, before, name, true) &&
		    !(in_function && has_word(after, after_size, name, true)))
			missing[count++] = known[i].import;
	}
	return count;
}
