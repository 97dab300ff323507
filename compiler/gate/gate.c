#include "compiler/gate/gate.h"

#include <string.h>

#include "compiler/base/diag.h"
#include "compiler/gate/judge.h"

static const struct {
	const char *name, *meaning;
} rules[GATE_RULE_COUNT] = {
#define X(id, name, meaning) { name, meaning },
	GATE_RULE_LIST(X)
#undef X
};

const char *gate_rule_name(enum gate_rule rule)
{
	return rules[rule].name;
}

const char *gate_rule_meaning(enum gate_rule rule)
{
	return rules[rule].meaning;
}

const char *gate_allowance_name(enum gate_allowance allowance)
{
	static const char *const names[GATE_ALLOWANCE_COUNT] = {
#define X(id, name) name,
		GATE_ALLOWANCE_LIST(X)
#undef X
	};
	return names[allowance];
}

/* ---- what the parts say ---- */

struct refusal *refuse(struct judge *judge, enum gate_rule rule, const char *subject)
{
	judge->refusals = arena_grow(judge->arena, judge->refusals, judge->refusal_count,
				     &judge->refusal_capacity, sizeof *judge->refusals);
	struct refusal *refusal = &judge->refusals[judge->refusal_count++];
	*refusal = (struct refusal){ .rule = rule, .subject = subject, .problem = "", .edit = "" };
	return refusal;
}

struct refusal *refuse_row(struct judge *judge, enum gate_rule rule, const struct row *row, bool in_old)
{
	struct refusal *refusal = refuse(judge, rule, row->subject);
	if (row->kind == SUBJECT_SYSCALL)
		refusal->subject = arena_printf(judge->arena, "syscall %s", row->subject);
	refusal->layer = row->layer;
	refusal->line = row->span.source ? source_position(row->span.source, row->span.begin).line : 0;
	refusal->in_old = in_old;
	return refusal;
}

struct refusal *refuse_once(struct judge *judge, enum gate_rule rule, const struct row *row, const char *key)
{
	const char *whole = arena_printf(judge->arena, "%d %s", (int)rule, key);
	void **place = map_at(judge->refused, whole, strlen(whole));
	size_t *index = *place;
	if (index) {
		judge->refusals[*index].more++;
		return NULL;
	}
	index = arena_alloc(judge->arena, sizeof *index);
	*index = judge->refusal_count;
	*place = index;
	return refuse_row(judge, rule, row, false);
}

bool allowed(struct judge *judge, enum gate_allowance allowance)
{
	bool passes = judge->rules->allowed[allowance];
	judge->allowed[allowance] |= passes;
	return passes;
}

void widening_count(struct judge *judge, const char *adr)
{
	judge->widenings++;
	void **place = adr ? map_at(judge->ratifying, adr, strlen(adr)) : NULL;
	if (!place || *place)
		return;
	*place = (void *)adr;
	judge->adrs = arena_grow(judge->arena, judge->adrs, judge->adr_count, &judge->adr_capacity,
				 sizeof *judge->adrs);
	judge->adrs[judge->adr_count++] = adr;
}

void ratified_add(struct judge *judge, const char *adr, const struct row *row, bool in_old)
{
	if (!adr)
		return;
	judge->ratified = arena_grow(judge->arena, judge->ratified, judge->ratified_count,
				     &judge->ratified_capacity, sizeof *judge->ratified);
	judge->ratified[judge->ratified_count++] = (struct ratified){ adr, row, in_old };
}

/* ---- the whole ---- */

/* A warning that -Werror made an error is no check of ADRs. */
static bool checks_reject(const struct diags *diags)
{
	for (size_t id = 0; id < DIAG_COUNT; id++)
		if (!diag_is_warning((enum diag_id)id) && diags_errors_of(diags, (enum diag_id)id))
			return true;
	return false;
}

/* What the resolver says against NEW's ADRs by NEW's own words, where no rule above has said so. */
static void checks_count(struct judge *judge)
{
	for (size_t i = 0; i < judge->refusal_count; i++)
		if (judge->refusals[i].rule <= GATE_ADR_CHECK)
			return;
	if (!checks_reject(judge->compilation->diags))
		return;
	struct refusal *refusal = refuse(judge, GATE_ADR_CHECK, "");
	refusal->problem = "the checks of ADRs reject NEW";
	refusal->edit = "mend what stands on standard error";
}

static struct gate *gate_made(struct judge *judge)
{
	struct gate *gate = arena_alloc(judge->arena, sizeof *gate);
	*gate = (struct gate){
		.refusals = judge->refusals,
		.refusal_count = judge->refusal_count,
		.widenings = judge->widenings,
		.adrs = judge->adrs,
		.adr_count = judge->adr_count,
	};
	memcpy(gate->allowed, judge->allowed, sizeof gate->allowed);
	return gate;
}

const struct gate *gate_judge(const struct side *old, struct side *now, const struct compared *comparison,
			      const struct gate_rules *demanded)
{
	struct arena *arena = now->compilation.arena;
	struct judge judge = {
		.old_side = old,
		.now_side = now,
		.old = old->policy,
		.now = now->policy,
		.comparison = comparison,
		.rules = demanded,
		.compilation = &now->compilation,
		.arena = arena,
		.standings = { map_new(arena, 0), map_new(arena, 0) },
		.refused = map_new(arena, 0),
		.judged = map_new(arena, 0),
		.refused_rows = map_new(arena, 0),
		.ratifying = map_new(arena, 0),
		.explained = map_new(arena, 0),
	};
	trust_begin(&judge);
	changes_judge(&judge);
	settings_judge(&judge);
	rows_stand(&judge);
	trust_check(&judge);
	demands_check(&judge);
	checks_count(&judge);
	return gate_made(&judge);
}
