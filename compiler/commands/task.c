#include "compiler/commands/task.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/map.h"
#include "compiler/commands/artifacts.h"
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

/* Whether forbidden capabilities deny all that is denied: what else denies such a call adds nothing. */
static bool capabilities_deny_all(const struct seccomp *seccomp)
{
	for (size_t i = 0; i < seccomp->denied_count;) {
		const struct syscall_entry *call = seccomp->denied[i].call;
		bool by_capability = false;
		for (; i < seccomp->denied_count && seccomp->denied[i].call == call; i++)
			by_capability |= seccomp->denied[i].row->kind == SUBJECT_CAPABILITY;
		if (!by_capability)
			return false;
	}
	return true;
}

/* "CAP_SYS_PTRACE, CAP_BPF and 3 more forbidden" */
static size_t summary_capabilities(const struct policy *policy, struct strbuf *out)
{
	enum { SHOWN = 3 };
	size_t count = 0;
	for (size_t i = 0; i < policy->row_count; i++) {
		const struct row *row = policy->rows[i];
		if (row->kind != SUBJECT_CAPABILITY || row->verb != VERB_FORBID || !row_is_for_linux(row))
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

/* "6 system calls denied, 1 more in part"; "1 system call denied in part" */
static void summary_calls(struct strbuf *out, struct call_counts counts, const char *what)
{
	bool parts_alone = counts.part && !counts.whole;
	size_t shown = parts_alone ? counts.part : counts.whole;
	strbuf_printf(out, "%zu system call%s %s", shown, plural(shown), what);
	if (parts_alone)
		strbuf_add_text(out, " in part");
	else if (counts.part)
		strbuf_printf(out, ", %zu more in part", counts.part);
}

void task_summary(const struct policy *policy, struct strbuf *out)
{
	strbuf_printf(out, "%s: %zu command%s allowed, %zu forbidden", policy->name, policy->allowed_count,
		      plural(policy->allowed_count), policy->forbidden_count);
	size_t capabilities = summary_capabilities(policy, out);
	struct call_counts denied = policy_denied_calls(policy), admitted = policy_admitted_calls(policy);
	enum action_kind fallback = policy->seccomp.fallback.kind;
	if (fallback != ACTION_ALLOW) {
		strbuf_add_text(out, "; ");
		summary_calls(out, admitted, "allowed");
		strbuf_printf(out, ", all others %s", fallback == ACTION_LOG ? "logged" : "denied");
	} else if (denied.whole || denied.part) {
		bool by_capabilities = capabilities && capabilities_deny_all(&policy->seccomp);
		strbuf_add_text(out, by_capabilities ? " (" : "; ");
		summary_calls(out, denied, "denied");
		strbuf_add_text(out, by_capabilities ? ")" : "");
	}
	strbuf_add_char(out, '\n');
}

/* ---- all policies ---- */

/* `names` has the first job of each policy's name. */
static bool name_taken(struct map *names, struct task_job *job)
{
	void **place = map_at(names, job->policy->name, strlen(job->policy->name));
	const struct task_job *other = *place;
	if (!other) {
		*place = job;
		return false;
	}
	diag_trouble(job->compilation.diags,
		     "'%s' and '%s' are both policy '%s'; compile them into two folders", other->path,
		     job->path, job->policy->name);
	return true;
}

/* Appends the items of one JSON array to those of another. */
static void array_join(struct strbuf *all, const struct strbuf *array)
{
	static const char close[] = "]\n";
	size_t items = array->size - strlen("[") - strlen(close);
	if (!all->size) {
		strbuf_add(all, array->bytes, array->size);
		return;
	}
	if (!items)
		return;
	bool first = all->size == strlen("[") + strlen(close);
	all->size -= strlen(close);
	strbuf_add_text(all, first ? "" : ",\n ");
	strbuf_add(all, array->bytes + 1, array->size - 1);
}

bool task_complain(struct diags *const *diags, size_t count, const struct options *options)
{
	struct strbuf all = STRBUF_INIT;
	bool colour = options->format == DIAG_TEXT && terminal_colour(options->color);
	for (size_t i = 0; i < count; i++) {
		struct strbuf text = STRBUF_INIT;
		diags_render(diags[i], options->format, colour, &text);
		if (options->format == DIAG_JSON)
			array_join(&all, &text);
		else
			strbuf_add(&all, text.bytes, text.size);
		strbuf_release(&text);
	}
	bool good = !all.size || terminal_complain(&all);
	strbuf_release(&all);
	return good;
}

static bool jobs_complain(struct arena *arena, const struct task_job *jobs, size_t count,
			  const struct options *options)
{
	struct diags **diags = arena_array(arena, count, sizeof *diags);
	for (size_t i = 0; i < count; i++)
		diags[i] = jobs[i].compilation.diags;
	return task_complain(diags, count, options);
}

int status_worse(int status, int other)
{
	return status > other ? status : other;
}

/* `names` is NULL where nothing is written. */
static void job_begin(struct map *names, struct task_job *job, const struct options *options,
		      task_function *task)
{
	job->compilation = options_compilation(options);
	job->policy = policy_load(&job->compilation, job->path);
	bool taken = names && job->policy && name_taken(names, job);
	if (job->policy && outputs_check(&job->compilation, job->policy) && !taken)
		job->found = task(job, options);
}

static bool jobs_good(const struct task_job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (diags_exit_status(jobs[i].compilation.diags))
			return false;
	return true;
}

static int job_end(struct task_job *job)
{
	int status = diags_exit_status(job->compilation.diags);
	if (!status && job->out.size && !terminal_print(&job->out))
		status = EXIT_TROUBLE;
	strbuf_release(&job->out);
	compilation_end(&job->compilation);
	return status_worse(status, job->found);
}

static int jobs_run(struct arena *arena, const struct options *options, task_function *task,
		    task_finish_function *finish)
{
	size_t count = options->argument_count;
	int status = 0;
	struct task_job *jobs = arena_array(arena, count, sizeof *jobs);
	struct map *names = finish ? map_new(arena, count) : NULL;
	for (size_t i = 0; i < count; i++) {
		jobs[i] = (struct task_job){ .path = options->arguments[i], .out = STRBUF_INIT };
		job_begin(names, &jobs[i], options, task);
	}
	if (finish && jobs_good(jobs, count))
		finish(jobs, count, options, arena);
	if (!jobs_complain(arena, jobs, count, options))
		status = EXIT_TROUBLE;
	for (size_t i = 0; i < count; i++)
		status = status_worse(status, job_end(&jobs[i]));
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

bool task_options(const struct command *command, unsigned bit, int argc, char **argv, struct arena *arena,
		  struct options *options, int *status)
{
	const char *message = options_parse(arena, bit, argc, argv, options);
	if (message)
		*status = terminal_usage_error(command->name, message);
	else if (options->help)
		*status = help_print(command, bit);
	else if (options->version)
		*status = version_print();
	else
		return true;
	return false;
}

int task_run(const struct command *command, unsigned bit, int argc, char **argv, task_function *task,
	     task_finish_function *finish)
{
	struct arena *arena = arena_new();
	struct options options;
	int status = 0;
	if (task_options(command, bit, argc, argv, arena, &options, &status))
		status = jobs_run(arena, &options, task, finish);
	arena_free(arena);
	return status;
}
