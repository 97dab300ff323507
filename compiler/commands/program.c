#include "compiler/commands/program.h"

#include <string.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/die.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/command.h"
#include "compiler/commands/terminal.h"
#include "compiler/options.h"

static const char help_begin[] =
	"Compiles policies that say which programs may be run, and which ADR says so.\n\n";
static const char help_middle[] =
	"\n'allowc COMMAND --help' lists a command's own options. A policy file that is called\n"
	"like a command is ./NAME.\n\nWithout a command:\n";

static int help_print(const struct command *const *table, size_t count)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, help_begin);
	for (size_t i = 0; i < count; i++) {
		command_usage(table[i], &text);
		strbuf_printf(&text, "\n    %s\n", table[i]->summary);
	}
	strbuf_add_text(&text, help_middle);
	options_help(FOR_COMPILE, &text);
	int status = terminal_print(&text) ? 0 : EXIT_TROUBLE;
	strbuf_release(&text);
	return status;
}

/* A word that looks like a command, or like a policy's path without its suffix, and is no file. */
static bool word_misspelt(const char *word)
{
	return word[0] && word[0] != '-' &&
	       word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_/-")] == '\0' &&
	       access(word, F_OK) < 0;
}

/* Commands of other programs, and what does that here. */
static const char *command_elsewhere(const char *word)
{
	static const char *const list[][2] = {
		{ "compile", "'allowc POLICY' compiles" }, { "format", "'allowc fmt' does that" },
		{ "help", "'allowc --help' helps" },       { "lint", "'allowc check' checks" },
		{ "version", "'allowc --version' tells" },
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (strcmp(word, list[i][0]) == 0)
			return list[i][1];
	return NULL;
}

static int misspelt(const struct command *const *table, size_t count, const char *word)
{
	const char *nearest = command_nearest(table, count, word);
	struct strbuf text = STRBUF_INIT;
	struct strbuf file = STRBUF_INIT;
	strbuf_printf(&file, "%s.allow", word);
	strbuf_printf(&text, "there is no command and no file '%s'", word);
	const char *elsewhere = command_elsewhere(word);
	if (elsewhere)
		strbuf_printf(&text, "; %s", elsewhere);
	else if (access(file.bytes, F_OK) == 0)
		strbuf_printf(&text, "; did you mean the file '%s'?", file.bytes);
	else if (nearest)
		strbuf_printf(&text, "; did you mean '%s'?", nearest);
	int status = terminal_usage_error("", text.bytes);
	strbuf_release(&text);
	strbuf_release(&file);
	return status;
}

/* "allowc -q check P": a word that is a command, after options. NULL where there is none. */
static const struct command *command_late(const struct command *const *table, size_t count, int argc,
					  char **argv)
{
	struct options options;
	struct arena *arena = arena_new();
	options_parse(arena, FOR_COMPILE, argc, argv, &options);
	const struct command *late = options.first ? command_find(table, count, options.first) : NULL;
	arena_free(arena);
	return late;
}

static int late_refuse(const struct command *command)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_printf(&text, "'%s' is a command, so it comes first: '", command->name);
	command_usage(command, &text);
	strbuf_add_char(&text, '\'');
	if (access(command->name, F_OK) == 0)
		strbuf_printf(&text, "; the file of that name is ./%s", command->name);
	int status = terminal_usage_error("", text.bytes);
	strbuf_release(&text);
	return status;
}

int program_run(const struct command *const *table, size_t count, const struct command *fallback, int argc,
		char **argv)
{
	if (!terminal_begin())
		return EXIT_TROUBLE;
	const char *first = argc > 1 ? argv[1] : "";
	const struct command *command = command_find(table, count, first);
	if (command)
		return command->run(command, argc - 1, argv + 1);
	if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
		return help_print(table, count);
	if (word_misspelt(first))
		return misspelt(table, count, first);
	const struct command *late = command_late(table, count, argc, argv);
	if (late)
		return late_refuse(late);
	return fallback->run(fallback, argc, argv);
}
