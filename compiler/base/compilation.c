#include "compiler/base/compilation.h"

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"

struct compilation compilation_begin(size_t max_errors)
{
	struct arena *arena = arena_new();
	return (struct compilation){
		.arena = arena,
		.scratch = arena_new(),
		.sources = sources_new(arena),
		.diags = diags_new(arena, max_errors),
	};
}

void compilation_end(struct compilation *compilation)
{
	arena_free(compilation->scratch);
	arena_free(compilation->arena);
	*compilation = (struct compilation){ 0 };
}
