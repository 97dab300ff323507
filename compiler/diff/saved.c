#include "compiler/diff/saved.h"

#include <string.h>

#include "backends/json_schema.h"
#include "compiler/base/json_read.h"
#include "compiler/diff/saved_reading.h"
#include "compiler/policy/edition.h"
#include "compiler/policy/match.h"

bool saved_is(const struct source *source)
{
	const char *at = source->text;
	return at[strspn(at, " \t\r\n")] == '{';
}

/* ---- places ---- */

/* More lines than any policy has that a person reads; each takes memory. */
enum { LINES_MAX = 1 << 24 };

const struct layer *saved_layer(struct saved_reading *reading, const struct saved_value *object)
{
	const char *name = saved_text(&reading->mistakes, object, "layer");
	const struct layer *layer = map_value(reading->layers, name, strlen(name));
	struct saved_value place = saved_place(object, "layer");
	if (!layer)
		saved_mistake(&reading->mistakes, &place, "there is no layer '%s'", name);
	return layer;
}

struct span saved_span(struct saved_reading *reading, const struct saved_value *object)
{
	struct saved_value place = saved_place(object, "line");
	unsigned line = saved_number(&reading->mistakes, object, "line", LINES_MAX);
	if (!line) {
		saved_mistake(&reading->mistakes, &place, "lines are counted from 1");
		return (struct span){ 0 };
	}
	reading->last_line = line > reading->last_line ? line : reading->last_line;
	return (struct span){ reading->lines, line - 1, line - 1 };
}

/* Nobody asked for a position before. */
static void lines_fill(struct saved_reading *reading)
{
	char *text = arena_alloc(reading->arena, (size_t)reading->last_line + 1);
	memset(text, '\n', reading->last_line);
	reading->lines->text = text;
	reading->lines->size = reading->last_line;
}

/* ---- layers ---- */

static void layers_read(struct saved_reading *reading, const struct saved_value *whole)
{
	struct saved_mistakes *mistakes = &reading->mistakes;
	struct saved_value list = saved_list(mistakes, whole, "layers");
	size_t count = saved_count(&list);
	struct layer *layers = arena_array(reading->arena, count, sizeof *layers);
	for (size_t i = 0; i < count && !mistakes->first; i++) {
		struct saved_value item = saved_item(mistakes, &list, i);
		layers[i] = (struct layer){
			.name = saved_text(mistakes, &item, "name"),
			.title = saved_text_if_any(mistakes, &item, "title"),
			.source = reading->lines,
			.file = saved_text(mistakes, &item, "file"),
			.scope = saved_text(mistakes, &item, "scope"),
			.index = i,
		};
		void **place = map_at(reading->layers, layers[i].name, strlen(layers[i].name));
		if (*place)
			saved_mistake(mistakes, &item, "'%s' stands twice", layers[i].name);
		*place = &layers[i];
	}
	reading->policy->layers = layers;
	reading->policy->layer_count = count;
	if (list.json && !count)
		saved_mistake(mistakes, &list, "a policy has a layer");
}

/* ---- ADRs ---- */

static enum adr_status status_read(struct saved_reading *reading, const struct saved_value *object)
{
	const char *word = saved_text(&reading->mistakes, object, "status");
	struct saved_value place = saved_place(object, "status");
	for (unsigned status = 0; status < ADR_STATUS_COUNT; status++)
		if (strcmp(adr_status_word((enum adr_status)status), word) == 0)
			return (enum adr_status)status;
	saved_mistake(&reading->mistakes, &place, "'%s' is no status", word);
	return ADR_UNKNOWN;
}

/* "phase7" of "phase7/0015". */
static const char *scope_of(struct arena *arena, const char *reference)
{
	const char *slash = strrchr(reference, '/');
	return slash ? arena_copy(arena, reference, (size_t)(slash - reference)) : "";
}

