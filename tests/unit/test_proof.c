/*
 * That the proof bites: every single change of a jump, a constant, an opcode or a return in correct
 * filters is found, or changes no verdict for any of some ten thousand calls of each token.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "backends/filter/oracle.h"
#include "backends/filter/proof.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "tests/unit/filter_policy.h"

enum { LONGEST = 128 };

struct mutation {
	const struct policy *policy;
	const struct filter *filter;
	struct instruction code[LONGEST];
	size_t caught, equivalent;
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

static bool agree(const struct mutation *mutation, uint32_t arch, uint32_t number)
{
	const struct interpret_input input = { .number = number, .arch = arch };
	return interpret_run(mutation->filter->code, &input).value ==
	       interpret_run(mutation->code, &input).value;
}

/* Far more numbers than the proof tries, dense where calls are and pseudo-random elsewhere. */
static void assert_equivalent(const struct mutation *mutation, size_t at)
{
	static const uint32_t starts[] = {
		0,          0x000f0000, 0x3ffffe00, 0x40000000, 0x7ffffe00,
		0x80000000, 0xbffffe00, 0xc0000000, 0xfffffc00,
	};
	for (size_t i = 0; i < mutation->filter->section_count; i++) {
		uint32_t arch = abi_facts(mutation->filter->sections[i].abis[0].abi)->token;
		bool same = true;
		for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
			for (uint32_t number = 0; number < 1024; number++)
				same = same && agree(mutation, arch, starts[k] + number);
		uint32_t number = 12345;
		for (size_t k = 0; k < 10000; k++) {
			number = number * 1664525u + 1013904223u;
			same = same && agree(mutation, arch, number >> k % 32);
		}
		if (!same)
			fail_msg("instruction %zu: a change that matters under token %#x and was not found",
				 at, arch);
	}
}

static void try_mutant(struct mutation *mutation, size_t at, struct instruction changed)
{
	struct instruction original = mutation->filter->code[at];
	if (memcmp(&original, &changed, sizeof changed) == 0)
		return;
	mutation->code[at] = changed;
	struct arena *arena = arena_new();
	if (refute(arena, mutation)) {
		mutation->caught++;
	} else {
		assert_equivalent(mutation, at);
		mutation->equivalent++;
	}
	arena_free(arena);
	mutation->code[at] = original;
}

static void mutate_constant(struct mutation *mutation, size_t at)
{
	struct instruction item = mutation->filter->code[at];
	const uint32_t original = item.constant;
	const uint32_t others[] = {
		original + 1, original - 1, 0, UINT32_MAX, 0x7fff0000, 0x80000000, 0x50001
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		item.constant = others[i];
		try_mutant(mutation, at, item);
	}
	for (unsigned bit = 0; bit < 32; bit++) {
		item.constant = original ^ 1u << bit;
		try_mutant(mutation, at, item);
	}
}

static void mutate_jumps(struct mutation *mutation, size_t at)
{
	struct instruction item = mutation->filter->code[at];
	if ((item.code & 0x07) != 0x05 || item.code == 0x05)
		return;
	size_t after = mutation->filter->length - at - 1;
	for (size_t target = 0; target <= after; target++) {
		item = mutation->filter->code[at];
		item.jump_true = (uint8_t)target;
		try_mutant(mutation, at, item);
		item = mutation->filter->code[at];
		item.jump_false = (uint8_t)target;
		try_mutant(mutation, at, item);
	}
	static const uint16_t codes[] = { 0x15, 0x25, 0x35, 0x45, 0x05, 0x1d };
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		item = mutation->filter->code[at];
		item.code = codes[i];
		try_mutant(mutation, at, item);
	}
}

static void mutate_all(struct test_policy *test)
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
		mutate_jumps(&mutation, at);
	}
	/* A wider mask, or a comparison that no reaching number tells from another: few in any filter. */
	assert_true(mutation.caught > 5 * mutation.equivalent);
	compilation_end(&compilation);
}

static void deny_lists(void **state)
{
	(void)state;
	static const struct {
		const char *names;
		unsigned abis;
	} cases[] = {
		{ "ptrace", 1u << ABI_X86_64 },
		{ TEST_TRACING, 1u << ABI_X86_64 },
		{ TEST_TRACING, 1u << ABI_AARCH64 | 1u << ABI_ARM },
		{ TEST_TRACING, 1u << ABI_X86_64 | 1u << ABI_I386 },
		{ "ptrace set_tls breakpoint", 1u << ABI_ARM },
		{ "read ptrace", 1u << ABI_X86_64 | 1u << ABI_X32 },
		{ "mount umount2 bpf reboot swapon swapoff", 1u << ABI_I386 },
		{ TEST_TRACING, 1u << ABI_S390X },
		{ "open ptrace", 1u << ABI_RISCV64 | 1u << ABI_PPC64LE | 1u << ABI_LOONGARCH64 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct test_policy test;
		test_policy_begin(&test, cases[i].abis);
		test_deny(&test, cases[i].names, test_eperm);
		mutate_all(&test);
	}
}

static void allow_lists(void **state)
{
	(void)state;
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	test.policy.seccomp.fallback = test_eperm;
	test_allow_names(&test, "read write exit exit_group openat close mmap brk futex");
	mutate_all(&test);
	test.policy.seccomp.unknown_default = true;
	mutate_all(&test);
	test_policy_begin(&test, 1u << ABI_X32);
	test.policy.seccomp.fallback = test_kill;
	test_allow_names(&test, "read write ioctl");
	mutate_all(&test);
}

/* What mutation cannot make: a filter of another policy, and one that the kernel would not take. */
static void the_mismatch_is_told(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test, other;
	test_policy_begin(&test, 1u << ABI_X86_64);
	test_deny(&test, "ptrace", test_eperm);
	test_policy_begin(&other, 1u << ABI_X86_64);
	test_deny(&other, "ptrace", test_kill);
	struct mutation mutation = { .policy = &other.policy };
	mutation.filter = filter_build(&compilation, &test.policy);
	memcpy(mutation.code, mutation.filter->code, mutation.filter->length * sizeof *mutation.code);
	assert_string_equal(
		refute(compilation.arena, &mutation),
		"number 0x65 under token 0xc000003e gets 0x50001, and the policy says 0x80000000");
	mutation.code[2].constant = 1;
	assert_string_equal(refute(compilation.arena, &mutation),
			    "the kernel would not take instruction 2: a load that is not aligned");
	compilation_end(&compilation);
}

/* `or 0` changes no verdict, but the kernel's cache does not evaluate it. */
static void an_allow_must_be_cacheable(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64);
	const struct instruction code[] = {
		{ 0x20, 0, 0, 4 },          { 0x44, 0, 0, 0 },          { 0x15, 0, 1, 0xc00000b7 },
		{ 0x06, 0, 0, 0x7fff0000 }, { 0x06, 0, 0, 0x80000000 },
	};
	struct filter_section section = { .abis = { { .abi = ABI_AARCH64 } }, .abi_count = 1 };
	assert_string_equal(proof_refute(compilation.arena, &test.policy, code, 5, &section, 1),
			    "the kernel cannot cache number 0 under token 0xc00000b7");
	compilation_end(&compilation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deny_lists),
		cmocka_unit_test(allow_lists),
		cmocka_unit_test(the_mismatch_is_told),
		cmocka_unit_test(an_allow_must_be_cacheable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
