#include "compiler/policy/adr_folders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/source.h"
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

/* What matches by its name, until folders_keep() has asked what it is. */
struct search {
	struct arena *arena;
	struct pattern pattern;
	struct adr_folders *found;
};

static void entry_add(void *context, const char *name)
{
	const struct search *search = context;
	const struct pattern *pattern = &search->pattern;
	struct adr_folders *found = search->found;
	struct slice star = star_match(pattern, name);
	if (!adr_scope_is_named(star))
		return;
	found->items =
		arena_grow(search->arena, found->items, found->count, &found->capacity, sizeof *found->items);
	found->items[found->count++] = (struct adr_folder){
		.name = arena_copy(search->arena, star.at, star.size),
		.path = arena_printf(search->arena, "%s%s%s", pattern->begin, name, pattern->rest),
	};
}

static void entry_skip(void *context, const char *name)
{
	(void)context;
	(void)name;
}

/* What cannot be listed for another reason stays: whoever opens it says why. */
static bool is_folder(const struct tree *tree, const char *path)
{
	int error = tree->list(tree, path, entry_skip, NULL);
	return error != ENOENT && error != ENOTDIR && error != ELOOP;
}

static void folders_keep(const struct tree *tree, struct adr_folders *folders)
{
	size_t count = 0;
	for (size_t i = 0; i < folders->count; i++)
		if (is_folder(tree, folders->items[i].path))
			folders->items[count++] = folders->items[i];
	folders->count = count;
}

static int compare_folders(const void *left, const void *right)
{
	const struct adr_folder *a = left, *b = right;
	return strcmp(a->name, b->name);
}

bool adr_folders_find(struct compilation *compilation, const char *path, struct adr_folders *folders)
{
	const struct tree *tree = sources_tree(compilation->sources);
	*folders = (struct adr_folders){ 0 };
	struct search search = { compilation->arena, pattern_split(compilation, path), folders };
	int error = tree->list(tree, search.pattern.folder, entry_add, &search);
	folders_keep(tree, folders);
	if (folders->count)
		qsort(folders->items, folders->count, sizeof *folders->items, compare_folders);
	errno = error;
	return !error;
}
