/* Two policies from texts: the verdicts, on each axis. What is said of them: tests/cli/test_diff.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/diff/compare.h"
#include "tests/unit/policy_text.h"

#define P "policy p\n"
#define ALLOW(command) "allow \"" command "\"  adr 1  because \"r\"\n"
#define FORBID(command) "forbid \"" command "\"  adr 1  because \"r\"\n"
#define FORBID_CALL(call) "forbid syscall " call "  adr 1  because \"r\"\n"
#define ROLE(rows) "role r {\n" rows "}\n"
#define SECCOMP(settings) "seccomp {\n" settings "}\n"
#define ALLOW_CALL(call) "allow syscall " call "  adr 1  because \"r\"\n"

struct verdicts {
	struct axis_verdict axes[AXIS_COUNT];
	int status;
};

static struct verdicts compare(const char *old_text, const char *now_text)
{
	struct policy_text old = policy_text_load(old_text), now = policy_text_load(now_text);
	assert_non_null(old.policy);
	assert_non_null(now.policy);
	const struct compared *comparison = policies_compare(&now.compilation, old.policy, now.policy);
	struct verdicts verdicts = { .status = comparison_exit_status(comparison) };
	for (size_t i = 0; i < AXIS_COUNT; i++)
		verdicts.axes[i] = comparison->axes[i];
	policy_text_end(&old);
	policy_text_end(&now);
	return verdicts;
}

/* In both directions: what one gains the other loses. */
static void assert_axis(enum axis axis, const char *old, const char *now, size_t more, size_t less)
{
	struct verdicts there = compare(old, now), back = compare(now, old);
	assert_int_equal(there.axes[axis].more, more);
	assert_int_equal(there.axes[axis].less, less);
	assert_int_equal(back.axes[axis].more, less);
	assert_int_equal(back.axes[axis].less, more);
	assert_int_equal(there.status, 1);
}

static void commands_are_counted_by_what_may_be_run(void **state)
{
	(void)state;
	assert_axis(AXIS_COMMANDS, P ALLOW("a"), P ALLOW("a") ALLOW("b"), 1, 0);
	assert_axis(AXIS_COMMANDS, P ALLOW("a"), P ALLOW("b"), 1, 1);
	assert_axis(AXIS_COMMANDS, P ALLOW("a"), P ALLOW("a") ALLOW("a b"), 0, 0);
	assert_axis(AXIS_COMMANDS, P ALLOW("a"), P ALLOW("a") FORBID("a b"), 0, 1);
	assert_axis(AXIS_COMMANDS, P ALLOW("a b"), P ALLOW("a"), 1, 0);
	assert_axis(AXIS_COMMANDS, P, P FORBID("a"), 0, 0);
	/* All of `a` but `a b`, which both forbid. */
	assert_axis(AXIS_COMMANDS, P ALLOW("a") FORBID("a b"), P FORBID("a b"), 0, 1);
	/* `a b c` lies under a row that only one side has. */
	assert_axis(AXIS_COMMANDS, P ALLOW("a") ALLOW("a b c"), P ALLOW("a") FORBID("a b") ALLOW("a b c"), 0,
		    1);
}

static void roles_count_where_the_layers_do_not(void **state)
{
	(void)state;
	assert_axis(AXIS_COMMANDS, P ALLOW("a") ALLOW("a b"), P ALLOW("a") ALLOW("a b") ROLE(FORBID("a")), 0,
		    2);
	assert_axis(AXIS_COMMANDS, P ALLOW("a") ALLOW("b") ROLE(FORBID("a")), P ALLOW("b") ROLE(FORBID("a")),
		    0, 1);
	assert_axis(AXIS_COMMANDS, P ALLOW("a"), P ROLE(FORBID("a")), 0, 1);
	/* The role may run `a b` alone, then all of `a` but that. */
	assert_axis(AXIS_COMMANDS, P ALLOW("a") ROLE(FORBID("a") ALLOW("a b")),
		    P ALLOW("a") ROLE(FORBID("a b")), 1, 1);
}

