/* From rows to system calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"

/* "CALL:SUBJECT" of each rule, one blank between them. */
static const char *rules_of(const struct policy_text *text, const struct call_rule *rules, size_t count)
{
	const char *list = "";
	for (size_t i = 0; i < count; i++)
		list = arena_printf(text->compilation.arena, "%s%s%s:%s", list, i ? " " : "",
				    rules[i].call->name, rules[i].row->subject);
	return list;
}

static const char *denials_of(const struct policy_text *text)
{
	return rules_of(text, text->policy->seccomp.denied, text->policy->seccomp.denied_count);
}

static void a_capability_denies_the_calls_that_it_gates(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\nforbid CAP_SYS_PTRACE  adr 1  because \"r\"\n");
	assert_clean(&text);
	const struct seccomp *seccomp = &text.policy->seccomp;
	static const char *const calls[] = {
		"kcmp", "pidfd_getfd", "process_madvise", "process_vm_readv", "process_vm_writev", "ptrace"
	};
	assert_int_equal(seccomp->denied_count, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_string_equal(seccomp->denied[i].call->name, calls[i]);
		assert_string_equal(seccomp->denied[i].capability->name, "CAP_SYS_PTRACE");
		assert_int_equal(seccomp->denied[i].action.kind, ACTION_ERRNO);
		assert_int_equal(seccomp->denied[i].action.errno_value, 1);
	}
	assert_int_equal(policy_denied_calls(text.policy).whole, 6);
	assert_int_equal(policy_admitted_calls(text.policy).whole, 0);
	policy_text_end(&text);
}

static void rules_stand_by_call_and_then_by_row(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n"
				 "syscalls @raw { swapon; ptrace }\n"
				 "forbid syscall ptrace, acct  adr 1  because \"r\"\n"
				 "forbid strace  adr 1  because \"r\"  needs syscall ptrace\n"
				 "forbid syscall @raw  adr 1  because \"r\"\n");
	assert_clean(&text);
	assert_string_equal(denials_of(&text),
			    "acct:acct ptrace:ptrace ptrace:strace ptrace:@raw swapon:@raw");
	assert_int_equal(policy_denied_calls(text.policy).whole, 3);
	assert_int_equal(call_rules_begin(text.policy->seccomp.denied, 5, syscall_find("ptrace")), 1);
	assert_int_equal(call_rules_begin(text.policy->seccomp.denied, 5, syscall_find("swapon")), 4);
	assert_int_equal(call_rules_begin(text.policy->seccomp.denied, 5, syscall_find("read")), 4);
	assert_int_equal(call_rules_begin(text.policy->seccomp.denied, 5, syscall_find("write")), 5);
	policy_text_end(&text);
}

static void a_row_denies_a_call_once(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\nforbid strace  adr 1  because \"r\" {\n"
						   "    needs syscall ptrace\n    needs CAP_SYS_PTRACE\n}\n");
	assert_clean(&text);
	assert_int_equal(text.policy->seccomp.denied_count, 6);
	assert_null(text.policy->seccomp.denied[5].capability); /* what stands first on the row */
	policy_text_end(&text);
}

static void the_action_of_a_row_goes_before_that_of_the_policy(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n"
				 "seccomp { deny-with kill }\n"
				 "forbid strace  adr 1  because \"r\"  needs syscall ptrace\n"
				 "forbid syscall ptrace  adr 1  because \"r\"  with errno EACCES\n"
				 "forbid syscall kcmp  adr 1  because \"r\"\n");
	assert_clean(&text);
	const struct call_rule *denied = text.policy->seccomp.denied;
	assert_string_equal(denials_of(&text), "kcmp:kcmp ptrace:strace ptrace:ptrace");
	assert_int_equal(denied[0].action.kind, ACTION_KILL);
	assert_int_equal(denied[1].action.errno_value, 13); /* the same in all rules of one call */
	assert_int_equal(denied[2].action.errno_value, 13);
	policy_text_end(&text);
}

static void two_actions_for_one_call_are_a_mistake_of_the_second(void **state)
{
	(void)state;
	assert_found("policy p\n"
		     "forbid syscall ptrace  adr 1  because \"r\"  with errno EACCES\n"
		     "forbid CAP_SYS_PTRACE  adr 1  because \"r\"  with kill\n",
		     "error action-conflict p.allow:3:8\n");
}

static void only_rows_for_linux_reach_the_filter(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n"
				 "forbid syscall ptrace  adr 1  because \"r\"  on macos\n"
				 "forbid syscall kcmp  adr 1  because \"r\"  on macos, linux\n");
	assert_string_equal(text.found, "warning platform p.allow:2:16\n");
	assert_string_equal(denials_of(&text), "kcmp:kcmp");
	policy_text_end(&text);
}

static void an_allow_list_lets_pass_what_is_not_forbidden(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n"
						   "seccomp { default errno EPERM }\n"
						   "syscalls @io { write; read; ptrace }\n"
						   "allow syscall @io, exit_group  adr 1  because \"r\"\n"
						   "forbid syscall ptrace  adr 1  because \"r\"\n");
	assert_clean(&text);
	const struct seccomp *seccomp = &text.policy->seccomp;
	assert_string_equal(rules_of(&text, seccomp->allowed, seccomp->allowed_count),
			    "exit_group:exit_group ptrace:@io read:@io write:@io");
	assert_int_equal(policy_admitted_calls(text.policy).whole, 3);
	assert_int_equal(policy_denied_calls(text.policy).whole, 1);
	policy_text_end(&text);
	assert_found("policy p\nallow syscall read  adr 1  because \"r\"\n",
		     "error no-effect p.allow:2:15\n");
	assert_found("policy p\nseccomp { default kill }\nallow syscall ptrace  adr 1  because \"r\"\n"
		     "forbid CAP_SYS_PTRACE  adr 1  because \"r\"\n",
		     "error conflict p.allow:3:15\n");
}

