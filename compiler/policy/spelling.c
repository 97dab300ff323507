#include "compiler/policy/spelling.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/utf8.h"
#include "compiler/policy/keyword.h"
#include "compiler/policy/lexer.h"
#include "compiler/policy/line.h"

#define BAD_CHARACTERS "'`$\\#"
#define ENDS_WORD " \t\r\n{}()&|,;<>"

enum { SHOWN_MAX = 60 }; /* bytes of policy text in a message */

static const char *text_of(struct lexer *lexer, const char *bytes, size_t size)
{
	return arena_text(lexer->compilation->arena, bytes, size);
}

const char *spelling_word(struct lexer *lexer, struct span place)
{
	return text_of(lexer, lexer->text + place.begin, place.end - place.begin);
}

static struct diagnostic *report(struct lexer *lexer, enum diag_id id, struct span place, const char *message)
{
	bool line_has_message = lexer->reported && !lexer->at_line_start; /* else that is the line before */
	bool quiet = lexer->token_reported || lexer->line_reported || line_has_message;
	lexer->token_reported = true;
	return quiet ? NULL : diag_report(lexer->compilation->diags, id, place, "%s", message);
}

/* ---- words ---- */

static const char *name_of_bad(char c)
{
	switch (c) {
	case '\'':
		return "a single quote in a word";
	case '`':
		return "a backquote in a word";
	case '$':
		return "'$' in a word";
	case '\\':
		return "a backslash in a word";
	case '#':
		return "'#' in a word";
	default:
		return "'=' at the start of a word";
	}
}

/* Adds what a string with this value holds between its quotes. */
static void add_escaped(struct strbuf *out, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == '"' || bytes[i] == '\\')
			strbuf_add_char(out, '\\');
		strbuf_add_char(out, bytes[i]);
	}
}

static void help_quotes(struct diagnostic *diagnostic, const char *bytes, size_t size)
{
	if (!diagnostic)
		return;
	if (size > SHOWN_MAX) {
		diag_help(diagnostic, "use double quotes");
		return;
	}
	struct strbuf text = STRBUF_INIT;
	add_escaped(&text, bytes, size);
	diag_help(diagnostic, "use double quotes: \"%s\"", text.bytes);
	strbuf_release(&text);
}

/* The first character that no word can hold; the word's first where that is a '='. */
static struct span bad_character(const struct lexer *lexer, struct span place)
{
	uint32_t at = place.begin;
	while (at < place.end && !strchr(BAD_CHARACTERS, lexer->text[at]))
		at++;
	if (at == place.end)
		at = place.begin;
	return (struct span){ place.source, at, at + 1 };
}

/* `docker\ buildx`, as a shell would have it. */
static void help_escaped_blank(struct diagnostic *diagnostic, const char *bytes, size_t size)
{
	size_t word = strcspn(bytes + size + 1, BAD_CHARACTERS ENDS_WORD);
	if (!word || size + word > SHOWN_MAX)
		diag_help(diagnostic, "a command of several words is one string");
	else
		diag_help(diagnostic, "a command of several words is one string: \"%.*s %.*s\"",
			  (int)size - 1, bytes, (int)word, bytes + size + 1);
}

static void help_bad_word(const struct lexer *lexer, struct diagnostic *diagnostic, struct span place,
			  char bad)
{
	const char *bytes = lexer->source->text + place.begin;
	size_t size = place.end - place.begin;
	bool expression = bad == '$' && size > 1 && (bytes[0] == '^' || bytes[size - 1] == '$');
	if (line_help_merge(lexer, place.begin, diagnostic))
		return;
	if (bad == '=' && strspn(bytes, "=<>!") >= size)
		diag_help(diagnostic, "comparisons stand in ( ) after a system call; a version takes '>='");
	else if (bad == '\\' && size == 1 && strchr("\r\n", bytes[1]))
		diag_help(diagnostic, "a row goes on in { }, and a list in the line after a ','");
	else if (bad == '\\' && bytes[size - 1] == '\\' && bytes[size] == ' ')
		help_escaped_blank(diagnostic, bytes, size);
	else if (expression)
		diag_help(diagnostic, "no word is a pattern: name what is meant");
	else
		help_quotes(diagnostic, bytes, size);
	if (bad == '#')
		diag_help(diagnostic, "or, for a comment, put a blank before the '#'");
	if (bad == '$' && !expression)
		diag_help(diagnostic, "or write what is meant: no variable is ever expanded");
}

