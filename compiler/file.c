#include "compiler/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/reading.h"

/* ---- reading ---- */

static struct file_stamp stamp_of(const struct stat *status)
{
	return (struct file_stamp){ status->st_dev, status->st_ino, status->st_size, status->st_mtim };
}

bool file_has_stamp(int folder, const char *path, const struct file_stamp *stamp)
{
	struct stat status;
	if (fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	const struct file_stamp now = stamp_of(&status);
	return now.device == stamp->device && now.inode == stamp->inode && now.size == stamp->size &&
	       now.written.tv_sec == stamp->written.tv_sec && now.written.tv_nsec == stamp->written.tv_nsec;
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
		struct reading reading = { .bytes = "" };
		error = reading_take(arena, fd, (size_t)status.st_size, FILE_SIZE_MAX, &reading);
		content->bytes = reading.bytes;
		content->size = reading.size;
		content->keeping =
			(struct file_keeping){ status.st_mode & 07777, status.st_uid, status.st_gid };
		content->stamp = stamp_of(&status);
		content->names = status.st_nlink;
		content->too_large = error == EFBIG;
	}
	close(fd);
	return error;
}

/* ---- writing ---- */

/*
 * The kernel keeps what is written in pieces of memory as large as the write lets them be. The largest are
 * the least ready (a virtual machine may have given them back to its host): 240 MB were written in 0.3 to
 * 1.0 s at once, and in 0.1 to 0.2 s in these pieces.
 */
enum { WRITE_PIECE = 256 * 1024 };

int file_write(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t done = write(fd, bytes, size < WRITE_PIECE ? size : WRITE_PIECE);
		if (done < 0 && is_worth_another_try(fd, POLLOUT))
			continue;
		if (done < 0)
			return errno;
		if (done == 0)
			return EIO; /* a device that takes nothing and has no error for it */
		bytes += done;
		size -= (size_t)done;
	}
	return 0;
}

/* Who may not give a file away may still give it to a group of theirs. */
int file_give(int fd, const struct file_keeping *keeping, bool may_stay)
{
	struct stat now;
	if (fstat(fd, &now) < 0)
		return errno;
	if ((now.st_uid == keeping->owner && now.st_gid == keeping->group) ||
	    fchown(fd, keeping->owner, keeping->group) == 0)
		return 0;
	if (!may_stay || errno != EPERM)
		return errno;
	return fchown(fd, (uid_t)-1, keeping->group) < 0 && errno != EPERM ? errno : 0;
}

int file_mode_give(int fd, const struct file_keeping *keeping)
{
	struct stat now;
	if (fstat(fd, &now) < 0)
		return errno;
	mode_t mode = keeping->mode;
	if (now.st_uid != keeping->owner)
		mode &= ~(mode_t)S_ISUID;
	if (now.st_gid != keeping->group) {
		mode_t both = mode >> 3 & mode & S_IRWXO;
		mode = (mode & ~(mode_t)(S_ISGID | S_IRWXG | S_IRWXO)) | both << 3 | both;
	}
	return fchmod(fd, mode) < 0 ? errno : 0;
}

int file_make(int folder, const char *path, mode_t mode, const char *bytes, size_t size,
	      file_finish_function *finish, const void *context)
{
	int fd = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
	if (fd < 0)
		return errno;
	int error = file_write(fd, bytes, size);
	if (!error)
		error = finish(fd, context);
	if (close(fd) < 0 && !error && errno != EINTR)
		error = errno;
	if (error)
		unlinkat(folder, path, 0);
	return error;
}

/* `context` is a struct file_keeping; NULL: nothing is kept. A change of the owner takes mode bits away. */
static int keep(int fd, const void *context)
{
	const struct file_keeping *keeping = context;
	int error = keeping ? file_give(fd, keeping, true) : 0;
	return keeping && !error ? file_mode_give(fd, keeping) : error;
}

int file_create(int folder, const char *path, const char *bytes, size_t size,
		const struct file_keeping *keeping)
{
	return file_make(folder, path, keeping ? 0600 : FILE_MODE_NEW, bytes, size, keep, keeping);
}

/* ---- files of the build system ---- */

int file_put(const char *path, const char *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, FILE_MODE_NEW);
	if (fd < 0)
		return errno;
	int error = file_write(fd, bytes, size);
	/* Half a rule keeps make from starting, none does not. From a pipe nothing is taken back. */
	bool emptied = error && ftruncate(fd, 0) == 0;
	(void)emptied;
	if (close(fd) < 0 && !error && errno != EINTR)
		error = errno;
	return error;
}

int file_touch(const char *path)
{
	/* A pipe that nobody reads has no time that anybody asks for, and would keep the run waiting. */
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, FILE_MODE_NEW);
	if (fd < 0)
		return errno == ENXIO ? ENODEV : errno;
	int error = futimens(fd, NULL) < 0 ? errno : 0;
	close(fd);
	return error;
}

const char *file_temporary(struct arena *arena, const char *name)
{
	return arena_printf(arena, ".%s.allowc", name);
}
