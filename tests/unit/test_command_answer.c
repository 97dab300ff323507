/* What a policy says of an argument vector. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/explain/command_answer.h"
#include "tests/unit/policy_text.h"

static const char text[] = "policy p\n"
			   "allow docker, \"docker buildx\"  adr 1  because \"r\"\n"
			   "forbid \"docker run\", strace  adr 1  because \"r\"\n"
			   "decline dive  adr 1  because \"r\"\n"
			   "role probe {\n"
			   "    forbid docker  adr 1  because \"r\"\n"
			   "}\n";

struct expected {
	const char *words[6];
	enum verdict verdict;
	const char *row; /* NULL: none decides */
};

/* The longest row that the words start with; a word with a blank ends what can be compared. */
static const struct expected cases[] = {
	{ { "docker" }, VERDICT_ALLOWED, "docker" },
	{ { "docker", "ps" }, VERDICT_ALLOWED, "docker" },
	{ { "docker", "buildx", "build" }, VERDICT_ALLOWED, "docker buildx" },
	{ { "docker buildx", "build" }, VERDICT_ALLOWED, "docker buildx" },
	{ { "docker", "run" }, VERDICT_FORBIDDEN, "docker run" },
	{ { "docker  run" }, VERDICT_FORBIDDEN, "docker run" },
	{ { " \tdocker\n run\t", "it" }, VERDICT_FORBIDDEN, "docker run" },
	{ { "docker ", "run" }, VERDICT_FORBIDDEN, "docker run" },
	{ { "docker -D run" }, VERDICT_ALLOWED, "docker" },
	{ { "  " }, VERDICT_UNLISTED, NULL },
	{ { "docker", "-D", "run" }, VERDICT_ALLOWED, "docker" },
	{ { "docker", "run it" }, VERDICT_ALLOWED, "docker" },
	{ { "docker", "", "run" }, VERDICT_ALLOWED, "docker" },
	{ { "dockerd" }, VERDICT_UNLISTED, NULL },
	{ { "/usr/bin/docker" }, VERDICT_UNLISTED, NULL },
	{ { "Docker" }, VERDICT_UNLISTED, NULL },
	{ { "dive" }, VERDICT_UNLISTED, NULL },
	{ { "strace", "-f" }, VERDICT_FORBIDDEN, "strace" },
};

static struct command_answer ask(struct policy_text *policy, const char *const *words)
{
	size_t count = 0;
	while (words[count])
		count++;
	const char *const *split = command_words(policy->compilation.arena, words, &count);
	return command_answer(policy->compilation.arena, policy->policy, split, count);
}

static void the_longest_row_decides(void **state)
{
	(void)state;
	struct policy_text policy = policy_text_load(text);
	assert_non_null(policy.policy);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct command_answer answer = ask(&policy, cases[i].words);
		assert_int_equal(answer.verdict, cases[i].verdict);
		if (cases[i].row)
			assert_string_equal(answer.row->subject, cases[i].row);
		else
			assert_null(answer.row);
	}
	policy_text_end(&policy);
}

static void what_may_have_been_meant(void **state)
{
	(void)state;
	struct policy_text policy = policy_text_load(text);
	struct command_answer path = ask(&policy, (const char *const[]){ "/opt/strace", "-V", NULL });
	assert_string_equal(path.base, "strace");
	assert_int_equal(path.base_verdict, VERDICT_FORBIDDEN);
	struct command_answer behind =
		ask(&policy, (const char *const[]){ "docker", "--context", "x", "run", NULL });
	assert_string_equal(behind.behind_options->subject, "docker run");
	assert_string_equal(behind.option, "--context");
	/* a word that is neither an option nor the value of one is a sub-command of its own */
	struct command_answer other =
		ask(&policy, (const char *const[]){ "docker", "-D", "x", "ps", "run", NULL });
	assert_null(other.behind_options);
	struct command_answer near = ask(&policy, (const char *const[]){ "dokcer", "buildx", NULL });
	assert_int_equal(near.near_count, 2);
	assert_string_equal(near.nearest[0], "docker");
	assert_string_equal(near.nearest[1], "docker buildx");
	policy_text_end(&policy);
}

/* A first word with blanks is the words of a command: what is answered, and shown, is of these. */
static void one_string_is_words(void **state)
{
	(void)state;
	struct policy_text policy = policy_text_load(text);
	struct command_answer answer =
		ask(&policy, (const char *const[]){ " docker  -D\trun ", "a  b", NULL });
	assert_int_equal(answer.word_count, 4);
	assert_string_equal(answer.words[0], "docker");
	assert_string_equal(answer.words[1], "-D");
	assert_string_equal(answer.words[2], "run");
	assert_string_equal(answer.words[3], "a  b");
	assert_string_equal(answer.text, "docker -D run 'a  b'");
	assert_string_equal(answer.option, "-D");
	assert_string_equal(answer.behind_options->subject, "docker run");
	struct command_answer path = ask(&policy, (const char *const[]){ "docker run a/b", NULL });
	assert_null(path.base);
	struct command_answer blank = ask(&policy, (const char *const[]){ "  ", NULL });
	assert_int_equal(blank.word_count, 1);
	assert_string_equal(blank.words[0], "  ");
	assert_string_equal(blank.text, "'  '");
	policy_text_end(&policy);
}

static void what_others_say(void **state)
{
	(void)state;
	struct policy_text policy = policy_text_load(text);
	struct command_answer answer = ask(&policy, (const char *const[]){ "docker", "run", "it", NULL });
	assert_int_equal(answer.said_count, 2);
	assert_string_equal(answer.said[0].row->subject, "docker");
	assert_false(answer.said[0].decides);
	assert_true(answer.said[1].decides);
	assert_int_equal(answer.block_count, 1);
	assert_string_equal(answer.blocks[0].block->name, "probe");
	assert_int_equal(answer.blocks[0].verdict, VERDICT_FORBIDDEN);
	struct command_answer program = ask(&policy, (const char *const[]){ "docker", NULL });
	assert_int_equal(program.longer_count, 2);
	policy_text_end(&policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_row_decides),
		cmocka_unit_test(what_may_have_been_meant),
		cmocka_unit_test(one_string_is_words),
		cmocka_unit_test(what_others_say),
	};
	return cmocka_run_group_tests_name("command_answer", tests, NULL, NULL);
}
