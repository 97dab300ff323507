/* The perfect hash: every key in its own slot, nothing else found, small and large forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "backends/perfect_hash.h"
#include "compiler/base/arena.h"

static void check_keys(const char *const *keys, size_t count, enum perfect_hash_form form)
{
	struct arena *arena = arena_new();
	struct perfect_hash hash = perfect_hash_build(arena, keys, count);
	assert_int_equal(hash.form, form);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(perfect_hash_find(&hash, keys, count, keys[i]), i);
	size_t filled = 0;
	for (uint32_t slot = 0; slot < hash.slot_count; slot++)
		filled += hash.slots[slot] != 0;
	assert_int_equal(filled, count);
	assert_int_equal(perfect_hash_find(&hash, keys, count, ""), count);
	assert_int_equal(perfect_hash_find(&hash, keys, count, "no such command"), count);
	assert_int_equal(perfect_hash_find(&hash, keys, count, "x"), count);
	arena_free(arena);
}

static void test_small(void **state)
{
	(void)state;
	static const char *const one[] = { "git" };
	check_keys(one, 1, PERFECT_HASH_FORM_SMALL);
	static const char *const some[] = {
		"git",      "node", "semgrep",       "syft",   "grype", "gitleaks", "scip-typescript",
		"ast-grep", "rg",   "tree-sitter",   "docker", "npm",   "bwrap",    "sandbox-exec",
		"jq",       "dive", "docker buildx", "strace",
	};
	check_keys(some, sizeof some / sizeof *some, PERFECT_HASH_FORM_SMALL);
	/* a key of one byte, and the keys that it begins */
	static const char *const prefixes[] = {
		"a", "aa", "aaa", "aaaa", "aaaaa", "aaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaa"
	};
	check_keys(prefixes, sizeof prefixes / sizeof *prefixes, PERFECT_HASH_FORM_SMALL);
}

static void test_few_that_four_bytes_do_not_part(void **state)
{
	(void)state;
	/* equal in length and in bytes 0, 1, 3 and 5 */
	static const char *const keys[] = { "abXdef", "abYdef" };
	check_keys(keys, 2, PERFECT_HASH_FORM_LARGE);
	/* beyond 16 bytes, parted in the middle alone */
	static const char *const longer[] = { "aaaaaaaaXaaaaaaaaaaaaaaaaa", "aaaaaaaaYaaaaaaaaaaaaaaaaa" };
	check_keys(longer, 2, PERFECT_HASH_FORM_LARGE);
}

/* Numbered names: the worst case for weak hashes, for they differ in few bits. */
static void check_numbered(size_t count, const char *format)
{
	struct arena *arena = arena_new();
	const char **keys = arena_array(arena, count, sizeof *keys);
	for (size_t i = 0; i < count; i++) {
		char text[64];
		int size = snprintf(text, sizeof text, "tool %06zu of %s", i, format);
		keys[i] = arena_copy(arena, text, (size_t)size);
	}
	check_keys(keys, count, PERFECT_HASH_FORM_LARGE);
	arena_free(arena);
}

static void test_large(void **state)
{
	(void)state;
	check_numbered(129, "x");
	check_numbered(2000, "the second layer");
	check_numbered(100000, "y");
}

/* The decimal numbers of no fixed width, so that lengths and last bytes play into each other. */
static void check_counted(const char *before, const char *after)
{
	enum { COUNT = 20000 };
	struct arena *arena = arena_new();
	const char **keys = arena_array(arena, COUNT, sizeof *keys);
	for (size_t i = 0; i < COUNT; i++)
		keys[i] = arena_printf(arena, "%s%zu%s", before, i, after);
	check_keys(keys, COUNT, PERFECT_HASH_FORM_LARGE);
	arena_free(arena);
}

static void test_counted(void **state)
{
	(void)state;
	static const char *const affixes[] = { "", "c", "cmd", "tool-", "program", "program-number-" };
	for (size_t i = 0; i < sizeof affixes / sizeof *affixes; i++) {
		check_counted(affixes[i], "");
		check_counted("", affixes[i]);
		check_counted(affixes[i], affixes[i]);
	}
}

static void test_all_two_byte_keys(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const size_t count = 94 * 94;
	const char **keys = arena_array(arena, count, sizeof *keys);
	for (size_t i = 0; i < count; i++) {
		char text[2] = { (char)('!' + i / 94), (char)('!' + i % 94) };
		keys[i] = arena_copy(arena, text, 2);
	}
	check_keys(keys, count, PERFECT_HASH_FORM_LARGE);
	arena_free(arena);
}

