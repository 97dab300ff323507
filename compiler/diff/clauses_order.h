/* Clauses in one order, whichever way the rows say them. */
#ifndef ALLOWC_DIFF_CLAUSES_ORDER_H
#define ALLOWC_DIFF_CLAUSES_ORDER_H

#include "backends/filter/clauses.h"

struct arena;

/*
 * The same decisions: the tests of each clause by their argument, neighbours of one action by their tests,
 * and each once. In the arena.
 */
struct clauses clauses_order(struct arena *arena, const struct clauses *clauses);

#endif
