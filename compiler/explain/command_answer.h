/*
 * What a policy says of an argument vector, as facts: the verdict, the row that decides, what other rows say,
 * what comes near. Nothing here is text for a terminal; explain_text.h and explain_json.h are.
 *
 * argv[0] is compared as it is written: a path is not its base name, and a word with blanks is no row's.
 */
#ifndef ALLOWC_EXPLAIN_COMMAND_ANSWER_H
#define ALLOWC_EXPLAIN_COMMAND_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/policy/match.h"

struct arena;

/* A row that the vector starts with, or that took such a one back. */
struct said {
	const struct row *row;
	const struct row *revoke; /* that took it back; NULL where it is in force */
	bool decides;
};

/* What a role or a plugin makes of it, where that is not what the layers say, or where it lists the tool. */
struct block_answer {
	const struct block *block;
	enum verdict verdict;
	const struct row *row; /* that decides there */
	bool listed;           /* among the plugin's tools, by the row that decides */
};

/* A row of a role or plugin that decides nothing of it there, but speaks of it. */
struct block_remark {
	const struct row *row;
	/* It would decide, but for options before its sub-command; else it is a decline. */
	bool behind_options;
};

enum { NEAR_NAMES_MAX = 3, LONGER_ROWS_MAX = 8 };

struct command_answer {
	const char *const *words; /* as they were asked */
	size_t word_count;
	const char *text; /* them with blanks between, those with blanks in quotes: for people */
	enum verdict verdict;
	const struct row *row;   /* NULL: unlisted */
	const struct said *said; /* lowest layer first, in the order of the text */
	size_t said_count;
	const struct row *longer[LONGER_ROWS_MAX]; /* that would decide with further words */
	size_t longer_count;                       /* of all of them */
	const struct block_answer *blocks;
	size_t block_count;
	const struct block_remark *remarks; /* roles first */
	size_t remark_count;

	/* What a reader may have meant; NULL and 0 where there is nothing of the kind. */
	const char *base;          /* of a path: its base name */
	const char *base_text;     /* the same vector with it, for people */
	enum verdict base_verdict; /* of the same vector with it */
	const struct row *base_row;
	const struct row *behind_options;    /* a longer row, but for options before its sub-command */
	const char *option; /* the first of them; also where only a remark is behind them */
	const char *nearest[NEAR_NAMES_MAX]; /* of an unlisted command: commands of rows, nearest first */
	size_t near_count;

	/*
	 * Of an unlisted command, what a row that allows its program would name, as the language writes it:
	 * "jq".
	 */
	const char *to_list;        /* NULL where no row can name it, or its base name has a row */
	const struct row *in_place; /* the decline of the compiled layer that such a row replaces, or NULL */
};

/*
 * What a person asks as one word, "docker buildx", as the words that policies mean by it, however many blanks
 * stand between them: the others follow. A first word without blanks, or of blanks alone, stays. In the
 * arena.
 */
const char *const *command_words(struct arena *arena, const char *const *words, size_t *count);

/* All in the arena. `count` is at least 1. */
struct command_answer command_answer(struct arena *arena, const struct policy *policy,
				     const char *const *words, size_t count);

#endif
