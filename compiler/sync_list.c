#include "compiler/sync_list.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"
#include "compiler/file.h"
#include "compiler/hash.h"

const char *sync_list_name(struct arena *arena, const char *policy)
{
	return arena_printf(arena, "%s.sync.sha256", policy);
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

void sync_list_add(struct arena *arena, struct sync_list *list, const char *path, const char *bytes,
		   size_t size)
{
	claims_add(arena, &list->next, path, hash_bytes(arena, bytes, size));
	list->unsorted = true;
}

void sync_list_keep(struct arena *arena, struct sync_list *list, const char *path)
{
	size_t first, count = claims_about(&list->old.claims, path, &first);
	for (size_t i = first; i < first + count; i++)
		claims_add(arena, &list->kept, path, list->old.claims.items[i].hash);
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
	manifest_print(&(struct manifest){ .claims = list->next }, out);
}
