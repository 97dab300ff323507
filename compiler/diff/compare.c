#include "compiler/diff/compare.h"

#include <string.h>

#include "compiler/diff/comparer.h"

unsigned span_line(struct span span)
{
	return span.source ? source_position(span.source, span.begin).line : 0;
}

struct change *change_add(struct comparer *comparer, enum change_class class, char sign,
			  const struct row *row)
{
	struct compared *comparison = comparer->comparison;
	comparison->changes = arena_grow(comparer->arena, comparison->changes, comparison->change_count,
					 &comparer->change_capacity, sizeof *comparison->changes);
	struct change *change = &comparison->changes[comparison->change_count++];
	*change = (struct change){ .class = class, .sign = sign, .what = "", .subject = "" };
	if (!row)
		return change;
	change->row = row;
	change->what = verb_word(row->verb);
	change->subject = row->kind == SUBJECT_SYSCALL
				  ? arena_printf(comparer->arena, "syscall %s", row->subject)
				  : row->subject;
	change->layer = row->layer;
	change->line = span_line(row->span);
	change->record = record_of(comparer, row);
	if (change->record)
		change->record->change_count++;
	return change;
}

const char *row_says(struct comparer *comparer, const struct row *row)
{
	return arena_printf(comparer->arena, "%s is %s (%s:%u)", row->subject,
			    row->verb == VERB_ALLOW ? "allowed" : "forbidden", row->layer->file,
			    span_line(row->span));
}

/* ---- rows by what they are about ---- */

struct row_set row_set_make(struct arena *arena, const struct row *const *rows, size_t count)
{
	struct row_set set;
	for (size_t declines = 0; declines < 2; declines++)
		for (size_t kind = 0; kind < 3; kind++)
			set.rows[declines][kind] = map_new(arena, 0);
	map_reserve(set.rows[0][SUBJECT_COMMAND], count);
	for (size_t i = 0; i < count; i++)
		*map_at(set.rows[rows[i]->verb == VERB_DECLINE][rows[i]->kind], rows[i]->subject,
			strlen(rows[i]->subject)) = (void *)rows[i];
	return set;
}

const struct row *row_set_find(const struct row_set *set, const struct row *like)
{
	return map_value(set->rows[like->verb == VERB_DECLINE][like->kind], like->subject,
			 strlen(like->subject));
}

/* ---- the whole ---- */

const struct compared *policies_compare(struct compilation *compilation, const struct policy *old,
					const struct policy *now)
{
	struct arena *arena = compilation->arena;
	struct compared *comparison = arena_alloc(arena, sizeof *comparison);
	comparison->old = old;
	comparison->now = now;
	struct comparer comparer = {
		.compilation = compilation,
		.arena = arena,
		.old = old,
		.now = now,
		.comparison = comparison,
		.before = row_set_make(arena, old->rows, old->row_count),
		.after = row_set_make(arena, now->rows, now->row_count),
		.records = map_new(arena, 0),
		.numbers = map_new(arena, 0),
		.marks = call_marks_new(arena),
	};
	authorities_collect(&comparer);
	records_collect(&comparer);
	calls_compare(&comparer);
	records_compare(&comparer);
	rows_compare(&comparer);
	blocks_compare(&comparer);
	guards_compare(&comparer);
	format_compare(&comparer);
	unsaved_collect(&comparer);
	return comparison;
}
