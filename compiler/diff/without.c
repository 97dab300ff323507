#include "compiler/diff/without.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/map.h"
#include "compiler/diff/change.h"
#include "compiler/policy/match.h"
#include "compiler/policy/restore.h"

struct undoing {
	struct compilation *compilation;
	struct arena *arena;
	const struct compared *comparison;
	struct policy *policy;
	const struct row **rows; /* of the policy, with room for one more */
	struct map *replaced;    /* a row of NEW, by its pointer, to what stands in its place */
};

/* ---- rows ---- */

static void row_replace(struct undoing *undoing, size_t at, const struct row *row)
{
	const struct row **key = arena_alloc(undoing->arena, sizeof *key);
	*key = undoing->rows[at];
	*map_at(undoing->replaced, (const char *)key, sizeof *key) = (void *)row;
	undoing->rows[at] = row;
}

static bool row_find(const struct undoing *undoing, const struct row *row, size_t *at)
{
	for (*at = 0; *at < undoing->policy->row_count; ++*at)
		if (undoing->rows[*at] == row)
			return true;
	return false;
}

static void row_take(struct undoing *undoing, size_t at)
{
	undoing->policy->row_count--;
	memmove(undoing->rows + at, undoing->rows + at + 1,
		(undoing->policy->row_count - at) * sizeof *undoing->rows);
}

/* The layer of that name in NEW, or its highest one. */
static const struct layer *layer_like(const struct policy *now, const struct layer *layer)
{
	const struct layer *same = policy_layer(now, layer->name);
	return same ? same : &now->layers[now->layer_count - 1];
}

/* At the end of its layer. */
static void row_put(struct undoing *undoing, const struct row *row)
{
	struct row *put = arena_alloc(undoing->arena, sizeof *put);
	*put = *row;
	put->layer = layer_like(undoing->policy, row->layer);
	size_t at = undoing->policy->row_count++;
	for (; at && undoing->rows[at - 1]->layer->index > put->layer->index; at--)
		undoing->rows[at] = undoing->rows[at - 1];
	undoing->rows[at] = put;
}

/* What few rows say, of this row alone, to be changed. */
static struct row_more *more_of_its_own(struct arena *arena, struct row *row)
{
	struct row_more *more = arena_alloc(arena, sizeof *more);
	*more = *row_more(row);
	row->more = more;
	return more;
}

/* What the class of the change is about, as OLD's row has it. */
static void attribute_undo(struct arena *arena, struct row *row, const struct row *old,
			   enum change_class class)
{
	switch (class) {
	case CHANGE_REASON_CHANGED:
		row->reason = old->reason;
		more_of_its_own(arena, row)->instead = row_more(old)->instead;
		break;
	case CHANGE_EXPIRY_ADDED:
	case CHANGE_EXPIRY_MOVED:
	case CHANGE_EXPIRY_REMOVED:
		more_of_its_own(arena, row)->until = row_more(old)->until;
		break;
	case CHANGE_ADR_CHANGED:
		row->citations = old->citations;
		row->citation_count = old->citation_count;
		break;
	default: {
		struct row whole = *old;
		whole.layer = row->layer;
		whole.reason = row->reason;
		struct row_more *more = more_of_its_own(arena, &whole);
		more->instead = row_more(row)->instead;
		more->until = row_more(row)->until;
		whole.citations = row->citations;
		whole.citation_count = row->citation_count;
		*row = whole;
	}
	}
}

/* ---- rows of roles ---- */

/* The filters of roles are computed anew, and a row may come or go: so all of a role is the policy's own. */
static void roles_copy(struct undoing *undoing)
{
	struct policy *policy = undoing->policy;
	const struct block **roles = arena_array(undoing->arena, policy->role_count, sizeof *roles);
	for (size_t i = 0; i < policy->role_count; i++) {
		struct block *role = arena_alloc(undoing->arena, sizeof *role);
		*role = *policy->roles[i];
		struct row *rows = arena_array(undoing->arena, role->row_count, sizeof *rows);
		const struct row **list = arena_array(undoing->arena, role->row_count + 1, sizeof *list);
		for (size_t k = 0; k < role->row_count; k++) {
			rows[k] = *role->rows[k];
			rows[k].block = role;
			list[k] = &rows[k];
		}
		role->rows = list;
		roles[i] = role;
	}
	policy->roles = roles;
}

