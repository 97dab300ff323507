/* Lines that begin a table of TOML or a section of an INI file: "[deny]", "[[tool.x]]". */
#ifndef ALLOWC_IMPORT_TABLE_LINE_H
#define ALLOWC_IMPORT_TABLE_LINE_H

#include <stdbool.h>

#include "compiler/base/source.h"

/* The first such line, without blanks and a comment; false where the text has none. */
bool table_line_find(const struct source *source, struct span *place);

#endif
