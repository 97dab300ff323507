#include "compiler/commands/task.h"

#include <string.h>
#include <sys/stat.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/map.h"
#include "compiler/base/pool.h"
#include "compiler/base/source.h"
#include "compiler/commands/artifacts.h"
#include "compiler/commands/command.h"
#include "compiler/commands/terminal.h"
#include "compiler/commands/worker.h"
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

struct complaints complaints_begin(const struct options *options)
{
	bool colour = options->format == DIAG_TEXT && terminal_colour(options->color);
	return (struct complaints){ options, colour, STRBUF_INIT };
}

void complaints_add(struct complaints *complaints, const struct diags *diags)
{
	struct strbuf text = STRBUF_INIT;
	diags_render(diags, complaints->options->format, complaints->colour, &text);
	if (complaints->options->format == DIAG_JSON)
		array_join(&complaints->text, &text);
	else
		strbuf_add(&complaints->text, text.bytes, text.size);
	strbuf_release(&text);
}

bool complaints_end(struct complaints *complaints)
{
	bool good = !complaints->text.size || terminal_complain(&complaints->text);
	strbuf_release(&complaints->text);
	return good;
}

int status_worse(int status, int other)
{
	return status > other ? status : other;
}

/* All policies of a command line. */
struct run {
	struct complaints complaints;
	struct told *told;
	struct strbuf out; /* what standard output is to show */
};

static struct task_job job_begin(struct run *run, const char *path, struct pool *pool)
{
	struct task_job job = { .path = path, .out = STRBUF_INIT };
	job.compilation = options_compilation(run->complaints.options, pool);
	diags_tell_once(job.compilation.diags, run->told);
	return job;
}

/* `names` is NULL where nothing is written. */
static void job_do(struct map *names, struct task_job *job, const struct options *options,
		   task_function *task)
{
	job->policy = policy_load(&job->compilation, job->path);
	bool taken = names && job->policy && name_taken(names, job);
	if (job->policy && outputs_check(&job->compilation, job->policy) && !taken)
		job->found = task(job, options);
	if (options->argument_count > 1 && diags_exit_status(job->compilation.diags))
		diags_name_policy(job->compilation.diags, job->path);
}

static bool jobs_good(const struct task_job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (diags_exit_status(jobs[i].compilation.diags))
			return false;
	return true;
}

/* Its exit status. */
static int job_tell(struct run *run, const struct task_job *job)
{
	int status = diags_exit_status(job->compilation.diags);
	complaints_add(&run->complaints, job->compilation.diags);
	if (!status)
		strbuf_add(&run->out, job->out.bytes, job->out.size);
	return status_worse(status, job->found);
}

static void job_end(struct task_job *job)
{
	strbuf_release(&job->out);
	compilation_end(&job->compilation);
}

/* What is written is written for all or for none of them: each stands until the last is done. */
static int jobs_do_together(struct arena *arena, struct run *run, task_function *task,
			    task_finish_function *finish)
{
	const struct options *options = run->complaints.options;
	size_t count = options->argument_count;
	struct task_job *jobs = arena_array(arena, count, sizeof *jobs);
	struct map *names = map_new(arena, count);
	int status = 0;
	for (size_t i = 0; i < count; i++) {
		jobs[i] = job_begin(run, options->arguments[i], NULL);
		job_do(names, &jobs[i], options, task);
	}
	if (jobs_good(jobs, count))
		finish(jobs, count, options, arena);
	for (size_t i = 0; i < count; i++)
		status = status_worse(status, job_tell(run, &jobs[i]));
	for (size_t i = 0; i < count; i++) /* a note of one may show a place in another */
		job_end(&jobs[i]);
	return status;
}

/* Jobs that write nothing: each ends before the next begins, so memory does not grow with their number. */
struct turn {
	struct run *run;
	struct pool *pool; /* NULL for a job alone */
	task_function *task;
};

static int turn_do(const struct turn *turn, size_t index)
{
	const struct options *options = turn->run->complaints.options;
	struct task_job job = job_begin(turn->run, options->arguments[index], turn->pool);
	job_do(NULL, &job, options, turn->task);
	int status = job_tell(turn->run, &job);
	job_end(&job);
	return status;
}

/*
 * A pipe can be read but once, and the run may have to do the job again; so is "-", whatever file is called
 * so.
 */
static bool can_be_read_again(const char *path)
{
	struct stat status;
	return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool says_nothing(const struct strbuf *complaints, enum diag_format format)
{
	return !complaints->size || (format == DIAG_JSON && strcmp(complaints->bytes, "[]\n") == 0);
}

static bool turn_do_quietly(void *context, size_t index, struct strbuf *out)
{
	const struct turn *turn = context;
	struct run *run = turn->run;
	if (!can_be_read_again(run->complaints.options->arguments[index]))
		return false;
	run->complaints.text.size = run->out.size = 0;
	bool good = turn_do(turn, index) == 0 &&
		    says_nothing(&run->complaints.text, run->complaints.options->format);
	strbuf_add(out, run->out.bytes, run->out.size);
	return good;
}

/* What worker `index` of `count` begins with; this process has the first part. */
static size_t part_begin(size_t jobs, size_t count, size_t index)
{
	return jobs * index / count;
}

static int jobs_do_in_turn(struct arena *arena, struct run *run, task_function *task)
{
	size_t jobs = run->complaints.options->argument_count, count = workers_wanted(jobs);
	struct turn turn = { run, jobs > 1 ? pool_new() : NULL, task };
	struct worker *workers = arena_array(arena, count, sizeof *workers);
	int status = 0;
	for (size_t i = 1; i < count; i++)
		worker_begin(workers, i, part_begin(jobs, count, i), part_begin(jobs, count, i + 1),
			     turn_do_quietly, &turn);
	for (size_t i = 0; i < count; i++)
		for (size_t job = part_begin(jobs, count, i); job < part_begin(jobs, count, i + 1); job++)
			if (!worker_answer(&workers[i], &run->out))
				status = status_worse(status, turn_do(&turn, job));
	for (size_t i = 0; i < count; i++)
		worker_end(&workers[i]);
	if (turn.pool)
		pool_free(turn.pool);
	return status;
}

static int jobs_run(struct arena *arena, const struct options *options, task_function *task,
		    task_finish_function *finish)
{
	struct run run = { complaints_begin(options), told_new(arena), STRBUF_INIT };
	int status =
		finish ? jobs_do_together(arena, &run, task, finish) : jobs_do_in_turn(arena, &run, task);
	if (!complaints_end(&run.complaints))
		status = EXIT_TROUBLE;
	if (run.out.size && !terminal_print(&run.out))
		status = EXIT_TROUBLE;
	strbuf_release(&run.out);
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
