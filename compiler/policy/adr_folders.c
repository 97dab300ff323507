#include "compiler/policy/adr_folders.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/policy/adr_reference.h"

/* `docs/phases/phase-*-x/ADRs` in parts. */
struct pattern {
	const char *folder;         /* "docs/phases", "." */
	const char *begin;          /* how its matches' paths begin: "docs/phases/", "" */
	struct slice before, after; /* "phase-", "-x" */
	const char *rest;           /* "/ADRs" */
};

bool adr_pattern_is(const char *path)
{
	return strpbrk(path, "*?[") != NULL;
}

bool adr_pattern_is_valid(const char *path)
{
	const char *star = strchr(path, '*');
	return star && !strpbrk(star + 1, "*") && !strpbrk(path, "?[");
}

static struct pattern pattern_split(struct compilation *compilation, const char *path)
{
	const char *star = strrchr(path, '*'); /* the folder of the policy may have one in its name */
	const char *begin = star;
	while (begin > path && begin[-1] != '/')
		begin--;
	size_t after = strcspn(star + 1, "/"), folder = (size_t)(begin - path);
	return (struct pattern){
		.begin = arena_copy(compilation->arena, path, folder),
		.folder = folder ? arena_copy(compilation->arena, path, folder > 1 ? folder - 1 : 1) : ".",
		.before = { begin, (size_t)(star - begin) },
		.after = { star + 1, after },
		.rest = star + 1 + after,
	};
}

const char *adr_pattern_folder(struct compilation *compilation, const char *pattern)
{
	return pattern_split(compilation, pattern).folder;
}

/* What the star stands for in this name; of size 0 where the name does not match. */
static struct slice star_match(const struct pattern *pattern, const char *name)
{
	size_t size = strlen(name), before = pattern->before.size, after = pattern->after.size;
	if (name[0] == '.' || size <= before + after || memcmp(name, pattern->before.at, before) != 0 ||
	    memcmp(name + size - after, pattern->after.at, after) != 0)
		return (struct slice){ name, 0 };
	return (struct slice){ name + before, size - before - after };
}

static bool is_folder(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void entry_add(struct compilation *compilation, const struct pattern *pattern, const char *name,
		      struct adr_folders *folders)
{
	struct arena *arena = compilation->arena;
	struct slice star = star_match(pattern, name);
	if (!adr_scope_is_named(star))
		return;
	const char *path = arena_printf(arena, "%s%s%s", pattern->begin, name, pattern->rest);
	if (!is_folder(path))
		return;
	folders->items =
		arena_grow(arena, folders->items, folders->count, &folders->capacity, sizeof *folders->items);
	folders->items[folders->count++] =
		(struct adr_folder){ .name = arena_copy(arena, star.at, star.size), .path = path };
}

static int compare_folders(const void *left, const void *right)
{
	const struct adr_folder *a = left, *b = right;
	return strcmp(a->name, b->name);
}

bool adr_folders_find(struct compilation *compilation, const char *path, struct adr_folders *folders)
{
	struct pattern pattern = pattern_split(compilation, path);
	*folders = (struct adr_folders){ 0 };
	DIR *folder = opendir(pattern.folder);
	if (!folder)
		return false;
	const struct dirent *entry;
	while (errno = 0, (entry = readdir(folder)))
		entry_add(compilation, &pattern, entry->d_name, folders);
	int error = errno;
	closedir(folder);
	if (folders->count)
		qsort(folders->items, folders->count, sizeof *folders->items, compare_folders);
	errno = error;
	return !error;
}
