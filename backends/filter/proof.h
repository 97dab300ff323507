/*
 * Whether a program does what the policy says, found out by running it. The verdicts to compare with come
 * straight from the policy's rules (oracle.h), not from decisions.h, ranges.h or tree.h, and the program
 * is run by interpret.h: a fault of the generator has no part in its own proof.
 *
 * Nothing is sampled of numbers and tokens: a run tells for which of both the program goes the same way
 * (interpret.h), so that a run a way holds all 2^32 numbers under all 2^32 tokens against the policy. That
 * supposes of the policy that its mind changes beside its calls' numbers, the x32 and the sign bit, and the
 * tokens of its ABIs alone. Arguments are sampled: every number is held against the policy with arguments
 * that have bits all over, and calls that the policy decides by arguments run with many (proof_points.h).
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
 * filled in: the counts and the mean of each ABI, and the section's worst. A program that would need more
 * than a million runs is refuted.
 */
const char *proof_refute(struct arena *arena, const struct policy *policy, const struct instruction *code,
			 size_t length, struct filter_section *sections, size_t section_count);

#endif
