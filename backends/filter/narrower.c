#include "backends/filter/narrower.h"

#include "backends/filter/oracle.h"
#include "backends/filter/proof_points.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/policy/policy.h"

struct narrower {
	struct compilation *compilation;
	const struct policy *role;
	const struct oracle *of_layers, *of_role;
	uint32_t arch, number; /* that is asked about */
	bool holds;
};

static void ask(const uint64_t *arguments, void *context)
{
	struct narrower *narrower = context;
	struct action before =
		oracle_action(narrower->of_layers, narrower->arch, narrower->number, arguments);
	struct action after = oracle_action(narrower->of_role, narrower->arch, narrower->number, arguments);
	if (!narrower->holds || action_reach(after) <= action_reach(before))
		return;
	narrower->holds = false;
	diag_trouble(narrower->compilation->diags,
		     "internal error: the filter of '%s' gives number %u '%s', which gets '%s' by the layers",
		     narrower->role->name, (unsigned)narrower->number,
		     action_text(narrower->compilation, after), action_text(narrower->compilation, before));
}

/*
 * With the arguments at which either policy may change its mind; with none beyond the first where both are
 * made of the same rules, and so give the same answer to whatever is asked.
 */
static void ask_number(struct narrower *narrower, const struct policy *layers, uint32_t number)
{
	static const uint64_t none[6] = { 0 };
	narrower->number = number;
	ask(none, narrower);
	struct oracle_answer before = oracle_answer(narrower->of_layers, narrower->arch, number, none);
	struct oracle_answer after = oracle_answer(narrower->of_role, narrower->arch, number, none);
	if (before.call == after.call && before.abi == after.abi && before.call &&
	    oracles_agree(narrower->of_layers, narrower->of_role, before.call))
		return;
	struct arena *scratch = arena_new();
	if (before.conditional)
		proof_points(scratch, layers, before.call, before.abi, ask, narrower);
	if (after.conditional)
		proof_points(scratch, narrower->role, after.call, after.abi, ask, narrower);
	arena_free(scratch);
}

/* All of the layers' edges and of the role's, each number once. */
static void ask_edges(struct narrower *narrower, const struct policy *layers)
{
	struct oracle_edges first, second;
	oracle_edges(narrower->of_layers, narrower->arch, &first);
	oracle_edges(narrower->of_role, narrower->arch, &second);
	ask_number(narrower, layers, 0);
	for (size_t i = 0, k = 0; (i < first.count || k < second.count) && narrower->holds;) {
		bool from_first = k == second.count || (i < first.count && first.items[i] <= second.items[k]);
		uint32_t number = from_first ? first.items[i] : second.items[k];
		i += i < first.count && first.items[i] == number;
		k += k < second.count && second.items[k] == number;
		ask_number(narrower, layers, number);
	}
}

/* x32 has the token of x86_64, and edges are those of both. */
static bool token_was_asked(const struct policy *layers, enum abi abi)
{
	for (enum abi earlier = 0; earlier < abi; earlier++)
		if (policy_names_abi(layers, earlier) && abi_facts(earlier)->token == abi_facts(abi)->token)
			return true;
	return false;
}

bool narrower_prove(struct compilation *compilation, const struct policy *layers, const struct policy *role)
{
	struct arena *scratch = arena_new();
	struct narrower narrower = {
		.compilation = compilation,
		.role = role,
		.of_layers = oracle_new(scratch, layers),
		.of_role = oracle_new(scratch, role),
		.holds = true,
	};
	for (enum abi abi = 0; abi < ABI_COUNT && narrower.holds; abi++) {
		if (!policy_names_abi(layers, abi) || token_was_asked(layers, abi))
			continue;
		narrower.arch = abi_facts(abi)->token;
		ask_edges(&narrower, layers);
	}
	arena_free(scratch);
	return narrower.holds;
}
