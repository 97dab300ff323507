/* What a policy makes of system calls, groups and capabilities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/explain/call_answer.h"
#include "tests/unit/policy_text.h"

static const char text[] = "policy p\n"
			   "seccomp { abi x86_64, aarch64 }\n"
			   "syscalls @some { mkdir, mkdirat, getpid }\n"
			   "forbid syscall mkdir  adr 1  because \"r\"\n"
			   "forbid syscall personality(persona == 8)  adr 1  because \"r\"\n"
			   "forbid strace  adr 1  because \"r\"  needs syscall ptrace\n"
			   "allow ping  adr 1  because \"r\"  needs CAP_NET_RAW\n";

static struct kernel_answer ask(struct policy_text *policy, enum kernel_subject kind, const char *name)
{
	struct kernel_answer answer;
	const char *message = NULL;
	assert_non_null(policy->policy);
	assert_true(kernel_answer(policy->compilation.arena, policy->policy, kind, name, &answer, &message));
	return answer;
}

/* aarch64 has no mkdir; mkdirat passes beside it. */
static void a_call_on_each_abi(void **state)
{
	(void)state;
	struct policy_text policy = policy_text_load(text);
	struct kernel_answer answer = ask(&policy, KERNEL_CALL, "mkdir");
	assert_string_equal(answer.text, "syscall mkdir");
	assert_int_equal(answer.calls[0].abi_count, 2);
	assert_int_equal(answer.calls[0].abis[0].fate, FATE_REFUSED);
	assert_int_equal(answer.calls[0].abis[0].action.errno_value, 1);
	assert_int_equal(answer.calls[0].abis[1].fate, FATE_ABSENT);
	assert_int_equal(call_fate_overall(&answer.calls[0]), FATE_REFUSED);
	assert_int_equal(answer.calls[0].cause_count, 1);
	assert_string_equal(answer.calls[0].causes[0].row->subject, "mkdir");
	assert_true(answer.door_count >= 1);
	assert_non_null(strstr(answer.doors[0]->text, "mkdirat does the same"));
	policy_text_end(&policy);
}

static void by_arguments(void **state)
{
	(void)state;
	struct policy_text policy = policy_text_load(text);
	struct kernel_answer answer = ask(&policy, KERNEL_CALL, "personality");
	assert_int_equal(call_fate_overall(&answer.calls[0]), FATE_BY_ARGUMENTS);
	assert_string_equal(answer.calls[0].causes[0].condition, "persona == 8");
	assert_int_equal(answer.break_count, 0); /* what breaks where all of it is refused need not break */
	policy_text_end(&policy);
}

/* Refused, or passing, whatever the arguments, but not with one action. */
static void an_action_that_arguments_choose(void **state)
{
	(void)state;
	struct policy_text policy =
		policy_text_load("policy p\n"
				 "seccomp { abi x86_64; default errno EPERM }\n"
				 "forbid syscall personality(persona == 8)  adr 1  because \"r\"  with kill\n"
				 "forbid syscall socket(domain == 1)  adr 1  because \"r\"\n"
				 "allow syscall clone, ptrace  adr 1\n"
				 "forbid syscall clone(flags & 1)  adr 1  because \"r\"  with log\n");
	struct kernel_answer personality = ask(&policy, KERNEL_CALL, "personality");
	assert_int_equal(personality.calls[0].abis[0].fate, FATE_REFUSED);
	assert_true(personality.calls[0].abis[0].chosen);
	struct kernel_answer socket = ask(&policy, KERNEL_CALL, "socket");
	assert_int_equal(socket.calls[0].abis[0].fate, FATE_REFUSED);
	assert_false(socket.calls[0].abis[0].chosen);
	struct kernel_answer clone = ask(&policy, KERNEL_CALL, "clone");
	assert_int_equal(clone.calls[0].abis[0].fate, FATE_PASSES);
	assert_true(clone.calls[0].abis[0].chosen);
	struct kernel_answer ptrace = ask(&policy, KERNEL_CALL, "ptrace");
	assert_int_equal(ptrace.calls[0].abis[0].fate, FATE_PASSES);
	assert_false(ptrace.calls[0].abis[0].chosen);
	policy_text_end(&policy);
}

static void a_group_and_what_breaks(void **state)
{
	(void)state;
	struct policy_text policy = policy_text_load(text);
	struct kernel_answer group = ask(&policy, KERNEL_GROUP, "@some");
	assert_int_equal(group.call_count, 3);
	assert_string_equal(group.calls[0].call->name, "getpid");
	assert_int_equal(call_fate_overall(&group.calls[0]), FATE_PASSES);
	struct kernel_answer ptrace = ask(&policy, KERNEL_CALL, "ptrace");
	assert_int_equal(ptrace.break_count, 2);
	assert_non_null(strstr(ptrace.breaks[0]->what, "leak checkers"));
	assert_true(ptrace.program_count >= 2);
	assert_string_equal(ptrace.programs[0], "gdb");
	policy_text_end(&policy);
}

static void a_capability(void **state)
{
	(void)state;
	struct policy_text policy = policy_text_load(text);
	struct kernel_answer answer = ask(&policy, KERNEL_CAPABILITY, "CAP_NET_RAW");
	assert_null(answer.capability_row);
	assert_int_equal(answer.needed_count, 1);
	assert_string_equal(answer.needed_by[0]->subject, "ping");
	assert_int_equal(answer.capability_door_count, 0); /* nothing of it is refused */
	struct kernel_answer trace = ask(&policy, KERNEL_CAPABILITY, "CAP_SYS_PTRACE");
	assert_int_equal(trace.call_count, 6);
	assert_int_equal(trace.capability_door_count, 1);
	policy_text_end(&policy);
}

static void unknown_names(void **state)
{
	(void)state;
	struct policy_text policy = policy_text_load(text);
	struct kernel_answer answer;
	const char *message = NULL;
	struct arena *arena = policy.compilation.arena;
	assert_false(kernel_answer(arena, policy.policy, KERNEL_CALL, "mkdri", &answer, &message));
	assert_string_equal(message, "there is no system call 'mkdri'; did you mean 'mkdir'?");
	assert_false(kernel_answer(arena, policy.policy, KERNEL_GROUP, "@other", &answer, &message));
	assert_string_equal(message, "there is no group '@other'");
	policy_text_end(&policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_on_each_abi),
		cmocka_unit_test(by_arguments),
		cmocka_unit_test(an_action_that_arguments_choose),
		cmocka_unit_test(a_group_and_what_breaks),
		cmocka_unit_test(a_capability),
		cmocka_unit_test(unknown_names),
	};
	return cmocka_run_group_tests_name("call_answer", tests, NULL, NULL);
}
