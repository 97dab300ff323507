/*
 * Text to pointer, in an arena. Keys are bytes; the map keeps pointers to them, so they must live as
 * long as the map. Nothing is ever removed; a value may be replaced, also by NULL.
 */
#ifndef ALLOWC_BASE_MAP_H
#define ALLOWC_BASE_MAP_H

#include <stddef.h>

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

#endif
