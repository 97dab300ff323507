/*
 * An ADR, its file's name on the first line: status, code spans and relations are read, their places are in
 * the text. Then the folder of it alone is checked.
 */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"
#include "compiler/policy/adr.h"
#include "compiler/policy/adr_check.h"
#include "tests/fuzz/input.h"

static void span_check(const struct adr *adr, struct span span)
{
	if (span.source)
		REQUIRE(span.source == adr->source && span.begin <= span.end &&
			span.end <= adr->source->size);
}

static void adr_check(const struct adr *adr)
{
	span_check(adr, adr->status_span);
	REQUIRE((adr->status == ADR_UNKNOWN) == (adr->doubt != NULL));
	for (size_t i = 0; i < adr->code_span_count; i++) {
		const struct adr_code_span *code = &adr->code_spans[i];
		span_check(adr, code->span);
		REQUIRE(*code->text);
		REQUIRE_OR(adr_names(adr, code->text), "'%s'", code->text);
	}
	for (size_t i = 0; i < adr->relation_count; i++)
		span_check(adr, adr->relations[i].span);
	adr_names(adr, "docker");
	adr_nearest(adr, "dockr");
}

static void one_check(const char *name, struct input text)
{
	static const char *const accept[] = { "In Force" };
	struct compilation compilation = compilation_begin(0);
	const char *copy = arena_copy(compilation.arena, text.bytes, text.size);
	adr_check(adr_read(&compilation, sources_add(compilation.sources, name, copy, text.size), accept, 1));
	compilation_end(&compilation);
}

static void folder_check(const char *name, struct input text)
{
	struct compilation compilation = compilation_begin(20);
	struct input_files files;
	input_files_cut(&files, compilation.arena, (struct input){ "", 0 });
	files.items[0] = (struct input_file){ arena_printf(compilation.arena, "adr/%s", name), text };
	sources_read_from(compilation.sources, &files.tree);
	struct adr_scope *scope = adr_scope_open(&compilation, "phase2", "adr", NULL, 0);
	REQUIRE(scope);
	adr_folder_check(&compilation, scope);
	compilation_end(&compilation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = input_of(data, size), name;
	const char *end = size ? memchr(input.bytes, '\n', size) : NULL;
	if (!end || memchr(input.bytes, '/', (size_t)(end - input.bytes)))
		return 0;
	struct arena *arena = arena_new();
	name = (struct input){ input.bytes, (size_t)(end - input.bytes) };
	struct input text = { end + 1, size - name.size - 1 };
	one_check(input_text(arena, name), text);
	folder_check(input_text(arena, name), text);
	arena_free(arena);
	return 0;
}
