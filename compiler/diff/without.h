/*
 * NEW as it would be without one change: what tells which artifacts the change rewrites.
 */
#ifndef ALLOWC_DIFF_WITHOUT_H
#define ALLOWC_DIFF_WITHOUT_H

#include <stdbool.h>

struct change;
struct compared;
struct compilation;
struct policy;

/*
 * `*without` is a policy for the backends that write by default alone, in the compilation's arena: tools may
 * name a row that is not there. NULL where the change is none of what those read: expectations, the title,
 * where ADRs are and what they say, rows of plugins, and of roles that NEW does not have. False where the
 * rest cannot stand without it.
 */
bool policy_without(struct compilation *compilation, const struct compared *comparison,
		    const struct change *change, const struct policy **without);

/* OLD under NEW's name, so that its artifacts have the paths of NEW's. */
const struct policy *policy_renamed(struct compilation *compilation, const struct policy *old,
				    const struct policy *now);

#endif