static struct row_index *rows_index(struct arena *arena, const struct row *const *rows, size_t count)
{
	struct row_index *index = row_index_new(arena, count);
	for (size_t i = 0; i < count; i++)
		if (rows[i]->kind == SUBJECT_COMMAND && rows[i]->verb != VERB_DECLINE)
			row_index_add(index, rows[i]);
	return index;
}

static bool same_subject(const struct row *a, const struct row *b)
{
	return a->kind == b->kind && strcmp(a->subject, b->subject) == 0;
}

/* False of plugins, whose rows are in no artifact, and of a role that NEW does not have. */
static bool role_row_undo(struct undoing *undoing, const struct change *change)
{
	const struct block *of = change->row->block;
	const struct policy *policy = undoing->policy;
	struct block *role =
		of->kind != AST_ROLE
			? NULL
			: (struct block *)policy_block(policy->roles, policy->role_count, of->name);
	if (!role)
		return false;
	const struct row **rows = (const struct row **)role->rows;
	size_t at = 0;
	while (at < role->row_count && !same_subject(rows[at], change->row))
		at++;
	if (!change->in_old && at == role->row_count)
		return false;
	struct row *row = arena_alloc(undoing->arena, sizeof *row);
	*row = change->in_old ? *change->row : *rows[at];
	row->block = role;
	row->layer = layer_like(policy, row->layer);
	if (!change->in_old && change->before)
		attribute_undo(undoing->arena, row, change->before, change->class);
	if (!change->in_old && !change->before) {
		role->row_count--;
		memmove(rows + at, rows + at + 1, (role->row_count - at) * sizeof *rows);
	} else {
		role->row_count += at == role->row_count;
		rows[at] = row;
	}
	role->index = rows_index(undoing->arena, role->rows, role->row_count);
	return true;
}

static bool row_undo(struct undoing *undoing, const struct change *change)
{
	size_t at;
	if (change->row->block)
		return role_row_undo(undoing, change);
	if (change->in_old) {
		row_put(undoing, change->row);
		return true;
	}
	if (!row_find(undoing, change->row, &at))
		return false;
	if (!change->before) {
		row_take(undoing, at);
		return true;
	}
	struct row *row = arena_alloc(undoing->arena, sizeof *row);
	*row = *change->row;
	if (row->verb != change->before->verb)
		*row = *change->before;
	else
		attribute_undo(undoing->arena, row, change->before, change->class);
	row->layer = change->row->layer;
	row_replace(undoing, at, row);
	return true;
}

/* ---- plugins ---- */

/* A row of OLD as NEW spells it, where NEW has it. */
static const struct row *const *tools_like(struct undoing *undoing, const struct row *const *tools,
					   size_t count)
{
	const struct row **like = arena_array(undoing->arena, count, sizeof *like);
	for (size_t i = 0; i < count; i++) {
		const struct row *same = policy_find(undoing->comparison->now, tools[i]->subject);
		like[i] = same ? same : tools[i];
	}
	return like;
}

static void plugin_put(struct undoing *undoing, const char *name, const struct block *plugin)
{
	struct policy *policy = undoing->policy;
	const struct block **plugins = arena_array(undoing->arena, policy->plugin_count + 1, sizeof *plugins);
	size_t count = 0;
	bool put = false;
	for (size_t i = 0; i < policy->plugin_count; i++) {
		bool here = strcmp(policy->plugins[i]->name, name) == 0;
		if (!here)
			plugins[count++] = policy->plugins[i];
		else if (plugin)
			plugins[count++] = plugin;
		put |= here;
	}
	if (!put && plugin)
		plugins[count++] = plugin;
	policy->plugins = plugins;
	policy->plugin_count = count;
}

/* What the change is about, as OLD has it; of a plugin that only one side has, all of it. */
static bool plugin_undo(struct undoing *undoing, const struct change *change)
{
	const struct policy *before = undoing->comparison->old, *after = undoing->comparison->now;
	const struct block *old = policy_block(before->plugins, before->plugin_count, change->plugin);
	const struct block *now = policy_block(after->plugins, after->plugin_count, change->plugin);
	if (!old) {
		plugin_put(undoing, change->plugin, NULL);
		return true;
	}
	struct block *plugin = arena_alloc(undoing->arena, sizeof *plugin);
	*plugin = now ? *now : *old;
	plugin->layer = layer_like(undoing->policy, plugin->layer);
	if (!now || strcmp(change->what, "tools") == 0) {
		plugin->tools = tools_like(undoing, old->tools, old->tool_count);
		plugin->tool_count = old->tool_count;
	}
	if (!now || strcmp(change->what, "optional") == 0) {
		plugin->optional = tools_like(undoing, old->optional, old->optional_count);
		plugin->optional_count = old->optional_count;
	}
	if (strcmp(change->what, "plugin") == 0)
		plugin->file = old->file;
	plugin_put(undoing, change->plugin, plugin);
	return true;
}