/* The artifact is the same on every host: these numbers are part of it. */
static void test_same_everywhere(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	static const char *const keys[] = { "git", "node", "rg" };
	struct perfect_hash hash = perfect_hash_build(arena, keys, 3);
	assert_int_equal(hash.slot_bits, 5);
	/* The first number of splitmix64 from 0 parts the three: worked out apart from this code. */
	assert_true(hash.multiplier == 0xe220a8397b1dcdafu);
	static const uint32_t slots[32] = { [27] = 1, [20] = 2, [19] = 3 };
	assert_memory_equal(hash.slots, slots, sizeof slots);
	arena_free(arena);
}

/* The same of the large form, its bytes hashed by a script that shares nothing with this code. */
static void test_large_same_everywhere(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	static const char *const keys[] = { "abXdef", "abYdef", "a name of more than sixteen bytes" };
	struct perfect_hash hash = perfect_hash_build(arena, keys, 3);
	assert_int_equal(hash.form, PERFECT_HASH_FORM_LARGE);
	assert_true(hash.multiplier == 0xe220a8397b1dcdafu);
	assert_int_equal(hash.bucket_count, 2);
	assert_int_equal(hash.slot_count, 4);
	static const uint16_t displacements[] = { 1, 0 }, tags[] = { 0x2b1f, 0, 0x0266, 0x2d46 };
	assert_memory_equal(hash.displacements, displacements, sizeof displacements);
	assert_memory_equal(hash.tags, tags, sizeof tags);
	static const uint32_t slots[] = { 3, 0, 1, 2 };
	assert_memory_equal(hash.slots, slots, sizeof slots);
	static const struct perfect_hash_words words[] = {
		{ 0, 0 },
		{ 0, 0 },
		{ 0x6458626164586261u, 0x6665645866656458u },
		{ 0x6459626164596261u, 0x6665645966656459u },
	};
	assert_memory_equal(hash.words, words, sizeof words);
	arena_free(arena);
}

enum { LENGTHS = 40 };

/* Keys of every length from 1 on, each the start of the next; enough others for the large form. */
static const char **keys_of_all_lengths(struct arena *arena, size_t *count)
{
	const char **keys = arena_array(arena, 200, sizeof *keys);
	for (*count = 0; *count < LENGTHS; (*count)++)
		keys[*count] = arena_copy(arena, "aaaabcdefghijklmnopqrstuvwxyz0123456789-.", *count + 1);
	for (; *count < 200; (*count)++)
		keys[*count] = arena_printf(arena, "other %zu", *count);
	return keys;
}

/* No byte of a key may be overlooked, for the words of a short key are compared in place of its text. */
static void test_one_byte_off(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	size_t count;
	const char **keys = keys_of_all_lengths(arena, &count);
	struct perfect_hash hash = perfect_hash_build(arena, keys, count);
	assert_int_equal(hash.form, PERFECT_HASH_FORM_LARGE);
	for (size_t i = 0; i < LENGTHS; i++) {
		char text[LENGTHS + 2] = "";
		memcpy(text, keys[i], i + 1);
		assert_int_equal(perfect_hash_find(&hash, keys, count, text), i);
		for (size_t at = 0; at <= i; at++)
			for (unsigned bit = 0; bit < 8; bit++) {
				text[at] = (char)(text[at] ^ 1 << bit);
				if (strlen(text) == i + 1)
					assert_int_equal(perfect_hash_find(&hash, keys, count, text), count);
				text[at] = (char)(text[at] ^ 1 << bit);
			}
		text[i + 1] = '!';
		assert_int_equal(perfect_hash_find(&hash, keys, count, text), count);
	}
	arena_free(arena);
}

/* Names whose last words, by the first factor, all have nearly one product: one bucket, whatever is added. */
static void test_names_made_to_collide(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *keys[200];
	size_t count = 0;
	for (unsigned number = 0; count < 200; number++) {
		char *key = arena_printf(arena, "aaaa%04ubbbb%04u", number / 10000, number % 10000);
		uint64_t last = 0;
		for (unsigned i = 4; i-- > 0;)
			last = last << 8 | (unsigned char)key[4 + i];
		for (unsigned i = 4; i-- > 0;)
			last = last << 8 | (unsigned char)key[12 + i];
		if (last * PERFECT_HASH_B >> 56 == 0)
			keys[count++] = key;
	}
	check_keys(keys, count, PERFECT_HASH_FORM_LARGE);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_few_that_four_bytes_do_not_part),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_all_two_byte_keys),
		cmocka_unit_test(test_same_everywhere),
		cmocka_unit_test(test_large_same_everywhere),
		cmocka_unit_test(test_one_byte_off),
		cmocka_unit_test(test_names_made_to_collide),
	};
	return cmocka_run_group_tests_name("perfect_hash", tests, NULL, NULL);
}
