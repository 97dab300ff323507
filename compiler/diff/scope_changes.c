/* Roles and plugins: what they alone narrow, and the plugins' tools. */
#include <assert.h>
#include <string.h>

#include "compiler/base/strbuf.h"
#include "compiler/diff/comparer.h"
#include "compiler/diff/keepers.h"
#include "compiler/diff/reach.h"
#include "compiler/policy/match.h"

/* One role or plugin of either side; NULL where that side has none: then only the layers narrow. */
struct pair {
	const struct block *old, *now;
	const char *name;    /* "role probe" */
	struct map *effects; /* the deciding row, by its pointer, to its struct effect */
	struct effect *first, *last;
	size_t wider, narrower;
};

/* The commands whose verdict in the block one row turned. */
struct effect {
	const struct row *row;
	bool wider;
	const char **commands;
	size_t count, capacity;
	struct effect *next;
};

/* What all blocks share. */
struct blocks {
	struct reach *reach;
	struct keepers *keepers;
	struct call_marks no_calls;
};

static const struct row *decider(const struct policy *policy, const struct block *block, const char *command)
{
	return block ? block_match(policy, block, command) : policy_match(policy, command);
}

static bool allows(const struct row *row)
{
	return row && row->verb == VERB_ALLOW;
}

/* ---- what the blocks' own rows do ---- */

static void effect_add(struct comparer *comparer, struct pair *pair, const struct row *row, bool wider,
		       const char *command)
{
	const struct row **key = arena_alloc(comparer->arena, sizeof *key);
	*key = row;
	void **place = map_at(pair->effects, (const char *)key, sizeof *key);
	struct effect *effect = *place;
	if (!effect) {
		effect = arena_alloc(comparer->arena, sizeof *effect);
		*effect = (struct effect){ .row = row, .wider = wider };
		*place = effect;
		if (pair->last)
			pair->last->next = effect;
		else
			pair->first = effect;
		pair->last = effect;
	}
	effect->commands = arena_grow(comparer->arena, effect->commands, effect->count, &effect->capacity,
				      sizeof *effect->commands);
	effect->commands[effect->count++] = command;
}

/* Only what the block alone does: what the layers do is said of everyone. */
static void command_ask(struct comparer *comparer, struct pair *pair, const char *command)
{
	const struct row *old = decider(comparer->old, pair->old, command);
	const struct row *now = decider(comparer->now, pair->now, command);
	bool before = allows(old), after = allows(now);
	if (before == after)
		return;
	bool before_all = policy_verdict(comparer->old, command) == VERDICT_ALLOWED;
	bool after_all = policy_verdict(comparer->now, command) == VERDICT_ALLOWED;
	if (before_all == before && after_all == after)
		return;
	pair->wider += after;
	pair->narrower += before;
	const struct row *row = after ? old : now;
	if (row)
		effect_add(comparer, pair, row, after, command);
}

static bool is_asked(const struct row *row)
{
	return row->kind == SUBJECT_COMMAND && row->verb != VERB_DECLINE;
}

static void rows_ask(struct comparer *comparer, struct pair *pair, struct map *asked,
		     const struct row *const *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!is_asked(rows[i]))
			continue;
		void **place = map_at(asked, rows[i]->subject, strlen(rows[i]->subject));
		if (*place)
			continue;
		*place = (void *)rows[i];
		command_ask(comparer, pair, rows[i]->subject);
	}
}

/* Where no own row of either side reaches, the block does what the layers do. */
static void pair_ask(struct comparer *comparer, struct reach *reach, struct pair *pair)
{
	struct map *asked = map_new(comparer->arena, 0);
	const char *const *reached;
	size_t count = reach_of(reach, pair->now, pair->old, &reached);
	for (size_t i = 0; i < count; i++) {
		*map_at(asked, reached[i], strlen(reached[i])) = (void *)reached[i];
		command_ask(comparer, pair, reached[i]);
	}
	if (pair->now)
		rows_ask(comparer, pair, asked, pair->now->rows, pair->now->row_count);
	if (pair->old)
		rows_ask(comparer, pair, asked, pair->old->rows, pair->old->row_count);
}

