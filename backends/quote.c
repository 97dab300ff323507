#include "backends/quote.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "compiler/base/ascii.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/utf8.h"

/* Printable ASCII but the backslash: what no language's quotes need to escape, the quotes apart. */
static bool is_plain(char c)
{
	return c >= 0x20 && c < 0x7f && c != '\\';
}

/* Which bytes of eight are `value`: their high bits. One above such a byte may seem to be, too. */
static uint64_t bytes_that_are(uint64_t word, char value)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t rest = word ^ ones * (unsigned char)value;
	return (rest - ones) & ~rest;
}

/* is_plain() of all eight, and none of them `quote` or `other`. */
static bool are_plain(const char *text, char quote, char other)
{
	const uint64_t high_bits = 0x8080808080808080u, blanks = 0x2020202020202020u;
	uint64_t word;
	memcpy(&word, text, sizeof word);
	uint64_t unusual = word | ((word - blanks) & ~word) | bytes_that_are(word, 0x7f) |
			   bytes_that_are(word, '\\') | bytes_that_are(word, quote) |
			   bytes_that_are(word, other);
	return !(unusual & high_bits);
}

/* How many bytes at the start are plain, and neither `quote` nor `other`: nearly always all. */
static size_t plain_size(const char *text, size_t size, char quote, char other)
{
	size_t at = 0;
	while (size - at >= sizeof(uint64_t) && are_plain(text + at, quote, other))
		at += sizeof(uint64_t);
	while (at < size && is_plain(text[at]) && text[at] != quote && text[at] != other)
		at++;
	return at;
}

/* ---- C ---- */

/*
 * Rows of a big policy make megabytes of literals, so these write into room that was reserved once, and
 * a byte that needs no escape costs no call.
 */
enum { C_ESCAPE_MAX = 4 };

static char *put_c_byte(char *end, unsigned char byte)
{
	switch (byte) {
	case '"':
		return stpcpy(end, "\\\"");
	case '\\':
		return stpcpy(end, "\\\\");
	case '\n':
		return stpcpy(end, "\\n");
	case '\t':
		return stpcpy(end, "\\t");
	}
	/* Three octal digits always: a hexadecimal escape, or a shorter one, would swallow the next digit. */
	*end++ = '\\';
	*end++ = (char)('0' + (byte >> 6));
	*end++ = (char)('0' + (byte >> 3 & 7));
	*end++ = (char)('0' + (byte & 7));
	return end;
}

static void add_c_piece(struct strbuf *out, const char *text, size_t size)
{
	strbuf_reserve(out, size * C_ESCAPE_MAX + strlen("\"\""));
	char *end = out->bytes + out->size;
	*end++ = '"';
	for (size_t at = 0; at < size; at++) {
		size_t run = plain_size(text + at, size - at, '"', '?');
		memcpy(end, text + at, run);
		end += run;
		at += run;
		if (at == size)
			break;
		if (text[at] != '?')
			end = put_c_byte(end, (unsigned char)text[at]);
		else /* no two question marks side by side, so that none begin a trigraph */
			end = stpcpy(end, at && text[at - 1] == '?' ? "\\?" : "?");
	}
	*end++ = '"';
	*end = '\0';
	out->size = (size_t)(end - out->bytes);
}

void quote_c(struct strbuf *out, const char *text)
{
	size_t size = strlen(text);
	while (size > QUOTE_C_PIECE) {
		add_c_piece(out, text, QUOTE_C_PIECE);
		strbuf_add_char(out, ' ');
		text += QUOTE_C_PIECE;
		size -= QUOTE_C_PIECE;
	}
	add_c_piece(out, text, size);
}

void quote_again(struct strbuf *out, size_t begin, size_t size)
{
	strbuf_reserve(out, size); /* it does not move while it is read */
	strbuf_add(out, out->bytes + begin, size);
}

void quote_c_comment(struct strbuf *out, const char *text)
{
	/* What would end the comment, seem to open another, or splice lines, gets a backslash inside. */
	static const char *const pairs[] = { "*/", "/*", "??" };
	size_t begin = 0, at = 0;
	for (; text[at]; at++) {
		bool pair = false;
		for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
			pair |= at > begin && text[at - 1] == pairs[i][0] && text[at] == pairs[i][1];
		if (!pair)
			continue;
		text_add_visible(out, text + begin, at - begin);
		strbuf_add_char(out, '\\');
		/* The pair's second character may be the first of another: the backslash parts those too. */
		text_add_visible(out, text + at, 1);
		begin = at + 1;
		if (text[begin] == '*' || text[begin] == '/' || text[begin] == '?')
			strbuf_add_char(out, '\\');
	}
	text_add_visible(out, text + begin, at - begin);
}

