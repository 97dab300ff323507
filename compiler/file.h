/*
 * Whole files, by their path below an open folder. Every function that can fail returns 0 or an errno
 * value and reports nothing: the caller knows what the file was for.
 */
#ifndef ALLOWC_FILE_H
#define ALLOWC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct arena;

struct file_content {
	bool exists;
	const char *bytes; /* in the arena */
	size_t size;
	mode_t mode; /* permission bits */
};

/*
 * A file that is not there is no error. Nothing but a plain file is read: ELOOP for a symbolic link,
 * EISDIR for a folder, ENODEV for anything else; none of them blocks.
 */
int file_read(struct arena *arena, int folder, const char *path, struct file_content *content);

/*
 * Makes a file that must not exist yet and writes it whole. `mode` is what a file it replaces had, or
 * FILE_MODE_NEW: 0666 less the umask. On an error the half-written file is gone again.
 */
#define FILE_MODE_NEW ((mode_t)-1)
int file_create(int folder, const char *path, const char *bytes, size_t size, mode_t mode);

/* Writes all bytes, however many calls that takes. */
int file_write(int fd, const char *bytes, size_t size);

/* Folders that a run made, so that a failed run can take them away again. */
struct made_folders {
	struct made_folder {
		int at;
		const char *path;
	} * items;
	size_t count, capacity;
};

/* Makes a folder and those above it; what is there already is no error. */
int folder_make(struct arena *arena, int at, const char *path, struct made_folders *made);

/* Removes them, the last first; one that is no longer empty stays. */
void folders_remove(const struct made_folders *made);

/* Removes the empty folders above the file `path`, up to the folder `at` itself. */
void folders_prune(struct arena *arena, int at, const char *path);

/*
 * Whether a symbolic link, or anything else that is no folder, stands between `at` and the file `path`:
 * 0, ELOOP or ENOTDIR. What `previous` (a path checked before, or "") shares with it is not asked again.
 * `*length` is the length of the part of `path` in question.
 */
int folders_check(struct arena *arena, int at, const char *path, const char *previous, size_t *length);

#endif