static const struct adr *decision_read(struct saved_reading *reading, const struct saved_value *object,
				       const char *reference)
{
	struct saved_mistakes *mistakes = &reading->mistakes;
	struct adr *adr = arena_alloc(reading->arena, sizeof *adr);
	*adr = (struct adr){
		.source = reading->lines,
		.scope = scope_of(reading->arena, reference),
		.title = saved_text(mistakes, object, "title"),
		.status = status_read(reading, object),
		.status_text = "",
		.date = saved_text_if_any(mistakes, object, "date"),
		.successor = saved_text_if_any(mistakes, object, "successor"),
		.digest = saved_text(mistakes, object, "sha256"),
	};
	return adr;
}

/* One that was not opened has its reference alone. */
static void decisions_read(struct saved_reading *reading, const struct saved_value *whole)
{
	struct saved_value list = saved_list(&reading->mistakes, whole, "decisions");
	for (size_t i = 0; i < saved_count(&list) && !reading->mistakes.first; i++) {
		struct saved_value item = saved_item(&reading->mistakes, &list, i);
		const char *reference = saved_text(&reading->mistakes, &item, "reference");
		void **place = map_at(reading->adrs, reference, strlen(reference));
		if (*place)
			saved_mistake(&reading->mistakes, &item, "'%s' stands twice", reference);
		if (saved_place(&item, "status").json)
			*place = (void *)decision_read(reading, &item, reference);
	}
}

static void authority_read(struct saved_reading *reading, const struct saved_value *object,
			   struct authority *authority)
{
	struct saved_value words = saved_list(&reading->mistakes, object, "accept");
	const char **accept = arena_array(reading->arena, saved_count(&words), sizeof *accept);
	for (size_t i = 0; i < saved_count(&words); i++)
		accept[i] = saved_item_text(&reading->mistakes, &words, i);
	*authority = (struct authority){
		.scope = saved_text(&reading->mistakes, object, "scope"),
		.folder = saved_text(&reading->mistakes, object, "folder"),
		.accept = accept,
		.accept_count = saved_count(&words),
		.layer = saved_layer(reading, object),
		.span = saved_span(reading, object),
	};
}

static void authorities_read(struct saved_reading *reading, const struct saved_value *whole)
{
	struct saved_value list = saved_list(&reading->mistakes, whole, "authorities");
	size_t count = saved_count(&list);
	struct authority *authorities = arena_array(reading->arena, count, sizeof *authorities);
	for (size_t i = 0; i < count && !reading->mistakes.first; i++) {
		struct saved_value item = saved_item(&reading->mistakes, &list, i);
		authority_read(reading, &item, &authorities[i]);
	}
	reading->policy->authorities = authorities;
	reading->policy->authority_count = count;
}

/* ---- expectations ---- */

static enum expectation expectation_read(struct saved_reading *reading, const struct saved_value *object)
{
	const char *word = saved_text(&reading->mistakes, object, "kind");
	struct saved_value place = saved_place(object, "kind");
	for (unsigned kind = 0; kind < EXPECTATION_COUNT; kind++)
		if (strcmp(expectation_word((enum expectation)kind), word) == 0)
			return (enum expectation)kind;
	saved_mistake(&reading->mistakes, &place, "'%s' is no kind of expectation", word);
	return EXPECTATION_ALLOWED;
}

static void expectations_read(struct saved_reading *reading, const struct saved_value *whole)
{
	struct saved_value list = saved_list(&reading->mistakes, whole, "expectations");
	size_t count = saved_count(&list);
	struct guard *guards = arena_array(reading->arena, count, sizeof *guards);
	for (size_t i = 0; i < count && !reading->mistakes.first; i++) {
		struct saved_value item = saved_item(&reading->mistakes, &list, i);
		guards[i] = (struct guard){
			.kind = expectation_read(reading, &item),
			.text = saved_text(&reading->mistakes, &item, "text"),
			.layer = saved_layer(reading, &item),
			.span = saved_span(reading, &item),
		};
	}
	reading->policy->guards = guards;
	reading->policy->guard_count = count;
}

/* ---- roles and plugins ---- */

