/* Each change that the comparison found, by its class. */
#include <assert.h>
#include <string.h>

#include "compiler/diff/weakening.h"
#include "compiler/gate/judge.h"
#include "compiler/policy/match.h"

/* ---- rows that allow ---- */

/* `counts` where NEW may do what OLD may not. */
static void allow_judge(struct judge *judge, const struct row *row, bool counts)
{
	const char *adr = row_ratify(judge, row, counts);
	calls_explain(judge, row);
	if (!counts)
		return;
	widening_count(judge, adr);
	ratified_add(judge, adr, row, false);
}

/* OLD's `decline` of these words, or NULL. */
static const struct row *decline_find(struct judge *judge, const char *command)
{
	const struct policy *old = judge->old;
	if (!judge->declined) {
		judge->declined = map_new(judge->arena, old->declined_count);
		for (size_t i = 0; i < old->row_count; i++)
			if (old->rows[i]->verb == VERB_DECLINE)
				*map_at(judge->declined, old->rows[i]->subject,
					strlen(old->rows[i]->subject)) = (void *)old->rows[i];
	}
	return map_value(judge->declined, command, strlen(command));
}

/*
 * Below a forbidden command a longer one is allowed: the forbid is lifted in part. An ADR that declined the
 * command names it too, and ratifies nothing.
 */
static void allow_added(struct judge *judge, const struct row *row)
{
	const struct row *before = policy_match(judge->old, row->subject);
	const struct row *declined = decline_find(judge, row->subject);
	bool forbidden = before && before->verb == VERB_FORBID;
	bool same_adr = declined && rows_share_adr(judge, declined, row);
	allow_judge(judge, row, !before && !same_adr);
	if (forbidden || same_adr)
		forbid_lift(judge, forbidden ? before : declined, row);
}

/* What was forbidden is allowed: one widening, which the ADR that overrules the other ratifies. */
static void forbid_turned(struct judge *judge, const struct change *change)
{
	allow_judge(judge, change->row, !change->before);
	if (!change->before)
		return;
	calls_explain(judge, change->before);
	forbid_lift(judge, change->before, change->row);
}

/* ---- rows that forbid ---- */

static void forbid_removed(struct judge *judge, const struct change *change)
{
	calls_explain(judge, change->row);
	forbid_lift(judge, change->row, change->revoke);
}

/* `forbid strce` guards nothing: the ADR does not speak of it. */
static void guard_added(struct judge *judge, const struct change *change)
{
	if (change->row->verb == VERB_FORBID)
		row_ratify(judge, change->row, false);
}

static void forbid_weakened(struct judge *judge, const struct change *change)
{
	calls_explain(judge, change->before);
	calls_explain(judge, change->row);
	forbid_lift(judge, change->before, change->row);
}

/* ---- roles and plugins ---- */

static void scope_widened(struct judge *judge, const struct change *change)
{
	calls_explain(judge, change->row);
	if (change->in_old)
		forbid_lift(judge, change->row, NULL);
	else
		allow_judge(judge, change->row, !change->powerless);
	if (change->lifted)
		forbid_lift(judge, change->lifted, change->row);
}

static void tools_put(struct map *known, const struct row *const *tools, size_t count)
{
	for (size_t i = 0; i < count; i++)
		*map_at(known, tools[i]->subject, strlen(tools[i]->subject)) = (void *)tools[i];
}

static void tools_judge(struct judge *judge, const struct map *known, const struct row *const *tools,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!map_find(known, tools[i]->subject, strlen(tools[i]->subject)))
			row_ratify(judge, tools[i], false);
}

/* A tool that a plugin gets is allowed already; its row's ADR must say so as for one that is new. */
static void plugins_judge(struct judge *judge)
{
	const struct map *plugins =
		blocks_by_name(judge->arena, judge->old->plugins, judge->old->plugin_count);
	for (size_t i = 0; i < judge->now->plugin_count; i++) {
		const struct block *now = judge->now->plugins[i];
		const struct block *old = map_value(plugins, now->name, strlen(now->name));
		struct map *known = map_new(judge->arena, 0);
		if (old) {
			tools_put(known, old->tools, old->tool_count);
			tools_put(known, old->optional, old->optional_count);
		}
		tools_judge(judge, known, now->tools, now->tool_count);
		tools_judge(judge, known, now->optional, now->optional_count);
	}
}

/* ---- rows that both have ---- */

static void until_changed(struct judge *judge, const struct change *change)
{
	bool earlier = row_ends_earlier(change->before, change->row);
	if (change->row->verb == VERB_ALLOW && !earlier)
		allow_judge(judge, change->row, true);
	else if (change->row->verb == VERB_FORBID && earlier)
		forbid_lift(judge, change->before, change->row);
}

