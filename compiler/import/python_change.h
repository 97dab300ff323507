/*
 * Whether a module does more to a name than the one assignment of its literal: another assignment, alone or
 * among others, an import, a loop, `del`, a method that changes a collection. What the text does not show
 * (globals(), a function that gets the collection) is not seen.
 */
#ifndef ALLOWC_IMPORT_PYTHON_CHANGE_H
#define ALLOWC_IMPORT_PYTHON_CHANGE_H

#include <stdbool.h>

#include "compiler/import/python_tokens.h"

struct compilation;

/* Whether a statement ends with this token: a line's end, a ';'. */
bool python_ends_statement(const struct python_token *token);

/* The '=' of an assignment to one name that begins here, behind its annotation; NULL where none does. */
const struct python_token *python_assignment(const struct python_token *token);

/* Where the name of this token, which is assigned its literal there, gets another value; NULL where nowhere.
 */
const struct python_token *python_change_of(struct compilation *compilation,
					    const struct python_tokens *tokens,
					    const struct python_token *symbol);

#endif
