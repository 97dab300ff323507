/* Which files sync wrote, as the list beside the policy names them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"
#include "compiler/file.h"
#include "compiler/sync_list.h"

/* FIPS 180-4's own example. */
#define HASH_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

static void expect_path(const char *folder, const char *file, const char *wanted)
{
	struct arena *arena = arena_new();
	struct sync_list list = { .folder = folder };
	assert_string_equal(sync_list_path(arena, &list, file), wanted);
	arena_free(arena);
}

static void paths_are_seen_from_the_list(void **state)
{
	(void)state;
	expect_path("/p", "/p/t", "t");
	expect_path("/p", "/p/s/t", "s/t");
	expect_path("/p/policies", "/p/t", "../t");
	expect_path("/p/policies", "/p/src/t", "../src/t");
	expect_path("/p/a/b", "/q/t", "../../../q/t");
	expect_path("/p/a", "/p/ab/t", "../ab/t");
	expect_path("/p/ab", "/p/a/t", "../a/t");
	expect_path("/p/a", "/p/a.t", "../a.t");
	expect_path("/", "/t", "t");
	expect_path("/", "/s/t", "s/t");
	expect_path("/p", "/t", "../t");
}

static void an_owner_is_known_by_the_hash(void **state)
{
	(void)state;
	static const char text[] = HASH_ABC "  a\n";
	struct arena *arena = arena_new();
	struct sync_list list = { .folder = "/p" };
	unsigned line;
	const struct file_content abc = { .exists = true, .bytes = "abc", .size = 3 };
	const struct file_content abd = { .exists = true, .bytes = "abd", .size = 3 };
	assert_true(manifest_parse(arena, text, strlen(text), &list.old, &line));
	assert_int_equal(sync_list_owner(arena, &list, "a", &abc), SYNC_OWNER_ALLOWC);
	assert_int_equal(sync_list_owner(arena, &list, "a", &abd), SYNC_OWNER_EDITED);
	assert_int_equal(sync_list_owner(arena, &list, "b", &abc), SYNC_OWNER_NOBODY);
	arena_free(arena);
}

static void a_list_is_printed_sorted(void **state)
{
	(void)state;
	static const char text[] = HASH_ABC "  kept\n# written: kept\n";
	struct arena *arena = arena_new();
	struct sync_list list = { .folder = "/p" };
	struct strbuf out = STRBUF_INIT;
	unsigned line;
	assert_true(manifest_parse(arena, text, strlen(text), &list.old, &line));
	sync_list_keep(arena, &list, "kept");
	sync_list_keep(arena, &list, "unknown");
	sync_list_add(arena, &list, "../a", "abc", 3, true);
	sync_list_add(arena, &list, "found", "abc", 3, false);
	assert_true(sync_list_has(&list, "kept") && sync_list_has(&list, "../a"));
	assert_false(sync_list_has(&list, "unknown"));
	sync_list_print(arena, &list, &out);
	assert_string_equal(out.bytes, HASH_ABC "  ../a\n" HASH_ABC "  found\n" HASH_ABC
						"  kept\n# written: ../a\n# written: kept\n");
	assert_true(sync_list_wrote(&list, "kept"));
	assert_false(sync_list_wrote(&list, "../a"));
	strbuf_release(&out);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_seen_from_the_list),
		cmocka_unit_test(an_owner_is_known_by_the_hash),
		cmocka_unit_test(a_list_is_printed_sorted),
	};
	return cmocka_run_group_tests_name("sync_list", tests, NULL, NULL);
}
