#include "compiler/import/python_tokens.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/utf8.h"

struct cutter {
	struct compilation *compilation;
	const struct source *source;
	const char *text;
	size_t size, at;
	unsigned line, depth;
	bool line_begins;    /* nothing but blanks since the line's start */
	bool logical_begins; /* nothing but blanks and comments since a logical line's end */
	size_t line_start;
	struct python_tokens *tokens;
	size_t open[PYTHON_DEPTH_MAX]; /* tokens of the open brackets */
};

bool python_token_is(const struct python_token *token, const char *sign)
{
	return token->kind == PYTHON_SIGN && strcmp(token->text, sign) == 0;
}

bool python_token_is_name(const struct python_token *token, const char *name)
{
	return token->kind == PYTHON_NAME && strcmp(token->text, name) == 0;
}

static char peek(const struct cutter *cutter, size_t ahead)
{
	return cutter->at + ahead < cutter->size ? cutter->text[cutter->at + ahead] : '\0';
}

static struct span span_from(const struct cutter *cutter, size_t begin)
{
	return (struct span){ cutter->source, (uint32_t)begin, (uint32_t)cutter->at };
}

/* The token of what stands from `begin` to here. */
static struct python_token *token_add(struct cutter *cutter, enum python_kind kind, size_t begin,
				      const char *text)
{
	struct python_tokens *tokens = cutter->tokens;
	tokens->items = arena_grow(cutter->compilation->arena, tokens->items, tokens->count,
				   &tokens->capacity, sizeof *tokens->items);
	struct python_token *token = &tokens->items[tokens->count++];
	*token = (struct python_token){ .kind = kind,
					.place = span_from(cutter, begin),
					.line = cutter->line,
					.first = cutter->line_begins,
					.top = cutter->logical_begins && begin == cutter->line_start,
					.depth = cutter->depth,
					.text = text };
	cutter->line_begins = false;
	if (kind != PYTHON_COMMENT)
		cutter->logical_begins = false;
	return token;
}

static bool fail(struct cutter *cutter, struct span place, const char *message)
{
	struct diagnostic *d =
		diag_report(cutter->compilation->diags, DIAG_IMPORT_FORM, place, "%s", message);
	diag_help(d, "nothing of the file is imported: it would be read wrongly from here on");
	return false;
}

/* ---- strings ---- */

struct string {
	size_t begin;  /* its prefix */
	size_t size;   /* of the quotes: 1 or 3 */
	unsigned line; /* where it begins */
	char quote;
	bool raw, formatted;
	const char *fault;
};

/* Letters before a quote that are a string's prefix: 0 where no string begins here; *size is theirs. */
static bool string_begins(const struct cutter *cutter, size_t *size)
{
	size_t letters = 0;
	while (letters < 3 && peek(cutter, letters) && strchr("rRbBuUfFtT", peek(cutter, letters)))
		letters++;
	*size = letters;
	return letters < 3 && (peek(cutter, letters) == '"' || peek(cutter, letters) == '\'');
}

static void prefix_read(struct string *string, const char *prefix, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		char letter = ascii_lower(prefix[i]);
		if (letter == 'r')
			string->raw = true;
		else if (letter == 'b')
			string->fault = "holds bytes, not text";
		else if (letter != 'u') {
			string->formatted = true;
			string->fault = "is put together when the program runs";
		}
	}
}

static void code_add(struct string *string, struct strbuf *value, unsigned long code)
{
	if (code == 0)
		string->fault = "holds a NUL";
	else if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		string->fault = "holds a code that is no character";
	else
		utf8_add(value, (uint32_t)code);
}

/* `digits` hexadecimal ones after \x, \u or \U. */
static void hexadecimal_read(struct cutter *cutter, struct string *string, size_t digits,
			     struct strbuf *value)
{
	char number[9] = "";
	for (size_t i = 0; i < digits; i++) {
		if (!ascii_is_hexadecimal(peek(cutter, 0))) {
			string->fault = "holds an escape that is cut off";
			return;
		}
		number[i] = cutter->text[cutter->at++];
	}
	code_add(string, value, strtoul(number, NULL, 16));
}

