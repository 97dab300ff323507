#include "compiler/policy/adr_slice.h"

#include <string.h>

#include "compiler/base/arena.h"

struct slice slice_of(const char *text)
{
	return (struct slice){ text, strlen(text) };
}

struct slice slice_trim_blanks(struct slice slice)
{
	while (slice.size && ascii_is_space(slice.at[0]))
		slice = slice_from(slice, 1);
	while (slice.size && ascii_is_space(slice.at[slice.size - 1]))
		slice.size--;
	return slice;
}

bool slice_starts(struct slice slice, const char *prefix)
{
	size_t i = 0;
	for (; prefix[i]; i++)
		if (i == slice.size || ascii_lower(slice.at[i]) != ascii_lower(prefix[i]))
			return false;
	return true;
}

bool slice_is(struct slice slice, const char *word)
{
	return slice.size == strlen(word) && slice_starts(slice, word);
}

size_t slice_phrase_read(struct slice slice, const char *phrase)
{
	size_t at = 0;
	for (const char *p = phrase; *p; p++) {
		if (at == slice.size)
			return 0;
		if (*p != ' ') {
			if (ascii_lower(slice.at[at++]) != ascii_lower(*p))
				return 0;
			continue;
		}
		if (!ascii_is_space(slice.at[at]))
			return 0;
		while (at < slice.size && ascii_is_space(slice.at[at]))
			at++;
	}
	bool inside =
		at && at < slice.size && ascii_is_alnum(slice.at[at - 1]) && ascii_is_alnum(slice.at[at]);
	return inside ? 0 : at;
}

size_t slice_next_word(struct slice slice, size_t from)
{
	while (from < slice.size &&
	       !(ascii_is_alnum(slice.at[from]) && (from == 0 || !ascii_is_alnum(slice.at[from - 1]))))
		from++;
	return from;
}

/* The size of the folded text at the start: all before the first white space that is no single blank. */
static size_t folded_size(struct slice slice)
{
	size_t at = 0;
	while (at < slice.size &&
	       (!ascii_is_space(slice.at[at]) || (slice.at[at] == ' ' && !ascii_is_space(slice.at[at + 1]))))
		at++;
	return at;
}

const char *slice_fold(struct arena *arena, struct slice slice)
{
	slice = slice_trim(slice);
	size_t size = folded_size(slice);
	if (size == slice.size)
		return arena_text(arena, slice.at, slice.size);
	char *copy = arena_copy(arena, slice.at, slice.size);
	for (size_t i = size; i < slice.size; i++) {
		bool space = ascii_is_space(slice.at[i]);
		if (!space)
			copy[size++] = slice.at[i];
		else if (!ascii_is_space(slice.at[i - 1]))
			copy[size++] = ' ';
	}
	copy[size] = '\0';
	return copy;
}
