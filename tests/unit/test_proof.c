/* What the proof says of a filter that is wrong. That it finds what is wrong: test_mutants.c. */
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

/* A filter, or what became of it, held against a policy. */
struct claim {
	const struct policy *policy;
	const struct filter *filter; /* names the sections */
	struct instruction code[128];
};

/* The sections again without their counts, which the proof fills in. */
static const char *refute(struct arena *arena, const struct claim *claim)
{
	struct filter_section sections[ABI_COUNT];
	for (size_t i = 0; i < claim->filter->section_count; i++) {
		sections[i] = claim->filter->sections[i];
		for (size_t k = 0; k < sections[i].abi_count; k++)
			sections[i].abis[k].refused = 0;
	}
	return proof_refute(arena, claim->policy, claim->code, claim->filter->length, sections,
			    claim->filter->section_count);
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
	struct claim claim = { .policy = &other.policy };
	claim.filter = filter_build(&compilation, &test.policy);
	memcpy(claim.code, claim.filter->code, claim.filter->length * sizeof *claim.code);
	assert_string_equal(
		refute(compilation.arena, &claim),
		"number 0x65 under token 0xc000003e gets 0x50001, and the policy says 0x80000000");
	claim.code[2].constant = 1;
	assert_string_equal(refute(compilation.arena, &claim),
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

/* Right for every number, but each goes its own way: more than anybody would wait for. */
static void a_proof_without_end_is_given_up(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64);
	const struct instruction code[] = {
		{ 0x20, 0, 0, 4 }, { 0x15, 0, 3, 0xc00000b7 }, { 0x20, 0, 0, 0 },
		{ 0x54, 0, 0, 1 }, { 0x06, 0, 0, 0x7fff0000 }, { 0x06, 0, 0, 0x80000000 },
	};
	struct filter_section section = { .abis = { { .abi = ABI_AARCH64 } }, .abi_count = 1 };
	assert_string_equal(
		proof_refute(compilation.arena, &test.policy, code, 6, &section, 1),
		"the proof gives up after 1048576 runs, at number 0xfffff under token 0xc00000b7");
	compilation_end(&compilation);
}

/* One token among 2^32 that is let through: no table has it. */
static void a_foreign_token_is_found(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64);
	const struct instruction code[] = {
		{ 0x20, 0, 0, 4 },          { 0x15, 1, 0, 0xc00000b7 }, { 0x15, 0, 1, 0x12345678 },
		{ 0x06, 0, 0, 0x7fff0000 }, { 0x06, 0, 0, 0x80000000 },
	};
	struct filter_section section = { .abis = { { .abi = ABI_AARCH64 } }, .abi_count = 1 };
	assert_string_equal(
		proof_refute(compilation.arena, &test.policy, code, 5, &section, 1),
		"number 0 under token 0x12345678 gets 0x7fff0000, and the policy says 0x80000000");
	compilation_end(&compilation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_mismatch_is_told),
		cmocka_unit_test(an_allow_must_be_cacheable),
		cmocka_unit_test(a_proof_without_end_is_given_up),
		cmocka_unit_test(a_foreign_token_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