const char *spelling_bad_word(struct lexer *lexer, struct span place)
{
	struct span where = bad_character(lexer, place);
	char bad = lexer->text[where.begin];
	help_bad_word(lexer, report(lexer, DIAG_WORD, where, name_of_bad(bad)), place, bad);
	return spelling_word(lexer, place);
}

const char *spelling_foreign_quotes(struct lexer *lexer, struct span place)
{
	const char *bytes = lexer->text + place.begin + 1;
	size_t size = place.end - place.begin - 1;
	bool single = bytes[-1] == '\'';
	if (size && bytes[size - 1] == bytes[-1])
		size--;
	struct diagnostic *diagnostic =
		report(lexer, DIAG_WORD, place, single ? "single quotes" : "backquotes");
	help_quotes(diagnostic, bytes, size);
	return text_of(lexer, bytes, size);
}

enum { QUOTE_SIZE = 3 }; /* bytes of each of U+2018 to U+201F */

/* Whether the bytes begin with a quote as books have them. */
static bool is_typographic(const char *bytes, size_t size)
{
	unsigned char last = size >= QUOTE_SIZE ? (unsigned char)bytes[QUOTE_SIZE - 1] : 0;
	return last >= 0x98 && last <= 0x9f && memcmp(bytes, "\xe2\x80", QUOTE_SIZE - 1) == 0;
}

const char *spelling_typographic_quotes(struct lexer *lexer, struct span *place)
{
	const char *bytes = lexer->text + place->begin;
	size_t end = QUOTE_SIZE, size = place->end - place->begin;
	while (end < size && bytes[end] != '\xe2')
		end++;
	bool closed = is_typographic(bytes + end, size - end);
	while (!closed && end > QUOTE_SIZE && ascii_is_space(bytes[end - 1]))
		end--; /* what follows is the line's, a '{' or its end */
	place->end = place->begin + (uint32_t)(closed ? end + QUOTE_SIZE : end);
	struct diagnostic *diagnostic = report(lexer, DIAG_WORD, *place, "typographic quotes");
	if (closed)
		help_quotes(diagnostic, bytes + QUOTE_SIZE, end - QUOTE_SIZE);
	else
		diag_help(diagnostic, "use double quotes: \"…\"");
	return text_of(lexer, bytes + QUOTE_SIZE, end - QUOTE_SIZE);
}

/* ---- assignments ---- */

/* After the string that begins at `at`, or the end of its line. */
static uint32_t string_end(const char *text, uint32_t at)
{
	for (at++; text[at] && text[at] != '\n'; at++) {
		if (text[at] == '"')
			return at + 1;
		if (text[at] == '\\' && text[at + 1] && text[at + 1] != '\n')
			at++;
	}
	return at;
}

void spelling_help_assigned(const struct lexer *lexer, struct diagnostic *diagnostic, const char *keyword,
			    uint32_t sign)
{
	const char *text = lexer->text;
	uint32_t begin = sign + 1;
	while (text[begin] == ' ' || text[begin] == '\t' || text[begin] == '[') /* a list has no brackets */
		begin++;
	uint32_t end = text[begin] == '"' ? string_end(text, begin)
					  : begin + (uint32_t)strcspn(text + begin, ENDS_WORD);
	while (end > begin && text[end - 1] == ']')
		end--;
	if (end == begin || end - begin > SHOWN_MAX)
		diag_help(diagnostic, "its value follows '%s' without a '%c'", keyword, text[sign]);
	else
		diag_help(diagnostic, "write it without the '%c': %s %.*s", text[sign], keyword,
			  (int)(end - begin), text + begin);
}

