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
	static const char *const names[] = { "bash", "python3", "env", "xargs", "find", "npm", "docker", "bwrap", "busybox" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_string_equal(launcher_find(names[i])->program, names[i]);
	assert_string_equal(launcher_find("busybox")->kind, "multi-call program");
	assert_string_equal(launcher_article(launcher_find("python3")), "an");
	assert_string_equal(launcher_article(launcher_find("sh")), "a");
	assert_null(launcher_find("docker ps"));
	assert_null(launcher_find("jq"));
	assert_null(launcher_find("Bash"));
	assert_null(launcher_find(""));
}

static void test_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < launcher_table_size; i++) {
		const struct launcher *launcher = &launcher_table[i];
		assert_true(i == 0 || strcmp(launcher[-1].program, launcher->program) < 0);
		assert_ptr_equal(launcher_find(launcher->program), launcher);
		assert_true(*launcher->runs && *launcher->source);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_order),
	};
	return cmocka_run_group_tests_name("launchers", tests, NULL, NULL);
}
