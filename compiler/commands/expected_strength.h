/*
 * `expect strength LEVEL`: whether each forbidden row has it in the artifacts of a run. The best of the
 * artifacts counts: a filter that refuses what strace needs is what a header cannot be.
 */
#ifndef ALLOWC_COMMANDS_EXPECTED_STRENGTH_H
#define ALLOWC_COMMANDS_EXPECTED_STRENGTH_H

#include <stdbool.h>

struct choice;
struct options;
struct task_job;

/* Against what compiling emits. Reports; nothing of an audit, which holds nothing and says so. */
void strength_expectations_check(struct task_job *job, const struct choice *emitted,
				 const struct options *options);

/* Against all that the policy has: what compiling and syncing write together. For check and sync. */
void strengths_check(struct task_job *job, const struct options *options);

/* Sets which artifacts (enum strength_artifact) those are: what --emit selects, and what syncing writes. */
void strength_artifacts_emitted(struct task_job *job, const struct options *options, bool *emitted);

#endif
