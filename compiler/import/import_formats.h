/*
 * The formats that `allowc import` reads, one reader a format. A reader takes text and executes nothing.
 */
#ifndef ALLOWC_IMPORT_IMPORT_FORMATS_H
#define ALLOWC_IMPORT_IMPORT_FORMATS_H

#include <stdbool.h>

struct import;
struct source;

/*
 * X(stem, "what it is called"), in the order of asking: the first that says it is its own reads the file. The
 * last takes any text. Each has in import_STEM.c:
 *
 *   bool import_STEM_is(const struct source *source)
 *       whether the file is in this format, by the end of its name or by what it holds; cheap
 *   bool import_STEM_read(struct import *import, const struct source *source)
 *       adds what it holds; false when an error was reported: then nothing is printed of the whole run
 *
 * An entry that no row can name is no error of the reader: it adds it as it stands, and import_print.h tells.
 */
#define IMPORT_FORMAT_LIST(X)                          \
	X(rules, "rules by prefix_rule()")             \
	X(sudoers, "aliases of commands of sudoers")   \
	X(python, "a Python module")                   \
	X(names, "a list of one name a line")

#define X(stem, name)                                                                                        \
	bool import_##stem##_is(const struct source *source);                                                \
	bool import_##stem##_read(struct import *import, const struct source *source);
IMPORT_FORMAT_LIST(X)
#undef X

/* Finds the format and reads the file. False when an error was reported, as for what is no text at all. */
bool import_file(struct import *import, const struct source *source);

#endif
