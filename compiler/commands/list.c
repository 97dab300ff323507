/* allowc list POLICY: commands, one a line, in policy order. */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/suggest.h"
#include "compiler/commands/command.h"
#include "compiler/commands/task.h"
#include "compiler/policy/adr.h"
#include "compiler/policy/match.h"
#include "compiler/policy/policy.h"
#include "compiler/policy/scope_index.h"

/* What a row must be to be listed. */
struct wanted {
	enum verb verb;
	const struct layer *layer; /* NULL: any */
	struct adr_reference adr;  /* any where it has no scope */
	bool scope_named;          /* that scope is the name of one, and no other spelling */
};

static enum verb verb_of(enum selection selection)
{
	return selection == SELECT_FORBIDDEN  ? VERB_FORBID
	       : selection == SELECT_DECLINED ? VERB_DECLINE
					      : VERB_ALLOW;
}

static void row_print(const struct row *row, const struct options *options, struct strbuf *out)
{
	strbuf_printf(out, "%s\n", options->spelled ? row->spelling : row->subject);
}

/* ---- layers and ADRs ---- */

static bool citation_is(struct compilation *compilation, const struct citation *citation,
			const struct wanted *wanted)
{
	struct adr_reference cited;
	return adr_reference_read(compilation, citation->text, &cited) && cited.scope &&
	       cited.number == wanted->adr.number &&
	       (wanted->scope_named ? strcmp(cited.scope, wanted->adr.scope) == 0
				    : adr_scope_is_spelt(cited.scope, wanted->adr.scope)) &&
	       (!wanted->adr.slug || (cited.slug && strcmp(cited.slug, wanted->adr.slug) == 0));
}

static bool row_cites(struct compilation *compilation, const struct row *row, const struct wanted *wanted)
{
	for (size_t i = 0; i < row->citation_count; i++)
		if (citation_is(compilation, &row->citations[i], wanted))
			return true;
	return false;
}

static bool row_wanted(struct compilation *compilation, const struct row *row, const struct wanted *wanted)
{
	return row->kind == SUBJECT_COMMAND && row->verb == wanted->verb &&
	       (!wanted->layer || row->layer == wanted->layer) &&
	       (!wanted->adr.scope || row_cites(compilation, row, wanted));
}

static void rows_list(struct compilation *compilation, const struct policy *policy,
		      const struct options *options, const struct wanted *wanted, struct strbuf *out)
{
	for (size_t i = 0; i < policy->row_count; i++)
		if (row_wanted(compilation, policy->rows[i], wanted))
			row_print(policy->rows[i], options, out);
}

static void trouble_unknown(struct compilation *compilation, const struct policy *policy, const char *kind,
			    const char *name, const char *nearest)
{
	if (nearest)
		diag_trouble(compilation->diags, "policy '%s' has no %s '%s'; did you mean '%s'?",
			     policy->name, kind, name, nearest);
	else
		diag_trouble(compilation->diags, "policy '%s' has no %s '%s'", policy->name, kind, name);
}

static void layer_list(struct compilation *compilation, const struct policy *policy,
		       const struct options *options, struct strbuf *out)
{
	struct wanted wanted = { .verb = verb_of(options->selection),
				 .layer = policy_layer(policy, options->layer) };
	if (wanted.layer) {
		rows_list(compilation, policy, options, &wanted, out);
		return;
	}
	struct suggestion near = suggestion_begin(options->layer);
	for (size_t i = 0; i < policy->layer_count; i++)
		suggestion_offer(&near, policy->layers[i].name);
	trouble_unknown(compilation, policy, "layer", options->layer, near.nearest);
}

static bool rows_cite(struct compilation *compilation, const struct row *const *rows, size_t count,
		      const struct wanted *wanted)
{
	for (size_t i = 0; i < count; i++)
		if (row_cites(compilation, rows[i], wanted))
			return true;
	return false;
}

static bool blocks_cite(struct compilation *compilation, const struct block *const *blocks, size_t count,
			const struct wanted *wanted)
{
	for (size_t i = 0; i < count; i++)
		if (rows_cite(compilation, blocks[i]->rows, blocks[i]->row_count, wanted))
			return true;
	return false;
}

/* Whether anything in the policy cites it: rows of every verb and kind, blocks, what was taken back. */
static bool policy_cites(struct compilation *compilation, const struct policy *policy,
			 const struct wanted *wanted)
{
	for (size_t i = 0; i < policy->revocation_count; i++)
		if (row_cites(compilation, policy->revocations[i].row, wanted) ||
		    row_cites(compilation, policy->revocations[i].revoke, wanted))
			return true;
	return rows_cite(compilation, policy->rows, policy->row_count, wanted) ||
	       blocks_cite(compilation, policy->roles, policy->role_count, wanted) ||
	       blocks_cite(compilation, policy->plugins, policy->plugin_count, wanted);
}

