/*
 * Whether a program does what the policy says, found out by running it. The verdicts to compare with come
 * straight from the policy's rules (oracle.h), not from decisions.h, ranges.h or tree.h, and the program
 * is run by interpret.h: a fault of the generator has no part in its own proof.
 *
 * Run are, under each audit token that the policy names: every number that any table holds,
 * known or not (0..639, and x32's with their bit), arm's private numbers and their neighbours, every constant
 * of the program and its neighbours, with and without the bits of each mask that it tests, powers of two, the
 * edges of the x32 and of the signed range, 0xffffffff; and, under tokens that it does not name, a few: those
 * of other ABIs, those a bit away from a named one, and every constant of the program with its neighbours.
 * Calls that the policy decides by arguments are run with many (proof_points.h).
 */
#ifndef ALLOWC_BACKENDS_FILTER_PROOF_H
#define ALLOWC_BACKENDS_FILTER_PROOF_H

#include <stdint.h>

#include "backends/filter/filter.h"

struct arena;

/*
 * NULL where the program is one that the kernel takes, each verdict is the policy's, and every ALLOW by
 * number alone is one that the kernel can cache. Else what is wrong, in the arena.
 *
 * `sections` name the ABIs, in any order, each named token once; what only running tells of them is
 * filled in: the counts and the mean of each ABI, and the section's worst.
 */
const char *proof_refute(struct arena *arena, const struct policy *policy, const struct instruction *code,
			 size_t length, struct filter_section *sections, size_t section_count);

#endif
