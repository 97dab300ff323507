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

static void it_owns_its_own_name_alone(void **state)
{
	(void)state;
	struct test_policy test;
	test_policy_begin(&test, 1u << ABI_X86_64);
	assert_true(backend_bpf.owns(&test.policy, "test.bpf"));
	assert_false(backend_bpf.owns(&test.policy, "other.bpf"));
	assert_false(backend_bpf.owns(&test.policy, "test.bpf.txt"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_little_endian),
		cmocka_unit_test(it_owns_its_own_name_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
