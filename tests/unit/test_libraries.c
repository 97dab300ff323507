/* The libraries that ship: the table, and what policies get from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/data/libraries.h"
#include "tests/unit/policy_text.h"

static void the_table_is_sorted_and_plain(void **state)
{
	(void)state;
	assert_true(library_table_size >= 2);
	for (size_t i = 0; i < library_table_size; i++) {
		const struct library *library = &library_table[i];
		assert_int_equal(strlen(library->text), library->size);
		assert_int_equal(library->text[library->size - 1], '\n');
		assert_memory_equal(library->text, "# ", 2);
		assert_memory_equal(library->text + 2, library->name, strlen(library->name));
		if (i)
			assert_true(strcmp(library_table[i - 1].name, library->name) < 0);
	}
}

static void names_are_found_or_nearly(void **state)
{
	(void)state;
	assert_string_equal(library_find("std-container-2026")->name, "std-container-2026");
	assert_null(library_find("std-container"));
	assert_null(library_find(""));
	assert_string_equal(library_nearest("std-container"), "std-container-2026");
	assert_string_equal(library_nearest("std-groups-2062"), "std-groups-2026");
	assert_null(library_nearest("helicopter"));
	assert_null(library_nearest(""));
}

/* Nothing is said against any of them, nor against all together: no group stands in two. */
static void each_library_is_without_a_mistake(void **state)
{
	(void)state;
	char *all = "policy p\n";
	struct policy_text text = policy_text_begin();
	for (size_t i = 0; i < library_table_size; i++)
		all = arena_printf(text.compilation.arena, "%suse <%s>\n", all, library_table[i].name);
	policy_text_add(&text, "p.allow", all);
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	assert_int_equal(sources_count(text.compilation.sources), 1 + library_table_size);
	assert_true(sources_get(text.compilation.sources, 1)->shipped);
	assert_string_equal(sources_get(text.compilation.sources, 1)->path, "<std-container-2026>");
	policy_text_end(&text);
}

static const struct row *group_row(struct policy_text *text, const char *library, const char *group)
{
	*text = policy_text_begin();
	policy_text_add(text, "p.allow",
			arena_printf(text->compilation.arena,
				     "policy p\nuse <%s>\nforbid syscall %s  adr 1  because \"r\"\n", library,
				     group));
	policy_text_resolve(text, "p.allow");
	assert_non_null(text->policy);
	return policy_text_row(text, group);
}

static size_t calls_on(const struct row *row, enum abi abi)
{
	size_t count = 0;
	for (size_t i = 0; i < row->call_count; i++)
		count += row->calls[i].call->numbers[abi] >= 0;
	return count;
}

/* 369 names that the profile has everywhere, 308 of them on x86_64, and 11 of single architectures. */
static void the_container_group_is_the_engines_profile(void **state)
{
	(void)state;
	struct policy_text text;
	const struct row *row = group_row(&text, "std-container-2026", "@container");
	assert_int_equal(row->call_count, 369 + 11);
	assert_int_equal(calls_on(row, ABI_X86_64), 308);
	policy_text_end(&text);
}

static void groups_hold_what_they_are_for(void **state)
{
	(void)state;
	static const struct {
		const char *group, *calls;
	} groups[] = {
		{ "@tracing", "kcmp perf_event_open pidfd_getfd process_madvise process_vm_readv "
			      "process_vm_writev ptrace" },
		{ "@reboot", "kexec_file_load kexec_load reboot" },
		{ "@swap", "swapoff swapon" },
		{ "@keyring", "add_key keyctl request_key" },
		{ "@io-uring", "io_uring_enter io_uring_register io_uring_setup" },
		{ "@bpf", "bpf" },
		{ "@clock",
		  "adjtimex clock_adjtime clock_adjtime64 clock_settime clock_settime64 settimeofday "
		  "stime" },
		{ "@module",
		  "create_module delete_module finit_module get_kernel_syms init_module query_module" },
		{ "@userns", "clone(flags & CLONE_NEWUSER) unshare(flags & CLONE_NEWUSER)" },
	};
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		struct policy_text text;
		const struct row *row = group_row(&text, "std-groups-2026", groups[i].group);
		assert_string_equal(policy_text_calls(&text, row->calls, row->call_count), groups[i].calls);
		policy_text_end(&text);
	}
}

/* Whoever forbids a group has shut all the doors: nothing is said of one that stays open. */
static void groups_leave_no_door_open(void **state)
{
	(void)state;
	static const char *const groups[] = { "@tracing",  "@mount",   "@module",  "@clock",
					      "@reboot",   "@raw-io",  "@swap",    "@bpf",
					      "@io-uring", "@keyring", "@obsolete", "@userns" };
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		struct policy_text text = policy_text_begin();
		assert_null(diags_option(text.compilation.diags, "incomplete-group"));
		policy_text_add(&text, "p.allow",
				arena_printf(text.compilation.arena,
					     "policy p\nuse <std-groups-2026>\n"
					     "forbid syscall %s  adr 1  because \"r\"\n",
					     groups[i]));
		policy_text_resolve(&text, "p.allow");
		assert_clean(&text);
		policy_text_end(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_sorted_and_plain),
		cmocka_unit_test(names_are_found_or_nearly),
		cmocka_unit_test(each_library_is_without_a_mistake),
		cmocka_unit_test(the_container_group_is_the_engines_profile),
		cmocka_unit_test(groups_hold_what_they_are_for),
		cmocka_unit_test(groups_leave_no_door_open),
	};
	return cmocka_run_group_tests_name("libraries", tests, NULL, NULL);
}
