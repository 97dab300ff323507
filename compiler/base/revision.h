/*
 * One revision of a git repository as a tree: files and folders as they were committed, whatever the working
 * folder holds now. One `git cat-file --batch` answers all questions but that for renames: no shell, no
 * checkout, nothing is written, and nothing of the user's text is ever an argument of git.
 */
#ifndef ALLOWC_BASE_REVISION_H
#define ALLOWC_BASE_REVISION_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct revision;
struct tree;

/*
 * Opens the revision in the repository of the working folder. NULL with a sentence in `*why` where that
 * cannot be done: git is not there, this is no repository, it has no such revision. What it holds lives in
 * the arena; the caller ends it.
 */
struct revision *revision_open(struct arena *arena, const char *name, const char **why);
void revision_close(struct revision *revision);

/* Paths in it start at the top folder of the repository. */
const struct tree *revision_tree(const struct revision *revision);

/*
 * The path that a person in the working folder means, from the top folder of the repository on; in the
 * arena. NULL with a sentence in `*why` where it lies outside.
 */
const char *revision_path(struct arena *arena, const char *path, const char **why);

/*
 * Where git sees that a file of `now` was renamed since `old`: its path there, in the arena; else NULL. Both
 * paths start at the top folder. `now` NULL is what the next commit would be: the index.
 */
const char *revision_renamed_from(struct arena *arena, const struct revision *old, const struct revision *now,
				  const char *path);

#endif
