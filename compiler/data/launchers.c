#include "compiler/data/launchers.h"

#include <string.h>

#include "compiler/data/launchers.inc"

const struct launcher *launcher_find(const char *command)
{
	size_t low = 0, high = sizeof launchers / sizeof *launchers;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(command, launchers[middle].program);
		if (order == 0)
			return &launchers[middle];
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
