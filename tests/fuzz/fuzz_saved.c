/* A json artifact that somebody may have edited: it is a policy that can be compared, or there is a reason.
 */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"
#include "compiler/diff/compare.h"
#include "compiler/diff/saved.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct compilation compilation = compilation_begin(20);
	const char *why = NULL;
	const char *copy = arena_copy(compilation.arena, (const char *)data, size);
	const struct source *source = sources_add(compilation.sources, "p.json", copy, size);
	const struct policy *policy = saved_is(source) ? saved_read(&compilation, source, &why) : NULL;
	if (policy)
		REQUIRE(comparison_is_equivalent(policies_compare(&compilation, policy, policy)));
	else
		REQUIRE(!saved_is(source) || (why && *why));
	compilation_end(&compilation);
	return 0;
}
