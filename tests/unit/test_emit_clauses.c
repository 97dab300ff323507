/* Filters that look at arguments, run with arguments that were chosen by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "tests/unit/policy_text.h"

#define ALLOW 0x7fff0000u
#define EPERM 0x00050001u
#define ENOSYS 0x00050026u
#define KILL 0x80000000u
#define X86_64 0xc000003eu
#define I386 0x40000003u

struct fixture {
	struct policy_text text;
	const struct filter *filter;
};

/* Rows after `policy p`. */
static struct fixture build(const char *rows)
{
	struct fixture fixture = { .text = policy_text_begin() };
	diags_option(fixture.text.compilation.diags, "no-incomplete-group");
	diags_option(fixture.text.compilation.diags, "no-fixed-condition");
	policy_text_add(&fixture.text, "p.allow",
			arena_printf(fixture.text.compilation.arena, "policy p\n%s", rows));
	policy_text_resolve(&fixture.text, "p.allow");
	assert_clean(&fixture.text);
	fixture.filter = filter_build(&fixture.text.compilation, fixture.text.policy);
	assert_non_null(fixture.filter);
	return fixture;
}

static uint32_t run(const struct fixture *fixture, uint32_t arch, uint32_t number, uint64_t first,
		    uint64_t second)
{
	const struct interpret_input input = { .number = number,
					       .arch = arch,
					       .arguments = { first, second, 77 } };
	return interpret_run(fixture->filter->code, &input).value;
}

/* lseek is 8 on x86_64, and its offset, the second argument, has 64 bits: refused where `refused` says so. */
static void assert_offsets(const char *comparison, const uint64_t *offsets, const bool *refused, size_t count)
{
	struct policy_text scratch = policy_text_begin();
	struct fixture fixture = build(arena_printf(scratch.compilation.arena,
						    "seccomp { abi x86_64 }\nforbid syscall lseek(offset %s)"
						    "  adr 1  because \"r\"\n",
						    comparison));
	for (size_t i = 0; i < count; i++)
		if (run(&fixture, X86_64, 8, 0, offsets[i]) != (refused[i] ? EPERM : ALLOW))
			fail_msg("%s of %#llx", comparison, (unsigned long long)offsets[i]);
	policy_text_end(&fixture.text);
	policy_text_end(&scratch);
}

