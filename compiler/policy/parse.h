/*
 * Text to tree: the only caller of grammar/. Reports every mistake of form, one message each, and goes
 * on with the next statement. A row that breaks off keeps the subjects read before the mistake.
 */
#ifndef ALLOWC_POLICY_PARSE_H
#define ALLOWC_POLICY_PARSE_H

#include <stdbool.h>

#include "compiler/policy/ast.h"

struct compilation;

/*
 * Fills `layer` in any case. False when an error was reported. Checks the encoding of the whole text
 * first.
 */
bool layer_parse(struct compilation *compilation, const struct source *source, struct ast_layer *layer);

#endif
