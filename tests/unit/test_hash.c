/* hash: SHA-256 with the examples of FIPS 180-4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_texts_have_their_hash),
		cmocka_unit_test(a_million_letters_have_their_hash),
	};
	return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
