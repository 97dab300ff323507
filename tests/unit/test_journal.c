#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"
#include "compiler/journal.h"

#define HASH_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HASH_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define FIRST "allowc journal 1\n"

static void it_is_written_as_documented(void **state)
{
	struct strbuf out = STRBUF_INIT;
	journal_begin(&out);
	journal_add(&out, NULL, HASH_B, "new file");
	journal_add(&out, HASH_A, HASH_B, "changed\n");
	journal_add(&out, HASH_A, NULL, "gone");
	assert_string_equal(out.bytes, FIRST "- " HASH_B " new file\n" HASH_A " " HASH_B
					     " changed\\n\n" HASH_A " - gone\n");
	strbuf_release(&out);
	(void)state;
}

static bool parse(struct arena *arena, const char *text, struct claims *claims, struct claims *paths)
{
	*claims = *paths = (struct claims){ 0 };
	return journal_parse(arena, text, strlen(text), claims, paths);
}

static void both_hashes_count(void **state)
{
	struct arena *arena = arena_new();
	struct claims claims, paths;
	assert_true(parse(arena, FIRST HASH_A " " HASH_B " x\n- - y\n- " HASH_A " z/w\n", &claims, &paths));
	assert_int_equal(claims.count, 3);
	assert_true(claims_have(&claims, "x", HASH_A));
	assert_true(claims_have(&claims, "x", HASH_B));
	assert_true(claims_have(&claims, "z/w", HASH_A));
	assert_int_equal(paths.count, 3);
	assert_string_equal(paths.items[1].path, "y");
	arena_free(arena);
	(void)state;
}

/* Every beginning of a journal is what a kill may leave of it. */
static void every_beginning_is_a_journal(void **state)
{
	static const char text[] = FIRST HASH_A " " HASH_B " x\n- " HASH_A " y\\\\\n";
	size_t first_end = sizeof FIRST - 1, second_end = first_end + 64 + 1 + 64 + 3;
	struct arena *arena = arena_new();
	for (size_t size = 0; size < sizeof text; size++) {
		struct claims claims = { 0 }, paths = { 0 };
		assert_true(journal_parse(arena, arena_copy(arena, text, size), size, &claims, &paths));
		size_t wanted = size < second_end ? 0 : size < sizeof text - 1 ? 1 : 2;
		assert_int_equal(paths.count, wanted);
	}
	arena_free(arena);
	(void)state;
}

static void anything_else_is_none(void **state)
{
	struct arena *arena = arena_new();
	struct claims claims, paths;
	assert_false(parse(arena, "mine\n", &claims, &paths));
	assert_false(parse(arena, "allowc journal 2\n", &claims, &paths));
	assert_false(parse(arena, "a file of somebody else that is longer\n", &claims, &paths));
	assert_false(parse(arena, FIRST "\n", &claims, &paths));
	assert_false(parse(arena, FIRST HASH_A " x\n", &claims, &paths));
	assert_false(parse(arena, FIRST "- - \n", &claims, &paths));
	assert_false(parse(arena, FIRST "- - ../x\n", &claims, &paths));
	assert_false(parse(arena, FIRST "- - /x\n", &claims, &paths));
	arena_free(arena);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_written_as_documented),
		cmocka_unit_test(both_hashes_count),
		cmocka_unit_test(every_beginning_is_a_journal),
		cmocka_unit_test(anything_else_is_none),
	};
	return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
