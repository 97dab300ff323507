#include "compiler/base/strbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/base/arena.h"
#include "compiler/base/die.h"

char strbuf_empty[1];

void strbuf_release(struct strbuf *buffer)
{
	if (buffer->capacity)
		free(buffer->bytes);
	*buffer = (struct strbuf){ .bytes = strbuf_empty };
}

char *strbuf_detach(struct strbuf *buffer)
{
	strbuf_reserve(buffer, 0); /* an empty one has no memory yet */
	char *bytes = buffer->bytes;
	*buffer = (struct strbuf){ .bytes = strbuf_empty };
	return bytes;
}

char *strbuf_keep(struct strbuf *buffer, struct arena *arena)
{
	char *kept = arena_copy(arena, buffer->bytes, buffer->size);
	strbuf_release(buffer);
	return kept;
}

void strbuf_grow(struct strbuf *buffer, size_t more)
{
	if (more >= SIZE_MAX / 2 - buffer->size)
		die_out_of_memory();
	size_t needed = buffer->size + more + 1;
	size_t capacity = buffer->capacity ? buffer->capacity : 64;
	while (capacity < needed)
		capacity *= 2;
	char *bytes = realloc(buffer->capacity ? buffer->bytes : NULL, capacity);
	if (!bytes)
		die_out_of_memory();
	bytes[buffer->size] = '\0';
	buffer->bytes = bytes;
	buffer->capacity = capacity;
}

void strbuf_add(struct strbuf *buffer, const void *bytes, size_t size)
{
	if (!size)
		return;
	strbuf_reserve(buffer, size);
	memcpy(buffer->bytes + buffer->size, bytes, size);
	buffer->size += size;
	buffer->bytes[buffer->size] = '\0';
}

void strbuf_add_char(struct strbuf *buffer, char c)
{
	strbuf_reserve(buffer, 1);
	buffer->bytes[buffer->size++] = c;
	buffer->bytes[buffer->size] = '\0';
}

void strbuf_add_fill(struct strbuf *buffer, char c, size_t count)
{
	if (!count)
		return;
	strbuf_reserve(buffer, count);
	memset(buffer->bytes + buffer->size, c, count);
	buffer->size += count;
	buffer->bytes[buffer->size] = '\0';
}

void strbuf_printf(struct strbuf *buffer, const char *format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	strbuf_reserve(buffer, 64);
	size_t room = buffer->capacity - buffer->size;
	int length = vsnprintf(buffer->bytes + buffer->size, room, format, arguments);
	if (length < 0)
		die_out_of_memory();
	if ((size_t)length >= room) {
		strbuf_reserve(buffer, (size_t)length);
		vsnprintf(buffer->bytes + buffer->size, (size_t)length + 1, format, again);
	}
	va_end(again);
	va_end(arguments);
	buffer->size += (size_t)length;
}
