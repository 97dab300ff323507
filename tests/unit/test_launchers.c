/* Programs that run others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/data/launchers.h"

static void test_find(void **state)
{
	(void)state;
	static const char *const names[] = { "bash", "python3", "env",   "xargs",  "find",
					     "npm",  "docker",  "bwrap", "busybox" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_string_equal(launcher_find(names[i])->program, names[i]);
	assert_string_equal(launcher_find("busybox")->kind, "multi-call program");
	assert_string_equal(launcher_article(launcher_find("python3")), "an");
	assert_string_equal(launcher_article(launcher_find("sh")), "a");
	assert_string_equal(launcher_find("ash")->kind, "shell"); /* the first and the last of the table */
	assert_string_equal(launcher_find("zsh")->source, "zsh(1)");
	assert_null(launcher_find("docker ps"));
	assert_null(launcher_find("jq"));
	assert_null(launcher_find("Bash"));
	assert_null(launcher_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
	};
	return cmocka_run_group_tests_name("launchers", tests, NULL, NULL);
}