static void calls_are_counted_by_their_fate_on_each_abi(void **state)
{
	(void)state;
	assert_axis(AXIS_SYSTEM_CALLS, P, P FORBID_CALL("ptrace"), 0, 1);
	assert_axis(AXIS_SYSTEM_CALLS, P FORBID_CALL("kcmp"), P FORBID_CALL("ptrace"), 1, 1);
	assert_axis(AXIS_SYSTEM_CALLS, P FORBID_CALL("ptrace"),
		    P FORBID_CALL("ptrace") SECCOMP("deny-with kill\n"), 0, 1);
	assert_axis(AXIS_SYSTEM_CALLS, P FORBID_CALL("ptrace"),
		    P FORBID_CALL("ptrace") SECCOMP("deny-with errno ENOSYS\n"), 1, 1);
	/* Three calls that pass, then two; and what no table knows is refused with ENOSYS in both. */
	assert_axis(AXIS_SYSTEM_CALLS, P SECCOMP("default errno EPERM\n") ALLOW_CALL("read, write, close"),
		    P SECCOMP("default errno EPERM\n") ALLOW_CALL("read, write"), 0, 1);
	/* The numbers that no table knows count as one. */
	assert_axis(AXIS_SYSTEM_CALLS, P SECCOMP("default errno EPERM\n") ALLOW_CALL("read"),
		    P SECCOMP("default errno EPERM\nunknown kill\n") ALLOW_CALL("read"), 0, 1);
}

/* Each call of riscv64 passed there; numbers that no table has are one more. */
static void an_abi_that_is_not_named_kills(void **state)
{
	(void)state;
	struct verdicts less = compare(P SECCOMP("abi x86_64, riscv64\n"), P SECCOMP("abi x86_64\n"));
	assert_int_equal(less.axes[AXIS_SYSTEM_CALLS].more, 0);
	assert_true(less.axes[AXIS_SYSTEM_CALLS].less > abi_call_count(ABI_RISCV64));
}

static void capabilities_guards_and_expectations(void **state)
{
	(void)state;
	const char *capability = P "forbid CAP_SYS_PTRACE  adr 1  because \"r\"\n";
	assert_axis(AXIS_CAPABILITIES, P, capability, 0, 1);
	assert_axis(AXIS_GUARDS, P, capability, 1, 0);
	assert_axis(AXIS_GUARDS, P FORBID("a"), P FORBID("b"), 1, 1);
	assert_axis(AXIS_GUARDS, P FORBID("a"), P ALLOW("a"), 0, 1);
	assert_axis(AXIS_EXPECTATIONS, P FORBID("a"), P FORBID("a") "expect forbidden a\n", 1, 0);
	assert_axis(AXIS_EXPECTATIONS, P FORBID("a") "expect forbidden a\n",
		    P FORBID("a") "expect forbidden \"a b\"\n", 1, 1);
}

