#include "compiler/policy/encoding.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/utf8.h"

/* How far a line has been read: whether the next character stands in a string or a comment. */
struct line_state {
	bool in_string, in_comment, escaped;
	bool word_begins; /* a '#' here would begin a comment */
};

struct checker {
	struct compilation *compilation;
	const struct source *source;
	char *copy; /* NULL until the first error */
	struct encoding_errors errors;
	struct line_state state; /* before the byte at `state_at` */
	size_t state_at;
};

static bool is_plain(unsigned char byte)
{
	return (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\t';
}

static bool is_carriage_return_of_line_end(const struct source *source, size_t at)
{
	return source->text[at] == '\r' && at + 1 < source->size && source->text[at + 1] == '\n';
}

/* Eight bytes at once: whether each is printable ASCII. A blank is the least of those. */
static bool word_printable(const char *bytes)
{
	const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
	uint64_t word;
	memcpy(&word, bytes, sizeof word);
	uint64_t below_blank = word - ones * 0x20; /* sets a byte's top bit where it borrows */
	uint64_t above_tilde = word + ones;        /* or where it is DEL */
	return !((word | below_blank | above_tilde) & tops);
}

/* The next byte that is not plain, from `at` on, or the text's size. */
static size_t next_unusual(const struct source *source, size_t at)
{
	while (at < source->size) {
		while (source->size - at >= 8 && word_printable(source->text + at))
			at += 8;
		size_t end = source->size - at >= 8 ? at + 8 : source->size;
		for (; at < end; at++)
			if (!is_plain((unsigned char)source->text[at]))
				return at;
	}
	return at;
}

static void state_step(struct line_state *state, char c)
{
	if (c == '\n') {
		*state = (struct line_state){ .word_begins = true };
	} else if (state->in_comment) {
		return;
	} else if (state->in_string) {
		if (c == '"' && !state->escaped)
			state->in_string = false;
		state->escaped = c == '\\' && !state->escaped;
		state->word_begins = true;
	} else {
		state->in_comment = c == '#' && state->word_begins;
		state->in_string = c == '"';
		state->word_begins = c && strchr(" \t\r{}()&|,;<>", c);
	}
}

/* Whether the character at `at` stands in a string. Asked in order, each byte is looked at once. */
static bool in_string(struct checker *checker, size_t at)
{
	const char *text = checker->source->text;
	const char *line_end = memrchr(text + checker->state_at, '\n', at - checker->state_at);
	if (line_end)
		checker->state_at = (size_t)(line_end - text);
	for (; checker->state_at < at; checker->state_at++)
		state_step(&checker->state, text[checker->state_at]);
	return checker->state.in_string;
}

static const char *way_out(uint32_t code)
{
	if (code == '\r')
		return "end each line with LF or CRLF";
	if (utf8_is_control(code))
		return "remove it";
	if (utf8_is_bidi(code))
		return "remove it: it makes a line read differently from what it says";
	if (code == 0xa0 || code == 0x202f || code == 0x2028 || code == 0x2029)
		return "write an ordinary blank or line end";
	return "remove it: nobody can see it";
}

static const char *what_it_is(uint32_t code)
{
	if (code == 0)
		return "a NUL";
	if (code == '\r')
		return "a carriage return without a line feed";
	if (utf8_is_control(code))
		return "a control character";
	if (utf8_is_bidi(code))
		return "a bidirectional control";
	return "an invisible character";
}

static void note_error(struct checker *checker, size_t at, size_t length)
{
	struct encoding_errors *errors = &checker->errors;
	errors->offsets = arena_grow(checker->compilation->arena, errors->offsets, errors->count,
				     &errors->capacity, sizeof *errors->offsets);
	errors->offsets[errors->count++] = (uint32_t)at;
	if (!checker->copy)
		checker->copy = arena_copy(checker->compilation->arena, checker->source->text,
					   checker->source->size);
	memset(checker->copy + at, ' ', length);
	errors->text = checker->copy;
}

static struct span span_at(const struct checker *checker, size_t at, size_t length)
{
	return (struct span){ checker->source, (uint32_t)at, (uint32_t)(at + length) };
}

static void report_bytes(struct checker *checker, size_t at)
{
	struct diagnostic *diagnostic =
		diag_report(checker->compilation->diags, DIAG_ENCODING, span_at(checker, at, 1),
			    "byte 0x%02x is no UTF-8", (unsigned)(unsigned char)checker->source->text[at]);
	diag_help(diagnostic, "save the file as UTF-8");
	note_error(checker, at, 1);
}

static void report_character(struct checker *checker, size_t at, size_t length, uint32_t code)
{
	struct diagnostic *diagnostic =
		diag_report(checker->compilation->diags, DIAG_ENCODING, span_at(checker, at, length),
			    "%s, U+%04X", what_it_is(code), (unsigned)code);
	diag_help(diagnostic, "%s", way_out(code));
	note_error(checker, at, length);
}

/* Checks the character at `at` and returns its bytes. */
static size_t check_character(struct checker *checker, size_t at)
{
	const struct source *source = checker->source;
	uint32_t code;
	size_t length = utf8_decode(source->text + at, source->size - at, &code);
	if (!length) {
		report_bytes(checker, at);
		return 1;
	}
	bool line_end = is_carriage_return_of_line_end(source, at);
	if ((utf8_is_control(code) && !line_end) || utf8_is_bidi(code) ||
	    (utf8_is_invisible(code) && !in_string(checker, at)))
		report_character(checker, at, length, code);
	return length;
}

/* Whether the text's first bytes are NUL at even places (`first` 0) or at odd ones (1), and only there. */
static bool alternates_with_nul(const struct source *source, size_t first)
{
	enum { LOOKED_AT = 8, FEWEST = 4 };
	size_t end = source->size < LOOKED_AT ? source->size : LOOKED_AT;
	for (size_t at = 0; at < end; at++)
		if ((source->text[at] == '\0') != (at % 2 == first))
			return false;
	return end >= FEWEST;
}

/*
 * As iconv calls it; NULL where it is none. A byte order mark says it for any text; without one, every other
 * byte of plain text is NUL.
 */
static const char *utf16_name(const struct source *source)
{
	bool marked = source->size >= 2 && (memcmp(source->text, "\xff\xfe", 2) == 0 ||
					    memcmp(source->text, "\xfe\xff", 2) == 0);
	if (marked)
		return "UTF-16";
	if (alternates_with_nul(source, 0))
		return "UTF-16BE";
	return alternates_with_nul(source, 1) ? "UTF-16LE" : NULL;
}

/* Nothing is left to be read. */
static void text_refuse(struct checker *checker)
{
	note_error(checker, 0, checker->source->size);
	checker->errors.no_text = true;
}

/* Every character of it would be a mistake: one message. */
bool encoding_refuses_utf16(struct compilation *compilation, const struct source *source)
{
	const char *name = utf16_name(source);
	if (!name)
		return false;
	struct diagnostic *d = diag_report(compilation->diags, DIAG_ENCODING, (struct span){ source, 0, 2 },
					   "this is UTF-16, not UTF-8");
	diag_help(d, "save the file as UTF-8, in an editor or by: iconv -f %s -t UTF-8", name);
	return true;
}

static void report_binary(struct checker *checker)
{
	diag_help(diag_report(checker->compilation->diags, DIAG_ENCODING, span_at(checker, 0, 0),
			      "this is a binary file, and a policy is text"),
		  "name the file in which the policy is written");
	text_refuse(checker);
}

/*
 * Where the first line that is too long begins; the text's size without one. From the start of a line the
 * last line end within reach is looked for, so that hardly a byte is looked at.
 */
static size_t long_line_find(const struct source *source)
{
	size_t begin = 0;
	while (source->size - begin > LINE_SIZE_MAX) {
		const char *end = memrchr(source->text + begin, '\n', LINE_SIZE_MAX + 1);
		if (!end)
			return begin;
		begin = (size_t)(end - source->text) + 1;
	}
	return source->size;
}

static void report_long_line(struct checker *checker, size_t begin)
{
	diag_help(diag_report(checker->compilation->diags, DIAG_LIMIT, span_at(checker, begin, 1),
			      "this line is longer than %d MiB", LINE_SIZE_MAX / MIB),
		  "divide it: a list goes on in the next line after a ','");
	text_refuse(checker);
}

struct encoding_errors encoding_check(struct compilation *compilation, const struct source *source)
{
	struct checker checker = { .compilation = compilation, .source = source };
	checker.errors.text = source->text;
	size_t long_line = long_line_find(source);
	if (encoding_refuses_utf16(compilation, source))
		text_refuse(&checker);
	else if (source_is_binary(source))
		report_binary(&checker);
	else if (long_line < source->size)
		report_long_line(&checker, long_line);
	if (checker.errors.no_text)
		return checker.errors;
	checker.state.word_begins = true;
	for (size_t at = next_unusual(source, 0); at < source->size; at = next_unusual(source, at))
		at += check_character(&checker, at);
	return checker.errors;
}
