#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/source.h"
#include "compiler/gate/place.h"

struct pair {
	const char *path, *folded;
};

static void paths_are_folded_by_their_text(void **state)
{
	static const struct pair pairs[] = {
		{ "", "" },
		{ ".", "" },
		{ "adr", "adr" },
		{ "./adr/", "adr" },
		{ "policies/../adr", "adr" },
		{ "a//b/./c/..", "a/b" },
		{ "a/../..", ".." },
		{ "../a/../b", "../b" },
		{ "../../a", "../../a" },
		{ "a/b/../../..", ".." },
		{ "/", "/" },
		{ "/a/../..", "/" },
		{ "/../a", "/a" },
		{ "/a/b/../c", "/a/c" },
		{ "..a/b..", "..a/b.." },
	};
	(void)state;
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		assert_string_equal(path_fold(arena, pairs[i].path), pairs[i].folded);
	arena_free(arena);
}

static void a_file_has_a_folder(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	assert_string_equal(place_folder(arena, "p.allow"), "");
	assert_string_equal(place_folder(arena, "./policies/p.allow"), "policies");
	assert_string_equal(place_folder(arena, "../p.allow"), "..");
	arena_free(arena);
}

static void a_path_is_seen_from_the_policy(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	assert_string_equal(place_from(arena, "policies/p.allow", "policies/../adr"), "../adr");
	assert_string_equal(place_from(arena, "policies/p.allow", "policies/sub/../../adr"), "../adr");
	assert_string_equal(place_from(arena, "p.allow", "adr"), "adr");
	assert_string_equal(place_from(arena, "/x/policies/p.allow", "/x/policies/../adr"), "../adr");
	assert_string_equal(place_from(arena, "policies/p.allow", "/etc/adr"), "/etc/adr");
	arena_free(arena);
}

static void a_place_is_reached_from_a_folder(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	assert_string_equal(place_towards(arena, "policies", "adr"), "../adr");
	assert_string_equal(place_towards(arena, "policies", "policies/adr"), "adr");
	assert_string_equal(place_towards(arena, "policies", "policies2/adr"), "../policies2/adr");
	assert_string_equal(place_towards(arena, "a/b", "a/c"), "../c");
	assert_string_equal(place_towards(arena, "a/b", "a"), "..");
	assert_string_equal(place_towards(arena, "", "adr"), "adr");
	assert_string_equal(place_towards(arena, "", "../adr"), "../adr");
	assert_string_equal(place_towards(arena, "policies", "policies"), "");
	assert_string_equal(place_towards(arena, "policies", "/etc/adr"), "/etc/adr");
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_folded_by_their_text),
		cmocka_unit_test(a_file_has_a_folder),
		cmocka_unit_test(a_path_is_seen_from_the_policy),
		cmocka_unit_test(a_place_is_reached_from_a_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
