/*
 * The words that a line can begin with, and where each may stand. Internal to the front end.
 */
#ifndef ALLOWC_POLICY_KEYWORD_H
#define ALLOWC_POLICY_KEYWORD_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/policy/lexer.h"

struct keyword {
	const char *word;
	int kind;        /* TOKEN_… */
	unsigned places; /* bits 1u << BLOCK_… */
};

/* All of them; `*count` is their number. */
const struct keyword *keywords_all(size_t *count);

/* The keyword of this token, or NULL where it can begin no line. */
const struct keyword *keyword_of(int kind);

bool keyword_stands_in(int kind, enum block_kind block);
bool keyword_is_verb(int kind);
bool keyword_is_attribute(int kind);

/* What the braces after a statement that begins with this token hold. */
enum block_kind keyword_block(int kind);

enum { KEYWORD_FOLDED_SIZE = 32 };

/* The word in small letters, as it is to be compared with keywords: `ADR` means `adr`. Written into
 * `folded`; a word that does not fit there is returned as it is. */
const char *keyword_folded(const char *word, char folded[KEYWORD_FOLDED_SIZE]);

/*
 * The keyword nearest to a misspelt word, in whatever letters, among those of `places`, or NULL where none is
 * near.
 */
const struct keyword *keyword_near(const char *word, unsigned places);

#endif
