/*
 * What compiling and syncing share: the artifacts of one policy, made by some backends.
 */
#ifndef ALLOWC_COMMANDS_ARTIFACTS_H
#define ALLOWC_COMMANDS_ARTIFACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/source.h"

struct artifacts;
struct backend;
struct compilation;
struct generator;
struct options;
struct policy;
struct task_job;

/* What a run has to do with a backend's artifacts. */
enum backend_role {
	ROLE_UNSELECTED, /* they stay as they are */
	ROLE_SELECTED,
	ROLE_LEFT_OUT, /* by default, but it cannot say what the policy says: they go */
};

/* A choice of backends, in the order of the table, and of generators, which run after them. */
struct choice {
	const struct backend **items;
	size_t count;
	const struct generator *generators;
	size_t generator_count;
	unsigned generator_seconds;
};

/*
 * Appends the artifacts of all of them, and builds the filter where one needs it. Goes on after a backend's
 * error, to report those of all; false when there was one.
 */
bool artifacts_make(struct task_job *job, const struct choice *choice, struct artifacts *artifacts);

/* Their paths alone, in the same order, without those of generators. */
void artifacts_list(struct compilation *compilation, const struct policy *policy, const struct choice *choice,
		    struct artifacts *artifacts);

/* Whether the filters of the policy and its roles can be built; what cannot is reported. */
bool filters_check(struct task_job *job);

/*
 * A generator by its name; NULL when an error was reported, at `place`, where no program can be run under it.
 * `whose` says what names it: "'p1.sha256' lists files of it".
 */
const struct generator *generator_want(struct compilation *compilation, const char *name, struct span place,
				       const char *whose);
/* What --emit selects for this policy, or what is by default for it. */
struct choice choice_selected(struct task_job *job, const struct options *options);

/* What sync writes: the backends that the policy's `output` and its plugins' files name. */
struct choice choice_named(const struct task_job *job);

/* Whether one of them is a profile that container engines take in place of their own. */
bool choice_replaces_engines(const struct choice *choice);

/*
 * Whether each `output` of the policy names an artifact that can be put somewhere; what does not is reported.
 */
bool outputs_check(struct compilation *compilation, const struct policy *policy);

#endif
