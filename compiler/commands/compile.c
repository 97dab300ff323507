/* allowc POLICY...: check, then write the artifacts. */
#include <string.h>

#include "backends/oci_profile.h"
#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/claims.h"
#include "compiler/commands/artifacts.h"
#include "compiler/commands/build.h"
#include "compiler/commands/command.h"
#include "compiler/commands/expected_strength.h"
#include "compiler/commands/task.h"
#include "compiler/commands/terminal.h"
#include "compiler/output.h"
#include "compiler/policy/policy.h"
#include "compiler/policy/resolve.h"

/* By name, or by default for this policy. */
static enum backend_role role_of(const struct task_job *job, const struct options *options,
				 const struct backend *backend)
{
	for (size_t i = 0; i < options->selected_count; i++)
		if (options->selected[i] == backend)
			return ROLE_SELECTED;
	if (!options->defaults || !backend->by_default_for || !backend->by_default_for(job->policy))
		return ROLE_UNSELECTED;
	return !backend->can_say || backend->can_say(job->policy) ? ROLE_SELECTED : ROLE_LEFT_OUT;
}

/* Worked out once: to know what a profile can say takes all decisions of the policy. */
static const enum backend_role *roles_of(struct task_job *job, const struct options *options)
{
	if (job->roles)
		return job->roles;
	enum backend_role *roles = arena_array(job->compilation.arena, backend_count, sizeof *roles);
	for (size_t i = 0; i < backend_count; i++)
		roles[i] = role_of(job, options, backends[i]);
	return job->roles = roles;
}

struct choice choice_selected(struct task_job *job, const struct options *options)
{
	const enum backend_role *roles = roles_of(job, options);
	struct choice choice = { .items = arena_array(job->compilation.arena, backend_count,
						      sizeof *choice.items),
				 .generators = options->generators,
				 .generator_count = options->generator_count,
				 .generator_seconds = options->generator_seconds };
	for (size_t i = 0; i < backend_count; i++)
		if (roles[i] == ROLE_SELECTED)
			choice.items[choice.count++] = backends[i];
	return choice;
}

/* Those whose artifacts are this run's business: what they do not write any more is removed. */
static struct choice choice_owners(struct task_job *job, const struct options *options, struct choice choice)
{
	const enum backend_role *roles = roles_of(job, options);
	struct arena *arena = job->compilation.arena;
	struct choice owners = choice;
	owners.items = arena_array(arena, 2 * backend_count, sizeof *owners.items);
	owners.count = 0;
	for (size_t i = 0; i < choice.count; i++)
		owners.items[owners.count++] = choice.items[i];
	for (size_t i = 0; i < backend_count; i++)
		if (roles[i] == ROLE_LEFT_OUT)
			owners.items[owners.count++] = backends[i];
	return owners;
}

static bool generator_chosen(const struct choice *choice, const char *name)
{
	for (size_t i = 0; i < choice->generator_count; i++)
		if (strcmp(choice->generators[i].name, name) == 0)
			return true;
	return false;
}

/* What a generator wrote only a generator can check. Those whose program is gone are reported. */
static void generators_add_listed(struct task_job *job, const struct options *options,
				  const struct claims *makers, struct choice *choice)
{
	struct compilation *compilation = &job->compilation;
	size_t capacity = options->generator_count + makers->count;
	struct generator *all = arena_array(compilation->arena, capacity, sizeof *all);
	for (size_t i = 0; i < options->generator_count; i++)
		all[i] = options->generators[i];
	choice->generators = all;
	choice->generator_count = options->generator_count;
	choice->generator_seconds = options->generator_seconds;
	for (size_t i = 0; i < makers->count; i++) {
		const struct claim *claim = &makers->items[i];
		if (generator_chosen(choice, claim->hash))
			continue;
		const struct generator *generator =
			generator_want(compilation, claim->hash, (struct span){ 0 },
				       arena_printf(compilation->arena, "'%s' is its own",
						    output_path(compilation, options->folder, claim->path)));
		if (!generator)
			return;
		all[choice->generator_count++] = *generator;
	}
}

