/*
 * What a project already has, as it was read: lists of commands, and what a container's profile says of
 * system calls. A reader (import_formats.h) adds what one file holds; import_print.h makes a policy of all of
 * it, and import_drift.h tells where the lists differ. All memory is the compilation's.
 */
#ifndef ALLOWC_IMPORT_IMPORT_H
#define ALLOWC_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/source.h"

struct arena;
struct compilation;
struct import_profile;
struct map;

enum import_verdict { IMPORT_ALLOW, IMPORT_FORBID, IMPORT_DECLINE, IMPORT_VERDICTS };

/* What a list is, and so how it is printed: rows, or a plugin's tools beside the rows that they need. */
enum import_kind { IMPORT_COMMANDS, IMPORT_TOOLS, IMPORT_OPTIONAL };

/* Of entries of one list that hold for one command, which decides where the list comes from. Of rows: the
 * longest. */
enum import_precedence { IMPORT_LONGEST, IMPORT_STRICTEST, IMPORT_LAST };

/* All texts live in the arena, or in the source. NULL is what the file does not say. */
struct import_entry {
	const char *command; /* words one blank apart, as far as the file lets them be seen as words */
	struct span place;   /* of the command */
	enum import_verdict verdict;
	const char *group;  /* the heading that it stands under, its lines without '#'; equal pointers: one
			       heading */
	const char *adr;    /* "0012", "phase2/0012": a proposal that a heading or a comment holds */
	const char *reason; /* one line */
	const char *path;   /* absolute, of the program */
	const char *fault; /* why no row can say it, completes "'command' …"; a reader that knows sets it */
	const char *mend;  /* of a fault: what to do, a line; NULL */
	const char *wider; /* how the row allows more than the entry, completes "'command' …"; NULL: it does
			      not */
};

struct import_list {
	enum import_kind kind;
	const struct source *source;
	enum import_precedence precedence;
	enum import_verdict verdict; /* of the list as a whole: what an empty one is compared as */
	const char *name;  /* "ALLOWED_BINARIES"; of a plugin its name; of a file without names, the file's */
	struct span place; /* of the name, or where the list begins */
	struct import_entry *entries;
	size_t count, capacity;
};

struct import {
	struct compilation *compilation;
	const char **symbols; /* of --symbol, in order */
	bool *symbols_found;  /* a reader sets it of those that its file has */
	size_t symbol_count;
	struct import_list **lists; /* in the order of the command line, and of the text */
	size_t count, capacity;
	struct map *plugins; /* by name, where the manifest of each says it; NULL before the first */
	struct import_profile *profile; /* of a seccomp profile; NULL where no file is one */
};

/* A new list, without entries. It stays where it is. */
struct import_list *import_list_add(struct import *import, enum import_kind kind, const struct source *source,
				    const char *name, struct span place);

/* Keeps a copy of the entry. */
void import_entry_add(struct import *import, struct import_list *list, const struct import_entry *entry);

#endif
