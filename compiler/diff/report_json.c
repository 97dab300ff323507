/* For programs: packaging/schema/diff.schema.json. */
#include <string.h>

#include "backends/json_writer.h"
#include "compiler/base/strbuf.h"
#include "compiler/diff/report.h"
#include "compiler/gate/gate.h"

static void add_axis(struct json_writer *json, const char *key, struct axis_verdict verdict)
{
	json_open_object(json, key);
	json_text(json, "relation", axis_relation(verdict));
	json_number(json, "more", verdict.more);
	json_number(json, "less", verdict.less);
	json_close_object(json);
}

static void add_calls(struct json_writer *json, const char *key, const struct syscall_entry *const *calls,
		      size_t count)
{
	json_open_row(json, key);
	for (size_t i = 0; i < count; i++)
		json_row_text(json, calls[i]->name);
	json_close_row(json);
}

static void add_verdict(struct json_writer *json, const struct compared *comparison)
{
	static const char *const keys[AXIS_COUNT] = { "commands", "system_calls", "capabilities", "guards",
						      "expectations" };
	json_open_object(json, "verdict");
	json_bool(json, "equivalent", comparison_is_equivalent(comparison));
	for (size_t i = 0; i < AXIS_COUNT; i++)
		add_axis(json, keys[i], comparison->axes[i]);
	json_close_object(json);
	add_calls(json, "wider_calls", comparison->wider_calls, comparison->wider_call_count);
	add_calls(json, "narrower_calls", comparison->narrower_calls, comparison->narrower_call_count);
}

static void add_record(struct json_writer *json, const struct record *record)
{
	const struct adr *adr = record->now ? record->now : record->old;
	json_open_object(json, NULL);
	json_text(json, "adr", record->text);
	json_text_or_null(json, "title", adr && *adr->title ? adr->title : NULL);
	json_text_or_null(json, "date", adr ? adr->date : NULL);
	json_text(json, "old_status", record->status_old);
	json_text(json, "new_status", record->status_now);
	json_text_or_null(json, "successor", record->successor);
	json_bool(json, "status_changed", record->status_changed);
	json_bool(json, "text_changed", record->text_changed);
	json_bool(json, "new_here", record->new_here);
	json_close_object(json);
}

/* Those that changed or that a change is decided by. */
static void add_records(struct json_writer *json, const struct compared *comparison)
{
	json_open_list(json, "adrs");
	for (size_t i = 0; i < comparison->record_count; i++)
		if (comparison->records[i]->change_count)
			add_record(json, comparison->records[i]);
	json_close_list(json);
}

static const char *sign_word(char sign)
{
	switch (sign) {
	case '+':
		return "added";
	case '-':
		return "removed";
	case '!':
		return "look";
	default:
		return "changed";
	}
}

static void add_change(struct json_writer *json, const struct change *change)
{
	json_open_object(json, NULL);
	json_text(json, "class", change_name(change->class));
	json_text(json, "sign", sign_word(change->sign));
	json_text(json, "statement", change->what);
	json_text(json, "subject", change->subject);
	json_text_or_null(json, "adr", change->record ? change->record->text : NULL);
	if (change->layer) {
		json_text(json, "side", change->in_old ? "old" : "new");
		json_text(json, "layer", change->layer->name);
		json_text(json, "file", change->layer->file);
		json_number(json, "line", change->line);
	}
	json_text_if_any(json, "note", change->note);
	json_close_object(json);
}

static void add_unchanged(struct json_writer *json, const struct compared *comparison)
{
	json_open_object(json, "unchanged");
	json_number(json, "rows", comparison->unchanged_rows);
	json_number(json, "tools", comparison->unchanged_tools);
	json_number(json, "expectations", comparison->unchanged_guards);
	json_number(json, "adrs", comparison->unchanged_records);
	json_close_object(json);
}

/* With --by artifact alone; changes by their index in "changes". */
static void add_files(struct json_writer *json, const struct report *report)
{
	json_open_list(json, "artifacts");
	for (size_t i = 0; i < report->file_count; i++) {
		const struct rewritten_file *file = &report->files[i];
		json_open_object(json, NULL);
		json_text(json, "path", file->path);
		json_text(json, "fate", file->fate);
		json_open_list(json, "changes");
		for (size_t k = 0; k < file->count; k++)
			json_number(json, NULL, (uint64_t)(file->changes[k] - report->comparison->changes));
		json_close_list(json);
		json_close_object(json);
	}
	json_close_list(json);
	json_text_or_null(json, "artifacts_note", report->files_note);
}

void report_json(const struct report *report, struct strbuf *out)
{
	const struct compared *comparison = report->comparison;
	struct json_writer json = JSON_WRITER_INIT(out);
	json_open_object(&json, NULL);
	json_number(&json, "version", 1);
	json_text(&json, "old", report->old_name);
	json_text(&json, "new", report->now_name);
	add_verdict(&json, comparison);
	add_records(&json, comparison);
	json_open_list(&json, "changes");
	for (size_t i = 0; !report->stats && i < comparison->change_count; i++)
		add_change(&json, &comparison->changes[i]);
	json_close_list(&json);
	if (report->order == REPORT_BY_ARTIFACT && !report->stats)
		add_files(&json, report);
	add_unchanged(&json, comparison);
	json_text_or_null(&json, "format_only", comparison->format);
	json_text_or_null(&json, "not_compared", comparison->not_compared);
	if (report->gate)
		gate_json(report->gate, &json);
	json_close_object(&json);
	json_finish(&json);
}
