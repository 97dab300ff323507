/*
 * That the proof bites: every single change of a jump, a constant, an opcode or a return in correct filters
 * is refuted, or is shown to change no verdict for any call there is (same_verdicts.h). One that is neither
 * fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "backends/filter/proof.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "tests/unit/peer_policies.h"
#include "tests/unit/same_verdicts.h"

enum { LONGEST = 128 };
enum { LOAD = 0x20, JUMP = 0x05, EQUAL = 0x15, GREATER = 0x25, AT_LEAST = 0x35, BITS = 0x45, RETURN = 0x06 };
enum { EQUAL_X = 0x1d };

struct mutation {
	const struct policy *policy;
	const struct filter *filter;
	struct instruction code[LONGEST];
	size_t refuted, equivalent;
};

/* The sections again without their counts, which the proof fills in. */
static const char *refute(struct arena *arena, const struct mutation *mutation)
{
	struct filter_section sections[ABI_COUNT];
	for (size_t i = 0; i < mutation->filter->section_count; i++) {
		sections[i] = mutation->filter->sections[i];
		for (size_t k = 0; k < sections[i].abi_count; k++)
			sections[i].abis[k].refused = 0;
	}
	return proof_refute(arena, mutation->policy, mutation->code, mutation->filter->length, sections,
			    mutation->filter->section_count);
}

static void assert_equivalent(const struct mutation *mutation, size_t at)
{
	const struct same_program original = { mutation->filter->code, mutation->filter->length };
	const struct same_program mutant = { mutation->code, mutation->filter->length };
	const struct instruction *item = &mutation->code[at];
	struct interpret_input input;
	if (!same_verdicts(&original, &mutant, &input))
		fail_msg("instruction %zu as { %#x, %u, %u, %#" PRIx32 " } is not refuted, and matters: "
			 "number %#" PRIx32 " under token %#" PRIx32,
			 at, item->code, item->jump_true, item->jump_false, item->constant, input.number,
			 input.arch);
}

static void try_mutant(struct mutation *mutation, size_t at, struct instruction changed)
{
	struct instruction original = mutation->filter->code[at];
	if (memcmp(&original, &changed, sizeof changed) == 0)
		return;
	mutation->code[at] = changed;
	struct arena *arena = arena_new();
	if (refute(arena, mutation)) {
		mutation->refuted++;
	} else {
		assert_equivalent(mutation, at);
		mutation->equivalent++;
	}
	arena_free(arena);
	mutation->code[at] = original;
}

/* One up, one down, one bit, and the values of all kinds of returns. */
static void mutate_constant(struct mutation *mutation, size_t at)
{
	struct instruction item = mutation->filter->code[at];
	const uint32_t original = item.constant;
	enum { ALLOW = 0x7fff0000, LOG = 0x7ffc0000, EPERM_VALUE = 0x50001, ENOSYS_VALUE = 0x50026 };
	const uint32_t kill = 0x80000000;
	const uint32_t others[] = { original + 1, original - 1, 0,           UINT32_MAX,  ALLOW,
				    LOG,          kill,         EPERM_VALUE, ENOSYS_VALUE };
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		item.constant = others[i];
		try_mutant(mutation, at, item);
	}
	for (unsigned bit = 0; bit < 32; bit++) {
		item.constant = original ^ 1u << bit;
		try_mutant(mutation, at, item);
	}
}

/* Every target inside, one outside, and 255. */
static void mutate_jumps(struct mutation *mutation, size_t at)
{
	struct instruction item = mutation->filter->code[at];
	size_t outside = mutation->filter->length - at - 1;
	for (size_t i = 0; i <= outside + 1; i++) {
		uint8_t target = i <= outside ? (uint8_t)i : UINT8_MAX;
		item = mutation->filter->code[at];
		item.jump_true = target;
		try_mutant(mutation, at, item);
		item = mutation->filter->code[at];
		item.jump_false = target;
		try_mutant(mutation, at, item);
	}
}

