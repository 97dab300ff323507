/*
 * NAME.json: the whole resolved policy, for programs. packaging/schema/policy.schema.json describes it.
 * A member that a row does not have is left out; what every policy has is always there. Files by their
 * base names, orders those of the policy.
 */
#include <string.h>

#include "backends/backend.h"
#include "backends/json_schema.h"
#include "backends/json_row.h"
#include "backends/json_writer.h"
#include "backends/rows.h"
#include "backends/strength.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/map.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/hash.h"
#include "compiler/policy/match.h"
#include "compiler/policy/policy.h"

struct document {
	struct json_writer json;
	struct compilation *compilation;
	const struct policy *policy;
	struct strength_sets strengths;
};

/* ---- layers and decisions ---- */

static void add_layers(struct document *document)
{
	struct json_writer *json = &document->json;
	json_open_list(json, "layers");
	for (size_t i = 0; i < document->policy->layer_count; i++) {
		const struct layer *layer = &document->policy->layers[i];
		json_open_object(json, NULL);
		json_text(json, "name", layer->name);
		json_text_or_null(json, "title", layer->title);
		json_text(json, "file", layer->file);
		json_text(json, "scope", layer->scope);
		json_close_object(json);
	}
	json_close_list(json);
}

/* The hash of the ADR's text: whoever compares artifacts sees that an ADR was amended. */
static void add_decision(struct json_writer *json, struct arena *arena, const struct citation *citation)
{
	const struct adr *adr = citation->adr;
	json_open_object(json, NULL);
	json_text(json, "reference", citation->text);
	if (adr) {
		json_text(json, "title", adr->title);
		json_text(json, "status", adr_status_word(adr->status));
		json_text_or_null(json, "date", adr->date);
		json_text_if_any(json, "successor", adr->successor);
		json_text(json, "file", path_base(adr->source->path));
		json_text(json, "sha256", hash_bytes(arena, adr->source->text, adr->source->size));
	}
	json_close_object(json);
}

/* The references that were seen, by open addressing. */
struct seen {
	const char **items;
	size_t mask;
};

static bool seen_add(struct seen *seen, const char *text)
{
	size_t place = 5381;
	for (const char *at = text; *at; at++)
		place = place * 33 + (unsigned char)*at;
	for (place &= seen->mask; seen->items[place]; place = (place + 1) & seen->mask)
		if (strcmp(seen->items[place], text) == 0)
			return false;
	seen->items[place] = text;
	return true;
}

/* Each row of the policy: those in force, then those of roles and plugins, then the revoked. */
static void visit_rows(const struct policy *policy, void (*visit)(const struct row *row, void *context),
		       void *context)
{
	for (size_t i = 0; i < policy->row_count; i++)
		visit(policy->rows[i], context);
	for (size_t i = 0; i < policy->role_count; i++)
		for (size_t k = 0; k < policy->roles[i]->row_count; k++)
			visit(policy->roles[i]->rows[k], context);
	for (size_t i = 0; i < policy->plugin_count; i++)
		for (size_t k = 0; k < policy->plugins[i]->row_count; k++)
			visit(policy->plugins[i]->rows[k], context);
	for (size_t i = 0; i < policy->revocation_count; i++) {
		visit(policy->revocations[i].row, context);
		visit(policy->revocations[i].revoke, context);
	}
}

static void count_citations(const struct row *row, void *context)
{
	*(size_t *)context += row->citation_count;
}

struct decisions {
	struct json_writer *json;
	struct arena *arena;
	struct seen seen;
};

static void add_decisions_of(const struct row *row, void *context)
{
	struct decisions *decisions = context;
	for (size_t i = 0; i < row->citation_count; i++)
		if (seen_add(&decisions->seen, row->citations[i].text))
			add_decision(decisions->json, decisions->arena, &row->citations[i]);
}

/* In the order of their first citation. */
static void add_decisions(struct document *document)
{
	size_t count = 0, size = 16;
	visit_rows(document->policy, count_citations, &count);
	while (size < 2 * count)
		size *= 2;
	struct decisions decisions = { .json = &document->json, .arena = document->compilation->arena };
	decisions.seen.items = arena_array(document->compilation->arena, size, sizeof *decisions.seen.items);
	decisions.seen.mask = size - 1;
	json_open_list(&document->json, "decisions");
	visit_rows(document->policy, add_decisions_of, &decisions);
	json_close_list(&document->json);
}

/* ---- rows ---- */

static void add_place(struct json_writer *json, struct span place)
{
	if (!place.source)
		return;
	json_text(json, "file", path_base(place.source->path));
	json_number(json, "line", source_position(place.source, place.begin).line);
}

