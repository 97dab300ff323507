/*
 * Two rows of one verb and subject: does the new one say less? What is not shown to be the same, or stricter,
 * counts as less.
 */
#ifndef ALLOWC_DIFF_WEAKENING_H
#define ALLOWC_DIFF_WEAKENING_H

#include <stdbool.h>

#include "compiler/policy/policy.h"

struct arena;

/* Whether NEW's allow row allows in more places, or on less terms. `until` is no part of it. */
bool allow_is_wider(struct arena *arena, const struct row *old, const struct row *now);

/* Whether NEW's forbid row forbids less, whenever it does. */
bool forbid_is_weaker(struct arena *arena, const struct row *old, const struct row *now);

/* Whether both have the same `with`, or none. */
bool actions_are_equal(const struct row *old, const struct row *now);

/* Whether NEW's row has an end where OLD's has none, or an earlier one. */
bool row_ends_earlier(const struct row *old, const struct row *now);

#endif
