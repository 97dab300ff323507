/*
 * SHA-256, the hash of NAME.sha256 and of the journal.
 */
#ifndef ALLOWC_HASH_H
#define ALLOWC_HASH_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { HASH_DIGITS = 64 };

/* The hash as 64 lower-case hexadecimal digits, NUL-terminated, in the arena. */
const char *hash_bytes(struct arena *arena, const char *bytes, size_t size);

/* Whether the next 64 bytes are lower- or upper-case hexadecimal digits; a shorter text is none. */
bool hash_is(const char *text, size_t size);

#endif
