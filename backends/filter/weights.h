/*
 * How often the calls of a section are made, as far as a policy says: `hot` calls are four of five.
 */
#ifndef ALLOWC_BACKENDS_FILTER_WEIGHTS_H
#define ALLOWC_BACKENDS_FILTER_WEIGHTS_H

#include <stdint.h>

#include "backends/filter/filter.h"

struct arena;

/*
 * One weight for each range of the section, in the arena: all known calls together weigh one fifth, the hot
 * ones four fifths more. NULL where the section has no hot call: then known calls weigh the same.
 */
const uint64_t *weights_make(struct arena *arena, const struct policy *policy,
			     const struct filter_section *section);

#endif
