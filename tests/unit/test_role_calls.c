/* What the rows of a role make of the filter of the layers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/role_view.h"
#include "compiler/policy/policy.h"
#include "tests/unit/policy_text.h"

/* Whether some arguments of the call pass on x86_64, for the first role. */
static bool passes(struct policy_text *text, const char *call)
{
	const struct policy *view = role_views(text->compilation.arena, text->policy);
	return call_may_pass(view, syscall_find(call), NULL, ABI_X86_64);
}

static void a_role_denies_beside_the_layers(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n"
				 "forbid syscall acct  adr 1  because \"r\"\n"
				 "role gate {\n"
				 "    forbid syscall ptrace  adr 1  because \"r\"\n"
				 "    forbid CAP_SYS_TIME  adr 1  because \"r\"\n"
				 "    forbid perf  adr 1  because \"r\"  needs syscall perf_event_open\n"
				 "}\n");
	assert_clean(&text);
	assert_non_null(text.policy->roles[0]->seccomp);
	assert_false(passes(&text, "acct"));
	assert_false(passes(&text, "ptrace"));
	assert_false(passes(&text, "settimeofday"));
	assert_false(passes(&text, "perf_event_open"));
	assert_true(passes(&text, "read"));
	/* and the layers are as they were */
	assert_true(call_may_pass(text.policy, syscall_find("ptrace"), NULL, ABI_X86_64));
	policy_text_end(&text);
}

/* With the warning that a row does nothing, or "". */
static void assert_no_filter_but(const char *bytes, const char *found)
{
	struct policy_text text = policy_text_load(bytes);
	assert_string_equal(text.found, found);
	assert_non_null(text.policy);
	assert_null(text.policy->roles[0]->seccomp);
	policy_text_end(&text);
}

static void assert_no_filter(const char *bytes)
{
	assert_no_filter_but(bytes, "");
}

static void assert_filter(const char *bytes)
{
	struct policy_text text = policy_text_load(bytes);
	assert_string_equal(text.found, "");
	assert_non_null(text.policy);
	assert_non_null(text.policy->roles[0]->seccomp);
	policy_text_end(&text);
}

static void what_the_layers_deny_already_makes_no_filter(void **state)
{
	(void)state;
	assert_no_filter("policy p\nallow git  adr 1  because \"r\"\n"
			 "role gate { forbid git  adr 1  because \"r\" }\n");
	assert_no_filter("policy p\nforbid syscall acct  adr 1  because \"r\"\n"
			 "role gate { forbid syscall acct  adr 1  because \"r\" }\n");
	assert_no_filter("policy p\nforbid syscall acct  adr 1  because \"r\"\n"
			 "role gate { forbid syscall acct(filename == 0)  adr 1  because \"r\" }\n");
	assert_no_filter("policy p\nforbid syscall acct(filename == 0)  adr 1  because \"r\"\n"
			 "role gate { forbid syscall acct(filename == 0)  adr 1  because \"r\" }\n");
	/* whole conditions that conditions of the layers cover, alone or together, and one that they do not
	 */
	assert_no_filter("policy p\nforbid syscall socket(domain == AF_ALG)  adr 1  because \"r\"\n"
			 "role gate { forbid syscall socket(domain == AF_ALG && type == SOCK_RAW)  adr 1  "
			 "because \"r\" }\n");
	assert_no_filter(
		"policy p\nforbid syscall socket(domain < 3), socket(domain > 5)  adr 1  because \"r\"\n"
		"role gate { forbid syscall socket(domain != 3 && domain != 4 && domain != 5)  adr 1  "
		"because \"r\" }\n");
	assert_filter("policy p\nforbid syscall socket(domain == AF_ALG && type == SOCK_RAW)  adr 1  because "
		      "\"r\"\n"
		      "role gate { forbid syscall socket(domain == AF_ALG)  adr 1  because \"r\" }\n");
	assert_filter("policy p\nforbid syscall socket(domain == AF_ALG)  adr 1  because \"r\"\n"
		      "role gate { forbid syscall socket(domain == AF_ALG && type == SOCK_RAW)  adr 1  "
		      "because \"r\"  with kill }\n");
	assert_no_filter("policy p\nseccomp { default errno EPERM }\n"
			 "role gate { forbid syscall acct  adr 1  because \"r\" }\n");
	/* the layers kill: what would be milder changes nothing */
	assert_no_filter("policy p\nseccomp { default kill }\n"
			 "role gate { forbid syscall acct  adr 1  because \"r\" }\n");
	assert_no_filter_but("policy p\n"
			     "role gate { forbid syscall acct  adr 1  because \"r\"  on macos }\n",
			     "warning platform p.allow:2:28\n");
	assert_no_filter_but("policy p\nseccomp { abi aarch64 }\n"
			     "role gate { forbid syscall arch_prctl  adr 1  because \"r\" }\n",
			     "warning other-abi p.allow:3:28\n");
	assert_no_filter_but("policy p\nseccomp { default log }\n"
			     "role gate { forbid syscall acct  adr 1  because \"r\"  with log }\n",
			     "warning action p.allow:3:54\n");
}

