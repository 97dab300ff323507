/* What a policy gives a number: worked out by hand from the language, for each kind of number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/filter/oracle.h"
#include "compiler/base/arena.h"
#include "tests/unit/filter_policy.h"
#include "tests/unit/policy_text.h"

/* Of linux/audit.h. */
#define TOKEN_X86_64 0xc000003eu
#define TOKEN_I386 0x40000003u
#define TOKEN_AARCH64 0xc00000b7u
#define TOKEN_RISCV64 0xc00000f3u
#define TOKEN_S390X 0x80000016u
#define TOKEN_PPC64LE 0xc0000015u
#define TOKEN_LOONGARCH64 0xc0000102u
#define X32_NUMBER(number) (0x40000000u + (number))

struct asked {
	uint32_t arch, number;
	struct action action;
};

static void assert_answers(const struct policy *policy, const struct asked *asked, size_t count)
{
	struct arena *arena = arena_new();
	const struct oracle *oracle = oracle_new(arena, policy);
	for (size_t i = 0; i < count; i++) {
		static const uint64_t arguments[6];
		struct action action = oracle_action(oracle, asked[i].arch, asked[i].number, arguments);
		if (!action_equal(action, asked[i].action))
			fail_msg("%#x %#x: %d %u", asked[i].arch, asked[i].number, (int)action.kind,
				 action.errno_value);
	}
	arena_free(arena);
}

#define ASSERT_ANSWERS(policy, ...)                                                                          \
	assert_answers(policy, (const struct asked[]){ __VA_ARGS__ },                                        \
		       sizeof((const struct asked[]){ __VA_ARGS__ }) / sizeof(struct asked))

/* ptrace is 101 on x86_64, 26 on i386, 117 on aarch64; read is 0, 3 and 63. */
static void a_deny_list_refuses_what_it_names(void **state)
{
	(void)state;
	static struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64 | 1u << ABI_I386 | 1u << ABI_AARCH64);
	test_deny(&test, "ptrace", test_eperm);
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, 101, test_eperm }, { TOKEN_I386, 26, test_eperm },
		       { TOKEN_AARCH64, 117, test_eperm }, { TOKEN_X86_64, 26, test_allow },
		       { TOKEN_X86_64, 0, test_allow }, { TOKEN_X86_64, 511, test_allow },
		       { TOKEN_X86_64, 548, test_allow }, { TOKEN_AARCH64, 101, test_allow },
		       { TOKEN_I386, 0xffffffff, test_allow });
}

/* x32 shares the token of x86_64: neither its bit nor its own numbers may let a refused call pass. */
static void x32_passes_under_no_list_that_does_not_name_it(void **state)
{
	(void)state;
	static struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	test_deny(&test, "ptrace", test_eperm);
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, X32_NUMBER(0), test_enosys },
		       { TOKEN_X86_64, X32_NUMBER(101), test_enosys }, { TOKEN_X86_64, 512, test_enosys },
		       { TOKEN_X86_64, 547, test_enosys }, { TOKEN_X86_64, 0xffffffff, test_enosys },
		       { TOKEN_X86_64, 0x3fffffff, test_allow });
	test.policy.seccomp.unknown = test_kill;
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, X32_NUMBER(0), test_kill },
		       { TOKEN_X86_64, 512, test_kill });
	test.policy.seccomp.unknown_default = true; /* which is to allow: never for these */
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, X32_NUMBER(0), test_enosys },
		       { TOKEN_X86_64, 512, test_enosys });
}

/* x32's own ptrace is 521; 101 with the bit is no call of x32, but old kernels run x86_64's for it. */
static void x32_is_decided_where_it_is_named(void **state)
{
	(void)state;
	static struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64 | 1u << ABI_X32);
	test_deny(&test, "ptrace", test_eperm);
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, X32_NUMBER(0), test_allow },
		       { TOKEN_X86_64, X32_NUMBER(521), test_eperm },
		       { TOKEN_X86_64, X32_NUMBER(101), test_eperm }, { TOKEN_X86_64, 521, test_enosys },
		       { TOKEN_X86_64, 101, test_eperm });
}

