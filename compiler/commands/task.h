/*
 * What the commands share: options first, then one compilation for each policy, then what it said.
 */
#ifndef ALLOWC_COMMANDS_TASK_H
#define ALLOWC_COMMANDS_TASK_H

#include <stdbool.h>

#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/options.h"

struct arena;
struct command;
struct policy;

/*
 * Does one policy: adds to `out` what standard output is to show, and returns the exit status, unless
 * what it reports makes that worse. `policy` is resolved and without errors.
 */
typedef int task_function(struct compilation *compilation, const struct policy *policy,
			  const struct options *options, struct strbuf *out);

/*
 * Reads the options, answers --help and --version, and does `task` for each policy in turn; the worst
 * status of all is returned. Two policies of one name are refused: they would write the same files.
 */
int task_run(const struct command *command, unsigned bit, int argc, char **argv, task_function *task);

/* "phase7: 17 commands allowed, 1 forbidden; CAP_SYS_PTRACE forbidden (6 system calls denied)\n" */
void task_summary(const struct policy *policy, struct strbuf *out);

#endif