static void attribute_changed(struct judge *judge, const struct change *change)
{
	const struct row *old = change->before, *now = change->row;
	if (now->verb == VERB_ALLOW && allow_is_wider(judge->arena, old, now)) {
		const char *adr =
			now->call_count ? group_ratify(judge, old, now) : row_ratify(judge, now, true);
		widening_count(judge, adr);
		ratified_add(judge, adr, now, false);
		calls_explain(judge, now);
	} else if (now->verb == VERB_FORBID && forbid_is_weaker(judge->arena, old, now)) {
		forbid_weakened(judge, change);
	}
}

/* ---- expectations ---- */

static void guard_removed(struct judge *judge, const struct change *change)
{
	if (allowed(judge, GATE_ALLOW_GUARD_REMOVED))
		return;
	struct refusal *refusal =
		refuse(judge, GATE_GUARD_REMOVED, arena_printf(judge->arena, "expect %s", change->subject));
	refusal->layer = change->layer;
	refusal->line = change->line;
	refusal->in_old = true;
	refusal->problem = "the expectation is gone, or lapses";
	refusal->edit = "put it back, or land it with `--allow guard-removed` when a person has looked";
}

/* ---- all ---- */

/* Each class stands here, so that the compiler asks of a new one what it lets pass. */
static void change_judge(struct judge *judge, const struct change *change)
{
	switch (change->class) {
	case CHANGE_SECCOMP_SETTING:    /* judged as a whole: settings.c, */
	case CHANGE_TRUST_CHANGED:      /* trust.c, */
	case CHANGE_PLUGIN_TOOL_ADDED:  /* plugins_judge(), */
	case CHANGE_ADR_STATUS_CHANGED: /* and rows_stand() */
	case CHANGE_ADR_TEXT_CHANGED:
	case CHANGE_ALLOW_REMOVED: /* and what lets nothing pass */
	case CHANGE_SYSCALL_WITHDRAWN:
	case CHANGE_DECLINED:
	case CHANGE_PLUGIN_TOOL_REMOVED:
	case CHANGE_PLUGIN_CHANGED:
	case CHANGE_GUARD_ADDED:
	case CHANGE_REASON_CHANGED:
	case CHANGE_TITLE_CHANGED:
	case CHANGE_NAME_CHANGED:
	case CHANGE_OUTPUT_CHANGED:
	case CHANGE_FORMAT_ONLY:
	case CHANGE_COUNT:
		break;
	case CHANGE_FORBID_ADDED:
	case CHANGE_ALLOW_TO_FORBID:
	case CHANGE_CAPABILITY_FORBIDDEN:
	case CHANGE_SYSCALL_FORBIDDEN:
	case CHANGE_SCOPE_NARROWED:
		if (!change->in_old)
			guard_added(judge, change);
		break;
	case CHANGE_ALLOW_ADDED:
		allow_added(judge, change->row);
		break;
	case CHANGE_FORBID_TO_ALLOW:
	case CHANGE_SYSCALL_ALLOWED:
		forbid_turned(judge, change);
		break;
	case CHANGE_FORBID_REMOVED:
	case CHANGE_CAPABILITY_RELEASED:
	case CHANGE_SYSCALL_RELEASED:
		forbid_removed(judge, change);
		break;
	case CHANGE_ADR_CHANGED:
		if (change->row->verb != VERB_DECLINE)
			row_ratify(judge, change->row, false);
		break;
	case CHANGE_EXPIRY_ADDED:
	case CHANGE_EXPIRY_MOVED:
	case CHANGE_EXPIRY_REMOVED:
		until_changed(judge, change);
		break;
	case CHANGE_ATTRIBUTE_CHANGED:
		attribute_changed(judge, change);
		break;
	case CHANGE_SCOPE_WIDENED:
		scope_widened(judge, change);
		break;
	case CHANGE_GUARD_REMOVED:
		guard_removed(judge, change);
	}
}

/* On an axis that rows alone move: then one of them was judged. */
static bool axes_are_wider(const struct compared *comparison)
{
	const struct axis_verdict *axes = comparison->axes;
	return axes[AXIS_COMMANDS].more || axes[AXIS_CAPABILITIES].more || axes[AXIS_GUARDS].less;
}

void changes_judge(struct judge *judge)
{
	for (size_t i = 0; i < judge->comparison->change_count; i++)
		change_judge(judge, &judge->comparison->changes[i]);
	plugins_judge(judge);
	assert(judge->widenings || !axes_are_wider(judge->comparison));
}
