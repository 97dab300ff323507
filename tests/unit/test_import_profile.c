/* A profile of container engines as settings and rows. What is refused is shown by golden cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/import_profile.h"

static void assert_import(const char *json, const char *policy)
{
	struct compilation compilation = compilation_begin(0);
	struct import import = { .compilation = &compilation };
	struct strbuf out = STRBUF_INIT;
	const struct source *source = sources_add(compilation.sources, "a.json", json, strlen(json));
	assert_true(import_profile_is(source));
	assert_true(import_profile_read(&import, source));
	import_profile_print(&import, &out);
	assert_string_equal(out.bytes, policy);
	assert_int_equal(diags_errors(compilation.diags), 0);
	strbuf_release(&out);
	compilation_end(&compilation);
}

static void an_allow_list(void **state)
{
	(void)state;
	assert_import("{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"architectures\": [\"SCMP_ARCH_X86_64\"],"
		      " \"syscalls\": [{\"names\": [\"write\", \"read\", \"seccomp\"], \"action\": "
		      "\"SCMP_ACT_ALLOW\"},"
		      " {\"names\": [\"read\"], \"action\": \"SCMP_ACT_ALLOW\"}]}",
		      "\nseccomp {\n"
		      "    default errno EPERM\n"
		      "    unknown default\n"
		      "    abi x86_64\n"
		      "}\n"
		      "syscalls @allowed {\n"
		      "    write\n"
		      "    read\n"
		      "    \"seccomp\"\n"
		      "}\n"
		      "allow syscall @allowed  adr ?\n");
}

static void a_deny_list(void **state)
{
	(void)state;
	assert_import("{\"defaultAction\": \"SCMP_ACT_ALLOW\","
		      " \"architectures\": [\"SCMP_ARCH_X86\", \"SCMP_ARCH_X86_64\", \"SCMP_ARCH_X86\"],"
		      " \"syscalls\": [{\"names\": [\"ptrace\"], \"action\": \"SCMP_ACT_KILL_PROCESS\"},"
		      " {\"names\": [\"acct\"], \"action\": \"SCMP_ACT_ERRNO\", \"errnoRet\": 1},"
		      " {\"names\": [\"bpf\"], \"action\": \"SCMP_ACT_ERRNO\", \"errnoRet\": 38},"
		      " {\"names\": [\"kcmp\"], \"action\": \"SCMP_ACT_ERRNO\", \"errnoRet\": 600},"
		      " {\"names\": [\"mount\"], \"action\": \"SCMP_ACT_LOG\"}]}",
		      "\nseccomp {\n"
		      "    default allow\n"
		      "    abi x86_64, i386\n"
		      "}\n"
		      "forbid syscall ptrace  adr ?  with kill\n"
		      "forbid syscall acct  adr ?\n"
		      "forbid syscall bpf  adr ?  with errno ENOSYS\n"
		      "forbid syscall kcmp  adr ?  with errno 600\n"
		      "forbid syscall mount  adr ?  with log\n");
}

/* What says what the default says is no rule, and what stands in a wider rule adds nothing. */
static void rules_that_add_nothing(void **state)
{
	(void)state;
	assert_import("{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"defaultErrnoRet\": 1, \"architectures\": "
		      "[\"SCMP_ARCH_X86_64\"],"
		      " \"syscalls\": [{\"names\": [\"ptrace\"], \"action\": \"SCMP_ACT_ERRNO\"},"
		      " {\"names\": [\"personality\"], \"action\": \"SCMP_ACT_ALLOW\","
		      "  \"args\": [{\"index\": 0, \"value\": 8, \"op\": \"SCMP_CMP_EQ\"}]},"
		      " {\"names\": [\"personality\"], \"action\": \"SCMP_ACT_ALLOW\", \"args\": []},"
		      " {\"names\": [\"personality\"], \"action\": \"SCMP_ACT_ALLOW\","
		      "  \"args\": [{\"index\": 0, \"value\": 0, \"op\": \"SCMP_CMP_EQ\"}]}]}",
		      "\nseccomp {\n"
		      "    default errno EPERM\n"
		      "    unknown default\n"
		      "    abi x86_64\n"
		      "}\n"
		      "allow syscall personality  adr ?\n");
}