static bool is_identifier(const char *text)
{
	if (!*text || ascii_is_digit(*text))
		return false;
	for (; *text; text++)
		if (!ascii_is_alnum(*text) && *text != '_')
			return false;
	return true;
}

void quote_c_identifier(struct strbuf *out, const char *identifier)
{
	assert(is_identifier(identifier));
	strbuf_add_text(out, identifier);
}

static void add_upper(struct strbuf *out, const char *identifier)
{
	size_t size = strlen(identifier);
	strbuf_reserve(out, size);
	for (size_t i = 0; i < size; i++)
		out->bytes[out->size + i] = ascii_upper(identifier[i]);
	out->size += size;
	out->bytes[out->size] = '\0';
}

void quote_c_template(struct strbuf *out, const char *template, const char *identifier)
{
	assert(is_identifier(identifier));
	for (;;) {
		size_t run = 0;
		while (template[run] && template[run] != '@' && template[run] != '$')
			run++;
		strbuf_add(out, template, run);
		template += run;
		if (!*template)
			return;
		if (*template ++ == '@')
			strbuf_add_text(out, identifier);
		else
			add_upper(out, identifier);
	}
}

/* ---- Python, YAML, JSON: what they share of "…" ---- */

static bool must_be_escaped(uint32_t code)
{
	return code == 0xfffe || code == 0xffff || utf8_is_control(code) || utf8_is_bidi(code) ||
	       utf8_is_invisible(code);
}

static void add_escaped(struct strbuf *out, uint32_t code)
{
	if (code == '\n')
		strbuf_add_text(out, "\\n");
	else if (code == '\t')
		strbuf_add_text(out, "\\t");
	else if (must_be_escaped(code))
		strbuf_printf(out, "\\u%04x", (unsigned)code); /* all of them are below U+10000 */
	else
		utf8_add(out, code);
}

/* What stands between `quote`s: every escape written here means the same in all three languages. */
static void add_between_quotes(struct strbuf *out, const char *text, char quote)
{
	size_t size = strlen(text);
	for (size_t at = 0; at < size;) {
		size_t run = plain_size(text + at, size - at, quote, quote);
		strbuf_add(out, text + at, run);
		at += run;
		if (at == size)
			break;
		if (text[at] == quote || text[at] == '\\') {
			strbuf_add_char(out, '\\');
			strbuf_add_char(out, text[at++]);
			continue;
		}
		uint32_t code;
		size_t length = utf8_decode(text + at, size - at, &code);
		add_escaped(out, length ? code : 0xfffd);
		at += length ? length : 1;
	}
}

static void add_quoted(struct strbuf *out, const char *text, char quote)
{
	strbuf_add_char(out, quote);
	add_between_quotes(out, text, quote);
	strbuf_add_char(out, quote);
}

static size_t count_of(const char *text, char wanted)
{
	size_t count = 0;
	while ((text = strchr(text, wanted))) {
		count++;
		text++;
	}
	return count;
}

void quote_python(struct strbuf *out, const char *text)
{
	size_t doubles = count_of(text, '"');
	add_quoted(out, text, doubles && doubles > count_of(text, '\'') ? '\'' : '"');
}

void quote_python_docstring(struct strbuf *out, const char *text)
{
	add_between_quotes(out, text, '"');
}

void quote_json(struct strbuf *out, const char *text)
{
	add_quoted(out, text, '"');
}

/* ---- YAML ---- */

/* Plain scalars of letters that some version, or a common reader, takes for null or a truth value. */
static bool is_yaml_word(const char *text)
{
	static const char *const words[] = { "y", "n", "yes", "no", "on", "off", "true", "false", "null" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *a = text, *b = words[i];
		while (*a && ascii_lower(*a) == *b)
			a++, b++;
		if (!*a && !*b)
			return true;
	}
	return false;
}

/*
 * Numbers in any base, with exponents or colons, and dates. The set is wider than both versions'
 * grammars: quotes where none were needed do no harm, the reverse does.
 */
