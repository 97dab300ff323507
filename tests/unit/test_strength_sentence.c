/* What a strength means, in a sentence: for each kind of row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/strength.h"
#include "tests/unit/policy_text.h"

static void assert_sentence(const struct policy *policy, const struct row *row,
			    enum strength_artifact artifact, const char *wanted)
{
	struct arena *arena = arena_new();
	struct strength_sets sets = strength_sets_of(arena, policy);
	assert_string_equal(strength_sentence(&sets, row, artifact), wanted);
	arena_free(arena);
}

/* Its filter lets through what it does not forbid. */
#define DENY_LIST                                                                                            \
	"policy p\n"                                                                                         \
	"seccomp { abi i386 }\n"                                                                             \
	"forbid strace  adr 1  because \"r\"  needs syscall ptrace, kcmp(type == 1), kcmp(type == 2)\n"      \
	"forbid CAP_SYS_BOOT  adr 1  because \"r\"\n"                                                        \
	"forbid CAP_CHOWN  adr 1  because \"r\"\n"                                                           \
	"forbid gdb  adr 1  because \"r\"\n"                                                                 \
	"decline npm  adr 1  because \"r\"\n"                                                                \
	"plugin x {\n"                                                                                       \
	"forbid gdb  adr 1  because \"r\"\n"                                                                 \
	"}\n"                                                                                                \
	"role gate {\n"                                                                                      \
	"forbid CAP_SYS_BOOT  adr 1  because \"r\"\n"                                                        \
	"}\n"

static void rows_of_a_deny_list(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load(DENY_LIST);
	assert_non_null(text.policy);
	const struct policy *p = text.policy;
	assert_sentence(p, p->rows[0], STRENGTH_BPF,
			"ptrace and 1 more call are refused: the program starts, and what needs them fails");
	assert_sentence(p, p->rows[1], STRENGTH_BPF,
			"kexec_load and 1 more call are refused; what else it gives stays until the "
			"capability is dropped");
	assert_sentence(
		p, p->rows[2], STRENGTH_BPF,
		"no system call tells that the capability is used: it holds where the capability is dropped");
	assert_sentence(p, p->rows[3], STRENGTH_BPF,
			"the row denies no system call: the program starts and works");
	assert_sentence(p, p->rows[3], STRENGTH_OCI_SECCOMP,
			"the row denies no system call: the program starts and works");
	/* The layers refuse it already, and i386 has no kexec_file_load: one call is named. */
	assert_sentence(p, p->roles[0]->rows[0], STRENGTH_BPF,
			"kexec_load is refused; what else it gives stays until the capability is dropped");
	policy_text_end(&text);
}

static void what_artifacts_of_commands_do_not_hold(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load(DENY_LIST);
	const struct policy *p = text.policy;
	static const enum strength_artifact holders[] = { STRENGTH_C_HEADER, STRENGTH_PYTHON,
							  STRENGTH_NAMES };
	for (size_t i = 0; i < sizeof holders / sizeof *holders; i++) {
		assert_sentence(p, p->rows[1], holders[i], "it holds commands alone");
		assert_sentence(p, p->rows[4], holders[i], "a declined command is not in it");
		assert_sentence(p, p->plugins[0]->rows[0], holders[i],
				"it does not hold the rows of plugins");
	}
	policy_text_end(&text);
}

static void rows_of_a_list_of_what_passes(void **state)
{
	(void)state;
	struct policy_text text =
		policy_text_load("policy p\n"
				 "seccomp { abi x86_64; default errno EPERM }\n"
				 "allow syscall read, socket  adr 1  because \"r\"\n"
				 "forbid syscall socket(domain == AF_ALG)  adr 1  because \"r\"\n"
				 "allow git  adr 1  because \"r\"\n");
	assert_non_null(text.policy);
	const struct policy *p = text.policy;
	assert_sentence(p, p->rows[0], STRENGTH_BPF,
			"the kernel lets it pass, and refuses what nothing lists");
	assert_sentence(p, p->rows[2], STRENGTH_SPO,
			"socket is refused with some arguments, whoever makes the call; "
			"it takes the place of the engine's own profile");
	assert_sentence(p, p->rows[3], STRENGTH_BPF,
			"a filter sees numbers, never a program: it does nothing for a row that allows one");
	policy_text_end(&text);
}

/* Two system calls make a folder. */
static void a_door_is_named(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\n"
						   "seccomp { abi x86_64 }\n"
						   "forbid syscall mkdir  adr 1  because \"r\"\n");
	assert_non_null(text.policy);
	assert_sentence(text.policy, text.policy->rows[0], STRENGTH_SECCOMP,
			"mkdir is refused, but beside mkdir, mkdirat does the same on x86_64 and passes");
	policy_text_end(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_a_deny_list),
		cmocka_unit_test(what_artifacts_of_commands_do_not_hold),
		cmocka_unit_test(rows_of_a_list_of_what_passes),
		cmocka_unit_test(a_door_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
