/*
 * One hand-written file replaced in place: a new file beside it with its mode, owner and extended
 * attributes, then a rename. Internal to sync.c and rewrite.c. Each function returns 0 or an errno value.
 */
#ifndef ALLOWC_SYNC_WRITE_H
#define ALLOWC_SYNC_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/file.h"

/* One file; `old` is what stood there when its new bytes were made. */
struct sync_file {
	int root; /* an open folder */
	const char *path;
	struct file_content old;
	struct file_stamp compared; /* what sync_file_same() saw */
	const char *bytes;
	size_t size;
	bool prepared, done;
};

/* Reads what stands there now. */
int sync_file_read(struct arena *arena, const struct sync_file *file, struct file_content *content);

/* Whether it stands there as it was read. */
int sync_file_same(struct arena *arena, struct sync_file *file, bool *same);

/*
 * Writes the new bytes beside it. EACCES where the file itself may not be written, though its folder may.
 * EMLINK: the file has another name (a hard link), which would keep the old text.
 * EEXIST: something else is in the way of the temporary file; what a killed run left there is taken away.
 */
int sync_file_prepare(struct arena *arena, struct sync_file *file);

/* Where nothing is to be written: takes away a second name of the file that a killed run left beside it. */
int sync_file_tidy(struct arena *arena, struct sync_file *file);

/*
 * The rename. ESTALE: what stands there is no longer what sync_file_same() saw. Many files and slow disks may
 * lie between the two.
 */
int sync_file_finish(struct arena *arena, struct sync_file *file);

/* Whether it can be taken away, as far as that can be told before. Then it goes; ESTALE as above. */
int sync_file_removable(struct arena *arena, struct sync_file *file);
int sync_file_remove(struct arena *arena, struct sync_file *file);

/* After any of these: as it was. ESTALE: it was renamed, and is no longer what was written; so it stays. */
int sync_file_undo(struct arena *arena, struct sync_file *file);

#endif
