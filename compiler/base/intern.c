#include "compiler/base/intern.h"

#include <stdint.h>
#include <string.h>

#include "compiler/base/arena.h"

struct slot {
	const char *text; /* NULL: free */
	size_t size;
	uint64_t hash;
};

struct intern {
	struct arena *arena;
	struct slot *slots;
	size_t count, capacity; /* a power of two, at most two thirds full */
};

struct intern *intern_new(struct arena *arena)
{
	struct intern *pool = arena_alloc(arena, sizeof *pool);
	pool->arena = arena;
	pool->capacity = 256;
	pool->slots = arena_array(arena, pool->capacity, sizeof *pool->slots);
	return pool;
}

/* FNV-1a. Order never depends on it. */
static uint64_t hash_bytes(const char *bytes, size_t size)
{
	uint64_t hash = 14695981039346656037u;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
	return hash ^ hash >> 32;
}

static struct slot *slot_find(struct intern *pool, uint64_t hash, const char *bytes, size_t size)
{
	size_t i = (size_t)hash & (pool->capacity - 1);
	for (;; i = (i + 1) & (pool->capacity - 1)) {
		struct slot *slot = &pool->slots[i];
		if (!slot->text)
			return slot;
		if (slot->hash == hash && slot->size == size && memcmp(slot->text, bytes, size) == 0)
			return slot;
	}
}

static void pool_grow(struct intern *pool)
{
	struct slot *old = pool->slots;
	size_t old_capacity = pool->capacity;
	pool->capacity *= 2;
	pool->slots = arena_array(pool->arena, pool->capacity, sizeof *pool->slots);
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].text)
			*slot_find(pool, old[i].hash, old[i].text, old[i].size) = old[i];
}

const char *intern_bytes(struct intern *pool, const char *bytes, size_t size)
{
	uint64_t hash = hash_bytes(bytes, size);
	struct slot *slot = slot_find(pool, hash, bytes, size);
	if (slot->text)
		return slot->text;
	if (pool->count >= pool->capacity / 3 * 2) {
		pool_grow(pool);
		slot = slot_find(pool, hash, bytes, size);
	}
	*slot = (struct slot){ arena_copy(pool->arena, bytes, size), size, hash };
	pool->count++;
	return slot->text;
}

const char *intern_text(struct intern *pool, const char *text)
{
	return intern_bytes(pool, text, strlen(text));
}
