#include "compiler/sync_list.h"

#include <dirent.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/file.h"
#include "compiler/hash.h"

static const char name_end[] = ".sync.sha256";

/* In `others`, of a list that cannot be read; no file has this name. */
static const char any_path[] = "";

const char *sync_list_name(struct arena *arena, const char *policy)
{
	return arena_printf(arena, "%s%s", policy, name_end);
}

/* The bytes that both begin with, in whole names: "/a/b" and "/a/bc" share "/a". */
static size_t shared_size(const char *folder, const char *file)
{
	size_t shared = 0;
	for (size_t i = 0;; i++) {
		bool folder_ends = folder[i] == '/' || !folder[i];
		if (folder_ends && file[i] == '/')
			shared = i;
		if (!folder[i] || folder[i] != file[i])
			return shared;
	}
}

const char *sync_list_path(struct arena *arena, const struct sync_list *list, const char *file)
{
	const char *folder = strcmp(list->folder, "/") == 0 ? "" : list->folder;
	size_t shared = shared_size(folder, file);
	const char *path = file + shared + 1;
	for (const char *at = folder + shared; *at; at++)
		if (*at == '/')
			path = arena_printf(arena, "../%s", path);
	return path;
}

enum sync_owner sync_list_owner(struct arena *arena, const struct sync_list *list, const char *path,
				const struct file_content *content)
{
	size_t first;
	if (!claims_about(&list->old.claims, path, &first))
		return SYNC_OWNER_NOBODY;
	const char *hash = hash_bytes(arena, content->bytes, content->size);
	return claims_have(&list->old.claims, path, hash) ? SYNC_OWNER_ALLOWC : SYNC_OWNER_EDITED;
}

bool sync_list_wrote(const struct sync_list *list, const char *path)
{
	size_t first;
	return claims_about(&list->old.written, path, &first) > 0 ||
	       claims_about(&list->left.written, path, &first) > 0;
}

/* ---- the lists beside it ---- */

static bool is_list(const char *name)
{
	size_t size = strlen(name), end = strlen(name_end);
	return size > end && strcmp(name + size - end, name_end) == 0;
}

static void other_read(struct arena *arena, struct sync_list *list, int folder, const char *name)
{
	struct file_content content;
	struct manifest other = { 0 };
	unsigned line;
	if (file_read(arena, folder, name, &content) ||
	    !manifest_parse(arena, content.bytes, content.size, &other, &line))
		claims_add(arena, &list->others, any_path, "");
	for (size_t i = 0; i < other.claims.count; i++)
		claims_add(arena, &list->others, other.claims.items[i].path, "");
}

static void others_read(struct arena *arena, struct sync_list *list, const struct map *known)
{
	DIR *names = opendir(list->folder);
	if (!names)
		claims_add(arena, &list->others, any_path, "");
	for (const struct dirent *entry; names && (entry = readdir(names)) != NULL;) {
		const char *path = path_joined(arena, list->folder, entry->d_name);
		if (is_list(entry->d_name) && !map_value(known, path, strlen(path)))
			other_read(arena, list, dirfd(names), entry->d_name);
	}
	if (names)
		closedir(names);
	claims_sort(&list->others);
}

bool sync_list_elsewhere(struct arena *arena, struct sync_list *list, const struct map *known,
			 const char *path)
{
	size_t first;
	if (!list->others_read)
		others_read(arena, list, known);
	list->others_read = true;
	return claims_about(&list->others, path, &first) || claims_about(&list->others, any_path, &first);
}

/* ---- what it will have ---- */

void sync_list_add(struct arena *arena, struct sync_list *list, const char *path, const char *bytes,
		   size_t size, bool written)
{
	if (written)
		claims_add(arena, &list->written, path, "");
	claims_add(arena, &list->next, path, hash_bytes(arena, bytes, size));
	list->unsorted = true;
}

void sync_list_keep(struct arena *arena, struct sync_list *list, const char *path)
{
	size_t first, count = claims_about(&list->old.claims, path, &first);
	for (size_t i = first; i < first + count; i++)
		claims_add(arena, &list->kept, path, list->old.claims.items[i].hash);
	if (sync_list_wrote(list, path))
		claims_add(arena, &list->written, path, "");
}

bool sync_list_has(struct sync_list *list, const char *path)
{
	size_t first;
	if (list->unsorted)
		claims_sort(&list->next);
	list->unsorted = false;
	return claims_about(&list->next, path, &first) > 0 || claims_about(&list->kept, path, &first) > 0;
}

void sync_list_print(struct arena *arena, struct sync_list *list, struct strbuf *out)
{
	for (size_t i = 0; i < list->kept.count; i++)
		claims_add(arena, &list->next, list->kept.items[i].path, list->kept.items[i].hash);
	claims_sort(&list->next);
	claims_sort(&list->written);
	manifest_print(&(struct manifest){ .claims = list->next, .written = list->written }, out);
}