static const struct row *const *tools_read(struct saved_reading *reading, const struct saved_value *plugin,
					   const char *key, size_t *count)
{
	struct saved_mistakes *mistakes = &reading->mistakes;
	struct saved_value list = saved_list(mistakes, plugin, key);
	*count = saved_count(&list);
	const struct row **tools = arena_array(reading->arena, *count, sizeof *tools);
	for (size_t i = 0; i < *count && !mistakes->first; i++) {
		struct saved_value item = saved_item(mistakes, &list, i);
		const char *command = saved_text(mistakes, &item, "command");
		tools[i] = policy_find(reading->policy, command);
		if (!tools[i] || tools[i]->verb != VERB_ALLOW)
			saved_mistake(mistakes, &item, "no row allows '%s'", command);
		else if (strcmp(tools[i]->spelling, saved_text(mistakes, &item, "spelling")) != 0)
			saved_mistake(mistakes, &item, "'%s' is spelled '%s' in its row", command,
				      tools[i]->spelling);
	}
	return tools;
}

static const struct block *block_read(struct saved_reading *reading, const struct saved_value *object,
				      enum ast_kind kind)
{
	struct block *block = arena_alloc(reading->arena, sizeof *block);
	block->kind = kind;
	block->name = saved_text(&reading->mistakes, object, "name");
	block->layer = saved_layer(reading, object);
	block->span = saved_span(reading, object);
	block->rows = saved_rows(reading, object, block, &block->row_count);
	block->index = saved_index(reading, object, block->rows, block->row_count);
	if (kind == AST_ROLE)
		return block;
	block->file = saved_text_if_any(&reading->mistakes, object, "manifest");
	block->written = saved_flag(&reading->mistakes, object, "written");
	block->tools = tools_read(reading, object, "tools", &block->tool_count);
	block->optional = tools_read(reading, object, "optional", &block->optional_count);
	return block;
}

static const struct block *const *blocks_read(struct saved_reading *reading, const struct saved_value *whole,
					      const char *key, enum ast_kind kind, size_t *count)
{
	struct saved_value list = saved_list(&reading->mistakes, whole, key);
	struct map *names = map_new(reading->arena, 0);
	*count = saved_count(&list);
	const struct block **blocks = arena_array(reading->arena, *count, sizeof *blocks);
	for (size_t i = 0; i < *count && !reading->mistakes.first; i++) {
		struct saved_value item = saved_item(&reading->mistakes, &list, i);
		blocks[i] = block_read(reading, &item, kind);
		void **place = map_at(names, blocks[i]->name, strlen(blocks[i]->name));
		if (*place)
			saved_mistake(&reading->mistakes, &item, "'%s' stands twice", blocks[i]->name);
		*place = (void *)blocks[i];
	}
	return blocks;
}

/* ---- the whole ---- */

static void revocations_read(struct saved_reading *reading, const struct saved_value *whole)
{
	struct saved_value list = saved_list(&reading->mistakes, whole, "revocations");
	size_t count = saved_count(&list);
	struct revocation *revocations = arena_array(reading->arena, count, sizeof *revocations);
	for (size_t i = 0; i < count && !reading->mistakes.first; i++) {
		struct saved_value item = saved_item(&reading->mistakes, &list, i);
		struct saved_value row = saved_object(&reading->mistakes, &item, "row");
		struct saved_value revoke = saved_object(&reading->mistakes, &item, "revoke");
		revocations[i] = (struct revocation){ saved_row(reading, &row, NULL),
						      saved_row(reading, &revoke, NULL) };
	}
	reading->policy->revocations = revocations;
	reading->policy->revocation_count = count;
}

static void rows_read(struct saved_reading *reading, const struct saved_value *whole)
{
	struct policy *policy = reading->policy;
	policy->rows = saved_rows(reading, whole, NULL, &policy->row_count);
	policy->index = saved_index(reading, whole, policy->rows, policy->row_count);
	if (!reading->mistakes.first)
		policy_count_rows(policy);
}

