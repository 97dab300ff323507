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
	if (fgetxattr(from, access_list, NULL, 0) >= 0 || fgetxattr(to, access_list, NULL, 0) < 0)
		return 0;
	return fremovexattr(to, access_list) < 0 ? errno : 0;
}

/* Without its access list a file would give its group what the list gives anybody at most. */
static bool is_dispensable(const char *name, int error, enum replacement_keeping keeping)
{
	return keeping == KEEPING_POSSIBLE && error == EPERM && strcmp(name, access_list) != 0;
}

static int attributes_copy(struct arena *arena, int from, int to, enum replacement_keeping keeping)
{
	char *names = NULL;
	ssize_t size;
	int failure = attributes_list(arena, from, &names, &size);
	if (failure || !size)
		return failure;
	for (const char *name = names; name < names + size; name += strlen(name) + 1) {
		int error = attribute_copy(arena, from, to, name);
		if (error && !is_dispensable(name, error, keeping))
			return error;
	}
	return 0;
}

struct replacing {
	struct arena *arena;
	int from;
	enum replacement_keeping keeping;
};

/* The owner first: a change takes capabilities away. The mode last: who may not write sets no attribute. */
static int metadata_copy(int to, const void *context)
{
	const struct replacing *replacing = context;
	struct stat old;
	int error = fstat(replacing->from, &old) < 0 ? errno : access_list_remove(replacing->from, to);
	if (error)
		return error;
	const struct file_keeping keeping = { 0600, old.st_uid, old.st_gid };
	error = file_keep(to, &keeping, replacing->keeping == KEEPING_POSSIBLE);
	if (!error)
		error = attributes_copy(replacing->arena, replacing->from, to, replacing->keeping);
	if (!error && fchmod(to, old.st_mode & 07777) < 0)
		error = errno;
	return error;
}

int replacement_write(struct arena *arena, const struct place *place, const char *temporary, const char *bytes,
		      size_t size, enum replacement_keeping keeping)
{
	int from = openat(place->folder, place->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (from < 0)
		return errno;
	const struct replacing replacing = { arena, from, keeping };
	int error = file_make(place->folder, temporary, 0600, bytes, size, metadata_copy, &replacing);
	close(from);
	return error;
}
