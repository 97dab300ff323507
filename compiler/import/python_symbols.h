/*
 * The collections of a Python module: which names are assigned one, and what each holds, as far as literals
 * and the names of other collections say it.
 */
#ifndef ALLOWC_IMPORT_PYTHON_SYMBOLS_H
#define ALLOWC_IMPORT_PYTHON_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/import/python_block.h"
#include "compiler/import/python_change.h"
#include "compiler/import/python_literal.h"

struct map;

/* An assignment of what could be a collection. It stays where it is. */
struct python_symbol {
	const char *name;
	const struct python_token *token, *begin; /* of its name, and of its value */
	const struct python_block *block;         /* the innermost around it */
	const struct python_symbol
		*of;               /* "NAME = OTHER", "sorted(OTHER)", "OTHER.copy()": it holds the same */
	bool copied;               /* by the latter: a change of one is none of the other */
	bool held;                 /* by a collection below, which was put together of it */
	bool shows;                /* a list or set of strings stands in its value, whatever is made of it */
	bool was_read;             /* what stands from here on is known */
	bool followed;             /* while parts are collected */
	const struct python_symbol *holds; /* of these parts one that it was put together of; or NULL */
	struct python_value value; /* where `fault` is NULL */
	struct span fault_place;   /* as of a reader */
	const char *fault;
	/* A collection that the value was put together of, with its parts, of which the name says so. */
	const struct python_symbol *allows, *refuses;
	struct python_part *parts; /* all of them */
};

struct python_part {
	struct python_symbol *symbol;
	struct python_part *next;
};

struct python_symbols {
	struct compilation *compilation;
	struct python_tokens tokens;
	struct python_symbol **items; /* in the order of the text */
	size_t count, capacity;
	struct map *names; /* to the first of each */
	struct python_changes changes;
};

/* All of a module. False when an error was reported: it is not made of tokens. */
bool python_symbols_read(struct compilation *compilation, const struct source *source,
			 struct python_symbols *symbols);

/* The first that is called so; NULL where there is none. */
struct python_symbol *python_symbol_find(const struct python_symbols *symbols, const char *name);

/*
 * The tokens of a symbol and of what it was put together of, through all parts, each once. In the arena. What
 * was itself put together of one of them has `holds` from then on.
 */
const struct python_token *const *python_symbol_parts(struct python_symbols *symbols,
						      struct python_symbol *symbol, size_t *count);

/* "C: Denied = …": the word of its type that says most of what may run; NULL where none does. */
const struct python_token *python_symbol_type(const struct python_symbol *symbol);

#endif
