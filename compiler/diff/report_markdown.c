/* For a review: one comment, found again by its marker and updated in place. */
#include <assert.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/diff/report.h"
#include "compiler/gate/gate.h"

static const char marker[] = "<!-- allowc diff -->\n";

/* Room for the last sentences, whatever came before. */
enum { END_SIZE = 4000, GATE_SIZE = 6000, LINE_MAX_BYTES = 2000 };

void markdown_add_plain(struct strbuf *out, const char *text)
{
	struct strbuf visible = STRBUF_INIT;
	text_add_visible(&visible, text, strlen(text));
	for (const char *at = visible.bytes; *at; at++) {
		if (strchr("\\`*_{}[]<>()#+-.!|~&@:", *at))
			strbuf_add_char(out, '\\');
		strbuf_add_char(out, *at);
	}
	strbuf_release(&visible);
}

/* As code: a fence of backquotes one longer than any run in it. */
static void add_code(struct strbuf *out, const char *text)
{
	size_t longest = 0, run = 0;
	struct strbuf visible = STRBUF_INIT;
	text_add_visible(&visible, text, strlen(text));
	for (const char *at = visible.bytes; *at; at++) {
		run = *at == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	strbuf_add_fill(out, '`', longest + 1);
	strbuf_printf(out, longest ? " %s " : "%s", visible.bytes);
	strbuf_add_fill(out, '`', longest + 1);
	strbuf_release(&visible);
}

static void add_change(struct arena *arena, struct strbuf *out, const struct change *change)
{
	strbuf_printf(out, "- `%c` %s%s", change->sign, change->sign == '!' ? "" : change->what,
		      change->sign == '!' || !*change->what ? "" : " ");
	add_code(out, change->subject);
	if (change->layer) {
		strbuf_add_char(out, ' ');
		markdown_add_plain(out, report_place(arena, change));
	}
	if (change->note) {
		strbuf_add_text(out, " — ");
		markdown_add_plain(out, change->note);
	}
	strbuf_add_char(out, '\n');
}

/* Whole lines while there is room; returns whether it was added. */
static bool add_if_room(struct strbuf *out, const struct strbuf *line)
{
	bool room = line->size <= LINE_MAX_BYTES &&
		    out->size + line->size + GATE_SIZE + END_SIZE <= MARKDOWN_SIZE_MAX;
	if (room)
		strbuf_add(out, line->bytes, line->size);
	return room;
}

static size_t add_group(struct arena *arena, struct strbuf *out, const struct report_group *group)
{
	size_t left_out = 0;
	struct strbuf line = STRBUF_INIT;
	strbuf_add_text(&line, "\n**");
	markdown_add_plain(&line, group->heading);
	strbuf_add_text(&line, "**\n\n");
	bool headed = add_if_room(out, &line);
	for (size_t i = 0; i < group->count; i++) {
		line.size = 0;
		add_change(arena, &line, group->changes[i]);
		left_out += !headed || !add_if_room(out, &line);
	}
	strbuf_release(&line);
	return left_out;
}

static void add_counts(struct strbuf *out, const struct compared *comparison)
{
	strbuf_printf(out, "\nUnchanged: %zu rows, %zu tools, %zu expectations, %zu ADRs.\n",
		      comparison->unchanged_rows, comparison->unchanged_tools, comparison->unchanged_guards,
		      comparison->unchanged_records);
}

void report_markdown(struct arena *arena, const struct report *report, struct strbuf *out)
{
	const struct compared *comparison = report->comparison;
	size_t count = 0, left_out = 0;
	const struct report_group *groups = report->stats ? NULL : report_groups(arena, report, &count);
	strbuf_add_text(out, marker);
	strbuf_add_text(out, "**");
	markdown_add_plain(out, arena_printf(arena, "%.200s -> %.200s", report->old_name, report->now_name));
	strbuf_add_text(out, "**: ");
	markdown_add_plain(out, arena_printf(arena, "%.1000s", report_verdict(arena, comparison)));
	strbuf_add_char(out, '\n');
	for (size_t i = 0; i < count; i++) {
		assert(groups);
		left_out += add_group(arena, out, &groups[i]);
	}
	if (left_out)
		strbuf_printf(out, "\n%zu change%s left out: `allowc diff` shows all.\n", left_out,
			      left_out == 1 ? " is" : "s are");
	if (comparison->format) {
		strbuf_add_text(out, "\nNo decision changed: ");
		markdown_add_plain(out, arena_printf(arena, "%.300s", comparison->format));
		strbuf_add_text(out, "\\.\n");
	}
	if (comparison->not_compared) {
		strbuf_add_text(out, "\nNot compared: ");
		markdown_add_plain(out, arena_printf(arena, "%.1000s", comparison->not_compared));
		strbuf_add_text(out, "\\.\n");
	}
	add_counts(out, comparison);
	if (report->gate)
		gate_markdown(report->gate, MARKDOWN_SIZE_MAX - END_SIZE, out);
}
