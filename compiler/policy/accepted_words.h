/* The words of a `decisions … accept …`: what a status says where it means "accepted". */
#ifndef ALLOWC_POLICY_ACCEPTED_WORDS_H
#define ALLOWC_POLICY_ACCEPTED_WORDS_H

#include "compiler/policy/policy.h"

struct arena;
struct map;

/* Adds the words that this authority takes for accepted, each as its own value. */
void accepted_words_put(struct map *words, const struct authority *authority);

/* Whether both take the same words for accepted, in whatever order. */
bool accepted_words_are_equal(struct arena *arena, const struct authority *a, const struct authority *b);

#endif
