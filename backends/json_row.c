#include "backends/json_row.h"

#include "backends/json_writer.h"
#include "compiler/policy/policy.h"

void json_calls(struct arena *arena, struct json_writer *json, const struct call_reference *calls,
		size_t count)
{
	json_open_row(json, "syscalls");
	for (size_t i = 0; i < count; i++)
		json_row_text(json, call_reference_text(arena, &calls[i]));
	json_close_row(json);
}

void json_needs(struct arena *arena, struct json_writer *json, const struct row *row)
{
	const struct row_more *more = row_more(row);
	if (!more->need_count)
		return;
	json_open_list(json, "needs");
	for (size_t i = 0; i < more->need_count; i++) {
		const struct need *need = &more->needs[i];
		json_open_object(json, NULL);
		if (need->capability)
			json_text(json, "capability", need->capability->name);
		json_calls(arena, json, need->calls, need->call_count);
		json_close_object(json);
	}
	json_close_list(json);
}

void json_requirements(struct json_writer *json, const struct row *row)
{
	const struct row_more *more = row_more(row);
	if (!more->requirement_count)
		return;
	json_open_list(json, "requires");
	for (size_t i = 0; i < more->requirement_count; i++) {
		const struct requirement *requirement = &more->requirements[i];
		json_open_object(json, NULL);
		json_text(json, "command", requirement->command);
		json_text_if_any(json, "operator", requirement->operator);
		json_text_if_any(json, "version", requirement->version);
		json_close_object(json);
	}
	json_close_list(json);
}

void json_paths(struct json_writer *json, const struct row *row)
{
	const struct row_more *more = row_more(row);
	if (!more->path_count)
		return;
	json_open_row(json, "paths");
	for (size_t i = 0; i < more->path_count; i++)
		json_row_text(json, more->paths[i]);
	json_close_row(json);
}

void json_platforms(struct json_writer *json, const struct row *row)
{
	const struct row_more *more = row_more(row);
	if (!more->platforms)
		return;
	json_open_row(json, "platforms");
	for (enum platform platform = 0; platform < PLATFORM_COUNT; platform++)
		if (more->platforms & 1u << platform)
			json_row_text(json, platform_word(platform));
	json_close_row(json);
}
