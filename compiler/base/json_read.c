#include "compiler/base/json_read.h"

#include <stdlib.h>

#include "compiler/base/die.h"

static void *memory_take(size_t size)
{
	void *bytes = malloc(size);
	if (!bytes && size)
		die_out_of_memory();
	return bytes;
}

json_t *json_read(const char *bytes, size_t size, json_error_t *error)
{
	json_set_alloc_funcs(memory_take, free);
	return json_loadb(bytes, size, JSON_REJECT_DUPLICATES, error);
}

const char *json_type_words(json_type type)
{
	switch (type) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "a list";
	case JSON_STRING:
		return "a text";
	case JSON_INTEGER:
		return "a whole number";
	default:
		return "true or false";
	}
}
