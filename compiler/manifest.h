/*
 * NAME.sha256: one line for each artifact, sorted, exactly as `sha256sum -c` reads it; then a comment for
 * each that a generator made: "# by allowc-gen-NAME: PATH"; and in the list of sync one for each that it
 * wrote:
 * "# written: PATH".
 */
#ifndef ALLOWC_MANIFEST_H
#define ALLOWC_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/claims.h"

/* `makers` gets the generators, each as the "hash" of its path; of `written` the "hash" is "". All are
 * sorted. */
struct manifest {
	struct claims claims, makers, written;
};

/*
 * Adds every line's claim and sorts. Both of sha256sum's forms are read (text and binary), in either
 * case of the digits. False at the first line of another form; `*line` is its number, from 1.
 */
bool manifest_parse(struct arena *arena, const char *text, size_t size, struct manifest *manifest,
		    unsigned *line);

/* All are sorted, with one hash, or maker, for each path. */
void manifest_print(const struct manifest *manifest, struct strbuf *out);

/* The generator that made a path; NULL where none did. */
const char *manifest_maker(const struct manifest *manifest, const char *path);

#endif
