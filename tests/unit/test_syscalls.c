#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/data/syscalls.h"

/* Numbers from the kernel's own tables: x86/entry/syscalls, arm/tools/syscall.tbl, asm-generic. */
static void numbers_are_the_kernels(void **state)
{
	(void)state;
	const struct syscall_entry *ptrace = syscall_find("ptrace");
	assert_non_null(ptrace);
	assert_int_equal(ptrace->numbers[ABI_X86_64], 101);
	assert_int_equal(ptrace->numbers[ABI_I386], 26);
	assert_int_equal(ptrace->numbers[ABI_X32], 521);
	assert_int_equal(ptrace->numbers[ABI_AARCH64], 117);
	assert_int_equal(ptrace->numbers[ABI_ARM], 26);
	assert_int_equal(ptrace->numbers[ABI_S390X], 26);
	assert_int_equal(ptrace->numbers[ABI_PPC64LE], 26);
	assert_int_equal(ptrace->numbers[ABI_RISCV64], 117);
	assert_int_equal(ptrace->numbers[ABI_LOONGARCH64], 117);
	assert_int_equal(syscall_find("open")->numbers[ABI_AARCH64], -1);
	assert_int_equal(syscall_find("set_tls")->numbers[ABI_ARM], 0x0f0005);
	assert_int_equal(syscall_find("set_tls")->numbers[ABI_X86_64], -1);
}

static void every_name_is_found_and_sorted(void **state)
{
	(void)state;
	for (size_t i = 0; i < syscall_table_size; i++) {
		assert_ptr_equal(syscall_find(syscall_table[i].name), &syscall_table[i]);
		if (i > 0)
			assert_true(strcmp(syscall_table[i - 1].name, syscall_table[i].name) < 0);
	}
	assert_null(syscall_find(""));
	assert_null(syscall_find("ptracf"));
	assert_null(syscall_find("PTRACE"));
}

static void near_names_are_offered(void **state)
{
	(void)state;
	assert_string_equal(syscall_nearest("ptrce"), "ptrace");
	assert_string_equal(syscall_nearest("xptrace"), "ptrace");
	assert_null(syscall_nearest("frobnicate_everything"));
}

static void calls_of_an_abi_ascend(void **state)
{
	(void)state;
	static const size_t counts[] = {
		[ABI_X86_64] = 385, [ABI_I386] = 461, [ABI_X32] = 374, [ABI_AARCH64] = 327, [ABI_ARM] = 430,
		[ABI_RISCV64] = 328, [ABI_S390X] = 390, [ABI_PPC64LE] = 424, [ABI_LOONGARCH64] = 323,
	};
	for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
		int32_t before = -1;
		assert_int_equal(abi_call_count((enum abi)abi), counts[abi]);
		for (size_t i = 0; i < counts[abi]; i++) {
			const struct syscall_entry *call = abi_call((enum abi)abi, i);
			assert_true(call->numbers[abi] > before);
			before = call->numbers[abi];
			assert_ptr_equal(abi_call_numbered((enum abi)abi, before), call);
		}
	}
}

static void numbers_without_a_call_are_none(void **state)
{
	(void)state;
	assert_string_equal(abi_call_numbered(ABI_X86_64, 0)->name, "read");
	assert_null(abi_call_numbered(ABI_X86_64, 337));
	assert_null(abi_call_numbered(ABI_X86_64, 512));
	assert_null(abi_call_numbered(ABI_X86_64, -1));
	assert_null(abi_call_numbered(ABI_X86_64, INT32_MAX));
	assert_null(abi_call_numbered(ABI_ARM, 0x0f0000));
	assert_string_equal(abi_call_numbered(ABI_ARM, 0x0f0001)->name, "breakpoint");
	assert_null(abi_call_numbered(ABI_ARM, 0x0f0007));
}

static void abis_are_found_by_name(void **state)
{
	(void)state;
	assert_int_equal(abi_find("x86_64"), ABI_X86_64);
	assert_int_equal(abi_find("loongarch64"), ABI_LOONGARCH64);
	assert_int_equal(abi_find("x86"), ABI_COUNT);
	assert_int_equal(abi_find(""), ABI_COUNT);
	assert_int_equal(abi_facts(ABI_X32)->token, 0xc000003e);
	assert_int_equal(abi_facts(ABI_X32)->base, 0x40000000);
}