static void what_is_not_named_is_killed(void **state)
{
	(void)state;
	static struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64);
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, 0, test_kill }, { TOKEN_I386, 3, test_kill },
		       { TOKEN_RISCV64, 63, test_kill }, { 0, 0, test_kill }, { 0xffffffff, 63, test_kill },
		       { TOKEN_AARCH64, 63, test_allow });
	test_policy_begin(&test, 1u << ABI_X32);
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, 0, test_kill }, { TOKEN_X86_64, 512, test_kill },
		       { TOKEN_X86_64, X32_NUMBER(0), test_allow });
}

/* Known and not listed gets the default; what no table knows gets `unknown`. */
static void an_allow_list_tells_the_unlisted_from_the_unknown(void **state)
{
	(void)state;
	static struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64 | 1u << ABI_AARCH64);
	test.policy.seccomp.fallback = test_eperm;
	test_allow_names(&test, "ptrace read");
	test_deny(&test, "ptrace", test_kill);
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, 0, test_allow }, { TOKEN_AARCH64, 63, test_allow },
		       { TOKEN_X86_64, 1, test_eperm }, { TOKEN_X86_64, 101, test_kill },
		       { TOKEN_X86_64, 5000, test_enosys }, { TOKEN_AARCH64, 5000, test_enosys });
	test.policy.seccomp.unknown_default = true;
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, 5000, test_eperm },
		       { TOKEN_X86_64, X32_NUMBER(0), test_eperm });
}

/* open is 5 on s390x and ppc64le, and no call of riscv64 and loongarch64: 5 is setxattr there. */
static void the_other_machines_have_their_own_numbers(void **state)
{
	(void)state;
	static struct test_policy test;
	test_policy_begin(&test,
			  1u << ABI_S390X | 1u << ABI_PPC64LE | 1u << ABI_RISCV64 | 1u << ABI_LOONGARCH64);
	test_deny(&test, "open", test_eperm);
	ASSERT_ANSWERS(&test.policy, { TOKEN_S390X, 5, test_eperm }, { TOKEN_PPC64LE, 5, test_eperm },
		       { TOKEN_RISCV64, 5, test_allow }, { TOKEN_LOONGARCH64, 5, test_allow },
		       { TOKEN_S390X & 0xffff, 5, test_kill },       /* 31-bit */
		       { TOKEN_PPC64LE ^ 0x40000000, 5, test_kill }, /* big-endian */
		       { TOKEN_X86_64, 2, test_kill });
}

static void a_logged_call_is_logged(void **state)
{
	(void)state;
	static struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	test_deny(&test, "kcmp", test_log);
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, 312, test_log }, { TOKEN_X86_64, 311, test_allow });
}

/* Nothing is refused, for whatever reason it would be; what passes passes as before. */
static void an_audit_logs_what_would_be_refused(void **state)
{
	(void)state;
	static struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64 | 1u << ABI_I386);
	test.policy.seccomp.fallback = test_kill;
	test.policy.seccomp.audit = true;
	test_allow_names(&test, "read ptrace close");
	test_deny(&test, "ptrace close", test_eperm);
	test.denied[0].action = test_log; /* close */
	ASSERT_ANSWERS(&test.policy, { TOKEN_X86_64, 0, test_allow }, { TOKEN_X86_64, 101, test_log },
		       { TOKEN_X86_64, 3, test_log }, { TOKEN_X86_64, 1, test_log },
		       { TOKEN_X86_64, 9999, test_log }, { TOKEN_X86_64, 521, test_log },
		       { TOKEN_X86_64, X32_NUMBER(0), test_log }, { TOKEN_I386, 3, test_allow },
		       { TOKEN_I386, 26, test_log }, { TOKEN_AARCH64, 63, test_log }, { 0, 0, test_log },
		       { 0xffffffff, 0xffffffff, test_log });
}

/* mmap is 9 on x86_64, and 90 on i386, which has its arguments behind a pointer. */
static void assert_mmap(const char *rows, struct action seen, struct action hidden)
{
	struct policy_text text = policy_text_begin();
	policy_text_add(&text, "p.allow", arena_printf(text.compilation.arena, "policy p\n%s", rows));
	policy_text_resolve(&text, "p.allow");
	assert_non_null(text.policy);
	ASSERT_ANSWERS(text.policy, { TOKEN_X86_64, 9, seen }, { TOKEN_I386, 90, hidden });
	policy_text_end(&text);
}

