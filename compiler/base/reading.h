/*
 * What an open file, pipe or device gives until its end.
 */
#ifndef ALLOWC_BASE_READING_H
#define ALLOWC_BASE_READING_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct reading {
	const char *bytes; /* in the arena; bytes[size] is NUL */
	size_t size;
	bool passing; /* of a pipe or a device: what it gave is gone from there */
};

/*
 * `expected` is how long the file says it is; 0 where it cannot say. One that turns out longer or shorter
 * is read all the same. Returns 0 or an errno value; EFBIG beyond `most` bytes, before memory is taken
 * for them.
 */
int reading_take(struct arena *arena, int fd, size_t expected, size_t most, struct reading *reading);

/*
 * After a read or a write that failed: whether it only was interrupted, or would have had to wait. Another
 * process that has the same terminal or pipe may have set O_NONBLOCK for both: then this waits for `events`
 * of poll(2). Else errno says why it failed.
 */
bool is_worth_another_try(int fd, short events);

#endif
