/* Calls that pass and do what a denied one does: when that is said, of whom, and when not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/strbuf.h"
#include "tests/unit/policy_text.h"

/* What is found in a policy of these lines, on these ABIs. */
static void assert_doors(const char *settings, const char *rows, const char *found)
{
	struct policy_text text = policy_text_begin();
	assert_null(diags_option(text.compilation.diags, "incomplete-group"));
	policy_text_add(&text, "p.allow",
			arena_printf(text.compilation.arena, "policy p\nseccomp { %s }\n%s", settings, rows));
	policy_text_resolve(&text, "p.allow");
	assert_string_equal(text.found, found);
	policy_text_end(&text);
}

#define FORBID(calls) "forbid syscall " calls "  adr 1  because \"r\"\n"
#define DOOR "warning incomplete-group p.allow:3:16\n"

static void one_of_a_set_is_not_all_of_it(void **state)
{
	(void)state;
	assert_doors("abi x86_64", FORBID("execve"), DOOR);
	assert_doors("abi x86_64", FORBID("execveat"), DOOR);
	assert_doors("abi x86_64", FORBID("execve, execveat"), "");
	assert_doors("abi x86_64", FORBID("ptrace, process_vm_readv"), DOOR);
	assert_doors("abi x86_64", FORBID("read"), "");
}

/* A call in two sets has two kinds of doors. */
static void each_set_is_told_by_itself(void **state)
{
	(void)state;
	assert_doors("abi x86_64", FORBID("unlinkat"), DOOR DOOR DOOR);
	assert_doors("abi x86_64", FORBID("unlinkat, io_uring_setup"), DOOR DOOR);
	assert_doors("abi x86_64", FORBID("unlinkat, unlink, rmdir, io_uring_setup"), "");
}

/* aarch64 has neither open nor fork, and only i386 has socketcall. */
static void doors_are_those_of_named_abis(void **state)
{
	(void)state;
	assert_doors("abi aarch64", FORBID("clone, clone3"), "");
	assert_doors("abi x86_64", FORBID("clone, clone3"), DOOR);
	assert_doors("abi x86_64", FORBID("socket, io_uring_setup"), "");
	assert_doors("abi i386", FORBID("socket, io_uring_setup"), DOOR);
	assert_doors("abi x86_64, arm", FORBID("futex"), DOOR);
	assert_doors("abi x86_64, aarch64", FORBID("futex"), "");
}

static void a_door_that_is_shut_otherwise_is_none(void **state)
{
	(void)state;
	assert_doors("default errno EPERM; abi x86_64", FORBID("execve"), "");
	assert_doors("abi x86_64", FORBID("execve") "forbid CAP_SYS_BOOT  adr 1  because \"r\"\n", DOOR);
	assert_doors("abi x86_64", FORBID("kexec_load") "forbid CAP_SYS_BOOT  adr 1  because \"r\"\n", "");
}

static void what_shuts_no_door_leaves_none_open(void **state)
{
	(void)state;
	/* A capability is dropped, and so is what else it gates. */
	assert_doors("abi x86_64", "forbid CAP_SYS_ADMIN  adr 1  because \"r\"\n", "");
	/* C libraries are sent to the other one. */
	assert_doors("abi x86_64", "forbid syscall clone3  adr 1  because \"r\"  with errno ENOSYS\n", "");
	/* A logged call runs. */
	assert_doors("abi x86_64", "forbid syscall execve  adr 1  because \"r\"  with log\n",
		     "warning action p.allow:3:44\n");
	/* The row may be the one that is wrong. */
	assert_doors("abi x86_64", FORBID("execve") FORBID("execveta"), "error syscall p.allow:4:16\n");
}

