#include "compiler/explain/explain_json.h"

#include <string.h>

#include "backends/json_row.h"
#include "backends/json_writer.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/explain/call_answer.h"
#include "compiler/explain/command_answer.h"
#include "compiler/explain/holding.h"

static const char *verdict_word(enum verdict verdict)
{
	static const char *const words[] = { "unlisted", "allowed", "forbidden" };
	return words[verdict];
}

/* ---- rows ---- */

static void place_add(struct json_writer *json, struct span span)
{
	json_text(json, "file", span.source->path);
	json_number(json, "line", source_position(span.source, span.begin).line);
}

static void citation_add(struct json_writer *json, const struct citation *citation)
{
	json_open_object(json, NULL);
	json_text(json, "ref", citation->text);
	if (citation->adr) {
		json_text(json, "title", citation->adr->title);
		json_text(json, "status", adr_status_word(citation->adr->status));
		json_text_or_null(json, "date", citation->adr->date);
		json_text(json, "path", citation->adr->source->path);
	}
	json_close_object(json);
}

static void row_members_add(struct compilation *compilation, struct json_writer *json, const struct row *row)
{
	json_text(json, "verb", verb_word(row->verb));
	json_text(json, "subject", row->subject);
	json_text(json, "layer", row->layer->name);
	place_add(json, row->span);
	json_text_if_any(json, "reason", row->reason);
	json_text_if_any(json, "instead", row_more(row)->instead);
	json_text_if_any(json, "until", row_more(row)->until);
	json_open_list(json, "adr");
	for (size_t i = 0; i < row->citation_count; i++)
		citation_add(json, &row->citations[i]);
	json_close_list(json);
	json_needs(compilation->arena, json, row);
	json_requirements(json, row);
	json_paths(json, row);
	json_platforms(json, row);
}

/* null without a row */
static void row_add(struct compilation *compilation, struct json_writer *json, const char *key,
		    const struct row *row)
{
	if (!row) {
		json_text_or_null(json, key, NULL);
		return;
	}
	json_open_object(json, key);
	row_members_add(compilation, json, row);
	json_close_object(json);
}

static void holdings_add(struct json_writer *json, const struct holdings *holdings)
{
	json_text_if_any(json, "caveat", holdings->caveat);
	json_open_list(json, "strength");
	for (size_t i = 0; i < holdings->count; i++) {
		json_open_object(json, NULL);
		json_text(json, "artifact", strength_artifact_name(holdings->items[i].artifact));
		json_text(json, "strength", strength_words(holdings->items[i].strength));
		json_text(json, "meaning", holdings->items[i].sentence);
		json_close_object(json);
	}
	json_close_list(json);
}

/* ---- commands ---- */

static void layers_add(struct json_writer *json, const struct policy *policy)
{
	json_open_row(json, "layers");
	for (size_t i = 0; i < policy->layer_count; i++)
		json_row_text(json, policy->layers[i].name);
	json_close_row(json);
}

static void said_add(struct compilation *compilation, struct json_writer *json,
		     const struct command_answer *answer)
{
	json_open_list(json, "said");
	for (size_t i = 0; i < answer->said_count; i++) {
		json_open_object(json, NULL);
		row_members_add(compilation, json, answer->said[i].row);
		json_bool(json, "decides", answer->said[i].decides);
		if (answer->said[i].revoke)
			row_add(compilation, json, "revokedBy", answer->said[i].revoke);
		json_close_object(json);
	}
	json_close_list(json);
}

static void longer_add(struct json_writer *json, const struct command_answer *answer)
{
	json_open_list(json, "longer");
	for (size_t i = 0; i < answer->longer_count && i < LONGER_ROWS_MAX; i++) {
		json_open_object(json, NULL);
		json_text(json, "verb", verb_word(answer->longer[i]->verb));
		json_text(json, "subject", answer->longer[i]->subject);
		place_add(json, answer->longer[i]->span);
		json_close_object(json);
	}
	json_close_list(json);
}

