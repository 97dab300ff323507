/*
 * Whether the points find what is wrong: each single change of a filter that looks at arguments is refuted,
 * or makes no difference for arguments of another choice than the proof's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "backends/filter/proof.h"
#include "backends/filter/proof_points.h"
#include "compiler/base/strbuf.h"
#include "tests/unit/policy_text.h"

enum { LONGEST = 64, VALUES_MAX = 256, NEAR = 4 };

struct mutation {
	const struct policy *policy;
	const struct filter *filter;
	struct instruction code[LONGEST];
	size_t caught, equivalent;
	/* Of the program's constants, with the high half turned too. */
	uint64_t values[VALUES_MAX];
	size_t value_count;
};

static const char *refute(struct arena *arena, const struct mutation *mutation)
{
	struct filter_section section = mutation->filter->sections[0];
	return proof_refute(arena, mutation->policy, mutation->code, mutation->filter->length, &section, 1);
}

static bool agree(const struct mutation *mutation, const struct interpret_input *input)
{
	return interpret_run(mutation->filter->code, input).value ==
	       interpret_run(mutation->code, input).value;
}

static void values_collect(struct mutation *mutation)
{
	for (size_t i = 0; i < mutation->filter->length && mutation->value_count + 8 <= VALUES_MAX; i++) {
		uint64_t constant = mutation->filter->code[i].constant;
		const uint64_t near[] = {
			constant,           constant + 1,          constant - 1,         constant << 32,
			constant << 32 | 5, constant | 1ull << 32, (constant + 1) << 32, constant ^ UINT64_MAX
		};
		for (size_t k = 0; k < 8; k++)
			mutation->values[mutation->value_count++] = near[k];
	}
}

/* The numbers that tables hold, each with every pair of values in the first two arguments. */
static void assert_equivalent(const struct mutation *mutation, size_t at)
{
	for (uint32_t number = 0; number < 512; number++) {
		struct interpret_input input = { .number = number, .arch = 0xc000003e };
		for (size_t i = 0; i < mutation->value_count; i++) {
			input.arguments[0] = mutation->values[i];
			input.arguments[1] = mutation->values[(i * 7 + number) % mutation->value_count];
			if (!agree(mutation, &input))
				fail_msg("instruction %zu as %#x %u %u %#x: a change that matters for number "
					 "%u "
					 "(%#llx, %#llx) and was not found",
					 at, mutation->code[at].code, mutation->code[at].jump_true,
					 mutation->code[at].jump_false, mutation->code[at].constant, number,
					 (unsigned long long)input.arguments[0],
					 (unsigned long long)input.arguments[1]);
		}
	}
}

static void try_mutant(struct mutation *mutation, size_t at, struct instruction changed)
{
	struct instruction original = mutation->filter->code[at];
	if (memcmp(&original, &changed, sizeof changed) == 0)
		return;
	struct arena *arena = arena_new();
	mutation->code[at] = changed;
	if (refute(arena, mutation)) {
		mutation->caught++;
	} else {
		assert_equivalent(mutation, at);
		mutation->equivalent++;
	}
	mutation->code[at] = original;
	arena_free(arena);
}

static void mutate(struct mutation *mutation, size_t at)
{
	const struct instruction original = mutation->filter->code[at];
	const uint32_t constants[] = { original.constant + 1,
				       original.constant - 1,
				       original.constant + 4,
				       original.constant + 8,
				       0,
				       UINT32_MAX,
				       original.constant ^ 0x80000000 };
	struct instruction item = original;
	for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
		item.constant = constants[i];
		try_mutant(mutation, at, item);
	}
	static const uint16_t codes[] = { 0x15, 0x25, 0x35, 0x45, 0x54, 0x20 };
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		item = original;
		item.code = codes[i];
		try_mutant(mutation, at, item);
	}
	for (unsigned target = 0; target < NEAR && (original.code & 0x07) == 0x05; target++) {
		item = original;
		item.jump_true = (uint8_t)target;
		try_mutant(mutation, at, item);
		item = original;
		item.jump_false = (uint8_t)target;
		try_mutant(mutation, at, item);
	}
}

static void assert_bites(const char *rows)
{
	struct policy_text text = policy_text_begin();
	struct mutation mutation = { .caught = 0 };
	policy_text_add(&text, "p.allow",
			arena_printf(text.compilation.arena, "policy p\nseccomp { abi x86_64 }\n%s", rows));
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	mutation.policy = text.policy;
	mutation.filter = filter_build(&text.compilation, text.policy);
	assert_non_null(mutation.filter);
	assert_true(mutation.filter->length <= LONGEST);
	memcpy(mutation.code, mutation.filter->code, mutation.filter->length * sizeof *mutation.code);
	values_collect(&mutation);
	for (size_t at = 0; at < mutation.filter->length; at++)
		mutate(&mutation, at);
	assert_true(mutation.caught > 5 * mutation.equivalent);
	policy_text_end(&text);
}

static void halves(void **state)
{
	(void)state;
	assert_bites("forbid syscall lseek(offset > 0x100000005)  adr 1  because \"r\"\n"
		     "forbid syscall ptrace((pid & 0xf0000000f) == 0x300000005)  adr 1  because \"r\"\n");
}

