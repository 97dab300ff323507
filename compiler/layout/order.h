/*
 * The one order of a row's attributes: that of ATTRIBUTE_LIST, and of one kind (`needs`) as they stand.
 */
#ifndef ALLOWC_LAYOUT_ORDER_H
#define ALLOWC_LAYOUT_ORDER_H

struct ast_attribute;
struct ast_statement;

/* The one that comes after `attribute`, or the first where that is NULL. NULL after the last. */
const struct ast_attribute *order_next(const struct ast_statement *row,
				       const struct ast_attribute *attribute);

#endif
