/* For a terminal: one line a change, columns aligned over all groups. */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/utf8.h"
#include "compiler/diff/report.h"
#include "compiler/gate/gate.h"

enum { CELL_WIDTH_MAX = 40, PLACE_WIDTH_MAX = 32 };

struct widths {
	size_t cell, place;
};

/* In characters: what is no UTF-8 was refused long before. */
static size_t width_of(const char *text)
{
	size_t width = 0;
	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static size_t widest(size_t known, const char *text, size_t most)
{
	size_t width = width_of(text);
	return width > known && width <= most ? width : known;
}

/* A change without a place is no column: its text may be long. */
static struct widths widths_find(struct arena *arena, const struct report_group *groups, size_t count)
{
	struct widths widths = { 0, 0 };
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < groups[i].count; k++) {
			const struct change *change = groups[i].changes[k];
			if (!change->layer)
				continue;
			widths.cell = widest(widths.cell, report_cell(arena, change), CELL_WIDTH_MAX);
			widths.place = widest(widths.place, report_place(arena, change), PLACE_WIDTH_MAX);
		}
	}
	return widths;
}

static void add_visible(struct strbuf *out, const char *text)
{
	text_add_visible(out, text, strlen(text));
}

static void add_padded(struct strbuf *out, const char *text, size_t width, bool more)
{
	size_t own = width_of(text);
	add_visible(out, text);
	if (more)
		strbuf_add_fill(out, ' ', (own < width ? width - own : 0) + 2);
}

static void add_change(struct arena *arena, struct strbuf *out, const struct change *change,
		       struct widths widths)
{
	bool noted = change->note != NULL, placed = change->layer != NULL;
	strbuf_printf(out, "  %c ", change->sign);
	add_padded(out, report_cell(arena, change), placed ? widths.cell : 0, placed || noted);
	if (placed)
		add_padded(out, report_place(arena, change), widths.place, noted);
	if (noted)
		add_visible(out, change->note);
	strbuf_add_char(out, '\n');
}

static void add_stats(struct strbuf *out, const struct compared *comparison)
{
	size_t counts[CHANGE_COUNT] = { 0 };
	for (size_t i = 0; i < comparison->change_count; i++)
		counts[comparison->changes[i].class]++;
	for (size_t i = 0; i < CHANGE_COUNT; i++)
		if (counts[i])
			strbuf_printf(out, "  %6zu %s\n", counts[i], change_name((enum change_class)i));
	strbuf_printf(out, "unchanged: %zu rows, %zu tools, %zu expectations, %zu ADRs\n",
		      comparison->unchanged_rows, comparison->unchanged_tools, comparison->unchanged_guards,
		      comparison->unchanged_records);
}

static void add_groups(struct arena *arena, const struct report *report, struct strbuf *out)
{
	size_t count;
	const struct report_group *groups = report_groups(arena, report, &count);
	struct widths widths = widths_find(arena, groups, count);
	for (size_t i = 0; i < count; i++) {
		add_visible(out, groups[i].heading);
		strbuf_add_char(out, '\n');
		for (size_t k = 0; k < groups[i].count; k++)
			add_change(arena, out, groups[i].changes[k], widths);
	}
}

void report_text(struct arena *arena, const struct report *report, struct strbuf *out)
{
	const struct compared *comparison = report->comparison;
	add_visible(out, report->old_name);
	strbuf_add_text(out, " -> ");
	add_visible(out, report->now_name);
	strbuf_printf(out, "   %s\n", report_verdict(arena, comparison));
	if (report->stats)
		add_stats(out, comparison);
	else
		add_groups(arena, report, out);
	if (comparison->format) {
		strbuf_add_text(out, "no decision changed: ");
		add_visible(out, comparison->format);
		strbuf_add_char(out, '\n');
	}
	if (comparison->not_compared) {
		strbuf_add_text(out, "not compared: ");
		add_visible(out, comparison->not_compared);
		strbuf_add_char(out, '\n');
	}
	if (report->gate)
		gate_text(report->gate, report->gate_whole, out);
}
