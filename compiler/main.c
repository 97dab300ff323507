/* The program: a table of commands. */
#include <string.h>
#include <unistd.h>

#include "compiler/base/die.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/command.h"
#include "compiler/commands/terminal.h"
#include "compiler/options.h"

static const struct command *const commands[] = {
	&command_compile, &command_sync, &command_check,     &command_list,
	&command_diff,    &command_gate, &command_explain,   &command_fmt,
	&command_import,  &command_adr,  &command_git_setup, &command_git_diff,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static int help_print(void)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text,
			"Compiles policies that say which programs may be run, and which ADR says so.\n\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		command_usage(commands[i], &text);
		strbuf_printf(&text, "\n    %s%s\n", commands[i]->summary,
			      commands[i]->later ? " (not built yet)" : "");
	}
	strbuf_add_text(
		&text,
		"\n'allowc COMMAND --help' lists a command's own options. A policy file that is called like "
		"a command is ./NAME.\n\nWithout a command:\n");
	options_help(FOR_COMPILE, &text);
	int status = terminal_print(&text) ? 0 : EXIT_TROUBLE;
	strbuf_release(&text);
	return status;
}

/* A word that looks like a command and is no file. */
static bool command_misspelt(const char *word)
{
	return strspn(word, "abcdefghijklmnopqrstuvwxyz-") == strlen(word) && word[0] != '-' && word[0] &&
	       access(word, F_OK) < 0;
}

static int misspelt(const char *word)
{
	const char *nearest = command_nearest(commands, COMMAND_COUNT, word);
	struct strbuf text = STRBUF_INIT;
	strbuf_printf(&text, "there is no command and no file '%s'", word);
	if (strcmp(word, "compile") == 0)
		strbuf_add_text(&text, "; 'allowc POLICY' compiles");
	else if (nearest)
		strbuf_printf(&text, "; did you mean '%s'?", nearest);
	int status = terminal_usage_error("", text.bytes);
	strbuf_release(&text);
	return status;
}

int main(int argc, char **argv)
{
	terminal_begin();
	const char *first = argc > 1 ? argv[1] : "";
	const struct command *command = command_find(commands, COMMAND_COUNT, first);
	if (command)
		return command->run(command, argc - 1, argv + 1);
	if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
		return help_print();
	if (command_misspelt(first))
		return misspelt(first);
	return command_compile.run(&command_compile, argc, argv);
}
