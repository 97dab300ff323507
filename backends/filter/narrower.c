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

/* With the arguments at which either policy may change its mind. */
static void ask_number(struct narrower *narrower, const struct policy *layers, uint32_t number)
{
	static const uint64_t none[6] = { 0 };
	narrower->number = number;
	ask(none, narrower);
	struct oracle_answer before = oracle_answer(narrower->of_layers, narrower->arch, number, none);
	struct oracle_answer after = oracle_answer(narrower->of_role, narrower->arch, number, none);
	struct arena *scratch = arena_new();
	if (before.conditional)
		proof_points(scratch, layers, before.call, before.abi, ask, narrower);
	if (after.conditional)
		proof_points(scratch, narrower->role, after.call, after.abi, ask, narrower);
	arena_free(scratch);
}

static void ask_edges(struct narrower *narrower, const struct policy *layers, const struct oracle *oracle)
{
	struct oracle_edges edges;
	oracle_edges(oracle, narrower->arch, &edges);
	ask_number(narrower, layers, 0);
	for (size_t i = 0; i < edges.count && narrower->holds; i++)
		ask_number(narrower, layers, edges.items[i]);
}

bool narrower_prove(struct compilation *compilation, const struct policy *layers, const struct policy *role)
{
	struct narrower narrower = {
		.compilation = compilation,
		.role = role,
		.of_layers = oracle_new(compilation->arena, layers),
		.of_role = oracle_new(compilation->arena, role),
		.holds = true,
	};
	for (enum abi abi = 0; abi < ABI_COUNT && narrower.holds; abi++) {
		if (!policy_names_abi(layers, abi))
			continue;
		narrower.arch = abi_facts(abi)->token;
		ask_edges(&narrower, layers, narrower.of_layers);
		ask_edges(&narrower, layers, narrower.of_role);
	}
	return narrower.holds;
}
