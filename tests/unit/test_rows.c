/* What the attributes of a row become, and what is said of those that do not fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"

static void each_subject_has_a_row_with_what_the_attributes_say(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\nallow git, node  adr 01, base/2  because "
						   "\"why\"  on linux, freebsd  until 2027-01-31\n");
	assert_clean(&text);
	assert_string_equal(policy_text_subjects(&text), "git node");
	for (size_t i = 0; i < 2; i++) {
		const struct row *row = text.policy->rows[i];
		assert_int_equal(row->verb, VERB_ALLOW);
		assert_int_equal(row->citation_count, 2);
		assert_string_equal(row->citations[0].text, "p/01");
		assert_string_equal(row->citations[1].text, "base/2");
		assert_null(row->citations[0].adr);
		assert_string_equal(row->reason, "why");
		assert_null(row_more(row)->instead);
		assert_int_equal(row_more(row)->platforms, 1u << PLATFORM_LINUX | 1u << PLATFORM_FREEBSD);
		assert_string_equal(row_more(row)->until, "2027-01-31");
		assert_ptr_equal(row->layer, &text.policy->layers[0]);
		assert_null(row->block);
		assert_int_equal(row->statement, 9);
	}
	assert_int_equal(text.policy->rows[0]->span.begin, 15);
	assert_int_equal(text.policy->rows[1]->span.begin, 20);
	policy_text_end(&text);
}

static void needs_add_up_in_the_order_of_the_text(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n"
						   "syscalls @raw { swapon; acct }\n"
						   "forbid strace  adr 1  because \"r\" {\n"
						   "    needs syscall @raw, kcmp\n"
						   "    needs CAP_SYS_PTRACE\n"
						   "}\n");
	assert_clean(&text);
	const struct row *row = policy_text_row(&text, "strace");
	assert_int_equal(row_more(row)->need_count, 3);
	assert_null(row_more(row)->needs[0].capability);
	assert_string_equal(
		policy_text_calls(&text, row_more(row)->needs[0].calls, row_more(row)->needs[0].call_count),
		"acct swapon");
	assert_string_equal(
		policy_text_calls(&text, row_more(row)->needs[1].calls, row_more(row)->needs[1].call_count),
		"kcmp");
	assert_string_equal(row_more(row)->needs[2].capability->name, "CAP_SYS_PTRACE");
	assert_string_equal(
		policy_text_calls(&text, row_more(row)->needs[2].calls, row_more(row)->needs[2].call_count),
		"kcmp pidfd_getfd process_madvise process_vm_readv process_vm_writev ptrace");
	policy_text_end(&text);
}

static void requirements_keep_their_versions(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n"
				 "allow docker, git  adr 1  because \"r\"\n"
				 "allow dive  adr 1  because \"r\"  requires docker >= 20.10, git\n");
	assert_clean(&text);
	const struct row *row = policy_text_row(&text, "dive");
	assert_int_equal(row_more(row)->requirement_count, 2);
	assert_string_equal(row_more(row)->requirements[0].command, "docker");
	assert_string_equal(row_more(row)->requirements[0].operator, ">=");
	assert_string_equal(row_more(row)->requirements[0].version, "20.10");
	assert_string_equal(row_more(row)->requirements[1].command, "git");
	assert_null(row_more(row)->requirements[1].operator);
	assert_null(row_more(row)->requirements[1].version);
	assert_int_equal(row_more(policy_text_row(&text, "git"))->requirement_count, 0);
	policy_text_end(&text);
}

static void actions_are_read_by_name_and_by_number(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n"
				 "forbid syscall ptrace  adr 1  because \"r\"  with errno EACCES\n"
				 "forbid syscall kcmp  adr 1  because \"r\"  with errno 4095\n"
				 "forbid syscall bpf  adr 1  because \"r\"  with kill\n"
				 "forbid syscall mount  adr 1  because \"r\"\n");
	assert_clean(&text);
	const struct row *row = policy_text_row(&text, "ptrace");
	assert_true(row_more(row)->has_action);
	assert_int_equal(row_more(row)->action.kind, ACTION_ERRNO);
	assert_int_equal(row_more(row)->action.errno_value, 13);
	assert_int_equal(row_more(policy_text_row(&text, "kcmp"))->action.errno_value, 4095);
	assert_int_equal(row_more(policy_text_row(&text, "bpf"))->action.kind, ACTION_KILL);
	assert_false(row_more(policy_text_row(&text, "mount"))->has_action);
	policy_text_end(&text);
}

static void paths_and_what_to_use_instead_are_kept(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n"
				 "allow git  adr 1  because \"r\"  path \"/usr/bin/git\", \"/bin/git\"\n"
				 "forbid strace  adr 1  because \"r\"  instead \"the host's trace\"\n");
	assert_clean(&text);
	const struct row *row = policy_text_row(&text, "git");
	assert_int_equal(row_more(row)->path_count, 2);
	assert_string_equal(row_more(row)->paths[0], "/usr/bin/git");
	assert_string_equal(row_more(row)->paths[1], "/bin/git");
	assert_string_equal(row_more(policy_text_row(&text, "strace"))->instead, "the host's trace");
	policy_text_end(&text);
}

static void values_are_refused_where_they_stand(void **state)
{
	(void)state;
	assert_found("policy p\nallow git  adr 1  because \"r\"  on linux, linux\n",
		     "error value p.allow:2:42\n");
	assert_found("policy p\nallow git  adr 1  because \"r\"  until 2026-02-29\n",
		     "error value p.allow:2:38\n");
	assert_found("policy p\nallow git  adr 1, 01, p/1  because \"r\"\n",
		     "error duplicate p.allow:2:23\n");
	assert_found("policy p\nallow git  adr 1  because \"r\"  path \"/bin/\"\n",
		     "error value p.allow:2:37\n");
	assert_found("policy p\nallow git  adr 1  because \"r\"  path \"/a\", \"/a\"\n",
		     "error value p.allow:2:43\n");
	assert_found("policy p\nallow git  adr 1  because \" \"\n", "error missing-reason p.allow:2:27\n");
	assert_found("policy p\nforbid syscall kcmp  adr 1  because \"r\"  with errno 4096\n",
		     "error value p.allow:2:53\n");
	assert_found("policy p\nforbid syscall kcmp  adr 1  because \"r\"  with allow\n",
		     "error value p.allow:2:47\n");
	assert_found("policy p\nforbid syscall kcmp  adr 1  because \"r\"  with errno 0\n",
		     "error value p.allow:2:53\n");
}

/* Nothing is said of what a row with a mistake leaves undone: it is neither missing nor unlisted. */
static void nothing_follows_from_a_row_with_a_mistake(void **state)
{
	(void)state;
	assert_found("policy p\n"
		     "allow git  adr 1  because \"r\"  on linx\n"
		     "allow dive  adr 1  because \"r\"  requires git\n"
		     "plugin x { tools git }\n"
		     "expect allowed git, \"git push\"\n",
		     "error value p.allow:2:35\n");
	static const struct {
		const char *attributes, *found;
	} cases[] = {
		{ "because \"r\"  as vcs", "error attribute p.allow:2:36\n" },
		{ "because \"r\"  because \"s\"", "error duplicate p.allow:2:36\n" },
		{ "because \" \"", "error missing-reason p.allow:2:31\n" },
		{ "because \"r\"  requires /bin/x", "error command p.allow:2:45\n" },
		{ "because \"r\"  needs CAP_NET_ROW", "error capability p.allow:2:42\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char policy[200];
		snprintf(policy, sizeof policy, "policy p\nallow git, jq  adr 1  %s\nexpect forbidden git\n",
			 cases[i].attributes);
		assert_found(policy, cases[i].found);
	}
}

/* Nor of one whose mistake is past those that are told. */
static void a_mistake_that_is_not_told_brings_no_other(void **state)
{
	(void)state;
	struct policy_text text = { .compilation = compilation_begin(1) };
	assert_null(diags_option(text.compilation.diags, "no-adr-unchecked"));
	policy_text_add(&text, "p.allow",
			"policy p\nforbid strace  adr 1\n"
			"allow git  adr 1  because \"r\"  needs CAP_NET_ROW\nexpect forbidden git\n");
	policy_text_resolve(&text, "p.allow");
	assert_string_equal(text.found, "error missing-reason p.allow:2:8\n");
	assert_int_equal(diags_hidden_errors(text.compilation.diags), 1);
	policy_text_end(&text);
}

static void a_row_that_requires_itself_or_what_is_forbidden(void **state)
{
	(void)state;
	assert_found("policy p\nallow git  adr 1  because \"r\"  requires git\n",
		     "error requires p.allow:2:41\n");
	assert_found("policy p\n"
		     "forbid docker  adr 1  because \"r\"\n"
		     "allow dive  adr 1  because \"r\"  requires docker\n",
		     "error requires p.allow:3:42\n");
}

static void a_missing_reason_and_adr_are_two_mistakes(void **state)
{
	(void)state;
	assert_found("policy p\nforbid strace\n",
		     "error missing-adr p.allow:2:8\nerror missing-reason p.allow:2:8\n");
	assert_found("policy p\nallow git, node  adr 1\n", "warning reason p.allow:2:7\n");
}

/* And of calls that pass for want of such a row nobody is told, but of those that pass beside it. */
static void a_broken_row_denies_nothing(void **state)
{
	(void)state;
	static const char expect[] = "expect denied syscall ptrace\n";
	static const struct {
		const char *row, *found;
	} cases[] = {
		{ "forbid CAP_SYS_PTRACE  adr 1\n", "error missing-reason p.allow:2:8\n" },
		{ "forbid CAP_SYS_PTRACER, strace  adr 1  because \"r\"\n",
		  "error capability p.allow:2:8\n" },
		{ "forbid strace  adr 1  needs syscall ptrace\n", "error missing-reason p.allow:2:8\n" },
		{ "forbid strace  adr 1\n", "error missing-reason p.allow:2:8\nerror expect p.allow:3:23\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char policy[200];
		snprintf(policy, sizeof policy, "policy p\n%s%s", cases[i].row, expect);
		assert_found(policy, cases[i].found);
	}
}

/* As the language has it. */
static void each_attribute_has_its_rows(void **state)
{
	(void)state;
	static const char *const rows[] = { "allow git",
					    "forbid git",
					    "decline git",
					    "forbid CAP_SYS_PTRACE",
					    "allow syscall ptrace",
					    "forbid syscall ptrace",
					    "revoke git" };
	static const struct {
		const char *attribute, *fits; /* a letter for each row */
	} cases[] = {
		{ "needs CAP_NET_RAW", "yy-----" },
		{ "requires node", "y------" },
		{ "as vcs", "y------" },
		{ "path \"/usr/bin/git\"", "yy-----" },
		{ "instead \"ask\"", "-yyy-y-" },
		{ "with kill", "-y-y-y-" },
		{ "on linux", "yyyyyy-" },
		{ "until 2099-01-31", "yyyyyy-" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
			char policy[200];
			snprintf(policy, sizeof policy, "policy p\n%s  adr 1  because \"r\"  %s\n", rows[k],
				 cases[i].attribute);
			struct policy_text text = policy_text_load(policy);
			bool fits = !strstr(text.found, "error attribute ");
			if (fits != (cases[i].fits[k] == 'y'))
				fail_msg("%s: %s", policy, text.found);
			policy_text_end(&text);
		}
	}
	/* Most may stand on a list. */
	assert_found("policy p\nallow node  adr 1  because \"r\"\n"
		     "allow git, jq  adr 1  because \"r\"  needs CAP_NET_RAW  requires node\n"
		     "forbid syscall ptrace, kcmp  adr 1  because \"r\"  instead \"ask\"  with kill\n",
		     "");
	assert_found("policy p\nallow git, jq  adr 1  because \"r\"  as vcs\n",
		     "error attribute p.allow:2:36\n");
	assert_found("policy p\nforbid git, jq  adr 1  because \"r\"  path \"/bin/x\"\n",
		     "error attribute p.allow:2:37\n");
}

static void each_need_is_looked_at_until_one_is_denied(void **state)
{
	(void)state;
	assert_found("policy p\nforbid CAP_SYS_PTRACE, CAP_SYS_ADMIN  adr 1  because \"r\"\n"
		     "allow gdb  adr 1  because \"r\"  needs CAP_NET_RAW, CAP_SYS_PTRACE, CAP_SYS_ADMIN\n",
		     "error needs-denied p.allow:3:51\n");
	assert_found("policy p\nallow tcpdump  adr 1  because \"r\"  needs CAP_FSETID\n"
		     "role r { forbid CAP_FSETID  adr 1  because \"r\" }\n",
		     "error needs-denied p.allow:2:42\nwarning capability-unseen p.allow:3:17\n");
	assert_found("policy p\nforbid CAP_SYS_PTRACE  adr 1  because \"r\"\nallow gdb  adr 1  needs "
		     "CAP_SYS_PTRACE\n",
		     "warning reason p.allow:3:7\nerror needs-denied p.allow:3:25\n");
	assert_found("policy p\nforbid CAP_SYS_PTRACE  adr 1  because \"r\"\n"
		     "allow gdb  adr 1  because \"r\"  needs CAP_SYS_PTRACE\n"
		     "allow tcpdump  adr 1  because \"r\"  needs CAP_NET_RAW\n"
		     "role r { forbid CAP_NET_RAW  adr 1  because \"r\" }\n",
		     "error needs-denied p.allow:3:38\n");
	assert_found("policy p\nallow gdb  adr 1  because \"r\"  needs CAP_SYS_PTRACE\n"
		     "role r {\nallow \"gdb -x\"  adr 1  because \"r\"\nforbid gdb  adr 1  because \"r\"\n"
		     "forbid CAP_SYS_PTRACE  adr 1  because \"r\"\n}\n",
		     "error needs-denied p.allow:2:38\n");
	assert_found("policy p\nseccomp { default errno EPERM }\nallow syscall read  adr 1  because \"r\"\n"
		     "allow x  adr 1  because \"r\"  needs syscall write, kcmp\n",
		     "error needs-denied p.allow:4:44\n");
	assert_found("policy p\nrole r { allow x  because \"r\"  requires y }\n",
		     "error missing-adr p.allow:2:16\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_subject_has_a_row_with_what_the_attributes_say),
		cmocka_unit_test(needs_add_up_in_the_order_of_the_text),
		cmocka_unit_test(requirements_keep_their_versions),
		cmocka_unit_test(actions_are_read_by_name_and_by_number),
		cmocka_unit_test(paths_and_what_to_use_instead_are_kept),
		cmocka_unit_test(values_are_refused_where_they_stand),
		cmocka_unit_test(nothing_follows_from_a_row_with_a_mistake),
		cmocka_unit_test(a_mistake_that_is_not_told_brings_no_other),
		cmocka_unit_test(a_row_that_requires_itself_or_what_is_forbidden),
		cmocka_unit_test(a_missing_reason_and_adr_are_two_mistakes),
		cmocka_unit_test(a_broken_row_denies_nothing),
		cmocka_unit_test(each_attribute_has_its_rows),
		cmocka_unit_test(each_need_is_looked_at_until_one_is_denied),
	};
	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