/*
 * The backends that wrote what NAME.sha256 lists and that this run does not select; with `all` the
 * selected ones and all generators too: those that nobody asked for are not run to look.
 */
static struct choice choice_listed(struct task_job *job, const struct options *options, bool all)
{
	const enum backend_role *roles = roles_of(job, options);
	struct arena *arena = job->compilation.arena;
	struct choice choice = { .items = arena_array(arena, backend_count, sizeof *choice.items) };
	bool *listed = arena_array(arena, backend_count, sizeof *listed);
	struct claims makers;
	output_listed(&job->compilation, job->policy, options->folder, listed, &makers);
	if (all)
		generators_add_listed(job, options, &makers, &choice);
	for (size_t i = 0; i < backend_count; i++)
		if ((roles[i] == ROLE_SELECTED && all) || (roles[i] == ROLE_UNSELECTED && listed[i]))
			choice.items[choice.count++] = backends[i];
	return choice;
}

static void outputs_list(struct task_job *job, const struct options *options)
{
	struct compilation *compilation = &job->compilation;
	struct choice selected = choice_selected(job, options);
	struct artifacts artifacts = { 0 };
	if (selected.generator_count)
		artifacts_make(job, &selected, &artifacts);
	else
		artifacts_list(compilation, job->policy, &selected, &artifacts);
	for (size_t i = 0; i < artifacts.count; i++)
		terminal_path_add(&job->out,
				  output_path(compilation, options->folder, artifacts.items[i].path));
	const char *manifest = output_manifest_name(compilation, job->policy->name);
	terminal_path_add(&job->out, output_path(compilation, options->folder, manifest));
}

static const char *state_word(enum output_state state, bool dry_run)
{
	switch (state) {
	case OUTPUT_WRITTEN:
		return dry_run ? "to write" : "written";
	case OUTPUT_REPLACED:
		return dry_run ? "to replace" : "replaced";
	case OUTPUT_REMOVED:
		return dry_run ? "to remove" : "removed";
	case OUTPUT_KEPT:
		return "kept";
	case OUTPUT_UNCHANGED:
		break;
	}
	return "unchanged";
}

static void results_print(const struct output_results *results, bool dry_run, struct strbuf *out)
{
	for (size_t i = 0; i < results->count; i++)
		output_line(state_word(results->items[i].state, dry_run), results->items[i].path,
			    results->items[i].note, out);
}

/* ---- inputs ---- */

static void inputs_collect(const struct task_job *job, struct map *inputs)
{
	for (size_t i = 0; i < sources_count(job->compilation.sources); i++) {
		const struct source *source = sources_get(job->compilation.sources, i);
		if (!source->shipped)
			*map_at(inputs, (const char *)&source->identity, sizeof source->identity) =
				(void *)source;
	}
}

/* Whether no artifact would replace a layer, a library or an ADR: not even a file that carries the mark. */
static bool inputs_spared(struct task_job *jobs, size_t count, const struct options *options,
			  struct arena *arena)
{
	struct map *inputs = map_new(arena, 0);
	for (size_t i = 0; i < count; i++)
		inputs_collect(&jobs[i], inputs);
	bool good = true;
	for (size_t i = 0; i < count; i++) {
		for (size_t a = 0; a < jobs[i].artifacts.count; a++) {
			const char *path = output_path(&jobs[i].compilation, options->folder,
						       jobs[i].artifacts.items[a].path);
			struct file_identity identity;
			const struct source *source = NULL;
			if (file_identity_find(path, &identity))
				source = map_value(inputs, (const char *)&identity, sizeof identity);
			if (!source)
				continue;
			struct diagnostic *d = diag_report(
				jobs[i].compilation.diags, DIAG_OUTPUT, (struct span){ 0 },
				"the artifact '%s' is a file that this run reads, '%s'", path, source->path);
			diag_help(d, "write into another folder with -o, or give that file another name");
			good = false;
		}
	}
	return good;
}

