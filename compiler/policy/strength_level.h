/*
 * How strongly a row holds, from the strongest to none: the closed set of `expect strength LEVEL`. What an
 * artifact makes of a row is in backends/strength.h; the resolver knows the levels alone.
 */
#ifndef ALLOWC_POLICY_STRENGTH_LEVEL_H
#define ALLOWC_POLICY_STRENGTH_LEVEL_H

#include <stdbool.h>

/* X(IDENTIFIER, "words", what it means) */
#define STRENGTH_LIST(X)                                                                                     \
	X(ENFORCED, "enforced", "the kernel refuses it")                                                     \
	X(HOLES, "enforced with holes", "the kernel refuses it, but for what the caveat names")              \
	X(MECHANISM, "mechanism", "the kernel refuses what the program needs, not the program")              \
	X(ADVISORY, "advisory", "it holds for callers that ask")                                             \
	X(NONE, "none", "the artifact does not hold it")

enum strength {
#define X(id, words, meaning) STRENGTH_##id,
	STRENGTH_LIST(X)
#undef X
		STRENGTH_COUNT
};

const char *strength_words(enum strength strength);
const char *strength_meaning(enum strength strength);

/* False where there is no such level. */
bool strength_find(const char *words, enum strength *strength);

/* The level of the nearest words, or NULL. */
const char *strength_nearest(const char *words);

/* The enum descends: whether `strength` is less than `level`. */
static inline bool strength_is_less(enum strength strength, enum strength level)
{
	return strength > level;
}

#endif
