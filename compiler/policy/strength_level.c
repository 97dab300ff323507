#include "compiler/policy/strength_level.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/suggest.h"

static const struct {
	const char *words, *meaning;
} levels[STRENGTH_COUNT] = {
#define X(id, words, meaning) { words, meaning },
	STRENGTH_LIST(X)
#undef X
};

const char *strength_words(enum strength strength)
{
	assert(strength < STRENGTH_COUNT);
	return levels[strength].words;
}

const char *strength_meaning(enum strength strength)
{
	assert(strength < STRENGTH_COUNT);
	return levels[strength].meaning;
}

bool strength_find(const char *words, enum strength *strength)
{
	for (enum strength at = 0; at < STRENGTH_COUNT; at++) {
		if (strcmp(levels[at].words, words) != 0)
			continue;
		*strength = at;
		return true;
	}
	return false;
}

const char *strength_nearest(const char *words)
{
	struct suggestion near = suggestion_begin(words);
	for (enum strength at = 0; at < STRENGTH_COUNT; at++)
		suggestion_offer(&near, levels[at].words);
	return near.nearest;
}
