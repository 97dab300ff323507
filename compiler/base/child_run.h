/*
 * A program that is given one text and answers with one: run to its end, within a time and a size. Nothing
 * that it starts outlives it, unless that leaves its session.
 */
#ifndef ALLOWC_BASE_CHILD_RUN_H
#define ALLOWC_BASE_CHILD_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/strbuf.h"

struct arena;

struct child_order {
	const char *path; /* from child_find() */
	const char *const *arguments, *const *environment;
	const char *folder; /* where it runs; NULL: here */
	const char *input;  /* on its standard input; it need not read it */
	size_t input_size;
	unsigned seconds; /* that it may take */
	size_t most;      /* bytes that it may print */
};

enum child_end {
	CHILD_EXITED,      /* `status` is its exit status */
	CHILD_KILLED,      /* by the signal `status` */
	CHILD_LATE,        /* it took too long, and was killed */
	CHILD_LOUD,        /* it printed too much, and was killed */
	CHILD_INTERRUPTED, /* the signal `status` tells this program to end: it was killed first */
	CHILD_TROUBLE,     /* it could not be run: `status` is an errno value */
};

struct child_answer {
	enum child_end end;
	int status;
	struct strbuf output;
	struct strbuf errors; /* the beginning of what it said on standard error */
	bool errors_cut;      /* it said more */
};

/* The caller releases both texts of the answer, whatever its end. */
struct child_answer child_run(struct arena *arena, const struct child_order *order);

#endif
