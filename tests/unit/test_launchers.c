/* Programs that run others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/data/launchers.h"

static void test_find(void **state)
{
	(void)state;
	static const char *const names[] = { "bash", "python3", "env",   "xargs",  "find",
					     "npm",  "docker",  "bwrap", "busybox" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_string_equal(launcher_find(names[i])->program, names[i]);
	assert_string_equal(launcher_find("busybox")->kind, "multi-call program");
	assert_string_equal(launcher_find("ash")->kind, "shell"); /* the first and the last of the table */
	assert_string_equal(launcher_find("zsh")->source, "zsh(1)");
	assert_null(launcher_find("jq"));
	assert_null(launcher_find("Bash"));
	assert_null(launcher_find(""));
}

/* What stands behind the program leaves open what is run, or does not. */
static void test_several_words(void **state)
{
	(void)state;
	static const char *const open[] = {
		"bash -c",    "python3 -m",     "sudo -u",  "docker run", "docker exec", "docker -H",
		"busybox sh", "busybox env jq", "git push", "env jq",     "uv run",      "bash -o pipefail -c"
	};
	for (size_t i = 0; i < sizeof open / sizeof *open; i++)
		if (!launcher_find(open[i]))
			fail_msg("%s", open[i]);
	static const char *const closed[] = { "docker ps",      "docker buildx",      "docker r",
					      "docker running", "bash build.sh",      "python3 manage.py",
					      "busybox ls",     "busybox busybox ls", "busybox docker ps",
					      "jq -c",          "docker run,start",   "go env" };
	for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
		if (launcher_find(closed[i]))
			fail_msg("%s", closed[i]);
	assert_string_equal(launcher_find("busybox sh")->program, "busybox");
}

static void test_versions(void **state)
{
	(void)state;
	assert_string_equal(launcher_find("python3.11")->program, "python3");
	assert_string_equal(launcher_find("python2")->program, "python");
	assert_string_equal(launcher_find("python2.7 -c")->program, "python");
	assert_string_equal(launcher_find("lua5.4")->program, "lua");
	assert_string_equal(launcher_find("guile-3.0")->program, "guile");
	assert_string_equal(launcher_find("pypy3.9")->program, "pypy3");
	assert_string_equal(launcher_find("ksh93")->program, "ksh");
	static const char *const others[] = {
		"ed25519", "tar1090", "python3.11-config",      "python3-", "python.", "python3x", "3",
		"7z",      "lua5.4-", "python99999999999999999"
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (launcher_find(others[i]))
			fail_msg("%s", others[i]);
}

static void test_relation(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *const cases[][2] = {
		{ "sh", "is a shell" },
		{ "python3", "is an interpreter" },
		{ "python3.11 -m", "begins with 'python3.11', an interpreter" },
		{ "busybox sh", "begins with 'busybox', a multi-call program" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(launcher_relation(arena, launcher_find(cases[i][0]), cases[i][0]),
				    cases[i][1]);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_several_words),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_relation),
	};
	return cmocka_run_group_tests_name("launchers", tests, NULL, NULL);
}
