/* Rows and the ADRs that they cite. */
#include <stdint.h>
#include <string.h>

#include "compiler/gate/judge.h"
#include "compiler/policy/match.h"

static bool is_spanned(const struct adr *adr, const char *subject)
{
	const struct adr_code_span *span = adr_names(adr, subject);
	return span && strcmp(span->text, subject) == 0;
}

bool row_is_granted(const struct row *row, const struct adr *adr)
{
	bool call = row->kind == SUBJECT_SYSCALL && row->subject[0] != '@';
	return is_spanned(adr, row->subject) || (call && is_spanned(adr, row->calls[0].call->name));
}

/* A forbid row of less than the ADR speaks of is none of its decisions either, but it lets nothing pass. */
static bool row_is_decided(const struct row *row, const struct adr *adr)
{
	return row->verb == VERB_ALLOW ? row_is_granted(row, adr) : row_is_named(row, adr);
}

/* ---- which program runs ---- */

static bool has_path(const struct row *row, const char *path)
{
	for (size_t i = 0; row && i < row_more(row)->path_count; i++)
		if (strcmp(row_more(row)->paths[i], path) == 0)
			return true;
	return false;
}

/* OLD's allow row of the same words: what it lets run is decided. */
static const struct row *allowed_before(const struct judge *judge, const struct row *row)
{
	const struct row *old = policy_match(judge->old, row->subject);
	return old && old->verb == VERB_ALLOW && strcmp(old->subject, row->subject) == 0 ? old : NULL;
}

/* What the row lets run by `as` or `path`, and the ADR does not name; NULL for nothing. */
static const char *program_unnamed(const struct judge *judge, const struct row *row, const struct adr *adr)
{
	if (row->verb != VERB_ALLOW || row->kind != SUBJECT_COMMAND)
		return NULL;
	const struct row *old = allowed_before(judge, row);
	if (!row_spelling_is_own(row) && !(old && texts_equal(old->spelling, row->spelling)) &&
	    !is_spanned(adr, row->spelling))
		return row->spelling;
	for (size_t i = 0; i < row_more(row)->path_count; i++)
		if (!has_path(old, row_more(row)->paths[i]) && !is_spanned(adr, row_more(row)->paths[i]))
			return row_more(row)->paths[i];
	return NULL;
}

/* ---- edits ---- */

/* Each is held against all code spans: for those that are read, and not for 100,000. */
static const struct adr_code_span *nearest_find(const struct judge *judge, const struct adr *adr,
						const struct row *row)
{
	enum { SOUGHT_MAX = 100 };
	return judge->refusal_count <= SOUGHT_MAX ? adr_nearest(adr, row->subject) : NULL;
}

static const char *edit_for(struct judge *judge, enum gate_rule rule, const struct row *row,
			    const struct standing *adr)
{
	struct arena *arena = judge->arena;
	const struct adr_code_span *near;
	switch (rule) {
	case GATE_ADR_SCOPE:
		return "cite an ADR of a folder that OLD names, or land its `decisions` first";
	case GATE_ADR_MISSING:
		return arena_printf(arena, "add that ADR, or cite an accepted one that names `%s`",
				    row->subject);
	case GATE_ADR_AMBIGUOUS:
		return "give each ADR a number of its own";
	case GATE_ADR_SILENT:
		near = nearest_find(judge, adr->adr, row);
		if (near)
			return arena_printf(arena,
					    "write `%s` if that is meant, or name `%s` in a code span of %s",
					    near->text, row->subject, adr->text);
		return arena_printf(arena, "name `%s` in a code span of %s, or cite the ADR that decided it",
				    row->subject, adr->text);
	case GATE_ADR_UNCHANGED:
		return arena_printf(arena, "amend %s in this change, or cite an ADR that is new in it",
				    adr->text);
	default:
		return arena_printf(arena, "cite an accepted ADR that names `%s`, or revoke it",
				    row->subject);
	}
}

/* What is wrong with the ADR itself is refused once, however many rows cite it. */
static void citation_refuse(struct judge *judge, const struct row *row, enum gate_rule rule,
			    const struct standing *standing, const char *problem)
{
	bool of_row = rule == GATE_ADR_SILENT;
	struct refusal *refusal =
		of_row ? refuse_row(judge, rule, row, false) : refuse_once(judge, rule, row, standing->text);
	if (!refusal)
		return;
	refusal->problem = problem;
	refusal->edit = edit_for(judge, rule, row, standing);
}

