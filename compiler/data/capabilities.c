#include "compiler/data/syscalls.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/base/suggest.h"

#include "compiler/data/capabilities.inc"

const size_t capability_table_size = sizeof capability_table / sizeof *capability_table;

bool capability_is_gated(const struct capability *capability)
{
	return capability->number_calls[0] || capability->argument_calls[0];
}

static int compare(const void *name, const void *capability)
{
	return strcmp(name, ((const struct capability *)capability)->name);
}

const struct capability *capability_find(const char *name)
{
	return bsearch(name, capability_table, capability_table_size, sizeof *capability_table, compare);
}

const char *capability_nearest(const char *name)
{
	struct suggestion suggestion = suggestion_begin(name);
	for (size_t i = 0; i < capability_table_size; i++)
		suggestion_offer(&suggestion, capability_table[i].name);
	return suggestion.nearest;
}
