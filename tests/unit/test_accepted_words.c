#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/policy/accepted_words.h"

static struct authority accepting(size_t count, const char *const *words)
{
	return (struct authority){ .accept = words, .accept_count = count };
}

static void words_are_put_each_as_its_own(void **state)
{
	(void)state;
	static const char *const words[] = { "Approved", "Agreed" };
	struct arena *arena = arena_new();
	struct map *known = map_new(arena, 0);
	const struct authority authority = accepting(2, words);
	accepted_words_put(known, &authority);
	assert_ptr_equal(map_value(known, "Approved", 8), words[0]);
	assert_ptr_equal(map_value(known, "Agreed", 6), words[1]);
	assert_null(map_find(known, "approved", 8));
	arena_free(arena);
}

static void order_and_number_do_not_count(void **state)
{
	(void)state;
	static const char *const abc[] = { "A", "B", "C" }, *const bca[] = { "B", "C", "A" },
			  *const aab[] = { "A", "A", "B" }, *const baa[] = { "B", "A", "A" };
	const struct {
		struct authority a, b;
		bool equal;
	} rows[] = {
		{ accepting(3, abc), accepting(3, abc), true },
		{ accepting(3, abc), accepting(3, bca), true },
		{ accepting(3, abc), accepting(2, abc), false },
		{ accepting(2, abc), accepting(3, abc), false },
		{ accepting(2, abc), accepting(1, bca), false },
		{ accepting(2, abc), accepting(2, bca), false },
		{ accepting(2, bca), accepting(1, abc), false },
		{ accepting(2, abc), accepting(3, aab), true },
		{ accepting(3, aab), accepting(2, abc), true },
		{ accepting(3, aab), accepting(3, abc), false },
		{ accepting(2, aab), accepting(2, baa), false },
		{ accepting(0, NULL), accepting(0, NULL), true },
		{ accepting(1, abc), accepting(0, NULL), false },
		{ accepting(0, NULL), accepting(1, abc), false },
	};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(accepted_words_are_equal(arena, &rows[i].a, &rows[i].b), rows[i].equal);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_put_each_as_its_own),
		cmocka_unit_test(order_and_number_do_not_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
