/*
 * Constants of system calls' arguments, by name. Source: compiler/data/constants.tsv, which names its own and
 * says what is left out.
 */
#ifndef ALLOWC_DATA_CONSTANTS_H
#define ALLOWC_DATA_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/data/syscalls.h"

/* False where no header has it. Negative values are extended to 64 bits. */
bool constant_find(const char *name, enum abi abi, int64_t *value);

/* The nearest name, for messages: NULL where none is near. */
const char *constant_nearest(const char *name);

#endif