static const char *silence_text(struct judge *judge, const struct standing *standing, const struct row *row)
{
	const struct adr_code_span *longer = adr_names(standing->adr, row->subject);
	const struct adr_code_span *near = longer ? longer : nearest_find(judge, standing->adr, row);
	return arena_printf(judge->arena, "ADR %s does not name '%s'%s%s%s", standing->text, row->subject,
			    near ? "; it names '" : "", near ? near->text : "", near ? "'" : "");
}

/* ---- what a change brings ---- */

struct refused_row {
	const struct row *row;
	uintptr_t rule; /* as wide as the pointer: a key has no gaps */
};

struct finding {
	const struct standing *standing;
	enum gate_rule rule; /* GATE_RULE_COUNT where it ratifies */
	const char *program; /* it names the subject, and not what the row lets run in its place; else NULL */
};

static struct finding citation_judge(struct judge *judge, const struct row *row, const char *citation,
				     bool widens)
{
	const struct standing *standing = standing_of(judge, citation, TRUST_OLD);
	struct finding finding = { standing, GATE_RULE_COUNT, NULL };
	bool decided = standing->good && row_is_decided(row, standing->adr);
	if (decided)
		finding.program = program_unnamed(judge, row, standing->adr);
	if (!standing->good)
		finding.rule = standing->rule;
	else if (!decided || finding.program)
		finding.rule = GATE_ADR_SILENT;
	else if (widens && judge->rules->adr_changed && !standing->fresh)
		finding.rule = GATE_ADR_UNCHANGED;
	return finding;
}

/* Whether it was refused by this rule: several changes may speak of one row. Remembers that it is now. */
static bool is_refused(struct judge *judge, const struct row *row, enum gate_rule rule)
{
	struct refused_row *key = arena_alloc(judge->arena, sizeof *key);
	*key = (struct refused_row){ row, (uintptr_t)rule };
	void **place = map_at(judge->refused_rows, (const char *)key, sizeof *key);
	bool known = *place != NULL;
	*place = key;
	return known;
}

/* The walk over the rows that stay leaves it out. */
static void judged_put(struct judge *judge, const struct row *row)
{
	const struct row **key = arena_alloc(judge->arena, sizeof *key);
	*key = row;
	*map_at(judge->judged, (const char *)key, sizeof *key) = (void *)row;
}

static void program_refuse(struct judge *judge, const struct row *row, struct finding finding)
{
	const char *text = finding.standing->text;
	struct refusal *refusal = refuse_row(judge, GATE_ADR_SILENT, row, false);
	refusal->problem =
		arena_printf(judge->arena, "ADR %s names '%s', and not '%s', which the row lets run", text,
			     row->subject, finding.program);
	refusal->edit =
		arena_printf(judge->arena, "name `%s` in a code span of %s, or cite the ADR that decided it",
			     finding.program, text);
}

static void finding_refuse(struct judge *judge, const struct row *row, struct finding finding)
{
	const char *text = finding.standing->text, *problem = finding.standing->problem;
	if (finding.program) {
		program_refuse(judge, row, finding);
		return;
	}
	if (finding.rule == GATE_ADR_SILENT)
		problem = silence_text(judge, finding.standing, row);
	else if (finding.rule == GATE_ADR_UNCHANGED)
		problem =
			arena_printf(judge->arena, "ADR %s is neither new nor amended in this change", text);
	citation_refuse(judge, row, finding.rule, finding.standing, problem);
}

/* The rules stand in the order in which they are asked: of several citations the one that got furthest
 * counts. */
const char *row_ratify(struct judge *judge, const struct row *row, bool widens)
{
	struct finding best = { NULL, GATE_ADR_SCOPE, NULL };
	judged_put(judge, row);
	for (size_t i = 0; i < row->citation_count; i++) {
		struct finding finding = citation_judge(judge, row, row->citations[i].text, widens);
		if (!best.standing || finding.rule > best.rule)
			best = finding;
	}
	if (best.standing && best.rule == GATE_RULE_COUNT)
		return best.standing->text;
	if (best.standing && !is_refused(judge, row, best.rule))
		finding_refuse(judge, row, best);
	return NULL;
}

