/* Clauses of a call, in the order in which they are asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/filter/clauses.h"
#include "tests/unit/policy_text.h"

/* "TEST && TEST: ACTION; …; otherwise ACTION", with arguments by their numbers. */
static const char *shown(struct policy_text *text, const struct clauses *clauses)
{
	struct compilation *compilation = &text->compilation;
	const char *list = "";
	for (size_t i = 0; i < clauses->count; i++) {
		const struct clause *clause = &clauses->items[i];
		for (size_t k = 0; k < clause->count; k++)
			list = arena_printf(compilation->arena, "%s%sarg%d %s %llu", list, k ? " && " : "",
					    clause->tests[k].index,
					    comparison_sign(clause->tests[k].operator),
					    (unsigned long long)clause->tests[k].value);
		list = arena_printf(compilation->arena, "%s: %s; ", list,
				    action_text(compilation, clause->action));
	}
	return arena_printf(compilation->arena, "%sotherwise %s", list,
			    action_text(compilation, clauses->otherwise));
}

/* Of kill (pid, sig), or of what `call` says. */
static void assert_clauses(const char *rows, const char *call, enum abi abi, const char *expected)
{
	struct policy_text text = policy_text_begin();
	static const char *const quiet[] = { "no-fixed-condition", "no-unseen-argument", "no-action" };
	for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
		assert_null(diags_option(text.compilation.diags, quiet[i]));
	policy_text_add(&text, "p.allow", arena_printf(text.compilation.arena, "policy p\n%s", rows));
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	struct clauses clauses = clauses_make(text.compilation.arena, text.policy, syscall_find(call), abi);
	assert_string_equal(shown(&text, &clauses), expected);
	assert_true(clauses_equal(&clauses, &clauses));
	policy_text_end(&text);
}

#define R "  adr 1  because \"r\""

/* After the rows, which add to it; a denial takes from both. */
static void a_base_lists_calls_with_conditions(void **state)
{
	(void)state;
	assert_clauses("syscalls @few { read, kill(sig < 9) }\nseccomp { base @few }\n", "kill", ABI_X86_64,
		       "arg1 < 9: allow; otherwise errno EPERM");
	assert_clauses("syscalls @few { read, kill(sig < 9) }\nseccomp { base @few }\n"
		       "allow syscall kill(pid == 7)" R "\nforbid syscall kill(sig == 3)" R " with kill\n",
		       "kill", ABI_X86_64,
		       "arg1 == 3: kill; arg0 == 7: allow; arg1 < 9: allow; otherwise errno EPERM");
	assert_clauses("syscalls @few { read, kill(sig < 9) }\nseccomp { base @few }\n"
		       "allow syscall kill" R "\n",
		       "kill", ABI_X86_64, "otherwise allow");
	/* A line in the log lets nothing pass that is not listed. */
	assert_clauses("syscalls @few { read, kill(sig < 9) }\nseccomp { base @few }\n"
		       "forbid syscall kill(pid == 1)" R " with log\n",
		       "kill", ABI_X86_64,
		       "arg0 == 1 && arg1 < 9: log; arg1 < 9: allow; otherwise errno EPERM");
}

static void a_deny_list_lets_the_rest_pass(void **state)
{
	(void)state;
	assert_clauses("forbid syscall kill(sig == 9 && pid != 1), kill(sig == 15)" R "\n", "kill",
		       ABI_X86_64,
		       "arg1 == 9 && arg0 != 1: errno EPERM; arg1 == 15: errno EPERM; otherwise allow");
	assert_clauses("forbid syscall kill(sig == 9)" R "\n", "tkill", ABI_X86_64, "otherwise allow");
}

/* An action of its own is asked for before `deny-with`, wherever the rows stand. */
static void own_actions_come_first(void **state)
{
	(void)state;
	assert_clauses("forbid syscall kill(sig > 3)" R "\nforbid syscall kill(sig == 9)" R " with kill\n",
		       "kill", ABI_X86_64, "arg1 == 9: kill; arg1 > 3: errno EPERM; otherwise allow");
	assert_clauses("forbid syscall kill" R "\nforbid syscall kill(sig == 9)" R " with kill\n", "kill",
		       ABI_X86_64, "arg1 == 9: kill; otherwise errno EPERM");
	/* What the whole call gets anyway is asked for nothing. */
	assert_clauses("forbid syscall kill" R " with kill\nforbid syscall kill(sig == 9)" R "\n", "kill",
		       ABI_X86_64, "otherwise kill");
}

static void an_allow_list_lets_its_own_pass(void **state)
{
	(void)state;
	static const char rows[] =
		"seccomp { default errno ENOSYS }\nallow syscall kill(sig == 0), kill(pid == 1)" R
		"\nforbid syscall kill(sig == 9)" R "\n";
	assert_clauses(rows, "kill", ABI_X86_64,
		       "arg1 == 9: errno EPERM; arg1 == 0: allow; arg0 == 1: allow; otherwise errno ENOSYS");
	assert_clauses("seccomp { default errno ENOSYS }\nallow syscall kill, kill(sig == 0)" R "\n", "kill",
		       ABI_X86_64, "otherwise allow");
}

/* `log` where calls are denied by omission: only for what an `allow` lets pass. */
static void log_is_for_what_passes(void **state)
{
	(void)state;
	assert_clauses("seccomp { default errno ENOSYS }\nallow syscall kill(pid == 1)" R
		       "\nforbid syscall kill(sig == 9)" R " with log\n",
		       "kill", ABI_X86_64,
		       "arg1 == 9 && arg0 == 1: log; arg0 == 1: allow; otherwise errno ENOSYS");
}

static void what_an_abi_cannot_see_refuses(void **state)
{
	(void)state;
	static const char forbid[] = "forbid syscall mmap(prot & 4)" R "\n";
	assert_clauses(forbid, "mmap", ABI_X86_64, "arg2 & 0: errno EPERM; otherwise allow");
	assert_clauses(forbid, "mmap", ABI_I386, "otherwise errno EPERM");
	static const char allow[] = "seccomp { default errno ENOSYS }\nallow syscall mmap(prot < 4)" R "\n";
	assert_clauses(allow, "mmap", ABI_X86_64, "arg2 < 4: allow; otherwise errno ENOSYS");
	assert_clauses(allow, "mmap", ABI_I386, "otherwise errno ENOSYS");
}

static void what_never_holds_is_left_out(void **state)
{
	(void)state;
	static const char rows[] =
		"forbid syscall lseek(offset > 0xffffffff), lseek(offset >= 0 && fd == 7)" R "\n";
	assert_clauses(rows, "lseek", ABI_X86_64,
		       "arg1 > 4294967295: errno EPERM; arg0 == 7: errno EPERM; otherwise allow");
	assert_clauses(rows, "lseek", ABI_I386, "arg0 == 7: errno EPERM; otherwise allow");
	assert_clauses("forbid syscall kill(sig >= 0)" R "\n", "kill", ABI_X86_64, "otherwise errno EPERM");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deny_list_lets_the_rest_pass),
		cmocka_unit_test(a_base_lists_calls_with_conditions),
		cmocka_unit_test(own_actions_come_first),
		cmocka_unit_test(an_allow_list_lets_its_own_pass),
		cmocka_unit_test(log_is_for_what_passes),
		cmocka_unit_test(what_an_abi_cannot_see_refuses),
		cmocka_unit_test(what_never_holds_is_left_out),
	};
	return cmocka_run_group_tests_name("clauses", tests, NULL, NULL);
}