static void blocks_add(struct json_writer *json, const struct command_answer *answer)
{
	json_open_list(json, "blocks");
	for (size_t i = 0; i < answer->block_count; i++) {
		const struct block_answer *block = &answer->blocks[i];
		json_open_object(json, NULL);
		json_text(json, "kind", block->block->kind == AST_ROLE ? "role" : "plugin");
		json_text(json, "name", block->block->name);
		json_text(json, "verdict", verdict_word(block->verdict));
		json_bool(json, "listed", block->listed);
		json_text(json, "subject", block->row->subject);
		place_add(json, block->row->span);
		json_close_object(json);
	}
	json_close_list(json);
}

static void remarks_add(struct json_writer *json, const struct command_answer *answer)
{
	if (!answer->remark_count)
		return;
	json_open_list(json, "blockNotes");
	for (size_t i = 0; i < answer->remark_count; i++) {
		const struct row *row = answer->remarks[i].row;
		json_open_object(json, NULL);
		json_text(json, "kind", row->block->kind == AST_ROLE ? "role" : "plugin");
		json_text(json, "name", row->block->name);
		json_text(json, "verb", verb_word(row->verb));
		json_text(json, "subject", row->subject);
		place_add(json, row->span);
		if (answer->remarks[i].behind_options)
			json_text(json, "optionBefore", answer->option);
		json_close_object(json);
	}
	json_close_list(json);
}

/* The row that would list it, without what its author alone can say. */
static void listing_add(struct compilation *compilation, struct json_writer *json,
			const struct policy *policy, const struct command_answer *answer)
{
	if (!answer->to_list)
		return;
	json_open_object(json, "toList");
	json_text(json, "row",
		  arena_printf(compilation->arena, "allow %s  adr …  because \"…\"", answer->to_list));
	json_text(json, "file", policy->layers[policy->layer_count - 1].source->path);
	if (answer->in_place)
		json_number(
			json, "declinedInLine",
			source_position(answer->in_place->span.source, answer->in_place->span.begin).line);
	json_close_object(json);
}

static void meant_add(struct compilation *compilation, struct json_writer *json,
		      const struct command_answer *answer)
{
	if (answer->base) {
		json_open_object(json, "baseName");
		json_text(json, "name", answer->base);
		json_text(json, "verdict", verdict_word(answer->base_verdict));
		json_close_object(json);
	}
	if (answer->behind_options) {
		json_text(json, "optionBefore", answer->option);
		row_add(compilation, json, "notMatched", answer->behind_options);
	}
	json_open_row(json, "near");
	for (size_t i = 0; i < answer->near_count; i++)
		json_row_text(json, answer->nearest[i]);
	json_close_row(json);
}

void command_answer_json(struct compilation *compilation, const struct policy *policy,
			 const struct command_answer *answer, const struct holdings *holdings,
			 struct strbuf *out)
{
	struct json_writer json = JSON_WRITER_INIT(out);
	json_open_object(&json, NULL);
	json_text(&json, "policy", policy->name);
	json_open_row(&json, "argv");
	for (size_t i = 0; i < answer->word_count; i++)
		json_row_text(&json, answer->words[i]);
	json_close_row(&json);
	json_text(&json, "verdict", verdict_word(answer->verdict));
	row_add(compilation, &json, "row", answer->row);
	layers_add(&json, policy);
	said_add(compilation, &json, answer);
	longer_add(&json, answer);
	blocks_add(&json, answer);
	remarks_add(&json, answer);
	meant_add(compilation, &json, answer);
	listing_add(compilation, &json, policy, answer);
	holdings_add(&json, holdings);
	json_close_object(&json);
	json_finish(&json);
}

/* ---- system calls ---- */

static const char *fate_word(enum call_fate fate)
{
	static const char *const words[] = { [FATE_ABSENT] = "absent",
					     [FATE_PASSES] = "passes",
					     [FATE_REFUSED] = "refused",
					     [FATE_BY_ARGUMENTS] = "by arguments" };
	return words[fate];
}

static void abis_add(struct compilation *compilation, struct json_writer *json,
		     const struct call_answer *answer)
{
	json_open_list(json, "abis");
	for (size_t i = 0; i < answer->abi_count; i++) {
		const struct abi_answer *abi = &answer->abis[i];
		json_open_object(json, NULL);
		json_text(json, "abi", abi_facts(abi->abi)->name);
		json_text(json, "fate", fate_word(abi->fate));
		if ((abi->fate == FATE_PASSES || abi->fate == FATE_REFUSED) && !abi->chosen)
			json_text(json, "action", action_text(compilation, abi->action));
		json_close_object(json);
	}
	json_close_list(json);
}

