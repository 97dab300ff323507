/*
 * What the definitions of Python in a region use, and the file around it does not import: written there, the
 * file would not load. Pure: text in, names out.
 */
#ifndef ALLOWC_REGION_IMPORTS_H
#define ALLOWC_REGION_IMPORTS_H

#include <stdbool.h>
#include <stddef.h>

struct region_import {
	const char *name, *line; /* "Final", "from typing import Final" */
};

enum { REGION_IMPORTS_MAX = 3 };

/*
 * `content` stands in the file between `before` and `after` bytes of `text`, which are the file without it.
 * The names that do not occur before it, nor, where it is in a function, behind it; and their number. Uses,
 * comments, strings and what stands below `if TYPE_CHECKING:` are no occurrence. 0 where the content imports
 * them itself. What a function or `from __future__ import annotations` leaves unevaluated, an annotation,
 * needs none.
 */
size_t region_imports_missing(const char *content, size_t content_size, const char *text, size_t before,
			      const char *after, size_t after_size,
			      struct region_import missing[REGION_IMPORTS_MAX]);

#endif
