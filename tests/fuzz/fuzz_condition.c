/*
 * Six arguments and a policy: its proven filter gives a call that conditions decide what the rules give it,
 * on each ABI, for these arguments and for those with the values that the conditions are beside. And what is
 * said of a condition alone (that it can hold, that it can fail) is so.
 */
#include <string.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "backends/filter/oracle.h"
#include "compiler/base/arena.h"
#include "compiler/policy/policy.h"
#include "tests/fuzz/input.h"

enum { ARGUMENTS = 6 };

struct trial {
	const struct policy *policy;
	const struct oracle *oracle;
	const struct filter *filters;
};

/* What the comparison says of the arguments, from its signs alone. */
static bool test_holds(const struct argument_test *test, const uint64_t *arguments)
{
	uint64_t value = arguments[test->index] & test->mask;
	switch (test->operator) {
	case COMPARISON_EQ:
		return value == test->value;
	case COMPARISON_NE:
		return value != test->value;
	case COMPARISON_LT:
		return value < test->value;
	case COMPARISON_LE:
		return value <= test->value;
	case COMPARISON_GT:
		return value > test->value;
	case COMPARISON_GE:
		return value >= test->value;
	case COMPARISON_ANY:
		return value != 0;
	case COMPARISON_COUNT:
		break;
	}
	return false;
}

static bool condition_holds(const struct condition *condition, enum abi abi, const uint64_t *arguments)
{
	for (size_t i = 0; i < condition->count; i++)
		if (!test_holds(&condition->comparisons[i].on[abi], arguments))
			return false;
	return true;
}

static const struct filter *filter_for(const struct trial *trial, enum abi abi)
{
	const struct filter *filter = trial->filters;
	while (filter && filter->big_endian != abi_facts(abi)->big_endian)
		filter = filter->next;
	return filter;
}

static void verdict_check(const struct trial *trial, const struct syscall_entry *call, enum abi abi,
			  const uint64_t *arguments)
{
	struct interpret_input input = {
		.number = (uint32_t)call->numbers[abi] | abi_facts(abi)->base,
		.arch = abi_facts(abi)->token,
	};
	memcpy(input.arguments, arguments, sizeof input.arguments);
	const struct filter *filter = filter_for(trial, abi);
	REQUIRE(filter);
	uint32_t value = interpret_run(filter->code, &input).value;
	uint32_t wanted =
		filter_return_value(oracle_action(trial->oracle, input.arch, input.number, arguments));
	REQUIRE_OR(value == wanted, "%s on %s: %#x, not %#x", call->name, abi_facts(abi)->name, value,
		   wanted);
}

/* The arguments as given, and with one of them at a value that the condition looks at, or beside it. */
static void condition_check(const struct trial *trial, const struct condition *condition, enum abi abi,
			    const uint64_t *given)
{
	uint64_t arguments[ARGUMENTS];
	memcpy(arguments, given, sizeof arguments);
	for (size_t i = 0; i <= condition->count; i++) {
		bool holds = condition_holds(condition, abi, arguments);
		REQUIRE_OR(holds ? condition_can_hold(condition, abi) : condition_can_fail(condition, abi),
			   "%s", condition->text);
		verdict_check(trial, condition->call, abi, arguments);
		if (i == condition->count)
			break;
		const struct argument_test *test = &condition->comparisons[i].on[abi];
		arguments[test->index] = test->value + given[test->index] % 3 - 1;
	}
}

static void rule_check(const struct trial *trial, const struct condition *condition,
		       const uint64_t *arguments)
{
	for (int i = 0; i < ABI_COUNT; i++) {
		enum abi abi = (enum abi)i;
		if (policy_names_abi(trial->policy, abi) && condition->call->numbers[abi] >= 0 &&
		    condition_seen(condition, abi))
			condition_check(trial, condition, abi, arguments);
	}
}

static void rules_check(const struct trial *trial, const struct call_rule *rules, size_t count,
			const uint64_t *arguments)
{
	for (size_t i = 0; i < count; i++)
		if (rules[i].condition)
			rule_check(trial, rules[i].condition, arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct compilation compilation = compilation_begin(20);
	struct input left = input_of(data, size);
	struct input_files files;
	uint64_t arguments[ARGUMENTS];
	input_take(&left, arguments, sizeof arguments);
	input_files_cut(&files, compilation.arena, left);
	const struct policy *policy = input_policy(&compilation, &files);
	const struct filter *filters = policy ? filter_build(&compilation, policy) : NULL;
	if (filters) {
		struct trial trial = { policy, oracle_new(compilation.arena, policy), filters };
		rules_check(&trial, policy->seccomp.denied, policy->seccomp.denied_count, arguments);
		rules_check(&trial, policy->seccomp.allowed, policy->seccomp.allowed_count, arguments);
	} else if (policy) {
		input_check(&compilation, false);
	}
	compilation_end(&compilation);
	return 0;
}
