#include "backends/filter/weights.h"

#include "compiler/base/arena.h"

static size_t range_of(const struct filter_section *section, uint32_t number)
{
	size_t low = 0, high = section->range_count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (section->ranges[middle].first <= number)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Counts the hot calls of one ABI into their ranges. */
static size_t hot_count(const struct seccomp *seccomp, const struct filter_section *section, enum abi abi,
			uint64_t *hot)
{
	size_t count = 0;
	for (size_t i = 0; i < seccomp->hot_count; i++) {
		int32_t number = seccomp->hot[i]->numbers[abi];
		if (number < 0)
			continue;
		hot[range_of(section, (uint32_t)number + abi_facts(abi)->base)]++;
		count++;
	}
	return count;
}

const uint64_t *weights_make(struct arena *arena, const struct policy *policy,
			     const struct filter_section *section)
{
	uint64_t *weights = arena_array(arena, section->range_count, sizeof *weights);
	uint64_t known = 0, hot = 0;
	for (size_t i = 0; i < section->abi_count; i++)
		hot += hot_count(&policy->seccomp, section, section->abis[i].abi, weights);
	if (!hot)
		return NULL;
	for (size_t i = 0; i < section->range_count; i++)
		known += section->ranges[i].known;
	/* As whole numbers: known calls weigh `hot` each, `known * hot` in all, and the hot ones four times
	 * that. */
	for (size_t i = 0; i < section->range_count; i++)
		weights[i] = section->ranges[i].known * hot + weights[i] * 4 * known;
	return weights;
}
