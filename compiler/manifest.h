/*
 * NAME.sha256: one line for each artifact, sorted, exactly as `sha256sum -c` reads it.
 */
#ifndef ALLOWC_MANIFEST_H
#define ALLOWC_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/claims.h"

/*
 * Adds every line's claim and sorts. Both of sha256sum's forms are read (text and binary), in either
 * case of the digits. False at the first line of another form; `*line` is its number, from 1.
 */
bool manifest_parse(struct arena *arena, const char *text, size_t size, struct claims *claims,
		    unsigned *line);

/* `claims` is sorted, with one hash for each path. */
void manifest_print(const struct claims *claims, struct strbuf *out);

#endif