#define WHY "  adr 1  because \"r\""

/* Flags of this name are others on aarch64, for which there is no filter. */
static void conditions_are_compared_on_named_abis(void **state)
{
	(void)state;
	assert_no_filter(
		"policy p\nseccomp { abi x86_64 }\nforbid syscall open(flags & 0x20000)" WHY "\n"
		"role gate { forbid syscall open((flags & O_NOFOLLOW) == O_NOFOLLOW && mode == 0)" WHY
		" }\n");
	assert_filter("policy p\nseccomp { abi x86_64, arm }\nforbid syscall open(flags & 0x20000)" WHY "\n"
		      "role gate { forbid syscall open((flags & O_NOFOLLOW) == O_NOFOLLOW && mode == 0)" WHY
		      " }\n");
}

/* Beyond so many the layers' conditions are not looked at: the filter says the same again. */
static void sixty_four_conditions_may_cover_one(void **state)
{
	(void)state;
	struct policy_text text = policy_text_begin();
	struct arena *arena = text.compilation.arena;
	const char *rows = "policy p\n", *role;
	for (unsigned i = 1; i <= 65; i++) {
		rows = arena_printf(arena, "%sforbid syscall socket(domain == %u)" WHY "\n", rows, i);
		role = arena_printf(
			arena, "role gate { forbid syscall socket(domain == %u && type == 2)" WHY " }\n", i);
		if (i == 64)
			assert_no_filter(arena_printf(arena, "%s%s", rows, role));
	}
	assert_filter(arena_printf(arena, "%s%s", rows, role));
	policy_text_end(&text);
}

static void what_would_be_milder_is_told_once(void **state)
{
	(void)state;
	assert_found("policy p\nseccomp { default kill }\nallow syscall acct(filename == 0)" WHY "\n"
		     "role gate {\n"
		     "forbid syscall acct" WHY "\n"
		     "forbid accton" WHY "  needs syscall acct\n"
		     "}\n",
		     "error widens p.allow:5:16\n");
	/* A row that is wrong denies tcpdump nothing. */
	assert_found("policy p\nforbid syscall socket(domain == AF_PACKET)" WHY
		     "  with kill\nallow tcpdump" WHY "\n"
		     "role gate { forbid CAP_NET_RAW" WHY " }\n",
		     "error widens p.allow:4:20\n");
	assert_found("policy p\nallow tcpdump" WHY "\nrole gate { forbid CAP_NET_RAW" WHY " }\n",
		     "warning known-needs p.allow:2:7\n");
}

static void files_of_roles_are_told_apart(void **state)
{
	(void)state;
	assert_found("policy p\nrole gate.audit { forbid syscall acct" WHY " }\n",
		     "error value p.allow:2:6\n");
	assert_found("policy p\nrole gate.be { forbid syscall acct" WHY " }\n", "error value p.allow:2:6\n");
	assert_filter("policy p\nrole audit.gate { forbid syscall acct" WHY " }\n");
}

