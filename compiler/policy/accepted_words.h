/* The words of a `decisions … accept …`: what a status says where it means "accepted". */
#ifndef ALLOWC_POLICY_ACCEPTED_WORDS_H
#define ALLOWC_POLICY_ACCEPTED_WORDS_H

#include "compiler/policy/policy.h"

struct arena;
struct map;

/* Adds the words that this authority takes for accepted, each as its own value. */
void accepted_words_put(struct map *words, const struct authority *authority);

/* Whether theirs is one list, as it is of all scopes of one pattern. */
bool accepted_words_are_shared(const struct authority *a, const struct authority *b);

/* Some whose lists were compared last; begins with none. */
struct accepted_pair {
	const struct authority *a, *b;
	bool equal;
};

/* Whether both take the same words for accepted, in whatever order. They live as long as `last`. */
bool accepted_words_are_equal(struct arena *arena, struct accepted_pair *last, const struct authority *a,
			      const struct authority *b);

#endif
