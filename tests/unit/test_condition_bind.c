/* What a condition means on each ABI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/policy_text.h"

/* "INDEX/BITS (MASK) SIGN VALUE" of each comparison, "; " between them. */
static const char *meaning(const struct policy_text *text, const struct condition *condition, enum abi abi)
{
	const char *list = "";
	for (size_t i = 0; i < condition->count; i++) {
		const struct argument_test *test = &condition->comparisons[i].on[abi];
		list = arena_printf(text->compilation.arena, "%s%s%d/%u (%llx) %s %llx", list, i ? "; " : "",
				    test->index, test->bits, (unsigned long long)test->mask,
				    comparison_sign(test->operator), (unsigned long long)test->value);
	}
	return list;
}

static struct policy_text load(const char *entry)
{
	struct policy_text text = policy_text_begin();
	diags_option(text.compilation.diags, "no-unseen-argument");
	diags_option(text.compilation.diags, "no-incomplete-group");
	diags_option(text.compilation.diags, "no-fixed-condition");
	policy_text_add(&text, "p.allow",
			arena_printf(text.compilation.arena,
				     "policy p\nforbid syscall %s  adr 1  because \"r\"\n", entry));
	policy_text_resolve(&text, "p.allow");
	assert_clean(&text);
	return text;
}

static void assert_meaning(const char *entry, enum abi abi, const char *expected)
{
	struct policy_text text = load(entry);
	assert_string_equal(meaning(&text, text.policy->rows[0]->calls[0].condition, abi), expected);
	policy_text_end(&text);
}

static void names_and_numbers_are_resolved(void **state)
{
	(void)state;
	assert_meaning("socket(domain == AF_ALG && (type & 0xf) != SOCK_RAW)", ABI_X86_64,
		       "0/32 (ffffffff) == 26; 1/32 (f) != 3");
	assert_meaning("clone(flags & CLONE_NEWNS|CLONE_NEWUSER)", ABI_X86_64, "0/32 (10020000) & 0");
	assert_meaning("clone(flags & CLONE_NEWNS|CLONE_NEWUSER)", ABI_S390X, "1/32 (10020000) & 0");
	assert_meaning("lseek(offset >= 010), lseek(offset >= 0o10)", ABI_X86_64,
		       "1/64 (ffffffffffffffff) >= 8");
	assert_meaning("lseek(offset < 0B101)", ABI_I386, "1/32 (ffffffff) < 5");
}

static void values_are_the_abi_s(void **state)
{
	(void)state;
	assert_meaning("openat(flags & O_DIRECTORY)", ABI_X86_64, "2/32 (10000) & 0");
	assert_meaning("openat(flags & O_DIRECTORY)", ABI_AARCH64, "2/32 (4000) & 0");
	assert_meaning("openat(dirfd == AT_FDCWD)", ABI_X86_64, "0/32 (ffffffff) == ffffff9c");
	assert_meaning("lseek(offset == -2)", ABI_X86_64, "1/64 (ffffffffffffffff) == fffffffffffffffe");
	assert_meaning("lseek(offset == -2)", ABI_ARM, "1/32 (ffffffff) == fffffffe");
}

static void numbers_are_read_in_each_base(void **state)
{
	(void)state;
	static const struct {
		const char *written, *read;
	} numbers[] = {
		{ "0xaf09", "af09" },
		{ "0XAF09", "af09" },
		{ "0b11", "3" },
		{ "0B11", "3" },
		{ "0o17", "f" },
		{ "0O17", "f" },
		{ "017", "f" },
		{ "0", "0" },
		{ "-0", "0" },
		{ "19", "13" },
		{ "0x0", "0" },
		{ "-0x1", "ffffffffffffffff" },
		{ "-9223372036854775808", "8000000000000000" },
		{ "18446744073709551615", "ffffffffffffffff" },
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct policy_text text = policy_text_begin();
		const char *entry =
			arena_printf(text.compilation.arena, "lseek(offset == %s)", numbers[i].written);
		assert_meaning(entry, ABI_X86_64,
			       arena_printf(text.compilation.arena, "1/64 (ffffffffffffffff) == %s",
					    numbers[i].read));
		policy_text_end(&text);
	}
}

/* And nothing is said of a condition that is wrong in one part. */
static void what_cannot_be_read_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *entry, *found;
	} entries[] = {
		{ "lseek(offset == 0-)", "error constant p.allow:2:32\n" },
		{ "lseek(offset == 1.)", "error constant p.allow:2:32\n" },
		{ "lseek(offset == 0xg)", "error constant p.allow:2:32\n" },
		{ "lseek(offset == 0xG)", "error constant p.allow:2:32\n" },
		{ "lseek(offset == 0o8)", "error constant p.allow:2:32\n" },
		{ "lseek(offset == -9223372036854775809)", "error constant p.allow:2:32\n" },
		{ "lseek(offset == 18446744073709551616)", "error constant p.allow:2:32\n" },
		{ "chmod(mode & 0x10000|NOPE)", "error constant p.allow:2:37\n" },
		{ "chmod(mode & NOPE|0x10000)", "error constant p.allow:2:29\n" },
		{ "chmod(mode & 0x10000 && uid == 1)", "error argument p.allow:2:40\n" },
		{ "chmod(uid == 1 && mode & 0x10000)", "error argument p.allow:2:22\n" },
	};
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		struct policy_text text = policy_text_begin();
		assert_found(arena_printf(text.compilation.arena,
					  "policy p\nforbid syscall %s  adr 1  because \"r\"\n",
					  entries[i].entry),
			     entries[i].found);
		policy_text_end(&text);
	}
}

