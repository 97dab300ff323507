#include "compiler/base/map.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "compiler/base/arena.h"

/* 24 bytes: in a large table nearly every look-up misses the cache, and fewer bytes miss it less. */
struct slot {
	const char *key; /* NULL: free */
	void *value;
	uint32_t hash, size;
};

struct map {
	struct arena *arena;
	struct slot *slots;
	size_t count, capacity; /* a power of two, at most two thirds full */
};

static uint64_t eight_bytes(const char *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, sizeof word);
	return word;
}

static uint64_t last_bytes(const char *bytes, size_t size)
{
	uint64_t word = 0;
	memcpy(&word, bytes, size);
	return word;
}

/* Each bit of the word reaches the upper half of the product, and that is folded down. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* Eight bytes a step. The low bits choose the slot. No order of output may depend on it. */
static uint32_t key_hash(const char *bytes, size_t size)
{
	uint64_t hash = size;
	for (; size >= 8; bytes += 8, size -= 8)
		hash = mix(hash, eight_bytes(bytes));
	return (uint32_t)mix(mix(hash, last_bytes(bytes, size)), 0);
}

static size_t capacity_for(size_t count)
{
	size_t capacity = 16;
	while (capacity / 3 * 2 < count)
		capacity *= 2;
	return capacity;
}

struct map *map_new(struct arena *arena, size_t expected)
{
	struct map *map = arena_alloc(arena, sizeof *map);
	map->arena = arena;
	map->capacity = capacity_for(expected);
	map->slots = arena_array(arena, map->capacity, sizeof *map->slots);
	return map;
}

static struct slot *slot_find(const struct map *map, uint32_t hash, const char *key, size_t size)
{
	size_t i = (size_t)hash & (map->capacity - 1);
	for (;; i = (i + 1) & (map->capacity - 1)) {
		struct slot *slot = &map->slots[i];
		if (!slot->key)
			return slot;
		if (slot->hash == hash && slot->size == size && memcmp(slot->key, key, size) == 0)
			return slot;
	}
}

static void map_grow(struct map *map, size_t capacity)
{
	struct slot *old = map->slots;
	size_t old_capacity = map->capacity;
	map->capacity = capacity;
	map->slots = arena_array(map->arena, map->capacity, sizeof *map->slots);
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].key)
			*slot_find(map, old[i].hash, old[i].key, old[i].size) = old[i];
}

void map_reserve(struct map *map, size_t more)
{
	size_t capacity = capacity_for(map->count + more);
	if (capacity > map->capacity)
		map_grow(map, capacity);
}

void **map_find(const struct map *map, const char *key, size_t size)
{
	struct slot *slot = slot_find(map, key_hash(key, size), key, size);
	return slot->key ? &slot->value : NULL;
}

void **map_at(struct map *map, const char *key, size_t size)
{
	uint32_t hash = key_hash(key, size);
	struct slot *slot = slot_find(map, hash, key, size);
	if (slot->key)
		return &slot->value;
	if (map->count >= map->capacity / 3 * 2) {
		map_grow(map, map->capacity * 2);
		slot = slot_find(map, hash, key, size);
	}
	assert(size <= UINT32_MAX);
	*slot = (struct slot){ .key = key, .hash = hash, .size = (uint32_t)size };
	map->count++;
	return &slot->value;
}
