/*
 * Growing text. The buffer owns its bytes; strbuf_release() frees them. `bytes` is NUL-terminated at
 * `bytes[size]` at all times, also when empty, and may hold NULs before that. Running out of memory
 * ends the process.
 */
#ifndef ALLOWC_BASE_STRBUF_H
#define ALLOWC_BASE_STRBUF_H

#include <stddef.h>
#include <string.h>

struct strbuf {
	char *bytes;
	size_t size, capacity;
};

/* What an empty buffer points at; never written to. */
extern char strbuf_empty[1];

#define STRBUF_INIT { .bytes = strbuf_empty }

void strbuf_release(struct strbuf *buffer); /* leaves it empty and usable */

/* The bytes, which are the caller's to free(); leaves the buffer empty and usable. */
char *strbuf_detach(struct strbuf *buffer);

void strbuf_reserve(struct strbuf *buffer, size_t more);
void strbuf_add(struct strbuf *buffer, const void *bytes, size_t size);
void strbuf_add_char(struct strbuf *buffer, char c);

/* Here, so that the size of a literal is known where it stands. */
static inline void strbuf_add_text(struct strbuf *buffer, const char *text)
{
	strbuf_add(buffer, text, strlen(text));
}

void strbuf_add_fill(struct strbuf *buffer, char c, size_t count);
void strbuf_printf(struct strbuf *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
