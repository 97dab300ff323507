/*
 * What a build system asks of a run beside the artifacts: --depfile and --stamp.
 */
#ifndef ALLOWC_COMMANDS_BUILD_H
#define ALLOWC_COMMANDS_BUILD_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct options;
struct task_job;

/*
 * Before anything is written: whether neither file is one that the run reads or an artifact of it, and the
 * depfile can name all that it has to. False when trouble was reported.
 */
bool build_files_check(struct task_job *jobs, size_t count, const struct options *options,
		       struct arena *arena);

/*
 * After all artifacts: the depfile, and then the stamp. Neither where one of them turns out to be an artifact
 * that was not there before, by another name. False when trouble was reported.
 */
bool build_files_write(struct task_job *jobs, size_t count, const struct options *options,
		       struct arena *arena);

#endif
