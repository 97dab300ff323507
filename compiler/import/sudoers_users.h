/*
 * Lines of users of sudoers(5), "%ops H1 = (root) NOPASSWD: TOOLS, !/usr/bin/su : H2 = READERS": the commands
 * behind each '=', without what stands before them. Who may run them, where and as whom is not kept.
 */
#ifndef ALLOWC_IMPORT_SUDOERS_USERS_H
#define ALLOWC_IMPORT_SUDOERS_USERS_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/import/sudoers_text.h"

/* Of all lines, in the order of the text; a negated one is refused. */
struct sudoers_users {
	struct sudoers_item *items;
	size_t count, capacity;
};

/*
 * Adds what a line of users that begins here names, up to its end. False when an error was reported: it
 * cannot be read, refuses users or hosts, or refuses what may be granted again behind it in the same list,
 * where the last decides.
 */
bool sudoers_users_read(struct sudoers_text *text, struct sudoers_users *users);

/* Of an alias of users or hosts: false when an error was reported, as for users that it refuses. */
bool sudoers_users_check(struct sudoers_text *text);

#endif
