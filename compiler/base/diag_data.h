/*
 * How the renderer sees diagnostics. Internal to base/: stages use diag.h alone.
 */
#ifndef ALLOWC_BASE_DIAG_DATA_H
#define ALLOWC_BASE_DIAG_DATA_H

#include "compiler/base/diag.h"

enum part_kind { PART_NOTE, PART_HELP, PART_FIX };

struct part {
	struct part *next;
	enum part_kind kind;
	struct span place;
	const char *text;
};

struct diag_view {
	enum diag_id id;
	enum diag_severity severity;
	bool promoted; /* a warning that -Werror made an error */
	struct span place;
	size_t order; /* of reporting */
	const char *text;
	const struct part *parts;
};

/* By place: in order of loading, then of the text, and at one place as they were reported. */
bool diag_stands_before(const struct diag_view *a, const struct diag_view *b);

const char *diags_side(const struct diags *diags); /* NULL: there is one policy */

/* The one to name where nothing that is shown does; or NULL. */
const char *diags_policy(const struct diags *diags);

/* Whether this was rendered before; from now on it was. Never where each is told alone. */
bool diags_told_before(const struct diags *diags, struct span place, const char *text,
		       const struct part *parts);

size_t diags_count(const struct diags *diags);
struct diag_view diags_view(const struct diags *diags, size_t index);
size_t diags_trouble_count(const struct diags *diags);
const char *diags_trouble(const struct diags *diags, size_t index);

/* How many were past the limit, which holds for each kind by itself. */
size_t diags_hidden_errors(const struct diags *diags);
size_t diags_hidden_warnings(const struct diags *diags);

#endif
