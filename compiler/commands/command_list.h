/*
 * Every command, in the order of --help, and which options it takes, a FOR_ bit of options.h: X(IDENTIFIER,
 * options). 0 where it takes none but --help. The list feeds the program and what shells complete.
 */
#ifndef ALLOWC_COMMANDS_COMMAND_LIST_H
#define ALLOWC_COMMANDS_COMMAND_LIST_H

#define COMMAND_LIST(X)                                                                                      \
	X(compile, FOR_COMPILE)                                                                              \
	X(sync, FOR_SYNC)                                                                                    \
	X(check, FOR_CHECK)                                                                                  \
	X(list, FOR_LIST)                                                                                    \
	X(diff, FOR_DIFF)                                                                                    \
	X(gate, FOR_GATE)                                                                                    \
	X(explain, FOR_EXPLAIN)                                                                              \
	X(fmt, FOR_FMT)                                                                                      \
	X(import, FOR_IMPORT)                                                                                \
	X(adr, FOR_ADR)                                                                                      \
	X(git_setup, 0)                                                                                      \
	X(git_diff, 0)

#endif