static void mutate_code(struct mutation *mutation, size_t at)
{
	static const uint16_t codes[] = { LOAD, JUMP, EQUAL, GREATER, AT_LEAST, BITS, RETURN, EQUAL_X };
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		struct instruction item = mutation->filter->code[at];
		item.code = codes[i];
		try_mutant(mutation, at, item);
	}
}

static bool is_branch(uint16_t code)
{
	return code == EQUAL || code == AT_LEAST || code == BITS;
}

static void mutate_all(const char *name, struct test_policy *test)
{
	struct compilation compilation = compilation_begin(0);
	struct mutation mutation = { .policy = &test->policy };
	mutation.filter = filter_build(&compilation, &test->policy);
	assert_non_null(mutation.filter);
	assert_true(mutation.filter->length <= LONGEST);
	memcpy(mutation.code, mutation.filter->code, mutation.filter->length * sizeof *mutation.code);
	assert_null(refute(compilation.arena, &mutation));
	for (size_t at = 0; at < mutation.filter->length; at++) {
		mutate_constant(&mutation, at);
		mutate_code(&mutation, at);
		if (is_branch(mutation.filter->code[at].code))
			mutate_jumps(&mutation, at);
	}
	print_message("# %s: %zu instructions, %zu mutants refuted, %zu equivalent\n", name,
		      mutation.filter->length, mutation.refuted, mutation.equivalent);
	/* A wider mask, or a comparison that no reaching number tells from another: few in any filter. */
	assert_true(mutation.refuted > 5 * mutation.equivalent);
	compilation_end(&compilation);
}

static const struct filter_case {
	const char *name;
	unsigned abis;
	const struct action *fallback;
	bool unknown_default;
	const char *denied;
	const struct action *denial; /* of all that is denied */
	const char *allowed;
} filter_cases[] = {
	{ "one call", 1u << ABI_X86_64, &test_allow, false, "ptrace", &test_eperm, "" },
	{ "tracing", 1u << ABI_X86_64, &test_allow, false, TEST_TRACING, &test_eperm, "" },
	{ "tracing, two tokens", 1u << ABI_X86_64 | 1u << ABI_I386, &test_allow, false, TEST_TRACING,
	  &test_kill, "" },
	{ "tracing, four tokens", 1u << ABI_X86_64 | 1u << ABI_I386 | 1u << ABI_AARCH64 | 1u << ABI_ARM,
	  &test_allow, false, TEST_TRACING, &test_eperm, "" },
	{ "tracing, arm", 1u << ABI_AARCH64 | 1u << ABI_ARM, &test_allow, false, TEST_TRACING, &test_eperm,
	  "" },
	{ "private numbers", 1u << ABI_ARM, &test_allow, false, "ptrace set_tls breakpoint", &test_kill, "" },
	{ "big-endian", 1u << ABI_S390X, &test_allow, false, TEST_TRACING, &test_eperm, "" },
	{ "newer tokens", 1u << ABI_RISCV64 | 1u << ABI_PPC64LE | 1u << ABI_LOONGARCH64, &test_allow, false,
	  "open ptrace", &test_eperm, "" },
	{ "with x32", 1u << ABI_X86_64 | 1u << ABI_X32, &test_allow, false, "read ptrace", &test_enosys, "" },
	{ "only logged", 1u << ABI_I386, &test_allow, false, "mount umount2 bpf reboot swapon swapoff",
	  &test_log, "" },
	{ "allow-list", 1u << ABI_X86_64, &test_eperm, false, "", &test_eperm,
	  "read write exit exit_group openat close mmap brk futex" },
	{ "allow-list without unknown", 1u << ABI_X86_64, &test_eperm, true, "", &test_eperm,
	  "read write exit exit_group openat close mmap brk futex" },
	{ "x32 alone", 1u << ABI_X32, &test_kill, false, "", &test_eperm, "read write ioctl" },
	{ "allow-list that logs", 1u << ABI_X86_64 | 1u << ABI_AARCH64, &test_log, false, "ptrace mount",
	  &test_kill, "read write exit_group openat" },
	{ "allow-list less denials", 1u << ABI_AARCH64, &test_kill, false, "openat fchown", &test_eperm,
	  "openat close read write fchown mmap munmap brk exit" },
};

