/*
 * Texts that a compilation reads (layers, libraries, ADRs) and places in them. A place is a span of
 * bytes; line and column are computed only when a diagnostic is printed, so the text stays in memory
 * for the whole compilation.
 */
#ifndef ALLOWC_BASE_SOURCE_H
#define ALLOWC_BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/tree.h"

struct arena;
struct line_index;
struct source;

/* Bytes [begin, end) of a text. `source` is NULL where there is no place to show. */
struct span {
	const struct source *source;
	uint32_t begin, end;
};

/* In the file system. False where there is nothing at the path, or no way to it. */
bool file_identity_find(const char *path, struct file_identity *identity);

struct source {
	const char *path;          /* in its tree; shown to the user behind the tree's label */
	const char *label;
	const char *text;          /* without a leading BOM; text[size] is NUL */
	size_t size;
	bool has_bom;              /* the file begins with one */
	struct file_identity identity;
	unsigned index;            /* order of loading, which is the order of diagnostics */
	struct span extended_from; /* what brought it in (`extends`, `use`); no source for the first */
	bool shipped;              /* a text of this program, no file: `path` is how it is called */
	struct line_index *lines;  /* made on first use */
};

/* A line counted from 1, a column in characters from 1 (a tab is one, a byte that is no UTF-8 too). */
struct position {
	unsigned line, column;
};

struct pool;
struct sources;

/* They are read from the file system, or from what sources_read_from() names before the first is loaded. */
struct sources *sources_new(struct arena *arena);
void sources_read_from(struct sources *sources, const struct tree *tree);
const struct tree *sources_tree(const struct sources *sources);

/* Named before the first is loaded: texts that other compilations of the run have read are not read again. */
void sources_share(struct sources *sources, struct pool *pool);

/* Whether other compilations of the run may use it. */
bool source_is_shared(const struct sources *sources, const struct source *source);

/*
 * Reads a regular file that a policy names; a path that was added or loaded before is not read again.
 * Returns NULL with errno set where it cannot be read: EISDIR for a folder, ENODEV for anything else that
 * is no regular file, EFBIG over SOURCE_SIZE_MAX (limits.h). Never waits for a pipe.
 */
struct source *sources_load(struct sources *sources, const char *path);

/* The same with another limit. */
struct source *sources_load_up_to(struct sources *sources, const char *path, size_t most);

/*
 * The same for a file that the command line names: also a pipe or a character device (/dev/stdin, a
 * shell's <(…)), and standard input where `path` is "-" (shown as "<stdin>"), which is read once whatever
 * comes of it.
 */
struct source *sources_load_argument(struct sources *sources, const char *path);
struct source *sources_load_argument_up_to(struct sources *sources, const char *path, size_t most);

/* Why a text of at most `most` bytes could not be read, for a message. In the arena, or static. */
const char *source_failure(struct arena *arena, int error, size_t most);

/* The same of one that the command line names, which may be a pipe too. */
const char *source_argument_failure(struct arena *arena, int error, size_t most);

/* Whether it begins as no text does (utf8.h). */
bool source_is_binary(const struct source *source);

/* Adds a text under a path; `text` must live as long as the arena. For tests and for texts from git. */
struct source *sources_add(struct sources *sources, const char *path, const char *text, size_t size);

/*
 * The same for a text that ships with the program, "<std-container-2026>": no path leads to it, so that a
 * file of that name is another text.
 */
struct source *sources_add_shipped(struct sources *sources, const char *name, const char *text, size_t size);

/* The sources in the order of loading. */
size_t sources_count(const struct sources *sources);
const struct source *sources_get(const struct sources *sources, size_t index);

struct position source_position(const struct source *source, uint32_t offset);

/* The line alone, which costs no walk along it. */
unsigned source_line_number(const struct source *source, uint32_t offset);

/* The line (counted from 1) without its end. */
struct span source_line(const struct source *source, unsigned line);

/*
 * `relative` as seen from the folder of the file `base`: "policies/x.allow" and "../adr" give
 * "policies/../adr". An absolute path is returned as it is. In the arena.
 */
char *path_beside(struct arena *arena, const char *base, const char *relative);

/* The part after the last '/'. Points into `path`. */
const char *path_base(const char *path);

bool path_ends_with(const char *path, const char *end);

/* `name` in the folder, which may be "/". In the arena. */
const char *path_joined(struct arena *arena, const char *folder, const char *name);

/*
 * "policies/../adr/" as "adr", by the text alone, whatever links there are; a '..' that leaves the start
 * stays, and one that leaves "/" goes. "" is the start itself. In the arena.
 */
const char *path_fold(struct arena *arena, const char *path);

#endif