/* ---- saying it ---- */

static const char *list_text(struct arena *arena, const char *const *items, size_t count)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < count && i < LIST_SHOWN; i++)
		strbuf_printf(&text, "%s%s", i ? ", " : "", items[i]);
	if (count > LIST_SHOWN)
		strbuf_printf(&text, " and %zu more", count - LIST_SHOWN);
	return strbuf_keep(&text, arena);
}

/* "; gate keeps both" of the roles that lose nothing of it; "" without any. */
static const char *keepers_text(struct comparer *comparer, struct keepers *keepers,
				const struct effect *effect)
{
	const char *const *names;
	size_t count = effect->wider ? 0 : keepers_of(keepers, effect->commands, effect->count, &names);
	if (!count)
		return "";
	return arena_printf(comparer->arena, "; %s keep%s %s", list_text(comparer->arena, names, count),
			    count == 1 ? "s" : "",
			    effect->count == 1   ? "it"
			    : effect->count == 2 ? "both"
						 : "all");
}

static void effects_report(struct comparer *comparer, struct keepers *keepers, const struct pair *pair)
{
	for (const struct effect *effect = pair->first; effect; effect = effect->next) {
		enum change_class class = effect->wider ? CHANGE_SCOPE_WIDENED : CHANGE_SCOPE_NARROWED;
		struct change *change = change_add(comparer, class, effect->wider ? '+' : '-', effect->row);
		change->what = "";
		change->subject = list_text(comparer->arena, effect->commands, effect->count);
		change->in_old = effect->wider;
		change->note = arena_printf(comparer->arena, "%s%s", pair->name,
					    keepers_text(comparer, keepers, effect));
	}
}

static bool has_effect(const struct pair *pair, const struct row *row)
{
	return map_find(pair->effects, (const char *)&row, sizeof row) != NULL;
}

/* What a role or plugin may not run already is guarded by its row as by one of the layers. */
static void own_guard_count(struct comparer *comparer, const struct row *row, bool added)
{
	struct axis_verdict *guards = &comparer->comparison->axes[AXIS_GUARDS];
	guards->more += added && row->verb == VERB_FORBID;
	guards->less += !added && row->verb == VERB_FORBID;
}

/* Whether the layers forbid it too. */
static bool layers_forbid(const struct policy *policy, const struct row *capability)
{
	for (size_t i = 0; i < policy->row_count; i++)
		if (policy->rows[i]->kind == SUBJECT_CAPABILITY && policy->rows[i]->verb == VERB_FORBID &&
		    strcmp(policy->rows[i]->subject, capability->subject) == 0)
			return row_is_for_linux(policy->rows[i]);
	return false;
}

static void own_capability_count(struct comparer *comparer, const struct row *row, bool added)
{
	struct axis_verdict *capabilities = &comparer->comparison->axes[AXIS_CAPABILITIES];
	if (row->kind != SUBJECT_CAPABILITY || !row_is_for_linux(row) ||
	    layers_forbid(added ? comparer->old : comparer->now, row))
		return;
	capabilities->less += added;
	capabilities->more += !added;
}

static const char *own_row_note(struct comparer *comparer, const struct pair *pair, const struct row *row,
				bool added)
{
	const bool *marks = added ? comparer->marks.narrower : comparer->marks.wider;
	const char *calls = row_is_for_linux(row) ? row_calls(comparer, row, marks) : NULL;
	if (calls)
		return arena_printf(comparer->arena, "%s; %s %s%s", pair->name,
				    added ? "denies" : "no longer denies",
				    row->call_count && row->calls[0].condition ? "some of " : "", calls);
	return row->kind == SUBJECT_CAPABILITY
		       ? pair->name
		       : arena_printf(comparer->arena, "%s; no power of its own", pair->name);
}

