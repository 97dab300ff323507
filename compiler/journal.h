/*
 * `.NAME.allowc`: what a run is about to do, written before it touches anything else in the folder and
 * removed last. While it is there, a run was killed: both hashes of every line count as allowc's own,
 * and the temporary file of every path may lie about.
 *
 *     allowc journal 1
 *     OLD-HASH NEW-HASH PATH      "-" where the file was, or will be, absent; PATH as in NAME.sha256
 */
#ifndef ALLOWC_JOURNAL_H
#define ALLOWC_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/claims.h"

/*
 * Adds the claims and sorts. `paths` gets every path that has a line, also one without any hash, as a
 * claim with the hash "". A last line without its end is what a kill left of it and says nothing. False
 * where the file is no journal: its first line is another, or a whole line is of another form.
 */
bool journal_parse(struct arena *arena, const char *text, size_t size, struct claims *claims,
		   struct claims *paths);

void journal_begin(struct strbuf *out);

/* NULL hashes: absent. */
void journal_add(struct strbuf *out, const char *old_hash, const char *new_hash, const char *path);

#endif