/* Tools are rows: of those that were replaced, what stands in their place. */
static const struct row *const *tools_follow(struct undoing *undoing, const struct row *const *tools,
					     size_t count)
{
	const struct row **follow = arena_array(undoing->arena, count, sizeof *follow);
	for (size_t i = 0; i < count; i++) {
		const struct row *other =
			map_value(undoing->replaced, (const char *)&tools[i], sizeof tools[i]);
		follow[i] = other ? other : tools[i];
	}
	return follow;
}

static void plugins_follow(struct undoing *undoing)
{
	struct policy *policy = undoing->policy;
	const struct block **plugins = arena_array(undoing->arena, policy->plugin_count, sizeof *plugins);
	for (size_t i = 0; i < policy->plugin_count; i++) {
		struct block *plugin = arena_alloc(undoing->arena, sizeof *plugin);
		*plugin = *policy->plugins[i];
		plugin->tools = tools_follow(undoing, plugin->tools, plugin->tool_count);
		plugin->optional = tools_follow(undoing, plugin->optional, plugin->optional_count);
		plugins[i] = plugin;
	}
	policy->plugins = plugins;
}

/* ---- settings ---- */

static bool setting_undo(struct undoing *undoing, const char *name)
{
	struct seccomp *now = &undoing->policy->seccomp;
	const struct seccomp *old = &undoing->comparison->old->seccomp;
	if (strcmp(name, "default") == 0) {
		now->fallback = old->fallback;
	} else if (strcmp(name, "base") == 0) {
		now->base = old->base;
		now->base_span = old->base_span;
		now->base_calls = old->base_calls;
		now->base_call_count = old->base_call_count;
		now->base_row = old->base_row;
	} else if (strcmp(name, "hot") == 0) {
		now->hot = old->hot;
		now->hot_count = old->hot_count;
	} else if (strcmp(name, "deny-with") == 0) {
		now->deny = old->deny;
	} else if (strcmp(name, "unknown") == 0) {
		now->unknown_default = old->unknown_default;
		now->unknown = old->unknown;
	} else {
		now->abis = old->abis;
	}
	return true;
}

/* ---- the whole ---- */

static bool change_undo(struct undoing *undoing, const struct change *change)
{
	switch (change->class) {
	case CHANGE_PLUGIN_TOOL_ADDED:
	case CHANGE_PLUGIN_TOOL_REMOVED:
	case CHANGE_PLUGIN_CHANGED:
		return plugin_undo(undoing, change);
	case CHANGE_SECCOMP_SETTING:
		return setting_undo(undoing, change->subject);
	case CHANGE_ADR_STATUS_CHANGED: /* which may have a row: one that still cites it */
		return false;
	default:
		return change->row && row_undo(undoing, change);
	}
}

bool policy_without(struct compilation *compilation, const struct compared *comparison,
		    const struct change *change, const struct policy **without)
{
	struct arena *arena = compilation->arena;
	const struct policy *now = comparison->now;
	struct policy *policy = arena_alloc(arena, sizeof *policy);
	*policy = *now;
	struct undoing undoing = {
		.compilation = compilation,
		.arena = arena,
		.comparison = comparison,
		.policy = policy,
		.rows = arena_array(arena, now->row_count + 1, sizeof(const struct row *)),
		.replaced = map_new(arena, 0),
	};
	for (size_t i = 0; i < now->row_count; i++)
		undoing.rows[i] = now->rows[i];
	roles_copy(&undoing);
	*without = NULL;
	if (!change_undo(&undoing, change))
		return true;
	policy->rows = undoing.rows;
	plugins_follow(&undoing);
	policy_count_rows(policy);
	policy->index = rows_index(arena, policy->rows, policy->row_count);
	if (!restore_rules(restorer_new(compilation), policy))
		return false;
	*without = policy;
	return true;
}

const struct policy *policy_renamed(struct compilation *compilation, const struct policy *old,
				    const struct policy *now)
{
	struct policy *policy = arena_alloc(compilation->arena, sizeof *policy);
	*policy = *old;
	policy->name = now->name;
	policy->identifier = now->identifier;
	policy->file = now->file;
	return policy;
}
