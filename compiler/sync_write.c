#include "compiler/sync_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/folder.h"
#include "compiler/replacement.h"

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

static int temporary_write(struct arena *arena, const struct place *place, const char *temporary,
			   const char *bytes, size_t size, bool as_before)
{
	return as_before ? replacement_write(arena, place, temporary, bytes, size, KEEPING_ALL)
			 : file_create(place->folder, temporary, bytes, size, NULL);
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

static int tidy_at(struct arena *arena, struct sync_file *file, const struct place *place)
{
	struct stat status;
	(void)file;
	if (fstatat(place->folder, place->name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno;
	own_link_remove(place, file_temporary(arena, place->name), &status);
	return 0;
}

int sync_file_tidy(struct arena *arena, struct sync_file *file)
{
	return step_do(arena, file, tidy_at);
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
