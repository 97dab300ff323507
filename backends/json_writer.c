#include "backends/json_writer.h"

#include <assert.h>

#include "backends/quote.h"
#include "compiler/base/strbuf.h"

static void new_line(struct json_writer *json)
{
	strbuf_add_text(json->out, "\n");
	strbuf_add_fill(json->out, ' ', 2 * (size_t)json->depth);
}

static void begin_member(struct json_writer *json, const char *key)
{
	if (json->filled)
		strbuf_add_text(json->out, ",");
	if (json->depth)
		new_line(json);
	json->filled = true;
	if (!key)
		return;
	quote_json(json->out, key);
	strbuf_add_text(json->out, ": ");
}

static void enter(struct json_writer *json)
{
	json->depth++;
	json->filled = false;
}

static void leave(struct json_writer *json)
{
	assert(json->depth);
	json->depth--;
	if (json->filled)
		new_line(json);
	json->filled = true;
}

void json_open_object(struct json_writer *json, const char *key)
{
	begin_member(json, key);
	strbuf_add_text(json->out, "{");
	enter(json);
}

void json_close_object(struct json_writer *json)
{
	leave(json);
	strbuf_add_text(json->out, "}");
}

void json_open_list(struct json_writer *json, const char *key)
{
	begin_member(json, key);
	strbuf_add_text(json->out, "[");
	enter(json);
}

void json_close_list(struct json_writer *json)
{
	leave(json);
	strbuf_add_text(json->out, "]");
}

void json_text(struct json_writer *json, const char *key, const char *text)
{
	begin_member(json, key);
	quote_json(json->out, text);
}

void json_text_or_null(struct json_writer *json, const char *key, const char *text)
{
	begin_member(json, key);
	if (text)
		quote_json(json->out, text);
	else
		strbuf_add_text(json->out, "null");
}

void json_text_if_any(struct json_writer *json, const char *key, const char *text)
{
	if (text)
		json_text(json, key, text);
}

void json_number(struct json_writer *json, const char *key, uint64_t number)
{
	begin_member(json, key);
	quote_number(json->out, number);
}

void json_bool(struct json_writer *json, const char *key, bool value)
{
	begin_member(json, key);
	strbuf_add_text(json->out, value ? "true" : "false");
}

void json_open_row(struct json_writer *json, const char *key)
{
	begin_member(json, key);
	strbuf_add_text(json->out, "[");
	json->filled = false;
}

void json_row_text(struct json_writer *json, const char *text)
{
	if (json->filled)
		strbuf_add_text(json->out, ", ");
	quote_json(json->out, text);
	json->filled = true;
}

void json_close_row(struct json_writer *json)
{
	strbuf_add_text(json->out, "]");
	json->filled = true;
}

void json_finish(struct json_writer *json)
{
	assert(json->depth == 0);
	strbuf_add_text(json->out, "\n");
}