static bool is_command_allow(const struct row *row)
{
	return row->kind == SUBJECT_COMMAND && row->verb == VERB_ALLOW;
}

/* What a block allows the layers allow: its row counts where it lets another program run. */
static bool is_powerless(const struct row *row)
{
	return is_command_allow(row) && !row_more(row)->path_count && row_spelling_is_own(row);
}

/* The block's own forbid that it takes something back from, where no other change says so. */
static const struct row *lifted_find(const struct comparer *comparer, const struct pair *pair,
				     const struct row_set *after, const struct row *row)
{
	if (!pair->old || !is_command_allow(row))
		return NULL;
	const struct row *forbid = block_match(comparer->old, pair->old, row->subject);
	return forbid && forbid->block && !has_effect(pair, forbid) && row_set_find(after, forbid) ? forbid
												   : NULL;
}

/* NULL where its effect is reported. */
static struct change *own_row_report(struct comparer *comparer, const struct pair *pair,
				     const struct row *row, bool added)
{
	own_capability_count(comparer, row, added);
	if (has_effect(pair, row))
		return NULL;
	own_guard_count(comparer, row, added);
	enum change_class class =
		(row->verb == VERB_FORBID) == added ? CHANGE_SCOPE_NARROWED : CHANGE_SCOPE_WIDENED;
	struct change *change = change_add(comparer, row->verb == VERB_DECLINE ? CHANGE_DECLINED : class,
					   added ? '+' : '-', row);
	change->in_old = !added;
	change->powerless = added && is_powerless(row);
	change->note = own_row_note(comparer, pair, row, added);
	return change;
}

static void own_row_added(struct comparer *comparer, const struct pair *pair, const struct row_set *after,
			  const struct row *row)
{
	struct change *change = own_row_report(comparer, pair, row, true);
	if (change)
		change->lifted = lifted_find(comparer, pair, after, row);
}

static void own_rows_compare(struct comparer *comparer, struct pair *pair)
{
	struct axis_verdict commands = { 0 };
	const struct row *const *none = NULL;
	struct arena *arena = comparer->arena;
	const struct block *old = pair->old, *now = pair->now;
	struct row_set before = row_set_make(arena, old ? old->rows : none, old ? old->row_count : 0);
	struct row_set after = row_set_make(arena, now ? now->rows : none, now ? now->row_count : 0);
	for (size_t i = 0; now && i < now->row_count; i++) {
		const struct row *same = row_set_find(&before, now->rows[i]);
		if (!same || same->verb != now->rows[i]->verb)
			own_row_added(comparer, pair, &after, now->rows[i]);
		if (same && same->verb != now->rows[i]->verb && !has_effect(pair, same))
			own_guard_count(comparer, same, false);
		if (same && same->verb == now->rows[i]->verb)
			attributes_compare(comparer, same, now->rows[i], &commands);
	}
	for (size_t i = 0; old && i < old->row_count; i++)
		if (!row_set_find(&after, old->rows[i]))
			own_row_report(comparer, pair, old->rows[i], false);
	pair->wider += commands.more;
	pair->narrower += commands.less;
}

/*
 * The filter of a block without one of its own is that of the layers: it loses with them what its rows
 * refused too, and refuses nothing beside them. A plugin's rows are in no filter.
 */
static struct call_marks own_marks(struct comparer *comparer, const struct blocks *blocks,
				   const struct pair *pair)
{
	const struct block *old = pair->old, *now = pair->now;
	if ((old && old->seccomp) || (now && now->seccomp))
		return role_calls_compare(comparer, old, now);
	const struct block *either = now ? now : old;
	assert(either);
	struct call_marks marks = blocks->no_calls;
	if (either->kind == AST_ROLE)
		marks.wider = comparer->marks.wider;
	return marks;
}

