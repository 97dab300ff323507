/*
 * The compression of SHA-256 by the processor's own instructions. Internal to hash.c.
 */
#ifndef ALLOWC_HASH_BLOCKS_H
#define ALLOWC_HASH_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HASH_BLOCK = 64 };

/* Whether this processor has them; where not, hash_blocks() must not be called. */
bool hash_blocks_available(void);

/* Takes `count` blocks into the state, words a to h in the machine's own order of bytes. */
void hash_blocks(uint32_t state[8], const uint8_t *bytes, size_t count);

#endif
