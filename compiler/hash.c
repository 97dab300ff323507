#include "compiler/hash.h"

#include <ctype.h>
#include <stdint.h>
#include <sys/types.h>

#include <sha2.h>

#include "compiler/base/arena.h"
#include "compiler/hash_blocks.h"

/*
 * libmd's C code needs some 15 ns a block, a fifth of the time in which the artifacts of a large policy
 * are made. Whole blocks go to the processor's own instructions where it has them; the rest, and the
 * padding, are libmd's in any case.
 */
const char *hash_bytes(struct arena *arena, const char *bytes, size_t size)
{
	_Static_assert(SHA256_DIGEST_STRING_LENGTH == HASH_DIGITS + 1, "libmd counts the NUL");
	_Static_assert(SHA256_BLOCK_LENGTH == HASH_BLOCK, "libmd's blocks are those of the standard");
	char *digits = arena_alloc(arena, HASH_DIGITS + 1);
	SHA2_CTX context;
	SHA256Init(&context);
	size_t whole = hash_blocks_available() ? size / HASH_BLOCK * HASH_BLOCK : 0;
	if (whole)
		hash_blocks(context.state.st32, (const uint8_t *)bytes, whole / HASH_BLOCK);
	context.bitcount[0] += (uint64_t)whole * 8;
	SHA256Update(&context, (const uint8_t *)bytes + whole, size - whole);
	SHA256End(&context, digits);
	return digits;
}

bool hash_is(const char *text, size_t size)
{
	if (size < HASH_DIGITS)
		return false;
	for (size_t i = 0; i < HASH_DIGITS; i++)
		if (!isxdigit((unsigned char)text[i]))
			return false;
	return true;
}
