/*
 * The arguments of system calls: where an ABI passes them, and how much of the register the kernel reads.
 * Source: compiler/data/arguments.tsv, which names its own.
 */
#ifndef ALLOWC_DATA_ARGUMENTS_H
#define ALLOWC_DATA_ARGUMENTS_H

#include <stdbool.h>

#include "compiler/data/syscalls.h"

struct arena;

enum { ARGUMENT_COUNT = 6 };

struct argument_place {
	int index;     /* 0..5; -1: the ABI passes it where no filter sees it */
	unsigned bits; /* 16, 32 or 64: what the kernel reads, from the lowest on */
};

/* Whether the call has an argument of that name on some ABI: of its prototype, or arg0 to arg5. */
bool argument_exists(const struct syscall_entry *call, const char *name);

/* Where `abi`, which has the call, passes an argument that exists. */
struct argument_place argument_place(const struct syscall_entry *call, const char *name, enum abi abi);

/* Its names in order, "domain, type, protocol"; "" where the table has none. In the arena. */
const char *argument_names(struct arena *arena, const struct syscall_entry *call);

/* The nearest of them, for messages: NULL where none is near. In the arena. */
const char *argument_nearest(struct arena *arena, const struct syscall_entry *call, const char *name);

#endif
