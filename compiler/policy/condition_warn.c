/* Conditions that say nothing, or that the filter of some ABI cannot evaluate. */
#include "compiler/policy/resolver.h"

/* The named ABIs that have the call and show its arguments to filters, as bits. */
static unsigned abis_of(const struct policy *policy, const struct condition *condition, bool seen)
{
	unsigned abis = 0;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && condition->call->numbers[abi] >= 0 &&
		    condition_seen(condition, abi) == seen)
			abis |= 1u << abi;
	return abis;
}

/* Those of them where the answer is yes. */
static unsigned abis_where(unsigned abis, bool (*ask)(const void *what, enum abi abi), const void *what)
{
	unsigned yes = 0;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (abis >> abi & 1 && ask(what, abi))
			yes |= 1u << abi;
	return yes;
}

static enum abi first_abi(unsigned abis)
{
	enum abi abi = 0;
	while (!(abis >> abi & 1))
		abi++;
	return abi;
}

/* " on i386, arm"; "" where it is all of `every`. */
static const char *on_abis(struct arena *arena, unsigned abis, unsigned every)
{
	const char *text = "";
	for (enum abi abi = 0; abi < ABI_COUNT && abis != every; abi++)
		if (abis >> abi & 1)
			text = arena_printf(arena, "%s%s%s", text, *text ? ", " : " on ",
					    abi_facts(abi)->name);
	return text;
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

/* Why a comparison says nothing. */
static void help_fixed(struct diagnostic *d, const struct comparison *comparison, enum abi abi)
{
	struct argument_test test = comparison->on[abi];
	if (!test.mask)
		diag_help(d, "the mask has no bit that the kernel reads of '%s'", comparison->argument);
	else if (test.bits < 64 && test.value >= UINT64_MAX >> (64 - test.bits))
		diag_help(d, "the kernel reads %u bits of '%s'", test.bits, comparison->argument);
	else if (test.value & ~test.mask)
		diag_help(d, "the value has bits that the mask does not have");
	else
		diag_help(d, "values are compared without a sign");
}

static bool warn_comparison(struct resolver *resolver, unsigned abis, const struct comparison *comparison)
{
	unsigned never = abis_where(abis, comparison_never_holds, comparison);
	unsigned always = never ? 0 : abis_where(abis, comparison_always_holds, comparison);
	if (!never && !always)
		return false;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_FIXED_CONDITION, comparison->span,
					   "this comparison %s holds%s", never ? "never" : "always",
					   on_abis(resolver->compilation->arena, never | always, abis));
	help_fixed(d, comparison, first_abi(never | always));
	return true;
}

static void warn_condition(struct resolver *resolver, const struct condition *condition)
{
	unsigned abis = abis_of(resolver->policy, condition, true);
	bool warned = false;
	for (size_t i = 0; i < condition->count; i++)
		warned |= warn_comparison(resolver, abis, &condition->comparisons[i]);
	unsigned never = warned ? 0 : abis_where(abis, condition_never_holds, condition);
	if (!never)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_FIXED_CONDITION, condition->span,
					   "this condition never holds%s: its parts contradict each other",
					   on_abis(resolver->compilation->arena, never, abis));
	diag_help(d, "\"or\" is another entry of the list: NAME(…), NAME(…)");
}

static void warn_unseen(struct resolver *resolver, const struct condition *condition)
{
	unsigned abis = abis_of(resolver->policy, condition, false);
	if (!abis)
		return;
	const struct comparison *comparison = condition->comparisons;
	while (comparison->on[first_abi(abis)].index >= 0)
		comparison++;
	struct diagnostic *d = diag_report(
		resolver_diags(resolver), DIAG_UNSEEN_ARGUMENT, comparison->span,
		"no filter sees '%s' of %s%s: there the condition refuses whatever the "
		"arguments are",
		comparison->argument, condition->call->name, on_abis(resolver->compilation->arena, abis, 0));
	diag_help(d, "leave that out with 'arch' or 'abi', or decide %s without a condition",
		  condition->call->name);
}

void conditions_warn(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->condition_count; i++) {
		warn_condition(resolver, resolver->conditions[i]);
		warn_unseen(resolver, resolver->conditions[i]);
	}
}