/* Whatever the first attribute says more than the second, of a command and of one in a role. */
static void a_forbid_row_that_says_less_is_a_guard_less(void **state)
{
	static const struct {
		const char *more, *less;
		size_t lost, gained;
	} steps[] = {
		{ "", "on macos", 1, 0 },
		{ "on linux", "on macos", 1, 1 },
		{ "path \"/a\", \"/b\"", "path \"/b\"", 1, 0 },
		{ "", "until 2026-01-01", 1, 0 },
		{ "until 2026-12-31", "until 2026-01-01", 1, 0 },
		{ "on linux", "until 2026-01-01", 1, 1 },
		{ "path \"/a\"", "on linux  until 2026-01-01", 1, 0 },
		{ "needs syscall kcmp, ptrace", "on macos", 2, 0 },
		{ "needs CAP_SYS_PTRACE",
		  "needs syscall kcmp, pidfd_getfd, process_madvise, process_vm_readv, "
		  "process_vm_writev, ptrace",
		  1, 0 },
		{ "", "instead \"y\"", 0, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		char old[300], now[300];
		bool needs = strstr(steps[i].more, "needs") != NULL; /* which no role has */
		for (int in_role = 0; in_role < (needs ? 1 : 2); in_role++) {
			const char *form = in_role ? P "role r {\nforbid a  adr 1  because \"r\"  %s\n}\n"
						   : P "forbid a  adr 1  because \"r\"  %s\n";
			snprintf(old, sizeof old, form, steps[i].more);
			snprintf(now, sizeof now, form, steps[i].less);
			assert_axis(AXIS_GUARDS, old, now, steps[i].gained, steps[i].lost);
			assert_axis(AXIS_COMMANDS, old, now, 0, 0);
		}
	}
}

static void only_linux_has_capabilities_and_calls(void **state)
{
	(void)state;
	assert_axis(AXIS_GUARDS, P "forbid CAP_SYS_PTRACE  adr 1  because \"r\"\n",
		    P "forbid CAP_SYS_PTRACE  adr 1  because \"r\"  on macos\n", 0, 1);
	assert_axis(AXIS_GUARDS, P "forbid syscall kcmp  adr 1  because \"r\"  on linux\n",
		    P "forbid syscall kcmp  adr 1  because \"r\"  on macos\n", 0, 1);
	/* No filter knows either, but the row says less, and the gate asks. */
	assert_axis(AXIS_GUARDS, P "forbid syscall kcmp  adr 1  because \"r\"  on macos, windows\n",
		    P "forbid syscall kcmp  adr 1  because \"r\"  on macos\n", 0, 1);
}

static void an_allow_row_on_other_terms_allows_more_or_less(void **state)
{
	static const struct {
		const char *old, *now;
		size_t more, less;
	} steps[] = {
		{ "on linux", "", 1, 0 },   { "requires g >= 2", "requires g", 1, 1 },
		{ "requires g", "", 1, 0 }, { "path \"/a\"", "path \"/a\", \"/b\"", 1, 0 },
		{ "", "as rm", 1, 1 },      { "because \"x\"", "because \"y\"", 0, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		char old[300], now[300];
		for (int in_role = 0; in_role < 2; in_role++) {
			const char *form = in_role ? P ALLOW("a")
							     ALLOW("g") "role r {\nallow a  adr 1  %s\n}\n"
						   : P ALLOW("g") "allow a  adr 1  %s\n";
			snprintf(old, sizeof old, form, steps[i].old);
			snprintf(now, sizeof now, form, steps[i].now);
			assert_axis(AXIS_COMMANDS, old, now, steps[i].more, steps[i].less);
			assert_axis(AXIS_GUARDS, old, now, 0, 0);
		}
	}
}

static void what_decides_nothing_has_exit_status_0(void **state)
{
	(void)state;
	assert_int_equal(compare(P ALLOW("a") ALLOW("b"), P ALLOW("b") "# c\n" ALLOW("a")).status, 0);
	assert_int_equal(
		compare(P FORBID("a") "expect forbidden a\n", P FORBID("a") "expect forbidden \"a\"\n")
			.status,
		0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_are_counted_by_what_may_be_run),
		cmocka_unit_test(roles_count_where_the_layers_do_not),
		cmocka_unit_test(calls_are_counted_by_their_fate_on_each_abi),
		cmocka_unit_test(an_abi_that_is_not_named_kills),
		cmocka_unit_test(capabilities_guards_and_expectations),
		cmocka_unit_test(a_forbid_row_that_says_less_is_a_guard_less),
		cmocka_unit_test(only_linux_has_capabilities_and_calls),
		cmocka_unit_test(an_allow_row_on_other_terms_allows_more_or_less),
		cmocka_unit_test(what_decides_nothing_has_exit_status_0),
	};
	return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
