/* What the command line demands beyond the rules, and days that are past. */
#include <string.h>

#include "compiler/diff/report.h"
#include "compiler/gate/judge.h"

/* ---- until ---- */

static void rows_expire(struct judge *judge, const struct row *const *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct row *row = rows[i];
		if (!row_more(row)->until || strcmp(row_more(row)->until, judge->rules->today) >= 0)
			continue;
		struct refusal *refusal = refuse_row(judge, GATE_EXPIRED, row, false);
		refusal->problem = arena_printf(judge->arena, "it holds until %s, and today is %s",
						row_more(row)->until, judge->rules->today);
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
static const char *reference_citation(struct judge *judge, const char *reference)
{
	const struct policy *now = judge->now;
	const char *scope = now->layers[now->layer_count - 1].scope;
	return strchr(reference, '/') ? reference : arena_printf(judge->arena, "%s/%s", scope, reference);
}

/* No list can name a system call: any that the ADR allows is one more than it was to add. */
static bool adds(enum change_class class)
{
	return class == CHANGE_ALLOW_ADDED || class == CHANGE_FORBID_TO_ALLOW ||
	       class == CHANGE_SYSCALL_ALLOWED;
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

struct demand {
	const char *reference, *key; /* as it is written, and for all spellings */
	struct map *commands;        /* of the list, by name */
	struct map *told;            /* rows that were refused, by pointer */
};

static void exactly_extra(struct judge *judge, struct demand *demand, const struct row *row)
{
	const struct row **key = arena_alloc(judge->arena, sizeof *key);
	*key = row;
	*map_at(demand->told, (const char *)key, sizeof *key) = (void *)row;
	struct refusal *refusal = refuse_row(judge, GATE_EXACTLY, row, false);
	refusal->problem =
		arena_printf(judge->arena, "ADR %s adds '%s' too", demand->reference, refusal->subject);
	refusal->edit = "take it out: --exactly does not name it";
}

static void exactly_missing(struct judge *judge, const char *command, const char *reference)
{
	struct refusal *refusal = refuse(judge, GATE_EXACTLY, command);
	refusal->problem = arena_printf(judge->arena, "ADR %s does not add '%s'", reference, command);
	refusal->edit = arena_printf(judge->arena, "add `allow %s` by that ADR: --exactly names it", command);
}

static void additions_check(struct judge *judge, struct demand *demand)
{
	for (size_t i = 0; i < judge->comparison->change_count; i++) {
		const struct change *change = &judge->comparison->changes[i];
		if (!adds(change->class) || !row_cites(judge, change->row, demand->key))
			continue;
		void **place = map_find(demand->commands, change->subject, strlen(change->subject));
		if (place)
			*place = NULL;
		else
			exactly_extra(judge, demand, change->row);
	}
}

/* No list names a row of a role or plugin, nor one about the kernel. */
static bool is_demanded(const struct demand *demand, const struct row *row)
{
	return row->kind == SUBJECT_COMMAND && !row->block &&
	       map_find(demand->commands, row->subject, strlen(row->subject));
}

/* A forbid that it lifts, a row that it lets say more: no list asks for these. */
static void ratified_check(struct judge *judge, struct demand *demand)
{
	for (size_t i = 0; i < judge->ratified_count; i++) {
		const struct ratified *ratified = &judge->ratified[i];
		const struct row *row = ratified->row;
		if (strcmp(citation_key(judge, ratified->adr), demand->key) != 0 ||
		    is_demanded(demand, row) || map_find(demand->told, (const char *)&row, sizeof row))
			continue;
		struct refusal *refusal = refuse_row(judge, GATE_EXACTLY, row, ratified->in_old);
		refusal->problem = arena_printf(judge->arena, "ADR %s lets more of '%s' pass too",
						demand->reference, refusal->subject);
		refusal->edit = "leave it as it was: --exactly does not name it";
	}
}

/* A demand that is misspelt must not hold by speaking of nothing. A draft is there, and ratifies nothing. */
static bool reference_stands(struct judge *judge, const char *reference)
{
	const struct standing *standing = standing_of(judge, reference_citation(judge, reference), TRUST_OLD);
	if (standing->good || standing->rule == GATE_ADR_STATUS)
		return true;
	struct refusal *refusal = refuse(judge, GATE_EXACTLY, reference);
	refusal->problem = arena_printf(judge->arena, "--exactly speaks of no ADR: %s", standing->problem);
	refusal->edit = "name an ADR that counts, as a row would cite it";
	return false;
}

static void exactly_check(struct judge *judge, const char *written)
{
	const char *equals = strchr(written, '=');
	const char *reference = arena_copy(judge->arena, written, (size_t)(equals - written));
	struct demand demand = {
		.reference = reference,
		.key = citation_key(judge, reference_citation(judge, reference)),
		.commands = list_read(judge->arena, equals + 1),
		.told = map_new(judge->arena, 0),
	};
	if (!reference_stands(judge, reference))
		return;
	additions_check(judge, &demand);
	ratified_check(judge, &demand);
	for (const char *at = equals + 1; *at; at += strcspn(at, ","), at += *at == ',') {
		size_t size = strcspn(at, ",");
		if (map_value(demand.commands, at, size))
			exactly_missing(judge, arena_copy(judge->arena, at, size), reference);
	}
}

/* ---- --fail-on ---- */

static bool is_wider_on_axes(const struct judge *judge)
{
	const struct axis_verdict *axes = judge->comparison->axes;
	return axes[AXIS_COMMANDS].more || axes[AXIS_SYSTEM_CALLS].more || axes[AXIS_CAPABILITIES].more ||
	       axes[AXIS_GUARDS].less || axes[AXIS_EXPECTATIONS].less;
}

/* A row that no longer ends widens, and is on no axis. */
static const char *wider_text(const struct judge *judge)
{
	if (is_wider_on_axes(judge))
		return arena_printf(judge->arena, "NEW may do more: %s",
				    report_verdict(judge->arena, judge->comparison));
	return arena_printf(judge->arena, "NEW may do more, by %zu widening%s", judge->widenings,
			    judge->widenings == 1 ? "" : "s");
}

static void fail_on_check(struct judge *judge)
{
	enum gate_fail_on fail_on = judge->rules->fail_on;
	bool wider = fail_on == FAIL_ON_WIDER && (judge->widenings || is_wider_on_axes(judge));
	bool any = fail_on == FAIL_ON_ANY && comparison_exit_status(judge->comparison);
	if (!wider && !any)
		return;
	struct refusal *refusal = refuse(judge, wider ? GATE_WIDER : GATE_CHANGED, "");
	refusal->problem = wider ? wider_text(judge) : "NEW differs from OLD";
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
