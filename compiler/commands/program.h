/*
 * The whole program over a table of commands.
 */
#ifndef ALLOWC_COMMANDS_PROGRAM_H
#define ALLOWC_COMMANDS_PROGRAM_H

#include <stddef.h>

struct command;

/*
 * Runs the command that argv[1] names, or `fallback`, and returns the exit status. Answers a leading
 * --help for all of them, and a first word that is neither a command nor a file.
 */
int program_run(const struct command *const *table, size_t count, const struct command *fallback, int argc,
		char **argv);

#endif
