#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "tests/unit/filter_policy.h"

#define ALLOW 0x7fff0000u
#define EPERM 0x00050001u
#define ENOSYS 0x00050026u
#define KILL 0x80000000u
#define LOG 0x7ffc0000u

#define X86_64 0xc000003eu
#define I386 0x40000003u
#define AARCH64 0xc00000b7u
#define ARM 0x40000028u
#define RISCV64 0xc00000f3u
#define S390X 0x80000016u
#define PPC64LE 0xc0000015u
#define LOONGARCH64 0xc0000102u

static const unsigned all_abis = 1u << ABI_X86_64 | 1u << ABI_I386 | 1u << ABI_AARCH64 | 1u << ABI_ARM;

struct fixture {
	struct compilation compilation;
	struct test_policy test;
	const struct filter *filter;
};

static void build(struct fixture *fixture)
{
	fixture->filter = filter_build(&fixture->compilation, &fixture->test.policy);
	assert_non_null(fixture->filter);
}

static uint32_t verdict(const struct fixture *fixture, uint32_t arch, uint32_t number)
{
	const struct interpret_input input = { .number = number, .arch = arch };
	return interpret_run(fixture->filter->code, &input).value;
}

static void assert_text(const struct fixture *fixture, const char *expected)
{
	struct strbuf text = STRBUF_INIT;
	diags_render(fixture->compilation.diags, DIAG_TEXT, false, &text);
	assert_string_equal(text.bytes, expected);
	strbuf_release(&text);
}

static void tracing_is_refused_on_every_abi(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, all_abis);
	test_deny(&fixture->test, TEST_TRACING, test_eperm);
	build(fixture);
	assert_int_equal(verdict(fixture, X86_64, 101), EPERM);
	assert_int_equal(verdict(fixture, I386, 26), EPERM);
	assert_int_equal(verdict(fixture, AARCH64, 117), EPERM);
	assert_int_equal(verdict(fixture, ARM, 26), EPERM);
	assert_int_equal(verdict(fixture, X86_64, 310), EPERM);
	assert_int_equal(verdict(fixture, X86_64, 312), EPERM);
	assert_int_equal(verdict(fixture, X86_64, 309), ALLOW);
	assert_int_equal(verdict(fixture, X86_64, 313), ALLOW);
	assert_int_equal(verdict(fixture, ARM, 0x0f0005), ALLOW);
	assert_true(fixture->filter->cacheable);
	assert_int_equal(fixture->filter->sections[0].abis[0].known, 385);
	assert_int_equal(fixture->filter->sections[0].abis[0].refused, 6);
}

/* The ways around a deny-list that other compilers leave open. */
static void x32_is_no_way_around_a_deny_list(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, all_abis);
	test_deny(&fixture->test, "ptrace", test_eperm);
	build(fixture);
	assert_int_equal(verdict(fixture, X86_64, 101 | 0x40000000), ENOSYS);
	assert_int_equal(verdict(fixture, X86_64, 521 | 0x40000000), ENOSYS);
	assert_int_equal(verdict(fixture, X86_64, 521), ENOSYS);
	assert_int_equal(verdict(fixture, X86_64, 511), ALLOW);
	assert_int_equal(verdict(fixture, X86_64, 512), ENOSYS);
	assert_int_equal(verdict(fixture, X86_64, 547), ENOSYS);
	assert_int_equal(verdict(fixture, X86_64, 548), ALLOW);
	assert_int_equal(verdict(fixture, X86_64, 0x3fffffff), ALLOW);
	assert_int_equal(verdict(fixture, X86_64, 0x40000000), ENOSYS);
	assert_int_equal(verdict(fixture, X86_64, 0xffffffff), ENOSYS);
	/* Only x86_64's token has x32 numbers. */
	assert_int_equal(verdict(fixture, I386, 0x40000000), ALLOW);
	assert_int_equal(verdict(fixture, AARCH64, 521), ALLOW);
	assert_int_equal(verdict(fixture, AARCH64, 0xffffffff), ALLOW);
}

static void an_allow_list_answers_in_three_ways(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, all_abis);
	fixture->test.policy.seccomp.fallback = test_eperm;
	test_allow_names(&fixture->test, "read write exit_group ptrace");
	test_deny(&fixture->test, "ptrace", test_kill);
	build(fixture);
	assert_int_equal(verdict(fixture, X86_64, 0), ALLOW);
	assert_int_equal(verdict(fixture, X86_64, 2), EPERM);
	assert_int_equal(verdict(fixture, X86_64, 101), KILL);
	assert_int_equal(verdict(fixture, X86_64, 9999), ENOSYS);
	assert_int_equal(verdict(fixture, X86_64, 0xffffffff), ENOSYS);
	assert_int_equal(verdict(fixture, X86_64, 521), ENOSYS);
	assert_int_equal(verdict(fixture, ARM, 0x0f0005), EPERM);
	assert_int_equal(verdict(fixture, ARM, 0x0f0007), ENOSYS);
}

