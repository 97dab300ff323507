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

/* Whether the word stands in the text, a comment apart; `bare`: so that the name may be the file's. */
static bool has_word(const char *text, size_t size, const char *word, bool bare)
{
	size_t length = strlen(word);
	for (size_t at = 0; at < size; at++) {
		if (text[at] == '#') {
			const char *end = memchr(text + at, '\n', size - at);
			at = end ? (size_t)(end - text) : size;
		} else if (is_part_of_word(text[at])) {
			size_t begin = at;
			while (at < size && is_part_of_word(text[at]))
				at++;
			if (at - begin == length && memcmp(text + begin, word, length) == 0 &&
			    (!bare || is_bare(text, size, begin, at)))
				return true;
			at--;
		}
	}
	return false;
}

static bool has_text(const char *text, size_t size, const char *part)
{
	return memmem(text, size, part, strlen(part)) != NULL;
}

/* ---- what is around ---- */

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
	bool evaluated = !has_text(text, before, "from __future__ import annotations") &&
			 !is_in_function(text, before);
	size_t count = 0;
	if (has_text(content, content_size, "\nfrom ") || has_text(text, before, "import *"))
		return 0;
	for (size_t i = 0; i < REGION_IMPORTS_MAX; i++) {
		const char *name = known[i].import.name;
		if ((evaluated || !known[i].in_annotation) && has_word(content, content_size, name, false) &&
		    !has_word(text, before, name, true) && !has_word(after, after_size, name, true))
			missing[count++] = known[i].import;
	}
	return count;
}
