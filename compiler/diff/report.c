#include "compiler/diff/report.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"

/* ---- the verdict ---- */

static const char *kept(struct arena *arena, struct strbuf *text)
{
	const char *copy = arena_copy(arena, text->bytes, text->size);
	strbuf_release(text);
	return copy;
}

static void separate(struct strbuf *out)
{
	strbuf_add_text(out, out->size ? " · " : "");
}

static void add_amounts(struct strbuf *out, struct axis_verdict verdict)
{
	if (verdict.more)
		strbuf_printf(out, " +%zu", verdict.more);
	if (verdict.less)
		strbuf_printf(out, " -%zu", verdict.less);
}

/* "(role probe)", "(1 in role probe)": where the difference lies, when it is not everyone's. */
static void add_where(struct strbuf *out, const struct compared *comparison)
{
	struct axis_verdict all = comparison->axes[AXIS_COMMANDS], everyone = comparison->everyone;
	if (!comparison->narrowed_in)
		return;
	strbuf_add_text(out, " (");
	if (everyone.more || everyone.less)
		strbuf_printf(out, "%zu in ", all.more + all.less - everyone.more - everyone.less);
	strbuf_add_text(out, comparison->narrowed_in);
	if (comparison->narrowed_count > NARROWED_SHOWN)
		strbuf_printf(out, " and %zu more", comparison->narrowed_count - NARROWED_SHOWN);
	strbuf_add_char(out, ')');
}

static void add_axis(struct strbuf *out, const struct compared *comparison, enum axis axis)
{
	struct axis_verdict verdict = comparison->axes[axis];
	if (!verdict.more && !verdict.less)
		return;
	separate(out);
	strbuf_add_text(out, axis_name(axis));
	if (axis != AXIS_GUARDS && axis != AXIS_EXPECTATIONS)
		strbuf_printf(out, " %s", axis_relation(verdict));
	add_amounts(out, verdict);
	if (axis == AXIS_COMMANDS)
		add_where(out, comparison);
}

static void add_count(struct strbuf *out, size_t count, const char *word, const char **before)
{
	if (!count)
		return;
	strbuf_printf(out, "%s%zu %s", *before, count, word);
	*before = ", ";
}

/* "ADRs: 1 superseded, 1 new" */
static void add_records(struct arena *arena, struct strbuf *out, const struct compared *comparison)
{
	size_t changed[ADR_STATUS_COUNT + 1] = { 0 }, amended = 0, new_here = 0;
	for (size_t i = 0; i < comparison->record_count; i++) {
		const struct record *record = comparison->records[i];
		size_t status = record->now ? (size_t)record->now->status : ADR_STATUS_COUNT;
		changed[status] += record->status_changed;
		amended += record->text_changed;
		new_here += record->new_here;
	}
	struct strbuf counts = STRBUF_INIT;
	const char *before = "";
	for (size_t i = 0; i < ADR_STATUS_COUNT; i++)
		add_count(&counts, changed[i], adr_status_word((enum adr_status)i), &before);
	add_count(&counts, changed[ADR_STATUS_COUNT], "gone", &before);
	add_count(&counts, amended, "amended", &before);
	add_count(&counts, new_here, "new", &before);
	const char *text = kept(arena, &counts);
	if (!*text)
		return;
	separate(out);
	strbuf_printf(out, "ADRs: %s", text);
}

static bool trust_changed(const struct compared *comparison)
{
	for (size_t i = 0; i < comparison->change_count; i++)
		if (comparison->changes[i].class == CHANGE_TRUST_CHANGED)
			return true;
	return false;
}

const char *report_verdict(struct arena *arena, const struct compared *comparison)
{
	struct strbuf text = STRBUF_INIT;
	if (comparison_is_equivalent(comparison))
		strbuf_add_text(&text, "equivalent");
	for (size_t i = 0; i < AXIS_COUNT; i++)
		add_axis(&text, comparison, (enum axis)i);
	add_records(arena, &text, comparison);
	if (trust_changed(comparison)) {
		separate(&text);
		strbuf_add_text(&text, "trust changed");
	}
	return kept(arena, &text);
}

/* ---- groups ---- */

/* `accepted 2026-05-19`, `accepted -> superseded by phase2/0011 (accepted 2026-05-17)` */
static void add_status(struct strbuf *out, const struct record *record)
{
	bool in_new = record->cited_now || record->now || record->status_changed;
	const struct adr *adr = in_new ? record->now : record->old;
	const char *status = in_new ? record->status_now : record->status_old;
	if (record->status_changed)
		strbuf_printf(out, "%s -> ", record->status_old);
	strbuf_add_text(out, status);
	if (record->successor)
		strbuf_printf(out, " by %s", record->successor);
	else if (adr && adr->date)
		strbuf_printf(out, " %s", adr->date);
	if (record->text_changed)
		strbuf_add_text(out, ", amended");
	if (record->new_here)
		strbuf_add_text(out, ", new here");
}

static const char *record_heading(struct arena *arena, const struct record *record)
{
	struct strbuf text = STRBUF_INIT;
	const struct adr *adr = record->now ? record->now : record->old;
	strbuf_add_text(&text, record->text);
	if (adr && *adr->title)
		strbuf_printf(&text, " \"%s\"", adr->title);
	strbuf_add_text(&text, "  ");
	add_status(&text, record);
	return kept(arena, &text);
}

