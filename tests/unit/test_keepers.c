/* Who may still run what a role loses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/diff/keepers.h"
#include "tests/unit/policy_text.h"

#define WHY "  adr 1  because \"r\"\n"
#define ROLE(name, rows) "role " name " {\n" rows "}\n"
#define TEXT                                                                                                 \
	"policy p\nallow git, docker, \"docker run\"" WHY "forbid strace" WHY ROLE("a", "forbid git" WHY)    \
		ROLE("b", "forbid docker" WHY "allow \"docker run\"" WHY)                                    \
			ROLE("c", "forbid \"docker run\"" WHY) ROLE("d", "")

struct question {
	const char *commands[2];
	const char *keepers[5]; /* NULL ends them */
};

static void assert_kept(struct keepers *keepers, const struct question *question)
{
	const char *const *names;
	size_t commands = question->commands[1] ? 2 : 1, count = 0;
	while (question->keepers[count])
		count++;
	assert_int_equal(keepers_of(keepers, question->commands, commands, &names), count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(names[i], question->keepers[i]);
}

static void roles_keep_what_no_row_of_theirs_takes(void **state)
{
	(void)state;
	static const struct question questions[] = {
		{ { "git" }, { "b", "c", "d" } },
		{ { "docker" }, { "a", "c", "d" } },
		{ { "docker run" }, { "a", "b", "d" } },
		{ { "docker", "docker run" }, { "a", "d" } },
		{ { "git", "docker" }, { "c", "d" } },
		{ { "docker run x" }, { "a", "b", "d" } },
		{ { "strace" }, { NULL } },
		{ { "unlisted" }, { NULL } },
		{ { "git", "strace" }, { NULL } },
	};
	struct policy_text text = policy_text_load(TEXT);
	assert_non_null(text.policy);
	struct keepers *keepers = keepers_new(text.compilation.arena, text.policy);
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
			assert_kept(keepers, &questions[i]);
	policy_text_end(&text);
}

static void the_first_six_are_named_and_all_are_counted(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load(
		"policy p\nallow git" WHY ROLE("r1", "forbid git" WHY) ROLE("r2", "") ROLE("r3", "")
			ROLE("r4", "") ROLE("r5", "") ROLE("r6", "") ROLE("r7", "") ROLE("r8", ""));
	static const char *const command = "git";
	const char *const *names;
	assert_non_null(text.policy);
	struct keepers *keepers = keepers_new(text.compilation.arena, text.policy);
	assert_int_equal(keepers_of(keepers, &command, 1, &names), 7);
	assert_string_equal(names[0], "r2");
	assert_string_equal(names[LIST_SHOWN - 1], "r7");
	policy_text_end(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roles_keep_what_no_row_of_theirs_takes),
		cmocka_unit_test(the_first_six_are_named_and_all_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
