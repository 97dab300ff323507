/*
 * Code spans: where an ADR names programs, system calls and capabilities.
 */
#ifndef ALLOWC_POLICY_ADR_CODE_H
#define ALLOWC_POLICY_ADR_CODE_H

#include <stddef.h>

#include "compiler/policy/adr.h"
#include "compiler/policy/adr_scan.h"

/*
 * Fills `code_spans` and `names` of `adr`, and blanks what no reader is shown: link definitions, and inside
 * paragraphs comments, the insides of tags, and elements such as <template> (what begins first, span or tag,
 * hides the other). What is kept goes to `arena`, the rest to `scratch`. Time is
 * linear in the text.
 */
void adr_code_scan(struct arena *arena, struct arena *scratch, struct adr_text *text, struct adr *adr);

#endif
