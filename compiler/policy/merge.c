/* Layer over layer: revokes act first, then rows; nothing widens by accident. */
#include <string.h>

#include "compiler/base/sieve.h"
#include "compiler/policy/resolver.h"

/* ---- messages ---- */

/* The row that takes `lower` back, ready to paste; its reason is the author's to give. */
static void fix_revoke(const struct resolver *resolver, struct diagnostic *d, const struct row *upper,
		       const struct row *lower)
{
	diag_fix(d, "revoke %s  adr %s  because \"…\"", subject_text(resolver, lower), row_reference(upper));
}

/* A system call with the word that tells it from a program. */
static const char *name_in_message(const struct resolver *resolver, const struct row *row)
{
	return row->kind == SUBJECT_SYSCALL ? subject_text(resolver, row) : row->subject;
}

static const char *verb_past(enum verb verb)
{
	static const char *const words[] = { "allowed", "forbidden", "declined", "revoked" };
	return words[verb];
}

static void report_repeat(struct resolver *resolver, struct row *upper, const struct row *lower)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_REPEAT, upper->span,
					   "'%s' is %s by a layer below already",
					   name_in_message(resolver, upper), verb_past(lower->verb));
	diag_note(d, lower->span, "%s here%s", verb_past(lower->verb), row_authority(resolver, lower));
	diag_help(d, "remove this row, or take the lower one back first:");
	fix_revoke(resolver, d, upper, lower);
	upper->broken = true;
}

static void report_conflict(struct resolver *resolver, struct row *upper, const struct row *lower)
{
	bool longer = strcmp(upper->subject, lower->subject) != 0;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_CONFLICT, upper->span,
					   longer ? "'%s' is %s here, but %s below by a shorter row"
						  : "'%s' is %s here and %s below",
					   name_in_message(resolver, upper), verb_past(upper->verb),
					   verb_past(lower->verb));
	diag_note(d, lower->span, "%s here%s", verb_past(lower->verb), row_authority(resolver, lower));
	diag_help(d, "take the lower row back first:");
	fix_revoke(resolver, d, upper, lower);
	if (upper->verb == VERB_FORBID && upper->kind == SUBJECT_COMMAND)
		diag_help(d,
			  "or record that this layer does not add it; it stays allowed: decline %s  adr %s  "
			  "because \"…\"",
			  subject_text(resolver, upper), row_reference(upper));
	upper->broken = true;
	if (upper->kind == SUBJECT_COMMAND)
		command_break(resolver, upper->subject);
}

static void report_same_layer(struct resolver *resolver, struct row *row, const struct row *first)
{
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_DUPLICATE, row->span,
			    first->verb == row->verb ? "'%s' is %s twice in this layer"
						     : "'%s' is %s here, and has another row in this layer",
			    name_in_message(resolver, row), verb_past(row->verb));
	diag_note(d, first->span, "%s here first", verb_past(first->verb));
	diag_help(d, "keep one row for each subject");
	row->broken = true;
	if (row->kind == SUBJECT_COMMAND)
		command_break(resolver, row->subject);
}

/* ---- revokes ---- */

/* socket(domain == AF_ALG), of a revoke that says socket alone. */
static const struct row *same_call_with_condition(const struct resolver *resolver, const struct row *revoke)
{
	size_t size = strlen(revoke->subject);
	for (size_t i = 0; revoke->kind == SUBJECT_SYSCALL && i < resolver->row_count; i++) {
		const struct row *row = resolver->rows[i];
		if (row->kind == SUBJECT_SYSCALL && strncmp(row->subject, revoke->subject, size) == 0 &&
		    row->subject[size] == '(')
			return row;
	}
	return NULL;
}

static void report_revoke(struct resolver *resolver, const struct layer_work *work, struct row *revoke)
{
	revoke->broken = true;
	if (resolver->incomplete)
		return;
	if (command_is_broken(resolver, revoke->subject) && revoke->kind == SUBJECT_COMMAND)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_REVOKE, revoke->span,
					   "no layer below has a row '%s' to take back",
					   name_in_message(resolver, revoke));
	if (!d)
		return;
	bool searched = names_may_be_searched(resolver, work->row_count + resolver->row_count);
	for (size_t i = 0; searched && i < work->row_count; i++) {
		const struct row *own = work->rows[i];
		if (own->verb == VERB_REVOKE || own->kind != revoke->kind ||
		    strcmp(own->subject, revoke->subject) != 0)
			continue;
		diag_note(d, own->span, "this layer itself has one");
		diag_help(d, "remove both: a 'revoke' is for rows of layers below");
		return;
	}
	struct suggestion near = suggestion_begin(revoke->subject);
	for (size_t i = 0; searched && i < resolver->row_count; i++)
		if (resolver->rows[i]->kind == revoke->kind)
			suggestion_offer(&near, resolver->rows[i]->subject);
	const struct row *conditional = searched ? same_call_with_condition(resolver, revoke) : NULL;
	if (conditional)
		diag_help(d, "a row with a condition is named with it: revoke %s",
			  subject_text(resolver, conditional));
	else if (near.nearest)
		diag_help(d, "did you mean '%s'?", near.nearest);
	else if (revoke->kind == SUBJECT_COMMAND)
		diag_help(d, "remove the row: what is not listed is not allowed");
	else
		diag_help(d, "remove the row: no layer below has one for it, under just these words");
}

