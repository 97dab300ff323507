/*
 * System calls that reach the same end: who denies one and not the others has shut one door of several.
 * Sources: the manual page of each call; socketcall(2), ipc(2), io_uring_enter(2) for what those do.
 *
 * Only what is the same for whoever may make either call: the other ways to an end are many, and a list of
 * all of them would be wrong. So left out are, among others, open_by_handle_at (it takes a capability),
 * adjtimex (it mostly reads), write on a socket, and all that only looks (stat, access, readlink).
 */
#ifndef ALLOWC_DATA_EQUIVALENTS_H
#define ALLOWC_DATA_EQUIVALENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the calls of a set are to each other where one is denied to some arguments alone. */
enum equal_arguments {
	ARGUMENTS_ALIKE, /* those of one name mean the same in all of them */
	ARGUMENTS_APART, /* they do not */
	ARGUMENTS_ONLY,  /* they do, and the calls are equal in nothing else */
};

struct equivalents {
	const char *door; /* one call that does what each of `calls` does; NULL: each does as the others */
	const char *const *calls; /* NULL-terminated */
	bool in_part;             /* what the others do is a part, though one that matters */
	enum equal_arguments arguments;
	uint64_t bits; /* of a mask, for which alone they are alike; 0: for all that is compared */
};

extern const struct equivalents equivalents_table[];
extern const size_t equivalents_table_size;

#endif