static bool is_yaml_numeric(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	if (!digits)
		return false;
	if (digits >= 4 && text[digits] == '-')
		return true;
	return strspn(text, "0123456789abcdefABCDEFxXoO_.:+-") == strlen(text);
}

bool quote_yaml_is_text(const char *text)
{
	return *text && strcmp(text, "~") != 0 && !is_yaml_word(text) && !is_yaml_numeric(text);
}

static bool is_yaml_plain(const char *text)
{
	static const char inside[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=@%";
	if (!ascii_is_letter(*text) && !ascii_is_digit(*text) && *text != '_' && *text != '/')
		return false;
	return strspn(text, inside) == strlen(text) && quote_yaml_is_text(text);
}

void quote_yaml(struct strbuf *out, const char *text)
{
	if (is_yaml_plain(text))
		strbuf_add_text(out, text);
	else
		add_quoted(out, text, '"');
}

/* ---- policies ---- */

void quote_allow(struct strbuf *out, const char *text)
{
	struct strbuf line = STRBUF_INIT;
	text_add_visible(&line, text, strlen(text));
	strbuf_add_char(out, '"');
	for (size_t i = 0; i < line.size; i++) {
		if (line.bytes[i] == '"' || line.bytes[i] == '\\')
			strbuf_add_char(out, '\\');
		strbuf_add_char(out, line.bytes[i]);
	}
	strbuf_add_char(out, '"');
	strbuf_release(&line);
}

/* ---- lines and numbers ---- */

void quote_text_line(struct strbuf *out, const char *text)
{
	text_add_visible(out, text, strlen(text));
}

/* ---- Markdown ---- */

static void add_markdown(struct strbuf *out, char c)
{
	if (c == '<')
		strbuf_add_text(out, "&lt;");
	else if (c == '>')
		strbuf_add_text(out, "&gt;");
	else if (c == '&')
		strbuf_add_text(out, "&amp;");
	else {
		if (strchr("\\`*_[]|~!#$", c))
			strbuf_add_char(out, '\\');
		strbuf_add_char(out, c);
	}
}

void quote_markdown(struct strbuf *out, const char *text)
{
	struct strbuf line = STRBUF_INIT;
	text_add_visible(&line, text, strlen(text));
	for (size_t i = 0; i < line.size; i++)
		add_markdown(out, line.bytes[i]);
	strbuf_release(&line);
}

void quote_markdown_code(struct strbuf *out, const char *text)
{
	static const char inside[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=@%,: ()&<>";
	size_t size = strlen(text);
	if (!size || strspn(text, inside) != size || *text == ' ' || text[size - 1] == ' ') {
		quote_markdown(out, text);
		return;
	}
	strbuf_add_char(out, '`');
	strbuf_add(out, text, size);
	strbuf_add_char(out, '`');
}

/* No two dashes in a row: those could begin its end. */
void quote_markdown_comment(struct strbuf *out, const char *text)
{
	struct strbuf line = STRBUF_INIT;
	text_add_visible(&line, text, strlen(text));
	for (size_t i = 0; i < line.size; i++) {
		if (line.bytes[i] == '-' && i && line.bytes[i - 1] == '-')
			strbuf_add_char(out, ' ');
		strbuf_add_char(out, line.bytes[i]);
	}
	strbuf_release(&line);
}

void quote_number(struct strbuf *out, uint64_t number)
{
	size_t digits = 1;
	for (uint64_t rest = number; rest >= 10; rest /= 10)
		digits++;
	strbuf_reserve(out, digits);
	out->size += digits;
	char *at = out->bytes + out->size;
	*at = '\0';
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number);
}

void quote_c_hex(struct strbuf *out, uint64_t number)
{
	static const char end[] = "ULL";
	size_t bits = number ? 64 - (size_t)__builtin_clzll(number) : 1, digits = (bits + 3) / 4;
	strbuf_reserve(out, strlen("0x") + digits + sizeof end);
	char *at = out->bytes + out->size;
	*at++ = '0';
	*at++ = 'x';
	for (size_t i = digits; i-- > 0;)
		*at++ = "0123456789abcdef"[number >> 4 * i & 15];
	memcpy(at, end, sizeof end);
	out->size += strlen("0x") + digits + strlen(end);
}
