/*
 * Whole files, by their name in an open folder (folder.h opens it). Every function that can fail returns 0 or
 * an errno value and reports nothing: the caller knows what the file was for.
 */
#ifndef ALLOWC_FILE_H
#define ALLOWC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

struct arena;

/* Another file, or one that was written since, has another. */
struct file_stamp {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec written;
};

/* What a file has of the one that it replaces, besides its name. */
struct file_keeping {
	mode_t mode; /* permission bits */
	uid_t owner;
	gid_t group;
};

struct file_content {
	bool exists;
	bool too_large;    /* over FILE_SIZE_MAX: nothing of it was read */
	const char *bytes; /* in the arena */
	size_t size;
	struct file_keeping keeping;
	struct file_stamp stamp;
	nlink_t names; /* that the file has: hard links */
};

/*
 * A file that is not there is no error. Nothing but a plain file is read: ELOOP for a symbolic link,
 * EISDIR for a folder, ENODEV for anything else; none of them blocks. EFBIG over FILE_SIZE_MAX, which no
 * artifact comes near; `exists` and `too_large` are set then.
 */
enum { FILE_SIZE_MAX = 256 * 1024 * 1024 };
int file_read(struct arena *arena, int folder, const char *path, struct file_content *content);

/* ".plugin.yaml.allowc": the name of the temporary file beside "plugin.yaml". In the arena. */
const char *file_temporary(struct arena *arena, const char *name);

/* Whether the file that stands there now is the one with this stamp. */
bool file_has_stamp(int folder, const char *path, const struct file_stamp *stamp);

/*
 * Gives an open file the owner and group. Only root gives files to others: else EPERM, and no error where the
 * owner `may_stay`; the group comes along where this process is in it.
 */
int file_give(int fd, const struct file_keeping *keeping, bool may_stay);

/*
 * Then gives it the mode: a group that could not be kept may do no more than everybody, and no program runs
 * as another owner or group than before.
 */
int file_permit(int fd, const struct file_keeping *keeping);

/* What a new file has besides its bytes, before anybody sees it under its name; 0 or an errno value. */
typedef int file_finish_function(int fd, const void *context);

/*
 * Makes a file that must not exist yet, writes it whole and finishes it. On an error the half-written file is
 * gone again.
 */
int file_make(int folder, const char *path, mode_t mode, const char *bytes, size_t size,
	      file_finish_function *finish, const void *context);

/*
 * Makes a file that must not exist yet and writes it whole. `keeping` is of the file that it replaces, NULL
 * where there is none: then its mode is FILE_MODE_NEW less the umask. The owner stays where this process may
 * give files away, the mode always. On an error the half-written file is gone again.
 */
int file_create(int folder, const char *path, const char *bytes, size_t size,
		const struct file_keeping *keeping);

/* Never for all the world to write, whatever the umask. */
#define FILE_MODE_NEW ((mode_t)0664)
#define FOLDER_MODE_NEW ((mode_t)0775)

/* Writes a file from its beginning, whatever it held; made when absent, and empty after an error. */
int file_put(const char *path, const char *bytes, size_t size);

/* Makes a file, or makes it as new as now; its bytes stay. */
int file_touch(const char *path);

/* Writes all bytes, however many calls that takes. EIO where one takes none. */
int file_write(int fd, const char *bytes, size_t size);

#endif