static const char *effect_of(enum change_class class)
{
	switch (class) {
	case CHANGE_ALLOW_ADDED:
	case CHANGE_FORBID_TO_ALLOW:
	case CHANGE_SCOPE_WIDENED:
	case CHANGE_CAPABILITY_RELEASED:
	case CHANGE_SYSCALL_RELEASED:
	case CHANGE_SYSCALL_ALLOWED:
		return "allows more";
	case CHANGE_ALLOW_REMOVED:
	case CHANGE_ALLOW_TO_FORBID:
	case CHANGE_SCOPE_NARROWED:
	case CHANGE_CAPABILITY_FORBIDDEN:
	case CHANGE_SYSCALL_FORBIDDEN:
	case CHANGE_SYSCALL_WITHDRAWN:
		return "allows less";
	case CHANGE_FORBID_ADDED:
	case CHANGE_FORBID_REMOVED:
	case CHANGE_GUARD_ADDED:
	case CHANGE_GUARD_REMOVED:
		return "guards";
	case CHANGE_ADR_CHANGED:
	case CHANGE_ADR_STATUS_CHANGED:
	case CHANGE_ADR_TEXT_CHANGED:
	case CHANGE_TRUST_CHANGED:
		return "authority";
	default:
		return "other";
	}
}

static struct report_group *group_of(struct arena *arena, const struct report *report,
				     const struct change *change, struct map *known,
				     struct report_group *groups, size_t *count)
{
	bool by_adr = report->order == REPORT_BY_ADR;
	const char *key = !by_adr ? effect_of(change->class) : change->record ? change->record->text : "";
	void **place = map_at(known, key, strlen(key));
	if (!*place) {
		struct report_group *group = &groups[(*count)++];
		group->record = by_adr ? change->record : NULL;
		group->heading = !by_adr          ? key
				 : change->record ? record_heading(arena, change->record)
						  : "no ADR";
		*place = group;
	}
	return *place;
}

static void group_add(struct arena *arena, struct report_group *group, const struct change *change)
{
	group->changes =
		arena_grow(arena, group->changes, group->count, &group->capacity, sizeof *group->changes);
	group->changes[group->count++] = change;
}

static bool rewrites_any(const struct report *report, const struct change *change)
{
	for (size_t i = 0; i < report->file_count; i++)
		for (size_t k = 0; k < report->files[i].count; k++)
			if (report->files[i].changes[k] == change)
				return true;
	return false;
}

/* "phase7.h  rewritten", "phase7.py  rewritten, by the order of rows" */
static const char *file_heading(struct arena *arena, const struct report *report,
				const struct rewritten_file *file)
{
	const char *by = file->count || report->files_note ? ""
			 : report->comparison->format      ? ", by where rows stand"
							   : ", by no change alone";
	return arena_printf(arena, "%s  %s%s", file->path, file->fate, by);
}

/*
 * The files, each with its changes, and what rewrites none; OLD's are written under NEW's name, so that
 * another name stands apart. A change may stand under several.
 */
static struct report_group *groups_of_files(struct arena *arena, const struct report *report, size_t *count)
{
	const struct compared *comparison = report->comparison;
	struct report_group *groups = arena_array(arena, report->file_count + 2, sizeof *groups);
	for (*count = 0; *count < report->file_count; ++*count) {
		struct rewritten_file *file = &report->files[*count];
		groups[*count] = (struct report_group){
			.heading = file_heading(arena, report, file),
			.changes = file->changes,
			.count = file->count,
		};
	}
	const char *rest = report->files_note ? report->files_note : "no artifact";
	for (int names = 0; names < 2; names++) {
		struct report_group *group = &groups[*count];
		group->heading = names ? "every artifact, which has another name" : rest;
		for (size_t i = 0; i < comparison->change_count; i++)
			if (!rewrites_any(report, &comparison->changes[i]) &&
			    (comparison->changes[i].class == CHANGE_NAME_CHANGED) == (names == 1))
				group_add(arena, group, &comparison->changes[i]);
		*count += group->count > 0;
	}
	return groups;
}

/* In the order of their first changes; what no ADR decides comes last. */
struct report_group *report_groups(struct arena *arena, const struct report *report, size_t *count)
{
	const struct compared *comparison = report->comparison;
	if (report->order == REPORT_BY_ARTIFACT)
		return groups_of_files(arena, report, count);
	struct report_group *groups = arena_array(arena, comparison->change_count + 1, sizeof *groups);
	struct map *known = map_new(arena, 0);
	*count = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < comparison->change_count; i++) {
			const struct change *change = &comparison->changes[i];
			if ((change->record == NULL) != (pass == 1))
				continue;
			struct report_group *group = group_of(arena, report, change, known, groups, count);
			if (change->sign == '~' && change->line == 0 && change->record &&
			    group->record == change->record && !*change->what)
				continue; /* the heading says it */
			group_add(arena, group, change);
		}
	}
	return groups;
}

/* ---- lines ---- */

const char *report_cell(struct arena *arena, const struct change *change)
{
	if (!*change->what || change->sign == '!')
		return change->subject;
	return arena_printf(arena, "%-6s %s", change->what, change->subject);
}

const char *report_place(struct arena *arena, const struct change *change)
{
	return change->layer ? arena_printf(arena, "%s:%u", change->layer->file, change->line) : "";
}
