/*
 * "This file with this hash is allowc's own": what NAME.sha256 and the journal say, as a sorted set.
 * Paths are relative to the output folder. Several hashes of one path may all count.
 */
#ifndef ALLOWC_CLAIMS_H
#define ALLOWC_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct strbuf;

struct claim {
	const char *path;
	const char *hash; /* 64 lower-case digits */
};

struct claims {
	struct claim *items;
	size_t count, capacity;
};

/* Appends; the strings must live as long as the arena. claims_sort() comes before any question. */
void claims_add(struct arena *arena, struct claims *claims, const char *path, const char *hash);

/* By path, then hash, as bytes; the same claim twice becomes one. */
void claims_sort(struct claims *claims);

/* The number of claims about `path`, the first at `*first`. */
size_t claims_about(const struct claims *claims, const char *path, size_t *first);

bool claims_have(const struct claims *claims, const char *path, const char *hash);

/*
 * A name as sha256sum writes it: '\', line feed and carriage return as \\ \n \r. name_escaped() says
 * whether it has any, which the line's first byte '\' tells the reader.
 */
bool name_escaped(const char *name);
void name_print(struct strbuf *out, const char *name);

/* The name in these bytes; NULL where an escape is none of those three or the name is empty. */
const char *name_parse(struct arena *arena, const char *bytes, size_t size, bool escaped);

/* Whether the name stays below the folder: no "..", ".", empty part or leading '/'. */
bool name_inside(const char *name);

#endif
