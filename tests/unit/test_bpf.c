#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/backend.h"
#include "backends/filter/filter.h"
#include "compiler/base/compilation.h"
#include "tests/unit/filter_policy.h"

/* Jumps and returns whose bytes differ in every place: code and constant are little-endian on any host. */
static void bytes_are_little_endian(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	const struct instruction code[] = { { 0x0120, 3, 4, 0x05060708 }, { 0x06, 0, 0, 0x7fff0000 } };
	const struct filter filter = { .code = code, .length = 2 };
	const struct emission emission = { &compilation, &test.policy, &filter };
	struct artifacts out = { .count = 0 };
	static const unsigned char want[] = { 0x20, 0x01, 3, 4, 8, 7, 6, 5, 6, 0, 0, 0, 0, 0, 0xff, 0x7f };
	assert_true(backend_bpf.emit(&emission, &out));
	assert_int_equal(out.count, 1);
	assert_string_equal(out.items[0].path, "test.bpf");
	assert_int_equal(out.items[0].size, sizeof want);
	assert_memory_equal(out.items[0].bytes, want, sizeof want);
	compilation_end(&compilation);
}

/* The same two instructions for both: 16-bit code, two bytes, 32-bit constant. */
static void each_byte_order_has_a_file(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64 | 1u << ABI_S390X);
	const struct instruction code[] = { { 0x0120, 3, 4, 0x05060708 }, { 0x06, 0, 0, 0x7fff0000 } };
	const struct filter big = { .code = code, .length = 2, .big_endian = true };
	const struct filter little = { .code = code, .length = 1, .next = &big };
	const struct emission emission = { &compilation, &test.policy, &little };
	struct artifacts out = { .count = 0 };
	static const unsigned char want_little[] = { 0x20, 0x01, 3, 4, 8, 7, 6, 5 };
	static const unsigned char want_big[] = {
		0x01, 0x20, 3, 4, 5, 6, 7, 8, 0, 6, 0, 0, 0x7f, 0xff, 0, 0
	};
	assert_true(backend_bpf.emit(&emission, &out));
	assert_int_equal(out.count, 2);
	assert_string_equal(out.items[0].path, "test.bpf");
	assert_int_equal(out.items[0].size, sizeof want_little);
	assert_memory_equal(out.items[0].bytes, want_little, sizeof want_little);
	assert_string_equal(out.items[1].path, "test.be.bpf");
	assert_int_equal(out.items[1].size, sizeof want_big);
	assert_memory_equal(out.items[1].bytes, want_big, sizeof want_big);
	compilation_end(&compilation);
}

static void assert_listed(unsigned abis, const char *first, const char *second)
{
	struct compilation compilation = compilation_begin(0);
	struct test_policy test;
	test_policy_begin(&test, abis);
	const struct emission emission = { .compilation = &compilation, .policy = &test.policy };
	struct artifacts out = { .count = 0 };
	backend_bpf.list(&emission, &out);
	assert_int_equal(out.count, second ? 2 : 1);
	assert_string_equal(out.items[0].path, first);
	if (second)
		assert_string_equal(out.items[1].path, second);
	compilation_end(&compilation);
}

static void only_the_orders_of_named_abis_have_one(void **state)
{
	(void)state;
	assert_listed(1u << ABI_X86_64 | 1u << ABI_PPC64LE, "test.bpf", NULL);
	assert_listed(1u << ABI_S390X, "test.be.bpf", NULL);
	assert_listed(1u << ABI_S390X | 1u << ABI_ARM, "test.bpf", "test.be.bpf");
}

static void it_owns_its_own_name_alone(void **state)
{
	(void)state;
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	assert_true(backend_bpf.owns(&test.policy, "test.bpf"));
	assert_true(backend_bpf.owns(&test.policy, "test.be.bpf")); /* of an earlier form that named s390x */
	assert_false(backend_bpf.owns(&test.policy, "other.bpf"));
	assert_true(backend_bpf.owns(&test.policy, "test.gate.bpf")); /* of an earlier form with that role */
	assert_true(backend_bpf.owns(&test.policy, "test.gate.be.bpf"));
	assert_false(backend_bpf.owns(&test.policy, "test.audit.bpf"));
	assert_false(backend_bpf.owns(&test.policy, "test.gate.audit.bpf"));
	assert_true(backend_bpf_audit.owns(&test.policy, "test.gate.audit.bpf"));
	assert_false(backend_bpf.owns(&test.policy, "test..bpf"));
	assert_false(backend_bpf.owns(&test.policy, "test.bpf.txt"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_little_endian),
		cmocka_unit_test(each_byte_order_has_a_file),
		cmocka_unit_test(only_the_orders_of_named_abis_have_one),
		cmocka_unit_test(it_owns_its_own_name_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
