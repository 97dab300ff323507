#include "compiler/base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "compiler/base/die.h"

/*
 * Arenas that hold a handful of options share a page; what outgrows the first two blocks is on its way to
 * more.
 */
enum { FIRST_BLOCK = 1024, MAPPED_BLOCK = 64 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024, TEXT_CHUNK = 1024 };

/*
 * From MAPPED_BLOCK on, blocks are mapped: calloc() clears what was used before, and so touches pages
 * that nobody may need. From this size on, their pages are asked for at once: a policy of 100,000 rows
 * fills 80 MB, and faults one by one cost a fifth of its time. (Huge pages were tried: they cost a quarter
 * less where the kernel had them ready, and twice as much where a virtual machine had given them back.)
 */
enum { POPULATED_BLOCK = 1024 * 1024 };

struct block {
	struct block *next;
	size_t used, size;
	max_align_t bytes[];
};

struct adopted {
	struct adopted *next;
	void *bytes;
};

struct arena {
	struct block *blocks; /* the newest first */
	struct adopted *adopted;
	size_t next_size;
	char *text; /* the rest of a chunk for arena_text() */
	size_t text_left;
};

struct arena *arena_new(void)
{
	struct arena *arena = calloc(1, sizeof *arena);
	if (!arena)
		die_out_of_memory();
	arena->next_size = FIRST_BLOCK;
	return arena;
}

static void *zeroed_pages(size_t size)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | (size >= POPULATED_BLOCK ? MAP_POPULATE : 0);
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (pages == MAP_FAILED)
		die_out_of_memory();
	return pages;
}

static void *zeroed_bytes(size_t size)
{
	void *bytes = calloc(1, size);
	if (!bytes)
		die_out_of_memory();
	return bytes;
}

/* `size` with the block's own head. */
static struct block *block_new(size_t size)
{
	struct block *block = size >= MAPPED_BLOCK ? zeroed_pages(size) : zeroed_bytes(size);
	block->size = size - sizeof *block;
	return block;
}

static void block_free(struct block *block)
{
	size_t size = block->size + sizeof *block;
	if (size >= MAPPED_BLOCK)
		munmap(block, size);
	else
		free(block);
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (const struct adopted *at = arena->adopted; at; at = at->next)
		free(at->bytes);
	for (struct block *block = arena->blocks; block;) {
		struct block *next = block->next;
		block_free(block);
		block = next;
	}
	free(arena);
}

void arena_clear(struct arena *arena)
{
	struct block *kept = arena->blocks;
	assert(!arena->adopted);
	if (!kept)
		return;
	for (struct block *block = kept->next; block;) {
		struct block *next = block->next;
		block_free(block);
		block = next;
	}
	memset(kept->bytes, 0, kept->used);
	kept->next = NULL;
	kept->used = 0;
	arena->text = NULL;
	arena->text_left = 0;
}

static struct block *block_add(struct arena *arena, size_t least)
{
	if (least > SIZE_MAX - sizeof(struct block))
		die_out_of_memory();
	least += sizeof(struct block);
	struct block *block = block_new(arena->next_size > least ? arena->next_size : least);
	block->next = arena->blocks;
	arena->blocks = block;
	if (arena->next_size < LARGEST_BLOCK)
		arena->next_size *= arena->next_size < MAPPED_BLOCK ? 8 : 2;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t unit = sizeof(uint64_t);
	if (size > SIZE_MAX - unit)
		die_out_of_memory();
	size = (size + unit - 1) / unit * unit;
	struct block *block = arena->blocks;
	if (!block || block->size - block->used < size)
		block = block_add(arena, size);
	void *result = (char *)block->bytes + block->used;
	block->used += size;
	return result;
}

void arena_adopt(struct arena *arena, void *bytes)
{
	struct adopted *adopted = arena_alloc(arena, sizeof *adopted);
	*adopted = (struct adopted){ arena->adopted, bytes };
	arena->adopted = adopted;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		die_out_of_memory();
	return arena_alloc(arena, bytes);
}

char *arena_copy(struct arena *arena, const char *bytes, size_t size)
{
	if (size == SIZE_MAX)
		die_out_of_memory();
	char *copy = arena_alloc(arena, size + 1);
	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

const char *arena_text(struct arena *arena, const char *bytes, size_t size)
{
	if (size >= TEXT_CHUNK / 4)
		return arena_copy(arena, bytes, size);
	if (size + 1 > arena->text_left) {
		arena->text = arena_alloc(arena, TEXT_CHUNK);
		arena->text_left = TEXT_CHUNK;
	}
	char *text = arena->text;
	if (size)
		memcpy(text, bytes, size);
	text[size] = '\0';
	arena->text += size + 1;
	arena->text_left -= size + 1;
	return text;
}

char *arena_join(struct arena *arena, const char *const *texts)
{
	size_t size = 0;
	for (const char *const *text = texts; *text; text++)
		size += strlen(*text);
	char *joined = arena_alloc(arena, size + 1), *end = joined;
	for (const char *const *text = texts; *text; text++)
		end = stpcpy(end, *text);
	return joined;
}

char *arena_vprintf(struct arena *arena, const char *format, va_list arguments)
{
	va_list measured;
	va_copy(measured, arguments);
	int length = vsnprintf(NULL, 0, format, measured);
	va_end(measured);
	if (length < 0)
		die_out_of_memory();
	char *text = arena_alloc(arena, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, arguments);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *text = arena_vprintf(arena, format, arguments);
	va_end(arguments);
	return text;
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return items;
	size_t larger = *capacity ? *capacity * 2 : 4;
	if (larger < count + 1)
		larger = count + 1;
	return arena_reserve(arena, items, count, capacity, larger - count, size);
}

void *arena_reserve(struct arena *arena, void *items, size_t count, size_t *capacity, size_t more,
		    size_t size)
{
	size_t larger = count + more;
	if (larger <= *capacity)
		return items;
	void *copy = arena_array(arena, larger, size);
	if (count)
		memcpy(copy, items, count * size);
	*capacity = larger;
	return copy;
}
