/*
 * The editions of the language that this allowc knows: there is one.
 */
#ifndef ALLOWC_POLICY_EDITION_H
#define ALLOWC_POLICY_EDITION_H

#include <stdbool.h>

enum { EDITION_KNOWN = 1 };

struct ast_word;
struct diags;

/* False where it is another, which is reported. */
bool edition_check(struct diags *diags, const struct ast_word *name);

#endif