/* What a program needs is denied for its sake, be it named by a capability. */
static void needs_are_denied_like_calls(void **state)
{
	(void)state;
	assert_doors("abi x86_64", "forbid gdb  adr 1  because \"r\"  needs syscall ptrace\n",
		     "warning incomplete-group p.allow:3:8\n");
	assert_doors("abi x86_64", "forbid gdb  adr 1  because \"r\"  needs CAP_SYS_PTRACE\n", "");
	assert_doors("abi x86_64", "forbid mount  adr 1  because \"r\"  needs CAP_SYS_ADMIN\n",
		     "warning kernel-name p.allow:3:8\nwarning incomplete-group p.allow:3:8\n");
}

/* chmod is not on aarch64, where the others are doors all the same. */
static void what_a_condition_refuses_passes_elsewhere(void **state)
{
	(void)state;
	assert_doors("abi x86_64", FORBID("mprotect"), DOOR);
	assert_doors("abi x86_64", FORBID("mprotect(prot & PROT_EXEC)"), DOOR);
	assert_doors("abi x86_64", FORBID("mprotect(prot & PROT_EXEC), pkey_mprotect"),
		     "warning incomplete-group p.allow:3:44\n");
	assert_doors("abi x86_64", FORBID("mprotect(prot & PROT_EXEC), pkey_mprotect(prot & PROT_EXEC)"), "");
	assert_doors("abi x86_64", FORBID("mprotect(prot & PROT_EXEC), pkey_mprotect(prot & PROT_READ)"),
		     DOOR);
	assert_doors("abi x86_64", FORBID("mprotect(prot & PROT_EXEC), pkey_mprotect(prot != 0)"),
		     "warning incomplete-group p.allow:3:44\n");
	assert_doors("abi x86_64, aarch64", FORBID("chmod(mode & S_ISUID), fchmod, fchmodat2"), DOOR);
	assert_doors("abi x86_64", FORBID("mprotect(arg2 & PROT_EXEC)"), "");
}

/* The second of two conditions has an open door. */
static void each_condition_of_a_call_is_looked_at(void **state)
{
	(void)state;
	assert_doors("abi x86_64",
		     FORBID("mprotect(prot & PROT_EXEC), pkey_mprotect(prot & PROT_EXEC)")
			     FORBID("mprotect(prot & PROT_GROWSUP)"),
		     "warning incomplete-group p.allow:4:16\n");
}

static void arguments_of_other_meanings_open_nothing(void **state)
{
	(void)state;
	assert_doors("abi x86_64", FORBID("kill(pid == -1)"), "");
	assert_doors("abi x86_64", FORBID("kexec_load(flags & 1)"), "");
	assert_doors("abi x86_64", FORBID("open_tree(flags & 1)"), "");
}

/* unshare(2) has other flags of clone too, and does the reverse by them. */
static void namespaces_are_made_by_two_calls(void **state)
{
	(void)state;
	assert_doors("abi x86_64", FORBID("clone(flags & CLONE_NEWUSER)"), DOOR);
	assert_doors("abi x86_64", FORBID("unshare(flags & CLONE_NEWUSER)"), DOOR);
	assert_doors("abi x86_64", FORBID("clone(flags & CLONE_NEWNS|CLONE_NEWNET), unshare"), "");
	assert_doors("abi x86_64", FORBID("clone(flags & CLONE_FILES)"), "");
	assert_doors("abi x86_64", FORBID("clone((flags & CLONE_NEWUSER) == 0)"), "");
	assert_doors("abi x86_64", FORBID("clone, clone3, fork, vfork"), "");
}

static void flags_behind_a_pointer_are_a_door(void **state)
{
	(void)state;
	assert_doors("abi x86_64", FORBID("openat(flags & O_CREAT), open(flags & O_CREAT), io_uring_setup"),
		     DOOR);
	assert_doors("abi x86_64",
		     FORBID("openat(flags & O_CREAT), open(flags & O_CREAT), io_uring_setup, openat2, creat"),
		     "");
	/* creat passes with other modes, and is not decided by what openat2 hides. */
	assert_doors("abi x86_64",
		     FORBID("openat(mode & 1), open(mode & 1), creat(mode & 1), io_uring_setup, openat2"),
		     "warning incomplete-group p.allow:3:83\n");
}

