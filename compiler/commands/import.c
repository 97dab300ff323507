/* allowc import FILE...: a policy from what a project already has. */
#include <errno.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/limits.h"
#include "compiler/base/map.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/command.h"
#include "compiler/commands/task.h"
#include "compiler/commands/terminal.h"
#include "compiler/import/import.h"
#include "compiler/import/import_drift.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/import_print.h"
#include "compiler/import/import_union.h"

struct work {
	const struct options *options;
	struct compilation compilation;
	struct import import;
	struct map *files; /* by identity, which were read */
	struct strbuf policy, drift;
};

/* Of a file: whether it was read, by whatever path. */
static bool is_known(struct work *work, const struct source *source)
{
	void **known = map_at(work->files, (const char *)&source->identity, sizeof source->identity);
	if (*known)
		return true;
	*known = work;
	return false;
}

/* A file named twice is read once. */
static bool argument_read(struct work *work, const char *argument)
{
	struct compilation *compilation = &work->compilation;
	const struct source *source = sources_load_argument(compilation->sources, argument);
	if (source)
		return is_known(work, source) || import_file(&work->import, source);
	diag_trouble(compilation->diags, "cannot read '%s': %s", argument,
		     source_argument_failure(work->compilation.arena, errno, SOURCE_SIZE_MAX));
	return false;
}

static bool symbols_check(struct work *work)
{
	bool good = true;
	for (size_t i = 0; i < work->import.symbol_count; i++) {
		if (work->import.symbols_found[i])
			continue;
		diag_trouble(work->compilation.diags, "--symbol: no file has a list '%s' that can be read",
			     work->import.symbols[i]);
		good = false;
	}
	return good;
}

static void files_import(struct work *work)
{
	bool good = true;
	for (size_t i = 0; i < work->options->argument_count; i++)
		good &= argument_read(work, work->options->arguments[i]);
	if (!good || !symbols_check(work))
		return;
	struct import_union all = import_unite(&work->import);
	import_print(&work->import, &all, &work->policy);
	import_drift(&work->import, &all, work->options->max_errors, &work->drift);
}

static int finish(struct work *work)
{
	struct complaints complaints = complaints_begin(work->options);
	int status = diags_exit_status(work->compilation.diags);
	complaints_add(&complaints, work->compilation.diags);
	if (!complaints_end(&complaints) || (work->drift.size && !terminal_complain(&work->drift)))
		status = EXIT_TROUBLE;
	if (work->policy.size && !terminal_print(&work->policy))
		status = EXIT_TROUBLE;
	strbuf_release(&work->drift);
	strbuf_release(&work->policy);
	compilation_end(&work->compilation);
	return status;
}

static int import_run(const struct options *options)
{
	struct work work = { .options = options,
			     .compilation = options_compilation(options, NULL),
			     .policy = STRBUF_INIT,
			     .drift = STRBUF_INIT };
	size_t symbols = options->symbol_count;
	work.files = map_new(work.compilation.arena, options->argument_count);
	work.import = (struct import){ .compilation = &work.compilation,
				       .symbols = options->symbols,
				       .symbol_count = symbols,
				       .symbols_found = arena_array(work.compilation.arena, symbols + 1,
								    sizeof(bool)) };
	files_import(&work);
	return finish(&work);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	int status = 0;
	if (task_options(command, FOR_IMPORT, argc, argv, arena, &options, &status))
		status = import_run(&options);
	arena_free(arena);
	return status;
}

const struct command command_import = {
	.name = "import",
	.usage = "[--symbol NAME] FILE...",
	.summary = "Makes a policy from what a project already has",
	.run = run,
};
