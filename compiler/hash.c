#include "compiler/hash.h"

#include <stdint.h>
#include <sys/types.h>

#include <sha2.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"

const char *hash_bytes(struct arena *arena, const char *bytes, size_t size)
{
	_Static_assert(SHA256_DIGEST_STRING_LENGTH == HASH_DIGITS + 1, "libmd counts the NUL");
	char *digits = arena_alloc(arena, HASH_DIGITS + 1);
	SHA256Data((const uint8_t *)bytes, size, digits);
	return digits;
}

bool hash_is(const char *text, size_t size)
{
	if (size < HASH_DIGITS)
		return false;
	for (size_t i = 0; i < HASH_DIGITS; i++)
		if (!ascii_is_hexadecimal(text[i]))
			return false;
	return true;
}
