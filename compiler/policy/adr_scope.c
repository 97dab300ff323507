#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/map.h"
#include "compiler/base/pool.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/adr.h"
#include "compiler/policy/adr_reference.h"

struct file {
	const char *name;
	unsigned long number;
	const struct adr *adr;
	size_t tried; /* the opening of the scope in which it was read last, whatever came of it; 0: never */
};

struct adr_scope {
	struct compilation *compilation; /* that is at work */
	struct arena *arena;             /* of the scope and its ADRs */
	size_t openings;                 /* of compilations that share it */
	const char *name, *folder;
	const char *const *accept;
	size_t accept_count;
	struct file *files; /* by number, then by the bytes of their names */
	const char **paths; /* of the files, in the same order */
	size_t count, capacity;
};

static bool is_one_of(struct slice text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (slice_is(text, words[i]))
			return true;
	return false;
}

/* 0000-template.md and the like have a number and are still no ADRs. */
static bool is_pattern(struct slice stem, struct slice digits)
{
	static const char *const words[] = { "template", "adr-template", "adr_template", "index", "readme" };
	struct slice title = slice_from(stem, (size_t)(digits.at - stem.at) + digits.size);
	if (title.size)
		title = slice_from(title, 1);
	return is_one_of(title, words, sizeof words / sizeof *words);
}

static bool file_number(const char *name, unsigned long *number)
{
	static const char *const extensions[] = { "md", "markdown", "rst", "adoc", "asciidoc" };
	const char *dot = strrchr(name, '.');
	if (!dot || !is_one_of(slice_of(dot + 1), extensions, sizeof extensions / sizeof *extensions))
		return false;
	struct slice stem = { name, (size_t)(dot - name) };
	struct slice digits = adr_file_digits(slice_of(name));
	return digits.size && !is_pattern(stem, digits) && adr_number_read(digits, number);
}

