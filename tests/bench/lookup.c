/*
 * lookup QUERIES ROUNDS: nanoseconds a look-up in the header and in gperf's table, interleaved. Each
 * round asks every line of QUERIES, in an order shuffled anew; the best round of each counts, for
 * disturbance only ever adds. Prints the two figures. Compiled with -DHEADER="…" -DGPERF="…".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include HEADER
#ifdef GPERF
#include GPERF
#endif

enum { LEAST_ASKED = 200000 };

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int ask_header(const char *command)
{
	return bench_find(command) != NULL;
}

/* Both are asked with a string whose length nobody knows, as a caller of the header has it. */
static int ask_gperf(const char *command)
{
#ifdef GPERF
	return in_word_set(command, strlen(command)) != NULL;
#else
	return command[0] != 0;
#endif
}

static void shuffle(char **texts, size_t count, uint64_t *seed)
{
	for (size_t i = count; i > 1; i--) {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		size_t j = (size_t)(*seed >> 33) % i;
		char *text = texts[i - 1];
		texts[i - 1] = texts[j];
		texts[j] = text;
	}
}

static double measure(int (*ask)(const char *), char **texts, size_t count, size_t *found)
{
	uint64_t begin = now();
	for (size_t i = 0; i < count; i++)
		*found += (size_t)ask(texts[i]);
	return (double)(now() - begin) / (double)count;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 3 ? fopen(argv[1], "r") : NULL;
	if (!file)
		return 2;
	size_t count = 0, capacity = 0;
	char **texts = NULL, line[256];
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		if (count == capacity)
			texts = realloc(texts, (capacity = 2 * capacity + 64) * sizeof *texts);
		texts[count++] = strdup(line);
	}
	fclose(file);
	/* Few names are asked many times a round: a clock call must not count. */
	size_t asked = count;
	while (asked < LEAST_ASKED)
		asked += count;
	texts = realloc(texts, asked * sizeof *texts);
	for (size_t i = count; i < asked; i++)
		texts[i] = texts[i - count];
	double best_header = 1e9, best_gperf = 1e9;
	size_t found_header = 0, found_gperf = 0;
	uint64_t seed = 1;
	for (int rounds = atoi(argv[2]); rounds-- > 0;) {
		shuffle(texts, asked, &seed);
		double header = measure(ask_header, texts, asked, &found_header);
		double gperf = measure(ask_gperf, texts, asked, &found_gperf);
		best_header = header < best_header ? header : best_header;
		best_gperf = gperf < best_gperf ? gperf : best_gperf;
	}
#ifdef GPERF
	if (found_header != found_gperf)
		return 1;
#endif
	printf("%.2f %.2f\n", best_header, best_gperf);
	return found_header >
	       asked * (size_t)atoi(argv[2]); /* used, so that no compiler leaves the work out */
}
