#include "compiler/hash.h"

#include <stdint.h>

#include <nettle/sha2.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"

const char *hash_bytes(struct arena *arena, const char *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t digest[SHA256_DIGEST_SIZE];
	_Static_assert(2 * sizeof digest == HASH_DIGITS, "two digits a byte");
	struct sha256_ctx context;
	sha256_init(&context);
	sha256_update(&context, size, (const uint8_t *)bytes);
	sha256_digest(&context, sizeof digest, digest);
	char *text = arena_alloc(arena, HASH_DIGITS + 1);
	for (size_t i = 0; i < sizeof digest; i++) {
		text[2 * i] = digits[digest[i] >> 4];
		text[2 * i + 1] = digits[digest[i] & 15];
	}
	return text;
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
