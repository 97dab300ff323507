/*
 * Text into artifacts: one function for each target language. Whatever the text holds (quotes, `*` next
 * to `/`, trigraphs, `{{`, `%s`, line ends, any length), the target language reads back exactly that
 * text, and the artifact keeps its lines. Nothing else in backends/ may add text that came from a policy
 * (scripts/lint-quoting). All append to `out`; `text` is NUL-terminated UTF-8. Bytes that are no UTF-8
 * can only come from a file's name: quote_c keeps them, the others show or replace them.
 */
#ifndef ALLOWC_BACKENDS_QUOTE_H
#define ALLOWC_BACKENDS_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/*
 * A string literal of C99 and C++11, with its quotes, in plain ASCII. Text of more than QUOTE_C_PIECE
 * bytes becomes several adjacent literals, for compilers that limit one token. The joined literal may
 * still be longer than the QUOTE_C_PORTABLE bytes that C99 guarantees: gcc and clang take it and, under
 * -pedantic, say so (-Woverlength-strings); the emitter of such a text silences them.
 */
enum { QUOTE_C_PIECE = 4000, QUOTE_C_PORTABLE = 4095 };
void quote_c(struct strbuf *out, const char *text);

/* What stands in `out` from `begin` on, once more: text that was quoted there. */
void quote_again(struct strbuf *out, size_t begin, size_t size);

/* Inside a block comment of C, on one line. A blank must stand before and after it. For readers only. */
void quote_c_comment(struct strbuf *out, const char *text);

/* A C identifier as it is; it must be one (an assertion). */
void quote_c_identifier(struct strbuf *out, const char *identifier);

/*
 * C text of our own with a policy's identifier in it: `@` becomes the identifier, `$` the same in upper
 * case. `template` is a literal at each call.
 */
void quote_c_template(struct strbuf *out, const char *template, const char *identifier);

/*
 * A string literal of Python, as `ruff format` leaves it: double quotes, unless the text has more of
 * them than single ones.
 */
void quote_python(struct strbuf *out, const char *text);

/* Inside a docstring with double quotes, on one line. */
void quote_python_docstring(struct strbuf *out, const char *text);

/* A scalar of YAML: plain where versions 1.1 and 1.2 both read it as exactly that string, else "…". */
void quote_yaml(struct strbuf *out, const char *text);

/*
 * Whether all readers of YAML take the plain scalar for text: not for a number, a date, a truth value or
 * null.
 */
bool quote_yaml_is_text(const char *text);

/* A string of JSON, with its quotes. */
void quote_json(struct strbuf *out, const char *text);

/* A string of a policy, with its quotes. Characters that it cannot hold are shown: \u{202e}. For reasons. */
void quote_allow(struct strbuf *out, const char *text);

/* One line of plain text, or of a comment that ends with its line. For readers only. */
void quote_text_line(struct strbuf *out, const char *text);

/*
 * One line of Markdown that shows as the text, also in a cell of a table: backslashes before what could be
 * markup, entities for `<` and `&`. _code: as a code span, where the text has nothing that could end one.
 */
void quote_markdown(struct strbuf *out, const char *text);
void quote_markdown_code(struct strbuf *out, const char *text);

/* Inside a comment of Markdown (or HTML), on one line. For readers only. */
void quote_markdown_comment(struct strbuf *out, const char *text);

/* Decimal digits, valid in every target language. */
void quote_number(struct strbuf *out, uint64_t number);

/* A constant of C of at least 64 bits without a sign, in hexadecimal digits; 0 is one digit. */
void quote_c_hex(struct strbuf *out, uint64_t number);

#endif
