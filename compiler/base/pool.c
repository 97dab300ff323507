#include "compiler/base/pool.h"

#include "compiler/base/arena.h"
#include "compiler/base/map.h"

struct pool *pool_new(void)
{
	struct arena *arena = arena_new();
	struct pool *pool = arena_alloc(arena, sizeof *pool);
	*pool = (struct pool){
		.arena = arena,
		.texts = map_new(arena, 0),
		.layers = map_new(arena, 0),
		.adr_scopes = map_new(arena, 0),
		.filters = map_new(arena, 0),
	};
	return pool;
}

void pool_free(struct pool *pool)
{
	arena_free(pool->spare);
	arena_free(pool->spare_scratch);
	arena_free(pool->arena);
}
