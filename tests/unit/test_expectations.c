/* `expect`: which statements hold, and what is said of those that do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"

#define ROWS                                                                                                 \
	"policy p\nallow git  adr 1  because \"r\"\nforbid strace  adr 1  because \"r\"  needs syscall "     \
	"ptrace\n"                                                                                           \
	"decline jq  adr 1  because \"r\"\n"

static void what_holds_is_silent(void **state)
{
	(void)state;
	assert_found(ROWS "expect allowed git, \"git push\"\n"
			  "expect forbidden strace, \"strace -f\"\n"
			  "expect unlisted jq, make, gi, \"gitk all\"\n"
			  "expect denied syscall ptrace\n",
		     "");
}

static void each_command_is_asked_for_itself(void **state)
{
	(void)state;
	assert_found(ROWS "expect allowed git, strace, jq\n",
		     "error expect p.allow:5:21\nerror expect p.allow:5:29\n");
	assert_found(ROWS "expect forbidden git, strace, make\n",
		     "error expect p.allow:5:18\nerror expect p.allow:5:31\n");
	assert_found(ROWS "expect unlisted git, strace, make\n",
		     "error expect p.allow:5:17\nerror expect p.allow:5:22\n");
}

static void a_call_is_denied_on_every_abi_that_has_it(void **state)
{
	(void)state;
	assert_found(ROWS "expect denied syscall kcmp\n", "error expect p.allow:5:23\n");
	assert_found(ROWS "syscalls @t { ptrace; kcmp }\nexpect denied syscall ptrace, @t\n",
		     "error expect p.allow:6:31\n");
	assert_found(ROWS "syscalls @t { ptrace; read }\nexpect denied syscall @t\n",
		     "error expect p.allow:6:23\n");
	/* An expectation that could never fail: no named ABI has the call. */
	assert_found("policy p\nseccomp { abi aarch64 }\nforbid syscall open  adr 1  because \"r\"\n"
		     "expect denied syscall open\n",
		     "warning other-abi p.allow:3:16\nerror expect p.allow:4:23\n");
	assert_found("policy p\nforbid syscall ptrace  adr 1  because \"r\"  with log\n"
		     "expect denied syscall ptrace\n",
		     "warning action p.allow:2:44\nerror expect p.allow:3:23\n");
	assert_found("policy p\nseccomp { default kill }\nexpect denied syscall ptrace\n", "");
}

static void a_lower_layer_goes_on_expecting(void **state)
{
	(void)state;
	static const char lower[] =
		"policy base\nallow git  adr 1  because \"r\"\nexpect allowed \"git push\"\n";
	struct policy_text text = policy_text_load_over(
		lower, "policy p\nextends base\nforbid \"git push\"  adr 2  because \"r\"\n");
	assert_string_equal(text.found, "warning prefix-forbid p.allow:3:8\nerror expect base.allow:3:16\n");
	policy_text_end(&text);
	assert_found_over(lower, "policy p\nextends base\nrevoke git  adr 2  because \"r\"\n",
			  "warning lapsed base.allow:3:16\n");
}

/* Only a revoke of the row that decided it: another's does not let an expectation lapse. */
static void an_expectation_lapses_with_its_own_row(void **state)
{
	(void)state;
	assert_found_over("policy base\nallow git, node  adr 1  because \"r\"\nexpect forbidden git\n",
			  "policy p\nextends base\nrevoke node  adr 2  because \"r\"\n",
			  "error expect base.allow:3:18\n");
	assert_found_over(
		"policy base\nforbid CAP_SYS_PTRACE  adr 1  because \"r\"\nexpect denied syscall kcmp\n",
		"policy p\nextends base\nrevoke CAP_SYS_PTRACE  adr 2  because \"r\"\n",
		"warning lapsed base.allow:3:23\n");
	assert_found_over("policy base\nforbid strace  adr 1  because \"r\"  needs syscall ptrace\n"
			  "expect denied syscall ptrace\n",
			  "policy p\nextends base\nrevoke strace  adr 2  because \"r\"\n",
			  "warning lapsed base.allow:3:23\n");
}

/* Of an ADR: what it adds beside what is expected is said once, however often it is asked. */
static void what_an_adr_adds_is_all_expected(void **state)
{
	(void)state;
	assert_found(ROWS "expect adr 1 adds git, strace, jq\n", "");
	assert_found(ROWS "expect adr 1 adds strace, jq\nexpect adr 1 adds jq\n",
		     "error expect p.allow:5:12\n");
	assert_found(ROWS "expect adr 1 adds git, strace, jq, make\n", "error expect p.allow:5:36\n");
}

static void what_can_match_nothing_cannot_be_expected(void **state)
{
	(void)state;
	assert_found("policy p\nexpect unlisted /bin/sh\n", "error command p.allow:2:17\n");
	assert_found("policy p\nexpect denied syscall ptrase\n", "error syscall p.allow:2:23\n");
	assert_found("policy p\nexpect denied syscall @none\n", "error group p.allow:2:23\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_holds_is_silent),
		cmocka_unit_test(each_command_is_asked_for_itself),
		cmocka_unit_test(a_call_is_denied_on_every_abi_that_has_it),
		cmocka_unit_test(a_lower_layer_goes_on_expecting),
		cmocka_unit_test(an_expectation_lapses_with_its_own_row),
		cmocka_unit_test(what_an_adr_adds_is_all_expected),
		cmocka_unit_test(what_can_match_nothing_cannot_be_expected),
	};
	return cmocka_run_group_tests_name("expectations", tests, NULL, NULL);
}