/* While they are compared, the role's marks stand in the place of everyone's. */
static void own_compare(struct comparer *comparer, const struct blocks *blocks, struct pair *pair)
{
	const struct call_marks everyone = comparer->marks;
	comparer->marks = own_marks(comparer, blocks, pair);
	own_rows_compare(comparer, pair);
	comparer->marks = everyone;
}

/* Whether the rows that decide something are the same: then only the layers can differ. */
static bool same_power(const struct pair *pair)
{
	const struct block *old = pair->old, *now = pair->now;
	for (size_t i = 0; now && i < now->row_count; i++) {
		const struct row *same = old ? row_index_find(old->index, now->rows[i]->subject) : NULL;
		if (is_asked(now->rows[i]) && (!same || same->verb != now->rows[i]->verb))
			return false;
	}
	for (size_t i = 0; old && i < old->row_count; i++)
		if (is_asked(old->rows[i]) && (!now || !row_index_find(now->index, old->rows[i]->subject)))
			return false;
	return true;
}

/* ---- tools ---- */

struct tools {
	const struct row *const *items;
	size_t count;
	struct map *commands;
};

static struct tools tools_of(struct arena *arena, const struct block *plugin, bool optional)
{
	struct tools tools = { .commands = map_new(arena, 0) };
	if (plugin) {
		tools.items = optional ? plugin->optional : plugin->tools;
		tools.count = optional ? plugin->optional_count : plugin->tool_count;
	}
	for (size_t i = 0; i < tools.count; i++)
		*map_at(tools.commands, tools.items[i]->subject, strlen(tools.items[i]->subject)) =
			(void *)tools.items[i];
	return tools;
}

static bool tool_is_in(const struct row *tool, const struct tools *tools)
{
	return map_find(tools->commands, tool->subject, strlen(tool->subject)) != NULL;
}

/* The row whose ADR a change of tools belongs to: one that is new itself, else the first. */
static const struct row *tools_authority(const struct row *const *rows, size_t count,
					 const struct policy *other)
{
	for (size_t i = 0; i < count; i++)
		if (!policy_find(other, rows[i]->subject))
			return rows[i];
	return rows[0];
}

static void tools_report(struct comparer *comparer, const char *plugin, const char *what, struct tools some,
			 struct tools others, bool added)
{
	const struct row **changed = arena_array(comparer->arena, some.count, sizeof *changed);
	const char **names = arena_array(comparer->arena, some.count, sizeof *names);
	size_t count = 0;
	for (size_t i = 0; i < some.count; i++) {
		if (tool_is_in(some.items[i], &others))
			continue;
		changed[count] = some.items[i];
		names[count++] = some.items[i]->spelling;
	}
	comparer->comparison->unchanged_tools += added ? some.count - count : 0;
	if (!count)
		return;
	const struct row *authority = tools_authority(changed, count, added ? comparer->old : comparer->now);
	struct change *change =
		change_add(comparer, added ? CHANGE_PLUGIN_TOOL_ADDED : CHANGE_PLUGIN_TOOL_REMOVED,
			   added ? '+' : '-', authority);
	change->what = what;
	change->layer = NULL;
	change->in_old = !added;
	change->plugin = plugin;
	change->subject =
		arena_printf(comparer->arena, "%s: %s", plugin, list_text(comparer->arena, names, count));
}

static bool same_order(struct tools a, struct tools b)
{
	if (a.count != b.count)
		return true; /* said as tools that came and went */
	for (size_t i = 0; i < a.count; i++)
		if (!tool_is_in(a.items[i], &b))
			return true;
	for (size_t i = 0; i < a.count; i++)
		if (strcmp(a.items[i]->subject, b.items[i]->subject) != 0)
			return false;
	return true;
}

static bool same_file(const struct block *old, const struct block *now)
{
	return old->file == now->file || (old->file && now->file && strcmp(old->file, now->file) == 0);
}

