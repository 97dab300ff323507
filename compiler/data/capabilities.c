#include "compiler/data/syscalls.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "compiler/base/ascii.h"
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

static const char *nearest_to(const char *name)
{
	struct suggestion suggestion = suggestion_begin(name);
	for (size_t i = 0; i < capability_table_size; i++)
		suggestion_offer(&suggestion, capability_table[i].name);
	return suggestion.nearest;
}

/* "sys-ptrace", "cap_sys_ptrace": as capabilities are spelt, in a buffer that holds any of them. */
static const char *folded(const char *name, char *buffer, size_t size)
{
	static const char begin[] = "CAP_";
	size_t at = strncasecmp(name, "cap", 3) == 0 && name[3] && strchr("_-", name[3]) ? 0 : strlen(begin);
	if (at + strlen(name) >= size)
		return name;
	memcpy(buffer, begin, strlen(begin));
	for (; *name; name++)
		buffer[at++] = *name == '-' ? '_' : ascii_upper(*name);
	buffer[at] = '\0';
	return buffer;
}

const char *capability_nearest(const char *name)
{
	char buffer[64];
	const char *nearest = nearest_to(name);
	return nearest ? nearest : nearest_to(folded(name, buffer, sizeof buffer));
}