static void octal_read(struct cutter *cutter, struct string *string, struct strbuf *value)
{
	unsigned long code = 0;
	for (unsigned i = 0; i < 3 && peek(cutter, 0) >= '0' && peek(cutter, 0) <= '7'; i++)
		code = code * 8 + (unsigned long)(cutter->text[cutter->at++] - '0');
	code_add(string, value, code);
}

static void line_count(struct cutter *cutter)
{
	cutter->line++;
	cutter->line_start = cutter->at;
}

/* After a backslash. What Python does not know stays as it is, the backslash too. */
static void escape_read(struct cutter *cutter, struct string *string, struct strbuf *value)
{
	static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
	char letter = peek(cutter, 0);
	const char *known = letter ? strchr(from, letter) : NULL;
	if (letter >= '0' && letter <= '7') {
		octal_read(cutter, string, value);
		return;
	}
	if (cutter->at < cutter->size)
		cutter->at++;
	if (known) {
		strbuf_add_char(value, to[known - from]);
	} else if (letter == 'x' || letter == 'u' || letter == 'U') {
		hexadecimal_read(cutter, string, letter == 'x' ? 2 : letter == 'u' ? 4 : 8, value);
	} else if (letter == '\r' && peek(cutter, 0) == '\n') {
		cutter->at++;
		line_count(cutter);
	} else if (letter == '\n') {
		line_count(cutter);
	} else if (letter == 'N') {
		string->fault = "names a character by \\N{…}";
	} else {
		strbuf_add_char(value, '\\');
		strbuf_add_char(value, letter);
	}
}

static bool quotes_end(const struct cutter *cutter, const struct string *string)
{
	for (size_t i = 0; i < string->size; i++)
		if (peek(cutter, i) != string->quote)
			return false;
	return true;
}

/* A backslash of a raw string keeps a quote from ending it, and stays. */
static void raw_escape_read(struct cutter *cutter, const struct string *string, struct strbuf *value)
{
	strbuf_add_char(value, '\\');
	if (peek(cutter, 0) == string->quote || peek(cutter, 0) == '\\')
		strbuf_add_char(value, cutter->text[cutter->at++]);
}

/* One character, or the escape that stands for some. False where the string has no end. */
static bool character_read(struct cutter *cutter, struct string *string, struct strbuf *value)
{
	bool short_line_end = string->size == 1 && (peek(cutter, 0) == '\n' || peek(cutter, 0) == '\r');
	if (cutter->at == cutter->size || short_line_end)
		return false;
	char c = cutter->text[cutter->at++];
	if (c == '\\' && string->raw)
		raw_escape_read(cutter, string, value);
	else if (c == '\\')
		escape_read(cutter, string, value);
	else if (c != '\r' || peek(cutter, 0) != '\n') /* a CRLF is a line end */
		strbuf_add_char(value, c);
	if (c == '\n')
		line_count(cutter);
	return true;
}

/*
 * Whether all "{…}" of a formatted string are closed in these bytes. Where one is not, its quote stands in an
 * expression, f"{x["a"]}", as Python reads since 3.12: the string goes on behind it.
 */
static bool fields_are_closed(const char *text, size_t size)
{
	unsigned depth = 0;
	char nested = '\0'; /* the quote of a string in a field */
	for (size_t at = 0; at < size; at++) {
		char c = text[at];
		if (nested)
			nested = c == nested ? '\0' : nested;
		else if (!depth && c == '{' && at + 1 < size && text[at + 1] == '{')
			at++;
		else if (c == '{')
			depth++;
		else if (depth && c == '}')
			depth--;
		else if (depth && (c == '"' || c == '\''))
			nested = c;
	}
	return !depth && !nested;
}

