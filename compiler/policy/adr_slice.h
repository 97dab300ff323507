/*
 * Pieces of an ADR's text: what its recognisers pass to each other. A slice owns nothing and is not
 * NUL-terminated. Letters fold and words end by ASCII alone: other bytes are never part of a known word.
 */
#ifndef ALLOWC_POLICY_ADR_SLICE_H
#define ALLOWC_POLICY_ADR_SLICE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/ascii.h"

struct arena;

struct slice {
	const char *at;
	size_t size;
};

struct slice slice_of(const char *text);

/* `offset` may be its size, not more. */
static inline struct slice slice_from(struct slice slice, size_t offset)
{
	return (struct slice){ offset ? slice.at + offset : slice.at, slice.size - offset };
}

struct slice slice_trim_blanks(struct slice slice);

/* Without the white space at its ends: mostly there is none. */
static inline struct slice slice_trim(struct slice slice)
{
	bool trimmed =
		slice.size && !ascii_is_space(slice.at[0]) && !ascii_is_space(slice.at[slice.size - 1]);
	return trimmed ? slice : slice_trim_blanks(slice);
}

/* Equal but for the case of letters. */
bool slice_is(struct slice slice, const char *word);

/* Starts with `prefix`, but for the case of letters. */
bool slice_starts(struct slice slice, const char *prefix);

/*
 * The bytes that `phrase` takes at the start of the slice, whole words only, a blank of it standing for
 * any white space; 0 where the slice starts otherwise. What stands before the slice is the caller's.
 */
size_t slice_phrase_read(struct slice slice, const char *phrase);

/* Lists of words are tried at every word of a text, and hardly any begins with its letter. */
static inline size_t slice_phrase(struct slice slice, const char *phrase)
{
	bool begins = slice.size && ascii_lower(*slice.at) == ascii_lower(*phrase);
	return begins ? slice_phrase_read(slice, phrase) : 0;
}

/* The offset of the first word at or after `from`: an ASCII letter or digit that no other precedes. */
size_t slice_next_word(struct slice slice, size_t from);

/* A copy, trimmed, each run of white space one blank. */
const char *slice_fold(struct arena *arena, struct slice slice);

#endif