/* aarch64 has no open(2). */
static void calls_of_unnamed_abis_do_not_count(void **state)
{
	(void)state;
	static const char rows[] = "forbid syscall open, openat  adr 1  because \"r\"\n";
	struct policy_text text = policy_text_begin();
	policy_text_add(&text, "p.allow",
			arena_printf(text.compilation.arena, "policy p\nseccomp { abi aarch64 }\n%s", rows));
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	assert_int_equal(text.policy->seccomp.denied_count, 2);
	assert_int_equal(policy_denied_calls(text.policy).whole, 1);
	policy_text_end(&text);
}

static void assert_counts(const char *rows, size_t denied, size_t denied_part, size_t admitted,
			  size_t admitted_part)
{
	struct policy_text text = policy_text_begin();
	policy_text_add(&text, "p.allow", arena_printf(text.compilation.arena, "policy p\n%s", rows));
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	struct call_counts denials = policy_denied_calls(text.policy),
			   allows = policy_admitted_calls(text.policy);
	assert_int_equal(denials.whole, denied);
	assert_int_equal(denials.part, denied_part);
	assert_int_equal(allows.whole, admitted);
	assert_int_equal(allows.part, admitted_part);
	policy_text_end(&text);
}

static void calls_denied_in_part_are_counted_apart(void **state)
{
	(void)state;
	assert_counts("seccomp { abi x86_64 }\nforbid syscall kill(sig == 9), ptrace  adr 1  because \"r\"\n",
		      1, 1, 0, 0);
	assert_counts("seccomp { abi x86_64 }\nforbid syscall kill(sig < 9), kill(sig >= 9)  adr 1  because "
		      "\"r\"\n",
		      1, 0, 0, 0);
	assert_counts("seccomp { abi x86_64; default kill }\n"
		      "allow syscall read, kill(sig == 9), tkill  adr 1  because \"r\"\n"
		      "forbid syscall tkill(sig == 9)  adr 1  because \"r\"\n",
		      0, 1, 1, 2);
}

static void clone3_is_denied_with_a_part_of_clone(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load(
		"policy p\nforbid syscall clone(flags & CLONE_NEWUSER)  adr 1  because \"r\"\n");
	assert_clean(&text);
	assert_string_equal(denials_of(&text),
			    "clone:clone(flags & CLONE_NEWUSER) clone3:clone(flags & CLONE_NEWUSER)");
	const struct call_rule *clone3 = &text.policy->seccomp.denied[1];
	assert_null(clone3->condition);
	assert_string_equal(clone3->follows->name, "clone");
	assert_int_equal(clone3->action.errno_value, 38);
	policy_text_end(&text);
}

/* All of clone denied: nothing hides behind clone3. And a row of its own decides it. */
static void clone3_is_left_alone_otherwise(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load(
		"policy p\nforbid syscall clone, clone(flags & CLONE_NEWUSER)  adr 1  because \"r\"\n");
	assert_clean(&text);
	assert_string_equal(denials_of(&text), "clone:clone clone:clone(flags & CLONE_NEWUSER)");
	policy_text_end(&text);
	text = policy_text_load(
		"policy p\nforbid syscall clone3, clone(flags & CLONE_NEWUSER)  adr 1  because \"r\"\n");
	assert_clean(&text);
	assert_string_equal(denials_of(&text), "clone:clone(flags & CLONE_NEWUSER) clone3:clone3");
	policy_text_end(&text);
}

/* No filter has room for them, and each would be compared with each. */
static void conditions_of_one_call_are_bounded(void **state)
{
	(void)state;
	for (unsigned count = 2048; count <= 2049; count++) {
		struct policy_text text = policy_text_begin();
		const char *rows = "policy p\nsyscalls @s {\n";
		for (unsigned i = 0; i < count; i++)
			rows = i % 64 ? arena_printf(text.compilation.arena, "%s; kill(sig == %u)", rows, i)
				      : arena_printf(text.compilation.arena, "%s\nkill(sig == %u)", rows, i);
		policy_text_add(&text, "p.allow",
				arena_printf(text.compilation.arena,
					     "%s\n}\nforbid syscall @s  adr 1  because \"r\"\n", rows));
		policy_text_resolve(&text, "p.allow");
		assert_int_equal(text.policy == NULL, count == 2049);
		assert_string_equal(text.found, count == 2049 ? "error filter-size p.allow:38:16\n" : "");
		policy_text_end(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_capability_denies_the_calls_that_it_gates),
		cmocka_unit_test(rules_stand_by_call_and_then_by_row),
		cmocka_unit_test(a_row_denies_a_call_once),
		cmocka_unit_test(the_action_of_a_row_goes_before_that_of_the_policy),
		cmocka_unit_test(two_actions_for_one_call_are_a_mistake_of_the_second),
		cmocka_unit_test(only_rows_for_linux_reach_the_filter),
		cmocka_unit_test(an_allow_list_lets_pass_what_is_not_forbidden),
		cmocka_unit_test(calls_of_unnamed_abis_do_not_count),
		cmocka_unit_test(calls_denied_in_part_are_counted_apart),
		cmocka_unit_test(clone3_is_denied_with_a_part_of_clone),
		cmocka_unit_test(clone3_is_left_alone_otherwise),
		cmocka_unit_test(conditions_of_one_call_are_bounded),
	};
	return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