/* Not of a token in a line above, or before words that were skipped. */
static bool stands_behind(const struct lexer *lexer, uint32_t at, uint32_t end)
{
	return end + strspn(lexer->text + end, " \t") == at;
}

bool spelling_assignment(struct lexer *lexer, struct span place)
{
	const struct token *before = lexer_recent(lexer, 0);
	const struct keyword *keyword = keyword_of(before->kind);
	if (!keyword || lexer->parentheses || !stands_behind(lexer, place.begin, before->span.end))
		return false;
	const char *message = arena_printf(lexer->compilation->arena, "'=' after '%s'", keyword->word);
	struct diagnostic *diagnostic = report(lexer, DIAG_WORD, place, message);
	if (diagnostic)
		spelling_help_assigned(lexer, diagnostic, keyword->word, place.begin);
	return true;
}

/* ---- escapes ---- */

static struct diagnostic *report_escape(struct lexer *lexer, struct span place, size_t at, size_t size,
					const char *message)
{
	struct span where = { place.source, place.begin + (uint32_t)at, place.begin + (uint32_t)(at + size) };
	return report(lexer, DIAG_STRING, where, message);
}

static void help_escapes(struct diagnostic *diagnostic)
{
	diag_help(diagnostic, "a string knows \\\" \\\\ \\n \\t and \\u{HEX}");
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool may_be_escaped(uint32_t code)
{
	return !utf8_is_control(code) && !utf8_is_bidi(code) && !(code >= 0xd800 && code <= 0xdfff) &&
	       code <= 0x10ffff;
}

/* Reads `{HEX}` after `\u`; returns the bytes read with the `\u`. */
static size_t unescape_code(struct lexer *lexer, struct span place, size_t at)
{
	const char *bytes = lexer->text + place.begin + at;
	size_t left = place.end - place.begin - at, i = 3;
	uint32_t code = 0;
	while (i < left && hex_value(bytes[i]) >= 0 && code <= 0x10ffff)
		code = code * 16 + (uint32_t)hex_value(bytes[i++]);
	if (left < 3 || bytes[2] != '{' || i == 3 || i >= left || bytes[i] != '}') {
		help_escapes(report_escape(lexer, place, at, 2,
					   "'\\u' without a code in braces, such as \\u{e9}"));
		return 2;
	}
	if (!may_be_escaped(code)) {
		diag_help(report_escape(lexer, place, at, i + 1,
					"a code that no string may hold: NUL, control, bidirectional or no "
					"character"),
			  "leave it out: a reviewer must see what the compiler sees");
		return i + 1;
	}
	utf8_add(&lexer->unescaped, code);
	return i + 1;
}

static size_t unescape(struct lexer *lexer, struct span place, size_t at)
{
	char c = lexer->text[place.begin + at + 1];
	if (c == 'u')
		return unescape_code(lexer, place, at);
	if (c == '"' || c == '\\')
		strbuf_add_char(&lexer->unescaped, c);
	else if (c == 'n')
		strbuf_add_char(&lexer->unescaped, '\n');
	else if (c == 't')
		strbuf_add_char(&lexer->unescaped, '\t');
	else
		help_escapes(report_escape(lexer, place, at, 2, "an unknown escape"));
	return 2;
}

/* ---- strings and words that touch ---- */

static bool ends_word(char c)
{
	return !c || strchr(ENDS_WORD, c);
}

/* All that stands without a blank around the string at `place`. */
static struct span touching_span(const char *text, struct span place)
{
	while (place.begin && text[place.begin - 1] != '"' && !ends_word(text[place.begin - 1]))
		place.begin--;
	while (!ends_word(text[place.end]))
		place.end = text[place.end] == '"' ? string_end(text, place.end) : place.end + 1;
	return place;
}

/* Whether the bytes begin with a keyword and then a string: `because"…"`. */
static bool is_keyword_before_string(const char *bytes, size_t size)
{
	const char *quote = memchr(bytes, '"', size);
	size_t length = quote ? (size_t)(quote - bytes) : 0, count;
	const struct keyword *keywords = keywords_all(&count);
	for (size_t i = 0; length && i < count; i++)
		if (strlen(keywords[i].word) == length && memcmp(keywords[i].word, bytes, length) == 0)
			return true;
	return false;
}

static void report_touching(struct lexer *lexer, struct span place)
{
	const char *bytes = lexer->source->text + place.begin;
	size_t size = place.end - place.begin;
	struct diagnostic *diagnostic =
		report(lexer, DIAG_WORD, place, "a word and a string with no blank between them");
	if (diagnostic && is_keyword_before_string(bytes, size)) {
		diag_help(diagnostic, "put a blank between them");
		return;
	}
	if (!diagnostic || size > SHOWN_MAX || memchr(bytes, '\\', size)) {
		diag_help(diagnostic, "put a blank between them, or make them one string");
		return;
	}
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < size; i++)
		if (bytes[i] != '"')
			strbuf_add_char(&text, bytes[i]);
	diag_help(diagnostic, "put a blank between them, or make them one string: \"%s\"", text.bytes);
	strbuf_release(&text);
}

