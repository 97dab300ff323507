/*
 * The values of words and strings, and what is wrong with those that are malformed. Each function is
 * the action of one rule of grammar/allow.l. Internal to the front end.
 */
#ifndef ALLOWC_POLICY_SPELLING_H
#define ALLOWC_POLICY_SPELLING_H

#include <stdbool.h>

#include "compiler/policy/ast.h"

struct diagnostic;
struct lexer;

const char *spelling_word(struct lexer *lexer, struct span place);

/* With both quotes; reports an unknown escape, and a word or string beside it without a blank. */
const char *spelling_string(struct lexer *lexer, struct span place);

/* Without its closing quote. Ends `place` before a brace at the line's end: that opens or closes a block
 * far more often than it ends a reason. */
const char *spelling_open_string(struct lexer *lexer, struct span *place);

/* A word with a character that none can hold. */
const char *spelling_bad_word(struct lexer *lexer, struct span place);

/* A '=' alone. True behind a keyword, as in `title = "x"`: it is reported, and nothing else is lost. */
bool spelling_assignment(struct lexer *lexer, struct span place);

/* How a keyword's value is written that stands behind the '=' or ':' at `sign`. */
void spelling_help_assigned(const struct lexer *lexer, struct diagnostic *diagnostic, const char *keyword,
			    uint32_t sign);

/* What single quotes or backquotes enclose, as a shell would have it. */
const char *spelling_foreign_quotes(struct lexer *lexer, struct span place);

/* What typographic quotes enclose. Ends `place` after the closing one, or before the next character whose
 * first byte could begin one. */
const char *spelling_typographic_quotes(struct lexer *lexer, struct span *place);

/* A comment in the manner of C. True when a `bracketed` one has its end further on. */
bool spelling_foreign_comment(struct lexer *lexer, struct span place, bool bracketed);

#endif