static int compare_files(const void *left, const void *right)
{
	const struct file *a = left, *b = right;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void file_add(void *context, const char *name)
{
	struct adr_scope *scope = context;
	unsigned long number;
	struct arena *arena = scope->arena;
	if (!file_number(name, &number))
		return;
	scope->files = arena_grow(arena, scope->files, scope->count, &scope->capacity, sizeof *scope->files);
	scope->files[scope->count++] =
		(struct file){ .name = arena_copy(arena, name, strlen(name)), .number = number };
}

static void files_sort(struct adr_scope *scope)
{
	struct arena *arena = scope->arena;
	size_t length = strlen(scope->folder);
	const char *slash = length && scope->folder[length - 1] == '/' ? "" : "/";
	if (scope->count)
		qsort(scope->files, scope->count, sizeof *scope->files, compare_files);
	scope->paths = arena_array(arena, scope->count, sizeof *scope->paths);
	for (size_t i = 0; i < scope->count; i++)
		scope->paths[i] = arena_printf(arena, "%s%s%s", scope->folder, slash, scope->files[i].name);
}

static const char *const *words_copy(struct arena *arena, const char *const *words, size_t count)
{
	const char **copy = arena_array(arena, count, sizeof *copy);
	for (size_t i = 0; i < count; i++)
		copy[i] = arena_copy(arena, words[i], strlen(words[i]));
	return copy;
}

static struct adr_scope *scope_read(struct compilation *compilation, struct arena *arena, const char *name,
				    const char *folder, const char *const *accept, size_t accept_count)
{
	struct adr_scope *scope = arena_alloc(arena, sizeof *scope);
	*scope = (struct adr_scope){
		.compilation = compilation,
		.arena = arena,
		.openings = 1,
		.name = arena_copy(arena, name, strlen(name)),
		.folder = arena_copy(arena, folder, strlen(folder)),
		.accept = words_copy(arena, accept, accept_count),
		.accept_count = accept_count,
	};
	const struct tree *tree = sources_tree(compilation->sources);
	int error = tree->list(tree, scope->folder, file_add, scope);
	if (error) {
		errno = error;
		return NULL;
	}
	files_sort(scope);
	return scope;
}

/* What the ADRs of a scope, as they are read, depend on. No text of a policy holds a NUL. */
static struct slice scope_key(struct arena *arena, const char *name, const char *folder,
			      const char *const *accept, size_t accept_count)
{
	struct strbuf key = STRBUF_INIT;
	strbuf_add(&key, name, strlen(name) + 1);
	strbuf_add(&key, folder, strlen(folder) + 1);
	for (size_t i = 0; i < accept_count; i++)
		strbuf_add(&key, accept[i], strlen(accept[i]) + 1);
	struct slice kept = { arena_copy(arena, key.bytes, key.size), key.size };
	strbuf_release(&key);
	return kept;
}

struct adr_scope *adr_scope_open(struct compilation *compilation, const char *name, const char *folder,
				 const char *const *accept, size_t accept_count)
{
	struct pool *pool = compilation->pool;
	if (!pool)
		return scope_read(compilation, compilation->arena, name, folder, accept, accept_count);
	struct slice key = scope_key(compilation->arena, name, folder, accept, accept_count);
	struct adr_scope *scope = map_value(pool->adr_scopes, key.at, key.size);
	if (scope) {
		scope->compilation = compilation;
		scope->openings++;
		return scope;
	}
	scope = scope_read(compilation, pool->arena, name, folder, accept, accept_count);
	if (scope)
		*map_at(pool->adr_scopes, arena_copy(pool->arena, key.at, key.size), key.size) = scope;
	return scope;
}

const char *adr_scope_name(const struct adr_scope *scope)
{
	return scope->name;
}

/* The index of the first file whose number is not less. */
static size_t lower_bound(const struct adr_scope *scope, unsigned long number)
{
	size_t low = 0, high = scope->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (scope->files[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t adr_scope_files(const struct adr_scope *scope, unsigned long number, const char *const **paths)
{
	size_t first = lower_bound(scope, number), end = first;
	while (end < scope->count && scope->files[end].number == number)
		end++;
	*paths = scope->paths + first;
	return end - first;
}

static bool has_slug(const struct file *file, const char *slug)
{
	struct slice name = slice_of(file->name), digits = adr_file_digits(name);
	struct slice own =
		adr_dated_slug(digits, slice_from(name, (size_t)(digits.at - name.at) + digits.size));
	return own.size == strlen(slug) && memcmp(own.at, slug, own.size) == 0;
}

size_t adr_scope_find(const struct adr_scope *scope, const struct adr_reference *reference,
		      const char *const **paths)
{
	size_t count = adr_scope_files(scope, reference->number, paths);
	if (!reference->slug)
		return count;
	size_t first = (size_t)(*paths - scope->paths);
	for (size_t i = 0; i < count; i++) {
		*paths = scope->paths + first + i;
		if (has_slug(&scope->files[first + i], reference->slug))
			return 1;
	}
	return 0;
}

size_t adr_scope_near(const struct adr_scope *scope, unsigned long number, unsigned long *near, size_t most)
{
	size_t above = lower_bound(scope, number), below = above, count = 0;
	while (count < most && (below > 0 || above < scope->count)) {
		bool down = above == scope->count ||
			    (below > 0 &&
			     number - scope->files[below - 1].number <= scope->files[above].number - number);
		unsigned long next = down ? scope->files[--below].number : scope->files[above++].number;
		bool seen = false;
		for (size_t i = 0; i < count && !seen; i++)
			seen = near[i] == next;
		if (!seen)
			near[count++] = next;
	}
	return count;
}

/* In the memory and among the texts of `compilation`. */
static const struct adr *file_open(const struct adr_scope *scope, struct compilation *compilation,
				   const char *path)
{
	const struct source *source = sources_load_up_to(compilation->sources, path, ADR_SIZE_MAX);
	if (!source) {
		diag_trouble(compilation->diags, "cannot read '%s%s': %s",
			     sources_tree(compilation->sources)->label, path,
			     source_failure(compilation->arena, errno, ADR_SIZE_MAX));
		return NULL;
	}
	struct adr *adr = arena_alloc(compilation->arena, sizeof *adr);
	*adr = *adr_read(compilation, source, scope->accept, scope->accept_count);
	adr->scope = scope->name;
	return adr;
}

size_t adr_scope_index(const struct adr_scope *scope, const char *const *paths)
{
	return (size_t)(paths - scope->paths);
}

size_t adr_scope_count(const struct adr_scope *scope)
{
	return scope->count;
}

const struct adr *adr_scope_at(struct adr_scope *scope, size_t index)
{
	struct file *file = &scope->files[index];
	if (file->tried == scope->openings)
		return file->adr;
	file->tried = scope->openings;
	struct compilation sharing = *scope->compilation;
	sharing.arena = scope->arena;
	if (file->adr) /* its text is one of this compilation's from now on */
		sources_load(scope->compilation->sources, scope->paths[index]);
	else
		file->adr = file_open(scope, &sharing, scope->paths[index]);
	return file->adr;
}

const struct adr *adr_scope_pass(struct adr_scope *scope, struct arena *arena, size_t index)
{
	arena_clear(arena);
	struct compilation passing = *scope->compilation;
	passing.arena = arena;
	passing.sources = sources_new(arena);
	sources_read_from(passing.sources, sources_tree(scope->compilation->sources));
	return file_open(scope, &passing, scope->paths[index]);
}

const struct adr *adr_scope_read_reference(struct adr_scope *scope, const struct adr_reference *reference)
{
	const char *const *paths;
	if (adr_scope_find(scope, reference, &paths) != 1)
		return NULL;
	return adr_scope_at(scope, adr_scope_index(scope, paths));
}

const struct adr *adr_scope_read(struct adr_scope *scope, unsigned long number)
{
	return adr_scope_read_reference(scope, &(struct adr_reference){ .number = number });
}
