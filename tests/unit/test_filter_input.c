#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "backends/filter/filter_input.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/condition.h"
#include "tests/unit/filter_policy.h"

static struct test_policy begun(void)
{
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	test_deny_call(&test, syscall_find("ptrace"), test_eperm);
	return test;
}

/* The test's arrays are where the policy points only where it stands now. */
static bool equal_inputs(struct test_policy *a, struct test_policy *b)
{
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	a->policy.seccomp.denied = a->denied;
	b->policy.seccomp.denied = b->denied;
	filter_input(&a->policy.seccomp, &first);
	filter_input(&b->policy.seccomp, &second);
	bool equal = first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0;
	strbuf_release(&first);
	strbuf_release(&second);
	return equal;
}

static void what_no_filter_sees_makes_no_difference(void **state)
{
	(void)state;
	struct test_policy a = begun(), b = begun();
	struct row row = { .subject = "strace" };
	b.policy.name = "other";
	b.denied[0].row = &row;
	assert_true(equal_inputs(&a, &b));
}

static void each_setting_makes_a_difference(void **state)
{
	(void)state;
	struct test_policy a = begun();
	const struct syscall_entry *hot[] = { syscall_find("read") };
	const struct call_reference base[] = { { .call = syscall_find("read") } };
	const struct seccomp of = a.policy.seccomp;
	struct seccomp others[] = { of, of, of, of, of, of, of, of };
	others[0].fallback = test_kill;
	others[1].deny = test_kill;
	others[2].unknown_default = true;
	others[3].unknown = test_eperm;
	others[4].abis = 1u << ABI_X86_64 | 1u << ABI_I386;
	others[5].audit = true;
	others[6].hot = hot;
	others[6].hot_count = 1;
	others[7].base = "@base";
	others[7].base_calls = base;
	others[7].base_call_count = 1;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct test_policy b = begun();
		b.policy.seccomp = others[i];
		assert_false(equal_inputs(&a, &b));
	}
}

static void each_part_of_a_rule_makes_a_difference(void **state)
{
	(void)state;
	struct test_policy a = begun();
	const struct capability *capability = capability_find("CAP_SYS_PTRACE");
	const struct condition condition = { .call = a.denied[0].call, .text = "arg0 == 1" };
	const struct call_rule of = a.denied[0];
	struct call_rule others[] = { of, of, of, of, of, of };
	others[0].call = syscall_find("kcmp");
	others[1].capability = capability;
	others[2].condition = &condition;
	others[3].follows = syscall_find("clone");
	others[4].action = test_kill;
	others[5].repeats = true;
	assert_non_null(capability);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct test_policy b = begun();
		b.denied[0] = others[i];
		assert_false(equal_inputs(&a, &b));
	}
}

static void a_rule_that_allows_is_none_that_denies(void **state)
{
	(void)state;
	struct test_policy a = begun(), b = begun();
	b.policy.seccomp.allowed = a.denied;
	b.policy.seccomp.allowed_count = 1;
	b.policy.seccomp.denied_count = 0;
	assert_false(equal_inputs(&a, &b));
}

/* ---- against a plain model ---- */

enum { LIST_MAX = 3, FILTERS_MAX = 3, ROUNDS = 20000 };

/* Numbers of a few values each: which call, which action, whether. What is past a list's end is 0. */
struct rule_model {
	uint8_t call, capability, condition, follows, action, repeats;
};

struct filter_model {
	uint8_t fallback, deny, unknown_default, unknown, abis, audit, base;
	uint8_t denied_count, allowed_count, base_call_count, hot_count;
	struct rule_model denied[LIST_MAX], allowed[LIST_MAX];
	struct {
		uint8_t call, condition;
	} base_calls[LIST_MAX];
	uint8_t hot[LIST_MAX];
};

/* What a filter_model says, in the compiler's terms. Texts are copies of its own. */
struct filter_built {
	struct seccomp seccomp;
	struct call_rule denied[LIST_MAX], allowed[LIST_MAX];
	struct call_reference base_calls[LIST_MAX];
	const struct syscall_entry *hot[LIST_MAX];
	struct condition conditions[3 * LIST_MAX];
	char texts[3 * LIST_MAX][16];
	size_t condition_count;
};

