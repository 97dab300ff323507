/* The text of one policy: whatever it is, it is read to its end, and is a policy or has an error. */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/layer_text.h"
#include "compiler/policy/parse.h"
#include "tests/fuzz/input.h"

static void lines_check(struct input input)
{
	struct compilation compilation = compilation_begin(0);
	struct strbuf lines = STRBUF_INIT;
	struct ast_layer layer;
	const char *copy = arena_copy(compilation.arena, input.bytes, input.size);
	const struct source *source = sources_add(compilation.sources, INPUT_FIRST, copy, input.size);
	if (layer_parse(&compilation, source, &layer))
		layer_text(compilation.arena, &layer, &lines);
	else
		layer_text_unread(input.bytes, input.size, &lines);
	strbuf_release(&lines);
	compilation_end(&compilation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct compilation compilation = compilation_begin(20);
	struct input input = input_of(data, size);
	struct input_files files;
	input_files_cut(&files, compilation.arena, input);
	input_policy(&compilation, &files);
	compilation_end(&compilation);
	lines_check(files.items[0].text);
	return 0;
}
