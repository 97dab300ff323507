/*
 * A program beside this one, with which it talks over one socket: the program's standard input and output.
 * It is started without a shell, found in the absolute folders of PATH alone (a `git` in the working folder
 * is never it), and sees no environment but PATH, HOME and what the caller gives.
 */
#ifndef ALLOWC_BASE_CHILD_H
#define ALLOWC_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct arena;
struct reading;

struct child {
	pid_t pid;
	int talk;   /* to its standard input, from its standard output */
	int errors; /* what it says on standard error, in memory */
};

/* PATH, or /usr/bin:/bin without one. */
const char *child_search_path(void);

/*
 * The program's path, in the arena: that in its first absolute folder
 * which has a file of this name that may be run. NULL with errno set: EACCES where those that are there may
 * not be run, else ENOENT.
 */
const char *child_find(struct arena *arena, const char *name);

/* A start: both lists end with NULL, and the environment is all that the program sees. */
struct child_spawn {
	const char *path;
	const char *const *arguments, *const *environment;
	const char *folder; /* where it runs; NULL: here */
	int input, output, errors;
	bool session; /* of its own: it and what it starts have no terminal, and can be killed together */
};

/* Returns 0 or an errno value. */
int child_spawn(struct arena *arena, const struct child_spawn *spawn, pid_t *pid);

/* `arguments[0]` is the program's name; both lists end with NULL. Returns 0 or an errno value. */
int child_start(struct arena *arena, const char *const *arguments, const char *const *environment,
		struct child *child);

/* All bytes; an errno value where the program is gone. Nothing waits for a program that says nothing. */
int child_send(const struct child *child, const char *bytes, size_t size);

/* Exactly `size` bytes; EPIPE where the program says no more. */
int child_receive(const struct child *child, char *bytes, size_t size);

/* A line without its end, NUL-terminated; EPROTO where `most` bytes do not hold it. */
int child_receive_line(const struct child *child, char *line, size_t most);

/* The same of a text that ends with `last`, a NUL for one. */
int child_receive_until(const struct child *child, char last, char *text, size_t most);

/* Ends the talk and waits for it. Returns its exit status, -1 where it was killed. */
int child_end(struct child *child);

/* The first line that it said on standard error, "" without one. Before child_end(). */
const char *child_complaint(struct arena *arena, const struct child *child);

#endif
