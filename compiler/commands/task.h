/*
 * What the commands share: options first, then one compilation for each policy, then what all said.
 */
#ifndef ALLOWC_COMMANDS_TASK_H
#define ALLOWC_COMMANDS_TASK_H

#include <stdbool.h>

#include "backends/backend.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/artifacts.h"
#include "compiler/options.h"

struct arena;
struct command;
struct diags;
struct policy;

/* One policy of the command line. */
struct task_job {
	const char *path;
	struct compilation compilation;
	const struct policy *policy; /* NULL where it is rejected */
	struct artifacts artifacts, unselected; /* for the task's own use */
	const enum backend_role *roles;         /* likewise: of each backend */
	struct strbuf out;                      /* what standard output is to show */
	int found;
};

/* Does one policy, resolved and without errors; returns the exit status, unless what it reports is worse. */
typedef int task_function(struct task_job *job, const struct options *options);

/* What is done for all of them at once, when none reported an error. */
typedef void task_finish_function(struct task_job *jobs, size_t count, const struct options *options,
				  struct arena *arena);

/*
 * Reads the options, answers --help and --version, does `task` for each policy in turn, then `finish`
 * (which may be NULL); only then prints what they said. The worst status of all is returned. Two policies
 * of one name are refused: they would write the same files.
 */
int task_run(const struct command *command, unsigned bit, int argc, char **argv, task_function *task,
	     task_finish_function *finish);

/*
 * Reads the options alone. False where that is all there is to do: they were wrong, or --help or --version
 * was answered; `*status` is then the exit status.
 */
bool task_options(const struct command *command, unsigned bit, int argc, char **argv, struct arena *arena,
		  struct options *options, int *status);

/* The one that tells of more: trouble, then what was found, then nothing. */
int status_worse(int status, int other);

/*
 * What several compilations say, in one piece: of JSON one value, however many there are. complaints_end()
 * prints it, false where that cannot be, and releases it.
 */
struct complaints {
	const struct options *options;
	bool colour;
	struct strbuf text;
};

struct complaints complaints_begin(const struct options *options);
void complaints_add(struct complaints *complaints, const struct diags *diags);
bool complaints_end(struct complaints *complaints);

/* "phase7: 17 commands allowed, 1 forbidden; CAP_SYS_PTRACE forbidden (6 system calls denied)\n" */
void task_summary(const struct policy *policy, struct strbuf *out);

#endif
