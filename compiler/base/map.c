#include "compiler/base/map.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "compiler/base/arena.h"

/*
 * Entries stand in the order of their making, and the table that is probed holds only their numbers: in
 * a large map nearly every probe misses the cache, and a table of eight bytes a slot misses it less.
 */
struct entry {
	const char *key;
	size_t size;
	void *value;
};

struct slot {
	uint32_t hash;
	uint32_t number; /* of the entry, from 1; 0: free */
};

struct map {
	struct arena *arena;
	struct slot *slots;
	struct entry *entries;
	size_t count, entry_capacity;
	size_t capacity; /* of the slots: a power of two, at most two thirds full */
	uint64_t seed; /* of its hashes: who writes a policy cannot choose names that all meet in few slots */
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

/*
 * Each bit of the word reaches the upper half of the product, and that is folded down. Twice, since of the
 * upper bits it could be told which bits of the next word take them back, and names chosen that meet.
 */
static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	hash = (hash ^ hash >> 32) * 0xbf58476d1ce4e5b9u;
	return hash ^ hash >> 29;
}

/* Eight bytes a step. The low bits choose the slot. */
uint32_t key_hash(const char *bytes, size_t size, uint64_t seed)
{
	uint64_t hash = seed + size;
	for (; size >= 8; bytes += 8, size -= 8)
		hash = mix(hash, eight_bytes(bytes));
	return (uint32_t)mix(mix(hash, last_bytes(bytes, size)), 0);
}

static size_t limit_of(size_t capacity)
{
	return capacity / 3 * 2;
}

static size_t capacity_for(size_t count)
{
	size_t capacity = 16;
	while (limit_of(capacity) < count)
		capacity *= 2;
	return capacity;
}

struct map *map_new(struct arena *arena, size_t expected)
{
	struct map *map = arena_alloc(arena, sizeof *map);
	map->arena = arena;
	map->seed = mix(0, (uintptr_t)map); /* where it stands is another place in each run */
	map->capacity = capacity_for(expected);
	map->slots = arena_array(arena, map->capacity, sizeof *map->slots);
	map->entry_capacity = expected ? expected : limit_of(map->capacity);
	map->entries = arena_array(arena, map->entry_capacity, sizeof *map->entries);
	return map;
}

/* The slot that holds the key, or the free one where it belongs. */
static struct slot *slot_find(const struct map *map, uint32_t hash, const char *key, size_t size)
{
	size_t i = hash & (map->capacity - 1);
	for (;; i = (i + 1) & (map->capacity - 1)) {
		struct slot *slot = &map->slots[i];
		if (!slot->number)
			return slot;
		if (slot->hash != hash)
			continue;
		const struct entry *entry = &map->entries[slot->number - 1];
		if (entry->size == size && memcmp(entry->key, key, size) == 0)
			return slot;
	}
}

static struct slot *slot_free(const struct map *map, uint32_t hash)
{
	size_t i = hash & (map->capacity - 1);
	while (map->slots[i].number)
		i = (i + 1) & (map->capacity - 1);
	return &map->slots[i];
}

static void entries_grow(struct map *map, size_t capacity)
{
	const struct entry *entries = map->entries;
	map->entries = arena_array(map->arena, capacity, sizeof *map->entries);
	map->entry_capacity = capacity;
	if (map->count)
		memcpy(map->entries, entries, map->count * sizeof *entries);
}

static void slots_grow(struct map *map, size_t capacity)
{
	const struct slot *old = map->slots;
	size_t old_capacity = map->capacity;
	map->capacity = capacity;
	map->slots = arena_array(map->arena, capacity, sizeof *map->slots);
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].number)
			*slot_free(map, old[i].hash) = old[i];
}

void map_reserve(struct map *map, size_t more)
{
	size_t count = map->count + more, capacity = capacity_for(count);
	if (capacity > map->capacity)
		slots_grow(map, capacity);
	if (count > map->entry_capacity)
		entries_grow(map, count);
}

void map_fetch(const struct map *map, const char *key, size_t size)
{
	__builtin_prefetch(&map->slots[key_hash(key, size, map->seed) & (map->capacity - 1)], 1);
}

void **map_find(const struct map *map, const char *key, size_t size)
{
	if (!map->count)
		return NULL;
	const struct slot *slot = slot_find(map, key_hash(key, size, map->seed), key, size);
	return slot->number ? &map->entries[slot->number - 1].value : NULL;
}

void *map_value(const struct map *map, const char *key, size_t size)
{
	void **place = map_find(map, key, size);
	return place ? *place : NULL;
}

void **map_at(struct map *map, const char *key, size_t size)
{
	uint32_t hash = key_hash(key, size, map->seed);
	struct slot *slot = slot_find(map, hash, key, size);
	if (slot->number)
		return &map->entries[slot->number - 1].value;
	if (map->count == limit_of(map->capacity)) {
		assert(map->count < UINT32_MAX / 2);
		slots_grow(map, map->capacity * 2);
		slot = slot_free(map, hash);
	}
	if (map->count == map->entry_capacity)
		entries_grow(map, limit_of(map->capacity));
	struct entry *entry = &map->entries[map->count++];
	*entry = (struct entry){ .key = key, .size = size };
	*slot = (struct slot){ hash, (uint32_t)map->count };
	return &entry->value;
}
