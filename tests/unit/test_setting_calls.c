/* Settings that name system calls: what a base lists, and what a layer above may do with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"

static void assert_action(struct action action, enum action_kind kind, uint16_t value)
{
	assert_int_equal(action.kind, kind);
	assert_int_equal(action.errno_value, value);
}

static void a_base_lists_its_group(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n"
						   "syscalls @few { write, read }\n"
						   "seccomp { base @few }\n");
	assert_clean(&text);
	const struct seccomp *seccomp = &text.policy->seccomp;
	assert_string_equal(seccomp->base, "@few");
	assert_int_equal(seccomp->base_span.begin,
			 strlen("policy p\nsyscalls @few { write, read }\nseccomp { "));
	assert_string_equal(policy_text_calls(&text, seccomp->base_calls, seccomp->base_call_count),
			    "read write");
	size_t count;
	assert_ptr_equal(base_entries(seccomp, syscall_find("read"), &count), seccomp->base_calls);
	assert_int_equal(count, 1);
	assert_null(base_entries(seccomp, syscall_find("close"), &count));
	assert_int_equal(policy_admitted_calls(text.policy).whole, 2);
	policy_text_end(&text);
}

static void what_is_left_out_gets_the_default_or_eperm(void **state)
{
	(void)state;
	static const struct {
		const char *settings;
		enum action_kind kind;
		uint16_t value;
	} cases[] = {
		{ "base @few", ACTION_ERRNO, 1 },
		{ "default allow; base @few", ACTION_ERRNO, 1 },
		{ "base @few; default errno EACCES", ACTION_ERRNO, 13 },
		{ "base @few; default kill", ACTION_KILL, 0 },
		{ "base @few; default log", ACTION_LOG, 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct policy_text text = policy_text_begin();
		policy_text_add(&text, "p.allow",
				arena_printf(text.compilation.arena,
					     "policy p\nsyscalls @few { read }\nseccomp { %s }\n",
					     cases[i].settings));
		policy_text_resolve(&text, "p.allow");
		assert_clean(&text);
		assert_action(text.policy->seccomp.fallback, cases[i].kind, cases[i].value);
		policy_text_end(&text);
	}
}

/* Calls of rows and of the base together, each once, less what is denied. */
static void rows_add_to_it_and_take_from_it(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n"
						   "syscalls @few { read, write, ptrace }\n"
						   "seccomp { base @few; abi x86_64 }\n"
						   "allow syscall read, mount  adr 1  because \"r\"\n"
						   "forbid syscall ptrace, bpf  adr 1  because \"r\"\n"
						   "expect denied syscall ptrace, bpf, close\n");
	assert_clean(&text);
	assert_int_equal(policy_admitted_calls(text.policy).whole, 3);
	policy_text_end(&text);
}

/* `with log` lets pass what is listed, and opens nothing that is not. */
static void a_logged_call_must_be_listed(void **state)
{
	(void)state;
	assert_found("policy p\n"
		     "syscalls @few { read }\n"
		     "seccomp { base @few }\n"
		     "forbid syscall ptrace  adr 1  because \"r\"  with log\n"
		     "expect denied syscall ptrace\n",
		     "warning action p.allow:4:44\n");
	assert_found("policy p\n"
		     "syscalls @few { read }\n"
		     "seccomp { base @few; abi x86_64 }\n"
		     "forbid syscall read  adr 1  because \"r\"  with log\n"
		     "expect denied syscall read\n",
		     "warning action p.allow:4:42\nerror expect p.allow:5:23\n");
}

static void a_base_above_lists_no_more(void **state)
{
	(void)state;
	static const char few[] = "policy base\nsyscalls @few { read, write }\nseccomp { base @few }\n";
	assert_found_over(few, "policy p\nextends base\nseccomp { base @few }\n", "");
	assert_found_over(few, "policy p\nextends base\nsyscalls @one { read }\nseccomp { base @one }\n", "");
	assert_found_over(few, "policy p\nextends base\nsyscalls @b { read, bpf }\nseccomp { base @b }\n",
			  "error widens p.allow:4:11\n");
	assert_found_over("policy base\n",
			  "policy p\nextends base\nsyscalls @b { read, bpf }\nseccomp { base @b }\n", "");
	assert_found_over("policy base\nseccomp { default log }\n",
			  "policy p\nextends base\nsyscalls @b { read, bpf }\nseccomp { base @b }\n", "");
	assert_found_over("policy base\nseccomp { default kill }\n",
			  "policy p\nextends base\nsyscalls @b { read, bpf }\nseccomp { base @b }\n",
			  "error widens p.allow:4:11\n");
}

/* The base below holds on, whatever else a layer above sets. */
static void a_base_is_inherited(void **state)
{
	(void)state;
	static const char few[] = "policy base\nsyscalls @few { read, write }\nseccomp { base @few }\n";
	assert_found_over(few, "policy p\nextends base\nseccomp { default allow; unknown default }\n", "");
	assert_found_over(few, "policy p\nextends base\nseccomp { unknown log }\n",
			  "error widens p.allow:3:11\n");
	assert_found_over(few, "policy p\nextends base\nseccomp { default log }\n",
			  "error widens p.allow:3:11\n");
	struct policy_text text =
		policy_text_load_over(few, "policy p\nextends base\nseccomp { deny-with kill }\n");
	assert_clean(&text);
	assert_string_equal(text.policy->seccomp.base, "@few");
	assert_action(text.policy->seccomp.fallback, ACTION_ERRNO, 1);
	policy_text_end(&text);
}

