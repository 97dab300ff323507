#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/sieve.h"

static void equal_keys_repeat(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct sieve *sieve = sieve_new(arena, 3);
	sieve_add(sieve, "docker", 6);
	sieve_add(sieve, "git", 3);
	sieve_add(sieve, "docker buildx", 6); /* its first six bytes */
	assert_true(sieve_repeats(sieve, 0));
	assert_false(sieve_repeats(sieve, 1));
	assert_true(sieve_repeats(sieve, 2));
	arena_free(arena);
}

static void a_key_may_be_empty(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct sieve *one = sieve_new(arena, 1), *two = sieve_new(arena, 2);
	sieve_add(one, "", 0);
	assert_false(sieve_repeats(one, 0));
	sieve_add(two, "", 0);
	sieve_add(two, "", 0);
	assert_true(sieve_repeats(two, 0));
	assert_true(sieve_repeats(two, 1));
	arena_free(arena);
}

/* Each of a pair is found, and at most one in 8 of the rest is let through for nothing. */
static void few_of_many_are_let_through(void **state)
{
	(void)state;
	enum { KEYS = 10000, PAIRS = 100 };
	struct arena *arena = arena_new();
	struct sieve *sieve = sieve_new(arena, KEYS + PAIRS);
	char key[16];
	for (int i = 0; i < KEYS + PAIRS; i++)
		sieve_add(sieve, key, (size_t)snprintf(key, sizeof key, "cmd%d", i % KEYS));
	int others = 0;
	for (size_t i = 0; i < KEYS + PAIRS; i++) {
		if (i < PAIRS || i >= KEYS)
			assert_true(sieve_repeats(sieve, i));
		else
			others += sieve_repeats(sieve, i);
	}
	assert_true(others < KEYS / 8);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_keys_repeat),
		cmocka_unit_test(a_key_may_be_empty),
		cmocka_unit_test(few_of_many_are_let_through),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
