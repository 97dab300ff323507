/*
 * JSON as jansson reads it. Running out of memory ends the process (die.h): jansson would report it as a
 * mistake in the text.
 */
#ifndef ALLOWC_BASE_JSON_READ_H
#define ALLOWC_BASE_JSON_READ_H

#include <jansson.h>
#include <stddef.h>

/* NULL with the mistake in `error`; a key that stands twice in one object is one. The caller drops what it
 * gets. */
json_t *json_read(const char *bytes, size_t size, json_error_t *error);

/* What a reader wants, for its message: "an object", "a whole number". No reader wants null or a real. */
const char *json_type_words(json_type type);

#endif