static void what_a_base_may_not_be(void **state)
{
	(void)state;
	assert_found("policy p\nseccomp { base read }\n", "error value p.allow:2:16\n");
	assert_found("policy p\nseccomp { base @few }\n", "error group p.allow:2:16\n");
	assert_found("policy p\nsyscalls @few { read }\nseccomp { base @few, @few }\n",
		     "error value p.allow:3:22\n");
}

/* Where the setting is wrong, nothing is said of the calls that pass by what is left. */
static void what_is_wrong_is_told_alone(void **state)
{
	(void)state;
	static const struct {
		const char *setting, *found;
	} cases[] = {
		{ "base read", "error value p.allow:3:16\n" },
		{ "base @few, @few", "error value p.allow:3:22\n" },
		{ "base @none", "error group p.allow:3:16\n" },
		{ "hot read, raed", "error syscall p.allow:3:21\n" },
		{ "hot read, read", "error duplicate p.allow:3:21\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct policy_text text = policy_text_begin();
		assert_found(arena_printf(text.compilation.arena,
					  "policy p\nsyscalls @few { read }\nseccomp { %s }\n"
					  "expect denied syscall acct\n",
					  cases[i].setting),
			     cases[i].found);
		policy_text_end(&text);
	}
}

static const char *hot_names(const struct policy_text *text)
{
	const struct seccomp *seccomp = &text->policy->seccomp;
	const char *names = "";
	for (size_t i = 0; i < seccomp->hot_count; i++)
		names = arena_printf(text->compilation.arena, "%s%s%s", names, i ? " " : "",
				     seccomp->hot[i]->name);
	return names;
}

static void hot_calls_are_those_of_all_entries(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n"
						   "syscalls @few { write, read }\n"
						   "seccomp { hot @few, read, close, _llseek }\n");
	assert_clean(&text);
	assert_string_equal(hot_names(&text), "_llseek close read write");
	policy_text_end(&text);
}

static void hot_calls_above_replace_those_below(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_over("policy base\nseccomp { hot read, write }\n",
							"policy p\nextends base\nseccomp { hot close }\n");
	assert_clean(&text);
	assert_string_equal(hot_names(&text), "close");
	policy_text_end(&text);
	text = policy_text_load_over("policy base\nseccomp { hot read, write }\n",
				     "policy p\nextends base\nseccomp { deny-with kill }\n");
	assert_clean(&text);
	assert_int_equal(text.policy->seccomp.hot_count, 2);
	policy_text_end(&text);
}

static void what_is_said_of_hot_calls(void **state)
{
	(void)state;
	assert_found("policy p\nseccomp { hot raed }\n", "error syscall p.allow:2:15\n");
	assert_found("policy p\nseccomp { hot read, close, read }\n", "error duplicate p.allow:2:28\n");
	assert_found("policy p\nseccomp { hot mmap2; abi x86_64 }\n", "warning hot p.allow:2:15\n");
	assert_found("policy p\nseccomp { hot mmap2; arch x86_64 }\n", "");
	assert_found("policy p\nseccomp { hot read; default kill }\n", "warning hot p.allow:2:15\n");
	assert_found("policy p\n"
		     "seccomp { hot read }\n"
		     "forbid syscall read  adr 1  because \"r\"\n",
		     "warning hot p.allow:2:15\n");
	/* A group is of many uses: only where nothing of it is left is that a mistake. */
	assert_found("policy p\n"
		     "syscalls @few { mmap2, read }\n"
		     "seccomp { hot @few; abi x86_64 }\n"
		     "forbid syscall read  adr 1  because \"r\"\n",
		     "");
	assert_found("policy p\n"
		     "syscalls @few { read, write }\n"
		     "seccomp { hot @few }\n"
		     "forbid syscall read  adr 1  because \"r\"\n",
		     "");
	assert_found("policy p\n"
		     "syscalls @few { mmap2, ugetrlimit }\n"
		     "seccomp { hot @few; abi x86_64 }\n",
		     "warning hot p.allow:3:15\n");
	/* What a layer above replaced is not looked at. */
	assert_found_over("policy base\nseccomp { hot mmap2; abi x86_64 }\n",
			  "policy p\nextends base\nseccomp { hot read }\n", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_base_lists_its_group),
		cmocka_unit_test(what_is_left_out_gets_the_default_or_eperm),
		cmocka_unit_test(rows_add_to_it_and_take_from_it),
		cmocka_unit_test(a_logged_call_must_be_listed),
		cmocka_unit_test(a_base_above_lists_no_more),
		cmocka_unit_test(a_base_is_inherited),
		cmocka_unit_test(what_a_base_may_not_be),
		cmocka_unit_test(what_is_wrong_is_told_alone),
		cmocka_unit_test(hot_calls_are_those_of_all_entries),
		cmocka_unit_test(hot_calls_above_replace_those_below),
		cmocka_unit_test(what_is_said_of_hot_calls),
	};
	return cmocka_run_group_tests_name("setting_calls", tests, NULL, NULL);
}
