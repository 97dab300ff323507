/*
 * What a run would do to the output folder: read from the folder, decided, and nothing touched yet.
 * Internal to output.c.
 */
#ifndef ALLOWC_OUTPUT_PLAN_H
#define ALLOWC_OUTPUT_PLAN_H

#include "compiler/claims.h"
#include "compiler/file.h"
#include "compiler/folder.h"
#include "compiler/generator.h"
#include "compiler/manifest.h"
#include "compiler/output.h"

/* One file. `hash` and `old.hash` are known where the file changes. */
struct step {
	const char *path;  /* below the folder */
	const char *bytes; /* NULL: it is removed */
	size_t size;
	const char *hash;
	struct file_content old;
	const char *old_hash; /* NULL where it does not exist */
	enum output_state state;
	bool unclaimed; /* what is there is not as allowc wrote it; only a check goes on after that */
	bool prepared;  /* its temporary file is ours */
	bool done;
};

/* What another policy's NAME.sha256 in the same folder says. */
struct other_list {
	const char *name;
	struct claims claims;
};

/* The lists that name one path, in the order of their names. */
struct listing {
	const struct other_list *list;
	struct listing *next;
};

struct map;

struct plan {
	struct compilation *compilation;
	const struct policy *policy;
	const char *folder;
	int fd;        /* the open folder, or -1 where it does not exist yet */
	bool checking; /* files that are not allowc's own are findings, not errors */
	const struct backend *const *selected;
	size_t selected_count;
	const struct generator *generators;
	size_t generator_count;

	struct step *steps; /* artifacts, removals, and the manifest last */
	size_t step_count, step_capacity;

	const char *manifest_name, *journal_name;
	struct manifest manifest; /* what NAME.sha256 says now */
	struct manifest next;     /* what it will say */
	struct claims produced;   /* the artifacts of this run alone */
	struct map *others;       /* by path, to its struct listing; NULL where there are none */

	struct file_content journal; /* of a run that was killed */
	struct claims journal_claims, journal_paths;

	bool prepared; /* its journal stands: plan_undo() has something to do */
};

/* Fills the steps. False when an error was reported. */
bool plan_make(struct plan *plan, const struct artifacts *artifacts);

/*
 * No path may be in two plans for one folder. `plans` has those of the plans before, by path, and gets this
 * one's; reports, and is false, where one is there already.
 */
bool plan_is_apart(const struct plan *plan, struct map *plans);

/* Whether any step is not OUTPUT_UNCHANGED. */
bool plan_changes(const struct plan *plan);

/* "plugin.yaml" is first ".plugin.yaml.allowc" beside it. */
const char *plan_temporary(const struct plan *plan, const char *name);

/* Trouble with one file: "cannot VERB 'folder/path': why". */
void plan_trouble(const struct plan *plan, const char *verb, const char *path, int error);

#endif
