#include "compiler/generator.h"

#include <errno.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/child.h"

bool generator_is_name(const char *name)
{
	for (const char *at = name; *at; at++) {
		bool letter = ascii_is_letter(*at) && ascii_lower(*at) == *at;
		if (!letter && (at == name || (!ascii_is_digit(*at) && *at != '-')))
			return false;
	}
	return *name != '\0';
}

bool generator_find(struct arena *arena, const char *name, struct generator *generator)
{
	errno = ENOENT;
	if (!generator_is_name(name))
		return false;
	const char *path = child_find(arena, arena_printf(arena, GENERATOR_PREFIX "%s", name));
	if (!path)
		return false;
	*generator = (struct generator){ arena_copy(arena, name, strlen(name)), path };
	return true;
}
