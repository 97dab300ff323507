/*
 * Artifacts in place: into files that people write too. Nothing of theirs is ever lost: a file is replaced
 * only where its new text keeps theirs, or it is as sync wrote it (sync_list.h), and only while it is as it
 * was read.
 *
 * First all policies, then what each asks for; only sync_commit() changes a file. Each function returns false
 * when an error was reported, in the compilation of the policy that it concerns.
 */
#ifndef ALLOWC_SYNC_H
#define ALLOWC_SYNC_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/source.h"

struct arena;
struct artifacts;
struct compilation;
struct strbuf;

/* What one `output`, or one plugin with a file, asks for. */
struct sync_request {
	struct compilation *compilation;
	const char *policy_path; /* as the command line names it: its project is where may be written */
	const char *policy_name;
	struct span place;       /* of the path in the policy */
	const char *base;        /* the file in whose folder `written` begins */
	const char *written;     /* the path as the policy has it */
	const char *shown;       /* the same from the current folder */
	const char *bytes;       /* the artifact */
	size_t size;
	/* Of an output: */
	const char *marker; /* the name of the region that it goes into */
	bool region_only;   /* `region NAME`: never the whole file */
	/* Of a plugin: */
	bool manifest;               /* `bytes` are the whole new file */
	const struct source *before; /* of which they are an edit; NULL where there was no file */
};

struct sync_options {
	bool allow_outside, dry_run, check;
};

struct sync_result {
	const char *path;
	bool written, removed; /* or would be */
};

/*
 * One for each file, in the order in which the requests name them first; then what is removed, and the lists.
 */
struct sync_results {
	struct sync_result *items;
	size_t count;
};

/* Ended by sync_end(). `options` live as long. */
struct sync *sync_begin(struct arena *arena, const struct sync_options *options);
void sync_end(struct sync *sync);

/* Reads the policy's list. What the compilation has read is spared by all requests. */
bool sync_add_policy(struct sync *sync, struct compilation *compilation, const char *policy_path,
		     const char *policy_name);

/* Decides one request; it is looked at until sync_end(). */
bool sync_add(struct sync *sync, const struct sync_request *request);

/*
 * For one whose bytes are not made yet: its file as seen from the project's top folder, in the arena. NULL
 * when it may not be written.
 */
const char *sync_output(struct sync *sync, const struct sync_request *request);

/* All files of this project that were decided, as they will be, with paths as seen from its top folder:
 * appends to `artifacts`. */
void sync_artifacts(const struct sync *sync, const char *project, struct artifacts *artifacts);

/* Does all that was decided, or nothing. With `check` nothing is written, and unified diffs are added. */
bool sync_commit(struct sync *sync, struct sync_results *results, struct strbuf *differences);

#endif
