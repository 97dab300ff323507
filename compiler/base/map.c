#include "compiler/base/map.h"

#include <stdint.h>
#include <string.h>

#include "compiler/base/arena.h"

struct slot {
	const char *key; /* NULL: free */
	size_t size;
	uint64_t hash;
	void *value;
};

struct map {
	struct arena *arena;
	struct slot *slots;
	size_t count, capacity; /* a power of two, at most two thirds full */
};

/* FNV-1a, folded: the low bits choose the slot. */
static uint64_t key_hash(const char *bytes, size_t size)
{
	uint64_t hash = 14695981039346656037u;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
	return hash ^ hash >> 32;
}

struct map *map_new(struct arena *arena, size_t expected)
{
	struct map *map = arena_alloc(arena, sizeof *map);
	map->arena = arena;
	map->capacity = 16;
	while (map->capacity / 3 * 2 < expected)
		map->capacity *= 2;
	map->slots = arena_array(arena, map->capacity, sizeof *map->slots);
	return map;
}

static struct slot *slot_find(const struct map *map, uint64_t hash, const char *key, size_t size)
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

static void map_grow(struct map *map)
{
	struct slot *old = map->slots;
	size_t old_capacity = map->capacity;
	map->capacity *= 2;
	map->slots = arena_array(map->arena, map->capacity, sizeof *map->slots);
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].key)
			*slot_find(map, old[i].hash, old[i].key, old[i].size) = old[i];
}

void **map_find(const struct map *map, const char *key, size_t size)
{
	struct slot *slot = slot_find(map, key_hash(key, size), key, size);
	return slot->key ? &slot->value : NULL;
}

void *map_value(const struct map *map, const char *key, size_t size)
{
	void **place = map_find(map, key, size);
	return place ? *place : NULL;
}

void **map_at(struct map *map, const char *key, size_t size)
{
	uint64_t hash = key_hash(key, size);
	struct slot *slot = slot_find(map, hash, key, size);
	if (slot->key)
		return &slot->value;
	if (map->count >= map->capacity / 3 * 2) {
		map_grow(map);
		slot = slot_find(map, hash, key, size);
	}
	*slot = (struct slot){ key, size, hash, NULL };
	map->count++;
	return &slot->value;
}
