#include "compiler/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/arena.h"

/* ---- reading ---- */

static ssize_t read_some(int fd, char *bytes, size_t size)
{
	ssize_t got;
	do
		got = read(fd, bytes, size);
	while (got < 0 && errno == EINTR);
	return got;
}

/*
 * One byte more than the file had is asked for, so that a read that brings exactly its size has seen the
 * end: two system calls fewer for each unchanged artifact.
 */
static int read_plain(struct arena *arena, int fd, size_t expected, struct file_content *content)
{
	char *bytes = arena_alloc(arena, expected + 1);
	size_t size = 0;
	while (size < expected) {
		ssize_t got = read_some(fd, bytes + size, expected + 1 - size);
		if (got < 0)
			return errno;
		if (got == 0)
			break;
		size += (size_t)got;
	}
	if (size > expected)
		return EBUSY; /* somebody is writing into it */
	bytes[size] = '\0';
	content->bytes = bytes;
	content->size = size;
	return 0;
}

int file_read(struct arena *arena, int folder, const char *path, struct file_content *content)
{
	*content = (struct file_content){ .bytes = "" };
	int fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno == ENOENT ? 0 : errno == ENXIO ? ENODEV : errno;
	content->exists = true;
	struct stat status;
	int error = 0;
	if (fstat(fd, &status) < 0)
		error = errno;
	else if (S_ISDIR(status.st_mode))
		error = EISDIR;
	else if (!S_ISREG(status.st_mode))
		error = ENODEV;
	else {
		content->mode = status.st_mode & 07777;
		error = read_plain(arena, fd, (size_t)status.st_size, content);
	}
	close(fd);
	return error;
}

/* ---- writing ---- */

int file_write(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t done = write(fd, bytes, size);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return errno;
		bytes += done;
		size -= (size_t)done;
	}
	return 0;
}

int file_create(int folder, const char *path, const char *bytes, size_t size, mode_t mode)
{
	int fd = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		return errno;
	int error = file_write(fd, bytes, size);
	if (!error && mode != FILE_MODE_NEW && fchmod(fd, mode) < 0)
		error = errno;
	if (close(fd) < 0 && !error && errno != EINTR)
		error = errno;
	if (error)
		unlinkat(folder, path, 0);
	return error;
}

/* ---- folders ---- */

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

static int folder_make_one(struct arena *arena, int at, const char *path, struct made_folders *made)
{
	if (mkdirat(at, path, 0777) < 0)
		return errno;
	made->items = arena_grow(arena, made->items, made->count, &made->capacity, sizeof *made->items);
	made->items[made->count++] = (struct made_folder){ at, path };
	return 0;
}

int folder_make(struct arena *arena, int at, const char *path, struct made_folders *made)
{
	int error = folder_make_one(arena, at, path, made);
	if (error == ENOENT && folder_length(path)) {
		error = folder_make(arena, at, arena_copy(arena, path, folder_length(path)), made);
		if (!error)
			error = folder_make_one(arena, at, path, made);
	}
	return error == EEXIST ? 0 : error;
}

void folders_remove(const struct made_folders *made)
{
	for (size_t i = made->count; i-- > 0;)
		unlinkat(made->items[i].at, made->items[i].path, AT_REMOVEDIR);
}

void folders_prune(struct arena *arena, int at, const char *path)
{
	char *folder = arena_copy(arena, path, strlen(path));
	for (size_t length; (length = folder_length(folder));) {
		folder[length] = '\0';
		if (unlinkat(at, folder, AT_REMOVEDIR) < 0)
			return;
	}
}

static int folder_check(int at, const char *folder)
{
	struct stat status;
	if (fstatat(at, folder, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno;
	return S_ISLNK(status.st_mode) ? ELOOP : S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
}

int folders_check(struct arena *arena, int at, const char *path, const char *previous, size_t *length)
{
	char *part = arena_copy(arena, path, strlen(path));
	for (char *slash = strchr(part, '/'); slash; slash = strchr(slash + 1, '/')) {
		*length = (size_t)(slash - part);
		if (strncmp(path, previous, *length + 1) == 0)
			continue;
		*slash = '\0';
		int error = folder_check(at, part);
		*slash = '/';
		if (error)
			return error == ENOENT ? 0 : error;
	}
	return 0;
}