/* One look to each side of every string finds all pairs, whichever stands first. */
static void check_touching(struct lexer *lexer, struct span place)
{
	const char *text = lexer->source->text;
	bool before = place.begin && !ends_word(text[place.begin - 1]);
	if (!before && ends_word(text[place.end]))
		return;
	if (lexer->reported && !lexer->at_line_start)
		lexer->token_reported = true; /* of a long run, the first said it */
	else
		report_touching(lexer, touching_span(text, place));
}

/* ---- strings ---- */

static const char *unescaped(struct lexer *lexer, struct span place)
{
	const char *bytes = lexer->text + place.begin;
	size_t size = place.end - place.begin - 1; /* up to the closing quote */
	lexer->unescaped.size = 0;
	for (size_t at = 1; at < size;) {
		const char *escape = memchr(bytes + at, '\\', size - at);
		size_t plain = escape ? (size_t)(escape - bytes) : size;
		strbuf_add(&lexer->unescaped, bytes + at, plain - at);
		at = escape ? plain + unescape(lexer, place, plain) : size;
	}
	return text_of(lexer, lexer->unescaped.bytes, lexer->unescaped.size);
}

const char *spelling_string(struct lexer *lexer, struct span place)
{
	check_touching(lexer, place);
	const char *bytes = lexer->text + place.begin + 1;
	size_t size = place.end - place.begin - 2;
	if (memchr(bytes, '\\', size))
		return unescaped(lexer, place);
	return text_of(lexer, bytes, size);
}

const char *spelling_open_string(struct lexer *lexer, struct span *place)
{
	const char *bytes = lexer->text + place->begin;
	size_t size = place->end - place->begin;
	while (size > 1 && (bytes[size - 1] == ' ' || bytes[size - 1] == '\t'))
		size--;
	if (size > 2 && (bytes[size - 1] == '{' || bytes[size - 1] == '}') && bytes[size - 2] == ' ')
		size -= 2;
	place->end = place->begin + (uint32_t)size;
	struct diagnostic *diagnostic =
		report(lexer, DIAG_STRING, *place, "a string without its closing '\"'");
	diag_help(diagnostic, "a string begins and ends with '\"' on one line");
	return text_of(lexer, bytes + 1, size - 1);
}

/* ---- comments ---- */

bool spelling_foreign_comment(struct lexer *lexer, struct span place, bool bracketed)
{
	struct span sign = { place.source, place.begin, place.begin + 2 };
	diag_help(report(lexer, DIAG_WORD, sign,
			 bracketed ? "'/*' is no comment here" : "'//' is no comment here"),
		  "a comment begins with '#'; a word that begins so stands in quotes");
	const char *after = lexer->text + sign.end;
	if (bracketed && !lexer->no_comment_end)
		lexer->comment_has_end = memmem(after, lexer->source->size - sign.end, "*/", 2) != NULL;
	else
		lexer->comment_has_end = false;
	if (bracketed)
		lexer->no_comment_end = !lexer->comment_has_end;
	return bracketed;
}
