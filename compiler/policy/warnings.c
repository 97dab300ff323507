/* Checks of the whole policy that only warn. */
#include <string.h>

#include "compiler/policy/resolver.h"

static bool is_command(const struct row *row)
{
	return row->kind == SUBJECT_COMMAND && !row->broken;
}

/* ---- names that are easily taken for another ---- */

static void warn_spelling(struct resolver *resolver, const struct row *row)
{
	if (row->verb != VERB_ALLOW || strcmp(row->spelling, row->subject) == 0)
		return;
	const struct row *twin = policy_find(resolver->policy, row->spelling);
	if (!twin)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SPELLING_TWIN, twin->span,
					   "the command '%s' is also how '%s' is spelled", twin->subject,
					   row->subject);
	diag_note(d, row->span, "this row is spelled so where no blank can stand");
	diag_help(d, "give that one a spelling of its own: as NAME");
}

/* One insertion, deletion, replacement or swap of neighbours apart, in linear time. */
static bool one_edit_apart(const char *a, const char *b)
{
	size_t a_size = strlen(a), b_size = strlen(b), begin = 0, end = 0;
	while (begin < a_size && begin < b_size && a[begin] == b[begin])
		begin++;
	while (end + begin < a_size && end + begin < b_size && a[a_size - 1 - end] == b[b_size - 1 - end])
		end++;
	size_t a_rest = a_size - begin - end, b_rest = b_size - begin - end;
	if (a_rest <= 1 && b_rest <= 1)
		return a_rest + b_rest > 0;
	return a_rest == 2 && b_rest == 2 && a[begin] == b[begin + 1] && a[begin + 1] == b[begin];
}

static void warn_blocks(struct resolver *resolver)
{
	if (!diag_enabled(resolver_diags(resolver), DIAG_SPELLING_TWIN))
		return;
	for (size_t i = 1; i < resolver->block_count; i++) {
		const struct block *block = &resolver->blocks[i]->block;
		for (size_t before = 0; before < i; before++) {
			const struct block *other = &resolver->blocks[before]->block;
			if (other->kind != block->kind || !one_edit_apart(block->name, other->name))
				continue;
			struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SPELLING_TWIN,
							   block->span, "'%s' is one letter away from '%s'",
							   block->name, other->name);
			diag_note(d, other->span, "the other one stands here");
			diag_help(d, "if both are meant to be one, give them one name");
			break;
		}
	}
}

/* ---- rows that do less than they say ---- */

static void warn_prefix_forbid(struct resolver *resolver, const struct row *row)
{
	const char *blank = strrchr(row->subject, ' ');
	if (row->verb != VERB_FORBID || !blank)
		return;
	const char *shorter =
		arena_copy(resolver->compilation->arena, row->subject, (size_t)(blank - row->subject));
	const struct row *program = policy_match(resolver->policy, shorter);
	if (!program || program->verb != VERB_ALLOW)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_PREFIX_FORBID, row->span,
					   "'%s' is advisory: options before the sub-command defeat it",
					   row->subject);
	diag_note(d, program->span, "'%s' is allowed here%s", program->subject, row_authority(resolver, program));
	diag_help(d, "to refuse it for certain, do not allow '%s', or wrap it", program->subject);
}

static void warn_expired(struct resolver *resolver, const struct row *row)
{
	const char *today = resolver->compilation->today;
	if (!today || !row->until || strcmp(row->until, today) >= 0)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_EXPIRED, row->span,
					   "'%s' was %s until %s, which is past", row->subject,
					   row->verb == VERB_ALLOW ? "allowed" : "decided", row->until);
	diag_help(d, "revoke or remove the row, or give it a new date by an ADR");
}

/* "clone, clone3" */
static const char *call_list(struct arena *arena, const char *const *calls)
{
	const char *list = *calls;
	for (calls++; *calls; calls++)
		list = arena_printf(arena, "%s, %s", list, *calls);
	return list;
}

/* What forbidding a capability does not deny, so that nobody takes the filter for more than it is. */
static void warn_unseen(struct resolver *resolver, const struct row *row)
{
	const struct capability *capability = capability_find(row->subject);
	bool numbers = capability->number_calls[0] != NULL, arguments = capability->argument_calls[0] != NULL;
	if (numbers && !arguments)
		return;
	struct diags *diags = resolver_diags(resolver);
	struct diagnostic *d;
	if (arguments)
		d = diag_report(diags, DIAG_CAPABILITY_UNSEEN, row->span,
				"%s is gated by the arguments of %s, which the filter does not see%s", capability->name,
				call_list(resolver->compilation->arena, capability->argument_calls),
				numbers ? "; its other calls are denied" : "");
	else
		d = diag_report(diags, DIAG_CAPABILITY_UNSEEN, row->span,
				"no system call is denied for %s: a filter on system calls cannot see it",
				capability->name);
	if (*capability->note)
		diag_note(d, (struct span){ 0 }, "%s", capability->note);
	diag_help(d, "it is enforced where processes are started without it: --emit +json lists it in "
		     "'dropCapabilities'");
}

void policy_warn(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->row_count; i++) {
		const struct row *row = resolver->rows[i];
		warn_expired(resolver, row);
		if (is_command(row)) {
			warn_spelling(resolver, row);
			warn_prefix_forbid(resolver, row);
		}
		if (row->kind == SUBJECT_CAPABILITY && !row->broken)
			warn_unseen(resolver, row);
	}
	for (size_t i = 0; i < resolver->block_count; i++) {
		const struct block_work *work = resolver->blocks[i];
		for (size_t r = 0; r < work->block.row_count; r++) {
			warn_expired(resolver, work->rows[r]);
			if (is_command(work->rows[r]))
				warn_prefix_forbid(resolver, work->rows[r]);
		}
	}
	warn_blocks(resolver);
}
