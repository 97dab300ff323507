#include "compiler/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/file.h"
#include "compiler/folder.h"

static const char access_list[] = "system.posix_acl_access";

/* The size of its value, which goes to the arena; less than 0 with errno set. */
static ssize_t attribute_read(struct arena *arena, int fd, const char *name, char **value)
{
	ssize_t size = fgetxattr(fd, name, NULL, 0);
	if (size < 0)
		return size;
	*value = arena_alloc(arena, (size_t)size + 1);
	return fgetxattr(fd, name, *value, (size_t)size);
}

/* What it has already is not set again: a security module labels a new file, and may let nobody else. */
static int attribute_copy(struct arena *arena, int from, int to, const char *name)
{
	char *value = NULL, *given = NULL;
	ssize_t size = attribute_read(arena, from, name, &value);
	if (size < 0)
		return errno;
	ssize_t given_size = attribute_read(arena, to, name, &given);
	if (given && given_size == size && memcmp(value, given, (size_t)size) == 0)
		return 0;
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

static bool is_dispensable(int error, enum replacement_keeping keeping)
{
	return keeping == KEEPING_POSSIBLE && (error == EPERM || error == EACCES);
}

/* All but the access list. */
static int attributes_copy(struct arena *arena, int from, int to, enum replacement_keeping keeping)
{
	char *names = NULL;
	ssize_t size;
	int failure = attributes_list(arena, from, &names, &size);
	if (failure || !size)
		return failure;
	for (const char *name = names; name < names + size; name += strlen(name) + 1) {
		int error = strcmp(name, access_list) != 0 ? attribute_copy(arena, from, to, name) : 0;
		if (error && !is_dispensable(error, keeping))
			return error;
	}
	return 0;
}

/* 0 where a file has none, or its file system knows none. */
static int absence_check(int error)
{
	return error == ENODATA || error == ENOTSUP ? 0 : error;
}

/*
 * In the list of a file whose group did not come along, what file_mode_give() does to a mode. The mode of a
 * file with a list shows for the group what the list gives anybody but the owner and all others at most.
 */
static void list_narrow(char *list, ssize_t size, mode_t mode)
{
	enum { HEADER_SIZE = 4, ENTRY_SIZE = 8, PERMISSIONS = 2, OF_GROUP = 0x04, OF_OTHERS = 0x20 };
	char *group = NULL, *others = NULL;
	for (char *entry = list + HEADER_SIZE; entry + ENTRY_SIZE <= list + size; entry += ENTRY_SIZE) {
		if (entry[0] == OF_GROUP)
			group = entry + PERMISSIONS;
		if (entry[0] == OF_OTHERS)
			others = entry + PERMISSIONS;
	}
	if (group && others)
		*group = *others = (char)(*group & *others & (int)(mode >> 3));
}

/* Of the mode that is left what is not said by the list. */
static int access_list_give(struct arena *arena, int from, int to, struct file_keeping *keeping)
{
	struct stat now;
	char *list = NULL;
	ssize_t size = attribute_read(arena, from, access_list, &list);
	if (size < 0 || fstat(to, &now) < 0)
		return errno;
	if (now.st_gid != keeping->group) {
		list_narrow(list, size, keeping->mode);
		keeping->mode &= ~(mode_t)S_ISGID;
		keeping->group = now.st_gid;
	}
	if (fsetxattr(to, access_list, list, (size_t)size, 0) < 0 || fstat(to, &now) < 0)
		return errno;
	keeping->mode = (keeping->mode & ~(mode_t)0777) | (now.st_mode & 0777);
	return 0;
}

/* A folder may give each new file an access list: it would let in whom an old file without one did not. */
static int access_list_copy(struct arena *arena, int from, int to, struct file_keeping *keeping)
{
	if (fgetxattr(from, access_list, NULL, 0) >= 0)
		return access_list_give(arena, from, to, keeping);
	int error = absence_check(errno);
	if (error)
		return error;
	if (fgetxattr(to, access_list, NULL, 0) < 0)
		return absence_check(errno);
	return fremovexattr(to, access_list) < 0 ? errno : 0;
}

struct replacing {
	struct arena *arena;
	int from;
	enum replacement_keeping keeping;
};

/*
 * The order counts. A change of the owner takes capabilities and set-user-ID bits away. Attributes can be
 * given only while the owner may write, which the access list and the mode may end; and until the list is
 * there, the mode would let in whom the folder's list names.
 */
static int metadata_copy(int to, const void *context)
{
	const struct replacing *replacing = context;
	struct arena *arena = replacing->arena;
	int from = replacing->from;
	struct stat old;
	if (fstat(from, &old) < 0)
		return errno;
	struct file_keeping keeping = { old.st_mode & 07777, old.st_uid, old.st_gid };
	int error = file_give(to, &keeping, replacing->keeping == KEEPING_POSSIBLE);
	if (!error)
		error = attributes_copy(arena, from, to, replacing->keeping);
	if (!error)
		error = access_list_copy(arena, from, to, &keeping);
	return error ? error : file_mode_give(to, &keeping);
}

int replacement_write(struct arena *arena, const struct place *place, const char *temporary,
		      const char *bytes, size_t size, enum replacement_keeping keeping)
{
	int from = openat(place->folder, place->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (from < 0)
		return errno;
	const struct replacing replacing = { arena, from, keeping };
	int error = file_make(place->folder, temporary, 0600, bytes, size, metadata_copy, &replacing);
	close(from);
	return error;
}
