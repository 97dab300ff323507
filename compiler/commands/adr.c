/* allowc adr list|check FOLDER: how a folder of ADRs is read. */
#include <errno.h>
#include <string.h>

#include "backends/json_writer.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/command.h"
#include "compiler/commands/terminal.h"
#include "compiler/policy/adr.h"
#include "compiler/policy/adr_check.h"
#include "compiler/version.h"

/* ---- list ---- */

/* A file's name is anyone's: neither a line end nor the tab that would end the cell stays in it. */
static void cell_add(struct strbuf *out, const char *text, char end)
{
	if (!text)
		text = "-";
	for (size_t size; *text; text += size) {
		size = strcspn(text, "\t");
		text_add_visible(out, text, size);
		if (text[size]) {
			strbuf_add_text(out, "\\u{9}");
			size++;
		}
	}
	strbuf_add_char(out, end);
}

static void tsv_add(const struct adr *adr, struct strbuf *out)
{
	cell_add(out, path_base(adr->source->path), '\t');
	cell_add(out, adr_status_word(adr->status), '\t');
	cell_add(out, adr->date, '\t');
	cell_add(out, adr->successor, '\n');
}

static void json_add(const struct adr *adr, struct json_writer *json)
{
	json_open_object(json, NULL);
	json_text(json, "file", path_base(adr->source->path));
	json_text(json, "title", adr->title);
	json_text(json, "status", adr_status_word(adr->status));
	json_text_if_any(json, "doubt", adr->doubt);
	json_text_or_null(json, "date", adr->date);
	json_text_or_null(json, "successor", adr->successor);
	json_close_object(json);
}

static void list(struct adr_scope *scope, const struct options *options, struct strbuf *out)
{
	struct json_writer json = JSON_WRITER_INIT(out);
	bool tsv = options->list_format == LIST_TSV;
	if (tsv)
		strbuf_add_text(out, "file\tstatus\tdate\tsuccessor\n");
	else
		json_open_list(&json, NULL);
	struct arena *arena = arena_new();
	for (size_t i = 0; i < adr_scope_count(scope); i++) {
		const struct adr *adr = adr_scope_pass(scope, arena, i);
		if (adr && tsv)
			tsv_add(adr, out);
		else if (adr)
			json_add(adr, &json);
	}
	arena_free(arena);
	if (tsv)
		return;
	json_close_list(&json);
	json_finish(&json);
}

/* ---- check ---- */

static void check(struct compilation *compilation, struct adr_scope *scope, const struct options *options,
		  struct strbuf *out)
{
	adr_folder_check(compilation, scope);
	size_t count = adr_scope_count(scope);
	if (diags_exit_status(compilation->diags))
		return;
	text_add_visible(out, options->arguments[1], strlen(options->arguments[1]));
	strbuf_printf(out, ": %zu ADR%s in order\n", count, count == 1 ? "" : "s");
}

/* ---- the command ---- */

static void folder_do(struct compilation *compilation, const struct options *options, struct strbuf *out)
{
	const char *folder = options->arguments[1];
	struct adr_scope *scope = adr_scope_open(compilation, "", folder, NULL, 0);
	if (!scope)
		diag_trouble(compilation->diags, "cannot list '%s': %s", folder, strerror(errno));
	else if (strcmp(options->arguments[0], "check") == 0)
		check(compilation, scope, options, out);
	else
		list(scope, options, out);
}

/* A list that lacks a file is still printed: the exit status and a line of trouble say so. */
static int folder_run(const struct options *options)
{
	struct compilation compilation = options_compilation(options, NULL);
	struct strbuf out = STRBUF_INIT, complaints = STRBUF_INIT;
	folder_do(&compilation, options, &out);
	diags_render(compilation.diags, options->format,
		     options->format == DIAG_TEXT && terminal_colour(options->color), &complaints);
	int status = diags_exit_status(compilation.diags);
	if ((complaints.size && !terminal_complain(&complaints)) || (out.size && !terminal_print(&out)))
		status = EXIT_TROUBLE;
	strbuf_release(&out);
	strbuf_release(&complaints);
	compilation_end(&compilation);
	return status;
}

static int text_print(struct strbuf *text)
{
	int status = terminal_print(text) ? 0 : EXIT_TROUBLE;
	strbuf_release(text);
	return status;
}

static int help_print(const struct command *command)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "Usage: ");
	command_usage(command, &text);
	strbuf_printf(&text, "\n%s.\n\n", command->summary);
	options_help(FOR_ADR, &text);
	return text_print(&text);
}

static int version_print(void)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "allowc " ALLOWC_VERSION "\n");
	return text_print(&text);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct arena *arena = arena_new();
	struct options options;
	const char *message = options_parse(arena, FOR_ADR, argc, argv, &options);
	int status;
	if (message)
		status = terminal_usage_error(command->name, message);
	else if (options.help)
		status = help_print(command);
	else if (options.version)
		status = version_print();
	else
		status = folder_run(&options);
	arena_free(arena);
	return status;
}

const struct command command_adr = {
	.name = "adr",
	.usage = "[options] list|check FOLDER",
	.summary = "Shows how allowc reads a folder of ADRs, or what is wrong with them",
	.run = run,
};