static const char *identifier_of(struct arena *arena, const char *name)
{
	char *identifier = arena_copy(arena, name, strlen(name));
	for (char *at = identifier; *at; at++)
		if (*at == '-')
			*at = '_';
	return identifier;
}

static unsigned edition_read(struct saved_reading *reading, const struct saved_value *whole)
{
	struct saved_value place = saved_place(whole, "edition");
	unsigned edition = saved_number(&reading->mistakes, whole, "edition", INT32_MAX);
	if (edition != EDITION_KNOWN)
		saved_mistake(&reading->mistakes, &place, "it is %u, and this allowc knows %d", edition,
			      EDITION_KNOWN);
	return edition;
}

static void head_read(struct saved_reading *reading, const struct saved_value *whole)
{
	struct policy *policy = reading->policy;
	policy->name = saved_text(&reading->mistakes, whole, "policy");
	policy->identifier = identifier_of(reading->arena, policy->name);
	policy->title = saved_text_if_any(&reading->mistakes, whole, "title");
	policy->file = saved_text(&reading->mistakes, whole, "file");
	policy->edition = edition_read(reading, whole);
	policy->saved = true;
}

/* The order matters: rows name layers and ADRs, tools name rows, rules follow from rows. */
static void whole_read(struct saved_reading *reading, const struct saved_value *whole)
{
	head_read(reading, whole);
	layers_read(reading, whole);
	authorities_read(reading, whole);
	decisions_read(reading, whole);
	rows_read(reading, whole);
	if (reading->mistakes.first)
		return;
	struct policy *policy = reading->policy;
	policy->roles = blocks_read(reading, whole, "roles", AST_ROLE, &policy->role_count);
	policy->plugins = blocks_read(reading, whole, "plugins", AST_PLUGIN, &policy->plugin_count);
	revocations_read(reading, whole);
	expectations_read(reading, whole);
	saved_seccomp(reading, whole);
	lines_fill(reading);
	if (!reading->mistakes.first)
		saved_check(reading, whole);
}

/* A later version may say with other words what this one does not look for. */
static const char *version_check(struct arena *arena, const json_t *json)
{
	const json_t *schema = json_object_get(json, "schema");
	if (!json_is_integer(schema) || !json_is_string(json_object_get(json, "policy")))
		return "it is JSON, and nothing that --emit json wrote";
	json_int_t version = json_integer_value(schema);
	if (version == POLICY_SCHEMA)
		return NULL;
	if (version < POLICY_SCHEMA)
		return arena_printf(arena,
				    "it has schema %lld, which lacks what a comparison needs; write it again "
				    "with --emit json",
				    (long long)version);
	return arena_printf(arena, "it has schema %lld, and this allowc knows %d", (long long)version,
			    POLICY_SCHEMA);
}

static const struct policy *document_read(struct compilation *compilation, const struct source *source,
					  const json_t *json, const char **why)
{
	struct arena *arena = compilation->arena;
	const struct saved_value whole = { .json = json };
	struct saved_reading reading = {
		.compilation = compilation,
		.arena = arena,
		.restorer = restorer_new(compilation),
		.policy = arena_alloc(arena, sizeof(struct policy)),
		.mistakes = { .arena = arena },
		.layers = map_new(arena, 0),
		.adrs = map_new(arena, 0),
		.lines = sources_add(compilation->sources, path_base(source->path), "", 0),
	};
	*why = version_check(arena, json);
	if (*why)
		return NULL;
	whole_read(&reading, &whole);
	*why = reading.mistakes.first;
	return *why ? NULL : reading.policy;
}

const struct policy *saved_read(struct compilation *compilation, const struct source *source,
				const char **why)
{
	json_error_t error;
	json_t *json = json_read(source->text, source->size, &error);
	if (!json) {
		*why = arena_printf(compilation->arena, "line %d, column %d: %s", error.line, error.column,
				    error.text);
		return NULL;
	}
	const struct policy *policy = document_read(compilation, source, json, why);
	json_decref(json);
	return policy;
}
