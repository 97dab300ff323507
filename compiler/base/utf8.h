/*
 * UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#ifndef ALLOWC_BASE_UTF8_H
#define ALLOWC_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* The bytes of the first character (1 to 4), its code in `*code`; 0 where they are no UTF-8. */
size_t utf8_decode(const char *bytes, size_t size, uint32_t *code);

/* Adds one character. `code` is a valid scalar value. */
void utf8_add(struct strbuf *out, uint32_t code);

/* C0 controls except tab and line feed, DEL, and C1 controls. */
bool utf8_is_control(uint32_t code);

/* Bidirectional marks, embeddings, overrides and isolates. */
bool utf8_is_bidi(uint32_t code);

/* What shows nothing or only a gap: no-break and zero-width spaces, joiners, fillers, tags, U+2028 … */
bool utf8_is_invisible(uint32_t code);

/* The size of what is text at the beginning: UTF-8 without a NUL. All of it is, where that is `size`. */
size_t utf8_text_size(const char *bytes, size_t size);

/* The characters of a text of UTF-8. */
size_t utf8_length(const char *text);

/* Whether more than two of three bytes are control characters: UTF-16 has about one of two. */
bool utf8_is_binary(const char *bytes, size_t size);

#endif
