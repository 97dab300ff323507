/* What the gate says, at the end of a report. */
#include <string.h>

#include "backends/json_writer.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/diff/report.h"
#include "compiler/gate/gate.h"

enum { REFUSALS_SHOWN = 20 };

/* ---- open ---- */

static void add_open(const struct gate *gate, struct strbuf *out)
{
	strbuf_add_text(out, "open, ");
	if (gate->widenings)
		strbuf_printf(out, "%zu widening%s", gate->widenings, gate->widenings == 1 ? "" : "s");
	else
		strbuf_add_text(out, "no widening");
	for (size_t i = 0; i < gate->adr_count && i < REFUSALS_SHOWN; i++)
		strbuf_printf(out, "%s%s", i ? ", " : ", ratified by ", gate->adrs[i]);
	if (gate->adr_count > REFUSALS_SHOWN)
		strbuf_printf(out, " and %zu more", gate->adr_count - REFUSALS_SHOWN);
	const char *before = "; allowed: ";
	for (size_t i = 0; i < GATE_ALLOWANCE_COUNT; i++) {
		if (!gate->allowed[i])
			continue;
		strbuf_printf(out, "%s%s", before, gate_allowance_name((enum gate_allowance)i));
		before = ", ";
	}
}

/* ---- shut ---- */

/* "phase2.allow:17 tree-sitter and 3 more rows: ADR phase2/0002 is superseded, not accepted" */
static void add_problem(const struct refusal *refusal, struct strbuf *out)
{
	if (refusal->layer)
		strbuf_printf(out, "%s%s:%u ", refusal->in_old ? "OLD " : "", refusal->layer->file,
			      refusal->line);
	strbuf_add_text(out, refusal->subject);
	if (refusal->more)
		strbuf_printf(out, " and %zu more row%s", refusal->more, refusal->more == 1 ? "" : "s");
	strbuf_printf(out, "%s%s", refusal->layer || *refusal->subject ? ": " : "", refusal->problem);
}

static void add_visible(struct strbuf *out, const char *text)
{
	text_add_visible(out, text, strlen(text));
}

static void add_refusal(const struct refusal *refusal, bool whole, struct strbuf *out)
{
	struct strbuf problem = STRBUF_INIT;
	strbuf_printf(out, "gate: shut [%s]", gate_rule_name(refusal->rule));
	if (whole) {
		add_problem(refusal, &problem);
		strbuf_add_char(out, ' ');
		add_visible(out, problem.bytes);
		strbuf_add_text(out, "\n  ");
	} else {
		strbuf_add_text(out, ": ");
	}
	add_visible(out, refusal->edit);
	strbuf_add_char(out, '\n');
	strbuf_release(&problem);
}

static void add_rest(size_t count, const char *end, struct strbuf *out)
{
	if (count)
		strbuf_printf(out, "gate: shut for %zu more reason%s%s\n", count, count == 1 ? "" : "s", end);
}

void gate_text(const struct gate *gate, bool whole, struct strbuf *out)
{
	size_t shown = gate->refusal_count < REFUSALS_SHOWN ? gate->refusal_count : REFUSALS_SHOWN;
	if (!gate->refusal_count) {
		struct strbuf open = STRBUF_INIT;
		add_open(gate, &open);
		strbuf_add_text(out, "gate: ");
		add_visible(out, open.bytes);
		strbuf_add_char(out, '\n');
		strbuf_release(&open);
	}
	for (size_t i = 0; i < shown; i++)
		add_refusal(&gate->refusals[i], whole, out);
	add_rest(gate->refusal_count - shown, "", out);
}

/* ---- for a review ---- */

static void add_item(const struct refusal *refusal, struct strbuf *out)
{
	struct strbuf problem = STRBUF_INIT;
	add_problem(refusal, &problem);
	strbuf_printf(out, "- `%s` ", gate_rule_name(refusal->rule));
	markdown_add_plain(out, problem.bytes);
	strbuf_add_text(out, ". To open it: ");
	markdown_add_plain(out, refusal->edit);
	strbuf_add_text(out, ".\n");
	strbuf_release(&problem);
}

static size_t add_items(const struct gate *gate, size_t most, struct strbuf *out)
{
	struct strbuf item = STRBUF_INIT;
	size_t shown = 0;
	for (; shown < gate->refusal_count && shown < REFUSALS_SHOWN; shown++) {
		item.size = 0;
		add_item(&gate->refusals[shown], &item);
		if (out->size + item.size > most)
			break;
		strbuf_add(out, item.bytes, item.size);
	}
	strbuf_release(&item);
	return shown;
}

static void add_open_paragraph(const struct gate *gate, size_t most, struct strbuf *out)
{
	struct strbuf open = STRBUF_INIT, paragraph = STRBUF_INIT;
	add_open(gate, &open);
	markdown_add_plain(&paragraph, open.bytes);
	bool room = out->size + paragraph.size <= most;
	strbuf_printf(out, "\n**gate: %s**\n", room ? paragraph.bytes : "open");
	strbuf_release(&paragraph);
	strbuf_release(&open);
}

void gate_markdown(const struct gate *gate, size_t most, struct strbuf *out)
{
	if (!gate->refusal_count) {
		add_open_paragraph(gate, most, out);
		return;
	}
	strbuf_add_text(out, "\n**gate: shut**\n\n");
	size_t left_out = gate->refusal_count - add_items(gate, most, out);
	if (left_out)
		strbuf_printf(out, "- %zu more reason%s: `allowc gate --format json` shows all.\n", left_out,
			      left_out == 1 ? "" : "s");
}

/* ---- for programs ---- */

static void add_member(struct json_writer *json, const struct refusal *refusal)
{
	json_open_object(json, NULL);
	json_text(json, "rule", gate_rule_name(refusal->rule));
	json_text(json, "subject", refusal->subject);
	if (refusal->layer) {
		json_text(json, "side", refusal->in_old ? "old" : "new");
		json_text(json, "layer", refusal->layer->name);
		json_text(json, "file", refusal->layer->file);
		json_number(json, "line", refusal->line);
	}
	json_number(json, "more_rows", refusal->more);
	json_text(json, "problem", refusal->problem);
	json_text(json, "edit", refusal->edit);
	json_close_object(json);
}

void gate_json(const struct gate *gate, struct json_writer *json)
{
	json_open_object(json, "gate");
	json_bool(json, "open", !gate->refusal_count);
	json_number(json, "widenings", gate->widenings);
	json_open_row(json, "ratified_by");
	for (size_t i = 0; i < gate->adr_count; i++)
		json_row_text(json, gate->adrs[i]);
	json_close_row(json);
	json_open_row(json, "allowed");
	for (size_t i = 0; i < GATE_ALLOWANCE_COUNT; i++)
		if (gate->allowed[i])
			json_row_text(json, gate_allowance_name((enum gate_allowance)i));
	json_close_row(json);
	json_open_list(json, "refusals");
	for (size_t i = 0; i < gate->refusal_count; i++)
		add_member(json, &gate->refusals[i]);
	json_close_list(json);
	json_close_object(json);
}
