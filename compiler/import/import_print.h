/*
 * The policy that an import becomes, in the canonical layout. What nobody said is left open: it does not compile
 * until a person has filled it in.
 */
#ifndef ALLOWC_IMPORT_IMPORT_PRINT_H
#define ALLOWC_IMPORT_IMPORT_PRINT_H

struct import;
struct strbuf;

/* Adds the policy to `out`. What cannot be a row is reported, and stands in the policy as a comment. */
void import_print(struct import *import, struct strbuf *out);

#endif
