#include "compiler/explain/holding.h"

#include "compiler/explain/call_answer.h"

struct holdings holdings_find(const struct strength_sets *sets, const bool emitted[STRENGTH_ARTIFACT_COUNT],
			      const struct row *row)
{
	struct holdings holdings = { .caveat = row ? strength_row_caveat(sets, row) : NULL };
	for (unsigned artifact = 0; artifact < STRENGTH_ARTIFACT_COUNT; artifact++)
		if (emitted[artifact])
			holdings.items[holdings.count++] = (struct holding){
				.artifact = artifact,
				.strength = row ? strength_of(sets, row, artifact)
						: strength_of_unlisted(artifact),
				.sentence = strength_sentence(sets, row, artifact),
			};
	return holdings;
}

/* ---- system calls ---- */

static bool is_filter(enum strength_artifact artifact)
{
	return artifact == STRENGTH_SECCOMP || artifact == STRENGTH_BPF || artifact == STRENGTH_OCI_SECCOMP ||
	       artifact == STRENGTH_SPO;
}

static bool any_fate(const struct kernel_answer *answer, enum call_fate fate)
{
	for (size_t i = 0; i < answer->call_count; i++)
		for (size_t k = 0; k < answer->calls[i].abi_count; k++)
			if (answer->calls[i].abis[k].fate == fate)
				return true;
	return false;
}

/* Those of roles stand beside what the roles refuse. */
static bool layers_have_door(const struct kernel_answer *answer)
{
	for (size_t i = 0; i < answer->door_count; i++)
		if (!answer->doors[i]->row->block)
			return true;
	return false;
}

static struct holding holding_of_calls(const struct kernel_answer *answer, enum strength_artifact artifact)
{
	struct holding holding = { artifact, STRENGTH_NONE, "it holds commands alone" };
	if (!is_filter(artifact))
		return holding;
	bool refused = any_fate(answer, FATE_REFUSED), in_part = any_fate(answer, FATE_BY_ARGUMENTS);
	if (!refused && !in_part) {
		holding.sentence = "nothing of it is refused";
		return holding;
	}
	if (answer->kind == KERNEL_CAPABILITY) { /* that no row forbids: calls are a part of what it gives */
		holding.strength = STRENGTH_MECHANISM;
		holding.sentence =
			"the kernel refuses what is said above, whoever asks; what else it gives stays: "
			"no row forbids it";
		return holding;
	}
	bool door = layers_have_door(answer);
	holding.strength = door ? STRENGTH_HOLES : STRENGTH_ENFORCED;
	holding.sentence =
		door      ? "the kernel refuses what is said above, whoever asks; the doors stay open"
		: in_part ? "the kernel refuses it with the arguments that the rows name, whoever asks"
			  : "the kernel refuses what is said above, whoever asks";
	return holding;
}

struct holdings holdings_of_calls(const bool emitted[STRENGTH_ARTIFACT_COUNT],
				  const struct kernel_answer *answer)
{
	struct holdings holdings = { .count = 0 };
	for (unsigned artifact = 0; artifact < STRENGTH_ARTIFACT_COUNT; artifact++)
		if (emitted[artifact])
			holdings.items[holdings.count++] = holding_of_calls(answer, artifact);
	return holdings;
}
