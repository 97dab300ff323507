/* What the whole policy is warned of: where, and when not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"

static void assert_found_on(const char *today, const char *bytes, const char *found)
{
	struct policy_text text = policy_text_begin();
	text.compilation.today = today;
	policy_text_add(&text, "p.allow", bytes);
	policy_text_resolve(&text, "p.allow");
	assert_string_equal(text.found, found);
	assert_non_null(text.policy);
	policy_text_end(&text);
}

static void a_row_expires_after_its_last_day(void **state)
{
	(void)state;
	static const char bytes[] = "policy p\nallow git, node  adr 1  because \"r\"  until 2026-05-31\n"
				    "role probe { forbid node  adr 1  because \"r\"  until 2025-12-31 }\n";
	assert_found_on(NULL, bytes, "");
	assert_found_on("2025-12-31", bytes, "");
	assert_found_on("2026-05-31", bytes, "warning expired p.allow:3:21\n");
	assert_found_on(
		"2026-06-01", bytes,
		"warning expired p.allow:2:7\nwarning expired p.allow:2:12\nwarning expired p.allow:3:21\n");
}

static void a_command_that_is_the_spelling_of_another(void **state)
{
	(void)state;
	assert_found("policy p\nallow \"docker buildx\"  adr 1  because \"r\"\nforbid docker-buildx  adr 1  "
		     "because \"r\"\n",
		     "warning spelling-twin p.allow:3:8\n");
	assert_found("policy p\nallow \"docker buildx\"  adr 1  because \"r\"  as buildx\n"
		     "forbid docker-buildx  adr 1  because \"r\"\n",
		     "");
	assert_found("policy p\nforbid \"docker buildx\"  adr 1  because \"r\"\n"
		     "allow docker-buildx  adr 1  because \"r\"\n",
		     "");
}

static void block_names_one_edit_apart(void **state)
{
	(void)state;
	static const struct {
		const char *first, *second;
		bool warned;
	} cases[] = {
		{ "role probe", "role prob", true },     /* left out */
		{ "role probe", "role robe", true },     /* the first */
		{ "role probe", "role prove", true },    /* replaced */
		{ "role probe", "role porbe", true },    /* swapped */
		{ "role probe", "role probers", false }, /* two added */
		{ "role probe", "role plobs", false },   /* two replaced */
		{ "role probe", "plugin probes", false },
		{ "plugin probe", "plugin probes", true },
		{ "role probe", "role grobe", true },  /* the first replaced */
		{ "role probe", "role probee", true }, /* the last again */
		{ "role probee", "role probe", true },
		{ "role pepb", "role peb", true },   /* a letter that stands two before too */
		{ "role abac", "role baca", false }, /* the first goes to the end */
		{ "role bcda", "role abcd", false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct policy_text text = policy_text_begin();
		policy_text_add(&text, "p.allow",
				arena_printf(text.compilation.arena, "policy p\n%s { }\n%s { }\n",
					     cases[i].first, cases[i].second));
		policy_text_resolve(&text, "p.allow");
		const char *name = strchr(cases[i].second, ' ') + 1;
		const char *found =
			arena_printf(text.compilation.arena, "warning spelling-twin p.allow:3:%u\n",
				     (unsigned)(name - cases[i].second) + 1);
		assert_string_equal(text.found, cases[i].warned ? found : "");
		policy_text_end(&text);
	}
	/* One name is not two that are alike. */
	assert_found("policy p\nrole probe { }\nrole probe { }\n", "error duplicate p.allow:3:6\n");
}

static void a_forbidden_sub_command_of_an_allowed_program(void **state)
{
	(void)state;
	static const char push[] = "policy p\nforbid \"git push\"  adr 1  because \"r\"\n";
	assert_found(push, "");
	assert_found("policy p\nforbid \"git push\"  adr 1  because \"r\"\nallow git  adr 1  because \"r\"\n",
		     "warning prefix-forbid p.allow:2:8\n");
	assert_found("policy p\nforbid git, \"git push\"  adr 1  because \"r\"\n", "");
	assert_found("policy p\nallow git  adr 1  because \"r\"\nrole x { forbid \"git push\"  adr 1  "
		     "because \"r\" }\n",
		     "warning prefix-forbid p.allow:3:17\n");
	/* One with a mistake has that alone. */
	assert_found(
		"policy p\nallow git  adr 1  because \"r\"\nrole x { forbid \"git push\"  because \"r\" }\n",
		"error missing-adr p.allow:3:17\n");
}

/* One mistake, one message: what it would be advice for, or add to, is not told beside it. */
static void a_star_that_no_row_expands(void **state)
{
	(void)state;
	assert_found("policy p\nallow git  adr 1  because \"r\"\nforbid \"git *\"  adr 1  because \"r\"\n",
		     "warning literal-glob p.allow:3:8\n");
	assert_found("policy p\nallow git, \"git log*\"  adr 1  because \"r\"\n",
		     "warning literal-glob p.allow:2:12\n");
	assert_found("policy p\ndecline \"git a?[b]\"  adr 1  because \"r\"\n", "");
}

static void a_capability_that_no_filter_sees(void **state)
{
	(void)state;
	/* CAP_SYS_PTRACE has calls of its own and none that is gated by arguments. */
	assert_found("policy p\nforbid CAP_SYS_PTRACE, CAP_NET_BIND_SERVICE  adr 1  because \"r\"\n",
		     "warning capability-unseen p.allow:2:24\n");
}

static void an_action_that_denies_nothing(void **state)
{
	(void)state;
	assert_found("policy p\nforbid strace  adr 1  because \"r\"  with kill\n",
		     "warning action p.allow:2:36\n");
	assert_found("policy p\nforbid syscall ptrace  adr 1  because \"r\"  with log\n",
		     "warning action p.allow:2:44\n");
	assert_found("policy p\nforbid strace  adr 1  because \"r\"  with kill  needs syscall ptrace\n", "");
}

/* Told where the whole statement denies nothing, and by its own layer. */
static void a_denied_call_is_one_of_the_named_abis(void **state)
{
	(void)state;
	static const char lower[] = "policy base\nforbid syscall vm86  adr 1  because \"r\"\n";
	assert_found("policy p\nseccomp { abi x86_64 }\nforbid syscall vm86, vm86old  adr 1  because \"r\"\n",
		     "warning other-abi p.allow:3:16\n");
	assert_found("policy p\nseccomp { abi x86_64 }\nforbid syscall vm86, ptrace  adr 1  because \"r\"\n",
		     "");
	assert_found(
		"policy p\nseccomp { abi x86_64 }\n"
		"forbid syscall ptrace  adr 1  because \"r\"\nforbid syscall vm86  adr 1  because \"r\"\n",
		"warning other-abi p.allow:4:16\n");
	assert_found("policy p\nforbid syscall vm86  adr 1  because \"r\"\n", "");
	assert_found_over(lower, "policy p\nextends base\nseccomp { abi x86_64 }\n", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_expires_after_its_last_day),
		cmocka_unit_test(a_command_that_is_the_spelling_of_another),
		cmocka_unit_test(block_names_one_edit_apart),
		cmocka_unit_test(a_forbidden_sub_command_of_an_allowed_program),
		cmocka_unit_test(a_star_that_no_row_expands),
		cmocka_unit_test(a_capability_that_no_filter_sees),
		cmocka_unit_test(an_action_that_denies_nothing),
		cmocka_unit_test(a_denied_call_is_one_of_the_named_abis),
	};
	return cmocka_run_group_tests_name("warnings", tests, NULL, NULL);
}