/* A value that does not fit is kept as it is: it never holds, and is never cut to one that does. */
static void nothing_is_cut_to_fit(void **state)
{
	(void)state;
	assert_meaning("socket(domain == 0x100000026)", ABI_X86_64, "0/32 (ffffffff) == 100000026");
	assert_meaning("kill(sig == -4294967287)", ABI_X86_64, "1/32 (ffffffff) == ffffffff00000009");
	assert_meaning("kill(sig == -2147483648)", ABI_X86_64, "1/32 (ffffffff) == 80000000");
	assert_meaning("lseek(offset == -2147483649)", ABI_I386, "1/32 (ffffffff) == ffffffff7fffffff");
	assert_meaning("lseek(offset == -2147483649)", ABI_X86_64,
		       "1/64 (ffffffffffffffff) == ffffffff7fffffff");
	assert_meaning("kill(sig == 0xffffffff80000000)", ABI_X86_64, "1/32 (ffffffff) == ffffffff80000000");
	assert_meaning("kill(sig == AF_UNSPEC|0xffffffff80000000)", ABI_X86_64,
		       "1/32 (ffffffff) == ffffffff80000000");
	assert_meaning("openat(dirfd == AT_FDCWD|1)", ABI_X86_64, "0/32 (ffffffff) == ffffff9d");
	assert_meaning("openat(dirfd == 1|AT_FDCWD)", ABI_X86_64, "0/32 (ffffffff) == ffffff9d");
	assert_meaning("chmod(mode & 0x1f000)", ABI_X86_64, "1/16 (f000) & 0");
	assert_meaning("mmap(prot & 4)", ABI_I386, "-1/32 (4) & 0");
}

static void the_text_is_one_form(void **state)
{
	(void)state;
	struct policy_text text = load("socket( domain==AF_INET&&(type&SOCK_RAW|SOCK_STREAM)==0x1 )");
	const struct row *row = text.policy->rows[0];
	assert_string_equal(row->subject,
			    "socket(domain == AF_INET && (type & SOCK_RAW|SOCK_STREAM) == 0x1)");
	assert_string_equal(row->calls[0].condition->text,
			    "domain == AF_INET && (type & SOCK_RAW|SOCK_STREAM) == 0x1");
	policy_text_end(&text);
}

/* What the table of gates says is found: a name that is not would deny nothing. */
static void capabilities_bring_their_conditions(void **state)
{
	(void)state;
	struct policy_text text = policy_text_load(
		"policy p\nseccomp { abi x86_64 }\n"
		"forbid CAP_AUDIT_WRITE, CAP_NET_RAW, CAP_SYS_ADMIN  adr 1  because \"r\"\n");
	assert_clean(&text);
	const struct seccomp *seccomp = &text.policy->seccomp;
	const char *list = "";
	for (size_t i = 0; i < seccomp->denied_count; i++)
		if (seccomp->denied[i].condition)
			list = arena_printf(text.compilation.arena, "%s%s, %s: %s\n", list,
					    seccomp->denied[i].call->name, seccomp->denied[i].condition->text,
					    meaning(&text, seccomp->denied[i].condition, ABI_X86_64));
	static const char expected[] =
		"clone, flags & CLONE_NEWNS|CLONE_NEWCGROUP|CLONE_NEWUTS|CLONE_NEWIPC|"
		"CLONE_NEWUSER|CLONE_NEWPID|CLONE_NEWNET: 0/32 (7e020000) & 0\n"
		"socket, domain == AF_NETLINK && protocol == NETLINK_AUDIT: 0/32 (ffffffff) == 10; 2/32 "
		"(ffffffff) == 9\n"
		"socket, domain == AF_PACKET: 0/32 (ffffffff) == 11\n"
		"socket, domain == AF_INET && (type & 0xf) == SOCK_RAW: 0/32 (ffffffff) == 2; 1/32 (f) == 3\n"
		"socket, domain == AF_INET && (type & 0xf) == SOCK_PACKET: 0/32 (ffffffff) == 2; 1/32 (f) == "
		"a\n"
		"socket, domain == AF_INET6 && (type & 0xf) == SOCK_RAW: 0/32 (ffffffff) == a; 1/32 (f) == "
		"3\n"
		"socket, domain == AF_AX25 && (type & 0xf) == SOCK_RAW: 0/32 (ffffffff) == 3; 1/32 (f) == 3\n"
		"socket, domain == AF_APPLETALK && (type & 0xf) == SOCK_RAW: 0/32 (ffffffff) == 5; 1/32 (f) "
		"== 3\n"
		"socket, domain == AF_IEEE802154 && (type & 0xf) == SOCK_RAW: 0/32 (ffffffff) == 24; 1/32 "
		"(f) == 3\n"
		"socket, domain == AF_NFC && (type & 0xf) == SOCK_RAW: 0/32 (ffffffff) == 27; 1/32 (f) == 3\n"
		"socket, domain == AF_ISDN && (type & 0xf) == SOCK_RAW: 0/32 (ffffffff) == 22; 1/32 (f) == "
		"3\n";
	assert_string_equal(list, expected);
	policy_text_end(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_numbers_are_resolved),
		cmocka_unit_test(values_are_the_abi_s),
		cmocka_unit_test(numbers_are_read_in_each_base),
		cmocka_unit_test(what_cannot_be_read_is_refused),
		cmocka_unit_test(nothing_is_cut_to_fit),
		cmocka_unit_test(the_text_is_one_form),
		cmocka_unit_test(capabilities_bring_their_conditions),
	};
	return cmocka_run_group_tests_name("condition_bind", tests, NULL, NULL);
}
