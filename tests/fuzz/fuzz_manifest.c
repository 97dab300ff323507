/*
 * A hand-written plugin.yaml and what a policy wishes of it: on the first line the tools, on the second the
 * optional ones, "-" where the list is not managed. An edited text has exactly the wished lists and is
 * edited no more.
 */
#include <string.h>

#include "backends/manifest_edit.h"
#include "compiler/base/arena.h"
#include "tests/fuzz/input.h"

enum { ITEMS_MAX = 32 };

static struct input line_take(struct input *left)
{
	const char *end = left->size ? memchr(left->bytes, '\n', left->size) : NULL;
	struct input line = { left->bytes, end ? (size_t)(end - left->bytes) : left->size };
	size_t taken = end ? line.size + 1 : line.size;
	left->bytes += taken;
	left->size -= taken;
	return line;
}

/* Spellings are words: what a policy cannot write as one is not wished. */
static bool is_spelling(const char *item)
{
	for (const char *at = item; *at; at++)
		if ((unsigned char)*at <= ' ' || (unsigned char)*at >= 0x7f)
			return false;
	return *item;
}

static void wish_add(struct arena *arena, struct manifest_wish *wish, enum manifest_key key,
		     struct input line)
{
	const char *words = input_text(arena, line);
	const char **items = arena_array(arena, ITEMS_MAX, sizeof *items);
	if (strcmp(words, "-") == 0)
		return;
	wish->lists[key].managed = true;
	wish->lists[key].items = items;
	while (*words && wish->lists[key].count < ITEMS_MAX) {
		size_t size = strcspn(words, " ");
		const char *item = arena_copy(arena, words, size);
		if (is_spelling(item))
			items[wish->lists[key].count++] = item;
		words += size + (words[size] == ' ');
	}
}

static void lists_check(struct arena *arena, const struct manifest_edit *edit,
			const struct manifest_wish *wish)
{
	bool managed[MANIFEST_KEYS];
	struct manifest manifest;
	for (int key = 0; key < MANIFEST_KEYS; key++)
		managed[key] = wish->lists[key].managed;
	struct manifest_refusal refusal = manifest_scan(arena, edit->bytes, edit->size, managed, &manifest);
	REQUIRE_OR(!refusal.why, "%s", refusal.why);
	for (int key = 0; key < MANIFEST_KEYS; key++) {
		if (!managed[key])
			continue;
		REQUIRE(manifest.lists[key].count == wish->lists[key].count);
		for (size_t i = 0; i < wish->lists[key].count; i++)
			REQUIRE(strcmp(manifest.lists[key].items[i].text, wish->lists[key].items[i]) == 0);
	}
	manifest_release(&manifest);
}

static void edit_check(struct arena *arena, struct input text, const struct manifest_wish *wish)
{
	const char *copy = arena_copy(arena, text.bytes, text.size);
	struct manifest_edit edit = manifest_edit(arena, copy, text.size, wish);
	if (edit.refusal.why) {
		REQUIRE(edit.refusal.place.begin <= edit.refusal.place.end &&
			edit.refusal.place.end <= text.size);
		return;
	}
	REQUIRE(edit.changed || (edit.bytes == copy && edit.size == text.size));
	lists_check(arena, &edit, wish);
	struct manifest_edit again = manifest_edit(arena, edit.bytes, edit.size, wish);
	REQUIRE_OR(!again.refusal.why, "%s", again.refusal.why);
	REQUIRE(!again.changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct input left = input_of(data, size);
	struct manifest_wish wish = { 0 };
	for (int key = 0; key < MANIFEST_KEYS; key++)
		wish_add(arena, &wish, (enum manifest_key)key, line_take(&left));
	edit_check(arena, left, &wish);
	arena_free(arena);
	return 0;
}
