/*
 * A file written whole beside the one that it will replace by a rename, with what that one has besides its
 * bytes: mode, owner, access list and extended attributes.
 */
#ifndef ALLOWC_REPLACEMENT_H
#define ALLOWC_REPLACEMENT_H

#include <stddef.h>

struct arena;
struct place;

/* How much of it the system may refuse. */
enum replacement_keeping {
	KEEPING_ALL,      /* nothing */
	KEEPING_POSSIBLE, /* what it lets root alone give, or nobody: owner, group, capabilities, labels */
};

/*
 * Makes `temporary`, which must not exist yet, in the folder of `place`. The file at `place` has to be there:
 * else ENOENT. Nobody gets in whom the old file kept out: an access list stays or is an error, the folder
 * gives none, and a group that could not come along leaves the mode or list narrower (file_mode_give()). 0 or
 * an errno value; on an error the half-written file is gone again.
 */
int replacement_write(struct arena *arena, const struct place *place, const char *temporary,
		      const char *bytes, size_t size, enum replacement_keeping keeping);

#endif
