/* Conditions that say nothing, or that the filter of some ABI cannot evaluate. */
#include "compiler/policy/resolver.h"

/* On which of the named ABIs that have the call something is so: none, some (the first is in `*where`), or all. */
enum extent { NOWHERE, SOMEWHERE, EVERYWHERE };

static enum extent extent_of(const struct policy *policy, const struct condition *condition, bool (*ask)(const void *what, enum abi abi),
			     const void *what, enum abi *where)
{
	unsigned yes = 0, no = 0;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!policy_names_abi(policy, abi) || condition->call->numbers[abi] < 0 ||
		    !condition_seen(condition, abi))
			continue;
		bool answer = ask(what, abi);
		if (answer && !yes++)
			*where = abi;
		no += !answer;
	}
	if (!yes)
		return NOWHERE;
	return no ? SOMEWHERE : EVERYWHERE;
}

static bool comparison_never_holds(const void *comparison, enum abi abi)
{
	return !comparison_can_hold(comparison, abi);
}

static bool comparison_always_holds(const void *comparison, enum abi abi)
{
	return !comparison_can_fail(comparison, abi);
}

static bool condition_never_holds(const void *condition, enum abi abi)
{
	return !condition_can_hold(condition, abi);
}

static const char *on_abi(struct arena *arena, enum extent extent, enum abi where)
{
	return extent == EVERYWHERE ? "" : arena_printf(arena, " on %s", abi_facts(where)->name);
}

/* Why a comparison says nothing. */
static void help_fixed(struct diagnostic *d, const struct comparison *comparison, enum abi abi)
{
	struct argument_test test = comparison->on[abi];
	if (test.bits < 64 && test.value >> test.bits)
		diag_help(d, "the kernel reads %u bits of '%s', and the value has more", test.bits,
			  comparison->argument);
	else if (!test.mask)
		diag_help(d, "the mask has no bit that the kernel reads of '%s'", comparison->argument);
	else if (test.value & ~test.mask)
		diag_help(d, "the value has bits that the mask does not have");
	else
		diag_help(d, "values are compared without a sign; correct it, or leave it out");
}

static bool warn_comparison(struct resolver *resolver, const struct condition *condition,
			    const struct comparison *comparison)
{
	enum abi where = ABI_COUNT;
	bool never = true;
	enum extent extent = extent_of(resolver->policy, condition, comparison_never_holds, comparison, &where);
	if (extent == NOWHERE) {
		never = false;
		extent = extent_of(resolver->policy, condition, comparison_always_holds, comparison, &where);
	}
	if (extent == NOWHERE)
		return false;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_FIXED_CONDITION, comparison->span,
					   "this comparison %s holds%s", never ? "never" : "always",
					   on_abi(resolver->compilation->arena, extent, where));
	help_fixed(d, comparison, where);
	return true;
}

static void warn_condition(struct resolver *resolver, const struct condition *condition)
{
	bool warned = false;
	for (size_t i = 0; i < condition->count; i++)
		warned |= warn_comparison(resolver, condition, &condition->comparisons[i]);
	enum abi where = ABI_COUNT;
	enum extent extent =
		warned ? NOWHERE
		       : extent_of(resolver->policy, condition, condition_never_holds, condition, &where);
	if (extent == NOWHERE)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_FIXED_CONDITION, condition->span,
					   "this condition never holds%s: its parts contradict each other",
					   on_abi(resolver->compilation->arena, extent, where));
	diag_help(d, "\"or\" is another entry of the list: NAME(…), NAME(…)");
}

static void warn_unseen(struct resolver *resolver, const struct condition *condition)
{
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		const struct comparison *comparison = condition->comparisons;
		if (!policy_names_abi(resolver->policy, abi) || condition->call->numbers[abi] < 0 ||
		    condition_seen(condition, abi))
			continue;
		while (comparison->on[abi].index >= 0)
			comparison++;
		struct diagnostic *d =
			diag_report(resolver_diags(resolver), DIAG_UNSEEN_ARGUMENT, comparison->span,
				    "no filter sees '%s' of %s on %s: there the condition refuses whatever the "
				    "arguments are",
				    comparison->argument, condition->call->name, abi_facts(abi)->name);
		diag_help(d, "leave that ABI out with 'arch' or 'abi', or decide %s without a condition",
			  condition->call->name);
		return;
	}
}

void conditions_warn(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->condition_count; i++) {
		warn_condition(resolver, resolver->conditions[i]);
		warn_unseen(resolver, resolver->conditions[i]);
	}
}