static bool end_is_certain(struct cutter *cutter, const struct string *string, size_t begin)
{
	if (!string->formatted || fields_are_closed(cutter->text + begin, cutter->at - begin))
		return true;
	struct span place = { cutter->source, (uint32_t)string->begin,
			      (uint32_t)(cutter->at + string->size) };
	struct diagnostic *d = diag_report(cutter->compilation->diags, DIAG_IMPORT_FORM, place,
					   "where this string ends depends on the version of Python");
	diag_help(d, "take other quotes within its braces than around it");
	return false;
}

static bool string_read(struct cutter *cutter, size_t prefix)
{
	struct strbuf value = STRBUF_INIT;
	struct string string = { .begin = cutter->at, .size = 1, .line = cutter->line };
	prefix_read(&string, cutter->text + cutter->at, prefix);
	cutter->at += prefix;
	string.quote = cutter->text[cutter->at];
	if (peek(cutter, 1) == string.quote && peek(cutter, 2) == string.quote)
		string.size = 3;
	cutter->at += string.size;
	size_t text_begin = cutter->at;
	bool top = cutter->logical_begins && string.begin == cutter->line_start;
	while (!quotes_end(cutter, &string)) {
		if (character_read(cutter, &string, &value))
			continue;
		strbuf_release(&value);
		cutter->at = string.begin + prefix + string.size;
		return fail(cutter, span_from(cutter, string.begin), "this string has no end");
	}
	const char *text = arena_text(cutter->compilation->arena, value.bytes, value.size);
	strbuf_release(&value);
	if (!end_is_certain(cutter, &string, text_begin))
		return false;
	cutter->at += string.size;
	struct python_token *token = token_add(cutter, PYTHON_STRING, string.begin, text);
	token->line = string.line;
	token->top = top;
	token->fault = string.fault;
	return true;
}

/* ---- names, numbers, comments ---- */

static bool is_name_byte(char c)
{
	return ascii_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

static const char *text_from(struct cutter *cutter, size_t begin)
{
	return arena_text(cutter->compilation->arena, cutter->text + begin, cutter->at - begin);
}

static void name_read(struct cutter *cutter)
{
	size_t begin = cutter->at;
	while (is_name_byte(peek(cutter, 0)))
		cutter->at++;
	token_add(cutter, PYTHON_NAME, begin, text_from(cutter, begin));
}

/* No literal that is imported holds one: it is enough to find its end. */
static void number_read(struct cutter *cutter)
{
	size_t begin = cutter->at;
	while (is_name_byte(peek(cutter, 0)) || peek(cutter, 0) == '.')
		cutter->at++;
	token_add(cutter, PYTHON_NUMBER, begin, "");
}

static void comment_read(struct cutter *cutter)
{
	size_t begin = cutter->at;
	const char *end = memchr(cutter->text + begin, '\n', cutter->size - begin);
	cutter->at = end ? (size_t)(end - cutter->text) : cutter->size;
	size_t size = cutter->at - begin - 1;
	if (size && cutter->text[begin + size] == '\r')
		size--;
	token_add(cutter, PYTHON_COMMENT, begin,
		  arena_text(cutter->compilation->arena, cutter->text + begin + 1, size));
}

/* ---- signs and lines ---- */

/* Longer ones first. */
static const char *const signs[] = {
	"**=", "//=", ">>=", "<<=", "...", "->", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=",
	"==",  "!=",  "<=",  ">=",  "**",  "//", "<<", ">>", "+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",
	"~",   "<",   ">",   "(",   ")",   "[",  "]",  "{",  "}",  ",",  ":",  ".",  ";",  "@",  "=",  "!",
};

static const char *sign_here(const struct cutter *cutter)
{
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		size_t size = strlen(signs[i]);
		if (size <= cutter->size - cutter->at &&
		    memcmp(cutter->text + cutter->at, signs[i], size) == 0)
			return signs[i];
	}
	return NULL;
}

static char closing_of(char open)
{
	return open == '(' ? ')' : open == '[' ? ']' : '}';
}

static bool bracket_open(struct cutter *cutter)
{
	struct python_tokens *tokens = cutter->tokens;
	if (cutter->depth == PYTHON_DEPTH_MAX)
		return fail(cutter, tokens->items[tokens->count - 1].place,
			    "more than 200 brackets are open here");
	cutter->open[cutter->depth++] = tokens->count - 1;
	return true;
}

