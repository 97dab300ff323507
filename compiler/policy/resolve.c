#include "compiler/policy/resolve.h"

#include <string.h>

#include "compiler/policy/resolver.h"

/* ---- helpers of all parts ---- */

bool names_may_be_searched(struct resolver *resolver, size_t names)
{
	enum { NAMES_SEARCHED_MAX = 10 * 1000 * 1000 };
	if (names > NAMES_SEARCHED_MAX - resolver->names_searched)
		return false;
	resolver->names_searched += names;
	return true;
}

void command_break(struct resolver *resolver, const char *command)
{
	*map_at(resolver->broken, command, strlen(command)) = (void *)command;
}

bool command_is_broken(const struct resolver *resolver, const char *command)
{
	for (size_t size = strlen(command); size;) {
		if (map_find(resolver->broken, command, size))
			return true;
		while (size && command[size - 1] != ' ')
			size--;
		if (size)
			size--;
	}
	return false;
}

const char *row_authority(const struct resolver *resolver, const struct row *row)
{
	if (!row->citation_count)
		return "";
	const struct citation *citation = &row->citations[0];
	struct arena *arena = resolver->compilation->arena;
	if (!citation->adr)
		return arena_printf(arena, ", by %s", citation->text);
	const char *status = adr_status_word(citation->adr->status);
	if (!citation->adr->date)
		return arena_printf(arena, ", by %s (%s)", citation->text, status);
	return arena_printf(arena, ", by %s (%s %s)", citation->text, status, citation->adr->date);
}

const char *row_reference(const struct row *row)
{
	if (!row->citation_count)
		return "…";
	const char *text = row->citations[0].text;
	size_t size = strlen(row->layer->scope);
	bool own = strncmp(text, row->layer->scope, size) == 0 && text[size] == '/';
	return own ? text + size + 1 : text;
}

const char *subject_text(const struct resolver *resolver, const struct row *row)
{
	struct arena *arena = resolver->compilation->arena;
	if (row->kind == SUBJECT_SYSCALL)
		return arena_printf(arena, "syscall %s", row->subject);
	if (row->kind == SUBJECT_COMMAND &&
	    (strchr(row->subject, ' ') || strcmp(row->subject, "syscall") == 0))
		return arena_printf(arena, "\"%s\"", row->subject);
	return row->subject;
}

/* ---- the whole ---- */

static struct resolver resolver_begin(struct compilation *compilation)
{
	struct arena *arena = compilation->arena;
	struct resolver resolver = {
		.compilation = compilation,
		.policy = arena_alloc(arena, sizeof(struct policy)),
		.group_names = map_new(arena, 0),
		.scope_index = scope_index_new(arena),
		.block_names = { map_new(arena, 0), map_new(arena, 0) },
		.libraries = map_new(arena, 0),
		.shipped_libraries = map_new(arena, 0),
		.broken = map_new(arena, 0),
		.citations = map_new(arena, 0),
		.lapsed = map_new(arena, 0),
		.declined = map_new(arena, 0),
	};
	for (size_t kind = 0; kind < 3; kind++)
		resolver.in_force[kind] = map_new(arena, 0);
	resolver.index = row_index_over(arena, resolver.in_force[SUBJECT_COMMAND]);
	return resolver;
}

static void layers_publish(struct resolver *resolver)
{
	struct policy *policy = resolver->policy;
	const struct layer *top = &resolver->layers[resolver->layer_count - 1];
	char *identifier = arena_copy(resolver->compilation->arena, top->name, strlen(top->name));
	for (char *c = identifier; *c; c++)
		if (*c == '-')
			*c = '_';
	policy->name = top->name;
	policy->identifier = identifier;
	policy->title = top->title;
	policy->file = top->file;
	policy->layers = resolver->layers;
	policy->layer_count = resolver->layer_count;
}

static void rows_publish(struct resolver *resolver)
{
	struct policy *policy = resolver->policy;
	policy->rows = (const struct row *const *)resolver->rows;
	policy->row_count = resolver->row_count;
	policy->index = resolver->index;
	policy->revocations = resolver->revocations;
	policy->revocation_count = resolver->revocation_count;
	policy_count_rows(policy);
}

static void blocks_publish(struct resolver *resolver)
{
	struct arena *arena = resolver->compilation->arena;
	const struct block **roles = arena_array(arena, resolver->block_count + 1, sizeof *roles);
	const struct block **plugins = arena_array(arena, resolver->block_count + 1, sizeof *plugins);
	struct policy *policy = resolver->policy;
	for (size_t i = 0; i < resolver->block_count; i++) {
		const struct block *block = &resolver->blocks[i]->block;
		if (block->kind == AST_ROLE)
			roles[policy->role_count++] = block;
		else
			plugins[policy->plugin_count++] = block;
	}
	policy->roles = roles;
	policy->plugins = plugins;
}

/* What a broken statement names is not "unlisted" or "not allowed": its own message says what is wrong. */
static void broken_collect(struct resolver *resolver, const struct ast_statement *statements)
{
	for (const struct ast_statement *at = statements; at; at = at->next) {
		for (size_t i = 0; at->broken && i < at->entries.count; i++)
			if (at->entries.items[i].word.text)
				command_break(resolver, at->entries.items[i].word.text);
		if (at->broken &&
		    (at->kind == AST_ROW || at->kind == AST_SYSCALLS || at->kind == AST_MEMBERS))
			resolver->calls_broken = true;
		broken_collect(resolver, at->words->block);
	}
}

