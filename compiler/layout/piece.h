/*
 * The text of a layer in pieces: its tokens, comments and line ends, each with its place. For texts that the
 * parser took without a mistake; nothing here reports.
 */
#ifndef ALLOWC_LAYOUT_PIECE_H
#define ALLOWC_LAYOUT_PIECE_H

#include <stdint.h>

struct source;

enum piece_kind {
	PIECE_END, /* of the text, where it is empty */
	PIECE_LINE_END,
	PIECE_COMMENT, /* from its '#', without the white space at its end */
	PIECE_WORD,
	PIECE_STRING, /* with its quotes */
	PIECE_COMMA,
	PIECE_SEMICOLON,
	PIECE_OPEN,  /* { */
	PIECE_CLOSE, /* } */
	PIECE_LEFT,  /* ( */
	PIECE_RIGHT, /* ) */
	PIECE_SIGN   /* < > <= >=, and inside parentheses == != & && | too */
};

/* Bytes [begin, end) of the text. */
struct piece {
	enum piece_kind kind;
	uint32_t begin, end;
};

/* Where the reading of a text is. It may begin at any token outside parentheses. */
struct pieces {
	const struct source *source;
	uint32_t at;
	unsigned parentheses; /* open ones */
};

struct piece pieces_next(struct pieces *pieces);

/* The same without going past it. */
struct piece pieces_peek(const struct pieces *pieces);

#endif
