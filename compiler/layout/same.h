/*
 * Whether a text says what a layer says.
 */
#ifndef ALLOWC_LAYOUT_SAME_H
#define ALLOWC_LAYOUT_SAME_H

#include <stdbool.h>
#include <stddef.h>

struct ast_layer;

/*
 * Whether the text parses to the statements of the layer, in the same order and with the same words, quoted
 * or not, and has the comments of the layer's source in the same order, but for white space at their ends.
 * Not compared: the order of a row's attributes of different kinds, whether they stand in braces, and how the
 * names of a `syscalls` block are divided into lines. The layer must have been read without a mistake.
 * Reports nothing.
 */
bool same_text(const struct ast_layer *layer, const char *text, size_t size);

#endif
