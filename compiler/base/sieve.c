#include "compiler/base/sieve.h"

#include <assert.h>
#include <stdint.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"

enum { BITS_OF_KEY = 16, BITS_OF_WORD = 64 };

/* A bit of each for a key's hash. They stand side by side, so that both are in one line of the cache. */
struct marks {
	uint64_t once, again;
};

struct sieve {
	uint32_t *hashes;
	size_t count, most;
	struct marks *marks;
	size_t mark_count; /* a power of two */
	bool marked;       /* all hashes are */
};

struct sieve *sieve_new(struct arena *arena, size_t most)
{
	struct sieve *sieve = arena_alloc(arena, sizeof *sieve);
	sieve->most = most;
	sieve->hashes = arena_array(arena, most, sizeof *sieve->hashes);
	sieve->mark_count = 1;
	while (sieve->mark_count * BITS_OF_WORD / BITS_OF_KEY < most)
		sieve->mark_count *= 2;
	sieve->marks = arena_array(arena, sieve->mark_count, sizeof *sieve->marks);
	return sieve;
}

void sieve_add(struct sieve *sieve, const char *key, size_t size)
{
	assert(sieve->count < sieve->most && !sieve->marked);
	sieve->hashes[sieve->count++] = key_hash(key, size, 0);
}

/* Those of the key number `index`. The marks of one that is due soon are on their way meanwhile. */
static struct marks *marks_of(const struct sieve *sieve, size_t index)
{
	size_t mask = sieve->mark_count - 1;
	if (index + MAP_AHEAD < sieve->count)
		__builtin_prefetch(&sieve->marks[sieve->hashes[index + MAP_AHEAD] / BITS_OF_WORD & mask], 1);
	return &sieve->marks[sieve->hashes[index] / BITS_OF_WORD & mask];
}

static void hashes_mark(struct sieve *sieve)
{
	for (size_t i = 0; i < sieve->count; i++) {
		uint64_t bit = (uint64_t)1 << sieve->hashes[i] % BITS_OF_WORD;
		struct marks *marks = marks_of(sieve, i);
		marks->again |= marks->once & bit;
		marks->once |= bit;
	}
	sieve->marked = true;
}

bool sieve_repeats(struct sieve *sieve, size_t index)
{
	if (!sieve->marked)
		hashes_mark(sieve);
	return marks_of(sieve, index)->again >> sieve->hashes[index] % BITS_OF_WORD & 1;
}
