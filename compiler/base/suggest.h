/*
 * "Did you mean": the nearest of some known words.
 */
#ifndef ALLOWC_BASE_SUGGEST_H
#define ALLOWC_BASE_SUGGEST_H

#include <stddef.h>

/*
 * The number of single-character insertions, deletions, replacements and swaps of neighbours that turn
 * `a` into `b` (optimal string alignment, over bytes), or `limit + 1` where it is more than `limit`.
 */
size_t suggest_distance(const char *a, const char *b, size_t limit);

/* Offers candidates one by one and keeps the nearest; the first of equals wins. */
struct suggestion {
	const char *wanted;
	const char *nearest; /* NULL while nothing is near enough */
	size_t distance;
};

/* Near enough is a third of the word's length, at least 1, and never the whole word. */
struct suggestion suggestion_begin(const char *wanted);
void suggestion_offer(struct suggestion *suggestion, const char *candidate);

#endif