static void conditions_are_alternatives(void **state)
{
	(void)state;
	assert_import(
		"{\"defaultAction\": \"SCMP_ACT_KILL_PROCESS\", \"architectures\": [\"SCMP_ARCH_AARCH64\"],"
		" \"syscalls\": [{\"names\": [\"personality\"], \"action\": \"SCMP_ACT_ALLOW\","
		"  \"args\": [{\"index\": 0, \"value\": 8, \"valueTwo\": 0, \"op\": \"SCMP_CMP_EQ\"}]},"
		" {\"names\": [\"socket\", \"personality\"], \"action\": \"SCMP_ACT_ALLOW\","
		"  \"args\": [{\"index\": 0, \"value\": 15, \"valueTwo\": 1, \"op\": \"SCMP_CMP_MASKED_EQ\"},"
		"             {\"index\": 1, \"value\": 3, \"op\": \"SCMP_CMP_LT\"}]},"
		" {\"names\": [\"personality\"], \"action\": \"SCMP_ACT_ALLOW\","
		"  \"args\": [{\"index\": 0, \"value\": 8, \"op\": \"SCMP_CMP_EQ\"}]}]}",
		"\nseccomp {\n"
		"    default kill\n"
		"    unknown default\n"
		"    abi aarch64\n"
		"}\n"
		"syscalls @allowed {\n"
		"    personality(persona == 8)\n"
		"    personality((persona & 0xf) == 1 && arg1 < 3)\n"
		"    socket((domain & 0xf) == 1 && type < 3)\n"
		"}\n"
		"allow syscall @allowed  adr ?\n");
}

/* It passes and is logged: listed, and then logged. */
static void what_is_logged_is_listed_too(void **state)
{
	(void)state;
	assert_import("{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"architectures\": [\"SCMP_ARCH_X86_64\"],"
		      " \"syscalls\": [{\"name\": \"reboot\", \"action\": \"SCMP_ACT_LOG\"}]}",
		      "\nseccomp {\n"
		      "    default errno EPERM\n"
		      "    unknown default\n"
		      "    abi x86_64\n"
		      "}\n"
		      "syscalls @allowed {\n"
		      "    reboot\n"
		      "}\n"
		      "allow syscall @allowed  adr ?\n"
		      "forbid syscall reboot  adr ?  with log\n");
}

/* Where clone is decided by its flags a policy refuses clone3 with ENOSYS, unless a row by itself names it.
 */
static void clone3_is_as_the_profile_has_it(void **state)
{
	(void)state;
	assert_import(
		"{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"architectures\": [\"SCMP_ARCH_X86_64\"],"
		" \"syscalls\": [{\"names\": [\"clone3\", \"read\"], \"action\": \"SCMP_ACT_ALLOW\"},"
		" {\"names\": [\"clone\"], \"action\": \"SCMP_ACT_ALLOW\","
		"  \"args\": [{\"index\": 0, \"value\": 2114060288, \"op\": \"SCMP_CMP_MASKED_EQ\"}]}]}",
		"\nseccomp {\n"
		"    default errno EPERM\n"
		"    unknown default\n"
		"    abi x86_64\n"
		"}\n"
		"syscalls @allowed {\n"
		"    read\n"
		"    clone((arg0 & 0x7e020000) == 0)\n"
		"}\n"
		"allow syscall @allowed  adr ?\n"
		"allow syscall clone3  adr ?\n");
	assert_import(
		"{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"architectures\": [\"SCMP_ARCH_X86_64\"],"
		" \"syscalls\": [{\"names\": [\"clone\"], \"action\": \"SCMP_ACT_ALLOW\","
		"  \"args\": [{\"index\": 0, \"value\": 2114060288, \"op\": \"SCMP_CMP_MASKED_EQ\"}]}]}",
		"\nseccomp {\n"
		"    default errno EPERM\n"
		"    unknown default\n"
		"    abi x86_64\n"
		"}\n"
		"allow syscall clone((arg0 & 0x7e020000) == 0)  adr ?\n"
		"forbid syscall clone3  adr ?\n");
}

/* libseccomp makes a rule about socketcall of one about socket, whatever that compares its first argument
 * with. */