static void row_take_back(struct resolver *resolver, const struct layer_work *work, struct row *revoke)
{
	void **place = map_find(resolver->in_force[revoke->kind], revoke->subject, strlen(revoke->subject));
	if ((!place || !*place) && revoke->kind == SUBJECT_COMMAND)
		place = map_find(resolver->declined, revoke->subject, strlen(revoke->subject));
	struct row *lower = place ? *place : NULL;
	if (!lower) {
		if (!revoke->broken)
			report_revoke(resolver, work, revoke);
		return;
	}
	*place = NULL;
	lower->revoked = true;
	resolver->revocations = arena_grow(resolver->compilation->arena, resolver->revocations,
					   resolver->revocation_count, &resolver->revocation_capacity,
					   sizeof *resolver->revocations);
	resolver->revocations[resolver->revocation_count++] = (struct revocation){ lower, revoke };
}

/* ---- rows ---- */

static struct map *map_of(const struct resolver *resolver, const struct row *row)
{
	return row->verb == VERB_DECLINE ? resolver->declined : resolver->in_force[row->kind];
}

/* Against the layers below alone: the index holds no row of this layer yet. */
static void row_check_below(struct resolver *resolver, struct row *row)
{
	const struct row *same = map_value(map_of(resolver, row), row->subject, strlen(row->subject));
	if (same && same->verb == row->verb) {
		report_repeat(resolver, row, same);
		return;
	}
	if (row->kind != SUBJECT_COMMAND) {
		if (same)
			report_conflict(resolver, row, same);
		return;
	}
	const struct row *longest = row_index_match(resolver->index, row->subject);
	if (!longest)
		return;
	bool widens = row->verb == VERB_ALLOW && longest->verb == VERB_FORBID;
	bool contradicts = row->verb == VERB_FORBID && longest->verb == VERB_ALLOW && same;
	if (widens || contradicts)
		report_conflict(resolver, row, longest);
}

static void rows_put_in_force(struct resolver *resolver, const struct layer_work *work)
{
	resolver->rows = arena_reserve(resolver->compilation->arena, resolver->rows, resolver->row_count,
				       &resolver->row_capacity, work->row_count, sizeof *resolver->rows);
	size_t before = resolver->row_count;
	for (size_t i = 0; i < work->row_count; i++) {
		struct row *row = work->rows[i];
		if (row->verb == VERB_REVOKE || row->broken)
			continue;
		resolver->rows[resolver->row_count++] = row;
		if (row->kind != SUBJECT_COMMAND || row->verb == VERB_DECLINE)
			*map_at(map_of(resolver, row), row->subject, strlen(row->subject)) = row;
	}
	if (resolver->row_count > before)
		row_index_add_later(resolver->index, (const struct row *const *)&resolver->rows[before],
				    resolver->row_count - before);
}

/*
 * One row a subject in a layer, whatever the verbs; `revoke` makes room for a new one, so it is apart. Maps
 * of all rows would be as large as that of the rows in force, and most of a large layer's subjects come once.
 */
static void layer_check_twice(struct resolver *resolver, struct layer_work *work)
{
	struct map *seen[2][3];
	for (size_t i = 0; i < 6; i++)
		seen[i / 3][i % 3] = map_new(resolver->compilation->arena, 0);
	for (size_t i = 0; i < work->row_count; i++) {
		struct row *row = sieve_repeats(work->subjects, i) ? work->rows[i] : NULL;
		if (!row || row->broken)
			continue;
		void **known =
			map_at(seen[row->verb == VERB_REVOKE][row->kind], row->subject, strlen(row->subject));
		if (*known)
			report_same_layer(resolver, row, *known);
		else
			*known = row;
	}
}

/* Rows that a revoke took back leave the list; order stays. */
static void revoked_leave(struct resolver *resolver)
{
	size_t kept = 0;
	for (size_t i = 0; i < resolver->row_count; i++)
		if (!resolver->rows[i]->revoked)
			resolver->rows[kept++] = resolver->rows[i];
	resolver->row_count = kept;
}

static void layer_merge(struct resolver *resolver, struct layer_work *work)
{
	size_t revoked = resolver->revocation_count;
	row_index_complete(resolver->index);
	layer_check_twice(resolver, work);
	for (size_t i = 0; work->revokes && i < work->row_count; i++)
		if (work->rows[i]->verb == VERB_REVOKE)
			row_take_back(resolver, work, work->rows[i]);
	if (resolver->revocation_count > revoked)
		revoked_leave(resolver);
	for (size_t i = 0; work->layer->index && i < work->row_count; i++) /* the bottom has none below */
		if (work->rows[i]->verb != VERB_REVOKE && !work->rows[i]->broken)
			row_check_below(resolver, work->rows[i]);
	rows_put_in_force(resolver, work);
}

void layers_merge(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->layer_count; i++) {
		struct layer_work *work = &resolver->works[i];
		work->rows = arena_reserve(resolver->compilation->arena, work->rows, work->row_count,
					   &work->row_capacity, work->ast.subject_count, sizeof *work->rows);
		work->subjects = sieve_new(resolver->compilation->arena, work->ast.subject_count);
		for (const struct ast_statement *at = work->ast.statements; at; at = at->next)
			if (at->kind == AST_ROW)
				rows_bind(resolver, work, NULL, at);
		layer_merge(resolver, work);
	}
}
