/* The table of calls that reach the same end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/data/equivalents.h"
#include "compiler/data/syscalls.h"

static void every_name_is_a_call(void **state)
{
	(void)state;
	for (size_t i = 0; i < equivalents_table_size; i++) {
		const struct equivalents *set = &equivalents_table[i];
		if (set->door && !syscall_find(set->door))
			fail_msg("no system call '%s'", set->door);
		for (const char *const *name = set->calls; *name; name++)
			if (!syscall_find(*name))
				fail_msg("no system call '%s'", *name);
	}
}

/*
 * A set has two members at least, or one where a set has its door otherwise; each once, and a door is none of
 * those that it stands for.
 */
static void every_set_says_something(void **state)
{
	(void)state;
	for (size_t i = 0; i < equivalents_table_size; i++) {
		const struct equivalents *set = &equivalents_table[i];
		size_t count = 0;
		for (; set->calls[count]; count++) {
			for (size_t before = 0; before < count; before++)
				assert_string_not_equal(set->calls[before], set->calls[count]);
			if (set->door)
				assert_string_not_equal(set->door, set->calls[count]);
		}
		assert_true(count >= (set->door && set->arguments == ARGUMENTS_ONLY ? 1 : 2));
	}
}

/* What 32-bit ABIs have under a second name for 64-bit times is a way around the first. */
static void every_call_with_64_bit_times_is_in_a_set(void **state)
{
	(void)state;
	static const char *const harmless[] = { "clock_getres_time64", "sched_rr_get_interval_time64" };
	for (size_t i = 0; i < syscall_table_size; i++) {
		const char *name = syscall_table[i].name;
		bool found = strcmp(name, harmless[0]) == 0 || strcmp(name, harmless[1]) == 0;
		if (!strstr(name, "_time64"))
			continue;
		for (size_t k = 0; k < equivalents_table_size; k++)
			for (const char *const *call = equivalents_table[k].calls; *call; call++)
				found = found || strcmp(*call, name) == 0;
		if (!found)
			fail_msg("'%s' stands in no set", name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_is_a_call),
		cmocka_unit_test(every_set_says_something),
		cmocka_unit_test(every_call_with_64_bit_times_is_in_a_set),
	};
	return cmocka_run_group_tests_name("equivalents", tests, NULL, NULL);
}
