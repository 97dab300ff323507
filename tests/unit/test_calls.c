/* From rows to system calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/strbuf.h"
#include "tests/unit/policy_text.h"

/* "CALL:SUBJECT" of each rule, one blank between them; with a '*' where it repeats another. */
static const char *rules_of(const struct policy_text *text, const struct call_rule *rules, size_t count)
{
	const char *list = "";
	for (size_t i = 0; i < count; i++)
		list = arena_printf(text->compilation.arena, "%s%s%s:%s%s", list, i ? " " : "",
				    rules[i].call->name, rules[i].row->subject, rules[i].repeats ? "*" : "");
	return list;
}

static const char *denials_of(const struct policy_text *text)
{
	return rules_of(text, text->policy->seccomp.denied, text->policy->seccomp.denied_count);
}

#define SAID "  adr 1  because \"r\"\n"
#define LOGGED "  adr 1  because \"r\"  with log\n"

/* What is denied where the rows stand below "policy p" and these settings. */
static void assert_denials(const char *settings, const char *rows, const char *denials)
{
	struct policy_text text = policy_text_begin();
	assert_null(diags_option(text.compilation.diags, "no-action"));
	policy_text_add(&text, "p.allow",
			arena_printf(text.compilation.arena, "policy p\nseccomp { %s }\n%s", settings, rows));
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	assert_string_equal(denials_of(&text), denials);
	policy_text_end(&text);
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
	/* As a whole and in part; and in part by two groups. */
	assert_denials("abi x86_64",
		       "forbid strace  adr 1  because \"r\"  needs syscall kill, kill(sig == 9)\n",
		       "kill:strace");
	assert_denials("abi x86_64",
		       "syscalls @one { kill(sig == 9) }\nsyscalls @two { @one; tkill }\n"
		       "forbid strace  adr 1  because \"r\"  needs syscall @one, @two\n",
		       "kill:strace tkill:strace");
}

static void what_adds_nothing_is_marked(void **state)
{
	(void)state;
	static const char groups[] =
		"syscalls @one { kill(sig == 9) }\nsyscalls @two { kill(sig == 9); tkill }\n";
	struct policy_text text = policy_text_begin();
	struct arena *arena = text.compilation.arena;
	assert_denials("abi x86_64", arena_printf(arena, "%sforbid syscall @one, @two" SAID, groups),
		       "kill:@one kill:@two* tkill:@two");
	policy_text_add(
		&text, "p.allow",
		arena_printf(arena,
			     "policy p\nseccomp { default errno EPERM }\n%sallow syscall @one, @two" SAID,
			     groups));
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	assert_string_equal(rules_of(&text, text.policy->seccomp.allowed, text.policy->seccomp.allowed_count),
			    "kill:@one kill:@two* tkill:@two");
	policy_text_end(&text);
}

