#include "compiler/import/json_place.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"

/* Objects keep the order of the text, and no key stands twice: so the number of a member finds it there. */
static size_t member_number(const json_t *object, const char *key)
{
	size_t number = 0;
	for (void *at = json_object_iter((json_t *)object); at && strcmp(json_object_iter_key(at), key) != 0;
	     at = json_object_iter_next((json_t *)object, at))
		number++;
	return number;
}

struct json_value json_member(const struct json_value *object, const char *key)
{
	const json_t *json = object->json ? json_object_get(object->json, key) : NULL;
	if (json_is_null(json))
		json = NULL;
	return (struct json_value){ json, object, json ? member_number(object->json, key) : 0 };
}

struct json_value json_item(const struct json_value *list, size_t index)
{
	return (struct json_value){ json_array_get(list->json, index), list, index };
}

const struct json_value *json_value_keep(struct arena *arena, const struct json_value *value)
{
	struct json_value *kept = arena_alloc(arena, sizeof *kept);
	*kept = *value;
	if (value->above)
		kept->above = json_value_keep(arena, value->above);
	return kept;
}

/* ---- the text: it is JSON, so there is nothing to check ---- */

static size_t blank_pass(const struct source *source, size_t at)
{
	while (at < source->size && ascii_is_space(source->text[at]))
		at++;
	return at;
}

static size_t string_pass(const struct source *source, size_t at)
{
	for (at++; at < source->size && source->text[at] != '"'; at++)
		at += source->text[at] == '\\';
	return at + 1;
}

/* A list or an object, however deep. */
static size_t nest_pass(const struct source *source, size_t at)
{
	size_t depth = 0;
	do {
		char c = source->text[at];
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		at = c == '"' ? string_pass(source, at) : at + 1;
	} while (depth && at < source->size);
	return at;
}

static size_t value_pass(const struct source *source, size_t at)
{
	if (source->text[at] == '"')
		return string_pass(source, at);
	if (source->text[at] == '{' || source->text[at] == '[')
		return nest_pass(source, at);
	while (at < source->size && !ascii_is_space(source->text[at]) && !strchr(",]}", source->text[at]))
		at++;
	return at;
}

/* Where the item, or a member's key, begins in the list or object that begins at `at`. */
static size_t item_find(const struct source *source, size_t at, size_t number)
{
	bool keyed = source->text[at] == '{';
	at = blank_pass(source, at + 1);
	for (size_t i = 0; i < number && at < source->size; i++) {
		at = value_pass(source, at);
		if (keyed)
			at = value_pass(source, blank_pass(source, blank_pass(source, at) + 1));
		at = blank_pass(source, blank_pass(source, at) + 1); /* the comma */
	}
	return at;
}

static size_t value_find(const struct source *source, const struct json_value *value)
{
	if (!value->above)
		return blank_pass(source, 0);
	size_t above = value_find(source, value->above);
	size_t at = item_find(source, above, value->number);
	if (source->text[above] != '{')
		return at;
	return blank_pass(source, blank_pass(source, string_pass(source, at)) + 1);
}

static struct span span_of(const struct source *source, size_t begin)
{
	size_t end = value_pass(source, begin);
	const char *line_end = memchr(source->text + begin, '\n', end - begin);
	if (line_end)
		end = (size_t)(line_end - source->text);
	return (struct span){ source, (uint32_t)begin, (uint32_t)end };
}

struct span json_place(const struct source *source, const struct json_value *value)
{
	while (!value->json && value->above)
		value = value->above;
	return span_of(source, value_find(source, value));
}

struct span json_key_place(const struct source *source, const struct json_value *member)
{
	return span_of(source, item_find(source, value_find(source, member->above), member->number));
}
