/*
 * From the scanner's words to the parser's tokens. Between the two stands what the language says about
 * lines and blocks: where a statement ends, which line goes on, which brace is missing. So the grammar
 * sees one regular form: every statement ends with TOKEN_SEPARATOR, every '{' has its '}'.
 *
 * Internal to the front end (parse.h is its contract).
 */
#ifndef ALLOWC_POLICY_LEXER_H
#define ALLOWC_POLICY_LEXER_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/base/strbuf.h"
#include "compiler/policy/ast.h"
#include "compiler/policy/encoding.h"

struct compilation;

/* What the braces around a line belong to. */
enum block_kind {
	BLOCK_FILE, /* none: the line is a statement of the file */
	BLOCK_ROW,
	BLOCK_ROLE,
	BLOCK_PLUGIN,
	BLOCK_SECCOMP,
	BLOCK_SYSCALLS,
	BLOCK_UNKNOWN /* of a statement that cannot have one */
};

enum {
	DEEPEST_BLOCK = 3, /* the grammar takes two */
	RECENT_TOKENS = 4, /* a power of two: the token ahead, and three that messages look at */
};

struct token {
	int kind;
	bool reported;    /* the scanner reported a mistake in it */
	const char *text; /* of TOKEN_WORD and TOKEN_STRING */
	struct span span;
};

struct open_block {
	enum block_kind kind;
	struct span brace, header; /* the '{', and the statement's first word */
	size_t indent;             /* of the line with the '{' */
};

struct lexer {
	struct compilation *compilation;
	const struct source *source;
	void *scanner;
	const char *text; /* the source's, with blanks where the encoding is wrong */
	size_t read;      /* bytes of it that the scanner has */
	uint32_t scanned; /* bytes of it that were made tokens */
	struct encoding_errors encoding;
	size_t encoding_next; /* the first encoding error not before the present line */
	struct strbuf unescaped;
	unsigned parentheses;                 /* open ones */
	bool comment_has_end, no_comment_end; /* of a foreign comment */
	bool token_reported;                  /* a mistake in the token that is being scanned */

	bool has_ahead;      /* a token is read from the scanner and not yet taken: see lexer_ahead() */
	bool at_line_start;  /* it is the first on its line */
	uint32_t line_begin; /* of that line */

	/* The statement that is being delivered. */
	struct token head;                  /* its first token */
	struct token recent[RECENT_TOKENS]; /* a ring: see lexer_recent() and lexer_ahead() */
	unsigned latest;
	struct token comma_line;  /* the first token of a line that a ',' took in; no source without one */
	bool row_open_for_more;   /* a row without a block: stray attributes may follow */
	bool attributes_reported; /* stray attributes were reported for this row */
	bool reported;            /* this line has its message: the rest of it stays quiet */
	bool line_reported;       /* an encoding error stands on the line: all statements on it stay quiet */

	const char **lost; /* see lexer_lose() */
	size_t lost_count, lost_capacity;

	struct open_block blocks[DEEPEST_BLOCK];
	unsigned depth;
	unsigned forgiven;  /* blocks that were closed for want of a '}' that may yet come */
	bool separator_due; /* after such a closing */
	uint32_t own_line;  /* where the '{' is that was reported last for its own line; 0 for none */
};

/* Begins at the text's start; lexer_end() frees what is not in the arena. */
void lexer_begin(struct lexer *lexer, struct compilation *compilation, const struct source *source);
void lexer_end(struct lexer *lexer);

/* The next token for the parser: the kind, its text where it is a word or a string, and its place. */
int lexer_next(struct lexer *lexer, const char **text, struct span *place);

/* The parser refused the token that was delivered last: what follows, up to the end of its statement and
 * over balanced braces, is not delivered. A line that a ',' would take in is, where it begins a statement. */
void lexer_skip_statement(struct lexer *lexer);

/* The token that was delivered last (0), or before it (1, 2). */
static inline const struct token *lexer_recent(const struct lexer *lexer, unsigned back)
{
	return &lexer->recent[(lexer->latest - back) % RECENT_TOKENS];
}

/*
 * The token ahead stands in the ring's next place, and so is delivered where it is. Copying each cost a
 * fiftieth of a large policy's time: the processor waits where it reads at once what was written in parts.
 */
static inline struct token *lexer_ahead(struct lexer *lexer)
{
	return &lexer->recent[(lexer->latest + 1) % RECENT_TOKENS];
}

/* A mistake keeps the word of this token, if it has one, out of the tree. */
void lexer_lose(struct lexer *lexer, const struct token *token);
void lexer_lose_word(struct lexer *lexer, const char *text); /* NULL for none */

enum block_kind lexer_block(const struct lexer *lexer);

/* For the scanner: puts the next bytes of the text into its buffer, `most` at most. Their number. */
int lexer_read(struct lexer *lexer, char *buffer, int most);

/* Reads the token ahead, which is taken, from the scanner: lexer_peek() calls it. */
void lexer_scan(struct lexer *lexer);

/* The next token without taking it. Two of three times it is there already, so that part needs no call. */
static inline const struct token *lexer_peek(struct lexer *lexer)
{
	if (!lexer->has_ahead)
		lexer_scan(lexer);
	return lexer_ahead(lexer);
}

/* Whether this line has its message already. */
bool lexer_is_quiet(const struct lexer *lexer);

static inline struct span lexer_place(const struct lexer *lexer, uint32_t begin, uint32_t end)
{
	return (struct span){ lexer->source, begin, end };
}

#endif
