/*
 * Whether a module does more to a name than the one assignment of its literal: another assignment, alone or
 * among others, an import, a loop, `del`, a method that changes a collection, also by another name. What the
 * text does not show (globals(), a function that gets the collection) is not seen.
 */
#ifndef ALLOWC_IMPORT_PYTHON_CHANGE_H
#define ALLOWC_IMPORT_PYTHON_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/import/python_tokens.h"

struct arena;
struct map;
struct uses;

/* Whether a statement ends with this token: a line's end, a ';'. */
bool python_ends_statement(const struct python_token *token);

/* Whether it begins a statement that has others behind its ':'. "else: A = …" assigns no `else`. */
bool python_begins_suite(const struct python_token *token);

/* Whether a value, up to `end`, compares, "a not in A | B": it is no collection. */
bool python_compares(const struct python_token *begin, const struct python_token *end);

/* The '=' of an assignment to one name that begins here, behind its annotation; NULL where none does. */
const struct python_token *python_assignment(const struct python_token *token);

/* What a module does to all its names, found in one walk over it. In the arena. */
struct python_changes {
	struct arena *arena;
	struct map *names;
	struct uses **changed; /* of names that change what they hold, in the order of the text */
	size_t count, capacity;
};
struct python_changes python_changes_find(struct arena *arena, const struct python_tokens *tokens);

/*
 * Where the name of this token, which is assigned its literal there, gets another value, or another name of
 * it ("OTHER = NAME") changes what it holds: the token of that name. NULL where nowhere.
 */
const struct python_token *python_change_of(struct python_changes *changes,
					    const struct python_token *symbol);

/* Where the module calls something of its own by this name of the language, "def sorted(…)"; or NULL. */
const struct python_token *python_shadow_of(struct python_changes *changes, const char *name);

/* A name that holds what a symbol does. */
struct python_other {
	const struct python_token *name, *symbol;
};

/*
 * The other names of these symbols, "OTHER = NAME", of collections that hold what they do,
 * "OTHER = set(NAME)", and of other names of these, each once; behind them one without a name.
 */
const struct python_other *python_other_names(struct python_changes *changes,
					      const struct python_token *const *symbols, size_t count);

#endif
