/* Layer over layer: what is in force, what was taken back, and what would widen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/policy/match.h"
#include "tests/unit/policy_text.h"

#define BASE "policy base\n"
#define UPPER "policy p\nextends base\n"

static void rows_stand_lower_layers_first(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_over(
		BASE "allow node  adr 1  because \"r\"\nallow git  adr 1  because \"r\"\n",
		UPPER "forbid strace  adr 1  because \"r\"\nallow dive  adr 1  because \"r\"\n"
		      "decline jq  adr 1  because \"r\"\n");
	assert_clean(&text);
	assert_string_equal(policy_text_subjects(&text), "node git strace dive jq");
	assert_int_equal(text.policy->rows[1]->layer->index, 0);
	assert_int_equal(text.policy->rows[2]->layer->index, 1);
	assert_string_equal(text.policy->rows[1]->citations[0].text, "base/1");
	assert_string_equal(text.policy->rows[2]->citations[0].text, "p/1");
	assert_int_equal(text.policy->allowed_count, 3);
	assert_int_equal(text.policy->forbidden_count, 1);
	assert_int_equal(text.policy->declined_count, 1);
	policy_text_end(&text);
}

static void a_revoked_row_leaves_and_both_are_recorded(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load_over(BASE "allow docker, \"docker buildx\", git  adr 1  because \"r\"\n",
				      UPPER "revoke \"docker buildx\"  adr 2  because \"r\"\n");
	assert_clean(&text);
	assert_string_equal(policy_text_subjects(&text), "docker git");
	assert_int_equal(text.policy->revocation_count, 1);
	const struct revocation *revocation = &text.policy->revocations[0];
	assert_string_equal(revocation->row->subject, "docker buildx");
	assert_true(revocation->row->revoked);
	assert_int_equal(revocation->row->layer->index, 0);
	assert_int_equal(revocation->revoke->verb, VERB_REVOKE);
	assert_string_equal(revocation->revoke->citations[0].text, "p/2");
	assert_null(policy_find(text.policy, "docker buildx"));
	assert_string_equal(policy_match(text.policy, "docker buildx build")->subject, "docker");
	assert_int_equal(text.policy->allowed_count, 2);
	policy_text_end(&text);
}

static void a_revoke_acts_before_the_rows_of_its_layer(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_over(
		BASE "allow strace  adr 1  because \"r\"\n",
		UPPER "forbid strace  adr 2  because \"r\"\nrevoke strace  adr 2  because \"r\"\n");
	assert_clean(&text);
	assert_int_equal(text.policy->row_count, 1);
	assert_int_equal(policy_find(text.policy, "strace")->verb, VERB_FORBID);
	assert_int_equal(text.policy->allowed_count, 0);
	assert_int_equal(text.policy->forbidden_count, 1);
	policy_text_end(&text);
}

static void a_decline_hides_nothing(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_over(BASE "decline strace  adr 1  because \"r\"\n",
							UPPER "allow strace  adr 2  because \"r\"\n");
	assert_clean(&text);
	assert_int_equal(text.policy->row_count, 2);
	assert_int_equal(policy_find(text.policy, "strace")->verb, VERB_ALLOW);
	assert_int_equal(policy_verdict(text.policy, "strace -f"), VERDICT_ALLOWED);
	policy_text_end(&text);
	text = policy_text_load("policy p\ndecline strace  adr 1  because \"r\"\n");
	assert_clean(&text);
	assert_null(policy_find(text.policy, "strace"));
	assert_int_equal(policy_verdict(text.policy, "strace"), VERDICT_UNLISTED);
	policy_text_end(&text);
}

static void what_an_upper_layer_may_not_say(void **state)
{
	(void)state;
	static const char lower[] = BASE "allow git  adr 1  because \"r\"\nforbid su  adr 1  because \"r\"\n";
	assert_found_over(lower, UPPER "allow git  adr 2  because \"r\"\n", "error repeat p.allow:3:7\n");
	assert_found_over(lower, UPPER "forbid git  adr 2  because \"r\"\n", "error conflict p.allow:3:8\n");
	assert_found_over(lower, UPPER "allow \"su root\"  adr 2  because \"r\"\n",
			  "error conflict p.allow:3:7\n");
	assert_found_over(lower, UPPER "allow su  adr 2  because \"r\"\n", "error conflict p.allow:3:7\n");
	assert_found_over(lower, UPPER "decline git  adr 2  because \"r\"\n",
			  "warning declined p.allow:3:9\n");
	assert_found_over(lower, UPPER "revoke \"git pull\"  adr 2  because \"r\"\n",
			  "error revoke p.allow:3:8\n");
}

static void a_longer_forbid_narrows(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_over(BASE "allow git  adr 1  because \"r\"\n",
							UPPER "forbid \"git push\"  adr 2  because \"r\"\n");
	assert_string_equal(text.found, "warning prefix-forbid p.allow:3:8\n");
	assert_int_equal(policy_verdict(text.policy, "git pull"), VERDICT_ALLOWED);
	assert_int_equal(policy_verdict(text.policy, "git push -f"), VERDICT_FORBIDDEN);
	assert_int_equal(policy_verdict(text.policy, "git pushx"), VERDICT_ALLOWED);
	policy_text_end(&text);
}

static void one_row_for_each_subject_of_a_layer(void **state)
{
	(void)state;
	assert_found("policy p\nallow git  adr 1  because \"r\"\nforbid node, git  adr 1  because \"r\"\n",
		     "error duplicate p.allow:3:14\n");
	assert_found("policy p\nforbid syscall ptrace, ptrace  adr 1  because \"r\"\n",
		     "error duplicate p.allow:2:24\n");
	assert_found_over("policy base\nforbid syscall ptrace  adr 1  because \"r\"\n",
			  UPPER "revoke syscall ptrace, ptrace  adr 1  because \"r\"\n",
			  "error duplicate p.allow:3:24\n");
	/* A command and a system call of one name are two subjects. */
	assert_found("policy p\nforbid \"ptrace\"  adr 1  because \"r\"\nforbid syscall ptrace  adr 1  "
		     "because \"r\"\n",
		     "");
}

