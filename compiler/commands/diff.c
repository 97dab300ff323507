/* allowc diff OLD NEW: what changes, decision by decision. */
#include "compiler/commands/diff.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/commands/command.h"
#include "compiler/commands/rewritten.h"
#include "compiler/commands/task.h"
#include "compiler/commands/terminal.h"
#include "compiler/diff/compare.h"
#include "compiler/diff/report.h"
#include "compiler/diff/side.h"
#include "compiler/policy/policy.h"

static int classes_print(void)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < CHANGE_COUNT; i++)
		strbuf_printf(&text, "%-22s %s\n", change_name((enum change_class)i),
			      change_meaning((enum change_class)i));
	int status = terminal_print(&text) ? 0 : EXIT_TROUBLE;
	strbuf_release(&text);
	return status;
}

void sides_open(struct side *old, struct side *now, const struct options *options)
{
	const char *last = options->arguments[options->argument_count - 1];
	if (options->base)
		side_open_in(old, options->base, last, options);
	else
		side_open(old, options->arguments[0], options);
	side_open(now, last, options);
	diags_name_side(old->compilation.diags, "old");
	diags_name_side(now->compilation.diags, "new");
}

/*
 * What tells the sides apart: the policies' names where these differ, else the revisions, else the files as
 * they were named.
 */
static const char *side_name(const struct side *side, const struct side *other)
{
	const char *name = side->policy->name;
	struct arena *arena = side->compilation.arena;
	if (strcmp(name, other->policy->name) != 0)
		return *side->label ? arena_printf(arena, "%s:%s", side->label, name) : name;
	if (strcmp(side->label, other->label) == 0)
		return side->argument;
	return *side->label ? side->label : side->argument;
}

void sides_end(struct side *old, struct side *now)
{
	side_end(old);
	side_end(now);
}

void sides_report(const struct compared *comparison, const struct gate *gate, bool whole,
		  const struct side *old, struct side *now, const struct options *options, struct strbuf *out)
{
	struct arena *arena = now->compilation.arena;
	struct report report = {
		.comparison = comparison,
		.old_name = side_name(old, now),
		.now_name = side_name(now, old),
		.stats = options->stats,
		.order = options->report_order,
		.gate = gate,
		.gate_whole = whole,
	};
	if (report.order == REPORT_BY_ARTIFACT && !report.stats)
		rewritten_find(&now->compilation, comparison, &report);
	if (options->report_format == REPORT_JSON)
		report_json(&report, out);
	else if (options->report_format == REPORT_MARKDOWN)
		report_markdown(arena, &report, out);
	else
		report_text(arena, &report, out);
}

/* What keeps a side from being read is trouble; what ADRs and -Werror say against it is found. */
static int side_status(const struct side *side)
{
	return side->policy ? diags_exit_status(side->compilation.diags) : EXIT_TROUBLE;
}

/*
 * By the default rules; where nothing differs and nothing is refused there is nothing to say. No clock is
 * read, and a saved policy has not what is judged by.
 */
static const struct gate *gate_ask(const struct side *old, struct side *now,
				   const struct compared *comparison)
{
	const struct gate_rules rules = { .adr_changed = false };
	if (old->policy->saved || now->policy->saved)
		return NULL;
	const struct gate *gate = gate_judge(old, now, comparison, &rules);
	return gate->refusal_count || comparison_exit_status(comparison) ? gate : NULL;
}

static int sides_compare(const struct options *options)
{
	struct side old, now;
	struct strbuf out = STRBUF_INIT;
	int found = 0;
	sides_open(&old, &now, options);
	side_tell_rename(&old, &now);
	if (old.policy && now.policy) {
		const struct compared *comparison =
			policies_compare(&now.compilation, old.policy, now.policy);
		found = comparison_exit_status(comparison);
		sides_report(comparison, gate_ask(&old, &now, comparison), false, &old, &now, options, &out);
	}
	struct complaints complaints = complaints_begin(options);
	complaints_add(&complaints, old.compilation.diags);
	complaints_add(&complaints, now.compilation.diags);
	bool told = complaints_end(&complaints);
	int status =
		status_worse(status_worse(side_status(&old), side_status(&now)), told ? found : EXIT_TROUBLE);
	if (status != EXIT_TROUBLE && !terminal_print(&out))
		status = EXIT_TROUBLE;
	strbuf_release(&out);
	sides_end(&old, &now);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	int status = 0;
	if (task_options(command, FOR_DIFF, argc, argv, arena, &options, &status))
		status = options.list_classes ? classes_print() : sides_compare(&options);
	arena_free(arena);
	return status;
}

const struct command command_diff = {
	.name = "diff",
	.usage = "[options] OLD NEW",
	.summary = "Shows what changes between two policies, decision by decision",
	.run = run,
};
