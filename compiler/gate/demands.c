/* What the command line demands beyond the rules, and days that are past. */
#include <string.h>

#include "compiler/diff/report.h"
#include "compiler/gate/judge.h"

/* ---- until ---- */

static void rows_expire(struct judge *judge, const struct row *const *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct row *row = rows[i];
		if (!row->until || strcmp(row->until, judge->rules->today) >= 0)
			continue;
		struct refusal *refusal = refuse_row(judge, GATE_EXPIRED, row, false);
		refusal->problem = arena_printf(judge->arena, "it holds until %s, and today is %s",
						row->until, judge->rules->today);
		refusal->edit = "take the row out, or give it a later `until` by an ADR";
	}
}

static void until_check(struct judge *judge)
{
	const struct policy *now = judge->now;
	if (!judge->rules->today)
		return;
	rows_expire(judge, now->rows, now->row_count);
	for (size_t i = 0; i < now->role_count; i++)
		rows_expire(judge, now->roles[i]->rows, now->roles[i]->row_count);
	for (size_t i = 0; i < now->plugin_count; i++)
		rows_expire(judge, now->plugins[i]->rows, now->plugins[i]->row_count);
}

/* ---- --exactly ---- */

/* "0015" is of the compiled layer's own scope. */
static const char *reference_key(struct judge *judge, const char *reference)
{
	const struct policy *now = judge->now;
	const char *scope = now->layers[now->layer_count - 1].scope;
	return citation_key(judge, strchr(reference, '/')
					   ? reference
					   : arena_printf(judge->arena, "%s/%s", scope, reference));
}

/* No list can name a system call: any that the ADR allows is one more than it was to add. */
static bool adds(enum change_class class)
{
	return class == CHANGE_ALLOW_ADDED || class == CHANGE_FORBID_TO_ALLOW || class == CHANGE_SYSCALL_ALLOWED;
}

/* The commands of the list, to the word itself; the value goes when a row adds it. */
static struct map *list_read(struct arena *arena, const char *list)
{
	struct map *commands = map_new(arena, 0);
	while (*list) {
		size_t size = strcspn(list, ",");
		const char *word = arena_copy(arena, list, size);
		*map_at(commands, word, size) = (void *)word;
		list += size + (list[size] == ',');
	}
	return commands;
}

static void exactly_extra(struct judge *judge, const struct change *change, const char *reference)
{
	struct refusal *refusal = refuse_row(judge, GATE_EXACTLY, change->row, false);
	refusal->problem = arena_printf(judge->arena, "ADR %s adds '%s' too", reference, change->subject);
	refusal->edit = "take it out: --exactly does not name it";
}

static void exactly_missing(struct judge *judge, const char *command, const char *reference)
{
	struct refusal *refusal = refuse(judge, GATE_EXACTLY, command);
	refusal->problem = arena_printf(judge->arena, "ADR %s does not add '%s'", reference, command);
	refusal->edit = arena_printf(judge->arena, "add `allow %s` by that ADR: --exactly names it", command);
}

static void exactly_check(struct judge *judge, const char *demand)
{
	const char *equals = strchr(demand, '=');
	const char *reference = arena_copy(judge->arena, demand, (size_t)(equals - demand));
	const char *key = reference_key(judge, reference);
	struct map *commands = list_read(judge->arena, equals + 1);
	for (size_t i = 0; i < judge->comparison->change_count; i++) {
		const struct change *change = &judge->comparison->changes[i];
		if (!adds(change->class) || !row_cites(judge, change->row, key))
			continue;
		void **place = map_find(commands, change->subject, strlen(change->subject));
		if (place)
			*place = NULL;
		else
			exactly_extra(judge, change, reference);
	}
	for (const char *at = equals + 1; *at; at += strcspn(at, ","), at += *at == ',') {
		size_t size = strcspn(at, ",");
		if (map_value(commands, at, size))
			exactly_missing(judge, arena_copy(judge->arena, at, size), reference);
	}
}

/* ---- --fail-on ---- */

static bool is_wider(const struct judge *judge)
{
	const struct axis_verdict *axes = judge->comparison->axes;
	return judge->widenings || axes[AXIS_COMMANDS].more || axes[AXIS_SYSTEM_CALLS].more ||
	       axes[AXIS_CAPABILITIES].more || axes[AXIS_GUARDS].less || axes[AXIS_EXPECTATIONS].less;
}

static void fail_on_check(struct judge *judge)
{
	enum gate_fail_on fail_on = judge->rules->fail_on;
	bool wider = fail_on == FAIL_ON_WIDER && is_wider(judge);
	bool any = fail_on == FAIL_ON_ANY && comparison_exit_status(judge->comparison);
	if (!wider && !any)
		return;
	struct refusal *refusal = refuse(judge, wider ? GATE_WIDER : GATE_CHANGED, "");
	refusal->problem = wider ? arena_printf(judge->arena, "NEW may do more: %s",
						report_verdict(judge->arena, judge->comparison))
				 : "NEW differs from OLD";
	refusal->edit = wider ? "take out what widens, or land it through a gate without `--fail-on wider`"
			      : "land it through a gate without `--fail-on any`";
}

void demands_check(struct judge *judge)
{
	until_check(judge);
	for (size_t i = 0; i < judge->rules->exactly_count; i++)
		exactly_check(judge, judge->rules->exactly[i]);
	fail_on_check(judge);
}
