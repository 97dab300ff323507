#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/strbuf.h"
#include "compiler/hash.h"
#include "compiler/manifest.h"

/* FIPS 180-4's own examples. */
#define HASH_EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define HASH_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

static void hashes_are_sha256(void **state)
{
	struct arena *arena = arena_new();
	assert_string_equal(hash_bytes(arena, "", 0), HASH_EMPTY);
	assert_string_equal(hash_bytes(arena, "abc", 3), HASH_ABC);
	assert_true(hash_is(HASH_ABC, 64));
	assert_false(hash_is(HASH_ABC, 63));
	assert_false(hash_is("g" HASH_ABC, 64));
	arena_free(arena);
	(void)state;
}

static void a_list_is_printed_for_sha256sum(void **state)
{
	struct arena *arena = arena_new();
	struct manifest list = { 0 };
	struct strbuf out = STRBUF_INIT;
	manifest_print(&list, &out);
	assert_string_equal(out.bytes, "");
	claims_add(arena, &list.claims, "x.h", HASH_EMPTY);
	claims_add(arena, &list.claims, "a b\n\\", HASH_ABC);
	claims_sort(&list.claims);
	manifest_print(&list, &out);
	assert_string_equal(out.bytes, "\\" HASH_ABC "  a b\\n\\\\\n" HASH_EMPTY "  x.h\n");
	strbuf_release(&out);
	arena_free(arena);
	(void)state;
}

static void a_list_is_read_in_both_forms(void **state)
{
	static const char text[] =
		HASH_EMPTY "  x.h\n"
			   "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD *b.bin\n"
			   "\\" HASH_ABC "  a\\nb\n" HASH_ABC "   blank first";
	struct arena *arena = arena_new();
	struct manifest list = { 0 };
	unsigned line;
	assert_true(manifest_parse(arena, text, sizeof text - 1, &list, &line));
	assert_int_equal(list.claims.count, 4);
	assert_true(claims_have(&list.claims, "x.h", HASH_EMPTY));
	assert_true(claims_have(&list.claims, "b.bin", HASH_ABC));
	assert_true(claims_have(&list.claims, "a\nb", HASH_ABC));
	assert_true(claims_have(&list.claims, " blank first", HASH_ABC));
	arena_free(arena);
	(void)state;
}

static void the_maker_of_a_file_is_a_comment(void **state)
{
	static const char text[] = HASH_ABC "  a b\n" HASH_EMPTY "  x.h\n# by allowc-gen-type-script: a b\n";
	struct arena *arena = arena_new();
	struct manifest list = { 0 };
	struct strbuf out = STRBUF_INIT;
	unsigned line;
	assert_true(manifest_parse(arena, text, sizeof text - 1, &list, &line));
	assert_string_equal(manifest_maker(&list, "a b"), "type-script");
	assert_null(manifest_maker(&list, "x.h"));
	manifest_print(&list, &out);
	assert_string_equal(out.bytes, text);
	strbuf_release(&out);
	arena_free(arena);
	(void)state;
}

static void assert_refused(const char *text, unsigned wanted_line)
{
	struct arena *arena = arena_new();
	struct manifest list = { 0 };
	unsigned line;
	assert_false(manifest_parse(arena, text, strlen(text), &list, &line));
	assert_int_equal(line, wanted_line);
	arena_free(arena);
}

static void anything_else_is_refused_with_its_line(void **state)
{
	assert_refused("\n", 1);
	assert_refused("# a comment\n", 1);
	assert_refused("# by allowc-gen-: a\n", 1);
	assert_refused("# by allowc-gen-../x: a\n", 1);
	assert_refused("# by allowc-gen-x: \n", 1);
	assert_refused("# by allowc-gen-x a\n", 1);
	assert_refused("# by: x\n", 1);
	assert_refused(HASH_ABC "  a\n<<<<<<< main\n", 2);
	assert_refused(HASH_ABC " a\n", 1);
	assert_refused(HASH_ABC "  \n", 1);
	assert_refused(HASH_ABC "\n", 1);
	assert_refused(HASH_ABC "0  a\n", 1);
	assert_refused("\\" HASH_ABC "  a\\t\n", 1);
	assert_refused(HASH_ABC "  a\n\n", 2);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_are_sha256),
		cmocka_unit_test(a_list_is_printed_for_sha256sum),
		cmocka_unit_test(a_list_is_read_in_both_forms),
		cmocka_unit_test(the_maker_of_a_file_is_a_comment),
		cmocka_unit_test(anything_else_is_refused_with_its_line),
	};
	return cmocka_run_group_tests_name("manifest", tests, NULL, NULL);
}
