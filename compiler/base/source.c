#include "compiler/base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"

struct line_index {
	struct arena *arena;
	uint32_t *starts; /* NULL until the first use */
	size_t count;
	/* The place asked for last: 100,000 messages on one line must not each count from its start. */
	uint32_t last_offset, last_column;
};

struct sources {
	struct arena *arena;
	struct source **items;
	size_t count, capacity;
	struct map *paths;
};

struct sources *sources_new(struct arena *arena)
{
	struct sources *sources = arena_alloc(arena, sizeof *sources);
	sources->arena = arena;
	sources->paths = map_new(arena, 0);
	return sources;
}

size_t sources_count(const struct sources *sources)
{
	return sources->count;
}

const struct source *sources_get(const struct sources *sources, size_t index)
{
	return sources->items[index];
}

struct source *sources_add(struct sources *sources, const char *path, const char *text, size_t size)
{
	static const char bom[] = "\xef\xbb\xbf";
	if (size >= 3 && memcmp(text, bom, 3) == 0) {
		text += 3;
		size -= 3;
	}
	struct source *source = arena_alloc(sources->arena, sizeof *source);
	source->path = arena_copy(sources->arena, path, strlen(path));
	source->text = text;
	source->size = size;
	source->index = (unsigned)sources->count;
	source->lines = arena_alloc(sources->arena, sizeof *source->lines);
	source->lines->arena = sources->arena;
	sources->items = arena_grow(sources->arena, sources->items, sources->count, &sources->capacity,
				    sizeof(struct source *));
	sources->items[sources->count++] = source;
	*map_at(sources->paths, source->path, strlen(source->path)) = source;
	return source;
}

static int read_all(int fd, struct strbuf *out)
{
	for (;;) {
		strbuf_reserve(out, 64 * 1024);
		ssize_t got = read(fd, out->bytes + out->size, out->capacity - out->size - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (got == 0)
			return 0;
		out->size += (size_t)got;
		out->bytes[out->size] = '\0';
		if (out->size > SOURCE_SIZE_MAX)
			return EFBIG;
	}
}

/* A text that is being read. */
struct reading {
	struct arena *arena; /* where it goes */
	char *bytes;
	size_t size;
};

/* Of a pipe, or of a file that is not as long as it says. */
static int read_growing(struct reading *reading, int fd)
{
	struct strbuf text = STRBUF_INIT;
	int error = read_all(fd, &text);
	if (!error) {
		reading->bytes = arena_copy(reading->arena, text.bytes, text.size);
		reading->size = text.size;
	}
	strbuf_release(&text);
	return error;
}

/*
 * Straight to its place. One byte more than the file has is asked for: the read that brings exactly its
 * size has seen the end.
 */
static int read_plain(struct reading *reading, int fd, size_t expected)
{
	char *bytes = arena_alloc(reading->arena, expected + 1);
	ssize_t got;
	do
		got = read(fd, bytes, expected + 1);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno;
	if ((size_t)got != expected)
		return lseek(fd, 0, SEEK_SET) < 0 ? errno : read_growing(reading, fd);
	bytes[expected] = '\0';
	reading->bytes = bytes;
	reading->size = expected;
	return 0;
}

static int read_file(struct reading *reading, int fd)
{
	struct stat status;
	if (fstat(fd, &status) < 0)
		return errno;
	if (S_ISDIR(status.st_mode))
		return EISDIR;
	if (!S_ISREG(status.st_mode) || status.st_size <= 0)
		return read_growing(reading, fd);
	if (status.st_size > SOURCE_SIZE_MAX)
		return EFBIG;
	return read_plain(reading, fd, (size_t)status.st_size);
}

static int read_path(struct reading *reading, const char *path)
{
	if (strcmp(path, "-") == 0)
		return read_growing(reading, STDIN_FILENO);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	int error = read_file(reading, fd);
	close(fd);
	return error;
}

struct source *sources_load(struct sources *sources, const char *path)
{
	const char *shown = strcmp(path, "-") == 0 ? "<stdin>" : path;
	struct source *known = map_value(sources->paths, shown, strlen(shown));
	if (known)
		return known;
	struct reading reading = { .arena = sources->arena };
	int error = read_path(&reading, path);
	struct source *source = error ? NULL : sources_add(sources, shown, reading.bytes, reading.size);
	errno = error;
	return source;
}

static size_t left_of(const struct source *source, const char *at)
{
	return source->size - (size_t)(at - source->text);
}

static struct line_index *lines_of(const struct source *source)
{
	struct line_index *lines = source->lines;
	if (lines->starts)
		return lines;
	size_t count = 1;
	for (const char *at = source->text; (at = memchr(at, '\n', left_of(source, at))); at++)
		count++;
	lines->starts = arena_array(lines->arena, count, sizeof *lines->starts);
	lines->last_column = 1;
	lines->count = 1;
	for (const char *at = source->text; (at = memchr(at, '\n', left_of(source, at))); at++)
		lines->starts[lines->count++] = (uint32_t)(at - source->text) + 1;
	return lines;
}

struct position source_position(const struct source *source, uint32_t offset)
{
	struct line_index *lines = lines_of(source);
	size_t low = 0, high = lines->count; /* the line is in [low, high) */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (lines->starts[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	unsigned column = 1;
	uint32_t from = lines->starts[low];
	if (from <= lines->last_offset && lines->last_offset <= offset) {
		column = lines->last_column;
		from = lines->last_offset;
	}
	for (uint32_t i = from; i < offset && i < source->size; i++)
		column += ((unsigned char)source->text[i] & 0xc0) != 0x80;
	lines->last_offset = offset;
	lines->last_column = column;
	return (struct position){ (unsigned)low + 1, column };
}

struct span source_line(const struct source *source, unsigned line)
{
	const struct line_index *lines = lines_of(source);
	uint32_t begin = lines->starts[line - 1];
	uint32_t end = line < lines->count ? lines->starts[line] - 1 : (uint32_t)source->size;
	if (end > begin && source->text[end - 1] == '\r')
		end--;
	return (struct span){ source, begin, end };
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

char *path_beside(struct arena *arena, const char *base, const char *relative)
{
	size_t folder = relative[0] == '/' ? 0 : (size_t)(path_base(base) - base);
	return arena_printf(arena, "%.*s%s", (int)folder, base, relative);
}
