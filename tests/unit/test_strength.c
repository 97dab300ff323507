/* How strongly rows hold where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/strength.h"
#include "tests/unit/policy_builder.h"
#include "tests/unit/policy_text.h"

static const struct syscall_entry ptrace = { .name = "ptrace" };

static void check(struct policy_builder *builder, const struct row *row, enum strength asked,
		  enum strength filter, enum strength declared, enum strength names)
{
	struct strength_sets sets = strength_sets_of(builder->compilation.arena, &builder->policy);
	assert_int_equal(strength_of(&sets, row, STRENGTH_C_HEADER), asked);
	assert_int_equal(strength_of(&sets, row, STRENGTH_PYTHON), asked);
	assert_int_equal(strength_of(&sets, row, STRENGTH_SECCOMP), filter);
	assert_int_equal(strength_of(&sets, row, STRENGTH_BPF), filter);
	assert_int_equal(strength_of(&sets, row, STRENGTH_OCI_SECCOMP), filter);
	assert_int_equal(strength_of(&sets, row, STRENGTH_SPO), filter);
	assert_int_equal(strength_of(&sets, row, STRENGTH_PLUGIN_YAML), declared);
	assert_int_equal(strength_of(&sets, row, STRENGTH_NAMES), names);
}

#define ADVISORY STRENGTH_ADVISORY
#define MECHANISM STRENGTH_MECHANISM
#define NONE STRENGTH_NONE

static void test_commands(void **state)
{
	(void)state;
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	struct row *git = builder_row(&builder, VERB_ALLOW, "git", "p/1", "r");
	struct row *docker = builder_row(&builder, VERB_ALLOW, "docker", "p/1", "r");
	struct row *dive = builder_row(&builder, VERB_ALLOW, "dive", "p/1", "r");
	struct row *strace = builder_row(&builder, VERB_FORBID, "strace", "p/1", "r");
	struct row *gdb = builder_row(&builder, VERB_FORBID, "gdb", "p/1", "r");
	struct row *podman = builder_row(&builder, VERB_DECLINE, "podman", "p/1", "r");
	builder_tool(builder_plugin(&builder, "written"), docker);
	struct block *below = builder_plugin(&builder, "of a layer below");
	below->written = false;
	builder_tool(below, dive);
	const struct call_rule denied = { .call = &ptrace, .row = strace, .action = { .kind = ACTION_KILL } };
	builder.policy.seccomp.denied = &denied;
	builder.policy.seccomp.denied_count = 1;
	check(&builder, git, ADVISORY, NONE, NONE, ADVISORY);
	check(&builder, docker, ADVISORY, NONE, ADVISORY, ADVISORY);
	check(&builder, dive, ADVISORY, NONE, NONE, ADVISORY);
	check(&builder, strace, ADVISORY, MECHANISM, NONE, ADVISORY);
	check(&builder, gdb, ADVISORY, NONE, NONE, ADVISORY);
	check(&builder, podman, NONE, NONE, NONE, NONE);
	builder_end(&builder);
}

static void test_kernel_rows(void **state)
{
	(void)state;
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	struct row *seen =
		builder_subject(&builder, SUBJECT_CAPABILITY, VERB_FORBID, "CAP_SYS_PTRACE", "p/1", "r");
	struct row *unseen =
		builder_subject(&builder, SUBJECT_CAPABILITY, VERB_FORBID, "CAP_CHOWN", "p/1", "r");
	struct row *call = builder_subject(&builder, SUBJECT_SYSCALL, VERB_FORBID, "ptrace", "p/1", "r");
	struct row *logged = builder_subject(&builder, SUBJECT_SYSCALL, VERB_FORBID, "kcmp", "p/1", "r");
	struct row *allowed = builder_subject(&builder, SUBJECT_SYSCALL, VERB_ALLOW, "read", "p/1", "r");
	const struct call_rule denied[] = {
		{ .call = &ptrace, .row = seen, .action = { .kind = ACTION_KILL } },
		{ .call = &ptrace, .row = call, .action = { .kind = ACTION_KILL } },
		/* what is only logged passes */
		{ .call = &ptrace, .row = logged, .action = { .kind = ACTION_LOG } },
	};
	const struct call_rule admitted = { .call = &ptrace, .row = allowed };
	builder.policy.seccomp.denied = denied;
	builder.policy.seccomp.denied_count = 3;
	builder.policy.seccomp.allowed = &admitted;
	builder.policy.seccomp.allowed_count = 1;
	builder.policy.seccomp.fallback.kind = ACTION_KILL;
	check(&builder, seen, NONE, MECHANISM, NONE, NONE);
	check(&builder, unseen, NONE, NONE, NONE, NONE);
	check(&builder, call, NONE, STRENGTH_ENFORCED, NONE, NONE);
	check(&builder, logged, NONE, NONE, NONE, NONE);
	check(&builder, allowed, NONE, STRENGTH_ENFORCED, NONE, NONE);
	/* what is not listed passes too, and is logged: the list keeps nothing away */
	builder.policy.seccomp.fallback.kind = ACTION_LOG;
	check(&builder, allowed, NONE, NONE, NONE, NONE);
	builder_end(&builder);
}

