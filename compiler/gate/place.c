#include "compiler/gate/place.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"

static bool step_is(const char *step, size_t size, const char *word)
{
	return size == strlen(word) && memcmp(step, word, size) == 0;
}

/* Where the last step of `out` begins, and whether it may be taken back. */
static bool step_back(const char *out, size_t *end)
{
	size_t begin = *end;
	while (begin && out[begin - 1] != '/')
		begin--;
	if (begin == *end || step_is(out + begin, *end - begin, ".."))
		return false;
	*end = begin > 1 ? begin - 1 : begin;
	return true;
}

const char *place_fold(struct arena *arena, const char *path)
{
	char *out = arena_copy(arena, path, strlen(path));
	bool root = *path == '/';
	size_t end = root;
	for (const char *at = path; *(at += strspn(at, "/"));) {
		size_t size = strcspn(at, "/");
		bool up = step_is(at, size, "..");
		if (!step_is(at, size, ".") && !(up && (step_back(out, &end) || (root && end == 1)))) {
			if (end > (size_t)root)
				out[end++] = '/';
			memmove(out + end, at, size);
			end += size;
		}
		at += size;
	}
	out[end] = '\0';
	return out;
}

const char *place_folder(struct arena *arena, const char *file)
{
	return place_fold(arena, arena_copy(arena, file, (size_t)(path_base(file) - file)));
}

const char *place_from(struct arena *arena, const char *base, const char *path)
{
	size_t size = (size_t)(path_base(base) - base);
	bool below = strncmp(path, base, size) == 0;
	return place_fold(arena, below ? path + size : path);
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
	return place_fold(arena, arena_printf(arena, "%s%s", up, rest + strspn(rest, "/")));
}
