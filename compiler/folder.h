/*
 * Folders: the output folder by its path, and the folders below it one step at a time. Functions that
 * can fail return 0 or an errno value and report nothing.
 */
#ifndef ALLOWC_FOLDER_H
#define ALLOWC_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* Folders that a run made, so that a failed run can take them away again. */
struct made_folders {
	struct made_folder {
		int at; /* AT_FDCWD for the output folder and those above it */
		const char *path;
	} * items;
	size_t count, capacity;
};

/* Makes the output folder and those above it; what is there already is no error. Links are followed. */
int folder_make(struct arena *arena, const char *path, struct made_folders *made);

/*
 * Waits for its turn in an open folder, which ends when that is closed. There is no lock file to leave
 * behind, and the kernel gives the turn back when its holder is killed. A file system that cannot lock a
 * folder (NFS) has no turns: 0.
 */
int folder_lock(int folder);

/* Removes them, the last first; one that is no longer empty stays. Below the output folder no link is
 * followed. */
void folders_remove(const struct made_folders *made);

/* Removes the empty folders above the file `path`, up to the folder `at` itself, and follows no link. */
void folders_prune(struct arena *arena, int at, const char *path);

/* Where a file below a folder is: the folder that holds it, open, and its name there. */
struct place {
	int folder;
	const char *name; /* a part of the path */
	bool opened;      /* else the folder is the caller's */
};

/*
 * Opens each folder of `path` in the one before and follows no symbolic link, so that nobody who swaps a
 * folder for a link leads a write elsewhere. ENOENT where a folder is absent, ELOOP for a link, ENOTDIR
 * for anything else: `place->name` then begins with the part in question, and there is nothing to close.
 */
int place_open(int at, const char *path, struct place *place);

/* The same, and makes the folders that are absent. */
int place_make(struct arena *arena, int at, const char *path, struct made_folders *made, struct place *place);

void place_close(struct place *place);

#endif
