/*
 * reStructuredText and AsciiDoc as Markdown. The copy of the text is rewritten in place, byte for byte of
 * the same length, so that everything after reads one language and an offset stays one into the file:
 * headings, fields (`:Status: …`), line breaks and links become Markdown's; literal blocks, directives and
 * comments become blanks.
 *
 * Facts: docutils' reStructuredText specification, and the AsciiDoc language documentation.
 */
#ifndef ALLOWC_POLICY_ADR_MARKUP_H
#define ALLOWC_POLICY_ADR_MARKUP_H

#include "compiler/policy/adr_scan.h"

/* Rewrites text->bytes as the end of the file's name says; a Markdown file stays as it is. */
void adr_markup_rewrite(struct adr_text *text);

#endif
