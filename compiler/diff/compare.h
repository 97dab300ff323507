/*
 * Compares two resolved policies, decision by decision. The verdicts are computed on the sets: a command
 * counts where an argument vector that starts with it, and with no longer row of either side, is allowed on
 * one side alone; a system call where its fate differs on at least one ABI that either side names.
 */
#ifndef ALLOWC_DIFF_COMPARE_H
#define ALLOWC_DIFF_COMPARE_H

#include "compiler/diff/change.h"

struct compilation;

/*
 * `compilation` is that of `now`; what is found lives in its arena. ADRs that NEW names as successors are
 * opened, which may report trouble there.
 */
const struct compared *policies_compare(struct compilation *compilation, const struct policy *old,
					const struct policy *now);

#endif