/* Nor is what stands where a mistake let nothing of the line be read. */
static void lost_collect(struct resolver *resolver, const struct ast_layer *layer)
{
	for (size_t i = 0; i < layer->lost_count; i++)
		command_break(resolver, layer->lost[i]);
}

/* Only the compiled layer's own: a lower layer's places are filled when that one is compiled. */
static void outputs_publish(struct resolver *resolver)
{
	const struct layer_work *work = &resolver->works[resolver->layer_count - 1];
	struct arena *arena = resolver->compilation->arena;
	struct output *outputs = NULL;
	size_t count = 0, capacity = 0;
	for (const struct ast_statement *at = work->ast.others; at; at = at->words->next_other) {
		if (at->kind != AST_OUTPUT || at->broken)
			continue;
		const struct ast_words *words = at->words;
		outputs = arena_grow(arena, outputs, count, &capacity, sizeof *outputs);
		outputs[count++] = (struct output){
			.backend = words->name.text,
			.path = words->path.text,
			.region = words->region.text,
			.file_path = path_beside(arena, work->ast.source->path, words->path.text),
			.layer = work->layer,
			.backend_span = words->name.span,
			.path_span = words->path.span,
			.region_span = words->region.span,
		};
	}
	resolver->policy->outputs = outputs;
	resolver->policy->output_count = count;
}

static void groups_publish(struct resolver *resolver)
{
	struct arena *arena = resolver->compilation->arena;
	struct call_group *groups = arena_array(arena, resolver->group_count, sizeof *groups);
	for (size_t i = 0; i < resolver->group_count; i++) {
		const struct group *group = resolver->groups[i];
		groups[i] = (struct call_group){ .name = group->name,
						 .calls = group->calls,
						 .call_count = group->call_count,
						 .span = group->span };
	}
	resolver->policy->groups = groups;
	resolver->policy->group_count = resolver->group_count;
}

/* Of what the layers deny, and then of what each role does. */
static void calls_warn(struct resolver *resolver)
{
	doors_warn(resolver);
	unsaid_needs_warn(resolver);
	for (size_t i = 0; i < resolver->policy->role_count; i++) {
		if (!block_forbids_calls(resolver->policy->roles[i]))
			continue;
		role_enter(resolver, resolver->policy->roles[i]);
		doors_warn(resolver);
		unsaid_needs_warn(resolver);
		role_leave(resolver);
	}
}

/* What can be said only of all layers together. */
static void whole_check(struct resolver *resolver)
{
	blocks_check(resolver);
	blocks_publish(resolver);
	size_t errors = diags_errors(resolver_diags(resolver));
	seccomp_rules_bind(resolver);
	if (diags_errors(resolver_diags(resolver)) == errors)
		role_filters_bind(resolver);
	conditions_warn(resolver);
	rows_check_relations(resolver);
	expectations_check(resolver);
	guards_publish(resolver);
	hot_warn(resolver);
	calls_warn(resolver);
	adr_blocks_check(resolver);
	policy_warn(resolver);
}

/* Errors that say nothing against the policy itself, only against the records that it cites. */
static size_t adr_errors(const struct diags *diags)
{
	static const enum diag_id ids[] = { DIAG_ADR_MISSING,   DIAG_ADR_AMBIGUOUS,  DIAG_ADR_STATUS,
					    DIAG_ADR_SCOPE,     DIAG_ADR_SUPERSEDED, DIAG_ADR_SILENT,
					    DIAG_ADR_UNCHECKED, DIAG_ADR_BLOCK };
	size_t count = 0;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		count += diags_errors_of(diags, ids[i]);
	return count;
}

/* Warnings that -Werror made errors say nothing against it either. adr_errors() has those of ADRs. */
static size_t promoted_errors(const struct diags *diags)
{
	size_t count = 0;
	for (size_t id = 0; id < DIAG_COUNT; id++)
		if (diag_is_warning((enum diag_id)id) && id != DIAG_ADR_SUPERSEDED && id != DIAG_ADR_SILENT &&
		    id != DIAG_ADR_UNCHECKED)
			count += diags_errors_of(diags, (enum diag_id)id);
	return count;
}

const struct policy *policy_load(struct compilation *compilation, const char *path)
{
	struct resolver resolver = resolver_begin(compilation);
	if (!chain_load(&resolver, path))
		return NULL;
	layers_publish(&resolver);
	for (size_t i = 0; i < resolver.layer_count; i++) {
		if (resolver.works[i].ast.broken)
			broken_collect(&resolver, resolver.works[i].ast.statements);
		lost_collect(&resolver, &resolver.works[i].ast);
	}
	outputs_publish(&resolver);
	scopes_open(&resolver);
	groups_bind_all(&resolver);
	groups_publish(&resolver);
	layers_merge(&resolver);
	rows_publish(&resolver);
	blocks_bind(&resolver);
	seccomp_settings_bind(&resolver);
	if (!resolver.incomplete)
		whole_check(&resolver);
	citations_close(&resolver);
	size_t errors = diags_errors(compilation->diags);
	if (compilation->adrs_advise)
		errors -= adr_errors(compilation->diags) + promoted_errors(compilation->diags);
	if (errors || diags_in_trouble(compilation->diags))
		return NULL;
	return resolver.policy;
}