/* Both halves are compared: 0x1_0000_0005 is not 5, and greater than 6. */
static void whole_registers_are_compared(void **state)
{
	(void)state;
	static const uint64_t offsets[] = {
		0,           4,           5,           6,           0x100000000,
		0x100000004, 0x100000005, 0x100000006, 0x200000005, 0x8000000000000005,
		UINT64_MAX
	};
	enum { COUNT = sizeof offsets / sizeof *offsets };
	static const struct {
		const char *comparison;
		bool refused[COUNT];
	} cases[] = {
		{ "== 5", { 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 } },
		{ "!= 5", { 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1 } },
		{ "< 5", { 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
		{ "<= 5", { 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0 } },
		{ "> 5", { 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1 } },
		{ ">= 5", { 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
		{ "== 0x100000005", { 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0 } },
		{ "< 0x100000005", { 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0 } },
		{ "<= 0x100000005", { 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0 } },
		{ "> 0x100000005", { 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 } },
		{ ">= 0x100000005", { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 } },
		{ ">= 0x100000000", { 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1 } },
		{ "> 0xffffffff", { 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1 } },
		{ ">= 0xffffffff00000005", { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 } },
		{ "& 4", { 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1 } },
		{ "& 0x100000002", { 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1 } },
		{ "& 0x8000000000000000", { 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_offsets(cases[i].comparison, offsets, cases[i].refused, COUNT);
}

static void masked_bits_are_compared_in_both_halves(void **state)
{
	(void)state;
	struct fixture fixture =
		build("seccomp { abi x86_64 }\n"
		      "forbid syscall lseek((offset & 0x10000000f) == 0x100000005)  adr 1  because \"r\"\n"
		      "forbid syscall ptrace((addr & 0xff) != 0)  adr 1  because \"r\"\n");
	assert_int_equal(run(&fixture, X86_64, 8, 0, 0x100000005), EPERM);
	assert_int_equal(run(&fixture, X86_64, 8, 0, 0xfffffffffffffff5), EPERM);
	assert_int_equal(run(&fixture, X86_64, 8, 0, 5), ALLOW);
	assert_int_equal(run(&fixture, X86_64, 8, 0, 0x100000015), EPERM);
	assert_int_equal(run(&fixture, X86_64, 8, 0, 0x100000007), ALLOW);
	policy_text_end(&fixture.text);
}

/* An int: the kernel reads 0x1_0000_0026 as AF_ALG, and so does the filter. */
static void what_the_kernel_does_not_read_is_no_way_round(void **state)
{
	(void)state;
	struct fixture fixture =
		build("seccomp { abi x86_64, i386 }\n"
		      "forbid syscall socket(domain == AF_ALG), chmod(mode == 0)  adr 1  because \"r\"\n");
	assert_int_equal(run(&fixture, X86_64, 41, 38, 3), EPERM);
	assert_int_equal(run(&fixture, X86_64, 41, 0x100000026, 3), EPERM);
	assert_int_equal(run(&fixture, X86_64, 41, 39, 3), ALLOW);
	assert_int_equal(run(&fixture, I386, 359, 38, 3), EPERM);
	assert_int_equal(run(&fixture, X86_64, 90, 38, 0x10000), EPERM); /* umode_t has 16 bits */
	assert_int_equal(run(&fixture, X86_64, 90, 38, 1), ALLOW);
	policy_text_end(&fixture.text);
}

static void alternatives_and_conjunctions(void **state)
{
	(void)state;
	struct fixture fixture =
		build("seccomp { abi x86_64; default errno EPERM }\n"
		      "allow syscall socket(domain == AF_UNIX), socket(domain == AF_INET && (type & 0xf) == "
		      "SOCK_STREAM)"
		      "  adr 1  because \"r\"\n"
		      "forbid syscall socket(type & SOCK_NONBLOCK)  adr 1  because \"r\"  with kill\n");
	assert_int_equal(run(&fixture, X86_64, 41, 1, 2), ALLOW);
	assert_int_equal(run(&fixture, X86_64, 41, 2, 1), ALLOW);
	assert_int_equal(run(&fixture, X86_64, 41, 2, 0x80001), ALLOW); /* SOCK_CLOEXEC beside the type */
	assert_int_equal(run(&fixture, X86_64, 41, 2, 2), EPERM);
	assert_int_equal(run(&fixture, X86_64, 41, 10, 1), EPERM);
	assert_int_equal(run(&fixture, X86_64, 41, 1, 0x801), KILL);
	assert_int_equal(run(&fixture, X86_64, 41, 10, 0x801), KILL);
	assert_int_equal(run(&fixture, X86_64, 0, 1, 1), EPERM);
	policy_text_end(&fixture.text);
}

static void clone3_follows_clone(void **state)
{
	(void)state;
	struct fixture fixture = build("forbid syscall clone(flags & CLONE_NEWUSER)  adr 1  because \"r\"\n");
	assert_int_equal(run(&fixture, X86_64, 56, 0x10000000, 0), EPERM);
	assert_int_equal(run(&fixture, X86_64, 56, 0x01200011, 0), ALLOW); /* as fork(3) calls it */
	assert_int_equal(run(&fixture, X86_64, 435, 0, 88), ENOSYS);
	assert_int_equal(run(&fixture, I386, 120, 0x10000000, 0), EPERM);
	assert_int_equal(run(&fixture, I386, 435, 0, 88), ENOSYS);
	policy_text_end(&fixture.text);
}

/* `log` lets nothing pass that no `allow` lets pass. */
static void log_opens_nothing(void **state)
{
	(void)state;
	struct policy_text text = policy_text_begin();
	diags_option(text.compilation.diags, "no-action");
	policy_text_add(&text, "p.allow",
			"policy p\nseccomp { abi x86_64; default errno EPERM }\n"
			"allow syscall kill(pid == 7)  adr 1  because \"r\"\n"
			"forbid syscall kill(sig == 9)  adr 1  because \"r\"  with log\n");
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	struct fixture fixture = { text, filter_build(&text.compilation, text.policy) };
	assert_non_null(fixture.filter);
	assert_int_equal(run(&fixture, X86_64, 62, 7, 9), 0x7ffc0000);
	assert_int_equal(run(&fixture, X86_64, 62, 7, 8), ALLOW);
	assert_int_equal(run(&fixture, X86_64, 62, 8, 9), EPERM);
	policy_text_end(&text);
}

/* One chain for both ABIs: an int stands in the same half of the same register. */
static void equal_leaves_are_written_once(void **state)
{
	(void)state;
	static const char rows[] = "forbid syscall kill(sig == 9)  adr 1  because \"r\"\n";
	struct policy_text scratch = policy_text_begin();
	struct fixture one = build(arena_printf(scratch.compilation.arena, "seccomp { abi i386 }\n%s", rows));
	struct fixture two =
		build(arena_printf(scratch.compilation.arena, "seccomp { abi i386, arm }\n%s", rows));
	/* ld arch, jeq token, ld nr, jeq 37, ld arg1, jeq 9, and three returns. */
	assert_int_equal(one.filter->length, 9);
	assert_int_equal(two.filter->length, 12);
	policy_text_end(&one.text);
	policy_text_end(&two.text);
	policy_text_end(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_registers_are_compared),
		cmocka_unit_test(masked_bits_are_compared_in_both_halves),
		cmocka_unit_test(what_the_kernel_does_not_read_is_no_way_round),
		cmocka_unit_test(alternatives_and_conjunctions),
		cmocka_unit_test(clone3_follows_clone),
		cmocka_unit_test(log_opens_nothing),
		cmocka_unit_test(equal_leaves_are_written_once),
	};
	return cmocka_run_group_tests_name("emit_clauses", tests, NULL, NULL);
}
