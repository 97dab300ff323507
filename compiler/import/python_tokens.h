/*
 * The tokens of Python, as far as literals need them (The Python Language Reference, chapter 2, "Lexical
 * analysis"); Starlark's are among them. Text is cut up, never evaluated. Comments are tokens: they hold
 * headings and reasons.
 */
#ifndef ALLOWC_IMPORT_PYTHON_TOKENS_H
#define ALLOWC_IMPORT_PYTHON_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/source.h"

struct compilation;

enum python_kind {
	PYTHON_END,
	PYTHON_LINE_END, /* of a logical line: none inside brackets, none after a '\' */
	PYTHON_NAME,
	PYTHON_STRING,
	PYTHON_NUMBER,
	PYTHON_SIGN,   /* one operator or bracket: "|=" is one */
	PYTHON_COMMENT /* `text` is what follows its '#', without the line's end */
};

struct python_token {
	enum python_kind kind;
	struct span place;
	unsigned line;  /* from 1 */
	bool first;     /* nothing stands before it in its line */
	bool top;       /* it begins a logical line, at its very start */
	unsigned depth; /* of open brackets around it; of a bracket, around its pair */
	/* NUL-terminated; of a string its value, of a name, sign or comment what is written. */
	const char *text;
	const char *fault; /* of a string: why its value is not known, completes "this …"; NULL where it is */
};

struct python_tokens {
	struct python_token *items; /* the last is PYTHON_END */
	size_t count, capacity;
};

/*
 * Cuts up a text of UTF-8 without a NUL. False when an error was reported: a string or bracket without its
 * end, a closing bracket without its opening, a character that starts no token.
 */
bool python_tokens_read(struct compilation *compilation, const struct source *source,
			struct python_tokens *tokens);

/* Whether it is that sign. */
bool python_token_is(const struct python_token *token, const char *sign);

/* Whether it is that name or keyword. */
bool python_token_is_name(const struct python_token *token, const char *name);

/* Whether it is of that kind, and one of these texts; of an array of them. */
bool python_token_is_one_of(const struct python_token *token, enum python_kind kind, const char *const *texts,
			    size_t count);
#define IS_ONE_OF(token, kind, texts)                                                                        \
	python_token_is_one_of(token, kind, texts, sizeof(texts) / sizeof *(texts))

/* Whether "NAME(" begins here. */
bool python_begins_call(const struct python_token *token, const char *name);

/* Behind the ".copy()" that begins here; else the token itself. */
const struct python_token *python_behind_copy(const struct python_token *dot);

#endif
