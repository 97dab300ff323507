/*
 * The file system with one path that holds another text: a version of a file that stands elsewhere, read as
 * if it were in its place, so that what it names is looked for from there.
 */
#ifndef ALLOWC_BASE_OVERLAY_H
#define ALLOWC_BASE_OVERLAY_H

#include "compiler/base/reading.h"
#include "compiler/base/tree.h"

struct overlay {
	struct tree tree; /* what is handed on; the overlay outlives it */
	const char *path;
	struct reading text;
};

/*
 * The path need not exist; where it does, its text here is the same file as the one there, by whatever name
 * that is reached.
 */
struct overlay overlay_make(const char *path, struct reading text);

#endif
