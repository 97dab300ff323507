#include "compiler/sync_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/folder.h"

int sync_file_read(struct arena *arena, const struct sync_file *file, struct file_content *content)
{
	struct place place;
	*content = (struct file_content){ .bytes = "" };
	int error = place_open(file->root, file->path, &place);
	if (error)
		return error;
	error = file_read(arena, place.folder, place.name, content);
	place_close(&place);
	return error;
}

int sync_file_same(struct arena *arena, struct sync_file *file, bool *same)
{
	struct file_content now;
	int error = sync_file_read(arena, file, &now);
	*same = !error && now.exists == file->old.exists && now.size == file->old.size &&
		memcmp(now.bytes, file->old.bytes, now.size) == 0;
	file->compared = now.stamp;
	return error;
}

/* ---- what a file is besides its bytes ---- */

static int attribute_copy(struct arena *arena, int from, int to, const char *name)
{
	ssize_t size = fgetxattr(from, name, NULL, 0);
	if (size < 0)
		return errno;
	char *value = arena_alloc(arena, (size_t)size + 1);
	size = fgetxattr(from, name, value, (size_t)size);
	if (size < 0)
		return errno;
	return fsetxattr(to, name, value, (size_t)size, 0) < 0 ? errno : 0;
}

/* Their names, each with a NUL; none where the file system has no attributes. */
static int attributes_list(struct arena *arena, int fd, char **names, ssize_t *size)
{
	*size = flistxattr(fd, NULL, 0);
	if (*size <= 0) {
		int error = *size < 0 && errno != ENOTSUP ? errno : 0;
		*size = 0;
		return error;
	}
	*names = arena_alloc(arena, (size_t)*size + 1);
	*size = flistxattr(fd, *names, (size_t)*size);
	return *size < 0 ? errno : 0;
}

/* A folder may give each new file an access list: it would let in whom the old file did not. */
static int access_list_remove(int from, int to)
{
	static const char name[] = "system.posix_acl_access";
	if (fgetxattr(from, name, NULL, 0) >= 0 || fgetxattr(to, name, NULL, 0) < 0)
		return 0;
	return fremovexattr(to, name) < 0 ? errno : 0;
}

static int attributes_copy(struct arena *arena, int from, int to)
{
	char *names = NULL;
	ssize_t size;
	int failure = attributes_list(arena, from, &names, &size);
	if (failure || !size)
		return failure;
	for (const char *name = names; name < names + size; name += strlen(name) + 1) {
		int error = attribute_copy(arena, from, to, name);
		if (error)
			return error;
	}
	return 0;
}

/* The owner first: a change of it takes the set-user-ID bits away. */
static int owner_and_mode_copy(const struct stat *old, int to)
{
	struct stat now;
	if (fstat(to, &now) < 0)
		return errno;
	bool own = now.st_uid == old->st_uid && now.st_gid == old->st_gid;
	if (!own && fchown(to, old->st_uid, old->st_gid) < 0)
		return errno;
	return fchmod(to, old->st_mode & 07777) < 0 ? errno : 0;
}

