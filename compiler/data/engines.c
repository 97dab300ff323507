#include <string.h>

#include "compiler/data/syscalls.h"

#include "compiler/data/engines.inc"

bool syscall_passes_engines(const char *name)
{
	size_t low = 0, high = sizeof engine_calls / sizeof *engine_calls;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, engine_calls[middle]);
		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}
