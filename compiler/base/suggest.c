#include "compiler/base/suggest.h"

#include <string.h>

enum { LONGEST = 64 }; /* longer words are never mended by guessing */

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t suggest_distance(const char *a, const char *b, size_t limit)
{
	size_t a_size = strlen(a), b_size = strlen(b);
	size_t apart = a_size > b_size ? a_size - b_size : b_size - a_size;
	if (apart > limit || a_size > LONGEST || b_size > LONGEST)
		return limit + 1;
	size_t rows[3][LONGEST + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2];
	for (size_t j = 0; j <= b_size; j++)
		last[j] = j;
	for (size_t i = 1; i <= a_size; i++) {
		row[0] = i;
		for (size_t j = 1; j <= b_size; j++) {
			size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
			row[j] = smaller(replaced, smaller(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = smaller(row[j], before[j - 2] + 1);
		}
		size_t *spare = before;
		before = last;
		last = row;
		row = spare;
	}
	return smaller(last[b_size], limit + 1);
}

struct suggestion suggestion_begin(const char *wanted)
{
	size_t size = strlen(wanted);
	size_t allowed = size / 3 > 1 ? size / 3 : 1;
	if (allowed >= size)
		allowed = size ? size - 1 : 0;
	return (struct suggestion){ .wanted = wanted, .distance = allowed + 1 };
}

void suggestion_offer(struct suggestion *suggestion, const char *candidate)
{
	if (suggestion->distance == 0 || !*candidate)
		return;
	size_t limit = suggestion->distance - 1;
	size_t distance = suggest_distance(suggestion->wanted, candidate, limit);
	if (distance > limit)
		return;
	suggestion->nearest = candidate;
	suggestion->distance = distance;
}
