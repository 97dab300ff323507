/*
 * Conditions in an order, and which of them holds first with some arguments, on one ABI. Those that compare
 * by `==` are found by their values, so that thousands of them cost what a few do; the others are tried one
 * after another.
 */
#ifndef ALLOWC_BACKENDS_FILTER_CONDITION_INDEX_H
#define ALLOWC_BACKENDS_FILTER_CONDITION_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/policy/condition.h"

struct arena;
struct condition_index;

/*
 * In the arena. A condition that is NULL always holds; one that looks at an argument that the ABI hides holds
 * always or never: as `hidden` says. The ABI has the call.
 */
const struct condition_index *condition_index_new(struct arena *arena,
						  const struct condition *const *conditions, size_t count,
						  enum abi abi, bool hidden);

/* The place of the first that holds; SIZE_MAX: none does. */
size_t condition_index_first(const struct condition_index *index, const uint64_t *arguments);

#endif