static void more_of_a_call_is_another_filter(void **state)
{
	(void)state;
	static const char *const policies[] = {
		"policy p\nforbid syscall acct(filename == 0)  adr 1  because \"r\"\n"
		"role gate { forbid syscall acct  adr 1  because \"r\" }\n",
		"policy p\nforbid syscall acct(filename == 0)  adr 1  because \"r\"\n"
		"role gate { forbid syscall acct(filename == 1)  adr 1  because \"r\" }\n",
		"policy p\nforbid syscall acct  adr 1  because \"r\"\n"
		"role gate { forbid syscall acct  adr 1  because \"r\"  with kill }\n",
		/* what says its action is of another kind than what inherits the same one */
		"policy p\nforbid syscall acct(filename < 2)  adr 1  because \"r\"\n"
		"role gate { forbid syscall acct(filename == 0)  adr 1  because \"r\"  with errno EPERM }\n",
		/* other calls are denied wholly, and by what is less mild */
		"policy p\nforbid syscall acct(filename == 0), swapoff  adr 1  because \"r\"\n"
		"role gate { forbid syscall acct  adr 1  because \"r\" }\n",
		"policy p\nforbid syscall swapoff  adr 1  because \"r\"  with kill\n"
		"role gate { forbid syscall acct  adr 1  because \"r\" }\n",
		"policy p\nseccomp { default errno EPERM }\nallow syscall acct(filename == 0)  adr 1  "
		"because \"r\"\n"
		"role gate { forbid syscall acct  adr 1  because \"r\" }\n",
		"policy p\nseccomp { default errno EPERM }\nallow syscall read, acct  adr 1  because \"r\"\n"
		"role gate { forbid syscall acct  adr 1  because \"r\" }\n",
		"policy p\nseccomp { default errno EPERM }\n"
		"role gate { forbid syscall acct  adr 1  because \"r\"  with kill }\n",
	};
	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		struct policy_text text = policy_text_load(policies[i]);
		assert_clean(&text);
		assert_non_null(text.policy->roles[0]->seccomp);
		policy_text_end(&text);
	}
}

/* clone3 hides the flags: where a role splits clone, it goes for the role alone. */
static void clone3_follows_in_the_role(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load(
		"policy p\n"
		"role gate { forbid syscall clone(flags & CLONE_NEWUSER)  adr 1  because \"r\" }\n");
	assert_clean(&text);
	assert_false(passes(&text, "clone3"));
	assert_true(passes(&text, "clone"));
	assert_true(call_may_pass(text.policy, syscall_find("clone3"), NULL, ABI_X86_64));
	policy_text_end(&text);
}

static void blocks_of_one_name_add_up_across_layers(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load_over(
		"policy base\nrole gate { forbid syscall acct  adr 1  because \"r\" }\n",
		"policy p\nextends base\nrole gate { forbid syscall ptrace  adr 1  because \"r\" }\n");
	assert_clean(&text);
	assert_false(passes(&text, "acct"));
	assert_false(passes(&text, "ptrace"));
	policy_text_end(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_role_denies_beside_the_layers),
		cmocka_unit_test(what_the_layers_deny_already_makes_no_filter),
		cmocka_unit_test(conditions_are_compared_on_named_abis),
		cmocka_unit_test(sixty_four_conditions_may_cover_one),
		cmocka_unit_test(what_would_be_milder_is_told_once),
		cmocka_unit_test(files_of_roles_are_told_apart),
		cmocka_unit_test(more_of_a_call_is_another_filter),
		cmocka_unit_test(clone3_follows_in_the_role),
		cmocka_unit_test(blocks_of_one_name_add_up_across_layers),
	};
	return cmocka_run_group_tests_name("role_calls", tests, NULL, NULL);
}
