/* Rows of the layers: what came, what went, what changed its mind. */
#include <string.h>

#include "compiler/diff/comparer.h"
#include "compiler/policy/match.h"

/* ---- classes ---- */

static enum change_class class_added(const struct row *row)
{
	if (row->verb == VERB_DECLINE)
		return CHANGE_DECLINED;
	if (row->kind == SUBJECT_CAPABILITY)
		return CHANGE_CAPABILITY_FORBIDDEN;
	if (row->kind == SUBJECT_SYSCALL)
		return row->verb == VERB_ALLOW ? CHANGE_SYSCALL_ALLOWED : CHANGE_SYSCALL_FORBIDDEN;
	return row->verb == VERB_ALLOW ? CHANGE_ALLOW_ADDED : CHANGE_FORBID_ADDED;
}

static enum change_class class_removed(const struct row *row)
{
	if (row->verb == VERB_DECLINE)
		return CHANGE_DECLINED;
	if (row->kind == SUBJECT_CAPABILITY)
		return CHANGE_CAPABILITY_RELEASED;
	if (row->kind == SUBJECT_SYSCALL)
		return row->verb == VERB_ALLOW ? CHANGE_SYSCALL_WITHDRAWN : CHANGE_SYSCALL_RELEASED;
	return row->verb == VERB_ALLOW ? CHANGE_ALLOW_REMOVED : CHANGE_FORBID_REMOVED;
}

/* ---- system calls of a row ---- */

static void calls_pick(const struct call_reference *calls, size_t count, const bool *marks, bool *picked)
{
	for (size_t i = 0; i < count; i++)
		picked[calls[i].call - syscall_table] |= marks[calls[i].call - syscall_table];
}

const char *row_calls(struct comparer *comparer, const struct row *row, const bool *marks)
{
	bool *picked = arena_array(comparer->arena, syscall_table_size, sizeof *picked);
	calls_pick(row->calls, row->call_count, marks, picked);
	for (size_t i = 0; i < row_more(row)->need_count; i++)
		calls_pick(row_more(row)->needs[i].calls, row_more(row)->needs[i].call_count, marks, picked);
	const struct capability *capability =
		row->kind == SUBJECT_CAPABILITY ? capability_find(row->subject) : NULL;
	for (size_t i = 0; capability && capability->number_calls[i]; i++) {
		const struct call_reference call = { .call = syscall_find(capability->number_calls[i]) };
		calls_pick(&call, call.call ? 1 : 0, marks, picked);
	}
	const char *text = calls_text(comparer->arena, picked);
	return *text ? text : NULL;
}

/* Whether each call that it names has a condition: then only some arguments are meant. */
static bool row_is_conditional(const struct row *row)
{
	for (size_t i = 0; i < row->call_count; i++)
		if (!row->calls[i].condition)
			return false;
	return row->call_count > 0;
}

static const char *kernel_note(struct comparer *comparer, const struct row *row, bool added)
{
	bool denies = row->verb == VERB_FORBID;
	bool narrows = denies == added;
	const bool *wider = comparer->marks.wider, *narrower = comparer->marks.narrower;
	const char *calls = row_calls(comparer, row, narrows ? narrower : wider);
	/* A denial may be softer than what the default gives. */
	const char *others = calls ? NULL : row_calls(comparer, row, narrows ? wider : narrower);
	if (others)
		return arena_printf(comparer->arena, "may do %s: %s", narrows ? "more" : "less", others);
	if (!calls)
		return added ? "no new power: no system call's fate differs"
			     : "no system call's fate differs";
	const char *says = denies ? (added ? "denies" : "no longer denies")
				  : (added ? "lets pass" : "no longer lets pass");
	return arena_printf(comparer->arena, "%s %s%s", says, row_is_conditional(row) ? "some of " : "",
			    calls);
}

/* ---- commands ---- */

/* The row of NEW that decides the command without `row` itself: a shorter one. */
static const struct row *shorter_match(struct comparer *comparer, const struct policy *policy,
				       const char *command)
{
	size_t size = strlen(command);
	while (size && command[size - 1] != ' ')
		size--;
	return size ? policy_match(policy, arena_copy(comparer->arena, command, size - 1)) : NULL;
}

static const char *added_note(struct comparer *comparer, const struct row *row)
{
	const struct row *before = policy_match(comparer->old, row->subject);
	const struct row *beside = before ? shorter_match(comparer, comparer->now, row->subject) : NULL;
	if (beside && beside->verb == row->verb && before->verb == row->verb)
		return arena_printf(comparer->arena, "no new power: %s", row_says(comparer, beside));
	if (before)
		return arena_printf(comparer->arena, "before, %s", row_says(comparer, before));
	return row->verb == VERB_FORBID ? "was unlisted; now guarded" : NULL;
}

