/*
 * A policy with all that it reads: layers, libraries, ADRs, manifests; and every artifact of it. What the
 * json artifact says is read again.
 */
#include <string.h>

#include "backends/backend.h"
#include "compiler/base/arena.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/diff/saved.h"
#include "compiler/policy/policy.h"
#include "tests/fuzz/input.h"

static void read_back(const struct artifact *artifact)
{
	struct compilation compilation = compilation_begin(0);
	const char *why = "";
	const struct source *source =
		sources_add(compilation.sources, artifact->path, artifact->bytes, artifact->size);
	REQUIRE(saved_is(source));
	REQUIRE_OR(saved_read(&compilation, source, &why), "%s", why);
	compilation_end(&compilation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct compilation compilation = compilation_begin(20);
	struct input_files files;
	struct artifacts artifacts = { .items = NULL };
	input_files_cut(&files, compilation.arena, input_of(data, size));
	const struct policy *policy = input_policy(&compilation, &files);
	if (policy && input_emit(&compilation, policy, &artifacts))
		for (size_t i = 0; i < artifacts.count; i++)
			if (strcmp(artifacts.items[i].backend, "json") == 0)
				read_back(&artifacts.items[i]);
	compilation_end(&compilation);
	return 0;
}
