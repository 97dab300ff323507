/*
 * What well-known programs need from the kernel for what they are mostly run for, whoever runs them: without
 * it they start, and fail. Each entry names where that is written.
 *
 * Left out is what is needed only sometimes (ping has sockets without CAP_NET_RAW, dmesg reads a file), and
 * what another process does for the program (docker asks a daemon, reboot asks init).
 */
#ifndef ALLOWC_DATA_KNOWN_NEEDS_H
#define ALLOWC_DATA_KNOWN_NEEDS_H

#include <stddef.h>

/* Either a capability or system calls, of which each is needed. */
struct known_need {
	const char *program;
	const char *capability;   /* NULL: calls */
	const char *const *calls; /* NULL-terminated; NULL: a capability */
	const char *why;          /* "it mounts …: bwrap(1)" */
};

/* Sorted by program (as bytes), one entry each. */
extern const struct known_need known_need_table[];
extern const size_t known_need_table_size;

/* By the first word of a command; NULL where nothing is known. */
const struct known_need *known_need_find(const char *command);

#endif
