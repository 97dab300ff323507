#include "compiler/data/launchers.h"

#include <string.h>

#include "compiler/data/launchers.inc"

const size_t launcher_table_size = sizeof launcher_table / sizeof *launcher_table;

const struct launcher *launcher_find(const char *command)
{
	size_t low = 0, high = launcher_table_size;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(command, launcher_table[middle].program);
		if (order == 0)
			return &launcher_table[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const char *launcher_article(const struct launcher *launcher)
{
	return *launcher->kind == 'i' ? "an" : "a";
}
