/*
 * What of a system call needs a capability, told by its arguments. Source: compiler/data/gates.tsv, which
 * names its own.
 */
#ifndef ALLOWC_DATA_GATES_H
#define ALLOWC_DATA_GATES_H

#include <stddef.h>

enum { GATE_COMPARISONS = 2 };

/* All comparisons of one gate hold; each line of the table is a gate. Values are constants joined by '|'. */
struct gate {
	const char *capability, *call;
	size_t count;
	struct {
		const char *argument, *sign;
		const char *mask;  /* NULL without one */
		const char *value; /* NULL for the sign "&" */
	} comparisons[GATE_COMPARISONS];
};

extern const struct gate gate_table[];
extern const size_t gate_table_size;

#endif