static void a_logged_call_runs(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, 1u << ABI_X86_64);
	test_deny(&fixture->test, "ptrace", test_log);
	build(fixture);
	assert_int_equal(verdict(fixture, X86_64, 101), LOG);
	assert_int_equal(fixture->filter->sections[0].abis[0].refused, 0);
}

/* The interpreter has run it over every number before: filter_build() would have failed. */
static void an_audit_refuses_nothing(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, 1u << ABI_X86_64 | 1u << ABI_X32);
	fixture->test.policy.seccomp.fallback = test_kill;
	fixture->test.policy.seccomp.audit = true;
	test_allow_names(&fixture->test, "read write");
	test_deny(&fixture->test, "ptrace", test_eperm);
	build(fixture);
	assert_int_equal(verdict(fixture, X86_64, 0), ALLOW);
	assert_int_equal(verdict(fixture, X86_64, 101), LOG);
	assert_int_equal(verdict(fixture, X86_64, 2), LOG);
	assert_int_equal(verdict(fixture, X86_64, 9999), LOG);
	assert_int_equal(verdict(fixture, X86_64, 521), LOG);
	assert_int_equal(verdict(fixture, X86_64, 0x40000001), ALLOW);
	assert_int_equal(verdict(fixture, X86_64, 0x40000065), LOG);
	assert_int_equal(verdict(fixture, I386, 3), LOG);
	assert_int_equal(verdict(fixture, 0, 0), LOG);
	assert_int_equal(fixture->filter->sections[0].abis[0].refused, 0);
	assert_int_equal(fixture->filter->sections[0].abis[0].logged, 385 - 2);
}

static void an_abi_that_is_not_named_kills(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, 1u << ABI_X86_64);
	build(fixture);
	assert_int_equal(verdict(fixture, I386, 0), KILL);
	assert_int_equal(verdict(fixture, AARCH64, 0), KILL);
	assert_int_equal(verdict(fixture, 0, 0), KILL);
	assert_int_equal(verdict(fixture, X86_64 ^ 0x80000000, 0), KILL);
	assert_int_equal(verdict(fixture, X86_64, 0), ALLOW);
}

/* Each of the two programs kills what is for the other: a machine of that order never runs it. */
static void each_byte_order_has_a_filter(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, 1u << ABI_S390X | 1u << ABI_RISCV64 | 1u << ABI_PPC64LE);
	test_deny(&fixture->test, "ptrace", test_eperm);
	build(fixture);
	assert_false(fixture->filter->big_endian);
	assert_int_equal(verdict(fixture, RISCV64, 117), EPERM);
	assert_int_equal(verdict(fixture, RISCV64, 26), ALLOW);
	assert_int_equal(verdict(fixture, PPC64LE, 26), EPERM);
	assert_int_equal(verdict(fixture, S390X, 0), KILL);
	assert_int_equal(fixture->filter->section_count, 2);
	fixture->filter = fixture->filter->next;
	assert_non_null(fixture->filter);
	assert_true(fixture->filter->big_endian);
	assert_int_equal(verdict(fixture, S390X, 26), EPERM);
	assert_int_equal(verdict(fixture, S390X, 117), ALLOW);
	assert_int_equal(verdict(fixture, S390X ^ 0x80000000, 26), KILL); /* the 31-bit ABI */
	assert_int_equal(verdict(fixture, RISCV64, 0), KILL);
	assert_int_equal(verdict(fixture, PPC64LE, 0), KILL);
	assert_null(fixture->filter->next);
}

static void one_byte_order_has_one_filter(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, 1u << ABI_S390X);
	build(fixture);
	assert_true(fixture->filter->big_endian);
	assert_null(fixture->filter->next);
	assert_int_equal(verdict(fixture, S390X, 0), ALLOW);
	test_policy_begin(&fixture->test, 1u << ABI_LOONGARCH64);
	test_deny(&fixture->test, "ptrace", test_eperm);
	build(fixture);
	assert_false(fixture->filter->big_endian);
	assert_null(fixture->filter->next);
	assert_int_equal(verdict(fixture, LOONGARCH64, 117), EPERM);
	assert_int_equal(verdict(fixture, LOONGARCH64, 0xffffffff), ALLOW);
}

static void a_named_x32_is_admitted_with_its_bit(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, 1u << ABI_X86_64 | 1u << ABI_X32);
	test_deny(&fixture->test, "ptrace", test_eperm);
	build(fixture);
	assert_int_equal(verdict(fixture, X86_64, 0x40000000), ALLOW);
	assert_int_equal(verdict(fixture, X86_64, 0x40000000 | 521), EPERM);
	assert_int_equal(verdict(fixture, X86_64, 521), ENOSYS);
	assert_int_equal(fixture->filter->section_count, 1);
	assert_int_equal(fixture->filter->sections[0].abi_count, 2);
	assert_int_equal(fixture->filter->sections[0].abis[1].known, 374);
	assert_int_equal(fixture->filter->sections[0].abis[1].refused, 1);
	test_policy_begin(&fixture->test, 1u << ABI_X32);
	build(fixture);
	assert_int_equal(verdict(fixture, X86_64, 0x40000000), ALLOW);
	assert_int_equal(verdict(fixture, X86_64, 0), KILL);
}

