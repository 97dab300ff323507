/*
 * One side of a comparison: a file, standard input, or REV:path, whose layers, libraries and ADRs all come
 * from that revision.
 */
#ifndef ALLOWC_DIFF_SIDE_H
#define ALLOWC_DIFF_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/compilation.h"

struct options;
struct policy;
struct revision;

struct side {
	const char *argument; /* as it was given, "main:policies/p.allow" */
	const char *label;    /* "main" of a revision, "" of a file */
	const char *path;     /* in the tree */
	struct compilation compilation;
	struct revision *revision; /* NULL: the file system */
	const struct policy
		*policy; /* NULL where it could not be read, parsed or resolved: diagnostics say why */
};

/*
 * Opens and resolves it, with no more than errors reported, and rows that are past `today`; what -W asks for
 * comes on top of that. Errors of ADRs, and warnings made errors, are reported beside the policy. Always to
 * be ended. The policy lives until then.
 */
void side_open(struct side *side, const char *argument, const struct options *options);

/* The same of a file, `path` as a person in the working folder writes it, in a revision. */
void side_open_in(struct side *side, const char *revision, const char *path, const struct options *options);

/* The same of a path in a tree that the caller has, and keeps until the side ends. */
struct tree;
void side_open_through(struct side *side, const struct tree *tree, const char *path, size_t max_errors);

/* A policy that says nothing: what one is compared with that is new. */
void side_open_nothing(struct side *side);

/* Whether there is no policy at the path. False where that is not certain: no such revision is no answer. */
bool side_is_absent(const struct side *side);

/* Where OLD is absent and git knows NEW by another path: says so, as trouble of OLD. Whether it did. */
bool side_tell_rename(struct side *old, const struct side *now);

/*
 * Whether the argument may mean a file and a revision: side_open() takes the file, which a change can bring.
 * One that begins with ./ means the file alone.
 */
bool side_is_ambiguous(const char *argument);

void side_end(struct side *side);

#endif