static int metadata_copy(struct arena *arena, const struct place *place, int to)
{
	int from = openat(place->folder, place->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (from < 0)
		return errno;
	struct stat old;
	int error = fstat(from, &old) < 0 ? errno : access_list_remove(from, to);
	if (!error)
		error = owner_and_mode_copy(&old, to);
	if (!error)
		error = attributes_copy(arena, from, to);
	close(from);
	return error;
}

/* ---- the temporary file ---- */

/* A killed run left the beginning of what this one writes, or all of it; anything else is somebody's. */
static int leftover_remove(struct arena *arena, const struct place *place, const char *temporary,
			   const struct sync_file *file)
{
	struct file_content left;
	int error = file_read(arena, place->folder, temporary, &left);
	if (error)
		return EEXIST;
	if (!left.exists)
		return 0;
	if (left.size > file->size || memcmp(left.bytes, file->bytes, left.size) != 0)
		return EEXIST;
	return unlinkat(place->folder, temporary, 0) < 0 ? errno : 0;
}

static int temporary_fill(struct arena *arena, const struct place *place, int fd, const char *bytes,
			  size_t size, bool as_before)
{
	int error = file_write(fd, bytes, size);
	if (!error && as_before)
		error = metadata_copy(arena, place, fd);
	return error;
}

static int temporary_write(struct arena *arena, const struct place *place, const char *temporary,
			   const char *bytes, size_t size, bool as_before)
{
	int fd = openat(place->folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			as_before ? 0600 : FILE_MODE_NEW);
	if (fd < 0)
		return errno;
	int error = temporary_fill(arena, place, fd, bytes, size, as_before);
	if (close(fd) < 0 && !error && errno != EINTR)
		error = errno;
	if (error)
		unlinkat(place->folder, temporary, 0);
	return error;
}

/* Where rename_new() has to link, a kill may leave the file both names. */
static bool own_link_remove(const struct place *place, const char *temporary, const struct stat *file)
{
	struct stat left;
	return fstatat(place->folder, temporary, &left, AT_SYMLINK_NOFOLLOW) == 0 &&
	       left.st_dev == file->st_dev && left.st_ino == file->st_ino &&
	       unlinkat(place->folder, temporary, 0) == 0;
}

/* A rename would leave the old text under the file's other names. */
static int replaceable_check(const struct place *place, const char *temporary)
{
	struct stat status;
	if (faccessat(place->folder, place->name, W_OK, AT_EACCESS) < 0 ||
	    fstatat(place->folder, place->name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno;
	nlink_t names = status.st_nlink;
	if (names > 1 && own_link_remove(place, temporary, &status))
		names--;
	return names > 1 ? EMLINK : 0;
}

static int prepare_at(struct arena *arena, struct sync_file *file, const struct place *place)
{
	const char *temporary = file_temporary(arena, place->name);
	int error = file->old.exists ? replaceable_check(place, temporary) : 0;
	if (!error)
		error = leftover_remove(arena, place, temporary, file);
	if (!error)
		error = temporary_write(arena, place, temporary, file->bytes, file->size, file->old.exists);
	file->prepared = !error;
	return error;
}

/* ---- the rename ---- */

/* A file that somebody made meanwhile is not replaced. Not every file system has both of these. */
static int rename_new(const struct place *place, const char *temporary)
{
	if (renameat2(place->folder, temporary, place->folder, place->name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return errno == EEXIST ? ESTALE : errno;
	if (linkat(place->folder, temporary, place->folder, place->name, 0) < 0)
		return errno == EEXIST ? ESTALE : errno;
	unlinkat(place->folder, temporary, 0);
	return 0;
}

static int finish_at(struct arena *arena, struct sync_file *file, const struct place *place)
{
	const char *temporary = file_temporary(arena, place->name);
	int error = 0;
	if (!file->old.exists)
		error = rename_new(place, temporary);
	else if (!file_has_stamp(place->folder, place->name, &file->compared))
		error = ESTALE;
	else if (renameat(place->folder, temporary, place->folder, place->name) < 0)
		error = errno;
	file->done = !error;
	return error;
}

/* Somebody may have written after the rename; what is gone, somebody took away. */
static int done_check(struct arena *arena, const struct sync_file *file, const struct place *place)
{
	struct file_content now;
	int error = file_read(arena, place->folder, place->name, &now);
	if (error)
		return error;
	bool ours = now.exists && now.size == file->size && memcmp(now.bytes, file->bytes, now.size) == 0;
	return ours ? 0 : ESTALE;
}

static int undo_at(struct arena *arena, struct sync_file *file, const struct place *place)
{
	const char *temporary = file_temporary(arena, place->name);
	if (!file->done)
		return unlinkat(place->folder, temporary, 0) < 0 && errno != ENOENT ? errno : 0;
	int error = done_check(arena, file, place);
	if (error)
		return error;
	if (!file->old.exists)
		return unlinkat(place->folder, place->name, 0) < 0 ? errno : 0;
	error = temporary_write(arena, place, temporary, file->old.bytes, file->old.size, true);
	if (!error && renameat(place->folder, temporary, place->folder, place->name) < 0)
		error = errno;
	return error;
}

/* ---- by path ---- */

typedef int step_function(struct arena *arena, struct sync_file *file, const struct place *place);

static int step_do(struct arena *arena, struct sync_file *file, step_function *step)
{
	struct place place;
	int error = place_open(file->root, file->path, &place);
	if (error)
		return error;
	error = step(arena, file, &place);
	place_close(&place);
	return error;
}

int sync_file_prepare(struct arena *arena, struct sync_file *file)
{
	return step_do(arena, file, prepare_at);
}

int sync_file_finish(struct arena *arena, struct sync_file *file)
{
	return step_do(arena, file, finish_at);
}

static int remove_at(struct arena *arena, struct sync_file *file, const struct place *place)
{
	(void)arena;
	if (!file_has_stamp(place->folder, place->name, &file->compared))
		return ESTALE;
	return unlinkat(place->folder, place->name, 0) < 0 ? errno : 0;
}

static int removable_at(struct arena *arena, struct sync_file *file, const struct place *place)
{
	(void)arena;
	(void)file;
	return faccessat(place->folder, ".", W_OK, AT_EACCESS) < 0 ? errno : 0;
}

int sync_file_removable(struct arena *arena, struct sync_file *file)
{
	return step_do(arena, file, removable_at);
}

int sync_file_remove(struct arena *arena, struct sync_file *file)
{
	return step_do(arena, file, remove_at);
}

int sync_file_undo(struct arena *arena, struct sync_file *file)
{
	if (!file->prepared)
		return 0;
	return step_do(arena, file, undo_at);
}