/* AUDIT_ARCH_* of linux/audit.h: the ELF machine, 0x80000000 for 64 bits, 0x40000000 for little-endian. */
static void tokens_are_machine_width_and_byte_order(void **state)
{
	(void)state;
	static const struct {
		enum abi abi;
		uint32_t machine;
		bool big_endian;
	} cases[] = {
		{ ABI_X86_64, 62, false }, { ABI_AARCH64, 183, false }, { ABI_RISCV64, 243, false },
		{ ABI_S390X, 22, true },   { ABI_PPC64LE, 21, false },  { ABI_LOONGARCH64, 258, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t order = cases[i].big_endian ? 0 : 0x40000000;
		assert_int_equal(abi_facts(cases[i].abi)->token, cases[i].machine | 0x80000000 | order);
		assert_int_equal(abi_facts(cases[i].abi)->big_endian, cases[i].big_endian);
		assert_int_equal(abi_facts(cases[i].abi)->bits, 64);
	}
}

static void capabilities_gate_calls(void **state)
{
	(void)state;
	static const char *const calls[] = {
		"kcmp", "pidfd_getfd", "process_madvise", "process_vm_readv", "process_vm_writev", "ptrace",
	};
	const struct capability *capability = capability_find("CAP_SYS_PTRACE");
	assert_non_null(capability);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(capability->number_calls[i], calls[i]);
	assert_null(capability->number_calls[6]);
	assert_null(capability->argument_calls[0]);
	capability = capability_find("CAP_SYS_ADMIN");
	assert_string_equal(capability->number_calls[0], "bpf");
	assert_string_equal(capability->argument_calls[0], "clone");
	assert_string_equal(capability->argument_calls[1], "clone3");
	assert_null(capability->argument_calls[2]);
	assert_non_null(strstr(capability->note, "; namespace flags"));
	assert_null(capability_find("CAP_CHOWN")->number_calls[0]);
	assert_null(capability_find("SYS_PTRACE"));
	assert_string_equal(capability_nearest("CAP_SYS_PTRASE"), "CAP_SYS_PTRACE");
}

static void every_capability_of_linux_is_there(void **state)
{
	(void)state;
	assert_int_equal(capability_table_size, 41); /* CAP_LAST_CAP is 40 */
	for (size_t i = 0; i < capability_table_size; i++) {
		const struct capability *capability = &capability_table[i];
		assert_ptr_equal(capability_find(capability->name), capability);
		for (size_t k = 0; capability->number_calls[k]; k++)
			assert_non_null(syscall_find(capability->number_calls[k]));
		for (size_t k = 0; capability->argument_calls[k]; k++)
			assert_non_null(syscall_find(capability->argument_calls[k]));
	}
}

static void errnos_are_linuxs(void **state)
{
	(void)state;
	assert_int_equal(errno_find("EPERM"), 1);
	assert_int_equal(errno_find("ENOSYS"), 38);
	assert_int_equal(errno_find("EWOULDBLOCK"), 11);
	assert_int_equal(errno_find("EHWPOISON"), 133);
	assert_int_equal(errno_find("EPREM"), 0);
	assert_string_equal(errno_nearest("EPREM"), "EPERM");
	assert_string_equal(errno_name(11), "EAGAIN");
	assert_string_equal(errno_name(95), "EOPNOTSUPP");
	assert_null(errno_name(0));
	assert_null(errno_name(4095));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_the_kernels),
		cmocka_unit_test(every_name_is_found_and_sorted),
		cmocka_unit_test(near_names_are_offered),
		cmocka_unit_test(calls_of_an_abi_ascend),
		cmocka_unit_test(numbers_without_a_call_are_none),
		cmocka_unit_test(abis_are_found_by_name),
		cmocka_unit_test(tokens_are_machine_width_and_byte_order),
		cmocka_unit_test(capabilities_gate_calls),
		cmocka_unit_test(every_capability_of_linux_is_there),
		cmocka_unit_test(errnos_are_linuxs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
