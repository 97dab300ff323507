/*
 * A command of the program. `run` gets the arguments after the command's name and returns the exit
 * status: 0 done, 1 found, 2 trouble.
 */
#ifndef ALLOWC_COMMANDS_COMMAND_H
#define ALLOWC_COMMANDS_COMMAND_H

struct command {
	const char *name;
	const char *summary; /* one line of `allowc --help` */
	int (*run)(int argc, char **argv);
};

extern const struct command command_compile, command_check, command_list;

#endif