static void plugin_compare(struct comparer *comparer, const struct pair *pair, const char *name)
{
	for (int optional = 0; optional < 2; optional++) {
		struct tools old = tools_of(comparer->arena, pair->old, optional);
		struct tools now = tools_of(comparer->arena, pair->now, optional);
		const char *what = optional ? "optional" : "tools";
		tools_report(comparer, name, what, now, old, true);
		tools_report(comparer, name, what, old, now, false);
		if (!now.count || same_order(old, now))
			continue;
		struct change *change = change_add(comparer, CHANGE_PLUGIN_CHANGED, '~', now.items[0]);
		change->what = what;
		change->layer = NULL;
		change->plugin = name;
		change->subject = arena_printf(comparer->arena, "%s: in another order", name);
	}
	if (!pair->old || !pair->now || same_file(pair->old, pair->now))
		return;
	struct change *change = change_add(comparer, CHANGE_PLUGIN_CHANGED, '~', NULL);
	change->what = "plugin";
	change->plugin = change->subject = name;
	change->layer = pair->now->layer;
	change->line = span_line(pair->now->span);
	change->note = arena_printf(comparer->arena, "its file is %s, was %s",
				    pair->now->file ? pair->now->file : "none",
				    pair->old->file ? pair->old->file : "none");
}

/* ---- all blocks ---- */

/* The verdict is one line, for a person. */
static void narrowed_add(struct comparer *comparer, const char *name)
{
	struct compared *comparison = comparer->comparison;
	if (!comparison->narrowed_in)
		comparison->narrowed_in = name;
	else if (comparison->narrowed_count < NARROWED_SHOWN)
		comparison->narrowed_in =
			arena_printf(comparer->arena, "%s, %s", comparison->narrowed_in, name);
	comparison->narrowed_count++;
}

static void pair_compare(struct comparer *comparer, const struct blocks *blocks, const struct block *old,
			 const struct block *now)
{
	const struct block *either = now ? now : old;
	struct compared *comparison = comparer->comparison;
	struct pair pair = {
		.old = old,
		.now = now,
		.name = arena_printf(comparer->arena, "%s %s", either->kind == AST_ROLE ? "role" : "plugin",
				     either->name),
		.effects = map_new(comparer->arena, 0),
	};
	if (!same_power(&pair))
		pair_ask(comparer, blocks->reach, &pair);
	effects_report(comparer, blocks->keepers, &pair);
	own_compare(comparer, blocks, &pair);
	if (either->kind == AST_PLUGIN)
		plugin_compare(comparer, &pair, either->name);
	if (!pair.wider && !pair.narrower)
		return;
	comparison->axes[AXIS_COMMANDS].more += pair.wider;
	comparison->axes[AXIS_COMMANDS].less += pair.narrower;
	narrowed_add(comparer, pair.name);
}

static void kind_compare(struct comparer *comparer, const struct blocks *blocks,
			 const struct block *const *old, size_t old_count, const struct block *const *now,
			 size_t now_count)
{
	const struct map *before = blocks_by_name(comparer->arena, old, old_count);
	const struct map *after = blocks_by_name(comparer->arena, now, now_count);
	for (size_t i = 0; i < now_count; i++)
		pair_compare(comparer, blocks, map_value(before, now[i]->name, strlen(now[i]->name)), now[i]);
	for (size_t i = 0; i < old_count; i++)
		if (!map_find(after, old[i]->name, strlen(old[i]->name)))
			pair_compare(comparer, blocks, old[i], NULL);
}

void blocks_compare(struct comparer *comparer)
{
	const struct policy *old = comparer->old, *now = comparer->now;
	if (!old->role_count && !now->role_count && !old->plugin_count && !now->plugin_count)
		return;
	const struct blocks blocks = { reach_new(comparer->arena, now, old),
				       keepers_new(comparer->arena, now), call_marks_new(comparer->arena) };
	kind_compare(comparer, &blocks, old->roles, old->role_count, now->roles, now->role_count);
	kind_compare(comparer, &blocks, old->plugins, old->plugin_count, now->plugins, now->plugin_count);
}