static void causes_add(struct compilation *compilation, struct json_writer *json,
		       const struct call_answer *answer)
{
	json_open_list(json, "causes");
	for (size_t i = 0; i < answer->cause_count; i++) {
		const struct cause *cause = &answer->causes[i];
		json_open_object(json, NULL);
		json_bool(json, "denies", cause->denies);
		json_bool(json, "base", cause->base);
		if (cause->denies)
			json_text(json, "action", action_text(compilation, cause->action));
		json_text_if_any(json, "condition", cause->condition);
		json_text_if_any(json, "capability", cause->capability);
		json_text(json, "subject", cause->row->subject);
		place_add(json, cause->row->span);
		json_close_object(json);
	}
	json_close_list(json);
}

static void calls_add(struct compilation *compilation, struct json_writer *json,
		      const struct kernel_answer *answer)
{
	json_open_list(json, "calls");
	for (size_t i = 0; i < answer->call_count; i++) {
		json_open_object(json, NULL);
		json_text(json, "name", answer->calls[i].call->name);
		abis_add(compilation, json, &answer->calls[i]);
		causes_add(compilation, json, &answer->calls[i]);
		json_close_object(json);
	}
	json_close_list(json);
}

static void roles_add(struct compilation *compilation, struct json_writer *json,
		      const struct kernel_answer *answer)
{
	if (!answer->role_count)
		return;
	json_open_list(json, "roles");
	for (size_t i = 0; i < answer->role_count; i++) {
		const struct role_answer *role = &answer->roles[i];
		json_open_object(json, NULL);
		json_text(json, "name", role->row->block->name);
		json_text(json, "subject", role->row->subject);
		place_add(json, role->row->span);
		if (role->acts)
			json_text(json, "action", action_text(compilation, role->action));
		json_bool(json, "already", role->already);
		json_close_object(json);
	}
	json_close_list(json);
}

static void surroundings_add(struct json_writer *json, const struct kernel_answer *answer)
{
	json_open_list(json, "doors");
	for (size_t i = 0; i < answer->door_count; i++) {
		json_open_object(json, NULL);
		if (answer->doors[i]->row->block)
			json_text(json, "role", answer->doors[i]->row->block->name);
		json_text(json, "beside", answer->doors[i]->refused->name);
		json_text(json, "door", answer->doors[i]->text);
		json_close_object(json);
	}
	json_close_list(json);
	json_open_row(json, "capabilityNotes");
	for (size_t i = 0; i < answer->capability_door_count; i++)
		json_row_text(json, answer->capability_doors[i]);
	json_close_row(json);
	json_open_list(json, "breaks");
	for (size_t i = 0; i < answer->break_count; i++) {
		json_open_object(json, NULL);
		json_text(json, "syscall", answer->breaks[i]->call);
		json_text(json, "what", answer->breaks[i]->what);
		json_text(json, "source", answer->breaks[i]->source);
		json_close_object(json);
	}
	json_close_list(json);
	json_open_row(json, "programs");
	for (size_t i = 0; i < answer->program_count; i++)
		json_row_text(json, answer->programs[i]);
	json_close_row(json);
	json_open_row(json, "neededBy");
	for (size_t i = 0; i < answer->needed_count; i++)
		json_row_text(json, answer->needed_by[i]->subject);
	json_close_row(json);
}

void kernel_answer_json(struct compilation *compilation, const struct policy *policy,
			const struct kernel_answer *answer, const struct holdings *holdings,
			struct strbuf *out)
{
	struct json_writer json = JSON_WRITER_INIT(out);
	json_open_object(&json, NULL);
	json_text(&json, "policy", policy->name);
	json_text(&json, "subject", answer->text);
	if (answer->kind == KERNEL_CAPABILITY) {
		json_bool(&json, "forbidden", answer->capability_row != NULL);
		row_add(compilation, &json, "row", answer->capability_row);
	}
	calls_add(compilation, &json, answer);
	roles_add(compilation, &json, answer);
	surroundings_add(&json, answer);
	holdings_add(&json, holdings);
	json_close_object(&json);
	json_finish(&json);
}