static void add_citations(struct json_writer *json, const struct row *row)
{
	json_open_row(json, "adr");
	for (size_t i = 0; i < row->citation_count; i++)
		json_row_text(json, row->citations[i].text);
	json_close_row(json);
}

static void add_strength(struct document *document, const struct row *row)
{
	struct json_writer *json = &document->json;
	json_open_object(json, "strength");
	for (unsigned artifact = 0; artifact < STRENGTH_ARTIFACT_COUNT; artifact++)
		json_text(json, strength_artifact_name(artifact),
			  strength_words(strength_of(&document->strengths, row, artifact)));
	json_close_object(json);
	json_text_if_any(json, "caveat", strength_row_caveat(&document->strengths, row));
}

static const char *kind_word(enum subject_kind kind)
{
	switch (kind) {
	case SUBJECT_COMMAND:
		return "command";
	case SUBJECT_CAPABILITY:
		return "capability";
	default:
		return "syscall";
	}
}

static void add_row(struct document *document, const char *key, const struct row *row)
{
	struct json_writer *json = &document->json;
	json_open_object(json, key);
	json_text(json, "verb", verb_word(row->verb));
	json_text(json, "kind", kind_word(row->kind));
	json_text(json, "subject", row->subject);
	if (row->kind == SUBJECT_COMMAND)
		json_text(json, "spelling", row->spelling);
	json_text(json, "layer", row->layer->name);
	add_place(json, row->span);
	add_citations(json, row);
	json_text_if_any(json, "reason", row->reason);
	json_text_if_any(json, "instead", row_more(row)->instead);
	json_needs(document->compilation->arena, json, row);
	json_requirements(json, row);
	json_paths(json, row);
	if (row->kind == SUBJECT_SYSCALL)
		json_calls(document->compilation->arena, json, row->calls, row->call_count);
	if (row_more(row)->has_action)
		json_text(json, "action", action_text(document->compilation, row_more(row)->action));
	json_platforms(json, row);
	json_text_if_any(json, "until", row_more(row)->until);
	add_strength(document, row);
	json_close_object(json);
}

static void add_rows(struct document *document, const struct row *const *rows, size_t count)
{
	json_open_list(&document->json, "rows");
	for (size_t i = 0; i < count; i++)
		add_row(document, NULL, rows[i]);
	json_close_list(&document->json);
}

/* ---- roles and plugins ---- */

static void add_rules(struct document *document, const char *key, const struct call_rule *rules,
		      size_t count);

/* A role may forbid again what the layers do. */
static void add_dropped_of(struct json_writer *json, const struct row *const *rows, size_t count,
			   struct map *dropped)
{
	for (size_t i = 0; i < count; i++) {
		const struct row *row = rows[i];
		if (row->kind != SUBJECT_CAPABILITY || row->verb != VERB_FORBID || !row_is_for_linux(row))
			continue;
		void **known = map_at(dropped, row->subject, strlen(row->subject));
		if (!*known)
			json_row_text(json, row->subject);
		*known = (void *)row;
	}
}

/* The capabilities that whoever starts a process under this policy, or for the role, must drop. */
static void add_dropped(struct document *document, const struct block *role)
{
	struct map *dropped = map_new(document->compilation->arena, 0);
	json_open_row(&document->json, "dropCapabilities");
	add_dropped_of(&document->json, document->policy->rows, document->policy->row_count, dropped);
	if (role)
		add_dropped_of(&document->json, role->rows, role->row_count, dropped);
	json_close_row(&document->json);
}

/* What it may run, and what its own filter denies, where it has one. */
static void add_role(struct document *document, const struct block *role)
{
	struct json_writer *json = &document->json;
	size_t count;
	const struct row **rows =
		block_commands(document->compilation->arena, document->policy, role, VERB_ALLOW, &count);
	json_open_list(json, "allowed");
	for (size_t i = 0; i < count; i++)
		json_text(json, NULL, rows[i]->subject);
	json_close_list(json);
	if (role->seccomp) {
		json_open_object(json, "seccomp");
		add_rules(document, "denied", role->seccomp->denied, role->seccomp->denied_count);
		json_close_object(json);
	}
	add_dropped(document, role);
}

static void add_tools(struct json_writer *json, const char *key, const struct row *const *tools, size_t count)
{
	json_open_list(json, key);
	for (size_t i = 0; i < count; i++) {
		json_open_object(json, NULL);
		json_text(json, "command", tools[i]->subject);
		json_text(json, "spelling", tools[i]->spelling);
		json_close_object(json);
	}
	json_close_list(json);
}

