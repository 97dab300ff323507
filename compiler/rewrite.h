/*
 * A file that a person names on the command line, in place of which another text of it goes.
 */
#ifndef ALLOWC_REWRITE_H
#define ALLOWC_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

struct compilation;
struct source;

/*
 * Puts the bytes where the source was read: beside it, then by a rename, with its mode, owner and extended
 * attributes; a symbolic link stays one, and the file behind it is replaced. False when trouble was reported:
 * the file is then as it was. That is so too where it is no regular file, may not be written, or is no longer
 * what was read. Two runs in one folder take turns.
 */
bool rewrite_file(struct compilation *compilation, const struct source *source, const char *bytes,
		  size_t size);

#endif