static const char *removed_note(struct comparer *comparer, const struct row *row)
{
	const struct row *after = policy_match(comparer->now, row->subject);
	if (after && after->verb == row->verb)
		return arena_printf(comparer->arena, "no power of its own: %s", row_says(comparer, after));
	if (after)
		return arena_printf(comparer->arena, "now %s", row_says(comparer, after));
	return row->verb == VERB_FORBID ? "now unlisted, and guarded no longer" : NULL;
}

/* Whether a row about capabilities or calls denies it too: then that row's line says so. */
static bool denied_by_name(const struct policy *policy, const struct syscall_entry *call)
{
	const struct seccomp *seccomp = &policy->seccomp;
	for (size_t i = call_rules_begin(seccomp->denied, seccomp->denied_count, call);
	     i < seccomp->denied_count && seccomp->denied[i].call == call; i++)
		if (seccomp->denied[i].row->kind != SUBJECT_COMMAND)
			return true;
	return false;
}

/* Of a forbidden command's `needs`: those that the filter refuses for it alone, as it did not before. */
static const char *with_needs(struct comparer *comparer, const struct row *row, bool added, const char *note)
{
	if (!row_more(row)->need_count || row->verb != VERB_FORBID)
		return note;
	const bool *marks = added ? comparer->marks.narrower : comparer->marks.wider;
	bool *alone = arena_array(comparer->arena, syscall_table_size, sizeof *alone);
	for (size_t i = 0; i < syscall_table_size; i++)
		alone[i] =
			marks[i] && !denied_by_name(added ? comparer->now : comparer->old, &syscall_table[i]);
	const char *calls = row_calls(comparer, row, alone);
	if (!calls)
		return note;
	return arena_printf(comparer->arena, "%s%s%s %s", note ? note : "", note ? "; " : "",
			    added ? "denies" : "no longer denies", calls);
}

/* With the program that runs, where that is not the subject: by `as` or `path`. */
static const char *with_programs(struct comparer *comparer, const struct row *row, const char *note)
{
	struct arena *arena = comparer->arena;
	if (!row_spelling_is_own(row))
		note = arena_printf(arena, "%s%sas %s", note ? note : "", note ? "; " : "", row->spelling);
	if (row_more(row)->path_count)
		note = arena_printf(arena, "%s%spath %s", note ? note : "", note ? "; " : "",
				    paths_text(arena, row));
	return note;
}

static const char *row_note(struct comparer *comparer, const struct row *row, bool added)
{
	if (row->verb == VERB_DECLINE)
		return "decides nothing";
	if (row->kind != SUBJECT_COMMAND)
		return kernel_note(comparer, row, added);
	if (!added)
		return with_needs(comparer, row, false, removed_note(comparer, row));
	return with_needs(comparer, row, true, with_programs(comparer, row, added_note(comparer, row)));
}

static void row_added(struct comparer *comparer, const struct row *row)
{
	struct change *change = change_add(comparer, class_added(row), '+', row);
	change->note = row_note(comparer, row, true);
}

/* Decided by the ADR of the `revoke`, where there is one. */
static void row_removed(struct comparer *comparer, const struct row *row, const struct row *revoke)
{
	struct change *change = change_add(comparer, class_removed(row), '-', row);
	change->in_old = true;
	change->note = row_note(comparer, row, false);
	change->revoke = revoke;
	if (!revoke)
		return;
	if (change->record)
		change->record->change_count--;
	change->record = record_of(comparer, revoke);
	if (change->record)
		change->record->change_count++;
	change->note = arena_printf(comparer->arena, "revoked (%s:%u)%s%s", revoke->layer->file,
				    span_line(revoke->span), change->note ? "; " : "",
				    change->note ? change->note : "");
}

static void row_turned(struct comparer *comparer, const struct row *old, const struct row *now)
{
	bool allowed = now->verb == VERB_ALLOW;
	enum change_class class = now->kind == SUBJECT_COMMAND
					  ? (allowed ? CHANGE_FORBID_TO_ALLOW : CHANGE_ALLOW_TO_FORBID)
					  : class_added(now);
	struct change *change = change_add(comparer, class, '+', now);
	change->before = old;
	change->note =
		arena_printf(comparer->arena, "was %s (%s:%u)%s%s", allowed ? "forbidden" : "allowed",
			     old->layer->file, span_line(old->span), old->citation_count ? ", by " : "",
			     old->citation_count ? old->citations[0].text : "");
	if (now->kind == SUBJECT_COMMAND)
		change->note = with_needs(comparer, now, true, with_programs(comparer, now, change->note));
}

