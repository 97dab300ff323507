/*
 * What to say of the first word of a line. Internal to the front end: syntax.c says the rest.
 */
#ifndef ALLOWC_POLICY_LINE_H
#define ALLOWC_POLICY_LINE_H

#include "compiler/policy/lexer.h"

struct diagnostic;
struct keyword;

/* An attribute at the start of a line, spelt `word`. Reports it: further ones of its row stay quiet. */
struct diagnostic *line_report_attribute(struct lexer *lexer, const struct token *token, const char *word);

/* All words with which a line in one of these places (bits 1u << BLOCK_…) can begin. */
void line_help_statements(struct diagnostic *diagnostic, unsigned places);

/* Says so where the sign at `begin` begins a line that git leaves where a merge has a conflict. */
bool line_help_merge(const struct lexer *lexer, uint32_t begin, struct diagnostic *diagnostic);

/* How a line is mended that begins with the word at `place`. */
void line_help(const struct lexer *lexer, struct span place, struct diagnostic *diagnostic);

/* The keyword of this block of which a word is an assignment, `title=` or `arch:`, or NULL. */
const struct keyword *line_assigned(const struct lexer *lexer, struct span place);

#endif