/* Where calls are denied by omission, it would let one pass that nothing lists. */
static void a_log_has_its_say_where_calls_pass(void **state)
{
	(void)state;
	assert_denials("abi x86_64", "forbid syscall kill" LOGGED, "kill:kill");
	assert_denials("default errno EPERM; abi x86_64", "forbid syscall kill" LOGGED, "");
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
	/* Of a row, at the first of its calls. */
	assert_found("policy p\n"
		     "syscalls @two { ptrace; kcmp }\n"
		     "forbid syscall ptrace, kcmp  adr 1  because \"r\"  with errno EACCES\n"
		     "forbid syscall @two  adr 1  because \"r\"  with kill\n",
		     "error action-conflict p.allow:4:16\n");
	/* One that is inherited too. */
	assert_found("policy p\n"
		     "forbid strace  adr 1  because \"r\"  needs syscall ptrace\n"
		     "forbid syscall ptrace  adr 1  because \"r\"  with log\n",
		     "error action-conflict p.allow:2:8\nwarning action p.allow:3:44\n");
	/* On an ABI where no filter sees all of a condition, it holds whatever the arguments are. */
	static const char in_part[] = "mode == 1", hidden[] = "mode == 2 && offset > 5";
	for (int order = 0; order < 2; order++) {
		struct policy_text text = policy_text_begin();
		assert_null(diags_option(text.compilation.diags, "no-unseen-argument"));
		policy_text_add(
			&text, "p.allow",
			arena_printf(
				text.compilation.arena,
				"policy p\nseccomp { abi i386 }\n"
				"forbid syscall fallocate(%s)  adr 1  because \"r\"  with kill\n"
				"forbid syscall fallocate(%s)  adr 1  because \"r\"  with errno EACCES\n",
				order ? in_part : hidden, order ? hidden : in_part));
		policy_text_resolve(&text, "p.allow");
		assert_string_equal(text.found, "error action-conflict p.allow:4:16\n");
		policy_text_end(&text);
	}
	/* It is that of the condition alone, and of the first that has it. */
	assert_found("policy p\n"
		     "syscalls @part { kill(sig == 9) }\n"
		     "syscalls @whole { kill }\n"
		     "forbid syscall kill  adr 1  because \"r\"  with kill\n"
		     "forbid syscall kill(sig == 9), @part  adr 1  because \"r\"  with errno EACCES\n"
		     "forbid syscall @whole  adr 1  because \"r\"  with kill\n",
		     "error action-conflict p.allow:5:16\n");
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
	text = policy_text_load("policy p\nseccomp { default kill }\n"
				"allow syscall read  adr 1  because \"r\"  on macos\n"
				"allow syscall write  adr 1  because \"r\"\n");
	assert_string_equal(text.found, "warning platform p.allow:3:15\n");
	assert_string_equal(rules_of(&text, text.policy->seccomp.allowed, text.policy->seccomp.allowed_count),
			    "write:write");
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
	/* Where all pass, that is said alone. */
	assert_found("policy p\nallow syscall ptrace  adr 1  because \"r\"\nforbid CAP_SYS_PTRACE  adr 1  "
		     "because \"r\"\n",
		     "error no-effect p.allow:2:15\n");
	/* A list lets nothing pass that is logged as a whole. */
	assert_found("policy p\nseccomp { default kill }\nsyscalls @one { kill }\nallow syscall kill" SAID
		     "forbid syscall @one" LOGGED,
		     "error conflict p.allow:4:15\nwarning action p.allow:5:42\n");
	/* Nothing of it passes on the one ABI that the policy is for. */
	assert_found("policy p\nseccomp { default kill; abi i386 }\nallow syscall fallocate" SAID
		     "forbid syscall fallocate(offset > 5)" SAID,
		     "error conflict p.allow:3:15\nwarning unseen-argument p.allow:4:26\n");
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
	static const char *const ignored[] = { "no-action", "no-fixed-condition", "no-unseen-argument" };
	struct policy_text text = policy_text_begin();
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		assert_null(diags_option(text.compilation.diags, ignored[i]));
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
	/* What is logged passes; what never holds denies nothing; what no filter sees denies wholly. */
	assert_counts("seccomp { abi x86_64 }\nforbid syscall kill(sig != 9)" LOGGED
		      "forbid syscall kill(sig == 9)" SAID,
		      0, 1, 0, 0);
	assert_counts("seccomp { abi x86_64 }\nforbid syscall kill(sig == 9 && sig == 10)" SAID, 0, 0, 0, 0);
	assert_counts("seccomp { abi i386 }\nforbid syscall fallocate(offset > 5)" SAID, 1, 0, 0, 0);
	/* The first of all calls. */
	assert_counts("seccomp { abi i386; default kill }\nallow syscall _llseek, read" SAID, 0, 0, 2, 0);
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

/* By the row that filters clone by its flags, else by the base that leaves clone3 out where clone passes. */
static void clone3_follows_clone(void **state)
{
	(void)state;
	static const struct {
		const char *base, *rows, *denials;
	} cases[] = {
		{ "clone", "", "clone3:@few" },
		{ "clone, clone3", "", "" },
		{ "read", "", "" },
		{ "clone", "allow syscall clone3" SAID, "" },
		{ "clone", "allow syscall write" SAID, "clone3:@few" },
		{ "clone", "forbid syscall clone3" LOGGED, "clone3:@few" },
		{ "clone, ptrace", "forbid syscall ptrace" SAID, "clone3:@few ptrace:ptrace" },
		{ "clone(flags & CLONE_FS)", "", "clone3:@few" },
		{ "clone(flags & CLONE_FS)", "forbid syscall clone(flags & CLONE_VM)" SAID,
		  "clone:clone(flags & CLONE_VM) clone3:clone(flags & CLONE_VM)" },
	};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_denials("base @few; abi x86_64",
			       arena_printf(arena, "syscalls @few { %s }\n%s", cases[i].base, cases[i].rows),
			       cases[i].denials);
	arena_free(arena);
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

/* What a role gives a call that gets the default anyway is left out, unless it differs. */
static void a_role_denies_what_it_narrows(void **state)
{
	(void)state;
	static const struct {
		const char *fallback, *action, *denials;
	} cases[] = {
		{ "kill", "kill", "read:read" },
		{ "errno EPERM", "errno EPERM", "read:read" },
		{ "errno EPERM", "errno EACCES", "kill:kill read:read" },
		{ "errno EPERM", "kill", "kill:kill read:read" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct policy_text text = policy_text_begin();
		policy_text_add(
			&text, "p.allow",
			arena_printf(
				text.compilation.arena,
				"policy p\nseccomp { default %s; abi x86_64 }\nallow syscall read, write" SAID
				"role probe {\n    forbid syscall read, kill  adr 1  because \"r\"  with "
				"%s\n}\n",
				cases[i].fallback, cases[i].action));
		policy_text_resolve(&text, "p.allow");
		assert_clean(&text);
		const struct seccomp *own = text.policy->roles[0]->seccomp;
		assert_string_equal(rules_of(&text, own->denied, own->denied_count), cases[i].denials);
		policy_text_end(&text);
	}
}

/* What repeats, and what no filter sees, takes no room among the conditions that a role's row is held
 * against. */
static void a_role_is_held_against_what_the_layers_admit(void **state)
{
	(void)state;
	struct policy_text text = policy_text_begin();
	struct strbuf bytes = STRBUF_INIT;
	assert_null(diags_option(text.compilation.diags, "no-unseen-argument"));
	strbuf_printf(&bytes, "policy p\nseccomp { default kill; abi i386 }\n");
	for (unsigned i = 0; i < 2048; i++)
		strbuf_printf(&bytes, "syscalls @g%u { kill(sig == 9); fallocate(offset == %u) }\n", i, i);
	strbuf_printf(&bytes, "allow syscall ");
	for (unsigned i = 0; i < 2048; i++)
		strbuf_printf(&bytes, "@g%u, ", i);
	strbuf_printf(&bytes,
		      "kill(sig == 10), fallocate(mode == 2)" SAID "role probe {\n"
		      "    forbid syscall kill(sig == 10), fallocate(mode == 2)  adr 1  because \"r\"  "
		      "with errno EACCES\n}\n");
	policy_text_add(&text, "p.allow", bytes.bytes);
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	assert_non_null(text.policy->roles[0]->seccomp);
	strbuf_release(&bytes);
	policy_text_end(&text);
}

/* One that lets the calls pass is beside none. */
static void a_door_is_beside_rows_that_refuse(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\nseccomp { default errno EPERM; abi x86_64 }\n"
						   "syscalls @renames { rename; renameat; renameat2 }\n"
						   "allow syscall @renames" SAID "forbid syscall rename" SAID
						   "forbid syscall renameat2(flags & 1), ptrace" SAID);
	assert_clean(&text);
	static const struct {
		const char *subject;
		bool beside;
	} rows[] = { { "@renames", false },
		     { "rename", true },
		     { "renameat2(flags & 1)", true },
		     { "ptrace", false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(
			door_is_beside(&text.policy->doors[0], policy_text_row(&text, rows[i].subject)),
			rows[i].beside);
	policy_text_end(&text);
}

/* No filter has room for them, and each would be compared with each. */
static void conditions_of_one_call_are_bounded(void **state)
{
	(void)state;
	static const char conflicting[] =
		"forbid syscall kill(sig == 5)  adr 1  because \"r\"  with errno EACCES\n";
	for (unsigned count = 2048; count <= 2049; count++) {
		struct policy_text text = policy_text_begin();
		const char *rows = "policy p\nsyscalls @s {\n";
		for (unsigned i = 0; i < count; i++)
			rows = i % 64 ? arena_printf(text.compilation.arena, "%s; kill(sig == %u)", rows, i)
				      : arena_printf(text.compilation.arena, "%s\nkill(sig == %u)", rows, i);
		policy_text_add(&text, "p.allow",
				arena_printf(text.compilation.arena,
					     "%s\ntkill(sig == 1)\n}\nforbid syscall @s  adr 1  because "
					     "\"r\"  with kill\n%s",
					     rows, count == 2049 ? conflicting : ""));
		policy_text_resolve(&text, "p.allow");
		assert_int_equal(text.policy == NULL, count == 2049);
		assert_string_equal(text.found, count == 2049 ? "error filter-size p.allow:39:16\n" : "");
		policy_text_end(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_capability_denies_the_calls_that_it_gates),
		cmocka_unit_test(rules_stand_by_call_and_then_by_row),
		cmocka_unit_test(a_row_denies_a_call_once),
		cmocka_unit_test(what_adds_nothing_is_marked),
		cmocka_unit_test(a_log_has_its_say_where_calls_pass),
		cmocka_unit_test(the_action_of_a_row_goes_before_that_of_the_policy),
		cmocka_unit_test(two_actions_for_one_call_are_a_mistake_of_the_second),
		cmocka_unit_test(only_rows_for_linux_reach_the_filter),
		cmocka_unit_test(an_allow_list_lets_pass_what_is_not_forbidden),
		cmocka_unit_test(calls_of_unnamed_abis_do_not_count),
		cmocka_unit_test(calls_denied_in_part_are_counted_apart),
		cmocka_unit_test(clone3_is_denied_with_a_part_of_clone),
		cmocka_unit_test(clone3_follows_clone),
		cmocka_unit_test(clone3_is_left_alone_otherwise),
		cmocka_unit_test(a_role_denies_what_it_narrows),
		cmocka_unit_test(a_role_is_held_against_what_the_layers_admit),
		cmocka_unit_test(a_door_is_beside_rows_that_refuse),
		cmocka_unit_test(conditions_of_one_call_are_bounded),
	};
	return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
