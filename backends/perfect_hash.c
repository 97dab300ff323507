#include "backends/perfect_hash.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "compiler/base/arena.h"

enum {
	SMALL_SLOTS = 8, /* for each key */
	TRIES = 64,      /* multipliers of one table size before the next */
	BUCKET_KEYS = 3, /* mean keys in a bucket: fewer need more table, more need more tries */
	DISPLACEMENTS = UINT16_MAX + 1,
};

/* ---- hashes: c_header.c writes the same as text ---- */

static uint64_t hash_small(const char *key, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)key;
	return bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[size / 2] << 16 |
	       (uint64_t)bytes[size - 1] << 24 | (uint64_t)size << 32;
}

static uint64_t load_four(const char *key)
{
	const unsigned char *bytes = (const unsigned char *)key;
	return bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[3] << 24;
}

static uint64_t load_eight(const char *key)
{
	return load_four(key) | load_four(key + 4) << 32;
}

static uint64_t seed_of(uint64_t multiplier, size_t size)
{
	return multiplier + size * PERFECT_HASH_B;
}

/*
 * Names of 4 to 16 bytes are nearly all there are, so that no branch asks for more of the length: four times
 * four bytes from both ends, which overlap as they must. The seed is in every step of a longer key, or two
 * keys that are made to collide would do so under each.
 */
static struct perfect_hash_words words_of(const char *key, size_t size, uint64_t seed)
{
	const unsigned char *bytes = (const unsigned char *)key;
	if (size < 4)
		return (struct perfect_hash_words){ bytes[0],
						    (uint64_t)bytes[size / 2] << 8 | bytes[size - 1] };
	if (size <= PERFECT_HASH_WORDS_SIZE) {
		size_t inner = size / 8 * 4;
		return (struct perfect_hash_words){
			load_four(key) | load_four(key + inner) << 32,
			load_four(key + size - 4) | load_four(key + size - 4 - inner) << 32,
		};
	}
	struct perfect_hash_words words = { load_eight(key), load_eight(key + size - 8) };
	for (size_t i = 8; i + 8 < size; i += 8) {
		words.first += seed;
		words.first = (words.first ^ words.first >> 32) * PERFECT_HASH_B ^ load_eight(key + i);
	}
	return words;
}

/* A product carries upwards only: what differs in a high byte must be folded down between the two. */
static uint64_t hash_words(struct perfect_hash_words words, uint64_t seed, uint64_t factor)
{
	uint64_t hash = (words.first + seed) * PERFECT_HASH_A;
	hash = ((hash ^ hash >> 32) + words.last) * factor;
	return hash ^ hash >> 29;
}

static uint32_t scale(uint32_t hash, uint32_t count)
{
	return (uint32_t)((uint64_t)hash * count >> 32);
}

static uint32_t bucket_of(const struct perfect_hash *table, uint64_t hash)
{
	return scale((uint32_t)(hash >> 32), table->bucket_count);
}

static uint32_t slot_of(const struct perfect_hash *table, uint64_t hash, uint32_t displacement)
{
	uint32_t moved = ((uint32_t)hash ^ displacement * PERFECT_HASH_STEP) * PERFECT_HASH_MIX;
	return scale(moved, table->slot_count);
}

/*
 * The length, so that equal tags and words are equal keys; above it bits of the hash that neither the bucket
 * nor the slot owes much to. 0 is kept for empty slots.
 */
static uint16_t tag_of(uint64_t hash, size_t size)
{
	uint64_t length = size < PERFECT_HASH_TAG_LENGTHS ? size : PERFECT_HASH_TAG_LENGTHS;
	return (uint16_t)(hash >> 24 << 5 | length);
}

/* ---- small ---- */