static void assert_printed(const char *policy, const char *expected)
{
	struct policy_text text = policy_text_begin();
	struct strbuf shown = STRBUF_INIT;
	assert_null(diags_option(text.compilation.diags, "incomplete-group"));
	policy_text_add(&text, "p.allow", policy);
	policy_text_resolve(&text, "p.allow");
	diags_render(text.compilation.diags, DIAG_TEXT, false, &shown);
	assert_string_equal(shown.bytes, expected);
	strbuf_release(&shown);
	policy_text_end(&text);
}

static void the_row_that_closes_them_is_printed(void **state)
{
	(void)state;
	assert_printed("policy p\n" FORBID("fork"),
		       "p.allow:2:16: warning: fork is denied, but clone, clone3 and vfork do the same on "
		       "x86_64, i386, aarch64 and arm and pass [-Wincomplete-group]\n"
		       "    2 | forbid syscall fork  adr 1  because \"r\"\n"
		       "      |                ^~~~\n"
		       "p.allow:2:16: help: close them too:\n"
		       "      | forbid syscall clone, clone3, vfork  adr 1  because \"…\"\n");
	assert_printed("policy p\nseccomp { abi x86_64, aarch64 }\n" FORBID("symlinkat, io_uring_setup"),
		       "p.allow:3:16: warning: symlinkat is denied, but symlink does the same on x86_64 and "
		       "passes [-Wincomplete-group]\n"
		       "    3 | forbid syscall symlinkat, io_uring_setup  adr 1  because \"r\"\n"
		       "      |                ^~~~~~~~~\n"
		       "p.allow:3:16: help: close it too, or leave that ABI out:\n"
		       "      | forbid syscall symlink  adr 1  because \"…\"\n");
}

/* One door, told once; but it stands beside each row that refuses what reaches the same end. */
static void a_door_stands_beside_each_row_of_its_set(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load("policy p\nseccomp { abi x86_64 }\n" FORBID("open") FORBID(
		"openat, creat, io_uring_setup") FORBID("ptrace"));
	assert_non_null(text.policy);
	const struct row *const *rows = text.policy->rows;
	assert_int_equal(text.policy->door_count, 2);
	const struct door *door = &text.policy->doors[1];
	assert_string_equal(door->text, "openat2 does the same on x86_64 and passes");
	assert_true(door_is_beside(door, rows[0]));
	assert_true(door_is_beside(door, rows[1]));
	assert_true(door_is_beside(door, rows[2]));
	assert_false(door_is_beside(door, rows[4]));
	policy_text_end(&text);
}