static const char *const condition_texts[] = { "", "a == 1", "a == 12", "a == 1 && b" };
static const char *const call_names[] = { "read", "write", "ptrace" };

static uint32_t random_next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 32);
}

static uint8_t random_below(uint64_t *seed, unsigned end)
{
	return (uint8_t)(random_next(seed) % end);
}

static struct action action_of(uint8_t number)
{
	const struct action actions[] = { test_allow, test_kill, test_eperm, test_enosys };
	return actions[number];
}

static const struct condition *condition_of(struct filter_built *built, uint8_t number)
{
	if (!number)
		return NULL;
	size_t at = built->condition_count++;
	strcpy(built->texts[at], condition_texts[number]);
	built->conditions[at] = (struct condition){ .text = built->texts[at] };
	return &built->conditions[at];
}

static struct call_rule rule_of(struct filter_built *built, struct rule_model model, uint64_t *seed)
{
	static const char *const capabilities[] = { "CAP_SYS_PTRACE", "CAP_BPF" }; /* which, no filter sees */
	return (struct call_rule){
		.call = syscall_find(call_names[model.call]),
		.capability = model.capability ? capability_find(capabilities[random_below(seed, 2)]) : NULL,
		.condition = condition_of(built, model.condition),
		.follows = model.follows ? syscall_find(call_names[model.follows]) : NULL,
		.action = action_of(model.action),
		.repeats = model.repeats,
	};
}

static void filter_build_model(struct filter_built *built, const struct filter_model *model, uint64_t *seed)
{
	memset(built, 0, sizeof *built);
	built->seccomp = (struct seccomp){
		.fallback = action_of(model->fallback),
		.deny = action_of(model->deny),
		.unknown_default = model->unknown_default,
		.unknown = action_of(model->unknown),
		.abis = model->abis,
		.audit = model->audit,
		.base = model->base ? condition_texts[random_below(seed, 4)] : NULL,
		.denied = built->denied,
		.denied_count = model->denied_count,
		.allowed = built->allowed,
		.allowed_count = model->allowed_count,
		.base_calls = built->base_calls,
		.base_call_count = model->base_call_count,
		.hot = built->hot,
		.hot_count = model->hot_count,
	};
	for (size_t i = 0; i < model->denied_count; i++)
		built->denied[i] = rule_of(built, model->denied[i], seed);
	for (size_t i = 0; i < model->allowed_count; i++)
		built->allowed[i] = rule_of(built, model->allowed[i], seed);
	for (size_t i = 0; i < model->base_call_count; i++)
		built->base_calls[i] = (struct call_reference){
			.call = syscall_find(call_names[model->base_calls[i].call]),
			.condition = condition_of(built, model->base_calls[i].condition),
		};
	for (size_t i = 0; i < model->hot_count; i++)
		built->hot[i] = syscall_find(call_names[model->hot[i]]);
}

static struct rule_model random_rule(uint64_t *seed)
{
	return (struct rule_model){
		.call = random_below(seed, 3),
		.capability = random_below(seed, 2),
		.condition = random_below(seed, 4),
		.follows = random_below(seed, 3),
		.action = random_below(seed, 4),
		.repeats = random_below(seed, 2),
	};
}

static void random_setting(struct filter_model *model, uint64_t *seed)
{
	uint8_t *const settings[] = { &model->fallback, &model->deny,
				      &model->unknown,  &model->unknown_default,
				      &model->abis,     &model->audit,
				      &model->base };
	static const uint8_t ends[] = { 4, 4, 4, 2, 4, 2, 2 };
	size_t which = random_below(seed, sizeof ends);
	*settings[which] = random_below(seed, ends[which]);
}

static void rule_add(struct rule_model *rules, uint8_t *count, struct rule_model rule)
{
	if (*count < LIST_MAX)
		rules[(*count)++] = rule;
}

static struct rule_model rule_drop(struct rule_model *rules, uint8_t *count)
{
	struct rule_model last = { 0 };
	if (!*count)
		return last;
	last = rules[--*count];
	rules[*count] = (struct rule_model){ 0 };
	return last;
}

