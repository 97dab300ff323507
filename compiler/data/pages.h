/*
 * What each diagnostic means, an example that brings it about, and the mend. Source: pages/, of which
 * policy.txt says how they are written; tests/cli/test_pages.py runs each example.
 */
#ifndef ALLOWC_DATA_PAGES_H
#define ALLOWC_DATA_PAGES_H

#include "compiler/base/diag.h"

struct page_file {
	const char *name; /* NULL after the last */
	const char *text;
};

struct page {
	const char *meaning, *mend; /* sentences, on one line */
	const char *args;           /* of allowc, for the example: "check policy.allow" */
	const struct page_file *example;
	/* In place of the example's of these names; without text to remove one. NULL: a sketch, which no test
	 * runs. */
	const struct page_file *mended;
};

/* Each diagnostic has one. */
const struct page *page_of(enum diag_id id);

#endif
