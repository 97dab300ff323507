/*
 * A hand-written file, and behind a line "=== NAME" what goes into its region of that name. What is replaced
 * once is not changed by the same again, and all outside the region stays.
 */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/region.h"
#include "tests/fuzz/input.h"

static void outside_check(struct input text, const struct region_result *result)
{
	const char *bytes = result->bytes;
	size_t front = 0, back = 0, shorter = text.size < result->size ? text.size : result->size;
	while (front < shorter && text.bytes[front] == bytes[front])
		front++;
	while (back < shorter - front && text.bytes[text.size - 1 - back] == bytes[result->size - 1 - back])
		back++;
	/* What differs lies between the markers: neither of them is in it. */
	if (text.size - front - back)
		REQUIRE(!region_has_marker(text.bytes + front, text.size - front - back));
}

static void replace_check(struct arena *arena, struct input text, const char *name, struct input content)
{
	struct region_result result, again;
	enum region_state state =
		region_replace(arena, text.bytes, text.size, name, content.bytes, content.size, &result);
	if (state == REGION_REFUSED) {
		REQUIRE(result.why && result.first <= text.size && result.second <= text.size);
		REQUIRE(!result.first_is || result.first <= result.second);
	}
	if (state != REGION_REPLACED || region_has_marker(content.bytes, content.size))
		return;
	outside_check(text, &result);
	REQUIRE(region_replace(arena, result.bytes, result.size, name, content.bytes, content.size, &again) ==
		REGION_REPLACED);
	REQUIRE(again.size == result.size && memcmp(again.bytes, result.bytes, again.size) == 0);
}

static void definition_check(struct input text, const char *name)
{
	size_t begin, end;
	if (region_definition(text.bytes, text.size, name, &begin, &end))
		REQUIRE(begin <= end && end <= text.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct input left = input_of(data, size), name;
	struct input text = input_cut(&left, "=== ", &name);
	text.bytes = arena_copy(arena, text.bytes, text.size);
	left.bytes = arena_copy(arena, left.bytes, left.size);
	replace_check(arena, text, input_text(arena, name), left);
	definition_check(text, input_text(arena, name));
	arena_free(arena);
	return 0;
}
