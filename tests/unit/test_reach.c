/* Which commands rows of a block can decide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"
#include "compiler/diff/reach.h"
#include "tests/unit/policy_text.h"

#define WHY "  adr 1  because \"r\"\n"
#define NOW                                                                                                  \
	"policy p\nallow git, \"git push\", git-lfs, docker, \"docker run x\"" WHY "decline \"git gc\"" WHY  \
	"forbid \"git push --force\"" WHY
#define OLD "policy p\nallow dive, git, \"git log\"" WHY

/* The commands, with a comma between them. */
static void assert_reached(const char *now_block, const char *old_block, const char *expected)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_printf(&text, NOW "role r {\n%s}\n", now_block);
	struct policy_text now = policy_text_load(text.bytes);
	text.size = 0;
	strbuf_printf(&text, OLD "role r {\n%s}\n", old_block);
	struct policy_text old = policy_text_load(text.bytes);
	assert_non_null(now.policy);
	assert_non_null(old.policy);
	struct reach *reach = reach_new(now.compilation.arena, now.policy, old.policy);
	for (int again = 0; again < 2; again++) {
		const char *const *commands;
		size_t count = reach_of(reach, now.policy->roles[0], old.policy->roles[0], &commands);
		text.size = 0;
		strbuf_add_text(&text, "");
		for (size_t i = 0; i < count; i++)
			strbuf_printf(&text, "%s%s", i ? "," : "", commands[i]);
		assert_string_equal(count ? text.bytes : "", expected);
	}
	strbuf_release(&text);
	policy_text_end(&now);
	policy_text_end(&old);
}

static void words_reach_what_begins_with_them(void **state)
{
	(void)state;
	assert_reached("", "", "");
	assert_reached("forbid docker" WHY, "", "docker,docker run x");
	assert_reached("forbid \"docker run\"" WHY, "", "docker run x");
	assert_reached("forbid \"docker runs\"" WHY, "", "");
}

/* git-lfs begins with the letters of git, and "git gc" is declined, which decides nothing. */
static void a_word_is_whole(void **state)
{
	(void)state;
	assert_reached("forbid git" WHY, "", "git,git push,git push --force,git log");
}

static void both_sides_count_and_each_command_once(void **state)
{
	(void)state;
	assert_reached("forbid \"git push\", git" WHY, "forbid dive, git" WHY,
		       "git,git push,git push --force,dive,git log");
	assert_reached("", "forbid dive" WHY, "dive");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_reach_what_begins_with_them),
		cmocka_unit_test(a_word_is_whole),
		cmocka_unit_test(both_sides_count_and_each_command_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
