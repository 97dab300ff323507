/* hash: SHA-256 with the examples of FIPS 180-4, and the two ways to compute it against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>
#include <sha2.h>

#include "compiler/base/arena.h"
#include "compiler/hash.h"

static void known_texts_have_their_hash(void **state)
{
	(void)state;
	static const struct {
		const char *text, *hash;
	} cases[] = {
		{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(hash_bytes(arena, cases[i].text, strlen(cases[i].text)), cases[i].hash);
	arena_free(arena);
}

static void a_million_letters_have_their_hash(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	enum { SIZE = 1000000 };
	char *text = arena_alloc(arena, SIZE);
	memset(text, 'a', SIZE);
	assert_string_equal(hash_bytes(arena, text, SIZE),
			    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	arena_free(arena);
}

/* Every length around the blocks' ends, from an odd address, against libmd alone. */
static void all_lengths_agree_with_libmd(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	enum { SIZE = 300 };
	char bytes[SIZE + 1];
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i * 151 + (i >> 3));
	for (size_t size = 0; size <= SIZE; size++) {
		char plain[SHA256_DIGEST_STRING_LENGTH];
		SHA256Data((const uint8_t *)bytes + 1, size, plain);
		assert_string_equal(hash_bytes(arena, bytes + 1, size), plain);
	}
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_texts_have_their_hash),
		cmocka_unit_test(a_million_letters_have_their_hash),
		cmocka_unit_test(all_lengths_agree_with_libmd),
	};
	return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
