/* The classes and functions around a statement of Python, told by how far their lines are indented. */
#ifndef ALLOWC_IMPORT_PYTHON_BLOCK_H
#define ALLOWC_IMPORT_PYTHON_BLOCK_H

#include "compiler/import/python_tokens.h"

struct arena;

/* A class or a function. It stays where it is. */
struct python_block {
	const struct python_token *name;
	const struct python_block *outer; /* NULL at the top */
	unsigned column;                  /* of its line: what is indented further is within */
};

/*
 * The innermost block around what begins a logical line with this token, when `block` is the one around what
 * stands before it; NULL at the top. A line that begins a class or a function is within it.
 */
const struct python_block *python_block_follow(struct arena *arena, const struct python_block *block,
					       const struct python_token *token);

#endif
