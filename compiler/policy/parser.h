/*
 * What the grammar's actions call: the tree under construction. A statement hangs in the tree from its
 * first word on, and each subject from the moment it is read, so that a mistake later in the statement
 * loses nothing that stood before it.
 *
 * Internal to the front end (parse.h is its contract).
 */
#ifndef ALLOWC_POLICY_PARSER_H
#define ALLOWC_POLICY_PARSER_H

#include <stdbool.h>

#include "compiler/policy/ast.h"
#include "compiler/policy/lexer.h"

struct compilation;

enum { STATEMENT_LEVELS = 2 }; /* of the file, of a block */

struct parser {
	struct compilation *compilation;
	struct ast_layer *layer;
	struct lexer lexer;
	struct ast_words *no_words; /* of all rows */
	struct ast_statement *open[STATEMENT_LEVELS];  /* the statement that is being read, by level */
	struct ast_statement **ends[STATEMENT_LEVELS]; /* where the next one hangs */
	struct ast_statement **others_end;
	unsigned level;
	struct ast_attribute **attributes_end;
	struct ast_attribute *attribute; /* that is being read, or was last in this statement */
	struct ast_entries *entries;     /* where the next entry goes */
	struct span parenthesis;         /* of the condition that is being read; no source outside one */
	unsigned condition_nodes;
};

int parser_next_token(struct parser *parser, const char **text, struct span *place);

void statement_begin(struct parser *parser, enum ast_kind kind, struct span keyword);
void row_begin(struct parser *parser, enum verb verb, struct span keyword);
void setting_begin(struct parser *parser, enum setting setting, struct span keyword);
void expectation_set(struct parser *parser, enum expectation expectation);

/* The statement of this level, and any inside it, is over. */
void statement_end(struct parser *parser, unsigned level);

void block_begin(struct parser *parser);
void block_end(struct parser *parser);
void row_block_begin(struct parser *parser);

/* The parts of the innermost open statement. */
struct ast_statement *statement_now(struct parser *parser);

void attribute_begin(struct parser *parser, enum attribute kind, struct span keyword);

/* The words of a statement that is no row. */
void name_set(struct parser *parser, const char *text, struct span place);
void path_set(struct parser *parser, const char *text, struct span place);
void region_set(struct parser *parser, const char *text, struct span place);

/* `syscall`, `errno`, `kill` …: of the open attribute, or of the statement. */
void qualifier_set(struct parser *parser, const char *text, struct span place);
void entry_add(struct parser *parser, const char *text, struct span place);
void entry_version(struct parser *parser, struct span operator, struct ast_word version);
void entry_condition(struct parser *parser, struct ast_expression *condition, struct span close);

/* A word of the text at this place, for keywords that are names here. */
const char *text_at(struct parser *parser, struct span place);

void condition_begin(struct parser *parser, struct span parenthesis);
struct ast_expression *expression_leaf(struct parser *parser, struct ast_word word);
struct ast_expression *expression_join(struct parser *parser, enum ast_operator operator,
				       struct ast_expression *left, struct ast_expression *right);

/* `left operator right`; reports a mask without parentheses on either side. */
struct ast_expression *expression_compare(struct parser *parser, enum ast_operator operator,
					  struct ast_expression *left, struct ast_expression *right);

/* An expression in parentheses of its own. */
struct ast_expression *expression_group(struct ast_expression *inner, struct span place);

#endif
