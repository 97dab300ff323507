#include "compiler/hash_blocks.h"

#include <assert.h>

/* Of glibc 2.33 and newer. Others go without: see hash_blocks_available(). */
#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#define HAS_SHA_CODE
#endif
#endif

#if defined(HAS_SHA_CODE)
#include <immintrin.h>
#include <sys/platform/x86.h>

/* FIPS 180-4, section 4.2.2. */
static const uint32_t round_constants[64] __attribute__((aligned(16))) = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* What the C library found when the program started: in a virtual machine each CPUID costs 20 µs. */
bool hash_blocks_available(void)
{
	return CPU_FEATURE_ACTIVE(SHA) && CPU_FEATURE_ACTIVE(SSE4_1) && CPU_FEATURE_ACTIVE(SSSE3);
}

#define SHA_CODE __attribute__((target("sha,sse4.1,ssse3")))

/* The instructions hold the state as two halves: a b e f and c d g h, the first in the highest word. */
struct halves {
	__m128i abef, cdgh;
};

SHA_CODE static struct halves state_split(const uint32_t state[8])
{
	return (struct halves){
		.abef = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]),
		.cdgh = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]),
	};
}

SHA_CODE static void state_join(const struct halves *halves, uint32_t state[8])
{
	state[0] = (uint32_t)_mm_extract_epi32(halves->abef, 3);
	state[1] = (uint32_t)_mm_extract_epi32(halves->abef, 2);
	state[4] = (uint32_t)_mm_extract_epi32(halves->abef, 1);
	state[5] = (uint32_t)_mm_extract_epi32(halves->abef, 0);
	state[2] = (uint32_t)_mm_extract_epi32(halves->cdgh, 3);
	state[3] = (uint32_t)_mm_extract_epi32(halves->cdgh, 2);
	state[6] = (uint32_t)_mm_extract_epi32(halves->cdgh, 1);
	state[7] = (uint32_t)_mm_extract_epi32(halves->cdgh, 0);
}

/* Four words of the message, which is big-endian. */
SHA_CODE static inline __m128i words_load(const uint8_t *bytes)
{
	const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)bytes), swap);
}

/* The four words of the schedule after the sixteen in `w`, whose oldest four stand at `first`. */
SHA_CODE static inline __m128i words_next(const __m128i w[4], unsigned first)
{
	__m128i oldest = w[first % 4], second = w[(first + 1) % 4];
	__m128i third = w[(first + 2) % 4], newest = w[(first + 3) % 4];
	__m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(oldest, second), _mm_alignr_epi8(newest, third, 4));
	return _mm_sha256msg2_epu32(sum, newest);
}

/* Four rounds. Each instruction does two, with the constants added to the words in its lower half. */
SHA_CODE static inline void rounds(struct halves *state, __m128i words, unsigned first)
{
	const __m128i *constants = (const __m128i *)(const void *)&round_constants[first];
	__m128i sum = _mm_add_epi32(words, _mm_load_si128(constants));
	state->cdgh = _mm_sha256rnds2_epu32(state->cdgh, state->abef, sum);
	state->abef = _mm_sha256rnds2_epu32(state->abef, state->cdgh, _mm_shuffle_epi32(sum, 0x0e));
}

SHA_CODE void hash_blocks(uint32_t state[8], const uint8_t *bytes, size_t count)
{
	struct halves sum = state_split(state);
	for (; count > 0; count--, bytes += HASH_BLOCK) {
		struct halves now = sum;
		__m128i w[4];
		for (unsigned i = 0; i < 4; i++)
			w[i] = words_load(bytes + 16 * i);
		for (unsigned i = 0; i < 16; i++) {
			rounds(&now, w[i % 4], 4 * i);
			if (i < 12)
				w[i % 4] = words_next(w, i);
		}
		sum.abef = _mm_add_epi32(sum.abef, now.abef);
		sum.cdgh = _mm_add_epi32(sum.cdgh, now.cdgh);
	}
	state_join(&sum, state);
}

#else

bool hash_blocks_available(void)
{
	return false;
}

void hash_blocks(uint32_t state[8], const uint8_t *bytes, size_t count)
{
	(void)state;
	(void)bytes;
	(void)count;
	assert(false); /* nobody may call it */
}

#endif
