/*
 * Text to pointer, in an arena. Keys are bytes; the map keeps pointers to them, so they must live as
 * long as the map. Nothing is ever removed; a value may be replaced, also by NULL.
 */
#ifndef ALLOWC_BASE_MAP_H
#define ALLOWC_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct arena;
struct map;

struct map *map_new(struct arena *arena, size_t expected);

/* Makes room for `more` further keys at once: growing step by step moves every key again and again. */
void map_reserve(struct map *map, size_t more);

/* The value's place for this key, or NULL where the key is absent. */
void **map_find(const struct map *map, const char *key, size_t size);

/* The value of this key, or NULL where the key is absent. */
void *map_value(const struct map *map, const char *key, size_t size);

/* The value's place, made (holding NULL) where the key is absent. Valid until the next map_at(). */
void **map_at(struct map *map, const char *key, size_t size);

/*
 * The key is asked for soon: its part of the table is on its way meanwhile. In a large map a look-up waits
 * for memory and does little else, so whoever knows the keys asks for MAP_AHEAD of them before it needs one.
 */
enum { MAP_AHEAD = 8 };
void map_fetch(const struct map *map, const char *key, size_t size);

/*
 * The hash of a key, another for each seed. A map's seed differs from run to run: no output depends on
 * hashes.
 */
uint32_t key_hash(const char *bytes, size_t size, uint64_t seed);

#endif
