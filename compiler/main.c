/* The program: a table of commands. */
#include "compiler/commands/command.h"
#include "compiler/commands/program.h"

/* In the order of --help. */
static const struct command *const commands[] = {
	&command_compile, &command_sync, &command_check,     &command_list,
	&command_diff,    &command_gate, &command_explain,   &command_fmt,
	&command_import,  &command_adr,  &command_git_setup, &command_git_diff,
};

int main(int argc, char **argv)
{
	return program_run(commands, sizeof commands / sizeof commands[0], &command_compile, argc, argv);
}
