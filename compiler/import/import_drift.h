/*
 * Where the lists of an import differ: names that are in some and not in others, and spellings that may be of
 * one program. How many a list has is never compared: two lists of one length may have nothing in common.
 */
#ifndef ALLOWC_IMPORT_IMPORT_DRIFT_H
#define ALLOWC_IMPORT_IMPORT_DRIFT_H

#include <stddef.h>

struct import;
struct import_union;
struct strbuf;

/*
 * Adds the report to `out`, and nothing where there are no two lists to compare. Compared are lists of
 * commands with one verdict; a plugin has the tools that it needs, so of those only the ones that no list of
 * commands has are told. At most `most` lines of each kind (0: all).
 */
void import_drift(const struct import *import, const struct import_union *all, size_t most,
		  struct strbuf *out);

#endif
