/* allowc sync POLICY...: the artifacts in place, where the policy says. */
#include "compiler/sync.h"

#include <string.h>

#include "backends/backend.h"
#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/commands/artifacts.h"
#include "compiler/commands/command.h"
#include "compiler/commands/expected_strength.h"
#include "compiler/commands/task.h"
#include "compiler/commands/terminal.h"
#include "compiler/generator.h"
#include "compiler/generator_run.h"
#include "compiler/output.h"
#include "compiler/policy/policy.h"
#include "compiler/region.h"
#include "compiler/sync_place.h"

/* What a run is about. */
struct work {
	struct arena *arena;
	const struct options *options;
	struct sync *sync;
};

/* ---- what the policy names ---- */

static bool plugin_is_named(const struct block *plugin)
{
	return plugin->written && plugin->file;
}

static bool backend_is_named(const struct policy *policy, const struct backend *backend)
{
	for (size_t i = 0; i < policy->output_count; i++)
		if (backend_find(policy->outputs[i].backend) == backend)
			return true;
	for (size_t i = 0; backend == &backend_plugin_yaml && i < policy->plugin_count; i++)
		if (plugin_is_named(policy->plugins[i]))
			return true;
	return false;
}

struct choice choice_named(const struct task_job *job)
{
	struct choice choice = { .items = arena_array(job->compilation.arena, backend_count,
						      sizeof *choice.items) };
	for (size_t i = 0; i < backend_count; i++)
		if (backend_is_named(job->policy, backends[i]))
			choice.items[choice.count++] = backends[i];
	return choice;
}

static void outputs_list(struct task_job *job)
{
	for (size_t i = 0; i < job->policy->plugin_count; i++)
		if (plugin_is_named(job->policy->plugins[i]))
			terminal_path_add(&job->out, job->policy->plugins[i]->file_path);
	for (size_t i = 0; i < job->policy->output_count; i++)
		terminal_path_add(&job->out, job->policy->outputs[i].file_path);
}

/* ---- requests ---- */

static struct sync_request *request_new(const struct work *work, struct task_job *job,
					const struct layer *layer)
{
	struct sync_request *request = arena_alloc(work->arena, sizeof *request);
	*request = (struct sync_request){ .compilation = &job->compilation,
					  .policy_path = job->path,
					  .policy_name = job->policy->name,
					  .base = layer->source->path };
	return request;
}

static bool plugin_add(const struct work *work, struct task_job *job, const struct block *plugin,
		       const struct artifact *artifact)
{
	struct sync_request *request = request_new(work, job, plugin->file_layer);
	request->place = plugin->file_span;
	request->written = plugin->file;
	request->shown = plugin->file_path;
	request->bytes = artifact->bytes;
	request->size = artifact->size;
	request->manifest = true;
	request->before = plugin->manifest;
	return sync_add(work->sync, request);
}

/* The manifests that the backend made are those of the plugins that are written, in their order. */
static bool plugins_add(const struct work *work, struct task_job *job)
{
	size_t at = 0;
	bool good = true;
	for (size_t i = 0; i < job->policy->plugin_count; i++) {
		const struct block *plugin = job->policy->plugins[i];
		if (!plugin->written)
			continue;
		while (at < job->artifacts.count &&
		       strcmp(job->artifacts.items[at].backend, backend_plugin_yaml.name) != 0)
			at++;
		if (at == job->artifacts.count)
			return good;
		const struct artifact *artifact = &job->artifacts.items[at++];
		if (plugin->file)
			good &= plugin_add(work, job, plugin, artifact);
	}
	return good;
}

static bool report_files(struct task_job *job, const struct output *output, size_t count)
{
	struct diagnostic *d = diag_report(job->compilation.diags, DIAG_OUTPUT, output->backend_span,
					   "'%s' is %zu files for this policy, and one place is named",
					   output->backend, count);
	diag_help(d, "compile it into an output folder: allowc -o DIR");
	return false;
}

/* The files of roles have no place but an output folder. */
static bool artifact_is_of_policy(struct task_job *job, const struct artifact *artifact)
{
	const struct backend *backend = artifact->generator ? NULL : backend_find(artifact->backend);
	struct emission emission = { .compilation = &job->compilation, .policy = job->policy };
	struct artifacts own = { 0 };
	if (!backend || !backend->role_files)
		return true;
	backend->list(&emission, &own);
	for (size_t i = 0; i < own.count; i++)
		if (strcmp(own.items[i].path, artifact->path) == 0)
			return true;
	return false;
}

/* The only artifact of this backend for the policy itself; NULL when an error was reported. */
static const struct artifact *artifact_of(struct task_job *job, const struct output *output,
					  const struct artifacts *artifacts)
{
	const struct artifact *found = NULL;
	size_t count = 0;
	for (size_t i = 0; i < artifacts->count; i++) {
		if (strcmp(artifacts->items[i].backend, output->backend) != 0 ||
		    !artifact_is_of_policy(job, &artifacts->items[i]))
			continue;
		found = &artifacts->items[i];
		count++;
	}
	if (count == 1)
		return found;
	report_files(job, output, count);
	return NULL;
}

static bool definition_take(struct task_job *job, const struct output *output, struct sync_request *request)
{
	size_t begin, end;
	if (!region_definition(request->bytes, request->size, output->region, &begin, &end)) {
		struct diagnostic *d =
			diag_report(job->compilation.diags, DIAG_VALUE, output->region_span,
				    "the artifact '%s' defines no '%s'", output->backend, output->region);
		const char *names = region_definitions(job->compilation.arena, request->bytes, request->size);
		diag_help(d, "name one of its definitions%s%s%s, or leave 'region' out for the whole of it",
			  *names ? " (" : "", names, *names ? ")" : "");
		return false;
	}
	request->marker = output->region;
	request->region_only = true;
	request->bytes += begin;
	request->size = end - begin;
	return true;
}

