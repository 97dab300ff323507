/*
 * Whether two texts of a layer say the same. Internal to layout.c.
 */
#ifndef ALLOWC_LAYOUT_SAME_H
#define ALLOWC_LAYOUT_SAME_H

#include <stdbool.h>

struct ast_layer;
struct source;

/*
 * The same statements in the same order and with the same words, quoted or not. Not compared: the order of a
 * row's attributes of different kinds, whether they stand in braces, and how the names of a `syscalls` block
 * are divided into lines. Neither of the two may be broken.
 */
bool same_layers(const struct ast_layer *left, const struct ast_layer *right);

/* The same comments in the same order, but for white space at their ends. */
bool same_comments(const struct source *left, const struct source *right);

#endif