/* open is a call of x86_64 and none of riscv64: a filter for riscv64 refuses nothing by it. */
static void test_calls_of_other_abis(void **state)
{
	(void)state;
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	struct row *denied_row = builder_subject(&builder, SUBJECT_SYSCALL, VERB_FORBID, "open", "p/1", "r");
	struct row *allowed_row = builder_subject(&builder, SUBJECT_SYSCALL, VERB_ALLOW, "open", "p/1", "r");
	const struct syscall_entry *open = syscall_find("open");
	const struct call_rule denied = { .call = open,
					  .row = denied_row,
					  .action = { .kind = ACTION_KILL } };
	const struct call_rule admitted = { .call = open, .row = allowed_row };
	builder.policy.seccomp.denied = &denied;
	builder.policy.seccomp.denied_count = 1;
	builder.policy.seccomp.allowed = &admitted;
	builder.policy.seccomp.allowed_count = 1;
	builder.policy.seccomp.fallback.kind = ACTION_KILL;
	check(&builder, denied_row, NONE, STRENGTH_ENFORCED, NONE, NONE);
	check(&builder, allowed_row, NONE, STRENGTH_ENFORCED, NONE, NONE);
	builder.policy.seccomp.abis = 1u << ABI_RISCV64;
	check(&builder, denied_row, NONE, NONE, NONE, NONE);
	check(&builder, allowed_row, NONE, NONE, NONE, NONE);
	builder_end(&builder);
}

static void test_rows_of_blocks(void **state)
{
	(void)state;
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	struct row *git = builder_row(&builder, VERB_ALLOW, "git", "p/1", "r");
	struct row *push = builder_row(&builder, VERB_FORBID, "git push", "p/1", "r");
	const struct row *const narrowing[] = { push };
	struct block *plugin = builder_plugin(&builder, "a--b");
	plugin->rows = narrowing;
	plugin->row_count = 1;
	push->block = plugin;
	check(&builder, git, ADVISORY, NONE, NONE, ADVISORY);
	check(&builder, push, NONE, NONE, NONE, NONE);
	builder_end(&builder);
}

/* A role has its tables, and a filter where it denies calls. */
static void test_rows_of_roles(void **state)
{
	(void)state;
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	builder_row(&builder, VERB_ALLOW, "git", "p/1", "r");
	struct row *push = builder_row(&builder, VERB_FORBID, "git push", "p/1", "r");
	struct row *gdb = builder_row(&builder, VERB_FORBID, "gdb", "p/1", "r");
	struct block *role = builder_role(&builder, "probe", 2);
	const struct call_rule denied = { .call = &ptrace, .row = gdb, .action = { .kind = ACTION_KILL } };
	const struct seccomp own = { .denied = &denied, .denied_count = 1 };
	role->seccomp = &own;
	check(&builder, push, ADVISORY, NONE, NONE, ADVISORY);
	check(&builder, gdb, ADVISORY, MECHANISM, NONE, ADVISORY);
	builder_end(&builder);
}

/* kcmp is refused to the role by the row of the layers, ptrace by omission; bpf passes. */
static void test_a_role_repeats_the_layers(void **state)
{
	(void)state;
	struct policy_text policy = policy_text_load(
		"policy p\n"
		"seccomp { abi x86_64; default errno EPERM }\n"
		"allow syscall kcmp, bpf  adr 1  because \"r\"\n"
		"forbid syscall kcmp(type == 1)  adr 1  because \"r\"\n"
		"role gate {\n"
		"forbid syscall kcmp(type == 1)  adr 1  because \"r\"\n"
		"forbid strace  adr 1  because \"r\"  needs CAP_CHOWN  needs syscall ptrace\n"
		"forbid CAP_SYS_BOOT  adr 1  because \"r\"\n"
		"forbid syscall mount  adr 1  because \"r\"  on macos\n"
		"}\n");
	assert_non_null(policy.policy);
	const struct block *gate = policy.policy->roles[0];
	assert_null(gate->seccomp);
	struct strength_sets sets = strength_sets_of(policy.compilation.arena, policy.policy);
	assert_int_equal(strength_of(&sets, gate->rows[0], STRENGTH_BPF), STRENGTH_ENFORCED);
	assert_string_equal(strength_sentence(&sets, gate->rows[0], STRENGTH_BPF),
			    "kcmp is refused with some arguments, whoever makes the call");
	assert_int_equal(strength_of(&sets, gate->rows[1], STRENGTH_BPF), STRENGTH_MECHANISM);
	assert_string_equal(strength_sentence(&sets, gate->rows[1], STRENGTH_BPF),
			    "ptrace is refused: the program starts, and what needs them fails");
	assert_int_equal(strength_of(&sets, gate->rows[2], STRENGTH_BPF), STRENGTH_MECHANISM);
	assert_int_equal(strength_of(&sets, gate->rows[3], STRENGTH_BPF), STRENGTH_NONE);
	policy_text_end(&policy);
}

