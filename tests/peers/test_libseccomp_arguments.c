/*
 * Decisions by arguments against libseccomp's: one comparison of one argument a filter, for libseccomp 2.5.4
 * merges several 64-bit comparisons wrongly. libseccomp compares whole registers, and knows nothing of what
 * the kernel reads of them: arguments of 32 bits are tried with values of 32 bits alone.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "tests/unit/policy_text.h"

enum { LONGEST = 4096 };

static const struct comparison_case {
	const char *call, *condition;
	unsigned argument;
	enum scmp_compare operator;
	uint64_t first, second; /* libseccomp's operands: of a masked comparison the mask and the value */
	bool whole;             /* 64 bits */
} cases[] = {
	{ "kill", "sig == 9", 1, SCMP_CMP_EQ, 9, 0, false },
	{ "kill", "sig != 9", 1, SCMP_CMP_NE, 9, 0, false },
	{ "kill", "sig < 9", 1, SCMP_CMP_LT, 9, 0, false },
	{ "kill", "sig <= 9", 1, SCMP_CMP_LE, 9, 0, false },
	{ "kill", "sig > 9", 1, SCMP_CMP_GT, 9, 0, false },
	{ "kill", "sig >= 9", 1, SCMP_CMP_GE, 9, 0, false },
	{ "socket", "(type & 0xf) == SOCK_RAW", 1, SCMP_CMP_MASKED_EQ, 0xf, 3, false },
	{ "lseek", "offset == 0x100000005", 1, SCMP_CMP_EQ, 0x100000005, 0, true },
	{ "lseek", "offset != 0x100000005", 1, SCMP_CMP_NE, 0x100000005, 0, true },
	{ "lseek", "offset > 0x100000005", 1, SCMP_CMP_GT, 0x100000005, 0, true },
	{ "lseek", "offset >= 0x100000005", 1, SCMP_CMP_GE, 0x100000005, 0, true },
	{ "lseek", "offset < 0x100000005", 1, SCMP_CMP_LT, 0x100000005, 0, true },
	{ "lseek", "offset <= 0x100000005", 1, SCMP_CMP_LE, 0x100000005, 0, true },
	{ "lseek", "(offset & 0xf0000000f) == 0x300000005", 1, SCMP_CMP_MASKED_EQ, 0xf0000000f, 0x300000005,
	  true },
};

static const struct {
	enum abi abi;
	uint32_t arch;
} peers[] = { { ABI_X86_64, SCMP_ARCH_X86_64 }, { ABI_AARCH64, SCMP_ARCH_AARCH64 } };

enum { PEER_COUNT = sizeof peers / sizeof *peers };

static size_t peer_filter(const struct comparison_case *one, struct instruction *code)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
	int file = memfd_create("filter", 0);
	bool good = context && file >= 0 && seccomp_arch_remove(context, SCMP_ARCH_NATIVE) == 0;
	const struct scmp_arg_cmp comparison = { one->argument, one->operator, one->first, one->second };
	for (size_t i = 0; i < PEER_COUNT; i++)
		good = good && seccomp_arch_add(context, peers[i].arch) == 0;
	good = good &&
	       seccomp_rule_add_array(context, SCMP_ACT_ERRNO(1), seccomp_syscall_resolve_name(one->call), 1,
				      &comparison) == 0 &&
	       seccomp_export_bpf(context, file) == 0;
	ssize_t size = good ? pread(file, code, LONGEST * sizeof *code, 0) : 0;
	if (file >= 0)
		close(file);
	seccomp_release(context);
	return size > 0 ? (size_t)size / sizeof *code : 0;
}

static void assert_same(const struct comparison_case *one, const struct filter *ours,
			const struct instruction *theirs, uint64_t value)
{
	for (size_t i = 0; i < PEER_COUNT; i++) {
		struct interpret_input input = {
			.number = (uint32_t)syscall_find(one->call)->numbers[peers[i].abi],
			.arch = abi_facts(peers[i].abi)->token,
		};
		input.arguments[one->argument] = one->whole ? value : (uint32_t)value;
		uint32_t our = interpret_run(ours->code, &input).value;
		uint32_t their = interpret_run(theirs, &input).value;
		if (our != their)
			fail_msg("%s(%s) of %#" PRIx64 " on %s: %#" PRIx32 ", libseccomp %#" PRIx32,
				 one->call, one->condition, input.arguments[one->argument],
				 abi_facts(peers[i].abi)->name, our, their);
	}
}

static void compare(const struct comparison_case *one)
{
	static struct instruction theirs[LONGEST];
	struct policy_text text = policy_text_begin();
	size_t where, length = peer_filter(one, theirs);
	policy_text_add(&text, "p.allow",
			arena_printf(text.compilation.arena,
				     "policy p\nseccomp { abi x86_64, aarch64 }\n"
				     "forbid syscall %s(%s)  adr 1  because \"r\"\n",
				     one->call, one->condition));
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	const struct filter *ours = filter_build(&text.compilation, text.policy);
	assert_non_null(ours);
	assert_true(length > 0 && !interpret_check(theirs, length, &where));
	const uint64_t operands[] = { one->first, one->second, 0, UINT64_MAX };
	for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
		for (uint64_t value = operands[i] - 20; value != operands[i] + 20; value++)
			assert_same(one, ours, theirs, value);
		for (unsigned bit = 0; bit < 64; bit++)
			assert_same(one, ours, theirs, operands[i] ^ 1ull << bit);
	}
	policy_text_end(&text);
}

static void test_comparisons(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		compare(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_comparisons) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
