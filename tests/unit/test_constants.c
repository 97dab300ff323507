/* Constants by name: values as the kernel's headers and the manual pages have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/data/constants.h"

static void assert_value(const char *name, enum abi abi, int64_t value)
{
	int64_t found = 0;
	assert_true(constant_find(name, abi, &found));
	if (found != value)
		fail_msg("%s on %s: %#llx", name, abi_facts(abi)->name, (unsigned long long)found);
}

static void the_usual_headers_are_there(void **state)
{
	(void)state;
	assert_value("CLONE_NEWUSER", ABI_X86_64, 0x10000000);
	assert_value("AF_ALG", ABI_I386, 38);
	assert_value("AF_NETLINK", ABI_S390X, 16);
	assert_value("SOCK_RAW", ABI_ARM, 3);
	assert_value("SOCK_CLOEXEC", ABI_X86_64, 02000000);
	assert_value("NETLINK_AUDIT", ABI_X86_64, 9);
	assert_value("PROT_EXEC", ABI_X86_64, 4);
	assert_value("MAP_FIXED", ABI_X86_64, 16);
	assert_value("PR_SET_NO_NEW_PRIVS", ABI_X86_64, 38);
	assert_value("PTRACE_TRACEME", ABI_X86_64, 0);
	assert_value("SECCOMP_SET_MODE_FILTER", ABI_X86_64, 1);
	assert_value("F_SETFL", ABI_X86_64, 4);
	assert_value("AT_FDCWD", ABI_X86_64, -100);
	assert_value("S_ISUID", ABI_X86_64, 04000);
	assert_value("TIOCSTI", ABI_PPC64LE, 0x5412);
}

static void some_values_are_an_abi_s_own(void **state)
{
	(void)state;
	assert_value("O_DIRECTORY", ABI_X86_64, 0200000);
	assert_value("O_DIRECTORY", ABI_AARCH64, 040000);
	assert_value("O_DIRECTORY", ABI_ARM, 040000);
	assert_value("O_DIRECT", ABI_PPC64LE, 0400000);
	assert_value("O_TMPFILE", ABI_AARCH64, 020000000 | 040000);
	assert_value("MAP_LOCKED", ABI_PPC64LE, 0x80);
	assert_value("MAP_LOCKED", ABI_RISCV64, 0x2000);
}

static void the_others_are_not(void **state)
{
	(void)state;
	int64_t value;
	assert_false(constant_find("CLONE_NEWUSR", ABI_X86_64, &value));
	assert_false(constant_find("", ABI_X86_64, &value));
	assert_string_equal(constant_nearest("CLONE_NEWUSR"), "CLONE_NEWUSER");
	assert_null(constant_nearest("XYZZY_PLUGH"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_usual_headers_are_there),
		cmocka_unit_test(some_values_are_an_abi_s_own),
		cmocka_unit_test(the_others_are_not),
	};
	return cmocka_run_group_tests_name("constants", tests, NULL, NULL);
}