static void rules_swap(struct rule_model *rules, uint8_t count)
{
	if (count < 2)
		return;
	struct rule_model first = rules[0];
	rules[0] = rules[1];
	rules[1] = first;
}

/* Where a list gets another entry: behind its last, or in the place of one. */
static size_t entry_place(uint8_t *count, uint64_t *seed)
{
	uint8_t at = random_below(seed, LIST_MAX);
	return at < *count ? at : (*count)++;
}

static void random_call(struct filter_model *model, uint64_t *seed)
{
	if (random_below(seed, 2)) {
		model->hot[entry_place(&model->hot_count, seed)] = random_below(seed, 3);
	} else {
		size_t at = entry_place(&model->base_call_count, seed);
		model->base_calls[at].call = random_below(seed, 3);
		model->base_calls[at].condition = random_below(seed, 4);
	}
}

static void random_change(struct filter_model *model, uint64_t *seed)
{
	switch (random_below(seed, 7)) {
	case 0:
		random_setting(model, seed);
		break;
	case 1:
		rule_add(model->denied, &model->denied_count, random_rule(seed));
		break;
	case 2:
		rule_drop(model->allowed, &model->allowed_count);
		break;
	case 3:
		if (model->denied_count && model->allowed_count < LIST_MAX)
			rule_add(model->allowed, &model->allowed_count,
				 rule_drop(model->denied, &model->denied_count));
		break;
	case 4:
		rules_swap(model->denied, model->denied_count);
		break;
	case 5:
		random_call(model, seed);
		break;
	default:
		if (model->denied_count)
			model->denied[0] = random_rule(seed);
	}
}

/* As a run has them: of a policy, and then of its roles, in one piece. */
static void inputs_add(const struct filter_model *models, size_t count, uint64_t *seed, struct strbuf *out)
{
	for (size_t i = 0; i < count; i++) {
		struct filter_built built;
		filter_build_model(&built, &models[i], seed);
		filter_input(&built.seccomp, out);
	}
}

static bool same_inputs(const struct filter_model *a, size_t a_count, const struct filter_model *b,
			size_t b_count, uint64_t *seed)
{
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	inputs_add(a, a_count, seed, &first);
	inputs_add(b, b_count, seed, &second);
	bool same = first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0;
	strbuf_release(&first);
	strbuf_release(&second);
	return same;
}

/* Filters that are a few changes apart, or none: their inputs are equal where the filters are. */
static void inputs_are_equal_where_filters_are(void **state)
{
	(void)state;
	uint64_t seed = 32;
	size_t equal = 0;
	struct filter_model a[FILTERS_MAX] = { 0 }, b[FILTERS_MAX];
	for (int round = 0; round < ROUNDS; round++) {
		if (round % 16 == 0) /* or the lists stay full */
			memset(a, 0, sizeof a);
		size_t a_count = 1 + random_below(&seed, FILTERS_MAX), b_count = a_count;
		for (size_t i = 0; i < a_count; i++)
			random_change(&a[i], &seed);
		memcpy(b, a, sizeof b);
		for (uint8_t changes = random_below(&seed, 3); changes; changes--)
			random_change(&b[random_below(&seed, (unsigned)a_count)], &seed);
		if (random_below(&seed, 8) == 0)
			b_count = 1 + random_below(&seed, FILTERS_MAX);
		bool wanted = a_count == b_count && memcmp(a, b, a_count * sizeof *a) == 0;
		equal += wanted;
		if (same_inputs(a, a_count, b, b_count, &seed) != wanted)
			fail_msg("round %d: %s filters have %s inputs", round, wanted ? "equal" : "different",
				 wanted ? "different" : "equal");
	}
	assert_in_range(equal, ROUNDS / 4, ROUNDS * 3 / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_no_filter_sees_makes_no_difference),
		cmocka_unit_test(each_setting_makes_a_difference),
		cmocka_unit_test(each_part_of_a_rule_makes_a_difference),
		cmocka_unit_test(a_rule_that_allows_is_none_that_denies),
		cmocka_unit_test(inputs_are_equal_where_filters_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
