/*
 * The only place that prints. Text goes out in one write, so that it is not torn by another process.
 */
#ifndef ALLOWC_COMMANDS_TERMINAL_H
#define ALLOWC_COMMANDS_TERMINAL_H

#include <stdbool.h>

#include "compiler/options.h"

struct strbuf;

/*
 * Before anything is opened: a standard stream that the caller closed must not become the number of a
 * file of ours. Writing to a closed one stays an error. False where that could not be kept from happening,
 * which is said on standard error.
 */
bool terminal_begin(void);

/*
 * To standard output: as it is, but with nothing invisible for a person at a terminal. False when it could
 * not be written, which is said on standard error.
 */
bool terminal_print(const struct strbuf *text);

/*
 * Adds a path and a line end for standard output: as it is for a program that reads it, on one line for a
 * person at a terminal.
 */
void terminal_path_add(struct strbuf *out, const char *path);

/* To standard error. False when it could not be written; there is nowhere left to say so. */
bool terminal_complain(const struct strbuf *text);

/*
 * Says "allowc: MESSAGE", made safe for a terminal, and which --help to read: that of the command `name`,
 * or the program's where it is "". Returns EXIT_TROUBLE.
 */
int terminal_usage_error(const char *name, const char *message);

/* Whether standard error gets colour: NO_COLOR decides, then CLICOLOR_FORCE, then --color. */
bool terminal_colour(enum color color);

#endif
