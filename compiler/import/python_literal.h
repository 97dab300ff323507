/*
 * Literals of Python as values: strings in brackets, in any depth. What would have to be executed is no
 * literal: a name, a call but of a collection's type, an operator, a comprehension. Where the caller knows
 * what names hold, collections may be put together: "A | {…}", "A + […]", "A.union(…)", "[*A, …]".
 */
#ifndef ALLOWC_IMPORT_PYTHON_LITERAL_H
#define ALLOWC_IMPORT_PYTHON_LITERAL_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/import/python_tokens.h"

struct compilation;

enum python_value_kind { PYTHON_TEXT, PYTHON_LIST, PYTHON_MAPPING };

struct python_item;

struct python_value {
	enum python_value_kind kind;
	struct span place;
	const char *text;          /* of a string */
	struct python_item *items; /* of a list (a set, a tuple) or mapping, in the order of the text */
	size_t count, capacity;
	const char *heading; /* of its items that have none; the caller sets it */
	bool made; /* of names, of several, or sorted: not the words of one entry, which are written out */
};

struct python_item {
	struct python_value value; /* of a mapping: what the key leads to */
	const char *key;           /* of a mapping: NULL elsewhere */
	struct span key_place;
	const char *heading; /* of the comments in lines of their own before it (import_comment.h); or NULL */
	const char *comment; /* behind it, where it stands alone in its line; NULL for none */
	bool alone;          /* nothing stands before it in its line */
};

struct python_reader;

/* What names hold. */
struct python_names {
	/* The value of what this token names; NULL where it is not known: why is a fault, or none for any. */
	const struct python_value *(*find)(struct python_reader *reader, const struct python_token *name);
	/* Whether the module calls something of its own by this name of the language. */
	bool (*hides)(const struct python_reader *reader, const char *name);
	void *context;
	size_t joined; /* items that were put together so far */
};

/* Where a reading is, and why it ended. */
struct python_reader {
	struct compilation *compilation;
	struct python_names *names;    /* NULL: none is looked up, and nothing is put together */
	const struct python_token *at; /* the next token; comments may stand before it */
	struct span fault_place;
	const char *fault; /* a sentence, "'OTHER' is a name: …"; NULL while there is none */
};

/* Whether what begins at this token could be a collection: a bracket, or a call of a collection's type. */
bool python_begins_collection(const struct python_token *token);

/* Reads one value. False with a fault where it is no literal. */
bool python_value_read(struct python_reader *reader, struct python_value *value);

/* The next token that is no comment. */
const struct python_token *python_next(const struct python_token *token);

/* Says at this place why reading ends. Returns false. */
bool python_fail(struct python_reader *reader, struct span place, const char *fault, ...)
	__attribute__((format(printf, 3, 4)));

/* The same of a token that no literal holds. */
bool python_fail_token(struct python_reader *reader, const struct python_token *token);

/* The same of a value that is a string alone; else true. */
bool python_value_is_collection(struct python_reader *reader, const struct python_value *value);

#endif
