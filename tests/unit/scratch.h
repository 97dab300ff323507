/*
 * A folder for one test program, and commands run in it: for tests that give an artifact to a compiler
 * or an interpreter. Include it after <cmocka.h>.
 */
#ifndef ALLOWC_TESTS_SCRATCH_H
#define ALLOWC_TESTS_SCRATCH_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The interpreter, in a command: the one that the Makefile names. */
#define SCRATCH_PYTHON "${PYTHON:-/usr/bin/python3}"

struct scratch {
	char folder[200];
};

/*
 * Skips the test where a shell command fails: it looks whether a tool is there, and `name` is the reason that
 * tests/run shows. To be called before the test owns anything.
 */
static inline void scratch_need(const char *command, const char *name)
{
	char line[256];
	snprintf(line, sizeof line, "( %s ) </dev/null >/dev/null 2>&1", command);
	if (system(line) == 0)
		return;
	print_message("# needs %s\n", name);
	skip();
}

/* Makes the folder. False where that fails. */
static inline bool scratch_begin(struct scratch *scratch)
{
	const char *parent = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	int size = snprintf(scratch->folder, sizeof scratch->folder, "%s/allowc-unit-XXXXXX", parent);
	if (size < 0 || (size_t)size >= sizeof scratch->folder)
		return false;
	return mkdtemp(scratch->folder) != NULL;
}

static inline bool scratch_write(const struct scratch *scratch, const char *name, const char *bytes,
				 size_t size)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", scratch->folder, name);
	FILE *file = fopen(path, "wb");
	if (!file)
		return false;
	bool whole = fwrite(bytes, 1, size, file) == size;
	return fclose(file) == 0 && whole;
}

/* The exit status of a shell command in the folder, its standard input empty; -1 where a signal ended it. */
static inline int scratch_run(const struct scratch *scratch, const char *command)
{
	char line[2048];
	int size = snprintf(line, sizeof line, "cd '%s' && ( %s ) </dev/null", scratch->folder, command);
	if (size < 0 || (size_t)size >= sizeof line)
		return -1;
	fflush(NULL);
	int status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void scratch_end(struct scratch *scratch)
{
	char line[256];
	snprintf(line, sizeof line, "rm -rf '%s'", scratch->folder);
	if (system(line) != 0)
		fprintf(stderr, "%s: cannot be removed\n", scratch->folder);
}

#endif
