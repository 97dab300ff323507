/*
 * How strongly one row holds in each artifact, with what that means: what `explain` shows of strength.
 */
#ifndef ALLOWC_EXPLAIN_HOLDING_H
#define ALLOWC_EXPLAIN_HOLDING_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/strength.h"

struct kernel_answer;

struct holding {
	enum strength_artifact artifact;
	enum strength strength;
	const char *sentence;
};

struct holdings {
	struct holding items[STRENGTH_ARTIFACT_COUNT];
	size_t count;
	const char *caveat; /* of the row, whatever the artifact; NULL */
};

/* Of the artifacts that are set in `emitted`. `row` is NULL for an unlisted command. */
struct holdings holdings_find(const struct strength_sets *sets, const bool emitted[STRENGTH_ARTIFACT_COUNT],
			      const struct row *row);

/*
 * Of system calls themselves, whichever rows refuse them; of a capability that no row forbids at most
 * STRENGTH_MECHANISM, since the calls are not all that it gives.
 */
struct holdings holdings_of_calls(const bool emitted[STRENGTH_ARTIFACT_COUNT],
				  const struct kernel_answer *answer);

#endif
