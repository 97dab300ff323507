/* Where the ABIs pass arguments: facts of the kernel, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/data/arguments.h"

static void assert_place(const char *call, const char *name, enum abi abi, int index, unsigned bits)
{
	const struct syscall_entry *entry = syscall_find(call);
	assert_non_null(entry);
	assert_true(argument_exists(entry, name));
	struct argument_place place = argument_place(entry, name, abi);
	if (place.index != index || (index >= 0 && place.bits != bits))
		fail_msg("%s of %s on %s: %d, %u bits", name, call, abi_facts(abi)->name, place.index,
			 place.bits);
}

static void clone_has_three_orders(void **state)
{
	(void)state;
	assert_place("clone", "flags", ABI_X86_64, 0, 32);
	assert_place("clone", "tls", ABI_X86_64, 4, 64);
	assert_place("clone", "tls", ABI_I386, 3, 32);
	assert_place("clone", "tls", ABI_AARCH64, 3, 64);
	assert_place("clone", "tls", ABI_RISCV64, 3, 64);
	assert_place("clone", "tls", ABI_PPC64LE, 3, 64);
	assert_place("clone", "tls", ABI_LOONGARCH64, 4, 64);
	assert_place("clone", "flags", ABI_S390X, 1, 32);
	assert_place("clone", "stack", ABI_S390X, 0, 64);
}

/* An int is 32 bits of a 64-bit register: the kernel never sees the rest. */
static void the_kernel_reads_part_of_a_register(void **state)
{
	(void)state;
	assert_place("socket", "domain", ABI_X86_64, 0, 32);
	assert_place("socket", "protocol", ABI_AARCH64, 2, 32);
	assert_place("read", "count", ABI_X86_64, 2, 64);
	assert_place("read", "count", ABI_ARM, 2, 32);
	assert_place("chmod", "mode", ABI_X86_64, 1, 16);
	assert_place("setuid", "uid", ABI_X86_64, 0, 32);
	assert_place("setuid", "uid", ABI_I386, 0, 16);
}

static void a_number_names_any_argument(void **state)
{
	(void)state;
	assert_place("socket", "arg0", ABI_X86_64, 0, 32); /* as wide as its name */
	assert_place("socket", "arg5", ABI_X86_64, 5, 64);
	assert_place("sigreturn", "arg1", ABI_I386, 1, 32); /* no prototype in the table */
	const struct syscall_entry *call = syscall_find("socket");
	assert_false(argument_exists(call, "arg6"));
	assert_false(argument_exists(call, "arg00"));
	assert_false(argument_exists(call, "arg"));
	assert_false(argument_exists(call, "dom"));
	assert_false(argument_exists(call, ""));
}

static void some_arguments_are_out_of_sight(void **state)
{
	(void)state;
	assert_place("mmap", "prot", ABI_X86_64, 2, 32);
	assert_place("mmap", "prot", ABI_I386, -1, 0); /* behind a pointer */
	assert_place("mmap", "prot", ABI_S390X, -1, 0);
	assert_place("fallocate", "mode", ABI_I386, 1, 32);
	assert_place("fallocate", "offset", ABI_X86_64, 2, 64);
	assert_place("fallocate", "offset", ABI_I386, -1, 0); /* in two registers */
	assert_place("fallocate", "len", ABI_ARM, -1, 0);     /* and what follows them */
	assert_place("fallocate", "arg3", ABI_ARM, 3, 32);
}

/* x32 passes whole registers, but its own numbers are read as a 32-bit program's. */
static void x32_reads_its_own_numbers_as_32_bits(void **state)
{
	(void)state;
	assert_place("read", "count", ABI_X32, 2, 64);
	assert_place("fallocate", "offset", ABI_X32, 2, 64);
	assert_place("ptrace", "request", ABI_X86_64, 0, 64);
	assert_place("ptrace", "request", ABI_X32, 0, 32);
}

static void names_are_suggested(void **state)
{
	struct arena *arena = *state;
	const struct syscall_entry *call = syscall_find("socket");
	assert_string_equal(argument_names(arena, call), "domain, type, protocol");
	assert_string_equal(argument_names(arena, syscall_find("getpid")), "");
	assert_string_equal(argument_nearest(arena, call, "domian"), "domain");
	assert_null(argument_nearest(arena, call, "family"));
}

/* Every line is of a call that the other table has. */
static void every_call_has_six_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < syscall_table_size; i++)
		for (int number = 0; number < ARGUMENT_COUNT; number++) {
			char name[] = "arg0";
			name[3] = (char)('0' + number);
			for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
				struct argument_place place = argument_place(&syscall_table[i], name, abi);
				assert_int_equal(place.index, number);
				assert_true(place.bits == 16 || place.bits == 32 || place.bits == 64);
				assert_true(abi_facts(abi)->bits == 64 || abi == ABI_X32 || place.bits <= 32);
			}
		}
}

static int begin(void **state)
{
	*state = arena_new();
	return 0;
}

static int end(void **state)
{
	arena_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clone_has_three_orders),
		cmocka_unit_test(the_kernel_reads_part_of_a_register),
		cmocka_unit_test(a_number_names_any_argument),
		cmocka_unit_test(some_arguments_are_out_of_sight),
		cmocka_unit_test(x32_reads_its_own_numbers_as_32_bits),
		cmocka_unit_test_setup_teardown(names_are_suggested, begin, end),
		cmocka_unit_test(every_call_has_six_places),
	};
	return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
