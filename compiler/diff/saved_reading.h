/*
 * What the parts of reading a saved artifact share. Internal to compiler/diff/: everyone else uses saved.h.
 */
#ifndef ALLOWC_DIFF_SAVED_READING_H
#define ALLOWC_DIFF_SAVED_READING_H

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/map.h"
#include "compiler/base/source.h"
#include "compiler/diff/saved_value.h"
#include "compiler/policy/policy.h"
#include "compiler/policy/restore.h"

struct saved_reading {
	struct compilation *compilation;
	struct arena *arena;
	struct restorer *restorer;
	struct policy *policy;
	struct saved_mistakes mistakes;
	struct map *layers; /* by name */
	struct map *adrs;   /* by reference, of those that were opened */
	/*
	 * Places keep their lines: a text of empty lines stands for each file. `last_line` is the highest
	 * that was asked for; the text comes at the end.
	 */
	struct source *lines;
	unsigned last_line;
};

/* saved.c: members "layer", and "line" (`no_span` without one). */
const struct layer *saved_layer(struct saved_reading *reading, const struct saved_value *object);
struct span saved_span(struct saved_reading *reading, const struct saved_value *object);

/* saved_rows.c: one row, and the list "rows" of an object; of a role or plugin with its block. */
const struct row *saved_row(struct saved_reading *reading, const struct saved_value *object,
			    const struct block *block);
const struct row *const *saved_rows(struct saved_reading *reading, const struct saved_value *above,
				    const struct block *block, size_t *count);

/* Of allow and forbid rows about commands; two of one command are a mistake. */
struct row_index *saved_index(struct saved_reading *reading, const struct saved_value *above,
			      const struct row *const *rows, size_t count);

/* saved_calls.c: a list of calls; a member that is an action; the settings of the filter. */
const struct call_reference *saved_calls(struct saved_reading *reading, const struct saved_value *list,
					 size_t *count);
struct action saved_action(struct saved_reading *reading, const struct saved_value *object, const char *key);
void saved_seccomp(struct saved_reading *reading, const struct saved_value *whole);

/* saved_check.c: what follows from the rest, against what the artifact says of it. */
void saved_check(struct saved_reading *reading, const struct saved_value *whole);

#endif
