#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "compiler/policy/resolver.h"

static void names_of_policies(void **state)
{
	(void)state;
	assert_true(name_is_policy_name("phase7"));
	assert_true(name_is_policy_name("a-b_c9"));
	assert_false(name_is_policy_name(""));
	assert_false(name_is_policy_name("7phase"));
	assert_false(name_is_policy_name("Phase"));
	assert_false(name_is_policy_name("a/b"));
	assert_false(name_is_policy_name("a.b"));
	assert_true(name_is_keyword("alignas"));
	assert_true(name_is_keyword("int"));
	assert_true(name_is_keyword("lambda"));
	assert_true(name_is_keyword("static_cast"));
	assert_true(name_is_keyword("static-cast")); /* '-' becomes '_' in artifacts */
	assert_false(name_is_keyword("phase7"));
	assert_false(name_is_keyword(
		"the-longest-name-that-a-policy-may-have-is-far-longer-than-any-keyword-that-a-"
		"language-has"));
}

static void names_of_blocks_are_safe_folders(void **state)
{
	(void)state;
	assert_true(name_is_block_name("distroless-migration--node--npm"));
	assert_true(name_is_block_name("7z"));
	assert_false(name_is_block_name(".."));
	assert_false(name_is_block_name("."));
	assert_false(name_is_block_name("-rf"));
	assert_false(name_is_block_name("a/b"));
	assert_false(name_is_block_name(""));
}

static void versions(void **state)
{
	(void)state;
	assert_true(version_is_valid("20.10"));
	assert_true(version_is_valid("1.2.3-rc1+deb12u1~bpo"));
	assert_false(version_is_valid("v1"));
	assert_false(version_is_valid(""));
	assert_false(version_is_valid("1 2"));
}

static void spellings(void **state)
{
	(void)state;
	assert_true(spelling_is_valid("docker-buildx"));
	assert_true(spelling_is_valid("["));
	assert_true(spelling_is_valid("a~b"));
	assert_false(spelling_is_valid("docker buildx"));
	assert_false(spelling_is_valid(""));
	assert_false(spelling_is_valid("-x"));
	assert_false(spelling_is_valid("a/b"));
	assert_false(spelling_is_valid("caf\xc3\xa9"));
}

static void platforms(void **state)
{
	(void)state;
	assert_int_equal(platform_find("linux"), PLATFORM_LINUX);
	assert_int_equal(platform_find("linx"), PLATFORM_COUNT);
	assert_string_equal(platform_nearest("linx"), "linux");
	assert_string_equal(platform_nearest("maxos"), "macos");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_policies),
		cmocka_unit_test(names_of_blocks_are_safe_folders),
		cmocka_unit_test(versions),
		cmocka_unit_test(spellings),
		cmocka_unit_test(platforms),
	};
	return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
