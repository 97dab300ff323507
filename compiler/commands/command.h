/*
 * The commands of the program. `run` gets the command itself and the arguments from the command's name
 * on (argv[0] is the name, or the program's where the command is the default), and returns the exit
 * status: 0 done, 1 found, 2 trouble.
 */
#ifndef ALLOWC_COMMANDS_COMMAND_H
#define ALLOWC_COMMANDS_COMMAND_H

#include <stddef.h>

struct command {
	const char *name;    /* "" for the default, compile */
	const char *usage;   /* what follows the name: "[options] POLICY..." */
	const char *summary; /* one line of `allowc --help` */
	int (*run)(const struct command *command, int argc, char **argv);
};

extern const struct command command_compile, command_sync, command_check, command_list, command_adr,
	command_diff, command_gate, command_explain, command_fmt, command_git_setup, command_git_diff,
	command_import;

/* "allowc check [options] POLICY..." */
struct strbuf;
void command_usage(const struct command *command, struct strbuf *out);

/* The command of that name, or NULL; the nearest name, or NULL. */
const struct command *command_find(const struct command *const *table, size_t count, const char *name);
const char *command_nearest(const struct command *const *table, size_t count, const char *name);

#endif
