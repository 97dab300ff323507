/*
 * How a row writes the command that it names: what is advised must compile as it stands.
 */
#ifndef ALLOWC_POLICY_ROW_SUBJECT_H
#define ALLOWC_POLICY_ROW_SUBJECT_H

#include <stdbool.h>

struct arena;

/*
 * `command` as a word, or as a string where a word would be something else or doubtful: "syscall",
 * "a,b", a name of the kernel's. NULL where no row can name it. In the arena.
 */
const char *command_as_subject(struct arena *arena, const char *command);

/*
 * Whether a row can name the command. Where it cannot, `*what` completes "'command' …", and `*right` is the
 * form to write, or NULL.
 */
bool command_is_nameable(struct arena *arena, const char *command, const char **what, const char **right);

#endif
