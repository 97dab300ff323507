/*
 * From the text of a policy to the verdict of the filter's bytes: the faults of other compilers of filters,
 * each with the call that shows it. What policies of these faults are told is in tests/golden: errnos outside
 * 1 to 4095, names of another ABI or of none, two rows for one call, 4,097 instructions, comments of other
 * languages.
 */
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
#define LOG 0x7ffc0000u

#define X86_64 0xc000003eu
#define I386 0x40000003u
#define AARCH64 0xc00000b7u
#define ARM 0x40000028u
#define RISCV64 0xc00000f3u

struct call {
	uint32_t arch, number, verdict; /* the last: arch 0 */
};

static void assert_verdicts(const char *bytes, const struct call *calls)
{
	struct policy_text text = policy_text_load(bytes);
	assert_clean(&text);
	const struct filter *filter = filter_build(&text.compilation, text.policy);
	assert_non_null(filter);
	for (; calls->arch; calls++) {
		const struct interpret_input input = { .number = calls->number, .arch = calls->arch };
		uint32_t value = interpret_run(filter->code, &input).value;
		if (value != calls->verdict)
			fail_msg("number %#x under token %#x: %#x instead of %#x", calls->number, calls->arch,
				 value, calls->verdict);
	}
	policy_text_end(&text);
}

/* x32 is x86_64's kernel by other numbers: 101 and 521 are its ptrace, with the bit and, in old kernels,
 * without. */
static void a_deny_list_has_no_back_door(void **state)
{
	(void)state;
	const struct call calls[] = {
		{ X86_64, 101, EPERM },
		{ X86_64, 101 | 0x40000000, ENOSYS },
		{ X86_64, 521, ENOSYS },
		{ X86_64, 521 | 0x40000000, ENOSYS },
		{ X86_64, 101 | 0x80000000, ENOSYS },
		{ X86_64, 0xffffffff, ENOSYS },
		{ X86_64, 0, ALLOW },
		{ X86_64, 9999, ALLOW }, /* everything passes but what is denied */
		{ I386, 26, EPERM },
		{ I386, 101, ALLOW }, /* ioperm there */
		{ AARCH64, 117, EPERM },
		{ AARCH64, 101, ALLOW }, /* nanosleep there */
		{ AARCH64, 0xffffffff, ALLOW },
		{ ARM, 26, EPERM },
		{ RISCV64, 117, KILL }, /* not named */
		{ 0 },
	};
	assert_verdicts("policy p\nforbid syscall ptrace adr 1 because \"no tracing\"\n", calls);
}

static void an_allow_list_tells_unknown_from_unlisted(void **state)
{
	(void)state;
	const struct call calls[] = {
		{ X86_64, 0, ALLOW },
		{ X86_64, 1, EPERM },
		{ X86_64, 9999, ENOSYS },
		{ X86_64, 336, EPERM },  /* uprobe, the last before a hole in the table */
		{ X86_64, 400, ENOSYS }, /* in it */
		{ X86_64, 521, ENOSYS },
		{ X86_64, 0x40000000, ENOSYS }, /* read as x32 has it */
		{ X86_64, 0xffffffff, ENOSYS },
		{ I386, 3, KILL }, /* not named */
		{ AARCH64, 63, KILL },
		{ 0 },
	};
	assert_verdicts("policy p\nseccomp { default errno EPERM; abi x86_64 }\n"
			"allow syscall read adr 1 because \"input\"\n",
			calls);
}

/* `unknown default` makes the two alike, and the guard of x32 with them. */
static void an_allow_list_may_answer_alike(void **state)
{
	(void)state;
	const struct call calls[] = {
		{ X86_64, 0, ALLOW },         { X86_64, 1, KILL },
		{ X86_64, 9999, KILL },       { X86_64, 521, KILL },
		{ X86_64, 400, KILL },        { X86_64, 0x40000000, KILL },
		{ X86_64, 0xffffffff, KILL }, { 0 },
	};
	assert_verdicts("policy p\nseccomp { default kill; abi x86_64; unknown default }\n"
			"allow syscall read adr 1 because \"input\"\n",
			calls);
}

/* Where the default would let x32 pass, by a line in the log, it gets ENOSYS. */
static void a_logging_default_lets_no_x32_pass(void **state)
{
	(void)state;
	const struct call calls[] = {
		{ X86_64, 1, LOG },      { X86_64, 9999, LOG },          { X86_64, 521, ENOSYS },
		{ X86_64, 101, ENOSYS }, { X86_64, 0x40000000, ENOSYS }, { 0 },
	};
	assert_verdicts("policy p\nseccomp { default log; abi x86_64; unknown default }\n"
			"allow syscall read adr 1 because \"input\"\n"
			"forbid syscall ptrace adr 1 because \"no tracing\" with errno ENOSYS\n",
			calls);
}

/* The ends of what an errno may be. */
static void an_errno_has_twelve_bits(void **state)
{
	(void)state;
	const struct call calls[] = { { X86_64, 101, 0x50001 }, { X86_64, 321, 0x50fff }, { 0 } };
	assert_verdicts("policy p\nforbid syscall ptrace adr 1 because \"no tracing\" with errno 1\n"
			"forbid syscall bpf adr 1 because \"no programs\" with errno 4095\n",
			calls);
}

/* vm86 is a call of i386 alone; 166 is umount2 on x86_64. */
static void a_call_of_one_abi_is_denied_there_alone(void **state)
{
	(void)state;
	const struct call calls[] = {
		{ I386, 166, EPERM }, { X86_64, 166, ALLOW }, { AARCH64, 166, ALLOW }, { 0 }
	};
	assert_verdicts("policy p\nforbid syscall vm86 adr 1 because \"no real mode\"\n", calls);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deny_list_has_no_back_door),
		cmocka_unit_test(an_allow_list_tells_unknown_from_unlisted),
		cmocka_unit_test(an_allow_list_may_answer_alike),
		cmocka_unit_test(a_logging_default_lets_no_x32_pass),
		cmocka_unit_test(an_errno_has_twelve_bits),
		cmocka_unit_test(a_call_of_one_abi_is_denied_there_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
