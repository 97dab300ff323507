/* The words that begin lines, each where it may stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/policy/keyword.h"
#include "compiler/policy/parser.h"
#include "grammar/allow.tab.h"

#define PLACE(kind) (1u << BLOCK_##kind)

static void each_word_is_found_by_its_token(void **state)
{
	(void)state;
	size_t count;
	const struct keyword *all = keywords_all(&count);
	assert_int_equal(count, 4 + 14 + 10 + 7); /* verbs, statements, attributes, settings */
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(keyword_of(all[i].kind)->word, all[i].word);
		assert_int_not_equal(all[i].places, 0);
		for (size_t other = 0; other < i; other++)
			assert_string_not_equal(all[i].word, all[other].word);
	}
	assert_null(keyword_of(TOKEN_WORD));
	assert_null(keyword_of(TOKEN_ACCEPT)); /* never the first of a line */
}

static void words_stand_in_their_blocks_alone(void **state)
{
	(void)state;
	assert_true(keyword_stands_in(TOKEN_ALLOW, BLOCK_FILE));
	assert_true(keyword_stands_in(TOKEN_ALLOW, BLOCK_ROLE));
	assert_true(keyword_stands_in(TOKEN_ALLOW, BLOCK_PLUGIN));
	assert_false(keyword_stands_in(TOKEN_ALLOW, BLOCK_ROW));
	assert_false(keyword_stands_in(TOKEN_ALLOW, BLOCK_SYSCALLS));
	assert_true(keyword_stands_in(TOKEN_TOOLS, BLOCK_PLUGIN));
	assert_false(keyword_stands_in(TOKEN_TOOLS, BLOCK_ROLE));
	assert_false(keyword_stands_in(TOKEN_ROLE, BLOCK_ROLE));
	assert_true(keyword_stands_in(TOKEN_NEEDS, BLOCK_ROW));
	assert_false(keyword_stands_in(TOKEN_NEEDS, BLOCK_FILE));
	assert_true(keyword_stands_in(TOKEN_ARCH, BLOCK_SECCOMP));
	assert_false(keyword_stands_in(TOKEN_ARCH, BLOCK_FILE));
	assert_false(keyword_stands_in(TOKEN_WORD, BLOCK_FILE));
}

static void verbs_and_attributes_are_told_apart(void **state)
{
	(void)state;
	size_t count, verbs = 0, attributes = 0;
	const struct keyword *all = keywords_all(&count);
	for (size_t i = 0; i < count; i++) {
		verbs += keyword_is_verb(all[i].kind);
		attributes += keyword_is_attribute(all[i].kind);
		assert_false(keyword_is_verb(all[i].kind) && keyword_is_attribute(all[i].kind));
	}
	assert_int_equal(verbs, 4);
	assert_int_equal(attributes, 10);
	assert_true(keyword_is_verb(TOKEN_REVOKE));
	assert_true(keyword_is_attribute(TOKEN_AS));
	assert_false(keyword_is_attribute(TOKEN_EXPECT));
}

static void braces_hold_what_their_statement_says(void **state)
{
	(void)state;
	assert_int_equal(keyword_block(TOKEN_DECLINE), BLOCK_ROW);
	assert_int_equal(keyword_block(TOKEN_ROLE), BLOCK_ROLE);
	assert_int_equal(keyword_block(TOKEN_PLUGIN), BLOCK_PLUGIN);
	assert_int_equal(keyword_block(TOKEN_SECCOMP), BLOCK_SECCOMP);
	assert_int_equal(keyword_block(TOKEN_SYSCALLS), BLOCK_SYSCALLS);
	assert_int_equal(keyword_block(TOKEN_EXPECT), BLOCK_UNKNOWN);
	assert_int_equal(keyword_block(TOKEN_WORD), BLOCK_UNKNOWN);
}

static void the_nearest_word_is_one_that_may_stand_there(void **state)
{
	(void)state;
	assert_string_equal(keyword_near("alow", PLACE(FILE))->word, "allow");
	assert_string_equal(keyword_near("xorbid", PLACE(FILE))->word, "forbid");
	assert_string_equal(keyword_near("becuase", PLACE(ROW))->word, "because");
	assert_null(keyword_near("becuase", PLACE(FILE)));
	assert_string_equal(keyword_near("tolls", PLACE(PLUGIN))->word, "tools");
	assert_null(keyword_near("tolls", PLACE(ROLE)));
	assert_null(keyword_near("quux", PLACE(FILE) | PLACE(ROW)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_word_is_found_by_its_token),
		cmocka_unit_test(words_stand_in_their_blocks_alone),
		cmocka_unit_test(verbs_and_attributes_are_told_apart),
		cmocka_unit_test(braces_hold_what_their_statement_says),
		cmocka_unit_test(the_nearest_word_is_one_that_may_stand_there),
	};
	return cmocka_run_group_tests_name("keyword", tests, NULL, NULL);
}