/* With arguments that are all 0: what is hidden counts as what is denied, and never as what is allowed. */
static void what_an_abi_hides_is_refused(void **state)
{
	(void)state;
	assert_mmap("seccomp { abi x86_64, i386 }\n"
		    "forbid syscall mmap(prot == 4)  adr 1  because \"r\"\n",
		    test_allow, test_eperm);
	assert_mmap("seccomp { abi x86_64, i386 }\n"
		    "forbid syscall mmap(prot == 4)  adr 1  because \"r\"  with kill\n",
		    test_allow, test_kill);
	assert_mmap("seccomp { abi x86_64, i386; default errno EPERM }\n"
		    "allow syscall mmap(prot == 0)  adr 1  because \"r\"\n",
		    test_allow, test_eperm);
}

/* ---- edges ---- */

/* Those beside which answers changed without an edge, over the numbers of [first, last]. */
static void assert_changes_at_edges(const struct oracle *oracle, uint32_t arch, uint32_t first, uint32_t last)
{
	static const uint64_t arguments[6];
	struct oracle_edges edges;
	size_t next = 0;
	oracle_edges(oracle, arch, &edges);
	while (next < edges.count && edges.items[next] <= first)
		next++;
	for (uint32_t number = first; number < last; number++) {
		struct oracle_answer before = oracle_answer(oracle, arch, number, arguments);
		struct oracle_answer after = oracle_answer(oracle, arch, number + 1, arguments);
		bool edge = next < edges.count && edges.items[next] == number + 1;
		next += edge;
		if (!edge && (!action_equal(before.action, after.action) || after.call))
			fail_msg("%#x changes at %#x, which is no edge", arch, number + 1);
	}
}

static void answers_change_at_edges_alone(void **state)
{
	(void)state;
	static const unsigned named[] = { 1u << ABI_X86_64, 1u << ABI_X86_64 | 1u << ABI_X32, 1u << ABI_X32,
					  1u << ABI_I386 | 1u << ABI_ARM | 1u << ABI_AARCH64,
					  1u << ABI_S390X };
	static const uint32_t tokens[] = {
		TOKEN_X86_64, TOKEN_I386, TOKEN_AARCH64, TOKEN_S390X, 0x40000028, 0
	};
	for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
		static struct test_policy test;
		struct arena *arena = arena_new();
		test_policy_begin(&test, named[i]);
		test.policy.seccomp.fallback = test_kill;
		test_allow_names(&test, "read write close ioctl fchown");
		test_deny(&test, "ptrace close", test_eperm);
		const struct oracle *oracle = oracle_new(arena, &test.policy);
		for (size_t k = 0; k < sizeof tokens / sizeof *tokens; k++) {
			assert_changes_at_edges(oracle, tokens[k], 0, 2000);
			assert_changes_at_edges(oracle, tokens[k], 0xf0000 - 10,
						0xf0000 + 2000); /* arm's own */
			assert_changes_at_edges(oracle, tokens[k], X32_NUMBER(0) - 10, X32_NUMBER(2000));
			assert_changes_at_edges(oracle, tokens[k], 0x80000000 - 10, 0x80000000 + 2000);
			assert_changes_at_edges(oracle, tokens[k], UINT32_MAX - 10, UINT32_MAX);
		}
		arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deny_list_refuses_what_it_names),
		cmocka_unit_test(x32_passes_under_no_list_that_does_not_name_it),
		cmocka_unit_test(x32_is_decided_where_it_is_named),
		cmocka_unit_test(what_is_not_named_is_killed),
		cmocka_unit_test(an_allow_list_tells_the_unlisted_from_the_unknown),
		cmocka_unit_test(the_other_machines_have_their_own_numbers),
		cmocka_unit_test(a_logged_call_is_logged),
		cmocka_unit_test(an_audit_logs_what_would_be_refused),
		cmocka_unit_test(what_an_abi_hides_is_refused),
		cmocka_unit_test(answers_change_at_edges_alone),
	};
	return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
