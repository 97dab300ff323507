/*
 * The one canonical layout of a layer (grammar/README.md, "Layout"; adr/0025 has the reasons). The lines of a
 * statement depend on that statement and its comments alone.
 */
#ifndef ALLOWC_LAYOUT_LAYOUT_H
#define ALLOWC_LAYOUT_LAYOUT_H

#include <stdbool.h>

struct compilation;
struct source;
struct strbuf;

/*
 * Adds the text of the file in its canonical layout to `out`: LF alone, no byte order mark. False, and `out`
 * as it was, when an error was reported: a mistake of form, or an edition that this allowc does not know.
 * What needs more than this file (layers, ADRs) is not looked at. A line that would be longer than one may be
 * is trouble, and so is a result that does not keep everything: an internal error.
 */
bool layout_make(struct compilation *compilation, const struct source *source, struct strbuf *out);

#endif
