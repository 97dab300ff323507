/*
 * What a call gets by its arguments (clauses.h), as a profile for container engines can say it: one action
 * for some arguments, and the profile's default for all others.
 *
 * A rule holds where all its comparisons do, and the rules of a call are alternatives. libseccomp compares
 * whole registers, or some bits of them with one value (SCMP_CMP_MASKED_EQ); all that the kernel reads less
 * of is said by bits. Engines make alternatives of two comparisons of one argument, so no rule has two.
 */
#ifndef ALLOWC_BACKENDS_OCI_ARGUMENTS_H
#define ALLOWC_BACKENDS_OCI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/filter/clauses.h"
#include "compiler/policy/policy.h"

struct arena;

enum { OCI_ARGUMENTS = 6, OCI_ALTERNATIVES_MAX = 256 };

/* `(argument & mask) == value`; or, of a whole register, `argument OPERATOR value`. */
struct oci_comparison {
	enum comparison_operator operator; /* EQ, and where `whole` any but ANY */
	bool whole;
	uint64_t mask, value; /* no bit of the value is outside the mask */
};

/* By argument; all that are used hold. */
struct oci_arguments {
	struct oci_comparison items[OCI_ARGUMENTS];
	unsigned used; /* bits 1u << index */
};

struct oci_alternatives {
	struct action action; /* where one of them holds */
	const struct oci_arguments *items;
	size_t count;
};

/* The one action of the clauses beside `fallback`. False where there are several. */
bool oci_arguments_action(const struct clauses *clauses, struct action fallback, struct action *action);

/*
 * In the arena. `register_bits`: comparisons of so many bits are of a whole register. False where the form
 * cannot say it, or only with too many rules.
 */
bool oci_arguments_make(struct arena *arena, const struct clauses *clauses, struct action fallback,
			unsigned register_bits, struct oci_alternatives *alternatives);

/* Whether rules made for 64-bit registers mean on 32-bit ones what those of `narrow`, made for these, mean.
 */
bool oci_arguments_fit(const struct oci_alternatives *wide, const struct oci_alternatives *narrow);

/* Whether it has a second value. */
bool oci_comparison_is_masked(const struct oci_comparison *comparison);

/* "SCMP_CMP_MASKED_EQ", with the two values as the specification of the form has them. */
const char *oci_comparison_word(const struct oci_comparison *comparison);
uint64_t oci_comparison_first(const struct oci_comparison *comparison);
uint64_t oci_comparison_second(const struct oci_comparison *comparison);

#endif