/*
 * The ADR that names a group spoke of the calls that it had: those that it has gained are named too, or the
 * ADR is new. One that is amended may say anything about anything else.
 */
const char *group_ratify(struct judge *judge, const struct row *old, const struct row *now)
{
	const char *adr = row_ratify(judge, now, true);
	const struct standing *standing = adr ? standing_of(judge, adr, TRUST_OLD) : NULL;
	if (!standing || (standing->fresh && !standing->amended))
		return adr;
	struct map *known = map_new(judge->arena, old->call_count);
	calls_put(judge->arena, known, old->calls, old->call_count);
	for (size_t i = 0; i < now->call_count; i++) {
		const char *name = now->calls[i].call->name;
		const char *text = call_reference_text(judge->arena, &now->calls[i]);
		if (call_is_in(judge->arena, &now->calls[i], known) || is_spanned(standing->adr, text) ||
		    is_spanned(standing->adr, name))
			continue;
		struct refusal *refusal = refuse_row(judge, GATE_ADR_SILENT, now, false);
		refusal->problem = arena_printf(
			judge->arena, "ADR %s names the group, and not '%s', which it has gained", adr, text);
		refusal->edit = arena_printf(judge->arena, "name `%s` in a code span of %s", text, adr);
		return NULL;
	}
	return adr;
}

/* ---- what a change leaves as it was ---- */

static bool leads_on(const struct adr *adr)
{
	return adr && adr->status == ADR_SUPERSEDED && adr->successor;
}

/* As the compiler has it: the accepted end of a superseded ADR's succession counts where it names the
 * subject. */
static bool successor_names(struct judge *judge, const struct standing *standing, const struct row *row,
			    enum trust_basis basis)
{
	enum { SUCCESSION_MAX = 16 };
	const struct standing *at = standing;
	for (int i = 0; i < SUCCESSION_MAX && leads_on(at->adr); i++)
		at = standing_of(judge, written_citation(judge, at->adr, at->adr->successor), basis);
	return at->good && row_is_named(row, at->adr);
}

/* A policy that never said where its ADRs are is refused its widenings, not what it had. */
static bool is_unchecked(const struct judge *judge)
{
	return !judge->old->authority_count && !judge->now->authority_count;
}

static void citation_stands(struct judge *judge, const struct row *row, const char *citation)
{
	enum trust_basis basis = judge->rules->allowed[GATE_ALLOW_TRUST_CHANGED] ? TRUST_OWN : TRUST_OLD;
	const struct standing *standing = standing_of(judge, citation, basis);
	if (!standing->good && standing->rule == GATE_ADR_SCOPE)
		standing = standing_of(judge, citation, TRUST_OWN); /* the scope itself is refused, once */
	if (standing->good) {
		if (standing->amended && row_is_named(row, standing->before) &&
		    !row_is_named(row, standing->adr))
			citation_refuse(judge, row, GATE_ADR_SILENT, standing,
					arena_printf(judge->arena, "ADR %s no longer names '%s'", citation,
						     row->subject));
		return;
	}
	if (standing->rule == GATE_ADR_SCOPE && is_unchecked(judge))
		return;
	if (!successor_names(judge, standing, row, basis))
		citation_refuse(judge, row, standing->rule, standing, standing->problem);
}

static void list_stands(struct judge *judge, const struct row *const *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (map_find(judge->judged, (const char *)&rows[i], sizeof rows[i]))
			continue;
		for (size_t k = 0; k < rows[i]->citation_count; k++)
			citation_stands(judge, rows[i], rows[i]->citations[k].text);
	}
}

void rows_stand(struct judge *judge)
{
	const struct policy *now = judge->now;
	list_stands(judge, now->rows, now->row_count);
	for (size_t i = 0; i < now->revocation_count; i++)
		list_stands(judge, &now->revocations[i].revoke, 1);
	for (size_t i = 0; i < now->role_count; i++)
		list_stands(judge, now->roles[i]->rows, now->roles[i]->row_count);
	for (size_t i = 0; i < now->plugin_count; i++)
		list_stands(judge, now->plugins[i]->rows, now->plugins[i]->row_count);
}
