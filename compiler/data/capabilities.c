#include "compiler/data/syscalls.h"

#include <string.h>

#include "compiler/base/suggest.h"

#include "compiler/data/capabilities.inc"

const size_t capability_table_size = sizeof capability_table / sizeof *capability_table;

bool capability_is_gated(const struct capability *capability)
{
	return capability->number_calls[0] || capability->argument_calls[0];
}

const struct capability *capability_find(const char *name)
{
	size_t low = 0, high = capability_table_size;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, capability_table[middle].name);
		if (order == 0)
			return &capability_table[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const char *capability_nearest(const char *name)
{
	struct suggestion suggestion = suggestion_begin(name);
	for (size_t i = 0; i < capability_table_size; i++)
		suggestion_offer(&suggestion, capability_table[i].name);
	return suggestion.nearest;
}
