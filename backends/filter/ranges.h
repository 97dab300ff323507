/*
 * Decisions as merged ranges: neighbours with equal actions are one range, whatever is known of them.
 */
#ifndef ALLOWC_BACKENDS_FILTER_RANGES_H
#define ALLOWC_BACKENDS_FILTER_RANGES_H

#include "backends/filter/decisions.h"
#include "backends/filter/filter.h"

/* Ascending, covering 0..0xffffffff, no two neighbours equal. In the arena. Sets `*count`. */
const struct filter_range *ranges_make(struct arena *arena, const struct decisions *decisions, size_t *count);

#endif
