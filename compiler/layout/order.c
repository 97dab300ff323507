#include "compiler/layout/order.h"

#include <stddef.h>

#include "compiler/policy/ast.h"

const struct ast_attribute *order_next(const struct ast_statement *row, const struct ast_attribute *attribute)
{
	unsigned kind = attribute ? attribute->kind : 0;
	const struct ast_attribute *at = attribute ? attribute->next : row->attributes;
	for (; kind < ATTRIBUTE_COUNT; kind++, at = row->attributes)
		for (; at; at = at->next)
			if (at->kind == kind)
				return at;
	return NULL;
}
