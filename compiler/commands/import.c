/* allowc import FILE...: a policy from what a project already has. */
#include <errno.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/command.h"
#include "compiler/commands/task.h"
#include "compiler/commands/terminal.h"
#include "compiler/import/import.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/import_print.h"

static bool argument_read(struct import *import, const char *argument)
{
	struct compilation *compilation = import->compilation;
	const struct source *source = sources_load_argument(compilation->sources, argument);
	if (source)
		return import_file(import, source);
	diag_trouble(compilation->diags, "cannot read '%s': %s", argument,
		     errno == ENODEV ? "Neither a file nor a pipe" : strerror(errno));
	return false;
}

static void files_import(struct import *import, const struct options *options, struct strbuf *out)
{
	bool good = true;
	for (size_t i = 0; i < options->argument_count; i++)
		good &= argument_read(import, options->arguments[i]);
	if (good)
		import_print(import, out);
}

static int finish(struct compilation *compilation, const struct options *options, struct strbuf *out)
{
	int status = diags_exit_status(compilation->diags);
	if (!task_complain(&compilation->diags, 1, options))
		status = EXIT_TROUBLE;
	if (out->size && !terminal_print(out))
		status = EXIT_TROUBLE;
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	int status = 0;
	if (task_options(command, FOR_IMPORT, argc, argv, arena, &options, &status)) {
		struct compilation compilation = options_compilation(&options);
		struct strbuf out = STRBUF_INIT;
		struct import import = { .compilation = &compilation, .symbol = options.symbol };
		files_import(&import, &options, &out);
		status = finish(&compilation, &options, &out);
		strbuf_release(&out);
		compilation_end(&compilation);
	}
	arena_free(arena);
	return status;
}

const struct command command_import = {
	.name = "import",
	.usage = "[--symbol NAME] FILE...",
	.summary = "Makes a policy from what a project already has",
	.run = run,
};
