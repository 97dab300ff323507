/* allowc POLICY...: check, then write the artifacts. */
#include <string.h>

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
		return dry_run ? "would write" : "written";
	case OUTPUT_REMOVED:
		return dry_run ? "would remove" : "removed";
	case OUTPUT_UNCHANGED:
		break;
	}
	return "unchanged";
}

static void results_print(const struct output_results *results, bool dry_run, struct strbuf *out)
{
	int width = dry_run ? 12 : 9;
	for (size_t i = 0; i < results->count; i++) {
		const char *path = results->items[i].path;
		strbuf_printf(out, "  %-*s  ", width, state_word(results->items[i].state, dry_run));
		text_add_visible(out, path, strlen(path));
		strbuf_add_char(out, '\n');
	}
}

static void compile(struct compilation *compilation, const struct policy *policy,
		    const struct options *options, struct strbuf *out)
{
	if (options->list_outputs) {
		outputs_list(compilation, policy, options, out);
		return;
	}
	struct artifacts artifacts = { 0 };
	struct output_results results = { 0 };
	if (!artifacts_make(compilation, policy, options, &artifacts) ||
	    !output_commit(compilation, policy, options->folder, options->selected, options->selected_count,
			   &artifacts, options->dry_run, &results))
		return;
	if (options->quiet)
		return;
	task_summary(policy, out);
	results_print(&results, options->dry_run, out);
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
