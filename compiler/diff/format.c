/* What differs although no decision does: rows that moved, another order, layout and comments. */
#include <string.h>

#include "compiler/diff/comparer.h"

static bool moved(const struct row *old, const struct row *now)
{
	return strcmp(old->layer->name, now->layer->name) != 0;
}

/* "rg moved phase3.allow:4 -> phase2.allow:9 and 3 more moved"; NULL where none did. */
static const char *moves_text(struct comparer *comparer)
{
	const struct row *first_old = NULL, *first_now = NULL;
	size_t count = 0;
	for (size_t i = 0; i < comparer->now->row_count; i++) {
		const struct row *now = comparer->now->rows[i], *old = row_set_find(&comparer->before, now);
		if (!old || !moved(old, now))
			continue;
		if (!count++) {
			first_old = old;
			first_now = now;
		}
	}
	if (!count)
		return NULL;
	const char *text = arena_printf(comparer->arena, "%s moved %s:%u -> %s:%u", first_now->subject,
					first_old->layer->file, span_line(first_old->span),
					first_now->layer->file, span_line(first_now->span));
	return count == 1 ? text : arena_printf(comparer->arena, "%s, and %zu more", text, count - 1);
}

/* The next row from `*at` on that the other side has too, in the same layer; NULL at the end. */
static const struct row *next_common(const struct policy *policy, const struct row_set *other, size_t *at)
{
	while (*at < policy->row_count) {
		const struct row *row = policy->rows[(*at)++], *same = row_set_find(other, row);
		if (same && !moved(same, row))
			return row;
	}
	return NULL;
}

static bool reordered(const struct comparer *comparer)
{
	size_t old_at = 0, now_at = 0;
	for (;;) {
		const struct row *old = next_common(comparer->old, &comparer->after, &old_at);
		const struct row *now = next_common(comparer->now, &comparer->before, &now_at);
		if (!old || !now)
			return false;
		if (strcmp(old->subject, now->subject) != 0)
			return true;
	}
}

static bool texts_differ(const struct policy *old, const struct policy *now)
{
	if (old->saved || now->saved)
		return false; /* not known */
	if (old->layer_count != now->layer_count)
		return true;
	for (size_t i = 0; i < old->layer_count; i++) {
		const struct source *a = old->layers[i].source, *b = now->layers[i].source;
		if (a->size != b->size || memcmp(a->text, b->text, a->size) != 0)
			return true;
	}
	return false;
}

void format_compare(struct comparer *comparer)
{
	struct compared *comparison = comparer->comparison;
	const char *text = moves_text(comparer);
	if (reordered(comparer))
		text = text ? arena_printf(comparer->arena, "%s; rows stand in another order", text)
			    : "rows stand in another order";
	if (!text && !comparison->change_count && texts_differ(comparer->old, comparer->now))
		text = "layout and comments alone differ";
	comparison->format = text;
}