/* What is refused is refused; the door beside it is the hole, and the caveat names it. */
static void test_doors_are_holes(void **state)
{
	(void)state;
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	struct row *call = builder_subject(&builder, SUBJECT_SYSCALL, VERB_FORBID, "mkdir", "p/1", "r");
	const struct call_rule denied = { .call = &ptrace, .row = call, .action = { .kind = ACTION_KILL } };
	const struct door door = { .row = call,
				   .refused = &ptrace,
				   .text = "mkdirat does the same on x86_64 and passes" };
	builder.policy.seccomp.denied = &denied;
	builder.policy.seccomp.denied_count = 1;
	builder.policy.doors = &door;
	builder.policy.door_count = 1;
	check(&builder, call, NONE, STRENGTH_HOLES, NONE, NONE);
	struct strength_sets sets = strength_sets_of(builder.compilation.arena, &builder.policy);
	assert_string_equal(strength_row_caveat(&sets, call),
			    "beside ptrace, mkdirat does the same on x86_64 and passes");
	builder_end(&builder);
}

/* A door is one of the layers or of one role: the others may have closed it. */
static void test_doors_are_of_one_role(void **state)
{
	(void)state;
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	struct row *of_layers = builder_subject(&builder, SUBJECT_SYSCALL, VERB_FORBID, "ptrace", "p/1", "r");
	struct row *of_gate = builder_subject(&builder, SUBJECT_SYSCALL, VERB_FORBID, "ptrace", "p/1", "r");
	struct row *of_probe = builder_subject(&builder, SUBJECT_SYSCALL, VERB_FORBID, "ptrace", "p/1", "r");
	const struct call_reference calls = { .call = &ptrace };
	of_layers->calls = of_gate->calls = of_probe->calls = &calls;
	of_layers->call_count = of_gate->call_count = of_probe->call_count = 1;
	const struct seccomp own = { .denied = NULL };
	const struct block gate = { .kind = AST_ROLE, .name = "gate", .seccomp = &own },
			   probe = { .kind = AST_ROLE, .name = "probe" };
	of_gate->block = &gate;
	of_probe->block = &probe;
	const char *const names[] = { "ptrace", "process_vm_readv", NULL };
	const struct door door = { .row = of_gate, .refused = &ptrace, .calls = names, .text = "open" };
	builder.policy.doors = &door;
	builder.policy.door_count = 1;
	struct strength_sets sets = strength_sets_of(builder.compilation.arena, &builder.policy);
	assert_string_equal(strength_row_caveat(&sets, of_gate), "beside ptrace, open");
	assert_null(strength_row_caveat(&sets, of_probe));
	assert_null(strength_row_caveat(&sets, of_layers));
	builder_end(&builder);
}

static void test_caveats(void **state)
{
	(void)state;
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	struct row *allowed = builder_row(&builder, VERB_ALLOW, "docker buildx", "p/1", "r");
	struct row *strace = builder_row(&builder, VERB_FORBID, "strace", "p/1", "r");
	struct strength_sets sets = strength_sets_of(builder.compilation.arena, &builder.policy);
	assert_null(strength_row_caveat(&sets, allowed));
	assert_null(strength_row_caveat(&sets, strace));
	assert_string_equal(strength_commands_caveat(&builder.policy), "");
	struct row *push = builder_row(&builder, VERB_FORBID, "git push", "p/1", "r");
	assert_non_null(strength_row_caveat(&sets, push));
	assert_non_null(strstr(strength_commands_caveat(&builder.policy), "options before the sub-command"));
	assert_string_equal(strength_artifact_name(STRENGTH_PLUGIN_YAML), "plugin-yaml");
	builder_end(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_kernel_rows),
		cmocka_unit_test(test_calls_of_other_abis),
		cmocka_unit_test(test_rows_of_blocks),
		cmocka_unit_test(test_rows_of_roles),
		cmocka_unit_test(test_a_role_repeats_the_layers),
		cmocka_unit_test(test_doors_are_holes),
		cmocka_unit_test(test_doors_are_of_one_role),
		cmocka_unit_test(test_caveats),
	};
	return cmocka_run_group_tests_name("strength", tests, NULL, NULL);
}