/* All policies are without errors: their artifacts reach the folder together, or none does. */
static void write_all(struct task_job *jobs, size_t count, const struct options *options, struct arena *arena)
{
	if (options->list_outputs || options->check || !inputs_spared(jobs, count, options, arena) ||
	    !build_files_check(jobs, count, options, arena))
		return;
	struct output_job *outputs = arena_array(arena, count, sizeof *outputs);
	for (size_t i = 0; i < count; i++) {
		struct choice owners = choice_owners(&jobs[i], options, choice_selected(&jobs[i], options));
		outputs[i] = (struct output_job){ .compilation = &jobs[i].compilation,
						  .policy = jobs[i].policy,
						  .selected = owners.items,
						  .selected_count = owners.count,
						  .generators = owners.generators,
						  .generator_count = owners.generator_count,
						  .artifacts = jobs[i].artifacts,
						  .unselected = jobs[i].unselected };
	}
	if (!output_commit(options->folder, outputs, count, options->dry_run))
		return;
	if (!options->dry_run && !build_files_write(jobs, count, options, arena))
		return;
	if (options->quiet)
		return;
	for (size_t i = 0; i < count; i++) {
		task_summary(jobs[i].policy, &jobs[i].out);
		results_print(&outputs[i].results, options->dry_run, &jobs[i].out);
	}
}

/* --check: what would be written, as diffs; also of the artifacts that only the list knows. */
static int compare(struct task_job *job, const struct options *options)
{
	struct choice choice = choice_listed(job, options, true);
	struct choice selected = choice_selected(job, options);
	strength_expectations_check(job, &selected, options);
	if (!artifacts_make(job, &choice, &job->artifacts))
		return 0; /* the errors decide */
	struct choice owners = choice_owners(job, options, choice);
	bool current;
	struct strbuf lags = STRBUF_INIT;
	const struct output_job output = { .compilation = &job->compilation,
					   .policy = job->policy,
					   .selected = owners.items,
					   .selected_count = owners.count,
					   .generators = owners.generators,
					   .generator_count = owners.generator_count,
					   .artifacts = job->artifacts };
	if (output_check(options->folder, &output, &lags, &current) &&
	    !options->quiet)
		strbuf_add(&job->out, lags.bytes, lags.size);
	strbuf_release(&lags);
	return current ? 0 : 1;
}

/*
 * Only to say which of them are out of date: what is wrong with those that nobody asked for is not reported.
 */
static void unselected_look(struct task_job *job, const struct choice *unselected)
{
	struct task_job look = *job;
	look.compilation.diags = diags_new(job->compilation.arena, 0);
	struct artifacts artifacts = { 0 };
	if (artifacts_make(&look, unselected, &artifacts))
		job->unselected = artifacts;
}

static int compile(struct task_job *job, const struct options *options)
{
	if (options->list_outputs) {
		outputs_list(job, options);
		return 0;
	}
	if (options->check)
		return compare(job, options);
	struct choice selected = choice_selected(job, options);
	struct choice unselected = choice_listed(job, options, false);
	strength_expectations_check(job, &selected, options);
	if (options->defaults && !options->audit && !choice_replaces_engines(&selected))
		oci_profile_warn_left_out(&job->compilation, job->policy);
	if (artifacts_make(job, &selected, &job->artifacts) && unselected.count && !options->quiet)
		unselected_look(job, &unselected);
	return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	return task_run(command, FOR_COMPILE, argc, argv, compile, write_all);
}

const struct command command_compile = {
	.name = "",
	.usage = "[options] POLICY...",
	.summary = "Checks each policy, then writes its artifacts into the output folder",
	.run = run,
};
