#include "compiler/base/compilation.h"

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/pool.h"
#include "compiler/base/source.h"

static struct arena *arena_take(struct arena **spare)
{
	struct arena *arena = spare && *spare ? *spare : arena_new();
	if (spare)
		*spare = NULL;
	return arena;
}

struct compilation compilation_begin_sharing(size_t max_errors, struct pool *pool)
{
	struct arena *arena = arena_take(pool ? &pool->spare : NULL);
	struct compilation compilation = {
		.arena = arena,
		.scratch = arena_take(pool ? &pool->spare_scratch : NULL),
		.sources = sources_new(arena),
		.diags = diags_new(arena, max_errors),
		.pool = pool,
	};
	sources_share(compilation.sources, pool);
	return compilation;
}

struct compilation compilation_begin(size_t max_errors)
{
	return compilation_begin_sharing(max_errors, NULL);
}

static void arena_give_back(struct arena *arena, struct arena **spare)
{
	arena_clear(arena);
	*spare = arena;
}

void compilation_end(struct compilation *compilation)
{
	if (compilation->pool) {
		arena_give_back(compilation->arena, &compilation->pool->spare);
		arena_give_back(compilation->scratch, &compilation->pool->spare_scratch);
	} else {
		arena_free(compilation->scratch);
		arena_free(compilation->arena);
	}
	*compilation = (struct compilation){ 0 };
}