/* A bare number that only rows of another scope cite, with that scope; NULL where none does. */
static const char *nearest_adr(struct compilation *compilation, const struct policy *policy,
			       struct wanted wanted, const char *reference)
{
	for (size_t i = policy->layer_count; i-- > 0;) {
		wanted.adr.scope = policy->layers[i].scope;
		if (policy_cites(compilation, policy, &wanted))
			return arena_printf(compilation->arena, "%s/%s", wanted.adr.scope, reference);
	}
	return NULL;
}

static void trouble_uncited(struct compilation *compilation, const char *policy, const char *reference,
			    const char *nearest)
{
	const char *hint = nearest ? arena_printf(compilation->arena, "; did you mean '%s'?", nearest) : "";
	diag_trouble(compilation->diags, "no row of policy '%s' cites an ADR '%s'%s", policy, reference,
		     hint);
}

/*
 * As in a row. False where the scope may be one of several, which is reported. Where no `decisions` names it,
 * rows are compared with the spelling.
 */
static bool scope_settle(struct compilation *compilation, const struct policy *policy, struct wanted *wanted)
{
	struct scope_index index = scope_index_new(compilation->arena);
	bool several;
	for (size_t i = 0; i < policy->authority_count; i++)
		scope_index_add(&index, policy->authorities[i].scope, policy->authorities[i].scope);
	const char *found = scope_index_spelt(&index, wanted->adr.scope, &several);
	if (several)
		diag_trouble(compilation->diags,
			     "--adr: '%s' may be more than one scope of ADRs; write the scope's name",
			     wanted->adr.scope);
	wanted->scope_named = found != NULL;
	wanted->adr.scope = found ? found : wanted->adr.scope;
	return !several;
}

/* A bare number is one of the compiled layer's own scope, as in its rows. */
static void adr_list(struct compilation *compilation, const struct policy *policy,
		     const struct options *options, struct strbuf *out)
{
	struct wanted wanted = { .verb = verb_of(options->selection) };
	if (!adr_reference_read(compilation, options->adr, &wanted.adr)) {
		diag_trouble(compilation->diags,
			     "--adr cannot be '%s'; it is a reference like 0015 or phase2/0001",
			     options->adr);
		return;
	}
	bool bare = !wanted.adr.scope;
	if (bare) {
		wanted.adr.scope = policy->layers[policy->layer_count - 1].scope;
		wanted.scope_named = true;
	} else if (!scope_settle(compilation, policy, &wanted)) {
		return;
	}
	if (!policy_cites(compilation, policy, &wanted)) {
		trouble_uncited(compilation, policy->name, options->adr,
				bare ? nearest_adr(compilation, policy, wanted, options->adr) : NULL);
		return;
	}
	rows_list(compilation, policy, options, &wanted, out);
}

/* ---- roles and plugins ---- */

static void block_list(struct compilation *compilation, const struct policy *policy,
		       const struct block *block, const struct options *options, struct strbuf *out)
{
	size_t count;
	const struct row **rows =
		block_commands(compilation->arena, policy, block, verb_of(options->selection), &count);
	for (size_t i = 0; i < count; i++)
		row_print(rows[i], options, out);
}

static void tools_list(const struct block *plugin, const struct options *options, struct strbuf *out)
{
	for (size_t i = 0; i < plugin->tool_count; i++)
		row_print(plugin->tools[i], options, out);
	for (size_t i = 0; i < plugin->optional_count; i++)
		row_print(plugin->optional[i], options, out);
}

static void named_block_list(struct compilation *compilation, const struct policy *policy,
			     const struct options *options, struct strbuf *out)
{
	bool is_plugin = options->plugin != NULL;
	const char *name = is_plugin ? options->plugin : options->role;
	const struct block *const *blocks = is_plugin ? policy->plugins : policy->roles;
	size_t count = is_plugin ? policy->plugin_count : policy->role_count;
	const struct block *block = policy_block(blocks, count, name);
	if (!block) {
		struct suggestion near = suggestion_begin(name);
		for (size_t i = 0; i < count; i++)
			suggestion_offer(&near, blocks[i]->name);
		trouble_unknown(compilation, policy, is_plugin ? "plugin" : "role", name, near.nearest);
	} else if (is_plugin && options->selection == SELECT_ALLOWED) {
		tools_list(block, options, out);
	} else {
		block_list(compilation, policy, block, options, out);
	}
}

static int list(struct task_job *job, const struct options *options)
{
	struct compilation *compilation = &job->compilation;
	const struct policy *policy = job->policy;
	struct strbuf *out = &job->out;
	struct wanted all = { .verb = verb_of(options->selection) };
	if (options->layer)
		layer_list(compilation, policy, options, out);
	else if (options->adr)
		adr_list(compilation, policy, options, out);
	else if (options->plugin || options->role)
		named_block_list(compilation, policy, options, out);
	else
		rows_list(compilation, policy, options, &all, out);
	return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	return task_run(command, FOR_LIST, argc, argv, list, NULL);
}

const struct command command_list = {
	.name = "list",
	.usage = "[options] POLICY",
	.summary = "Lists the policy's commands, one a line, in its order",
	.run = run,
};
