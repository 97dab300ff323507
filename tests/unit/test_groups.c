/* Named sets of system calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"

/* The calls of "@all", which the text defines. */
static void assert_members(const char *groups, const char *members)
{
	struct policy_text text = policy_text_begin();
	policy_text_add(&text, "p.allow",
			arena_printf(text.compilation.arena,
				     "policy p\n%s\nforbid syscall @all  adr 1  because \"r\"\n", groups));
	policy_text_add(&text, "l.allow", "syscalls @raw { swapon; acct }\n");
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	const struct row *row = policy_text_row(&text, "@all");
	assert_string_equal(policy_text_calls(&text, row->calls, row->call_count), members);
	policy_text_end(&text);
}

static void members_are_sorted_and_distinct(void **state)
{
	(void)state;
	assert_members("syscalls @all { write, read; ptrace\nread }", "ptrace read write");
	assert_members("syscalls @all {\n    read,\n    write\n}", "read write");
	assert_members("syscalls @all { read, _llseek }", "_llseek read"); /* the first that there is */
}

static void groups_hold_groups_wherever_they_are_defined(void **state)
{
	(void)state;
	assert_members("syscalls @all { @id, read }\nsyscalls @id { getpid; @more }\nsyscalls @more { read; "
		       "gettid }",
		       "getpid gettid read");
}

static void libraries_bring_groups(void **state)
{
	(void)state;
	assert_members("syscalls @all { @raw; read }\nuse \"l.allow\"", "acct read swapon");
}

static void lower_layers_define_for_upper_ones(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load_over("policy base\nsyscalls @io { read; write }\n",
				      "policy p\nextends base\nforbid syscall @io  adr 1  because \"r\"\n");
	assert_clean(&text);
	const struct row *row = policy_text_row(&text, "@io");
	assert_string_equal(policy_text_calls(&text, row->calls, row->call_count), "read write");
	policy_text_end(&text);
	assert_found_over("policy base\nsyscalls @io { read }\n",
			  "policy p\nextends base\nsyscalls @io { write }\n",
			  "error duplicate p.allow:3:10\n");
}

/* A mistake in a group is found though no row names it, and once though several do. */
static void each_mistake_in_a_group_is_found_once(void **state)
{
	(void)state;
	assert_found("policy p\nsyscalls @io { reed; write; @id }\n",
		     "error syscall p.allow:2:16\nerror group p.allow:2:29\n");
	assert_found("policy p\nsyscalls @io { reed }\n"
		     "forbid syscall @io  adr 1  because \"r\"\n"
		     "forbid strace  adr 1  because \"r\"  needs syscall @io\n",
		     "error syscall p.allow:2:16\n");
	assert_found("policy p\nsyscalls @io { }\n", "error group p.allow:2:10\n");
	assert_found("policy p\nsyscalls { read }\nforbid syscall @io  adr 1  because \"r\"\n",
		     "error syntax p.allow:2:10\n");
	assert_found("policy p\nsyscalls io { read }\nforbid syscall @io  adr 1  because \"r\"\n",
		     "error group p.allow:2:10\n");
	assert_found("policy p\nsyscalls io { read }\n", "error group p.allow:2:10\n");
	assert_found("policy p\nsyscalls @Io { read }\n", "error group p.allow:2:10\n");
}

static void a_group_in_itself_is_refused_where_it_closes(void **state)
{
	(void)state;
	assert_found("policy p\nsyscalls @a { read; @a }\n", "error group p.allow:2:21\n");
	assert_found("policy p\nsyscalls @a { @b }\nsyscalls @b { @c }\nsyscalls @c { @a }\n",
		     "error group p.allow:4:15\n");
}

static void groups_nest_64_deep(void **state)
{
	(void)state;
	for (unsigned deep = 64; deep <= 65; deep++) {
		struct policy_text text = policy_text_begin();
		struct arena *arena = text.compilation.arena;
		const char *groups = "policy p\n";
		for (unsigned i = 1; i < deep; i++)
			groups = arena_printf(arena, "%ssyscalls @g%u { @g%u }\n", groups, i, i + 1);
		policy_text_add(&text, "p.allow",
				arena_printf(arena, "%ssyscalls @g%u { read }\n", groups, deep));
		policy_text_resolve(&text, "p.allow");
		assert_string_equal(text.found, deep == 64 ? "" : "error group p.allow:65:17\n");
		assert_int_equal(policy_text_helps(&text, "name the system calls themselves"), deep > 64);
		policy_text_end(&text);
	}
}

