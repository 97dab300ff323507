/*
 * What to say about a statement of no known form: one message, with the form that is right.
 * Internal to the front end.
 */
#ifndef ALLOWC_POLICY_SYNTAX_H
#define ALLOWC_POLICY_SYNTAX_H

#include <stddef.h>

struct ast_expression;
struct lexer;
struct parser;
struct token;

/*
 * The parser refused the token that was delivered last; it would have taken one of `expected`, by their
 * names in the grammar. Reports it unless the line has its message, and skips the statement.
 */
void syntax_error(struct parser *parser, const char *const *expected, size_t count);

/*
 * A line begins with a word that is no keyword. Where a row could stand it is reported here, and the
 * answer is the verb to read it as, so that the row keeps its subject; `head` becomes the keyword that
 * was meant, where one is near. TOKEN_WORD: the parser shall refuse it.
 */
int syntax_repair_statement(struct lexer *lexer, struct token *head);

/*
 * A line after a row begins with `token`. Where that is an attribute, or nearly one, it is reported
 * (once for each row) and the answer is the attribute's token; else TOKEN_WORD.
 */
int syntax_stray_attribute(struct lexer *lexer, const struct token *token);

/* `a & b == c`: which of the two is meant must be written. */
void syntax_bare_mask(struct parser *parser, const struct ast_expression *left,
		      const struct ast_expression *right);

void syntax_condition_too_long(struct parser *parser);

#endif