static void the_row_of_a_group_is_taken_back_by_the_group(void **state)
{
	(void)state;
	static const char lower[] =
		BASE "syscalls @raw { swapon; acct }\nforbid syscall @raw  adr 1  because \"r\"\n";
	struct policy_text text =
		policy_text_load_over(lower, UPPER "revoke syscall @raw  adr 2  because \"r\"\n");
	assert_clean(&text);
	assert_int_equal(text.policy->row_count, 0);
	assert_int_equal(text.policy->seccomp.denied_count, 0);
	policy_text_end(&text);
	assert_found_over(lower, UPPER "revoke syscall acct  adr 2  because \"r\"\n",
			  "error revoke p.allow:3:16\n");
}

static void a_broken_row_is_held_against_no_other(void **state)
{
	(void)state;
	static const char base[] = BASE "allow git  adr 1  because \"r\"\n";
	assert_found_over(base, UPPER "forbid git  adr 1\n", "error missing-reason p.allow:3:8\n");
	assert_found_over(base, UPPER "allow git\n", "error missing-adr p.allow:3:7\nwarning reason p.allow:3:7\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_stand_lower_layers_first),
		cmocka_unit_test(a_revoked_row_leaves_and_both_are_recorded),
		cmocka_unit_test(a_revoke_acts_before_the_rows_of_its_layer),
		cmocka_unit_test(a_decline_hides_nothing),
		cmocka_unit_test(what_an_upper_layer_may_not_say),
		cmocka_unit_test(a_longer_forbid_narrows),
		cmocka_unit_test(one_row_for_each_subject_of_a_layer),
		cmocka_unit_test(the_row_of_a_group_is_taken_back_by_the_group),
		cmocka_unit_test(a_broken_row_is_held_against_no_other),
	};
	return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
