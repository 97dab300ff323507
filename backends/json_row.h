/* Members of a row that the json artifact and `explain` write alike, each left out where the row has none. */
#ifndef ALLOWC_BACKENDS_JSON_ROW_H
#define ALLOWC_BACKENDS_JSON_ROW_H

#include <stddef.h>

struct arena;
struct call_reference;
struct json_writer;
struct row;

/* "syscalls": even of none. */
void json_calls(struct arena *arena, struct json_writer *json, const struct call_reference *calls,
		size_t count);

void json_needs(struct arena *arena, struct json_writer *json, const struct row *row);
void json_requirements(struct json_writer *json, const struct row *row);
void json_paths(struct json_writer *json, const struct row *row);
void json_platforms(struct json_writer *json, const struct row *row);

#endif
