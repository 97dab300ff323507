#include "compiler/data/libraries.h"

#include <string.h>

#include "compiler/base/suggest.h"

#include "compiler/data/libraries.inc"

const size_t library_table_size = sizeof library_table / sizeof *library_table;

const struct library *library_find(const char *name)
{
	for (size_t i = 0; i < library_table_size; i++)
		if (strcmp(library_table[i].name, name) == 0)
			return &library_table[i];
	return NULL;
}

const char *library_nearest(const char *name)
{
	struct suggestion suggestion = suggestion_begin(name);
	size_t size = strlen(name);
	const char *dated = NULL;
	for (size_t i = 0; i < library_table_size; i++) {
		const char *known = library_table[i].name;
		if (strncmp(known, name, size) == 0 && known[size] == '-')
			dated = known;
		suggestion_offer(&suggestion, known);
	}
	return dated ? dated : suggestion.nearest;
}
