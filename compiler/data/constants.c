#include "compiler/data/constants.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/suggest.h"

/* Names as arrays: a table with pointers is written to at each start, page by page. */
struct constant {
	char name[40];
	int64_t value;
};

/* What some ABIs have instead. */
struct exception {
	const char *name;
	unsigned abis; /* bits 1u << ABI_… */
	int64_t value;
};

#include "compiler/data/constants.inc"

enum { CONSTANT_COUNT = sizeof constants / sizeof *constants };

static int compare(const void *name, const void *constant)
{
	return strcmp(name, ((const struct constant *)constant)->name);
}

bool constant_find(const char *name, enum abi abi, int64_t *value)
{
	const struct constant *constant =
		bsearch(name, constants, CONSTANT_COUNT, sizeof *constants, compare);
	if (!constant)
		return false;
	*value = constant->value;
	for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
		if (exceptions[i].abis >> abi & 1 && strcmp(exceptions[i].name, name) == 0)
			*value = exceptions[i].value;
	return true;
}

const char *constant_nearest(const char *name)
{
	struct suggestion suggestion = suggestion_begin(name);
	for (size_t i = 0; i < CONSTANT_COUNT; i++)
		suggestion_offer(&suggestion, constants[i].name);
	return suggestion.nearest;
}
