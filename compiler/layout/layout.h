/*
 * The one canonical layout of a layer (grammar/README.md, "Layout"; adr/0025 has the reasons). The lines of a
 * statement depend on that statement and its comments alone.
 */
#ifndef ALLOWC_LAYOUT_LAYOUT_H
#define ALLOWC_LAYOUT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

struct ast_layer;
struct compilation;
struct source;
struct strbuf;

/*
 * Adds the text of the file in its canonical layout to `out`: LF alone, no byte order mark. False, and `out`
 * as it was, when an error was reported: a mistake of form, or an edition that this allowc does not know.
 * What needs more than this file (layers, ADRs) is not looked at. A result that does not keep everything is
 * trouble: an internal error.
 */
bool layout_make(struct compilation *compilation, const struct source *source, struct strbuf *out);

/*
 * Whether the text parses to the same statements as the layer, in the same order and spelling, and has the
 * same comments in the same order. The attributes of a row may stand in another order, and the names of a
 * `syscalls` block on other lines.
 */
bool layout_keeps(const struct ast_layer *layer, const char *text, size_t size);

#endif
