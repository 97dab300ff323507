/* Two policies of one row each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compiler/diff/weakening.h"
#include "tests/unit/policy_text.h"

static struct policy_text row_load(const char *row)
{
	char text[400];
	snprintf(text, sizeof text,
		 "policy p\nallow git, node  adr 1  because \"x\"\nsyscalls @some {\n    kcmp, "
		 "ptrace\n}\n%s\n",
		 row);
	struct policy_text loaded = policy_text_begin();
	assert_null(diags_option(loaded.compilation.diags, "no-action"));
	assert_null(diags_option(loaded.compilation.diags, "no-platform"));
	policy_text_add(&loaded, "p.allow", arena_copy(loaded.compilation.arena, text, strlen(text)));
	policy_text_resolve(&loaded, "p.allow");
	assert_clean(&loaded);
	return loaded;
}

typedef bool weakening(struct arena *arena, const struct row *old, const struct row *now);

/* What the second attributes say after the first. */
static bool weakens(weakening *ask, const char *subject, const char *head, const char *old, const char *now)
{
	char old_row[200], now_row[200];
	snprintf(old_row, sizeof old_row, "%s %s", head, old);
	snprintf(now_row, sizeof now_row, "%s %s", head, now);
	struct policy_text before = row_load(old_row), after = row_load(now_row);
	bool weaker = ask(before.compilation.arena, policy_text_row(&before, subject),
			  policy_text_row(&after, subject));
	policy_text_end(&before);
	policy_text_end(&after);
	return weaker;
}

struct step {
	const char *old, *now;
	bool forth, back; /* from the first to the second, and from the second to the first */
};

static void steps_try(weakening *ask, const char *subject, const char *head, const struct step *steps,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_false(weakens(ask, subject, head, steps[i].old, steps[i].old));
		assert_int_equal(weakens(ask, subject, head, steps[i].old, steps[i].now), steps[i].forth);
		assert_int_equal(weakens(ask, subject, head, steps[i].now, steps[i].old), steps[i].back);
	}
}

static bool ends_earlier(struct arena *arena, const struct row *old, const struct row *now)
{
	(void)arena;
	return row_ends_earlier(old, now);
}

static void an_allow_row_is_wider(void **state)
{
	static const struct step steps[] = {
		{ "on linux", "", true, false },
		{ "on linux, macos", "on linux, windows", true, true },
		{ "", "on linux, macos, windows, freebsd", false, false },
		{ "requires git", "", true, false },
		{ "requires git >= 2", "requires git >= 1", true, true },
		{ "requires git >= 2", "requires git", true, true },
		{ "requires git", "requires git, node", false, true },
		{ "path \"/a\"", "path \"/a\", \"/b\"", true, false },
		{ "path \"/a\"", "", true, true },
		{ "as jq2", "", true, true },
		{ "needs syscall read", "", false, false },
	};
	(void)state;
	steps_try(allow_is_wider, "jq", "allow jq  adr 1  because \"x\" ", steps,
		  sizeof steps / sizeof *steps);
}

static void a_forbid_row_is_weaker(void **state)
{
	static const struct step steps[] = {
		{ "on linux", "", false, true },
		{ "needs syscall ptrace", "", true, false },
		{ "needs syscall ptrace", "needs syscall kcmp", true, true },
		{ "needs CAP_SYS_PTRACE", "needs syscall ptrace", true, false },
		{ "needs syscall kcmp, ptrace", "needs syscall @some", false, false },
		{ "path \"/a\"", "path \"/a\", \"/b\"", false, true },
		{ "needs syscall ptrace  with kill", "needs syscall ptrace", true, false },
		{ "needs syscall ptrace  with errno ENOSYS", "needs syscall ptrace  with errno EPERM", true,
		  true },
		{ "needs syscall ptrace  with log", "needs syscall ptrace  with kill", false, true },
	};
	(void)state;
	steps_try(forbid_is_weaker, "gdb", "forbid gdb  adr 1  because \"x\" ", steps,
		  sizeof steps / sizeof *steps);
}

static void a_row_ends_earlier(void **state)
{
	static const struct step steps[] = {
		{ "", "until 2026-01-01", true, false },
		{ "until 2026-01-02", "until 2026-01-01", true, false },
		{ "until 2026-01-01", "until 2026-01-01  on linux", false, false },
	};
	(void)state;
	steps_try(ends_earlier, "gdb", "forbid gdb  adr 1  because \"x\" ", steps,
		  sizeof steps / sizeof *steps);
}

/* A capability brings the calls that it gates: naming these alone leaves it out. */
static void a_capability_is_a_need_of_its_own(void **state)
{
	(void)state;
	const char *calls = "needs syscall kcmp, pidfd_getfd, process_madvise, process_vm_readv, "
			    "process_vm_writev, ptrace";
	assert_true(weakens(forbid_is_weaker, "gdb", "forbid gdb  adr 1  because \"x\" ",
			    "needs CAP_SYS_PTRACE", calls));
	assert_false(weakens(forbid_is_weaker, "gdb", "forbid gdb  adr 1  because \"x\" ", calls,
			     "needs CAP_SYS_PTRACE"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_allow_row_is_wider),
		cmocka_unit_test(a_forbid_row_is_weaker),
		cmocka_unit_test(a_row_ends_earlier),
		cmocka_unit_test(a_capability_is_a_need_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
