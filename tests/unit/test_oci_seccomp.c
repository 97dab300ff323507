/* NAME.seccomp.json: its bytes. tests/peers/test_oci_seccomp.c has libseccomp make a filter of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/backend.h"
#include "compiler/base/compilation.h"
#include "tests/unit/filter_policy.h"

static void assert_emitted(struct test_policy *test, size_t index, size_t count, const char *path,
			   const char *text)
{
	struct compilation compilation = compilation_begin(0);
	const struct emission emission = { &compilation, &test->policy, NULL };
	struct artifacts out = { .count = 0 }, listed = { .count = 0 };
	backend_oci_seccomp.list(&emission, &listed);
	assert_true(backend_oci_seccomp.emit(&emission, &out));
	assert_int_equal(out.count, count);
	assert_int_equal(listed.count, count);
	assert_string_equal(out.items[index].path, path);
	assert_string_equal(listed.items[index].path, path);
	assert_true(backend_oci_seccomp.owns(&test->policy, path));
	assert_string_equal(out.items[index].bytes, text);
	compilation_end(&compilation);
}

/* crun takes no errno beside an ALLOW default, nor beside an action that is no errno. */
static void a_deny_list(void **state)
{
	(void)state;
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64 | 1u << ABI_I386);
	test_deny(&test, "reboot kcmp", test_eperm);
	test_deny(&test, "ptrace", test_kill);
	assert_emitted(&test, 0, 1, "test.seccomp.json",
		       "{\n"
		       "  \"defaultAction\": \"SCMP_ACT_ALLOW\",\n"
		       "  \"architectures\": [\"SCMP_ARCH_X86_64\", \"SCMP_ARCH_X86\"],\n"
		       "  \"syscalls\": [\n"
		       "    {\n"
		       "      \"names\": [\n"
		       "        \"kcmp\",\n"
		       "        \"reboot\"\n"
		       "      ],\n"
		       "      \"action\": \"SCMP_ACT_ERRNO\"\n"
		       "    },\n"
		       "    {\n"
		       "      \"names\": [\n"
		       "        \"ptrace\"\n"
		       "      ],\n"
		       "      \"action\": \"SCMP_ACT_KILL_PROCESS\"\n"
		       "    }\n"
		       "  ]\n"
		       "}\n");
}

/* Each errno but EPERM has its number. */
static void other_errnos_are_numbers(void **state)
{
	(void)state;
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64);
	test.policy.seccomp.fallback = test_enosys;
	test_allow_names(&test, "read");
	test_deny(&test, "ptrace", (struct action){ .kind = ACTION_ERRNO, .errno_value = 4095 });
	assert_emitted(&test, 0, 1, "test.seccomp.json",
		       "{\n"
		       "  \"defaultAction\": \"SCMP_ACT_ERRNO\",\n"
		       "  \"defaultErrnoRet\": 38,\n"
		       "  \"architectures\": [\"SCMP_ARCH_AARCH64\"],\n"
		       "  \"syscalls\": [\n"
		       "    {\n"
		       "      \"names\": [\n"
		       "        \"read\"\n"
		       "      ],\n"
		       "      \"action\": \"SCMP_ACT_ALLOW\"\n"
		       "    },\n"
		       "    {\n"
		       "      \"names\": [\n"
		       "        \"ptrace\"\n"
		       "      ],\n"
		       "      \"action\": \"SCMP_ACT_ERRNO\",\n"
		       "      \"errnoRet\": 4095\n"
		       "    }\n"
		       "  ]\n"
		       "}\n");
}

static void an_allow_list_with_one_default(void **state)
{
	(void)state;
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64);
	test.policy.seccomp.fallback = test_eperm;
	test.policy.seccomp.unknown_default = true;
	test_allow_names(&test, "read");
	assert_emitted(&test, 0, 1, "test.seccomp.json",
		       "{\n"
		       "  \"defaultAction\": \"SCMP_ACT_ERRNO\",\n"
		       "  \"architectures\": [\"SCMP_ARCH_AARCH64\"],\n"
		       "  \"syscalls\": [\n"
		       "    {\n"
		       "      \"names\": [\n"
		       "        \"read\"\n"
		       "      ],\n"
		       "      \"action\": \"SCMP_ACT_ALLOW\"\n"
		       "    }\n"
		       "  ]\n"
		       "}\n");
}

static void a_policy_without_system_calls(void **state)
{
	(void)state;
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	assert_emitted(&test, 0, 1, "test.seccomp.json",
		       "{\n"
		       "  \"defaultAction\": \"SCMP_ACT_ALLOW\",\n"
		       "  \"architectures\": [\"SCMP_ARCH_X86_64\"],\n"
		       "  \"syscalls\": []\n"
		       "}\n");
}

static void a_file_for_each_byte_order(void **state)
{
	(void)state;
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_AARCH64 | 1u << ABI_S390X);
	assert_emitted(&test, 0, 2, "test.seccomp.json",
		       "{\n"
		       "  \"defaultAction\": \"SCMP_ACT_ALLOW\",\n"
		       "  \"architectures\": [\"SCMP_ARCH_AARCH64\"],\n"
		       "  \"syscalls\": []\n"
		       "}\n");
	assert_emitted(&test, 1, 2, "test.be.seccomp.json",
		       "{\n"
		       "  \"defaultAction\": \"SCMP_ACT_ALLOW\",\n"
		       "  \"architectures\": [\"SCMP_ARCH_S390X\"],\n"
		       "  \"syscalls\": []\n"
		       "}\n");
	test_policy_begin(&test, 1u << ABI_S390X);
	assert_emitted(&test, 0, 1, "test.be.seccomp.json",
		       "{\n"
		       "  \"defaultAction\": \"SCMP_ACT_ALLOW\",\n"
		       "  \"architectures\": [\"SCMP_ARCH_S390X\"],\n"
		       "  \"syscalls\": []\n"
		       "}\n");
}

static void it_is_by_default_where_the_policy_denies_by_omission(void **state)
{
	(void)state;
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	assert_false(backend_oci_seccomp.by_default);
	assert_false(backend_oci_seccomp.by_default_for(&test.policy));
	test.policy.seccomp.fallback = test_log;
	assert_false(backend_oci_seccomp.by_default_for(&test.policy));
	test.policy.seccomp.fallback = test_eperm;
	assert_true(backend_oci_seccomp.by_default_for(&test.policy));
	test.policy.seccomp.fallback = test_kill;
	assert_true(backend_oci_seccomp.by_default_for(&test.policy));
	assert_false(backend_oci_seccomp.owns(&test.policy, "test.json"));
	assert_false(backend_oci_seccomp.owns(&test.policy, "other.seccomp.json"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deny_list),
		cmocka_unit_test(other_errnos_are_numbers),
		cmocka_unit_test(an_allow_list_with_one_default),
		cmocka_unit_test(a_policy_without_system_calls),
		cmocka_unit_test(a_file_for_each_byte_order),
		cmocka_unit_test(it_is_by_default_where_the_policy_denies_by_omission),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