static void a_call_has_its_conditions_once_or_none(void **state)
{
	(void)state;
	assert_members("syscalls @all { kill(sig == 9), kill(sig == 15); @more }\n"
		       "syscalls @more { kill(sig == 9), lchown }",
		       "kill(sig == 9) kill(sig == 15) lchown");
	assert_members("syscalls @all { kill(sig == 9), kill, kill(sig == 15), read }", "kill read");
}

/* What is too large is not taken in part, nor missed. */
static void a_group_names_10000(void **state)
{
	(void)state;
	static const char past[] = "forbid syscall @x  adr 1  because \"r\"  with kill\n"
				   "forbid syscall read  adr 1  because \"r\"  with errno EPERM\n"
				   "expect denied syscall write\n";
	for (size_t count = 10000; count <= 10001; count++) {
		struct policy_text text = policy_text_begin();
		char *names = arena_alloc(text.compilation.arena, 6 * count + 1);
		for (size_t i = 0; i < count; i++)
			memcpy(names + 6 * i, i + 1 < count ? "read,\n" : " read\n", 6);
		policy_text_add(&text, "p.allow",
				arena_printf(text.compilation.arena, "policy p\n%ssyscalls @x {\n%s}\n",
					     count > 10000 ? past : "", names));
		policy_text_resolve(&text, "p.allow");
		assert_string_equal(text.found, count > 10000 ? "error limit p.allow:10006:2\n" : "");
		assert_int_equal(policy_text_helps(&text, "divide it into groups, and name those in one"),
				 count > 10000);
		policy_text_end(&text);
	}
}

/* Ten groups name 1,000 times one of 100 calls. What is past that is not taken in part either, and said once. */
static void groups_hold_a_million_calls_of_others(void **state)
{
	(void)state;
	struct policy_text text = policy_text_begin();
	struct arena *arena = text.compilation.arena;
	const char *groups = "policy p\nsyscalls @h { ";
	for (size_t i = 0; i < 100; i++) /* brk is one of them */
		groups = arena_printf(arena, "%s%s;", groups, abi_call(ABI_X86_64, i)->name);
	char *thousand = arena_alloc(arena, 3 * 1000 + 1);
	for (size_t i = 0; i < 1000; i++)
		memcpy(thousand + 3 * i, "@h;", 3);
	groups = arena_printf(arena, "%s }\n", groups);
	for (int i = 0; i < 10; i++)
		groups = arena_printf(arena, "%ssyscalls @m%d { %s }\n", groups, i, thousand);
	policy_text_add(&text, "p.allow",
			arena_printf(arena,
				     "%ssyscalls @two { @h }\nsyscalls @three { openat, @h }\n"
				     "forbid syscall @two, @three  adr 1  because \"r\"  with kill\n"
				     "forbid syscall brk  adr 1  because \"r\"  with errno EPERM\n"
				     "expect denied syscall kcmp\n",
				     groups));
	policy_text_resolve(&text, "p.allow");
	assert_string_equal(text.found, "error limit p.allow:13:17\n");
	assert_true(policy_text_helps(&text, "name what a row needs on the row"));
	policy_text_end(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_sorted_and_distinct),
		cmocka_unit_test(groups_hold_groups_wherever_they_are_defined),
		cmocka_unit_test(libraries_bring_groups),
		cmocka_unit_test(lower_layers_define_for_upper_ones),
		cmocka_unit_test(each_mistake_in_a_group_is_found_once),
		cmocka_unit_test(a_group_in_itself_is_refused_where_it_closes),
		cmocka_unit_test(groups_nest_64_deep),
		cmocka_unit_test(a_group_names_10000),
		cmocka_unit_test(groups_hold_a_million_calls_of_others),
		cmocka_unit_test(a_call_has_its_conditions_once_or_none),
	};
	return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}
