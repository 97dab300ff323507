/* The layout of a text: laid out again it is the same, and it says the same, line by line of layer_text.h. */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/layout/layout.h"
#include "compiler/policy/layer_text.h"
#include "compiler/policy/parse.h"
#include "tests/fuzz/input.h"

static void lines_of(struct compilation *compilation, const struct source *source, struct strbuf *lines)
{
	struct ast_layer layer;
	REQUIRE(layer_parse(compilation, source, &layer));
	layer_text(compilation->arena, &layer, lines);
}

static bool texts_are_equal(const struct strbuf *a, const struct strbuf *b)
{
	return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static void again_check(struct compilation *compilation, const struct source *source,
			const struct strbuf *text)
{
	struct strbuf again = STRBUF_INIT, before = STRBUF_INIT, after = STRBUF_INIT;
	const char *copy = arena_copy(compilation->arena, text->bytes, text->size);
	const struct source *laid = sources_add(compilation->sources, "laid.allow", copy, text->size);
	REQUIRE(layout_make(compilation, laid, &again));
	REQUIRE_OR(texts_are_equal(text, &again), "first:\n%s\nagain:\n%s", text->bytes, again.bytes);
	lines_of(compilation, source, &before);
	lines_of(compilation, laid, &after);
	REQUIRE_OR(texts_are_equal(&before, &after), "before:\n%s\nafter:\n%s", before.bytes, after.bytes);
	strbuf_release(&again);
	strbuf_release(&before);
	strbuf_release(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct compilation compilation = compilation_begin(20);
	struct strbuf text = STRBUF_INIT;
	const char *copy = arena_copy(compilation.arena, (const char *)data, size);
	const struct source *source = sources_add(compilation.sources, INPUT_FIRST, copy, size);
	if (layout_make(&compilation, source, &text))
		again_check(&compilation, source, &text);
	else
		REQUIRE(diags_errors(compilation.diags) > 0);
	strbuf_release(&text);
	compilation_end(&compilation);
	return 0;
}
