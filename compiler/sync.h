/*
 * Artifacts in place: into files that people write too. Nothing of theirs is ever lost: a file is replaced
 * only where its new text keeps theirs, and only while it is as it was read.
 */
#ifndef ALLOWC_SYNC_H
#define ALLOWC_SYNC_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/source.h"

struct arena;
struct compilation;
struct strbuf;

/* What one `output`, or one plugin with a file, asks for. */
struct sync_request {
	struct compilation *compilation;
	const char *policy_path; /* as the command line names it: its project is where may be written */
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
	bool written; /* or would be */
};

/* One for each file, in the order in which the requests name them first. In the arena. */
struct sync_results {
	struct sync_result *items;
	size_t count;
};

/*
 * Does all that is asked, or nothing. False when an error was reported, in the compilation of the request
 * that it concerns. With `check` nothing is written, and unified diffs are added to `differences`.
 */
bool sync_commit(struct arena *arena, const struct sync_request *requests, size_t count,
		 const struct sync_options *options, struct sync_results *results,
		 struct strbuf *differences);

#endif