static struct sync_request *output_request(const struct work *work, struct task_job *job,
					   const struct output *output)
{
	struct sync_request *request = request_new(work, job, output->layer);
	request->place = output->path_span;
	request->written = output->path;
	request->shown = output->file_path;
	request->marker = job->policy->name;
	return request;
}

static bool output_add(const struct work *work, struct task_job *job, const struct output *output,
		       const struct artifacts *artifacts)
{
	struct sync_request *request = output_request(work, job, output);
	const struct artifact *artifact = artifact_of(job, output, artifacts);
	if (!artifact)
		return false;
	request->bytes = artifact->bytes;
	request->size = artifact->size;
	return (!output->region || definition_take(job, output, request)) && sync_add(work->sync, request);
}

static bool outputs_add(const struct work *work, struct task_job *job)
{
	bool good = true;
	for (size_t i = 0; i < job->policy->output_count; i++)
		if (backend_find(job->policy->outputs[i].backend))
			good &= output_add(work, job, &job->policy->outputs[i], &job->artifacts);
	return good;
}

/* ---- generators ---- */

/* It runs in the project's top folder and sees what all files there will be. */
static bool generator_add(const struct work *work, struct task_job *job, const struct output *output)
{
	struct artifacts given = { 0 }, made = { 0 };
	const char *project = sync_project(work->arena, job->path);
	const char *file = sync_output(work->sync, output_request(work, job, output));
	const struct generator *generator = generator_want(&job->compilation, output->backend,
							   output->backend_span, "the policy names it here");
	if (!project || !file || !generator)
		return false;
	sync_artifacts(work->sync, project, &given);
	const struct generator_call call = {
		.compilation = &job->compilation,
		.policy = job->policy,
		.generator = generator,
		.place = output->backend_span,
		.given = &given,
		.folder = project,
		.output = file,
		.seconds = work->options->generator_seconds,
	};
	return generator_run(&call, &made) && !diags_exit_status(job->compilation.diags) &&
	       output_add(work, job, output, &made);
}

static bool generators_add(const struct work *work, struct task_job *job)
{
	bool good = true;
	for (size_t i = 0; i < job->policy->output_count; i++)
		if (!backend_find(job->policy->outputs[i].backend))
			good &= generator_add(work, job, &job->policy->outputs[i]);
	return good;
}

/* Those of all policies see what the backends write for all of them. */
static bool jobs_add(const struct work *work, struct task_job *jobs, size_t count)
{
	bool good = true;
	for (size_t i = 0; i < count; i++)
		good &= sync_add_policy(work->sync, &jobs[i].compilation, jobs[i].path, jobs[i].policy->name);
	if (!good)
		return false;
	for (size_t i = 0; i < count; i++) {
		good &= plugins_add(work, &jobs[i]);
		good &= outputs_add(work, &jobs[i]);
	}
	for (size_t i = 0; good && i < count; i++)
		good = generators_add(work, &jobs[i]);
	return good;
}

/* ---- results ---- */

static const char *state_word(const struct sync_result *result, const struct options *options)
{
	if (result->removed)
		return options->dry_run ? "to remove" : "removed";
	if (!result->written)
		return "unchanged";
	return options->dry_run ? "to write" : "written";
}

/* The policies first, then all files: one may hold regions of several policies. */
static void results_print(struct task_job *jobs, size_t count, const struct sync_results *results,
			  const struct options *options)
{
	struct strbuf *out = &jobs[count - 1].out;
	for (size_t i = 0; i < count; i++)
		task_summary(jobs[i].policy, &jobs[i].out);
	for (size_t i = 0; i < results->count; i++)
		output_line(state_word(&results->items[i], options), results->items[i].path, NULL, out);
	if (!results->count)
		strbuf_add_text(out, "  nothing to sync: no 'output', and no plugin with a file\n");
}

static void commit(const struct work *work, struct task_job *jobs, size_t count)
{
	const struct options *options = work->options;
	struct task_job *last = &jobs[count - 1];
	struct sync_results results = { 0 };
	struct strbuf differences = STRBUF_INIT;
	if (sync_commit(work->sync, &results, &differences)) {
		for (size_t i = 0; options->check && i < results.count; i++)
			last->found |= results.items[i].written || results.items[i].removed;
		if (options->check && !options->quiet)
			strbuf_add(&last->out, differences.bytes, differences.size);
		else if (!options->quiet)
			results_print(jobs, count, &results, options);
	}
	strbuf_release(&differences);
}

static void write_all(struct task_job *jobs, size_t count, const struct options *options, struct arena *arena)
{
	const struct sync_options wanted = { options->allow_outside, options->dry_run, options->check };
	if (options->list_outputs)
		return;
	const struct work work = { arena, options, sync_begin(arena, &wanted) };
	if (jobs_add(&work, jobs, count))
		commit(&work, jobs, count);
	sync_end(work.sync);
}

static int sync_one(struct task_job *job, const struct options *options)
{
	if (options->list_outputs) {
		outputs_list(job);
		return 0;
	}
	struct choice named = choice_named(job);
	strengths_check(job, options);
	artifacts_make(job, &named, &job->artifacts);
	return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	return task_run(command, FOR_SYNC, argc, argv, sync_one, write_all);
}

const struct command command_sync = {
	.name = "sync",
	.usage = "[options] POLICY...",
	.summary = "Checks each policy, then writes its artifacts in place, where the policy says",
	.run = run,
};
