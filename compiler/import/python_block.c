#include "compiler/import/python_block.h"

#include <string.h>

#include "compiler/base/arena.h"

/* As the language counts: a tab ends at a multiple of eight, a form feed begins anew. */
static unsigned column_of(const struct python_token *token)
{
	const char *text = token->place.source->text;
	size_t begin = token->place.begin;
	unsigned column = 0;
	while (begin > 0 && text[begin - 1] != '\n')
		begin--;
	for (; begin < token->place.begin; begin++) {
		if (text[begin] == '\f')
			column = 0;
		else
			column = text[begin] == '\t' ? column - column % 8 + 8 : column + 1;
	}
	return column;
}

/* The name of the class or function that begins here; NULL where none does. */
static const struct python_token *name_of(const struct python_token *token)
{
	if (python_token_is_name(token, "async"))
		token++;
	bool begins = python_token_is_name(token, "class") || python_token_is_name(token, "def");
	return begins && token[1].kind == PYTHON_NAME ? token + 1 : NULL;
}

const struct python_block *python_block_follow(struct arena *arena, const struct python_block *block,
					       const struct python_token *token)
{
	unsigned column = column_of(token);
	while (block && block->column >= column)
		block = block->outer;
	const struct python_token *name = name_of(token);
	if (!name)
		return block;
	struct python_block *inner = arena_alloc(arena, sizeof *inner);
	*inner = (struct python_block){ .name = name, .outer = block, .column = column };
	return inner;
}
