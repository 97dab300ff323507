#include "compiler/base/reading.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"

enum { STEP = 64 * 1024 };

bool is_worth_another_try(int fd, short events)
{
	struct pollfd wanted = { .fd = fd, .events = events };
	if (errno == EAGAIN && poll(&wanted, 1, -1) > 0)
		return true;
	return errno == EINTR;
}

static ssize_t read_some(int fd, char *bytes, size_t size)
{
	ssize_t got;
	do
		got = read(fd, bytes, size);
	while (got < 0 && is_worth_another_try(fd, POLLIN));
	return got;
}

static int read_on(int fd, size_t most, struct strbuf *out)
{
	while (out->size <= most) {
		strbuf_reserve(out, STEP);
		ssize_t got = read_some(fd, out->bytes + out->size, STEP);
		if (got < 0)
			return errno;
		if (got == 0)
			return 0;
		out->size += (size_t)got;
		out->bytes[out->size] = '\0';
	}
	return EFBIG;
}

/* Of a pipe, or of a file that is longer than it said: `begun` was read from it already. */
static int read_growing(struct arena *arena, int fd, size_t most, struct reading begun,
			struct reading *reading)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add(&text, begun.bytes, begun.size);
	int error = read_on(fd, most, &text);
	if (!error)
		*reading = (struct reading){ .bytes = arena_copy(arena, text.bytes, text.size),
					     .size = text.size };
	strbuf_release(&text);
	return error;
}

/*
 * Straight to its place. One byte more than the file has is asked for: the read that brings exactly its
 * size has seen the end, which is one system call fewer for each file.
 */
int reading_take(struct arena *arena, int fd, size_t expected, size_t most, struct reading *reading)
{
	if (expected > most)
		return EFBIG;
	if (!expected)
		return read_growing(arena, fd, most, (struct reading){ .bytes = "" }, reading);
	char *bytes = arena_alloc(arena, expected + 1);
	size_t size = 0;
	while (size < expected) {
		ssize_t got = read_some(fd, bytes + size, expected + 1 - size);
		if (got < 0)
			return errno;
		if (got == 0)
			break;
		size += (size_t)got;
	}
	if (size > expected)
		return read_growing(arena, fd, most, (struct reading){ .bytes = bytes, .size = size },
				    reading);
	bytes[size] = '\0';
	*reading = (struct reading){ .bytes = bytes, .size = size };
	return 0;
}
