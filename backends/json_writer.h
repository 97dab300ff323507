/*
 * JSON as text, two blanks to a level, one member a line; short lists of strings on one line. The
 * writer closes what it opened in the right order (assertions), so the text is always well-formed.
 */
#ifndef ALLOWC_BACKENDS_JSON_WRITER_H
#define ALLOWC_BACKENDS_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

struct json_writer {
	struct strbuf *out;
	unsigned depth;
	bool filled; /* the innermost object or list has a member */
};

#define JSON_WRITER_INIT(buffer) { .out = (buffer) }

/* `key` is NULL for an element of a list, and for the outermost value. */
void json_open_object(struct json_writer *json, const char *key);
void json_close_object(struct json_writer *json);
void json_open_list(struct json_writer *json, const char *key);
void json_close_list(struct json_writer *json);

void json_text(struct json_writer *json, const char *key, const char *text);
/* The text, or null where there is none. */
void json_text_or_null(struct json_writer *json, const char *key, const char *text);
/* Nothing at all where there is none. */
void json_text_if_any(struct json_writer *json, const char *key, const char *text);
void json_number(struct json_writer *json, const char *key, uint64_t number);
void json_bool(struct json_writer *json, const char *key, bool value);

/* ["a", "b"] on one line: open, any number of items, close. */
void json_open_row(struct json_writer *json, const char *key);
void json_row_text(struct json_writer *json, const char *text);
void json_close_row(struct json_writer *json);

/* The line end after the outermost value. */
void json_finish(struct json_writer *json);

#endif