/* Told once, at the first; but what each row refuses of the flags, the other call does. */
static void a_door_of_flags_stands_beside_each_row_that_refuses_some(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load(
		"policy p\nseccomp { abi x86_64 }\n" FORBID("clone(flags & CLONE_NEWUSER)")
			FORBID("clone(flags & CLONE_NEWNET)") FORBID("unshare(flags & CLONE_NEWPID)")
				FORBID("clone(flags & CLONE_NEWIPC), unshare(flags & CLONE_NEWIPC)"));
	assert_non_null(text.policy);
	const struct row *const *rows = text.policy->rows;
	assert_int_equal(text.policy->door_count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_ptr_equal(text.policy->doors[i].row, rows[i]);
	assert_string_equal(text.policy->doors[1].text,
			    "unshare does part of it on x86_64 and passes with some arguments");
	assert_string_equal(text.policy->doors[2].text,
			    "clone does part of it on x86_64 and passes with some arguments");
	policy_text_end(&text);
	assert_doors("abi x86_64",
		     FORBID("clone(flags & CLONE_NEWUSER)") FORBID("clone(flags & CLONE_NEWNET)"), DOOR);
}

/* The arguments of one name may be of other widths, and of other meanings in one call than in the next. */
static void conditions_are_moved_to_the_other_call(void **state)
{
	(void)state;
	assert_doors("abi x86_64", FORBID("mprotect(len == 1), pkey_mprotect(len == 1)"), "");
	assert_doors("abi i386", FORBID("setuid(uid == 1), setuid32(uid == 1)"), "");
	assert_doors("abi i386", FORBID("setuid(uid == 1), setuid32(uid == 0x10001)"), DOOR);
	assert_doors("abi i386", FORBID("fcntl(arg == 1)"), DOOR);
	assert_doors("abi x86_64", FORBID("mprotect(arg0 == 1)"), "");
	assert_doors("abi x86_64", FORBID("clone((flags & CLONE_NEWNET) == CLONE_NEWNET)"), DOOR);
	/* On an ABI that lacks open nobody knows what passes of the other, but that not all of it does. */
	assert_doors("abi x86_64, aarch64",
		     FORBID("open(flags & O_CREAT), openat(flags & O_CREAT), creat, openat2, io_uring_setup"), "");
	/* What passes of openat2 has whatever flags. */
	assert_doors("abi x86_64",
		     FORBID("openat(flags & O_CREAT), open(flags & O_CREAT), io_uring_setup")
			     FORBID("openat2(size & 1)"),
		     DOOR);
}

/* Sixteen conditions of a call are looked at: the last of so many has an open door. */
static void assert_last_condition(unsigned count, size_t doors)
{
	struct policy_text text = policy_text_begin();
	struct arena *arena = text.compilation.arena;
	const char *rows = "policy p\nseccomp { abi x86_64 }\n";
	for (unsigned i = 1; i <= count; i++)
		rows = arena_printf(arena, "%s" FORBID("mprotect(prot == %u)") "%s", rows, i,
				    i < count ? arena_printf(arena, FORBID("pkey_mprotect(prot == %u)"), i)
					      : "");
	policy_text_add(&text, "p.allow", rows);
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	assert_int_equal(text.policy->door_count, doors);
	policy_text_end(&text);
}

static void the_first_conditions_of_a_call_tell(void **state)
{
	(void)state;
	assert_last_condition(16, 1);
	assert_last_condition(17, 0);
	struct policy_text text = policy_text_load("policy p\nseccomp { abi x86_64 }\n" FORBID(
		"mprotect(prot == 1)") FORBID("mprotect(prot == 2)"));
	assert_int_equal(text.policy->door_count, 1);
	policy_text_end(&text);
}

#define ALLOW(calls) "allow syscall " calls "  adr 1  because \"r\"\n"
#define NO_RAW "forbid CAP_NET_RAW  adr 1  because \"r\"\n"
#define LISTED "default errno EPERM; abi x86_64, i386"

/* Where calls are denied by omission, it is the door that stands on a list. */
static void what_is_listed_in_part_has_doors_on_the_list(void **state)
{
	(void)state;
	assert_doors(LISTED, ALLOW("io_uring_setup, socket(domain == AF_UNIX)"),
		     "warning incomplete-group p.allow:3:15\n");
	/* One is enough; of accept there is nothing on i386. */
	assert_doors(
		LISTED,
		ALLOW("socketcall, accept(sockfd == 3), connect(sockfd == 3), socket(domain == AF_UNIX)"),
		"warning incomplete-group p.allow:3:15\n");
	assert_doors(LISTED, ALLOW("socketcall, accept(sockfd == 3), accept4(sockfd == 3)"),
		     "warning incomplete-group p.allow:3:15\n");
	/* All of socket is listed, though a capability is dropped. */
	assert_doors(LISTED, ALLOW("io_uring_setup, socket") NO_RAW, "");
	assert_doors(LISTED, ALLOW("io_uring_setup, socket(domain == AF_UNIX)") NO_RAW,
		     "warning incomplete-group p.allow:3:15\n");
	/* Where a row refuses some of it, that is the one to look at, whatever else is refused. */
	assert_doors(LISTED, ALLOW("io_uring_setup, socket(domain == AF_UNIX)") FORBID("socket(type == 5)"),
		     "warning incomplete-group p.allow:4:16\n");
	assert_doors(LISTED, ALLOW("io_uring_setup, socket(domain == AF_UNIX)") FORBID("write(fd == 2)"),
		     "warning incomplete-group p.allow:3:15\n");
	/* In the base. */
	assert_doors("base @few; abi x86_64",
		     "syscalls @few { socket(domain == AF_UNIX), io_uring_setup }\n" ALLOW("write"),
		     "warning incomplete-group p.allow:2:11\n");
	assert_doors("base @few; abi x86_64", "syscalls @few { socket(domain == AF_UNIX), io_uring_setup }\n",
		     "warning incomplete-group p.allow:2:11\n");
	/* What is on no list passes here too, and is nothing to take off one. */
	assert_doors("default log; abi x86_64", ALLOW("io_uring_setup") NO_RAW, "");
	assert_doors("default log; abi x86_64", ALLOW("socket(domain == AF_UNIX)") NO_RAW, "");
}

static void clone3_is_a_door_beside_flags_of_clone(void **state)
{
	(void)state;
	assert_doors(LISTED, ALLOW("clone, clone3") FORBID("clone(flags & CLONE_NEWUSER)"),
		     "warning incomplete-group p.allow:3:22\n");
	assert_doors(LISTED, ALLOW("clone") FORBID("clone(flags & CLONE_NEWUSER)"), "");
	/* A role's list is the layers': what it refuses of clone is no reason to take clone3 off it. */
	static const char clone[] =
		ALLOW("clone, clone3") "role r {\n" FORBID("clone(flags & CLONE_NEWUSER)");
	char role[512];
	snprintf(role, sizeof role, "%s}\n", clone);
	assert_doors(LISTED, role, "warning incomplete-group p.allow:5:16\n");
	snprintf(role, sizeof role, "%s%s}\n", clone, FORBID("clone3"));
	assert_doors(LISTED, role, "");
	snprintf(role, sizeof role, "%sforbid syscall clone3  adr 1  with errno ENOSYS  because \"r\"\n}\n",
		 clone);
	assert_doors(LISTED, role, "");
	/* That clone passes beside it, with other flags, is meant. */
	assert_doors("abi aarch64",
		     FORBID("clone3") FORBID("clone(flags & CLONE_NEWUSER)")
			     FORBID("unshare(flags & CLONE_NEWUSER)"),
		     "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_a_set_is_not_all_of_it),
		cmocka_unit_test(each_set_is_told_by_itself),
		cmocka_unit_test(doors_are_those_of_named_abis),
		cmocka_unit_test(a_door_that_is_shut_otherwise_is_none),
		cmocka_unit_test(what_shuts_no_door_leaves_none_open),
		cmocka_unit_test(needs_are_denied_like_calls),
		cmocka_unit_test(what_a_condition_refuses_passes_elsewhere),
		cmocka_unit_test(each_condition_of_a_call_is_looked_at),
		cmocka_unit_test(arguments_of_other_meanings_open_nothing),
		cmocka_unit_test(namespaces_are_made_by_two_calls),
		cmocka_unit_test(flags_behind_a_pointer_are_a_door),
		cmocka_unit_test(the_row_that_closes_them_is_printed),
		cmocka_unit_test(a_door_stands_beside_each_row_of_its_set),
		cmocka_unit_test(a_door_of_flags_stands_beside_each_row_that_refuses_some),
		cmocka_unit_test(conditions_are_moved_to_the_other_call),
		cmocka_unit_test(the_first_conditions_of_a_call_tell),
		cmocka_unit_test(what_is_listed_in_part_has_doors_on_the_list),
		cmocka_unit_test(clone3_is_a_door_beside_flags_of_clone),
	};
	return cmocka_run_group_tests_name("doors", tests, NULL, NULL);
}
