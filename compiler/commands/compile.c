/* allowc POLICY...: check, then write the artifacts. */
#include "backends/filter/filter.h"
#include "compiler/base/diag.h"
#include "compiler/commands/command.h"
#include "compiler/commands/task.h"
#include "compiler/output.h"
#include "compiler/policy/policy.h"

static bool filter_needed(const struct options *options)
{
	for (size_t i = 0; i < options->selected_count; i++)
		if (options->selected[i]->needs_filter)
			return true;
	return false;
}

/* Goes on after a backend's error, to report those of all. */
static bool artifacts_make(struct compilation *compilation, const struct policy *policy,
			   const struct options *options, struct artifacts *artifacts)
{
	struct emission emission = { .compilation = compilation, .policy = policy };
	if (filter_needed(options)) {
		emission.filter = filter_build(compilation, policy);
		if (!emission.filter)
			return false;
	}
	bool good = true;
	for (size_t i = 0; i < options->selected_count; i++)
		good &= options->selected[i]->emit(&emission, artifacts);
	return good && !diags_exit_status(compilation->diags);
}

static void outputs_list(struct compilation *compilation, const struct policy *policy,
			 const struct options *options, struct strbuf *out)
{
	struct emission emission = { .compilation = compilation, .policy = policy };
	struct artifacts artifacts = { 0 };
	for (size_t i = 0; i < options->selected_count; i++)
		options->selected[i]->list(&emission, &artifacts);
	for (size_t i = 0; i < artifacts.count; i++)
		strbuf_printf(out, "%s\n",
			      output_path(compilation, options->folder, artifacts.items[i].path));
	const char *manifest = output_manifest_name(compilation, policy->name);
	strbuf_printf(out, "%s\n", output_path(compilation, options->folder, manifest));
}

static const char *state_word(enum output_state state, bool dry_run)
{
	switch (state) {
	case OUTPUT_WRITTEN:
		return dry_run ? "to write" : "written";
	case OUTPUT_REMOVED:
		return dry_run ? "to remove" : "removed";
	case OUTPUT_UNCHANGED:
		break;
	}
	return "unchanged";
}

static void results_print(const struct output_results *results, bool dry_run, struct strbuf *out)
{
	for (size_t i = 0; i < results->count; i++)
		output_line(state_word(results->items[i].state, dry_run), results->items[i].path, out);
}

static void write_out(struct compilation *compilation, const struct policy *policy,
		      const struct options *options, const struct output_target *target,
		      const struct artifacts *artifacts, struct strbuf *out)
{
	struct output_results results = { 0 };
	bool written = output_commit(compilation, policy, target, artifacts, options->dry_run, &results);
	if (!written || options->quiet)
		return;
	task_summary(policy, out);
	results_print(&results, options->dry_run, out);
}

/* --check: what would be written, as diffs. */
static int compare(struct compilation *compilation, const struct policy *policy,
		   const struct options *options, const struct output_target *target,
		   const struct artifacts *artifacts, struct strbuf *out)
{
	bool current;
	struct strbuf lags = STRBUF_INIT;
	if (output_check(compilation, policy, target, artifacts, &lags, &current) && !options->quiet)
		strbuf_add(out, lags.bytes, lags.size);
	strbuf_release(&lags);
	return current ? 0 : 1;
}

static int compile(struct compilation *compilation, const struct policy *policy,
		   const struct options *options, struct strbuf *out)
{
	if (options->list_outputs) {
		outputs_list(compilation, policy, options, out);
		return 0;
	}
	struct artifacts artifacts = { 0 };
	struct output_target target = { options->folder, options->selected, options->selected_count };
	if (!artifacts_make(compilation, policy, options, &artifacts))
		return 0; /* the errors decide */
	if (options->check)
		return compare(compilation, policy, options, &target, &artifacts, out);
	write_out(compilation, policy, options, &target, &artifacts, out);
	return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	return task_run(command, FOR_COMPILE, argc, argv, compile);
}

const struct command command_compile = {
	.name = "",
	.usage = "[options] POLICY...",
	.summary = "Checks each policy, then writes its artifacts into the output folder",
	.run = run,
};
