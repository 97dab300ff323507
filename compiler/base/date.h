/*
 * Dates as YYYY-MM-DD, from the year 1 on, in the calendar of today.
 */
#ifndef ALLOWC_BASE_DATE_H
#define ALLOWC_BASE_DATE_H

#include <stdbool.h>
#include <stddef.h>

enum { DATE_SIZE = 10 };

/* Whether the bytes start with four digits, two and two, '-' between them. */
bool date_is_formed(const char *bytes, size_t size);

/* Whether there is such a day; the bytes start with a date of that form. */
bool date_exists(const char *bytes);

/* Whether the text is a date, of a day that exists, and nothing else. */
bool date_is_valid(const char *text);

#endif