/* The sequence of splitmix64: well-mixed multipliers from a counter. */
static uint64_t mixed(uint64_t counter)
{
	uint64_t z = (counter + 1) * 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static bool fill_small(const uint64_t *hashes, size_t count, uint64_t multiplier, unsigned bits,
		       uint32_t *slots)
{
	memset(slots, 0, sizeof *slots << bits);
	for (size_t i = 0; i < count; i++) {
		uint32_t *slot = &slots[hashes[i] * multiplier >> (64 - bits)];
		if (*slot)
			return false;
		*slot = (uint32_t)i + 1;
	}
	return true;
}

/* False where the four bytes and the length do not tell the keys apart. */
static bool build_small(struct arena *arena, const char *const *keys, size_t count,
			struct perfect_hash *table)
{
	uint64_t hashes[PERFECT_HASH_SMALL];
	for (size_t i = 0; i < count; i++)
		hashes[i] = hash_small(keys[i], strlen(keys[i]));
	/* Most slots are empty, so that most commands which are not here need no comparison. */
	unsigned bits = 1;
	while ((size_t)1 << bits < SMALL_SLOTS * count)
		bits++;
	uint32_t *slots = arena_array(arena, (size_t)1 << PERFECT_HASH_SLOT_BITS_MAX, sizeof *slots);
	for (; bits <= PERFECT_HASH_SLOT_BITS_MAX; bits++)
		for (uint64_t try = 0; try < TRIES; try++) {
			uint64_t multiplier = mixed(try) | 1;
			if (!fill_small(hashes, count, multiplier, bits, slots))
				continue;
			table->form = PERFECT_HASH_FORM_SMALL;
			table->multiplier = multiplier;
			table->slot_bits = bits;
			table->slot_count = (uint32_t)1 << bits;
			table->slots = slots;
			return true;
		}
	return false;
}

/* ---- large ---- */

/* What a slot gets of its key: in a large table each look at the key itself would wait for memory. */
struct hashed_key {
	uint64_t hash;
	struct perfect_hash_words words; /* 0 of a long key */
	uint32_t number;                 /* from 1, as slots have it */
	uint16_t tag;
};

/* The keys of bucket b are keys[starts[b]] … keys[starts[b + 1] - 1]. */
struct buckets {
	uint32_t *starts;
	struct hashed_key *keys;
	uint32_t *order; /* the buckets, fullest first */
};

struct build {
	struct arena *arena; /* of the build alone */
	struct perfect_hash *table;
	const char *const *keys;
	size_t count;
	struct hashed_key *hashed; /* in the order of the keys */
	struct buckets buckets;
	uint16_t *displacements, *tags;
	struct perfect_hash_words *words;
	uint32_t *slots;
	uint64_t *taken; /* a bit a slot: most tries meet a taken one, and bits stay in the cache */
};

static uint32_t bucket_size(const struct buckets *buckets, uint32_t bucket)
{
	return buckets->starts[bucket + 1] - buckets->starts[bucket];
}

/* Counting sorts: of the keys by bucket, then of the buckets by size. */
static void sort_keys(struct build *build)
{
	struct buckets *buckets = &build->buckets;
	uint32_t count = build->table->bucket_count;
	memset(buckets->starts, 0, (count + 1) * sizeof *buckets->starts);
	for (size_t i = 0; i < build->count; i++)
		buckets->starts[bucket_of(build->table, build->hashed[i].hash)]++;
	for (uint32_t b = 1; b <= count; b++)
		buckets->starts[b] += buckets->starts[b - 1];
	for (size_t i = build->count; i-- > 0;)
		buckets->keys[--buckets->starts[bucket_of(build->table, build->hashed[i].hash)]] =
			build->hashed[i];
}

static void sort_buckets(struct build *build)
{
	struct buckets *buckets = &build->buckets;
	uint32_t count = build->table->bucket_count;
	uint32_t most = 0;
	for (uint32_t b = 0; b < count; b++)
		if (bucket_size(buckets, b) > most)
			most = bucket_size(buckets, b);
	uint32_t *ends = arena_array(build->arena, (size_t)most + 2, sizeof *ends);
	for (uint32_t b = 0; b < count; b++)
		ends[most - bucket_size(buckets, b) + 1]++;
	for (uint32_t i = 1; i <= most + 1; i++)
		ends[i] += ends[i - 1];
	for (uint32_t b = 0; b < count; b++)
		buckets->order[ends[most - bucket_size(buckets, b)]++] = b;
}

static uint64_t bit_of(uint32_t slot)
{
	return (uint64_t)1 << slot % 64;
}

/* Whether the bucket's keys have free slots, each its own: then they are marked as taken. */
static bool take_slots(struct build *build, const struct hashed_key *keys, uint32_t size,
		       uint32_t displacement)
{
	for (uint32_t i = 0; i < size; i++) {
		uint32_t slot = slot_of(build->table, keys[i].hash, displacement);
		if (!(build->taken[slot / 64] & bit_of(slot))) {
			build->taken[slot / 64] |= bit_of(slot);
			continue;
		}
		while (i-- > 0) {
			slot = slot_of(build->table, keys[i].hash, displacement);
			build->taken[slot / 64] &= ~bit_of(slot);
		}
		return false;
	}
	return true;
}

static bool place_bucket(struct build *build, uint32_t bucket)
{
	const struct hashed_key *keys = &build->buckets.keys[build->buckets.starts[bucket]];
	uint32_t size = bucket_size(&build->buckets, bucket), displacement = 0;
	while (!take_slots(build, keys, size, displacement))
		if (++displacement == DISPLACEMENTS)
			return false;
	for (uint32_t i = 0; i < size; i++) {
		uint32_t slot = slot_of(build->table, keys[i].hash, displacement);
		build->slots[slot] = keys[i].number;
		build->tags[slot] = keys[i].tag;
		build->words[slot] = keys[i].words;
	}
	build->displacements[bucket] = (uint16_t)displacement;
	return true;
}

static bool place_all(struct build *build)
{
	memset(build->slots, 0, build->table->slot_count * sizeof *build->slots);
	memset(build->tags, 0, build->table->slot_count * sizeof *build->tags);
	memset(build->words, 0, build->table->slot_count * sizeof *build->words);
	memset(build->taken, 0, (build->table->slot_count / 64 + 1) * sizeof *build->taken);
	for (uint32_t i = 0; i < build->table->bucket_count; i++)
		if (!place_bucket(build, build->buckets.order[i]))
			return false;
	return true;
}

static struct hashed_key hash_key(const struct perfect_hash *table, const char *key, uint32_t number)
{
	size_t size = strlen(key);
	uint64_t seed = seed_of(table->multiplier, size);
	struct perfect_hash_words words = words_of(key, size, seed);
	uint64_t hash = hash_words(words, seed, table->factor);
	return (struct hashed_key){
		.hash = hash,
		.words = size <= PERFECT_HASH_WORDS_SIZE ? words : (struct perfect_hash_words){ 0, 0 },
		.number = number,
		.tag = tag_of(hash, size),
	};
}

static void hash_keys(struct build *build)
{
	for (size_t i = 0; i < build->count; i++)
		build->hashed[i] = hash_key(build->table, build->keys[i], (uint32_t)i + 1);
}

static void build_large(struct arena *arena, const char *const *keys, size_t count,
			struct perfect_hash *table)
{
	table->form = PERFECT_HASH_FORM_LARGE;
	table->bucket_count = (uint32_t)(count / BUCKET_KEYS + 1);
	table->slot_count = (uint32_t)(count + count / 4 + 1);
	struct arena *passing = arena_new();
	struct build build = { .arena = passing, .table = table, .keys = keys, .count = count };
	build.hashed = arena_array(passing, count, sizeof *build.hashed);
	build.buckets.starts = arena_array(passing, (size_t)table->bucket_count + 1, sizeof(uint32_t));
	build.buckets.order = arena_array(passing, table->bucket_count, sizeof(uint32_t));
	build.buckets.keys = arena_array(passing, count, sizeof *build.buckets.keys);
	build.displacements = arena_array(arena, table->bucket_count, sizeof *build.displacements);
	build.tags = arena_array(arena, table->slot_count, sizeof *build.tags);
	build.words = arena_array(arena, table->slot_count, sizeof *build.words);
	build.slots = arena_array(arena, table->slot_count, sizeof *build.slots);
	build.taken = arena_array(passing, (size_t)table->slot_count / 64 + 1, sizeof *build.taken);
	/*
	 * Distinct keys with one 64-bit hash, or a bucket that fits nowhere, are about one in 2^30; but of a
	 * product with a known factor anyone can choose them, whatever is added before.
	 */
	uint64_t try = 0;
	do {
		assert(try < TRIES);
		table->factor = try ? mixed(TRIES + try) | 1 : PERFECT_HASH_B;
		table->multiplier = mixed(try++);
		hash_keys(&build);
		sort_keys(&build);
		sort_buckets(&build);
	} while (!place_all(&build));
	table->displacements = build.displacements;
	table->tags = build.tags;
	table->words = build.words;
	table->slots = build.slots;
	arena_free(passing);
}

struct perfect_hash perfect_hash_build(struct arena *arena, const char *const *keys, size_t count)
{
	assert(count <= INT32_MAX);
	struct perfect_hash table = { 0 };
	if (count > PERFECT_HASH_SMALL || !build_small(arena, keys, count, &table))
		build_large(arena, keys, count, &table);
	return table;
}

/* ---- look-up ---- */

static size_t find_small(const struct perfect_hash *hash, const char *const *keys, size_t count,
			 const char *key, size_t size)
{
	uint32_t slot = hash->slots[hash_small(key, size) * hash->multiplier >> (64 - hash->slot_bits)];
	return slot && strcmp(keys[slot - 1], key) == 0 ? slot - 1 : count;
}

static size_t find_large(const struct perfect_hash *table, const char *const *keys, size_t count,
			 const char *key, size_t size)
{
	uint64_t seed = seed_of(table->multiplier, size);
	struct perfect_hash_words words = words_of(key, size, seed);
	uint64_t hash = hash_words(words, seed, table->factor);
	uint32_t slot = slot_of(table, hash, table->displacements[bucket_of(table, hash)]);
	if (table->tags[slot] != tag_of(hash, size))
		return count;
	size_t index = table->slots[slot] - 1;
	if (size > PERFECT_HASH_WORDS_SIZE)
		return strcmp(keys[index], key) == 0 ? index : count;
	const struct perfect_hash_words *there = &table->words[slot];
	return there->first == words.first && there->last == words.last ? index : count;
}

size_t perfect_hash_find(const struct perfect_hash *hash, const char *const *keys, size_t count,
			 const char *key)
{
	size_t size = strlen(key);
	if (!size || !count)
		return count;
	if (hash->form == PERFECT_HASH_FORM_SMALL)
		return find_small(hash, keys, count, key, size);
	return find_large(hash, keys, count, key, size);
}
