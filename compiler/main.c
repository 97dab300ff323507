/* The program: a table of commands. */
#include "compiler/commands/command.h"
#include "compiler/commands/command_list.h"
#include "compiler/commands/program.h"

static const struct command *const commands[] = {
#define X(id, options) &command_##id,
	COMMAND_LIST(X)
#undef X
};

int main(int argc, char **argv)
{
	return program_run(commands, sizeof commands / sizeof commands[0], &command_compile, argc, argv);
}
