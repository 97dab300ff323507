/*
 * What a name says of what it holds: "ALLOWED_BINARIES", "class Forbidden", "denied-tools.txt". Its words are
 * compared, as '_', any other sign, a digit or a capital cuts them.
 */
#ifndef ALLOWC_IMPORT_IMPORT_NAMING_H
#define ALLOWC_IMPORT_IMPORT_NAMING_H

#include <stdbool.h>

#include "compiler/import/import.h"

/* In the order in which one word wins over another of the same name. */
enum naming { NAMING_NOTHING, NAMING_ALLOWS, NAMING_FORBIDS, NAMING_DECLINES };

enum naming import_naming_of(const char *name);

/* What a list is that is called so: allowed where the name says nothing. */
enum import_verdict import_naming_verdict(enum naming naming);

/* Whether a text says that something may not run, which has so many parts at most, with blanks between. */
bool import_naming_refuses(const char *text, unsigned most);

#endif
