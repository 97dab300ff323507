/*
 * Which of many keys may come twice. It keeps eight bytes a key, and no key: where nearly all keys come
 * once, the few that it lets through are all that a map has to hold.
 */
#ifndef ALLOWC_BASE_SIEVE_H
#define ALLOWC_BASE_SIEVE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct sieve;

/* For at most `most` keys. */
struct sieve *sieve_new(struct arena *arena, size_t most);

/* All keys first, then the questions. */
void sieve_add(struct sieve *sieve, const char *key, size_t size);

/*
 * Of the key that was added as number `index`, from 0: false where no other one is equal to it. True may be
 * wrong: it is, for one key in 16 of a full sieve.
 */
bool sieve_repeats(struct sieve *sieve, size_t index);

#endif
