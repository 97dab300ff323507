/*
 * One layer as lines that can be compared: what it says, without comments and layout, in an order of its own.
 * Nothing is looked up, and no statement is left out: layers that differ in more than the order of their
 * statements, comments and layout differ here.
 */
#ifndef ALLOWC_POLICY_LAYER_TEXT_H
#define ALLOWC_POLICY_LAYER_TEXT_H

#include <stddef.h>

struct arena;
struct ast_layer;
struct strbuf;

/*
 * One subject, one line: `allow a, b  adr 1` is two. What stands in a block has the block before it:
 * "role gate  forbid git  adr 0015". Lists whose order may matter (tools, hot, what an attribute holds) stay
 * in it. The layer has been parsed without an error: what broke off is not in the tree.
 */
void layer_text(struct arena *arena, const struct ast_layer *layer, struct strbuf *out);

/*
 * For a text that does not parse: each line behind "| ", or behind "! " where it holds what cannot be seen;
 * that is escaped then, and its backslashes doubled.
 */
void layer_text_unread(const char *bytes, size_t size, struct strbuf *out);

#endif
