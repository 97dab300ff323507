#include "compiler/commands/task.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/commands/command.h"
#include "compiler/commands/terminal.h"
#include "compiler/policy/policy.h"
#include "compiler/policy/resolve.h"
#include "compiler/version.h"

/* ---- the summary ---- */

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

/* "CAP_SYS_PTRACE, CAP_BPF and 3 more forbidden" */
static size_t summary_capabilities(const struct policy *policy, struct strbuf *out)
{
	enum { SHOWN = 3 };
	size_t count = 0;
	for (size_t i = 0; i < policy->row_count; i++) {
		const struct row *row = policy->rows[i];
		if (row->kind != SUBJECT_CAPABILITY || row->verb != VERB_FORBID)
			continue;
		if (count < SHOWN)
			strbuf_printf(out, "%s %s", count ? "," : ";", row->subject);
		count++;
	}
	if (count > SHOWN)
		strbuf_printf(out, " and %zu more", count - SHOWN);
	if (count)
		strbuf_add_text(out, " forbidden");
	return count;
}

void task_summary(const struct policy *policy, struct strbuf *out)
{
	strbuf_printf(out, "%s: %zu command%s allowed, %zu forbidden", policy->name, policy->allowed_count,
		      plural(policy->allowed_count), policy->forbidden_count);
	size_t capabilities = summary_capabilities(policy, out);
	size_t calls = policy_denied_calls(policy), admitted = policy_admitted_calls(policy);
	enum action_kind fallback = policy->seccomp.fallback.kind;
	if (fallback != ACTION_ALLOW)
		strbuf_printf(out, "; %zu system call%s allowed, all others %s", admitted, plural(admitted),
			      fallback == ACTION_LOG ? "logged" : "denied");
	else if (calls && capabilities)
		strbuf_printf(out, " (%zu system call%s denied)", calls, plural(calls));
	else if (calls)
		strbuf_printf(out, "; %zu system call%s denied", calls, plural(calls));
	strbuf_add_char(out, '\n');
}

/* ---- one policy after the other ---- */

struct done {
	const char *name, *path;
};

/* Policies named on one command line are few. */
static bool name_taken(struct compilation *compilation, const struct done *done, size_t count,
		       const struct policy *policy, const char *path)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(done[i].name, policy->name) != 0)
			continue;
		diag_trouble(compilation->diags,
			     "'%s' and '%s' are both policy '%s'; compile them into two folders",
			     done[i].path, path, policy->name);
		return true;
	}
	return false;
}

static bool diagnostics_print(const struct compilation *compilation, const struct options *options)
{
	struct strbuf text = STRBUF_INIT;
	bool colour = options->format == DIAG_TEXT && terminal_colour(options->color);
	diags_render(compilation->diags, options->format, colour, &text);
	bool good = !text.size || terminal_complain(&text);
	strbuf_release(&text);
	return good;
}

static int worse(int status, int other)
{
	return status > other ? status : other;
}

static int task_one(const struct options *options, const char *path, task_function *task, struct arena *arena,
		    struct done *done, size_t *done_count)
{
	struct compilation compilation = options_compilation(options);
	struct strbuf out = STRBUF_INIT;
	int found = 0;
	const struct policy *policy = policy_load(&compilation, path);
	if (policy && !name_taken(&compilation, done, *done_count, policy, path)) {
		done[(*done_count)++] =
			(struct done){ arena_copy(arena, policy->name, strlen(policy->name)), path };
		found = task(&compilation, policy, options, &out);
	}
	int status = diags_exit_status(compilation.diags);
	if (!diagnostics_print(&compilation, options))
		status = EXIT_TROUBLE;
	if (!status && out.size && !terminal_print(&out))
		status = EXIT_TROUBLE;
	status = worse(status, found);
	strbuf_release(&out);
	compilation_end(&compilation);
	return status;
}

static int help_print(const struct command *command, unsigned bit)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "Usage: ");
	command_usage(command, &text);
	strbuf_printf(&text, "\n%s. '-' is standard input.\n\n", command->summary);
	options_help(bit, &text);
	int status = terminal_print(&text) ? 0 : EXIT_TROUBLE;
	strbuf_release(&text);
	return status;
}

static int version_print(void)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "allowc " ALLOWC_VERSION "\n");
	int status = terminal_print(&text) ? 0 : EXIT_TROUBLE;
	strbuf_release(&text);
	return status;
}

int task_run(const struct command *command, unsigned bit, int argc, char **argv, task_function *task)
{
	struct arena *arena = arena_new();
	struct options options;
	const char *message = options_parse(arena, bit, argc, argv, &options);
	int status = 0;
	if (message) {
		status = terminal_usage_error(command->name, message);
	} else if (options.help) {
		status = help_print(command, bit);
	} else if (options.version) {
		status = version_print();
	} else {
		struct done *done = arena_array(arena, options.argument_count, sizeof *done);
		size_t done_count = 0;
		for (size_t i = 0; i < options.argument_count; i++)
			status = worse(status, task_one(&options, options.arguments[i], task, arena, done,
							&done_count));
	}
	arena_free(arena);
	return status;
}
