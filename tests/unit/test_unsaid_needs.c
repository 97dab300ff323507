/* Allowed programs whose needs are denied, and whose rows do not say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"

#define ROW(text) text "  adr 1  because \"r\"\n"
#define ROLE(text) "role r { " text "  adr 1  because \"r\" }\n"
#define NO_TRACING ROW("forbid syscall ptrace")

static void a_known_need_that_is_denied_is_told(void **state)
{
	(void)state;
	assert_found("policy p\n" NO_TRACING ROW("allow strace"), "warning known-needs p.allow:3:7\n");
	assert_found("policy p\n" ROW("forbid CAP_SYS_PTRACE") ROW("allow gdb"),
		     "warning known-needs p.allow:3:7\n");
	assert_found("policy p\nseccomp { default errno EPERM }\n" ROW("allow strace"),
		     "warning known-needs p.allow:3:7\n");
	assert_found("policy p\n" ROW("forbid CAP_NET_ADMIN") ROW("allow nft"),
		     "warning capability-unseen p.allow:2:8\nwarning known-needs p.allow:3:7\n");
}

/* The first of the table too, and none that lacks nothing. */
static void each_program_is_told_of(void **state)
{
	(void)state;
	assert_found("policy p\n" ROW("forbid syscall bpf, setns") ROW("allow bpftool, strace, nsenter"),
		     "warning known-needs p.allow:3:7\nwarning known-needs p.allow:3:24\n");
}

/* What the layers deny is told of them, not of each role again; a role's own denial of that role alone. */
static void a_role_is_told_of_what_it_denies_itself(void **state)
{
	(void)state;
	assert_found("policy p\n" NO_TRACING ROW("allow strace") ROLE("forbid syscall mount"),
		     "warning known-needs p.allow:3:7\n");
	assert_found("policy p\n" ROW("allow strace, bpftool") ROLE("forbid syscall ptrace"),
		     "warning known-needs p.allow:2:7\n");
}

static void what_is_let_pass_is_no_lack(void **state)
{
	(void)state;
	assert_found("policy p\n" ROW("allow strace, sudo, bwrap"), "");
	assert_found("policy p\n" ROW("forbid syscall mount") ROW("allow strace, sudo"), "");
	/* ptrace is logged, and runs. */
	assert_found("policy p\nforbid syscall ptrace  adr 1  because \"r\"  with log\n" ROW("allow strace"),
		     "warning action p.allow:2:44\n");
	assert_found("policy p\nseccomp { default errno EPERM }\n" ROW("allow strace")
			     ROW("allow syscall ptrace"),
		     "");
}

/* A need that is said is an error where it is denied: nothing is told twice. */
static void a_row_that_says_its_needs_speaks_for_itself(void **state)
{
	(void)state;
	assert_found("policy p\n" NO_TRACING "allow strace  adr 1  because \"r\"  needs syscall ptrace\n",
		     "error needs-denied p.allow:3:49\n");
	assert_found("policy p\n" NO_TRACING "allow strace  adr 1  because \"r\"  needs syscall read\n", "");
}

static void rows_that_start_nothing_here_are_left(void **state)
{
	(void)state;
	assert_found("policy p\n" NO_TRACING "allow strace  adr 1  because \"r\"  on macos\n", "");
	assert_found("policy p\n" NO_TRACING ROW("forbid strace") ROW("decline gdb"), "");
	assert_found("policy p\n" NO_TRACING ROW("allow stracer"), "");
}

static void a_program_is_told_of_once(void **state)
{
	(void)state;
	assert_found("policy p\n" ROW("forbid syscall perf_event_open")
			     ROW("allow \"perf stat\", \"perf record\"") ROW("allow perf"),
		     "warning known-needs p.allow:3:7\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_need_that_is_denied_is_told),
		cmocka_unit_test(each_program_is_told_of),
		cmocka_unit_test(a_role_is_told_of_what_it_denies_itself),
		cmocka_unit_test(what_is_let_pass_is_no_lack),
		cmocka_unit_test(a_row_that_says_its_needs_speaks_for_itself),
		cmocka_unit_test(rows_that_start_nothing_here_are_left),
		cmocka_unit_test(a_program_is_told_of_once),
	};
	return cmocka_run_group_tests_name("unsaid_needs", tests, NULL, NULL);
}