static void socketcall_follows_its_parts(void **state)
{
	(void)state;
	assert_import("{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"architectures\": [\"SCMP_ARCH_X86\"],"
		      " \"syscalls\": [{\"names\": [\"socket\"], \"action\": \"SCMP_ACT_ERRNO\","
		      "  \"args\": [{\"index\": 0, \"value\": 38, \"op\": \"SCMP_CMP_EQ\"}]},"
		      " {\"names\": [\"shmget\", \"bind\"], \"action\": \"SCMP_ACT_ERRNO\"}]}",
		      "\nseccomp {\n"
		      "    default allow\n"
		      "    abi i386\n"
		      "}\n"
		      "syscalls @refused-eperm {\n"
		      "    socket(domain == 38)\n"
		      "    shmget\n"
		      "    bind\n"
		      "    # engines do this by the rules about what it stands for\n"
		      "    socketcall(call == 1)\n"
		      "    socketcall(call == 2)\n"
		      "    # engines do this by the rules about what it stands for\n"
		      "    ipc(call == 23)\n"
		      "}\n"
		      "forbid syscall @refused-eperm  adr ?\n");
}

/* On x86_64 there is none; and a rule of its own goes before. */
static void socketcall_by_a_rule_of_its_own(void **state)
{
	(void)state;
	assert_import("{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"architectures\": [\"SCMP_ARCH_X86_64\"],"
		      " \"syscalls\": [{\"names\": [\"socket\"], \"action\": \"SCMP_ACT_ERRNO\"}]}",
		      "\nseccomp {\n"
		      "    default allow\n"
		      "    abi x86_64\n"
		      "}\n"
		      "forbid syscall socket  adr ?\n");
	assert_import("{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"architectures\": [\"SCMP_ARCH_X86\"],"
		      " \"syscalls\": [{\"names\": [\"socket\"], \"action\": \"SCMP_ACT_ERRNO\"},"
		      " {\"names\": [\"socketcall\"], \"action\": \"SCMP_ACT_LOG\"}]}",
		      "\nseccomp {\n"
		      "    default allow\n"
		      "    abi i386\n"
		      "}\n"
		      "forbid syscall socket  adr ?\n"
		      "forbid syscall socketcall  adr ?  with log\n");
}

/* An ABI that the engine's host decides is left open: 'native' does not compile. */
static void the_abi_of_the_host(void **state)
{
	(void)state;
	assert_import("{\"defaultAction\": \"SCMP_ACT_LOG\", \"architectures\": [], \"flags\": null, "
		      "\"syscalls\": null}",
		      "\nseccomp {\n"
		      "    default log\n"
		      "    # the profile leaves it to the host: name what the policy is for\n"
		      "    abi native\n"
		      "}\n");
}

static void what_docker_and_podman_write_beside_it(void **state)
{
	(void)state;
	assert_import("{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"defaultErrno\": \"ENOSYS\", "
		      "\"defaultErrnoRet\": 38,"
		      " \"archMap\": [{\"architecture\": \"SCMP_ARCH_X86_64\", \"subArchitectures\": "
		      "[\"SCMP_ARCH_X32\"]},"
		      " {\"architecture\": \"SCMP_ARCH_AARCH64\", \"subArchitectures\": null}],"
		      " \"syscalls\": [{\"names\": [\"read\"], \"action\": \"SCMP_ACT_ALLOW\", \"args\": [],"
		      " \"comment\": \"reads\", \"includes\": {}, \"excludes\": {}},"
		      " {\"names\": [\"bpf\"], \"action\": \"SCMP_ACT_ERRNO\", \"errno\": \"EACCES\"}]}",
		      "\nseccomp {\n"
		      "    default errno ENOSYS\n"
		      "    unknown default\n"
		      "    abi x86_64, x32, aarch64\n"
		      "}\n"
		      "allow syscall read  adr ?\n"
		      "forbid syscall bpf  adr ?  with errno EACCES\n");
}

static void the_profile_in_a_config(void **state)
{
	(void)state;
	assert_import("{\"ociVersion\": \"1.0.2\", \"linux\": {\"namespaces\": [], \"seccomp\":"
		      " {\"defaultAction\": \"SCMP_ACT_ALLOW\", \"architectures\": [\"SCMP_ARCH_S390X\"]}}}",
		      "\nseccomp {\n"
		      "    default allow\n"
		      "    abi s390x\n"
		      "}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_allow_list),
		cmocka_unit_test(a_deny_list),
		cmocka_unit_test(rules_that_add_nothing),
		cmocka_unit_test(conditions_are_alternatives),
		cmocka_unit_test(what_is_logged_is_listed_too),
		cmocka_unit_test(clone3_is_as_the_profile_has_it),
		cmocka_unit_test(socketcall_follows_its_parts),
		cmocka_unit_test(socketcall_by_a_rule_of_its_own),
		cmocka_unit_test(the_abi_of_the_host),
		cmocka_unit_test(what_docker_and_podman_write_beside_it),
		cmocka_unit_test(the_profile_in_a_config),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
