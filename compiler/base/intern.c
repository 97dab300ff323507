#include "compiler/base/intern.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"

struct intern {
	struct arena *arena;
	struct map *texts; /* each text to its own copy */
};

struct intern *intern_new(struct arena *arena)
{
	struct intern *pool = arena_alloc(arena, sizeof *pool);
	pool->arena = arena;
	pool->texts = map_new(arena, 256);
	return pool;
}

const char *intern_bytes(struct intern *pool, const char *bytes, size_t size)
{
	const char *known = map_value(pool->texts, bytes, size);
	if (known)
		return known;
	char *copy = arena_copy(pool->arena, bytes, size);
	*map_at(pool->texts, copy, size) = copy;
	return copy;
}

const char *intern_text(struct intern *pool, const char *text)
{
	return intern_bytes(pool, text, strlen(text));
}