static void add_block(struct document *document, const struct block *block)
{
	struct json_writer *json = &document->json;
	json_open_object(json, NULL);
	json_text(json, "name", block->name);
	json_text(json, "layer", block->layer->name);
	add_place(json, block->span);
	if (block->kind == AST_PLUGIN) {
		json_text_if_any(json, "manifest", block->file);
		json_bool(json, "written", block->written);
		add_tools(json, "tools", (const struct row *const *)block->tools, block->tool_count);
		add_tools(json, "optional", (const struct row *const *)block->optional,
			  block->optional_count);
	}
	add_rows(document, (const struct row *const *)block->rows, block->row_count);
	if (block->kind == AST_ROLE)
		add_role(document, block);
	json_close_object(json);
}

static void add_blocks(struct document *document, const char *key, const struct block *const *blocks,
		       size_t count)
{
	json_open_list(&document->json, key);
	for (size_t i = 0; i < count; i++)
		add_block(document, blocks[i]);
	json_close_list(&document->json);
}

/* ---- what a change must not lose unseen ---- */

static void add_expectations(struct document *document)
{
	struct json_writer *json = &document->json;
	json_open_list(json, "expectations");
	for (size_t i = 0; i < document->policy->guard_count; i++) {
		const struct guard *guard = &document->policy->guards[i];
		json_open_object(json, NULL);
		json_text(json, "kind", expectation_word(guard->kind));
		json_text(json, "text", guard->text);
		json_text(json, "layer", guard->layer->name);
		add_place(json, guard->span);
		json_close_object(json);
	}
	json_close_list(json);
}

static void add_authorities(struct document *document)
{
	struct json_writer *json = &document->json;
	json_open_list(json, "authorities");
	for (size_t i = 0; i < document->policy->authority_count; i++) {
		const struct authority *authority = &document->policy->authorities[i];
		json_open_object(json, NULL);
		json_text(json, "scope", authority->scope);
		json_text(json, "folder", authority->folder);
		json_open_row(json, "accept");
		for (size_t k = 0; k < authority->accept_count; k++)
			json_row_text(json, authority->accept[k]);
		json_close_row(json);
		json_text(json, "layer", authority->layer->name);
		add_place(json, authority->span);
		json_close_object(json);
	}
	json_close_list(json);
}

/* ---- seccomp ---- */

static void add_cause(struct document *document, const struct call_rule *rule)
{
	struct json_writer *json = &document->json;
	json_open_object(json, NULL);
	bool base = rule->row == document->policy->seccomp.base_row;
	json_text(json, "verb", base ? setting_word(SETTING_BASE) : verb_word(rule->row->verb));
	json_text(json, "subject", rule->row->subject);
	if (rule->capability)
		json_text(json, "capability", rule->capability->name);
	if (rule->condition) {
		json_text(json, "condition", rule->condition->text);
		json_text(json, "action", action_text(document->compilation, rule->action));
	}
	if (rule->follows)
		json_text(json, "follows", rule->follows->name);
	add_place(json, rule->row->span);
	add_citations(json, rule->row);
	json_close_object(json);
}

/* The rule of one call that holds whatever the arguments are; NULL where each has a condition. */
static const struct call_rule *rule_of_all(const struct call_rule *rules, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!rules[i].condition)
			return &rules[i];
	return NULL;
}

/* One object a call: the rules are sorted by call, so those of one call stand together. */
static void add_rules(struct document *document, const char *key, const struct call_rule *rules, size_t count)
{
	struct json_writer *json = &document->json;
	json_open_list(json, key);
	for (size_t i = 0, of_call; i < count; i += of_call) {
		for (of_call = 1; i + of_call < count && rules[i + of_call].call == rules[i].call;)
			of_call++;
		const struct call_rule *whole = rule_of_all(rules + i, of_call);
		json_open_object(json, NULL);
		json_text(json, "name", rules[i].call->name);
		json_text(json, "action",
			  action_text(document->compilation, (whole ? whole : &rules[i])->action));
		if (!whole)
			json_bool(json, "conditional", true);
		json_open_list(json, "causes");
		for (size_t k = 0; k < of_call; k++)
			add_cause(document, &rules[i + k]);
		json_close_list(json);
		json_close_object(json);
	}
	json_close_list(json);
}

static void add_abis(struct json_writer *json, unsigned abis)
{
	json_open_row(json, "abis");
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (abis & 1u << abi)
			json_row_text(json, abi_facts(abi)->name);
	json_close_row(json);
}

static void add_base(struct document *document, const struct seccomp *seccomp)
{
	struct json_writer *json = &document->json;
	if (!seccomp->base)
		return;
	json_open_object(json, "base");
	json_text(json, "group", seccomp->base);
	add_place(json, seccomp->base_span);
	json_open_row(json, "calls");
	for (size_t i = 0; i < seccomp->base_call_count; i++)
		json_row_text(json,
			      call_reference_text(document->compilation->arena, &seccomp->base_calls[i]));
	json_close_row(json);
	json_close_object(json);
}

