/* allowc gate OLD NEW: may this change land? */
#include <string.h>
#include <time.h>

#include "compiler/base/arena.h"
#include "compiler/base/date.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/commands/command.h"
#include "compiler/commands/diff.h"
#include "compiler/commands/task.h"
#include "compiler/commands/terminal.h"
#include "compiler/diff/compare.h"
#include "compiler/diff/side.h"
#include "compiler/policy/policy.h"

static int rules_print(void)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < GATE_RULE_COUNT; i++)
		strbuf_printf(&text, "%-16s %s\n", gate_rule_name((enum gate_rule)i),
			      gate_rule_meaning((enum gate_rule)i));
	int status = terminal_print(&text) ? 0 : EXIT_TROUBLE;
	strbuf_release(&text);
	return status;
}

/* The only clock that allowc reads: an `until` that is past must not wait for somebody to pass --today. */
static const char *clock_day(struct arena *arena)
{
	char text[DATE_SIZE + 1];
	time_t now = time(NULL);
	struct tm day;
	if (now == (time_t)-1 || !gmtime_r(&now, &day) ||
	    strftime(text, sizeof text, "%Y-%m-%d", &day) != DATE_SIZE)
		return NULL;
	return arena_copy(arena, text, DATE_SIZE);
}

/*
 * Without OLD there is nothing to judge by, unless a person says that NEW is new. Where OLD is there after
 * all, --initial changes nothing.
 */
static void old_replace(struct side *old, const struct side *now, struct gate_rules *rules)
{
	bool wanted = rules->initial;
	rules->initial = false;
	if (old->policy || !side_is_absent(old))
		return;
	if (!wanted) {
		if (!side_tell_rename(old, now))
			diag_trouble(old->compilation.diags, "a policy that is new is judged with --initial");
		return;
	}
	if (!now->policy)
		return;
	side_end(old);
	side_open_nothing(old);
	rules->initial = true;
}

/* A saved policy has neither the ADRs nor their folders. */
static void saved_refuse(struct side *side)
{
	if (!side->policy || !side->policy->saved)
		return;
	diag_trouble(side->compilation.diags,
		     "cannot judge '%s': a saved policy has no ADRs, name the policy's file", side->argument);
	side->policy = NULL;
}

/* What ADRs say against OLD is no fault of the change. */
static int sides_status(const struct side *old, const struct side *now)
{
	return old->policy && now->policy && !diags_in_trouble(now->compilation.diags) ? 0 : EXIT_TROUBLE;
}

static int change_judge(const struct options *options, struct gate_rules *rules)
{
	struct side old, now;
	struct strbuf out = STRBUF_INIT;
	int found = 0;
	sides_open(&old, &now, options);
	saved_refuse(&old);
	saved_refuse(&now);
	old_replace(&old, &now, rules);
	if (old.policy && now.policy) {
		const struct compared *comparison =
			policies_compare(&now.compilation, old.policy, now.policy);
		const struct gate *gate = gate_judge(&old, &now, comparison, rules);
		found = gate->refusal_count > 0;
		sides_report(comparison, gate, true, &old, &now, options, &out);
	}
	struct complaints complaints = complaints_begin(options);
	if (!old.policy)
		complaints_add(&complaints, old.compilation.diags);
	complaints_add(&complaints, now.compilation.diags);
	bool told = complaints_end(&complaints);
	int status = sides_status(&old, &now) || !told ? EXIT_TROUBLE : found;
	if (status != EXIT_TROUBLE && !terminal_print(&out))
		status = EXIT_TROUBLE;
	strbuf_release(&out);
	sides_end(&old, &now);
	return status;
}

/* A file that is called like the revision would judge in its place: a change can bring one. */
static const char *ambiguous_argument(const struct options *options)
{
	for (size_t i = 0; i < options->argument_count; i++)
		if (side_is_ambiguous(options->arguments[i]))
			return options->arguments[i];
	return NULL;
}

/* A variable of CI that is not set would name an OLD that is not there. */
static bool has_empty_argument(const struct options *options)
{
	for (size_t i = 0; i < options->argument_count; i++)
		if (!*options->arguments[i])
			return true;
	return false;
}

static int gate_run(const struct options *options, struct arena *arena)
{
	struct gate_rules rules = options->rules;
	if (options->list_rules)
		return rules_print();
	if (has_empty_argument(options))
		return terminal_usage_error("gate", "the name of a policy is empty");
	const char *ambiguous = ambiguous_argument(options);
	if (ambiguous)
		return terminal_usage_error(
			"gate", arena_printf(arena, "'%s' is a file and a revision; the file is ./%s",
					     ambiguous, ambiguous));
	if (!rules.today)
		rules.today = clock_day(arena);
	if (rules.today)
		return change_judge(options, &rules);
	return terminal_usage_error("gate", "the clock cannot be read: name the day with --today");
}

static int run(const struct command *command, int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	int status = 0;
	if (task_options(command, FOR_GATE, argc, argv, arena, &options, &status))
		status = gate_run(&options, arena);
	arena_free(arena);
	return status;
}

const struct command command_gate = {
	.name = "gate",
	.usage = "[options] OLD NEW",
	.summary = "Decides whether a change may land",
	.run = run,
};
