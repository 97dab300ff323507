#include "compiler/data/packages.h"

#include <string.h>

#include "compiler/data/packages.inc"

enum { PACKAGE_COUNT = sizeof packages / sizeof *packages };

/* The first that does not stand before it. */
static size_t position_of(const char *package)
{
	size_t low = 0, high = PACKAGE_COUNT;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(packages[middle].package, package) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct package *packages_find(const char *package, size_t *count)
{
	size_t begin = position_of(package), end = begin;
	while (end < PACKAGE_COUNT && strcmp(packages[end].package, package) == 0)
		end++;
	*count = end - begin;
	return packages + begin;
}
