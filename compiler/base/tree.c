#include "compiler/base/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/base/reading.h"

bool file_identity_equal(struct file_identity a, struct file_identity b)
{
	return a.device == b.device && a.inode == b.inode;
}

static struct file_identity identity_of(const struct stat *status)
{
	return (struct file_identity){ (uint64_t)status->st_dev, (uint64_t)status->st_ino };
}

/* Pipes and devices may hold a policy, but only where a person named them: they can keep a reader waiting. */
static int kind_check(mode_t mode, bool regular_only)
{
	if (S_ISDIR(mode))
		return EISDIR;
	if (S_ISREG(mode) || (!regular_only && (S_ISFIFO(mode) || S_ISCHR(mode))))
		return 0;
	return ENODEV;
}

static int read_open(struct arena *arena, int fd, bool regular_only, size_t most, struct reading *reading,
		     struct file_identity *identity)
{
	struct stat status;
	if (fstat(fd, &status) < 0)
		return errno;
	*identity = identity_of(&status);
	int error = kind_check(status.st_mode, regular_only);
	if (error)
		return error;
	/* The size of a pipe or a device says nothing. */
	size_t expected = S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
	error = reading_take(arena, fd, expected, most, reading);
	reading->passing = !S_ISREG(status.st_mode);
	return error;
}

static int files_read(const struct tree *tree, struct arena *arena, const char *path, enum tree_naming naming,
		      size_t most, struct reading *reading, struct file_identity *identity)
{
	(void)tree;
	bool regular_only = naming == NAMED_BY_POLICY;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (regular_only ? O_NONBLOCK : 0));
	if (fd < 0)
		return errno == ENXIO ? ENODEV : errno;
	int error = read_open(arena, fd, regular_only, most, reading, identity);
	close(fd);
	return error;
}

static int files_list(const struct tree *tree, const char *path, tree_entry_function *each, void *context)
{
	(void)tree;
	DIR *folder = opendir(path);
	if (!folder)
		return errno;
	const struct dirent *entry;
	while (errno = 0, (entry = readdir(folder)))
		each(context, entry->d_name);
	int error = errno;
	closedir(folder);
	return error;
}

static bool files_identify(const struct tree *tree, const char *path, struct file_identity *identity)
{
	(void)tree;
	struct stat status;
	if (stat(path, &status) != 0)
		return false;
	*identity = identity_of(&status);
	return true;
}

const struct tree *tree_of_files(void)
{
	static const struct tree files = { "", files_read, files_list, files_identify };
	return &files;
}
