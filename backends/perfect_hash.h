/*
 * A perfect hash over the keys of a table: each key has a slot of its own, so that looking one up takes
 * one comparison. Built in time linear in the keys' bytes, from the keys alone (the same on every host).
 *
 * perfect_hash_find() is the look-up as the generated code does it, for tests and as its explanation;
 * c_header.c writes the same functions as text.
 */
#ifndef ALLOWC_BACKENDS_PERFECT_HASH_H
#define ALLOWC_BACKENDS_PERFECT_HASH_H

#include <stddef.h>
#include <stdint.h>

struct arena;

/*
 * SMALL, for up to PERFECT_HASH_SMALL keys: the length and four bytes of the key, times `multiplier`,
 * are the slot. No branch, and no byte of the key is read twice. Used where four bytes tell the keys
 * apart. LARGE, for any number: all bytes are hashed; the hash chooses a bucket, and the bucket's
 * displacement a slot that holds a 16-bit tag of the one key that can be meant: its length and bits of its
 * hash. A key of up to PERFECT_HASH_WORDS_SIZE bytes is two words, given its length: where the tag and the
 * words are equal the key is, and nobody has to look at its text.
 */
enum perfect_hash_form { PERFECT_HASH_FORM_SMALL, PERFECT_HASH_FORM_LARGE };
enum {
	PERFECT_HASH_SMALL = 128,
	PERFECT_HASH_SLOT_BITS_MAX = 12,
	PERFECT_HASH_WORDS_SIZE = 16,
	PERFECT_HASH_TAG_LENGTHS = 31, /* in tags: longer ones are all alike */
};

struct perfect_hash_words {
	uint64_t first, last;
};

struct perfect_hash {
	enum perfect_hash_form form;
	uint64_t multiplier; /* SMALL: odd. LARGE: added to the first word, changed until all fits */
	uint64_t factor;     /* LARGE: odd, of the last product; changed with it: names can be made for one */
	unsigned slot_bits;  /* SMALL: slot_count is a power of two */
	uint32_t bucket_count;
	uint32_t slot_count;
	const uint16_t *displacements;          /* LARGE: of each bucket */
	const uint16_t *tags;                   /* LARGE: of each slot, 0 where it is empty */
	const struct perfect_hash_words *words; /* LARGE: of each slot, 0 where it is empty or its key long */
	const uint32_t *slots;                  /* key's index + 1, 0 where the slot is empty */
};

/* The constants of the LARGE hash: odd, with half of their bits set (primes of xxHash64). */
#define PERFECT_HASH_A 0x9e3779b185ebca87u
#define PERFECT_HASH_B 0xc2b2ae3d27d4eb4fu
#define PERFECT_HASH_STEP 0x9e3779b1u
#define PERFECT_HASH_MIX 0x85ebca6bu

/*
 * `count` distinct keys, none empty, fewer than 2^31. The result lives in the arena and does not refer
 * to the keys.
 */
struct perfect_hash perfect_hash_build(struct arena *arena, const char *const *keys, size_t count);

/* The index of `key`, or `count`. `keys` and `count` are those of the build. */
size_t perfect_hash_find(const struct perfect_hash *hash, const char *const *keys, size_t count,
			 const char *key);

#endif
