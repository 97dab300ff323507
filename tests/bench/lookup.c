/*
 * lookup QUERIES ASKED: nanoseconds a look-up of every contender, interleaved. Each round asks all of them
 * every line of QUERIES, in an order that is shuffled anew, until each has been asked ASKED questions; the
 * best round of each counts, for disturbance only ever adds. Prints a line for each: nanoseconds, and how
 * many of the queries it found.
 *
 * Compiled with -DCONTENDERS_FILE="…", which includes the look-ups and defines CONTENDERS(X) as X(NAME, ASK)
 * for each; ASK is an expression of `command`, a string whose length nobody knows, as a caller has it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include CONTENDERS_FILE

/* Each name several times a round: the tables are in the cache. Rounds are short: some are undisturbed. */
enum { LEAST_ASKED = 20000, LEAST_TIMES = 10, LONGEST_LINE = 256 };

struct queries {
	char **texts;
	size_t count; /* of the file */
	size_t asked; /* those again and again: few names must not drown in the clock's own time */
};

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#define ASK_FUNCTION(name, ask)                                                                              \
	static uint64_t measure_##name(const struct queries *queries, size_t *found)                         \
	{                                                                                                    \
		uint64_t begin = now();                                                                      \
		for (size_t i = 0; i < queries->asked; i++) {                                                \
			const char *command = queries->texts[i];                                             \
			*found += (ask) != 0;                                                                \
		}                                                                                            \
		return now() - begin;                                                                        \
	}
CONTENDERS(ASK_FUNCTION)

struct contender {
	uint64_t (*measure)(const struct queries *queries, size_t *found);
	uint64_t best;
	size_t found;
};

#define CONTENDER(name, ask) { measure_##name, UINT64_MAX, 0 },
static struct contender contenders[] = { CONTENDERS(CONTENDER) };
enum { CONTENDER_COUNT = sizeof contenders / sizeof *contenders };

static uint64_t random_below(uint64_t *seed, uint64_t limit)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % limit;
}

static void shuffle(char **texts, size_t count, uint64_t *seed)
{
	for (size_t i = count; i > 1; i--) {
		size_t k = random_below(seed, i);
		char *text = texts[i - 1];
		texts[i - 1] = texts[k];
		texts[k] = text;
	}
}

static struct queries queries_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[LONGEST_LINE];
	struct queries queries = { 0 };
	size_t capacity = 0;
	if (!file)
		exit(2);
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		if (queries.count == capacity)
			queries.texts = realloc(queries.texts,
						(capacity = 2 * capacity + 64) * sizeof *queries.texts);
		queries.texts[queries.count++] = strdup(line);
	}
	fclose(file);
	while (queries.asked < LEAST_ASKED || queries.asked < LEAST_TIMES * queries.count)
		queries.asked += queries.count;
	queries.texts = realloc(queries.texts, queries.asked * sizeof *queries.texts);
	for (size_t i = queries.count; i < queries.asked; i++)
		queries.texts[i] = queries.texts[i - queries.count];
	return queries;
}

/* Who begins changes from round to round, so that nobody always runs after the slowest. */
static void race(const struct queries *queries, uint64_t *seed)
{
	size_t first = random_below(seed, CONTENDER_COUNT);
	for (size_t i = 0; i < CONTENDER_COUNT; i++) {
		struct contender *contender = &contenders[(first + i) % CONTENDER_COUNT];
		contender->found = 0;
		uint64_t time = contender->measure(queries, &contender->found);
		if (time < contender->best)
			contender->best = time;
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	struct queries queries = queries_read(argv[1]);
	uint64_t seed = 1;
	for (size_t rounds = strtoul(argv[2], NULL, 10) / queries.asked + 1; rounds-- > 0;) {
		shuffle(queries.texts, queries.asked, &seed);
		race(&queries, &seed);
	}
	for (size_t i = 0; i < CONTENDER_COUNT; i++)
		printf("%.2f %zu\n", (double)contenders[i].best / (double)queries.asked,
		       contenders[i].found / (queries.asked / queries.count));
	return 0;
}
