/*
 * The page of a diagnostic, as text for people or as JSON for programs.
 */
#ifndef ALLOWC_EXPLAIN_DIAGNOSTIC_PAGE_H
#define ALLOWC_EXPLAIN_DIAGNOSTIC_PAGE_H

#include "compiler/base/diag.h"

struct strbuf;

/* The diagnostic of that name: DIAG_COUNT where there is none, and then the nearest name, or NULL. */
enum diag_id diagnostic_find(const char *name, const char **nearest);

void diagnostic_page_print(enum diag_id id, struct strbuf *out);
void diagnostic_page_json(enum diag_id id, struct strbuf *out);

#endif
