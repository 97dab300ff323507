/*
 * How statements and attributes are written, for messages about those that are not.
 */
#ifndef ALLOWC_POLICY_FORM_H
#define ALLOWC_POLICY_FORM_H

#include "compiler/policy/ast.h"

struct form {
	const char *noun;    /* what its value is */
	const char *example; /* how the whole is written */
};

struct form attribute_form(enum attribute attribute);

/* Of what is to follow next in the statement. */
struct form statement_form(const struct ast_statement *statement);

#endif
