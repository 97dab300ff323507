/*
 * Artifacts to disk: all or nothing, and never over a file that is not allowc's own. How, and what a
 * kill, a full disk or a power failure can leave behind: adr/0008-writing-artifacts.md.
 */
#ifndef ALLOWC_OUTPUT_H
#define ALLOWC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/backend.h"

struct claims;
struct compilation;
struct generator;
struct strbuf;

/* REPLACED: marked as generated, but not as allowc wrote it. KEPT: out of date, and not selected. */
enum output_state { OUTPUT_WRITTEN, OUTPUT_UNCHANGED, OUTPUT_REMOVED, OUTPUT_REPLACED, OUTPUT_KEPT };

struct output_result {
	const char *path; /* folder and artifact, as shown */
	enum output_state state;
	const char *note; /* why it was replaced or kept; NULL otherwise */
};

/* In the order of the artifacts, then what was removed, NAME.sha256, and what was kept. */
struct output_results {
	struct output_result *items;
	size_t count, capacity;
};

/* One policy of a commit. Its compilation gets the diagnostics that concern it. */
struct output_job {
	struct compilation *compilation;
	const struct policy *policy;
	const struct backend *const *selected; /* those that were asked */
	size_t selected_count;
	const struct generator *generators; /* likewise */
	size_t generator_count;
	struct artifacts artifacts;
	struct artifacts unselected; /* what NAME.sha256 lists and this run leaves, as it would be now */
	struct output_results results;
};

/*
 * Writes the artifacts of all jobs below the folder (made when absent), and each policy's
 * NAME.sha256; with `dry_run` only says what would happen. Entries of NAME.sha256 whose backend is not
 * selected stay; true orphans with a matching hash are removed, edited ones stay and are warned of.
 *
 * False when an error was reported: then every artifact of every job is as it was, but for one trouble:
 * a journal that cannot be removed when all is written stays for the next run. A file in the way that
 * is not allowc's own, or is another policy's, is DIAG_OUTPUT; what the system refuses (permissions,
 * space) is trouble.
 */
bool output_commit(const char *folder, struct output_job *jobs, size_t count, bool dry_run);

/*
 * Which of the backends have written what the policy's NAME.sha256 lists: listed[i] for backends[i]; and the
 * generators, each as the "hash" of a path. A list that cannot be read has none; a commit or a check says
 * why.
 */
void output_listed(struct compilation *compilation, const struct policy *policy, const char *folder,
		   bool *listed, struct claims *makers);

/*
 * Writes nothing. Adds a line and a unified diff for each file that a run would change: "missing",
 * "stale", "edited" (by hand), "foreign" (never allowc's), "orphaned"; "killed" for a journal. `*current`
 * when there is none. False when an error was reported.
 */
bool output_check(const char *folder, const struct output_job *job, struct strbuf *out, bool *current);

/* "  written    generated/phase7.h  (note)\n", with the path made safe for a terminal; `note` may be NULL. */
void output_line(const char *word, const char *path, const char *note, struct strbuf *out);

/* The path of an artifact as results and messages show it. In the arena. */
const char *output_path(struct compilation *compilation, const char *folder, const char *path);

/* "NAME.sha256", in the arena. */
const char *output_manifest_name(struct compilation *compilation, const char *name);

#endif
