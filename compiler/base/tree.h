/*
 * Where the files that a policy names are read from: the file system, or one revision of a repository
 * (revision.h). Layers, libraries and ADRs of one compilation all come from one tree.
 */
#ifndef ALLOWC_BASE_TREE_H
#define ALLOWC_BASE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct reading;

/* Which file it is, by whatever path. Zeros where it is no file: standard input, a text in memory. */
struct file_identity {
	uint64_t device, inode;
};

bool file_identity_equal(struct file_identity a, struct file_identity b);

/* Who names the path: only where a person does may it be a pipe or a device, which keep a reader waiting. */
enum tree_naming { NAMED_BY_POLICY, NAMED_BY_PERSON };

typedef void tree_entry_function(void *context, const char *name);

/* Functions that can fail return 0 or an errno value and report nothing. */
struct tree {
	/* What stands before a path where it is shown: "main:" of a revision, "" of the file system. */
	const char *label;

	/*
	 * EISDIR for a folder, ENODEV for what is no file, EFBIG over `most` bytes; EREMOTE, as `list` has it
	 * too, where a repository knows the path and has not its content.
	 */
	int (*read)(const struct tree *tree, struct arena *arena, const char *path, enum tree_naming naming,
		    size_t most, struct reading *reading, struct file_identity *identity);

	/* Calls `each` with the name of every entry, in no order. */
	int (*list)(const struct tree *tree, const char *folder, tree_entry_function *each, void *context);

	/* False where there is nothing at the path, or no way to it. */
	bool (*identify)(const struct tree *tree, const char *path, struct file_identity *identity);
};

/* The file system, as seen from the working folder. */
const struct tree *tree_of_files(void);

#endif
