#include "compiler/gate/place.h"

#include <stddef.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"

const char *place_folder(struct arena *arena, const char *file)
{
	return path_fold(arena, arena_copy(arena, file, (size_t)(path_base(file) - file)));
}

const char *place_from(struct arena *arena, const char *base, const char *path)
{
	size_t size = (size_t)(path_base(base) - base);
	bool below = strncmp(path, base, size) == 0;
	return path_fold(arena, below ? path + size : path);
}

/* How many bytes of whole steps both begin with, the slash behind them too. */
static size_t common_size(const char *a, const char *b)
{
	size_t common = 0, i = 0;
	for (; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			common = i + 1;
	bool ends = (!a[i] || a[i] == '/') && (!b[i] || b[i] == '/');
	return ends ? i : common;
}

const char *place_towards(struct arena *arena, const char *from, const char *path)
{
	if (*path == '/')
		return path;
	size_t common = common_size(from, path);
	const char *up = "";
	for (const char *at = from + common; *(at += strspn(at, "/")); at += strcspn(at, "/"))
		up = arena_printf(arena, "%s../", up);
	const char *rest = path + common;
	return path_fold(arena, arena_printf(arena, "%s%s", up, rest + strspn(rest, "/")));
}
