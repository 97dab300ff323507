/*
 * Growing text. The buffer owns its bytes; strbuf_release() frees them. `bytes` is NUL-terminated at
 * `bytes[size]` at all times, also when empty, and may hold NULs before that. Running out of memory
 * ends the process.
 */
#ifndef ALLOWC_BASE_STRBUF_H
#define ALLOWC_BASE_STRBUF_H

#include <stddef.h>
#include <string.h>

struct arena;

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

/* A copy of the text, in the arena; leaves the buffer empty and usable. */
char *strbuf_keep(struct strbuf *buffer, struct arena *arena);

void strbuf_grow(struct strbuf *buffer, size_t more); /* whether or not there is room */

/* Called for every piece of an artifact, and seldom has to grow. */
static inline void strbuf_reserve(struct strbuf *buffer, size_t more)
{
	if (buffer->capacity - buffer->size <= more)
		strbuf_grow(buffer, more);
}

void strbuf_add(struct strbuf *buffer, const void *bytes, size_t size);
void strbuf_add_char(struct strbuf *buffer, char c);

/* Of a literal the size is known where it stands, and copying it is a move or two. */
static inline void strbuf_add_text(struct strbuf *buffer, const char *text)
{
	size_t size = strlen(text);
	strbuf_reserve(buffer, size);
	memcpy(buffer->bytes + buffer->size, text, size);
	buffer->size += size;
	buffer->bytes[buffer->size] = '\0';
}

void strbuf_add_fill(struct strbuf *buffer, char c, size_t count);
void strbuf_printf(struct strbuf *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
