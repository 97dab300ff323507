#include "compiler/difference.h"

#include <stdbool.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"

enum { CONTEXT = 3, MOST_EDITS = 1000 };

struct line {
	const char *bytes;
	size_t size; /* with its line feed; only the last line may have none */
};

struct lines {
	struct line *items;
	size_t count;
	bool *changed; /* removed from the old, added in the new */
};

static struct lines lines_split(struct arena *arena, const struct difference_side *side)
{
	size_t capacity = 1;
	struct lines lines = { .items = arena_array(arena, capacity, sizeof *lines.items) };
	for (const char *at = side->bytes, *end = at + side->size; at < end;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t size = stop ? (size_t)(stop - at) + 1 : (size_t)(end - at);
		lines.items = arena_grow(arena, lines.items, lines.count, &capacity, sizeof *lines.items);
		lines.items[lines.count++] = (struct line){ at, size };
		at += size;
	}
	lines.changed = arena_array(arena, lines.count + 1, sizeof *lines.changed);
	return lines;
}

static bool line_equal(const struct line *a, const struct line *b)
{
	return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* ---- the edit script: Myers, "An O(ND) Difference Algorithm" (1986) ---- */

/* The lines between a common beginning and a common end. */
struct middle {
	struct line *old, *new;
	bool *old_changed, *new_changed;
	ptrdiff_t old_count, new_count;
};

static struct middle middle_of(const struct lines *old, const struct lines *new)
{
	size_t begin = 0, end = 0;
	size_t shorter = old->count < new->count ? old->count : new->count;
	while (begin < shorter && line_equal(&old->items[begin], &new->items[begin]))
		begin++;
	while (end < shorter - begin &&
	       line_equal(&old->items[old->count - 1 - end], &new->items[new->count - 1 - end]))
		end++;
	return (struct middle){
		.old = old->items + begin,
		.new = new->items + begin,
		.old_changed = old->changed + begin,
		.new_changed = new->changed + begin,
		.old_count = (ptrdiff_t)(old->count - begin - end),
		.new_count = (ptrdiff_t)(new->count - begin - end),
	};
}

/* How far each diagonal was followed: reach[k] is a number of old lines, for k = old - new. */
static bool comes_from_above(const ptrdiff_t *reach, ptrdiff_t k, ptrdiff_t edits)
{
	return k == -edits || (k != edits && reach[k - 1] < reach[k + 1]);
}

/* Follows every diagonal one edit further. True when the end of both texts is reached. */
static bool reach_further(const struct middle *middle, ptrdiff_t *reach, ptrdiff_t edits)
{
	for (ptrdiff_t k = -edits; k <= edits; k += 2) {
		if (k < -middle->new_count || k > middle->old_count)
			continue;
		ptrdiff_t x = comes_from_above(reach, k, edits) ? reach[k + 1] : reach[k - 1] + 1;
		ptrdiff_t y = x - k;
		while (x < middle->old_count && y < middle->new_count &&
		       line_equal(&middle->old[x], &middle->new[y])) {
			x++;
			y++;
		}
		reach[k] = x;
		if (x >= middle->old_count && y >= middle->new_count)
			return true;
	}
	return false;
}

/* Marks the edits on the way back from the end; history[d] is what `reach` was before edit d. */
static void edits_mark(const struct middle *middle, ptrdiff_t *const *history, ptrdiff_t edits)
{
	ptrdiff_t x = middle->old_count, y = middle->new_count;
	for (; edits > 0; edits--) {
		const ptrdiff_t *reach = history[edits];
		bool added = comes_from_above(reach, x - y, edits);
		ptrdiff_t k = added ? x - y + 1 : x - y - 1;
		x = reach[k];
		y = x - k;
		if (added)
			middle->new_changed[y] = true;
		else
			middle->old_changed[x] = true;
	}
}

static ptrdiff_t *reach_new(struct arena *arena, ptrdiff_t edits)
{
	size_t half = (size_t)edits + 1;
	ptrdiff_t *reach = arena_array(arena, 2 * half + 1, sizeof *reach);
	return reach + half;
}

static void middle_replace(const struct middle *middle)
{
	memset(middle->old_changed, true, (size_t)middle->old_count);
	memset(middle->new_changed, true, (size_t)middle->new_count);
}

static void middle_compare(struct arena *arena, const struct middle *middle)
{
	if (!middle->old_count || !middle->new_count) {
		middle_replace(middle);
		return;
	}
	ptrdiff_t *history[MOST_EDITS + 1];
	ptrdiff_t *reach = reach_new(arena, MOST_EDITS);
	for (ptrdiff_t k = -MOST_EDITS - 1; k <= MOST_EDITS + 1; k++)
		reach[k] = -1;
	reach[1] = 0;
	for (ptrdiff_t edits = 0; edits <= MOST_EDITS; edits++) {
		history[edits] = reach_new(arena, edits);
		memcpy(history[edits] - edits - 1, reach - edits - 1,
		       (2 * (size_t)edits + 3) * sizeof *reach);
		if (reach_further(middle, reach, edits)) {
			edits_mark(middle, history, edits);
			return;
		}
	}
	middle_replace(middle);
}

/* ---- hunks ---- */

/* Where both texts are read: the numbers of lines before. */
struct cursor {
	size_t old, new;
};

static bool at_change(const struct lines *old, const struct lines *new, struct cursor at)
{
	return (at.old < old->count && old->changed[at.old]) || (at.new < new->count &&new->changed[at.new]);
}

static struct cursor change_end(const struct lines *old, const struct lines *new, struct cursor at)
{
	while (at.old < old->count && old->changed[at.old])
		at.old++;
	while (at.new < new->count &&new->changed[at.new])
		at.new ++;
	return at;
}

/* The end of the hunk whose first change is at `at`: changes fewer than two contexts apart are one. */
static struct cursor hunk_end(const struct lines *old, const struct lines *new, struct cursor at)
{
	for (;;) {
		at = change_end(old, new, at);
		size_t equal = 0;
		while (equal <= 2 * CONTEXT && at.old + equal < old->count &&
		       !at_change(old, new, (struct cursor){ at.old + equal, at.new + equal }))
			equal++;
		struct cursor next = { at.old + equal, at.new + equal };
		if (equal > 2 * CONTEXT || !at_change(old, new, next)) {
			size_t shown = equal < CONTEXT ? equal : CONTEXT;
			return (struct cursor){ at.old + shown, at.new + shown };
		}
		at = next;
	}
}

static void range_print(char sign, size_t begin, size_t end, struct strbuf *out)
{
	size_t count = end - begin;
	strbuf_printf(out, " %c%zu", sign, count ? begin + 1 : begin);
	if (count != 1)
		strbuf_printf(out, ",%zu", count);
}

static void line_print(char sign, const struct line *line, struct strbuf *out)
{
	strbuf_add_char(out, sign);
	strbuf_add(out, line->bytes, line->size);
	if (line->bytes[line->size - 1] != '\n')
		strbuf_add_text(out, "\n\\ No newline at end of file\n");
}

static void hunk_print(const struct lines *old, const struct lines *new, struct cursor at, struct cursor end,
		       struct strbuf *out)
{
	strbuf_add_text(out, "@@");
	range_print('-', at.old, end.old, out);
	range_print('+', at.new, end.new, out);
	strbuf_add_text(out, " @@\n");
	while (at.old < end.old || at.new < end.new) {
		if (at.old < end.old && old->changed[at.old]) {
			line_print('-', &old->items[at.old++], out);
		} else if (at.new < end.new &&new->changed[at.new]) {
			line_print('+', &new->items[at.new ++], out);
		} else {
			line_print(' ', &old->items[at.old++], out);
			at.new ++;
		}
	}
}

static void hunks_print(const struct lines *old, const struct lines *new, struct strbuf *out)
{
	struct cursor at = { 0 };
	size_t equal = 0; /* lines right before `at` that no hunk has shown */
	while (at.old < old->count || at.new < new->count) {
		if (!at_change(old, new, at)) {
			at.old++;
			at.new ++;
			equal++;
			continue;
		}
		size_t shown = equal < CONTEXT ? equal : CONTEXT;
		struct cursor end = hunk_end(old, new, at);
		hunk_print(old, new, (struct cursor){ at.old - shown, at.new - shown }, end, out);
		at = end;
		equal = 0;
	}
}

/* ---- the head ---- */

/* As it is, or as a string of C, which `patch` and git read: a name with an escape sequence or a line end. */
static void name_add(struct strbuf *out, const char *name)
{
	struct strbuf visible = STRBUF_INIT;
	text_add_visible(&visible, name, strlen(name));
	bool plain = strcmp(visible.bytes, name) == 0 && name[0] != '"';
	strbuf_release(&visible);
	if (plain) {
		strbuf_add_text(out, name);
		return;
	}
	strbuf_add_char(out, '"');
	for (; *name; name++) {
		bool printable = *name >= ' ' && *name <= '~' && *name != '"' && *name != '\\';
		strbuf_printf(out, printable ? "%c" : "\\%03o", (unsigned char)*name);
	}
	strbuf_add_char(out, '"');
}

static void head_add(struct strbuf *out, const char *before, const char *old, const char *between,
		     const char *new, const char *after)
{
	strbuf_add_text(out, before);
	name_add(out, old);
	strbuf_add_text(out, between);
	name_add(out, new);
	strbuf_add_text(out, after);
}

void difference_print(const struct difference_side *old, const struct difference_side *new,
		      struct strbuf *out)
{
	if (old->size == new->size && (!old->size || memcmp(old->bytes, new->bytes, old->size) == 0))
		return;
	if ((old->size && memchr(old->bytes, '\0', old->size)) ||
	    (new->size &&memchr(new->bytes, '\0', new->size))) {
		head_add(out, "Binary files ", old->name, " and ", new->name, " differ\n");
		return;
	}
	struct arena *arena = arena_new();
	struct lines old_lines = lines_split(arena, old), new_lines = lines_split(arena, new);
	struct middle middle = middle_of(&old_lines, &new_lines);
	middle_compare(arena, &middle);
	head_add(out, "--- ", old->name, "\n+++ ", new->name, "\n");
	hunks_print(&old_lines, &new_lines, out);
	arena_free(arena);
}
