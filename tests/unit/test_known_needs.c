/* The table of what well-known programs need. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/data/known_needs.h"
#include "compiler/data/syscalls.h"

static void the_table_is_sorted_and_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < known_need_table_size; i++) {
		const struct known_need *need = &known_need_table[i];
		if (i && strcmp(known_need_table[i - 1].program, need->program) >= 0)
			fail_msg("'%s' is out of order", need->program);
		assert_true((need->capability == NULL) != (need->calls == NULL));
		if (need->capability && !capability_find(need->capability))
			fail_msg("no capability '%s'", need->capability);
		for (const char *const *call = need->calls; call && *call; call++)
			if (!syscall_find(*call))
				fail_msg("no system call '%s'", *call);
		assert_non_null(strchr(need->why, '('));
	}
}

static void a_command_is_found_by_its_first_word(void **state)
{
	(void)state;
	for (size_t i = 0; i < known_need_table_size; i++)
		assert_ptr_equal(known_need_find(known_need_table[i].program), &known_need_table[i]);
	assert_string_equal(known_need_find("perf stat -a")->program, "perf");
	assert_string_equal(known_need_find("su root")->program, "su");
	assert_string_equal(known_need_find("sudo su")->program, "sudo");
	assert_null(known_need_find("s"));
	assert_null(known_need_find("sud"));
	assert_null(known_need_find("sudoedit"));
	assert_null(known_need_find("git"));
	assert_null(known_need_find("zzz"));
	assert_null(known_need_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_sorted_and_whole),
		cmocka_unit_test(a_command_is_found_by_its_first_word),
	};
	return cmocka_run_group_tests_name("known_needs", tests, NULL, NULL);
}
