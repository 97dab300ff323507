/*
 * The text of sudoers(5), character by character: lines that a backslash joins, comments, and commands as
 * they stand in aliases and in what users may run.
 */
#ifndef ALLOWC_IMPORT_SUDOERS_TEXT_H
#define ALLOWC_IMPORT_SUDOERS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/source.h"

struct compilation;

struct sudoers_text {
	struct compilation *compilation;
	const struct source *source;
	size_t at;
	bool of_users; /* a line of users is being read, not an alias */
};

/* A command, or the name of an alias. The text lives in the arena. */
struct sudoers_item {
	struct span place; /* without its '!' */
	bool negated;
	bool pattern;     /* it has a wildcard or a regular expression */
	const char *text; /* without backslashes, each gap one blank */
};

/* The character so far ahead; '\0' behind the end. */
char sudoers_peek(const struct sudoers_text *text, size_t ahead);

/* The place of the next character. */
struct span sudoers_here(const struct sudoers_text *text);

/* Blanks, and ends of lines that a backslash joins to the next. */
void sudoers_blanks_skip(struct sudoers_text *text);

/* Not at "#1000" and "#-1": a user. */
bool sudoers_at_comment(const struct sudoers_text *text);

bool sudoers_at_line_end(const struct sudoers_text *text);

/* To the start of the next line that is no continuation. */
void sudoers_line_skip(struct sudoers_text *text);

/* The bytes of what stands here and has only those of an alias's name. */
size_t sudoers_name_size(const struct sudoers_text *text);

bool sudoers_is_alias_name(const char *name);

/* One command, up to what ends it. False when an error was reported. */
bool sudoers_item_read(struct sudoers_text *text, struct sudoers_item *item);

/* Reports why an alias or a line of users cannot be read. Returns false. */
bool sudoers_fail(const struct sudoers_text *text, struct span place, const char *message);

#endif