static bool bracket_close(struct cutter *cutter)
{
	struct python_token *token = &cutter->tokens->items[cutter->tokens->count - 1];
	if (!cutter->depth)
		return fail(cutter, token->place, "this bracket closes none");
	const struct python_token *open = &cutter->tokens->items[cutter->open[cutter->depth - 1]];
	if (closing_of(*open->text) != *token->text)
		return fail(cutter, token->place, "this bracket closes one of another kind");
	token->depth = --cutter->depth;
	return true;
}

static bool sign_read(struct cutter *cutter)
{
	size_t begin = cutter->at;
	const char *sign = sign_here(cutter);
	if (!sign) {
		cutter->at++;
		return fail(cutter, span_from(cutter, begin), "no word of Python begins with this character");
	}
	cutter->at += strlen(sign);
	token_add(cutter, PYTHON_SIGN, begin, sign);
	if (strchr("([{", *sign))
		return bracket_open(cutter);
	return !strchr(")]}", *sign) || bracket_close(cutter);
}

static void line_end_read(struct cutter *cutter)
{
	size_t begin = cutter->at++;
	if (!cutter->depth && !cutter->logical_begins) {
		token_add(cutter, PYTHON_LINE_END, begin, "");
		cutter->logical_begins = true;
	}
	line_count(cutter);
	cutter->line_begins = true;
}

/* Blanks, form feeds, and the end of a line behind a '\', which ends nothing. */
static bool gap_read(struct cutter *cutter)
{
	char c = peek(cutter, 0);
	if (c == ' ' || c == '\t' || c == '\f' || (c == '\r' && peek(cutter, 1) == '\n')) {
		cutter->at++;
		return true;
	}
	size_t size = c == '\\' && peek(cutter, 1) == '\r' ? 2 : 1;
	if (c != '\\' || peek(cutter, size) != '\n')
		return false;
	cutter->at += size + 1;
	line_count(cutter);
	return true;
}

static bool token_read(struct cutter *cutter)
{
	size_t prefix;
	char c = peek(cutter, 0);
	if (gap_read(cutter))
		return true;
	if (c == '\n')
		line_end_read(cutter);
	else if (c == '#')
		comment_read(cutter);
	else if (string_begins(cutter, &prefix))
		return string_read(cutter, prefix);
	else if (ascii_is_digit(c) || (c == '.' && ascii_is_digit(peek(cutter, 1))))
		number_read(cutter);
	else if (is_name_byte(c))
		name_read(cutter);
	else
		return sign_read(cutter);
	return true;
}

bool python_tokens_read(struct compilation *compilation, const struct source *source,
			struct python_tokens *tokens)
{
	*tokens = (struct python_tokens){ 0 };
	struct cutter cutter = { .compilation = compilation,
				 .source = source,
				 .text = source->text,
				 .size = source->size,
				 .line = 1,
				 .line_begins = true,
				 .logical_begins = true,
				 .tokens = tokens };
	while (cutter.at < cutter.size)
		if (!token_read(&cutter))
			return false;
	if (cutter.depth)
		return fail(&cutter, tokens->items[cutter.open[cutter.depth - 1]].place,
			    "this bracket is not closed");
	token_add(&cutter, PYTHON_END, cutter.at, "");
	return true;
}

bool python_token_is_one_of(const struct python_token *token, enum python_kind kind, const char *const *texts,
			    size_t count)
{
	for (size_t i = 0; token->kind == kind && i < count; i++)
		if (strcmp(token->text, texts[i]) == 0)
			return true;
	return false;
}

bool python_begins_call(const struct python_token *token, const char *name)
{
	return python_token_is_name(token, name) && python_token_is(token + 1, "(");
}

const struct python_token *python_behind_copy(const struct python_token *dot)
{
	bool copies = python_token_is(dot, ".") && python_begins_call(dot + 1, "copy") &&
		      python_token_is(dot + 3, ")");
	return copies ? dot + 4 : dot;
}
