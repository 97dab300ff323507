/* What differs although no decision does: rows that moved, another order, layout and comments. */
#include <string.h>

#include "compiler/diff/comparer.h"

static bool is_compiled(const struct policy *policy, const struct layer *layer)
{
	return layer->index + 1 == policy->layer_count;
}

/* Whether it is one layer, though it may have another name: no other layer has either name. */
static bool same_layer(const struct comparer *comparer, const struct layer *old, const struct layer *now)
{
	if (strcmp(old->name, now->name) == 0)
		return true;
	if (policy_has_layer(comparer->now, old->name) || policy_has_layer(comparer->old, now->name))
		return false;
	return strcmp(old->file, now->file) == 0 ||
	       (is_compiled(comparer->old, old) && is_compiled(comparer->now, now));
}

static bool moved(const struct comparer *comparer, const struct row *old, const struct row *now)
{
	return !same_layer(comparer, old->layer, now->layer);
}

/* "rg moved phase3.allow:4 -> phase2.allow:9 and 3 more moved"; NULL where none did. */
static const char *moves_text(struct comparer *comparer)
{
	const struct row *first_old = NULL, *first_now = NULL;
	size_t count = 0;
	for (size_t i = 0; i < comparer->now->row_count; i++) {
		const struct row *now = comparer->now->rows[i], *old = row_set_find(&comparer->before, now);
		if (!old || !moved(comparer, old, now))
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
static const struct row *next_common(const struct comparer *comparer, bool of_old, size_t *at)
{
	const struct policy *policy = of_old ? comparer->old : comparer->now;
	const struct row_set *other = of_old ? &comparer->after : &comparer->before;
	while (*at < policy->row_count) {
		const struct row *row = policy->rows[(*at)++], *same = row_set_find(other, row);
		if (same && !moved(comparer, of_old ? row : same, of_old ? same : row))
			return row;
	}
	return NULL;
}

static bool reordered(const struct comparer *comparer)
{
	size_t old_at = 0, now_at = 0;
	for (;;) {
		const struct row *old = next_common(comparer, true, &old_at);
		const struct row *now = next_common(comparer, false, &now_at);
		if (!old || !now)
			return false;
		if (strcmp(old->subject, now->subject) != 0)
			return true;
	}
}

/* By their names. */
static bool layers_differ(const struct policy *old, const struct policy *now)
{
	if (old->layer_count != now->layer_count)
		return true;
	for (size_t i = 0; i < old->layer_count; i++)
		if (strcmp(old->layers[i].name, now->layers[i].name) != 0)
			return true;
	return false;
}

/* Of the same layers. */
static bool texts_differ(const struct policy *old, const struct policy *now)
{
	if (old->saved || now->saved)
		return false; /* not known */
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
	if (!text && !comparison->change_count)
		text = layers_differ(comparer->old, comparer->now)
			       ? "the layers are others, or have other names"
		       : texts_differ(comparer->old, comparer->now) ? "layout and comments alone differ"
								    : NULL;
	comparison->format = text;
}