static void clauses_in_their_order(void **state)
{
	(void)state;
	assert_bites(
		"forbid syscall socket(domain == AF_INET && (type & 0xf) == SOCK_RAW)  adr 1  because \"r\"\n"
		"forbid syscall socket(domain == AF_ALG), socket(domain > 40)  adr 1  because \"r\"\n"
		"forbid syscall clone(flags & CLONE_NEWUSER)  adr 1  because \"r\"  with kill\n");
}

/* What is visited, of a call with one condition. */
struct visits {
	size_t count, holding;
	bool high_half;
};

static void visit(const uint64_t *arguments, void *context)
{
	struct visits *visits = context;
	visits->count++;
	visits->holding += (uint32_t)arguments[1] == 9;
	visits->high_half = visits->high_half || arguments[1] == 0x100000009;
}

static void a_condition_is_met_and_missed(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\nforbid syscall kill(sig == 9)  adr 1  because \"r\"\n");
	assert_clean(&text);
	struct visits visits = { .count = 0 };
	proof_points(text.compilation.arena, text.policy, syscall_find("kill"), ABI_X86_64, visit, &visits);
	assert_true(visits.holding > 10 && visits.count > 2 * visits.holding);
	assert_true(visits.high_half);
	policy_text_end(&text);
}

/* ---- many conditions ---- */

enum { MANY = 200, VISITS_MAX = 32 * MANY };

struct collected {
	uint64_t items[VISITS_MAX][6];
	size_t count;
};

static void collect(const uint64_t *arguments, void *context)
{
	struct collected *collected = context;
	assert_true(collected->count < VISITS_MAX);
	memcpy(collected->items[collected->count++], arguments, sizeof *collected->items);
}

static int by_arguments(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(uint64_t[6]));
}

static bool was_visited(const struct collected *collected, uint64_t first, uint64_t second)
{
	const uint64_t arguments[6] = { first, second };
	return bsearch(arguments, collected->items, collected->count, sizeof *collected->items,
		       by_arguments) != NULL;
}

/*
 * kill(pid == 1000 && sig == 5), (pid == 1010 && sig == 5), …: each value, its neighbours, and the high half
 * beside each, where the other comparison holds and where it does not; none twice.
 */
static void many_conditions_are_met_and_missed_once(void **state)
{
	(void)state;
	struct strbuf rows = STRBUF_INIT;
	strbuf_printf(&rows, "policy p\nseccomp { abi x86_64 }\n");
	for (unsigned i = 0; i < MANY; i++)
		strbuf_printf(&rows, "forbid syscall kill(pid == %u && sig == 5)  adr 1  because \"r\"\n",
			      1000 + 10 * i);
	struct policy_text text = policy_text_load(rows.bytes);
	assert_clean(&text);
	/* 400 comparisons at 13 points each, where 200 conditions are tried. */
	assert_int_equal(proof_points_tries(text.policy), 400 * 13 * 200);
	static struct collected all;
	all.count = 0;
	proof_points(text.compilation.arena, text.policy, syscall_find("kill"), ABI_X86_64, collect, &all);
	qsort(all.items, all.count, sizeof *all.items, by_arguments);
	for (size_t i = 1; i < all.count; i++)
		assert_true(by_arguments(all.items[i - 1], all.items[i]) < 0);
	for (unsigned i = 0; i < MANY; i++) {
		uint64_t value = 1000 + 10 * (uint64_t)i;
		const uint64_t asked[] = { value - 1, value, value + 1, value | 1ull << 32, value << 32 };
		for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
			assert_true(was_visited(&all, asked[k], 5) && was_visited(&all, asked[k], 0));
		assert_true(was_visited(&all, value, 4) && was_visited(&all, value, 1ull << 32 | 5));
	}
	assert_true(was_visited(&all, 0, 0) && was_visited(&all, UINT64_MAX, 5));
	policy_text_end(&text);
	strbuf_release(&rows);
}

/*
 * kill and kcmp on two ABIs, at 13 points and 128 with another bit for each comparison; a call without
 * conditions costs nothing.
 */
static void tries_are_counted_by_call_and_abi(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load(
		"policy p\nseccomp { abi x86_64, i386 }\n"
		"forbid syscall kill(pid == 1), kill(sig > 30 && pid > 9)  adr 1  because \"r\"\n"
		"forbid syscall kcmp(type == 2), ptrace  adr 1  because \"r\"\n");
	assert_clean(&text);
	assert_int_equal(proof_points_tries(text.policy), 2 * (3 * 141 * 2) + 2 * (1 * 141 * 1));
	policy_text_end(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(halves),
		cmocka_unit_test(clauses_in_their_order),
		cmocka_unit_test(a_condition_is_met_and_missed),
		cmocka_unit_test(many_conditions_are_met_and_missed_once),
		cmocka_unit_test(tries_are_counted_by_call_and_abi),
	};
	return cmocka_run_group_tests_name("proof_points", tests, NULL, NULL);
}
