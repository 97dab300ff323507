/*
 * The policy that an import becomes, in the canonical layout. What nobody said is left open: `adr ?` does not
 * compile until a person has written the ADR that decided.
 */
#ifndef ALLOWC_IMPORT_IMPORT_PRINT_H
#define ALLOWC_IMPORT_IMPORT_PRINT_H

struct import;
struct import_union;
struct strbuf;

/*
 * Adds the policy to `out`. What cannot be a row is reported, and stands in the policy as a comment; what is
 * allowed in one place and not in another is reported, and stands there as two rows, which do not compile.
 */
void import_print(struct import *import, const struct import_union *all, struct strbuf *out);

#endif
