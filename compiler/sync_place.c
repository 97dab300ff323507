#include "compiler/sync_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"
#include "compiler/folder.h"

static const char *real_path(struct arena *arena, const char *path)
{
	char *real = realpath(path, NULL);
	if (real)
		arena_adopt(arena, real);
	return real;
}

/* The folder that holds the file `path`, as it really is. */
static const char *real_folder(struct arena *arena, const char *path)
{
	size_t size = (size_t)(path_base(path) - path);
	return real_path(arena, size ? arena_copy(arena, path, size) : ".");
}

const char *sync_project(struct arena *arena, const char *policy_path)
{
	const char *own = real_folder(arena, policy_path);
	for (const char *at = own; at && *at;) {
		struct stat status;
		if (lstat(path_joined(arena, at, ".git"), &status) == 0)
			return at;
		if (errno != ENOENT && errno != ENOTDIR)
			return NULL;
		at = arena_copy(arena, at, (size_t)(strrchr(at, '/') - at));
	}
	return own;
}

/* Whether a '..' stands behind a name. */
static bool turns_back(const char *path)
{
	bool name = false;
	for (const char *at = path; *at; at += strspn(at, "/")) {
		size_t size = strcspn(at, "/");
		bool up = size == 2 && at[0] == '.' && at[1] == '.';
		if (up && name)
			return true;
		name |= !up && !(size == 1 && at[0] == '.');
		at += size;
	}
	return false;
}

static const char *below_root(const char *root, const char *path)
{
	size_t size = strcmp(root, "/") == 0 ? 0 : strlen(root);
	return strncmp(path, root, size) == 0 && path[size] == '/' && path[size + 1] ? path + size + 1 : NULL;
}

static bool is_in_git(const char *path)
{
	for (const char *at = path; *at; at += *at == '/') {
		size_t size = strcspn(at, "/");
		if (size == 4 && memcmp(at, ".git", 4) == 0)
			return true;
		at += size;
	}
	return false;
}

/* What a failure on the way to the file means; errno is as it was. */
static enum sync_place_state failure_state(int error)
{
	errno = error;
	if (error == ELOOP)
		return SYNC_PLACE_LINK;
	return error == ENOENT || error == ENOTDIR ? SYNC_PLACE_NO_FOLDER : SYNC_PLACE_TROUBLE;
}

/* ELOOP where the file itself is a link; it need not be there. */
static int link_refuse(const struct place *place)
{
	struct stat status;
	if (fstatat(place->folder, place->name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : errno;
	return S_ISLNK(status.st_mode) ? ELOOP : 0;
}

/* Whether the way to the file leads through no link. */
static enum sync_place_state way_check(const struct sync_place *place)
{
	int root = open(place->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return failure_state(errno);
	struct place found;
	int error = place_open(root, place->path, &found);
	if (!error) {
		error = link_refuse(&found);
		place_close(&found);
	}
	close(root);
	return error ? failure_state(error) : SYNC_PLACE_GOOD;
}

/* Where the links lead, in the project or not; the file itself need not be there. */
static enum sync_place_state links_follow(struct arena *arena, const char *project, const char *path,
					  struct sync_place *place)
{
	const char *real = real_path(arena, path);
	if (!real && errno != ENOENT)
		return failure_state(errno);
	if (!real) {
		const char *folder = real_folder(arena, path);
		if (!folder)
			return failure_state(errno);
		real = path_joined(arena, folder, path_base(path));
	}
	const char *below = below_root(project, real);
	*place = below ? (struct sync_place){ project, below } : (struct sync_place){ "/", real + 1 };
	return way_check(place);
}

enum sync_place_state sync_place_find(struct arena *arena, const char *project, const char *base,
				      const char *written, bool anywhere, struct sync_place *place)
{
	const char *folder = real_folder(arena, base);
	if (!folder)
		return failure_state(errno);
	const char *path = *written == '/' ? written : path_joined(arena, folder, written);
	if (anywhere)
		return links_follow(arena, project, path, place);
	if (turns_back(written))
		return SYNC_PLACE_TURNS;
	const char *below = below_root(project, path_fold(arena, path));
	if (!below || is_in_git(below))
		return SYNC_PLACE_OUTSIDE;
	*place = (struct sync_place){ project, below };
	return way_check(place);
}
