#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "compiler/base/suggest.h"

static void known_pairs(void **state)
{
	(void)state;
	static const struct {
		const char *a, *b;
		size_t distance;
	} pairs[] = {
		{ "", "", 0 },
		{ "", "abc", 3 },
		{ "kitten", "sitting", 3 },
		{ "saturday", "sunday", 3 },
		{ "forbid", "forbid", 0 },
		{ "forbid", "orbid", 1 },   /* the first letter is missing */
		{ "forbid", "xforbid", 1 }, /* one stands before it */
		{ "forbid", "dorbid", 1 },  /* it is another */
		{ "forbid", "ofrbid", 1 },  /* it is swapped with the second */
		{ "because", "becuase", 1 },
		{ "strace", "strce", 1 },
		{ "ca", "abc", 3 }, /* optimal string alignment: no edit inside a swap */
		{ "rg", "ripgrep", 5 },
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		assert_int_equal(suggest_distance(pairs[i].a, pairs[i].b, 10), pairs[i].distance);
		assert_int_equal(suggest_distance(pairs[i].b, pairs[i].a, 10), pairs[i].distance);
	}
}

static void a_limit_ends_the_search(void **state)
{
	(void)state;
	assert_int_equal(suggest_distance("kitten", "sitting", 3), 3);
	assert_int_equal(suggest_distance("kitten", "sitting", 2), 3);
	assert_int_equal(suggest_distance("a", "abcdef", 2), 3);
}

static const char *nearest(const char *wanted, const char *const *words)
{
	struct suggestion suggestion = suggestion_begin(wanted);
	for (; *words; words++)
		suggestion_offer(&suggestion, *words);
	return suggestion.nearest;
}

static void the_nearest_wins(void **state)
{
	(void)state;
	const char *const verbs[] = { "allow", "forbid", "decline", "revoke", NULL };
	assert_string_equal(nearest("alow", verbs), "allow");
	assert_string_equal(nearest("llow", verbs), "allow");
	assert_string_equal(nearest("fobrid", verbs), "forbid");
	assert_null(nearest("permit", verbs));
	assert_null(nearest("", verbs));
}

static void a_short_word_is_not_replaced_whole(void **state)
{
	(void)state;
	const char *const words[] = { "rg", "jq", NULL };
	assert_null(nearest("x", words));
	assert_string_equal(nearest("rgg", words), "rg");
	assert_string_equal(nearest("gr", words), "rg");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_pairs),
		cmocka_unit_test(a_limit_ends_the_search),
		cmocka_unit_test(the_nearest_wins),
		cmocka_unit_test(a_short_word_is_not_replaced_whole),
	};
	return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
