/*
 * Artifacts to disk: all or nothing, and never over a file that is not allowc's own.
 */
#ifndef ALLOWC_OUTPUT_H
#define ALLOWC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/backend.h"

struct compilation;

enum output_state { OUTPUT_WRITTEN, OUTPUT_UNCHANGED, OUTPUT_REMOVED };

struct output_result {
	const char *path; /* folder and artifact, as shown */
	enum output_state state;
};

struct output_results {
	struct output_result *items;
	size_t count, capacity;
};

/*
 * Writes the artifacts of policy `name` below `folder` (made when absent), then NAME.sha256; with
 * `dry_run` only says what would happen. Entries of NAME.sha256 whose backend is not among the
 * `selected` stay; true orphans with a matching hash are removed. False when an error was reported:
 * then every file is as it was.
 */
bool output_commit(struct compilation *compilation, const char *folder, const char *name,
		   const struct backend *const *selected, size_t selected_count,
		   const struct artifacts *artifacts, bool dry_run, struct output_results *results);

#endif
