#include "compiler/base/source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/limits.h"
#include "compiler/base/map.h"
#include "compiler/base/pool.h"
#include "compiler/base/reading.h"
#include "compiler/base/utf8.h"

struct line_index {
	struct arena *arena;
	uint32_t *starts; /* of the lines that were found so far */
	size_t count, capacity;
	bool complete; /* there is no line behind them */
	/*
	 * Places asked for before: 100,000 messages on one line must not each count from its start. Two,
	 * since a message has its place and often a note with one further back, the same each time.
	 */
	struct counted {
		uint32_t offset, column;
	} counted[2];
	unsigned latest; /* of the two */
};

struct sources {
	struct arena *arena;
	const struct tree *tree;
	struct pool *pool; /* or NULL */
	struct source **items;
	size_t count, capacity;
	struct map *paths;
	struct source *standard_input; /* NULL until it is read; no path leads to it */
	int standard_input_error;      /* what is left of it after an error is another text */
};

struct sources *sources_new(struct arena *arena)
{
	struct sources *sources = arena_alloc(arena, sizeof *sources);
	sources->arena = arena;
	sources->tree = tree_of_files();
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

void sources_share(struct sources *sources, struct pool *pool)
{
	sources->pool = pool;
}

bool source_is_shared(const struct sources *sources, const struct source *source)
{
	return sources->pool && map_value(sources->pool->texts, source->path, strlen(source->path)) == source;
}

/* What a text is to this compilation. */
static void source_take(struct sources *sources, struct source *source)
{
	source->index = (unsigned)sources->count;
	source->extended_from = (struct span){ 0 };
	sources->items = arena_grow(sources->arena, sources->items, sources->count, &sources->capacity,
				    sizeof(struct source *));
	sources->items[sources->count++] = source;
}

static struct source *source_new(struct sources *sources, struct arena *arena, const char *path,
				 const char *text, size_t size)
{
	static const char bom[] = "\xef\xbb\xbf";
	bool has_bom = size >= 3 && memcmp(text, bom, 3) == 0;
	if (has_bom) {
		text += 3;
		size -= 3;
	}
	struct source *source = arena_alloc(arena, sizeof *source);
	source->path = arena_copy(arena, path, strlen(path));
	source->label = sources->tree->label;
	source->text = text;
	source->size = size;
	source->has_bom = has_bom;
	source->lines = arena_alloc(arena, sizeof *source->lines);
	source->lines->arena = arena;
	source_take(sources, source);
	return source;
}

struct source *sources_add(struct sources *sources, const char *path, const char *text, size_t size)
{
	struct source *source = source_new(sources, sources->arena, path, text, size);
	*map_at(sources->paths, source->path, strlen(source->path)) = source;
	return source;
}

void sources_read_from(struct sources *sources, const struct tree *tree)
{
	sources->tree = tree;
}

const struct tree *sources_tree(const struct sources *sources)
{
	return sources->tree;
}

bool file_identity_find(const char *path, struct file_identity *identity)
{
	const struct tree *files = tree_of_files();
	return files->identify(files, path, identity);
}

struct source *sources_add_shipped(struct sources *sources, const char *name, const char *text, size_t size)
{
	struct source *source = source_new(sources, sources->arena, name, text, size);
	source->shipped = true;
	return source;
}

static struct source *source_keep(struct sources *sources, struct arena *arena, const char *path,
				  const struct reading *reading, int error)
{
	struct source *source =
		error ? NULL : source_new(sources, arena, path, reading->bytes, reading->size);
	errno = error;
	return source;
}

/* What was read with another limit may be too large for this one. */
static struct source *known_source(struct source *source, size_t most)
{
	if (source->size <= most)
		return source;
	errno = EFBIG;
	return NULL;
}

static struct source *standard_input_load(struct sources *sources, size_t most)
{
	if (sources->standard_input)
		return known_source(sources->standard_input, most);
	struct reading reading = { 0 };
	int *error = &sources->standard_input_error;
	if (!*error)
		*error = reading_take(sources->arena, STDIN_FILENO, 0, most, &reading);
	sources->standard_input = source_keep(sources, sources->arena, "<stdin>", &reading, *error);
	return sources->standard_input;
}

static struct source *file_read(struct sources *sources, const char *path, enum tree_naming naming,
				size_t most)
{
	struct arena *arena = sources->pool ? sources->pool->arena : sources->arena;
	struct reading reading = { 0 };
	struct file_identity identity;
	const struct tree *tree = sources->tree;
	int error = tree->read(tree, arena, path, naming, most, &reading, &identity);
	struct source *source = source_keep(sources, arena, path, &reading, error);
	if (!source)
		return NULL;
	source->identity = identity;
	if (sources->pool && !reading.passing) /* where a policy names a pipe, that is a mistake */
		*map_at(sources->pool->texts, source->path, strlen(source->path)) = source;
	return source;
}

static struct source *file_load(struct sources *sources, const char *path, enum tree_naming naming,
				size_t most)
{
	struct source *source = map_value(sources->paths, path, strlen(path));
	if (source)
		return known_source(source, most);
	source = sources->pool ? map_value(sources->pool->texts, path, strlen(path)) : NULL;
	if (source && !known_source(source, most))
		return NULL;
	if (source)
		source_take(sources, source);
	else if (!(source = file_read(sources, path, naming, most)))
		return NULL;
	*map_at(sources->paths, source->path, strlen(source->path)) = source;
	return source;
}

struct source *sources_load(struct sources *sources, const char *path)
{
	return sources_load_up_to(sources, path, SOURCE_SIZE_MAX);
}

struct source *sources_load_up_to(struct sources *sources, const char *path, size_t most)
{
	return file_load(sources, path, NAMED_BY_POLICY, most);
}

struct source *sources_load_argument(struct sources *sources, const char *path)
{
	return sources_load_argument_up_to(sources, path, SOURCE_SIZE_MAX);
}

struct source *sources_load_argument_up_to(struct sources *sources, const char *path, size_t most)
{
	if (strcmp(path, "-") == 0 && sources->tree == tree_of_files())
		return standard_input_load(sources, most);
	return file_load(sources, path, NAMED_BY_PERSON, most);
}

const char *source_failure(struct arena *arena, int error, size_t most)
{
#define FETCH "in a partial clone 'git fetch --refetch --no-filter' brings what is missing"
	if (error == EREMOTE)
		return "its content is not in the repository; " FETCH;
	if (error == EPIPE) /* so it ends where it would fetch what is missing, which it may not */
		return "git ended before it answered; " FETCH;
#undef FETCH
	if (error == ENODEV)
		return "Not a regular file";
	return error == EFBIG ? arena_printf(arena, "it is larger than %zu MiB", most / MIB)
			      : strerror(error);
}

const char *source_argument_failure(struct arena *arena, int error, size_t most)
{
	if (error == EISDIR)
		return "Is a directory: name a file in it";
	return error == ENODEV ? "Neither a file nor a pipe" : source_failure(arena, error, most);
}

bool source_is_binary(const struct source *source)
{
	enum { LOOKED_AT = 512 };
	return utf8_is_binary(source->text, source->size < LOOKED_AT ? source->size : LOOKED_AT);
}

static size_t left_of(const struct source *source, const char *at)
{
	return source->size - (size_t)(at - source->text);
}

static struct line_index *lines_of(const struct source *source)
{
	struct line_index *lines = source->lines;
	if (!lines->count) {
		lines->starts =
			arena_grow(lines->arena, lines->starts, 0, &lines->capacity, sizeof *lines->starts);
		lines->starts[lines->count++] = 0;
		lines->counted[0].column = lines->counted[1].column = 1;
	}
	return lines;
}

/* The next line's start, or that there is none. */
static void line_find(const struct source *source, struct line_index *lines)
{
	const char *at = source->text + lines->starts[lines->count - 1];
	at = memchr(at, '\n', left_of(source, at));
	lines->complete = !at;
	if (!at)
		return;
	lines->starts = arena_grow(lines->arena, lines->starts, lines->count, &lines->capacity,
				   sizeof *lines->starts);
	lines->starts[lines->count++] = (uint32_t)(at - source->text) + 1;
}

/* As far as the line that holds the byte: messages come nearly in the order of the text, and often early. */
static struct line_index *lines_to(const struct source *source, uint32_t offset)
{
	struct line_index *lines = lines_of(source);
	while (!lines->complete && lines->starts[lines->count - 1] <= offset)
		line_find(source, lines);
	return lines;
}

/* A byte that is no UTF-8 stands for a character of its own, as it is shown. */
static uint32_t character_size(const struct source *source, uint32_t offset)
{
	uint32_t code;
	if ((unsigned char)source->text[offset] < 0x80)
		return 1;
	size_t size = utf8_decode(source->text + offset, source->size - offset, &code);
	return size ? (uint32_t)size : 1;
}

/* The one to count on from: in the line that begins at `begin`, as near before `offset` as can be. */
static struct counted *counted_before(struct line_index *lines, uint32_t begin, uint32_t offset)
{
	struct counted *best = NULL;
	for (size_t i = 0; i < 2; i++) {
		struct counted *at = &lines->counted[i];
		if (begin <= at->offset && at->offset <= offset && (!best || at->offset > best->offset))
			best = at;
	}
	if (!best) {
		best = &lines->counted[!lines->latest];
		*best = (struct counted){ begin, 1 };
	}
	lines->latest = best == &lines->counted[1];
	return best;
}

/* The line that holds the byte, from 0. */
static size_t line_at(const struct line_index *lines, uint32_t offset)
{
	size_t low = 0, high = lines->count; /* it is in [low, high) */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (lines->starts[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

unsigned source_line_number(const struct source *source, uint32_t offset)
{
	return (unsigned)line_at(lines_to(source, offset), offset) + 1;
}

struct position source_position(const struct source *source, uint32_t offset)
{
	struct line_index *lines = lines_to(source, offset);
	size_t low = line_at(lines, offset);
	struct counted *at = counted_before(lines, lines->starts[low], offset);
	for (; at->offset < offset && at->offset < source->size; at->column++)
		at->offset += character_size(source, at->offset);
	return (struct position){ (unsigned)low + 1, at->column };
}

struct span source_line(const struct source *source, unsigned line)
{
	struct line_index *lines = lines_of(source);
	while (!lines->complete && lines->count <= line)
		line_find(source, lines);
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

bool path_ends_with(const char *path, const char *end)
{
	size_t size = strlen(path), tail = strlen(end);
	return size >= tail && strcmp(path + size - tail, end) == 0;
}

char *path_beside(struct arena *arena, const char *base, const char *relative)
{
	size_t folder = relative[0] == '/' ? 0 : (size_t)(path_base(base) - base);
	return arena_printf(arena, "%.*s%s", (int)folder, base, relative);
}

const char *path_joined(struct arena *arena, const char *folder, const char *name)
{
	return arena_printf(arena, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
}

/* ---- paths by their text ---- */

static bool step_is(const char *step, size_t size, const char *word)
{
	return size == strlen(word) && memcmp(step, word, size) == 0;
}

/* Where the last step of `out` begins, and whether it may be taken back. */
static bool step_back(const char *out, size_t *end)
{
	size_t begin = *end;
	while (begin && out[begin - 1] != '/')
		begin--;
	if (begin == *end || step_is(out + begin, *end - begin, ".."))
		return false;
	*end = begin > 1 ? begin - 1 : begin;
	return true;
}

const char *path_fold(struct arena *arena, const char *path)
{
	char *out = arena_copy(arena, path, strlen(path));
	bool root = *path == '/';
	size_t end = root;
	for (const char *at = path; *(at += strspn(at, "/"));) {
		size_t size = strcspn(at, "/");
		bool up = step_is(at, size, "..");
		if (!step_is(at, size, ".") && !(up && (step_back(out, &end) || (root && end == 1)))) {
			if (end > (size_t)root)
				out[end++] = '/';
			memmove(out + end, at, size);
			end += size;
		}
		at += size;
	}
	out[end] = '\0';
	return out;
}
