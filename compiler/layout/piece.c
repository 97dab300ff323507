#include "compiler/layout/piece.h"

#include <string.h>

#include "compiler/base/source.h"

#define ENDS_WORD " \t\r\n{}()&|,;\"<>"
#define ENDS_TERM ENDS_WORD "=!"

static uint32_t comment_end(const char *text, uint32_t at)
{
	at += (uint32_t)strcspn(text + at, "\n");
	while (strchr(" \t\r", text[at - 1]))
		at--;
	return at;
}

static uint32_t string_end(const char *text, uint32_t at)
{
	at++;
	while (text[at += (uint32_t)strcspn(text + at, "\"\\")] == '\\')
		at += 2;
	return at + 1;
}

/* A sign of two characters ends with '=', or is '&&'. */
static uint32_t sign_end(const char *text, uint32_t at)
{
	return at + (text[at + 1] == '=' || (text[at] == '&' && text[at + 1] == '&') ? 2 : 1);
}

static enum piece_kind kind_at(const struct pieces *pieces)
{
	char c = pieces->source->text[pieces->at];
	switch (c) {
	case '\n':
		return PIECE_LINE_END;
	case '#':
		return PIECE_COMMENT;
	case '"':
		return PIECE_STRING;
	case ',':
		return PIECE_COMMA;
	case ';':
		return PIECE_SEMICOLON;
	case '{':
		return PIECE_OPEN;
	case '}':
		return PIECE_CLOSE;
	case '(':
		return PIECE_LEFT;
	case ')':
		return PIECE_RIGHT;
	case '<':
	case '>':
	case '&':
	case '|':
		return PIECE_SIGN;
	default:
		return pieces->parentheses && (c == '=' || c == '!') ? PIECE_SIGN : PIECE_WORD;
	}
}

static uint32_t end_of(const struct pieces *pieces, enum piece_kind kind)
{
	const char *text = pieces->source->text;
	uint32_t at = pieces->at;
	switch (kind) {
	case PIECE_COMMENT:
		return comment_end(text, at);
	case PIECE_STRING:
		return string_end(text, at);
	case PIECE_SIGN:
		return sign_end(text, at);
	case PIECE_WORD:
		return at + (uint32_t)strcspn(text + at, pieces->parentheses ? ENDS_TERM : ENDS_WORD);
	default:
		return at + 1;
	}
}

struct piece pieces_next(struct pieces *pieces)
{
	const struct source *source = pieces->source;
	pieces->at += (uint32_t)strspn(source->text + pieces->at, " \t\r");
	if (pieces->at >= source->size)
		return (struct piece){ PIECE_END, (uint32_t)source->size, (uint32_t)source->size };
	enum piece_kind kind = kind_at(pieces);
	struct piece piece = { kind, pieces->at, end_of(pieces, kind) };
	pieces->parentheses += kind == PIECE_LEFT;
	pieces->parentheses -= kind == PIECE_RIGHT;
	pieces->at = piece.end;
	return piece;
}

struct piece pieces_peek(const struct pieces *pieces)
{
	struct pieces ahead = *pieces;
	return pieces_next(&ahead);
}
