#include "compiler/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/file.h"

static void made_add(struct arena *arena, struct made_folders *made, int at, const char *path)
{
	made->items = arena_grow(arena, made->items, made->count, &made->capacity, sizeof *made->items);
	made->items[made->count++] = (struct made_folder){ at, path };
}

int folder_lock(int folder)
{
	while (flock(folder, LOCK_EX) < 0) {
		if (errno == EINTR)
			continue;
		bool no_turns = errno == EBADF || errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS;
		return no_turns ? 0 : errno;
	}
	return 0;
}

/* ---- places ---- */

/* The kernel says ENOTDIR of a link too: what it is decides what the message says. */
static int folder_error(int at, const char *name, int error)
{
	struct stat status;
	bool link = error == ENOTDIR && fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISLNK(status.st_mode);
	return link ? ELOOP : error;
}

static int folder_open_one(int at, const char *name, int *fd)
{
	*fd = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return *fd < 0 ? folder_error(at, name, errno) : 0;
}

/* One step down, to the folder whose name is the next `length` bytes. */
static int place_descend(struct place *place, size_t length, bool make, bool *made)
{
	char name[NAME_MAX + 1];
	if (length >= sizeof name)
		return ENAMETOOLONG;
	memcpy(name, place->name, length);
	name[length] = '\0';
	int fd, error = folder_open_one(place->folder, name, &fd);
	if (error == ENOENT && make) {
		*made = mkdirat(place->folder, name, FOLDER_MODE_NEW) == 0;
		if (!*made && errno != EEXIST)
			return errno;
		error = folder_open_one(place->folder, name, &fd);
	}
	if (error)
		return error;
	place_close(place);
	*place = (struct place){ fd, place->name + length + 1, true };
	return 0;
}

/* `arena` and `made` are NULL where nothing is to be made. */
static int place_walk(struct arena *arena, int at, const char *path, struct made_folders *list,
		      struct place *place)
{
	*place = (struct place){ at, path, false };
	for (const char *slash; (slash = strchr(place->name, '/'));) {
		bool made = false;
		int error = place_descend(place, (size_t)(slash - place->name), list != NULL, &made);
		if (made)
			made_add(arena, list, at, arena_copy(arena, path, (size_t)(slash - path)));
		if (error) {
			place_close(place);
			return error;
		}
	}
	return 0;
}

int place_open(int at, const char *path, struct place *place)
{
	return place_walk(NULL, at, path, NULL, place);
}

int place_make(struct arena *arena, int at, const char *path, struct made_folders *made, struct place *place)
{
	return place_walk(arena, at, path, made, place);
}

void place_close(struct place *place)
{
	if (place->opened)
		close(place->folder);
	place->opened = false;
}

/* ---- by their path ---- */

/* The length of the folder part of `path`, without slashes at its end; 0 where there is none. */
static size_t folder_length(const char *path)
{
	size_t length = strlen(path);
	while (length && path[length - 1] == '/')
		length--;
	while (length && path[length - 1] != '/')
		length--;
	while (length && path[length - 1] == '/')
		length--;
	return length;
}

static int folder_make_one(struct arena *arena, const char *path, struct made_folders *made)
{
	if (mkdir(path, FOLDER_MODE_NEW) < 0)
		return errno;
	made_add(arena, made, AT_FDCWD, path);
	return 0;
}

int folder_make(struct arena *arena, const char *path, struct made_folders *made)
{
	int error = folder_make_one(arena, path, made);
	if (error == ENOENT && folder_length(path)) {
		error = folder_make(arena, arena_copy(arena, path, folder_length(path)), made);
		if (!error)
			error = folder_make_one(arena, path, made);
	}
	return error == EEXIST ? 0 : error;
}

/* ---- removal ---- */

static bool folder_remove(int at, const char *path)
{
	struct place place;
	if (place_open(at, path, &place))
		return false;
	bool removed = unlinkat(place.folder, place.name, AT_REMOVEDIR) == 0;
	place_close(&place);
	return removed;
}

void folders_remove(const struct made_folders *made)
{
	for (size_t i = made->count; i-- > 0;) {
		const struct made_folder *folder = &made->items[i];
		if (folder->at == AT_FDCWD)
			unlinkat(AT_FDCWD, folder->path, AT_REMOVEDIR);
		else
			folder_remove(folder->at, folder->path);
	}
}

void folders_prune(struct arena *arena, int at, const char *path)
{
	char *folder = arena_copy(arena, path, strlen(path));
	for (size_t length; (length = folder_length(folder));) {
		folder[length] = '\0';
		if (!folder_remove(at, folder))
			return;
	}
}
