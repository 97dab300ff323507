/* allowc fmt POLICY...: one canonical layout. */
#include <errno.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/limits.h"
#include "compiler/base/source.h"
#include "compiler/commands/command.h"
#include "compiler/commands/task.h"
#include "compiler/commands/terminal.h"
#include "compiler/difference.h"
#include "compiler/layout/layout.h"
#include "compiler/output.h"
#include "compiler/rewrite.h"

struct fmt {
	const struct options *options;
	struct compilation compilation;
	struct strbuf out; /* what standard output is to show */
	bool differs;      /* some file is not in its layout, and was not to be written */
};

static bool is_standard_input(const char *argument)
{
	return strcmp(argument, "-") == 0;
}

/* A byte order mark is no part of the layout either. */
static bool is_laid_out(const struct source *source, const struct strbuf *text)
{
	return !source->has_bom && source->size == text->size &&
	       (!text->size || memcmp(source->text, text->bytes, text->size) == 0);
}

/* As it is in the file, with the mark that the source does without. */
static struct difference_side side_of_file(const struct source *source)
{
	size_t mark = source->has_bom ? 3 : 0;
	return (struct difference_side){ source->path, source->text - mark, source->size + mark };
}

static void difference_show(struct fmt *fmt, const struct source *source, const struct strbuf *text)
{
	if (is_laid_out(source, text))
		return;
	fmt->differs = true;
	struct difference_side old = side_of_file(source);
	struct difference_side new = { source->path, text->bytes, text->size };
	if (!fmt->options->quiet)
		difference_print(&old, &new, &fmt->out);
}

static void layout_put(struct fmt *fmt, const struct source *source, const struct strbuf *text)
{
	bool same = is_laid_out(source, text);
	if (!same && !rewrite_file(&fmt->compilation, source, text->bytes, text->size))
		return;
	if (!fmt->options->quiet)
		output_line(same ? "unchanged" : "written", source->path, NULL, &fmt->out);
}

static void argument_format(struct fmt *fmt, const char *argument)
{
	struct strbuf text = STRBUF_INIT;
	struct sources *sources = fmt->compilation.sources;
	size_t before = sources_count(sources);
	const struct source *source = sources_load_argument(sources, argument);
	if (!source)
		diag_trouble(fmt->compilation.diags, "cannot read '%s': %s", argument,
			     source_argument_failure(fmt->compilation.arena, errno, SOURCE_SIZE_MAX));
	if (!source || sources_count(sources) == before) /* named twice, it is done */
		return;
	if (!layout_make(&fmt->compilation, source, &text)) {
		strbuf_release(&text);
		return;
	}
	if (fmt->options->check)
		difference_show(fmt, source, &text);
	else if (is_standard_input(argument))
		strbuf_add(&fmt->out, text.bytes, text.size);
	else
		layout_put(fmt, source, &text);
	strbuf_release(&text);
}

static int finish(struct fmt *fmt)
{
	struct strbuf messages = STRBUF_INIT;
	diags_render(fmt->compilation.diags, fmt->options->format, terminal_colour(fmt->options->color),
		     &messages);
	int status = status_worse(diags_exit_status(fmt->compilation.diags), fmt->differs);
	if (messages.size && !terminal_complain(&messages))
		status = EXIT_TROUBLE;
	if (fmt->out.size && !terminal_print(&fmt->out))
		status = EXIT_TROUBLE;
	strbuf_release(&messages);
	strbuf_release(&fmt->out);
	compilation_end(&fmt->compilation);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	int status = 0;
	if (task_options(command, FOR_FMT, argc, argv, arena, &options, &status)) {
		struct fmt fmt = { .options = &options,
				   .compilation = options_compilation(&options, NULL),
				   .out = STRBUF_INIT };
		for (size_t i = 0; i < options.argument_count; i++)
			argument_format(&fmt, options.arguments[i]);
		status = finish(&fmt);
	}
	arena_free(arena);
	return status;
}

const struct command command_fmt = {
	.name = "fmt",
	.usage = "[--check] POLICY...",
	.summary = "Lays policies out in the one canonical way",
	.run = run,
};
