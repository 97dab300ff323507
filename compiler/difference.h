/*
 * The unified diff of two texts, as `diff -u` prints it and `patch` applies it.
 */
#ifndef ALLOWC_DIFFERENCE_H
#define ALLOWC_DIFFERENCE_H

#include <stddef.h>

struct strbuf;

/* One side; `name` is "/dev/null" for a file that is not there. */
struct difference_side {
	const char *name, *bytes;
	size_t size;
};

/*
 * Adds nothing for equal texts, one sentence where either holds a NUL. The edit script is the shortest,
 * unless the texts differ in more than some thousand lines: then their middle is replaced as a whole.
 */
void difference_print(const struct difference_side *old, const struct difference_side *new,
		      struct strbuf *out);

#endif
