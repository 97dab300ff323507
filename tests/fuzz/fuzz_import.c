/*
 * What a project has, its file's name on the first line (the name decides how it is read): a policy comes of
 * it, or an error was reported, never an internal one. Where nothing was said against the file, what is
 * printed has the canonical layout.
 */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import.h"
#include "compiler/import/import_drift.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/import_print.h"
#include "compiler/import/import_union.h"
#include "compiler/layout/layout.h"
#include "tests/fuzz/input.h"

static void layout_check(const struct strbuf *policy)
{
	struct compilation compilation = compilation_begin(20);
	struct strbuf again = STRBUF_INIT;
	const char *copy = arena_copy(compilation.arena, policy->bytes, policy->size);
	const struct source *source = sources_add(compilation.sources, INPUT_FIRST, copy, policy->size);
	bool parses = layout_make(&compilation, source, &again);
	REQUIRE_OR(parses, "%s", policy->bytes);
	REQUIRE_OR(again.size == policy->size && memcmp(again.bytes, policy->bytes, again.size) == 0,
		   "printed:\n%s\nlaid out:\n%s", policy->bytes, again.bytes);
	strbuf_release(&again);
	compilation_end(&compilation);
}

static void print_check(struct import *import)
{
	struct strbuf policy = STRBUF_INIT, drift = STRBUF_INIT;
	struct import_union all = import_unite(import);
	import_print(import, &all, &policy);
	import_drift(import, &all, 20, &drift);
	bool good = diags_exit_status(import->compilation->diags) == 0;
	input_check(import->compilation, good);
	if (good)
		layout_check(&policy);
	strbuf_release(&policy);
	strbuf_release(&drift);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *end = size ? memchr(data, '\n', size) : NULL;
	if (!end)
		return 0;
	struct compilation compilation = compilation_begin(20);
	struct arena *arena = compilation.arena;
	size_t name_size = (size_t)(end - (const char *)data), text_size = size - name_size - 1;
	const char *name = input_text(arena, (struct input){ (const char *)data, name_size });
	const char *text = arena_copy(arena, end + 1, text_size);
	struct import import = { .compilation = &compilation,
				 .symbols_found = arena_array(arena, 1, sizeof(bool)) };
	bool read = import_file(&import, sources_add(compilation.sources, name, text, text_size));
	if (read)
		print_check(&import);
	else
		input_check(&compilation, false);
	compilation_end(&compilation);
	return 0;
}