/* ---- the axis of commands ---- */

static void cell_count(struct comparer *comparer, const char *command)
{
	bool before = policy_verdict(comparer->old, command) == VERDICT_ALLOWED;
	bool after = policy_verdict(comparer->now, command) == VERDICT_ALLOWED;
	comparer->comparison->everyone.more += after && !before;
	comparer->comparison->everyone.less += before && !after;
}

static bool decides_command(const struct row *row)
{
	return row->kind == SUBJECT_COMMAND && row->verb != VERB_DECLINE;
}

/* Each command of either side once. */
static void cells_count(struct comparer *comparer)
{
	const struct policy *old = comparer->old, *now = comparer->now;
	for (size_t i = 0; i < now->row_count; i++)
		if (decides_command(now->rows[i]))
			cell_count(comparer, now->rows[i]->subject);
	for (size_t i = 0; i < old->row_count; i++)
		if (decides_command(old->rows[i]) && !policy_find(now, old->rows[i]->subject))
			cell_count(comparer, old->rows[i]->subject);
	comparer->comparison->axes[AXIS_COMMANDS] = comparer->comparison->everyone;
}

/* ---- the axes of capabilities and guards ---- */

static bool forbids_capability(const struct row *row)
{
	return row && row->verb == VERB_FORBID && row->kind == SUBJECT_CAPABILITY && row_is_for_linux(row);
}

static bool forbids(const struct row *row)
{
	return row && row->verb == VERB_FORBID;
}

/* Either may be NULL: not there. */
static void axes_count(struct comparer *comparer, const struct row *old, const struct row *now)
{
	struct axis_verdict *axes = comparer->comparison->axes;
	axes[AXIS_CAPABILITIES].more += forbids_capability(old) && !forbids_capability(now);
	axes[AXIS_CAPABILITIES].less += forbids_capability(now) && !forbids_capability(old);
	axes[AXIS_GUARDS].more += forbids(now) && !forbids(old);
	axes[AXIS_GUARDS].less += forbids(old) && !forbids(now);
}

/* ---- all rows ---- */

/* What took a row of OLD back, if it was taken back and not deleted. */
struct revoked {
	struct row_set rows;
	struct map *revokes; /* by the pointer to the row */
};

static struct revoked revoked_collect(struct comparer *comparer)
{
	const struct policy *now = comparer->now;
	struct map *revokes = map_new(comparer->arena, 0);
	const struct row **rows = arena_array(comparer->arena, now->revocation_count, sizeof *rows);
	for (size_t i = 0; i < now->revocation_count; i++) {
		const struct revocation *revocation = &now->revocations[i];
		rows[i] = revocation->row;
		*map_at(revokes, (const char *)&revocation->row, sizeof revocation->row) =
			(void *)revocation->revoke;
	}
	return (struct revoked){ row_set_make(comparer->arena, rows, now->revocation_count), revokes };
}

static const struct row *revoke_find(const struct revoked *revoked, const struct row *row)
{
	const struct row *found = row_set_find(&revoked->rows, row);
	return found ? map_value(revoked->revokes, (const char *)&found, sizeof found) : NULL;
}

static void row_pair(struct comparer *comparer, const struct row *old, const struct row *now)
{
	axes_count(comparer, old, now);
	if (!old) {
		row_added(comparer, now);
	} else if (old->verb != now->verb) {
		row_turned(comparer, old, now);
	} else {
		attributes_compare(comparer, old, now, &comparer->comparison->everyone);
	}
}

void rows_compare(struct comparer *comparer)
{
	const struct policy *old = comparer->old, *now = comparer->now;
	struct revoked revoked = revoked_collect(comparer);
	for (size_t i = 0; i < now->row_count; i++)
		row_pair(comparer, row_set_find(&comparer->before, now->rows[i]), now->rows[i]);
	for (size_t i = 0; i < old->row_count; i++) {
		if (row_set_find(&comparer->after, old->rows[i]))
			continue;
		axes_count(comparer, old->rows[i], NULL);
		row_removed(comparer, old->rows[i], revoke_find(&revoked, old->rows[i]));
	}
	cells_count(comparer);
}