/* One token, nothing denied, no guard: load, compare, return twice; no call pays for the number. */
static void the_smallest_filter(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, 1u << ABI_AARCH64);
	build(fixture);
	static const struct instruction expected[] = {
		{ 0x20, 0, 0, 4 },     { 0x15, 0, 2, AARCH64 }, { 0x20, 0, 0, 0 },
		{ 0x06, 0, 0, ALLOW }, { 0x06, 0, 0, KILL },
	};
	assert_int_equal(fixture->filter->length, 5);
	assert_memory_equal(fixture->filter->code, expected, sizeof expected);
}

/* Every call its own errno: no two neighbours alike, and as many returns as tests. */
static void deny_all_differently(struct test_policy *test, unsigned abis)
{
	test_policy_begin(test, abis);
	test->policy.seccomp.fallback = test_kill;
	for (size_t i = 0; i < syscall_table_size; i++) {
		struct action action = { .kind = ACTION_ERRNO, .errno_value = (uint16_t)(1 + i) };
		test_deny_call(test, &syscall_table[i], action);
	}
}

/* More tests than a jump can pass over, on every ABI. */
static void a_long_filter_is_laid_out(void **state)
{
	struct fixture *fixture = *state;
	deny_all_differently(&fixture->test, all_abis);
	build(fixture);
	assert_true(fixture->filter->length > 3000);
	const struct syscall_entry *read = syscall_find("read");
	uint32_t expected = (uint32_t)(0x50000 + 1 + (read - syscall_table));
	assert_int_equal(verdict(fixture, X86_64, 0), expected);
	assert_int_equal(verdict(fixture, I386, 3), expected);
	assert_int_equal(verdict(fixture, AARCH64, 63), expected);
	assert_int_equal(verdict(fixture, ARM, 3), expected);
	assert_int_equal(verdict(fixture, ARM, 0x0f0007), ENOSYS);
}

static void give_text(struct fixture *fixture)
{
	static const char text[] = "policy test\n";
	fixture->test.layer.source =
		sources_add(fixture->compilation.sources, "test.allow", text, strlen(text));
}

static void too_long_a_filter_names_what_takes_most(void **state)
{
	struct fixture *fixture = *state;
	deny_all_differently(&fixture->test, all_abis | 1u << ABI_X32);
	give_text(fixture);
	assert_null(filter_build(&fixture->compilation, &fixture->test.policy));
	assert_int_equal(diags_errors(fixture->compilation.diags), 1);
	assert_text(
		fixture,
		"test.allow:1:1: error: the seccomp filter of 'test' has 4374 instructions, and the kernel "
		"takes 4096: x86_64 takes 1597, i386 takes 924, arm takes 762 [filter-size]\n"
		"    1 | policy test\n"
		"      | ^\n"
		"test.allow:1:1: help: name fewer ABIs with `arch` or `abi`, or give calls with neighbouring "
		"numbers one action\n");
}

static void the_limit_itself_is_taken(void **state)
{
	struct fixture *fixture = *state;
	test_policy_begin(&fixture->test, 1u << ABI_X86_64);
	give_text(fixture);
	build(fixture);
	size_t length = fixture->filter->length;
	assert_non_null(filter_build_within(&fixture->compilation, &fixture->test.policy, length));
	assert_null(filter_build_within(&fixture->compilation, &fixture->test.policy, length - 1));
}

static int begin(void **state)
{
	struct fixture *fixture = calloc(1, sizeof *fixture);
	fixture->compilation = compilation_begin(0);
	*state = fixture;
	return 0;
}

static int end(void **state)
{
	struct fixture *fixture = *state;
	compilation_end(&fixture->compilation);
	free(fixture);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(tracing_is_refused_on_every_abi, begin, end),
		cmocka_unit_test_setup_teardown(x32_is_no_way_around_a_deny_list, begin, end),
		cmocka_unit_test_setup_teardown(an_allow_list_answers_in_three_ways, begin, end),
		cmocka_unit_test_setup_teardown(a_logged_call_runs, begin, end),
		cmocka_unit_test_setup_teardown(an_audit_refuses_nothing, begin, end),
		cmocka_unit_test_setup_teardown(an_abi_that_is_not_named_kills, begin, end),
		cmocka_unit_test_setup_teardown(each_byte_order_has_a_filter, begin, end),
		cmocka_unit_test_setup_teardown(one_byte_order_has_one_filter, begin, end),
		cmocka_unit_test_setup_teardown(a_named_x32_is_admitted_with_its_bit, begin, end),
		cmocka_unit_test_setup_teardown(the_smallest_filter, begin, end),
		cmocka_unit_test_setup_teardown(a_long_filter_is_laid_out, begin, end),
		cmocka_unit_test_setup_teardown(too_long_a_filter_names_what_takes_most, begin, end),
		cmocka_unit_test_setup_teardown(the_limit_itself_is_taken, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
