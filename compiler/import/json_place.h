/*
 * Where a value stands in a JSON text that jansson has taken: jansson itself keeps no places. A place is
 * looked up only when there is something to say about it, and costs one pass over the text.
 */
#ifndef ALLOWC_IMPORT_JSON_PLACE_H
#define ALLOWC_IMPORT_JSON_PLACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/source.h"

struct arena;

/* A value with its way from the top. `json` is NULL for a member that is not there, or null. */
struct json_value {
	const json_t *json;
	const struct json_value *above; /* NULL: the whole; it lives as long as what stands in it */
	size_t number;                  /* of the item or member above, from 0, in the order of the text */
};

/* A member, by its key; nothing where it is absent. */
struct json_value json_member(const struct json_value *object, const char *key);

/* An item of a list. */
struct json_value json_item(const struct json_value *list, size_t index);

/* A copy that lives as long as the arena, with all above it. */
const struct json_value *json_value_keep(struct arena *arena, const struct json_value *value);

/* The value's place; of what is not there that of the nearest value around it. */
struct span json_place(const struct source *source, const struct json_value *value);

/* The key of a member, with its quotes. */
struct span json_key_place(const struct source *source, const struct json_value *member);

#endif
