/*
 * The libraries of groups that ship with allowc: the texts of policies/std/, put into the program when it is
 * built, so that `use <std-…>` means the same wherever and however it is installed (adr/0015).
 */
#ifndef ALLOWC_DATA_LIBRARIES_H
#define ALLOWC_DATA_LIBRARIES_H

#include <stddef.h>

/* `text` is ASCII; text[size] is NUL. */
struct library {
	const char *name; /* "std-container-2026" */
	const char *text;
	size_t size;
};

/* Sorted by name (as bytes). */
extern const struct library library_table[];
extern const size_t library_table_size;

/* NULL where none ships under that name. */
const struct library *library_find(const char *name);

/*
 * The library that was meant, for messages: the last one that only adds a date to `name`, else one whose
 * name is near. NULL without any.
 */
const char *library_nearest(const char *name);

#endif