static void each_change_is_refuted_or_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof filter_cases / sizeof *filter_cases; i++) {
		const struct filter_case *item = &filter_cases[i];
		struct test_policy test;
		test_policy_begin(&test, item->abis);
		test.policy.seccomp.fallback = *item->fallback;
		test.policy.seccomp.unknown_default = item->unknown_default;
		test_deny(&test, item->denied, *item->denial);
		test_allow_names(&test, item->allowed);
		mutate_all(item->name, &test);
	}
}

/* A bit test decides: even numbers run, odd ones do not. */
static void each_change_of_a_bit_test(void **state)
{
	(void)state;
	struct test_policy test;
	peer_even(&test);
	mutate_all("even numbers", &test);
}

static void each_change_of_a_long_allow_list(void **state)
{
	(void)state;
	struct test_policy test;
	peer_container_unknown(&test);
	mutate_all("container default", &test);
}

/* ---- the judge itself ---- */

static bool same_after_load(uint32_t offset, struct instruction a, struct instruction b,
			    struct interpret_input *input)
{
	const struct instruction first[] = {
		{ LOAD, 0, 0, offset }, a, { RETURN, 0, 0, 1 }, { RETURN, 0, 0, 2 }
	};
	const struct instruction second[] = {
		{ LOAD, 0, 0, offset }, b, { RETURN, 0, 0, 1 }, { RETURN, 0, 0, 2 }
	};
	return same_verdicts(&(struct same_program){ first, 4 }, &(struct same_program){ second, 4 }, input);
}

static void the_judge_knows_equals(void **state)
{
	(void)state;
	struct interpret_input input;
	const struct instruction from_x32[] = { { AT_LEAST, 1, 0, 0x40000000 }, { BITS, 1, 0, 0xc0000000 } };
	const struct instruction above_5[] = { { GREATER, 1, 0, 5 }, { AT_LEAST, 1, 0, 6 } };
	const struct instruction all[] = { { AT_LEAST, 1, 0, 0 }, { JUMP, 0, 0, 1 } };
	const struct instruction none[] = { { GREATER, 1, 0, UINT32_MAX }, { BITS, 1, 0, 0 } };
	assert_true(same_after_load(0, from_x32[0], from_x32[1], &input));
	assert_true(same_after_load(0, above_5[0], above_5[1], &input));
	assert_true(same_after_load(4, all[0], all[1], &input));
	assert_true(same_after_load(60, none[0], none[1], &input));
}

static void the_judge_finds_the_one_number(void **state)
{
	(void)state;
	struct interpret_input input;
	assert_false(same_after_load(0, (struct instruction){ EQUAL, 1, 0, 0x12345678 },
				     (struct instruction){ GREATER, 1, 0, UINT32_MAX }, &input));
	assert_int_equal(input.number, 0x12345678);
	assert_false(same_after_load(0, (struct instruction){ AT_LEAST, 1, 0, 0x80000000 },
				     (struct instruction){ GREATER, 1, 0, 0x80000000 }, &input));
	assert_int_equal(input.number, 0x80000000);
	assert_false(same_after_load(0, (struct instruction){ BITS, 1, 0, 0x80000100 },
				     (struct instruction){ BITS, 1, 0, 0x80000000 }, &input));
	assert_int_equal(input.number, 0x100);
	assert_false(same_after_load(28, (struct instruction){ EQUAL, 1, 0, 7 },
				     (struct instruction){ EQUAL, 1, 0, 8 }, &input));
	assert_int_equal(input.arguments[1], 7); /* its token, 0, is of a big-endian machine */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_change_is_refuted_or_none),
		cmocka_unit_test(each_change_of_a_bit_test),
		cmocka_unit_test(each_change_of_a_long_allow_list),
		cmocka_unit_test(the_judge_knows_equals),
		cmocka_unit_test(the_judge_finds_the_one_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