static void add_hot(struct json_writer *json, const struct seccomp *seccomp)
{
	if (!seccomp->hot_count)
		return;
	json_open_row(json, "hot");
	for (size_t i = 0; i < seccomp->hot_count; i++)
		json_row_text(json, seccomp->hot[i]->name);
	json_close_row(json);
}

static void add_seccomp(struct document *document)
{
	struct json_writer *json = &document->json;
	const struct seccomp *seccomp = &document->policy->seccomp;
	struct compilation *compilation = document->compilation;
	json_open_object(json, "seccomp");
	json_text(json, "default", action_text(compilation, seccomp->fallback));
	json_text(json, "denyWith", action_text(compilation, seccomp->deny));
	json_text(json, "unknown",
		  seccomp->unknown_default ? "default" : action_text(compilation, seccomp->unknown));
	add_abis(json, seccomp->abis);
	add_rules(document, "denied", seccomp->denied, seccomp->denied_count);
	add_rules(document, "allowed", seccomp->allowed, seccomp->allowed_count);
	add_base(document, seccomp);
	add_hot(json, seccomp);
	json_close_object(json);
}

/* ---- the rest ---- */

static void add_caveats(struct document *document)
{
	struct json_writer *json = &document->json;
	json_open_object(json, "caveats");
	for (unsigned artifact = 0; artifact < STRENGTH_ARTIFACT_COUNT; artifact++) {
		/* Its lines are for comments; here it is a sentence. */
		char *caveat = arena_printf(document->compilation->arena, "%s", strength_caveat(artifact));
		for (char *at = caveat; *at; at++)
			if (*at == '\n')
				*at = ' ';
		json_text(json, strength_artifact_name(artifact), caveat);
	}
	json_close_object(json);
}

static void add_counts(struct document *document)
{
	struct json_writer *json = &document->json;
	json_open_object(json, "counts");
	json_number(json, "allowed", document->policy->allowed_count);
	json_number(json, "forbidden", document->policy->forbidden_count);
	json_number(json, "declined", document->policy->declined_count);
	json_close_object(json);
}

static void add_revocations(struct document *document)
{
	struct json_writer *json = &document->json;
	json_open_list(json, "revocations");
	for (size_t i = 0; i < document->policy->revocation_count; i++) {
		json_open_object(json, NULL);
		add_row(document, "row", document->policy->revocations[i].row);
		add_row(document, "revoke", document->policy->revocations[i].revoke);
		json_close_object(json);
	}
	json_close_list(json);
}

static void add_policy(struct document *document)
{
	struct json_writer *json = &document->json;
	const struct policy *policy = document->policy;
	json_open_object(json, NULL);
	json_number(json, "schema", POLICY_SCHEMA);
	json_text(json, "policy", policy->name);
	json_text_or_null(json, "title", policy->title);
	json_number(json, "edition", policy->edition);
	json_text(json, "file", policy->file);
	add_counts(document);
	add_layers(document);
	add_authorities(document);
	add_decisions(document);
	add_rows(document, policy->rows, policy->row_count);
	add_blocks(document, "roles", policy->roles, policy->role_count);
	add_blocks(document, "plugins", policy->plugins, policy->plugin_count);
	add_revocations(document);
	add_expectations(document);
	add_seccomp(document);
	add_dropped(document, NULL);
	add_caveats(document);
	json_close_object(json);
	json_finish(json);
}

static bool json_owns(const struct policy *policy, const char *path)
{
	return artifact_is_named(policy, path, ".json");
}

static void json_list(const struct emission *emission, struct artifacts *out)
{
	artifact_add(emission, out, &backend_json, artifact_name(emission, ".json"), "", 0);
}

static bool json_emit(const struct emission *emission, struct artifacts *out)
{
	struct strbuf text = STRBUF_INIT;
	struct document document = {
		.json = JSON_WRITER_INIT(&text),
		.compilation = emission->compilation,
		.policy = emission->policy,
		.strengths = strength_sets_of(emission->compilation->arena, emission->policy),
	};
	add_policy(&document);
	artifact_add(emission, out, &backend_json, artifact_name(emission, ".json"), text.bytes, text.size);
	strbuf_release(&text);
	return true;
}

const struct backend backend_json = {
	.name = "json",
	.summary = "NAME.json: the resolved policy for programs, with its strengths",
	.owns = json_owns,
	.list = json_list,
	.emit = json_emit,
};
