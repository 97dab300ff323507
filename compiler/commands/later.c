/* Commands of later versions. Their names are taken from the first one on, so that no file shadows them. */
#include <string.h>
#include <unistd.h>

#include "compiler/base/die.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/command.h"
#include "compiler/commands/terminal.h"

static int help_print(const struct command *command)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "Usage: ");
	command_usage(command, &text);
	strbuf_printf(&text, "\n%s.\nThis version does not have it yet.\n", command->summary);
	int status = terminal_print(&text) ? 0 : EXIT_TROUBLE;
	strbuf_release(&text);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0)
			return help_print(command);
	struct strbuf text = STRBUF_INIT;
	strbuf_printf(&text, "allowc: '%s' is not built yet", command->name);
	if (access(command->name, F_OK) == 0)
		strbuf_printf(&text, "; the file of that name is ./%s", command->name);
	strbuf_add_char(&text, '\n');
	terminal_complain(&text);
	strbuf_release(&text);
	return EXIT_TROUBLE;
}

const struct command command_import = {
	.name = "import",
	.usage = "[--symbol NAME] FILE...",
	.summary = "Makes a policy from what a project already has",
	.later = true,
	.run = run,
};
