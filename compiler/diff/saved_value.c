#include "compiler/diff/saved_value.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/json_read.h"

/* ---- mistakes ---- */

static const char *way_to(struct arena *arena, const struct saved_value *value)
{
	if (!value->above)
		return "";
	const char *above = way_to(arena, value->above);
	if (!value->key)
		return arena_printf(arena, "%s[%zu]", above, value->index);
	return arena_printf(arena, "%s%s%s", above, *above ? "." : "", value->key);
}

void saved_mistake(struct saved_mistakes *mistakes, const struct saved_value *value, const char *format, ...)
{
	if (mistakes->first)
		return;
	va_list arguments;
	va_start(arguments, format);
	const char *what = arena_vprintf(mistakes->arena, format, arguments);
	va_end(arguments);
	const char *way = way_to(mistakes->arena, value);
	mistakes->first = arena_printf(mistakes->arena, "%s%s%s", way, *way ? ": " : "", what);
}

static bool has_type(const json_t *json, json_type type)
{
	return json_typeof(json) == type || (type == JSON_TRUE && json_is_false(json));
}

/* NULL in `json` where it is not of the type, which is a mistake. */
static struct saved_value typed(struct saved_mistakes *mistakes, struct saved_value value, json_type type)
{
	if (value.json && !has_type(value.json, type)) {
		saved_mistake(mistakes, &value, "it is not %s", json_type_words(type));
		value.json = NULL;
	}
	return value;
}

/* ---- members ---- */

struct saved_value saved_place(const struct saved_value *above, const char *key)
{
	return (struct saved_value){
		.json = above->json ? json_object_get(above->json, key) : NULL,
		.above = above,
		.key = key,
	};
}

static struct saved_value needed(struct saved_mistakes *mistakes, const struct saved_value *above,
				 const char *key, json_type type)
{
	struct saved_value value = saved_place(above, key);
	if (above->json && !value.json)
		saved_mistake(mistakes, above, "it has no \"%s\"", key);
	return typed(mistakes, value, type);
}

struct saved_value saved_object(struct saved_mistakes *mistakes, const struct saved_value *above,
				const char *key)
{
	return needed(mistakes, above, key, JSON_OBJECT);
}

struct saved_value saved_list(struct saved_mistakes *mistakes, const struct saved_value *above,
			      const char *key)
{
	return needed(mistakes, above, key, JSON_ARRAY);
}

struct saved_value saved_object_if_any(struct saved_mistakes *mistakes, const struct saved_value *above,
				       const char *key)
{
	return typed(mistakes, saved_place(above, key), JSON_OBJECT);
}

struct saved_value saved_list_if_any(struct saved_mistakes *mistakes, const struct saved_value *above,
				     const char *key)
{
	return typed(mistakes, saved_place(above, key), JSON_ARRAY);
}

static const char *text_of(struct arena *arena, const json_t *json)
{
	return json ? arena_text(arena, json_string_value(json), json_string_length(json)) : NULL;
}

const char *saved_text(struct saved_mistakes *mistakes, const struct saved_value *above, const char *key)
{
	const char *text = text_of(mistakes->arena, needed(mistakes, above, key, JSON_STRING).json);
	return text ? text : "";
}

const char *saved_text_if_any(struct saved_mistakes *mistakes, const struct saved_value *above,
			      const char *key)
{
	struct saved_value value = saved_place(above, key);
	if (json_is_null(value.json))
		return NULL;
	return text_of(mistakes->arena, typed(mistakes, value, JSON_STRING).json);
}

unsigned saved_number(struct saved_mistakes *mistakes, const struct saved_value *above, const char *key,
		      unsigned most)
{
	struct saved_value value = needed(mistakes, above, key, JSON_INTEGER);
	json_int_t number = value.json ? json_integer_value(value.json) : 0;
	if (number >= 0 && number <= (json_int_t)most)
		return (unsigned)number;
	saved_mistake(mistakes, &value, "it is not a number from 0 to %u", most);
	return 0;
}

bool saved_flag(struct saved_mistakes *mistakes, const struct saved_value *above, const char *key)
{
	const json_t *json = needed(mistakes, above, key, JSON_TRUE).json;
	return json_is_true(json);
}

/* ---- items ---- */

size_t saved_count(const struct saved_value *list)
{
	return list->json ? json_array_size(list->json) : 0;
}

static struct saved_value item_at(const struct saved_value *list, size_t index)
{
	return (struct saved_value){ .json = json_array_get(list->json, index),
				     .above = list,
				     .index = index };
}

struct saved_value saved_item(struct saved_mistakes *mistakes, const struct saved_value *list, size_t index)
{
	return typed(mistakes, item_at(list, index), JSON_OBJECT);
}

const char *saved_item_text(struct saved_mistakes *mistakes, const struct saved_value *list, size_t index)
{
	const char *text = text_of(mistakes->arena, typed(mistakes, item_at(list, index), JSON_STRING).json);
	return text ? text : "";
}
