/* NAME.names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/policy_builder.h"

static void test_text(void **state)
{
	(void)state;
	struct policy_builder builder;
	builder_begin(&builder, "phase-7");
	builder_layer(&builder, "phase-7");
	builder_row(&builder, VERB_ALLOW, "git", "phase-7/0001", "r");
	builder_row(&builder, VERB_FORBID, "strace", "phase-7/0001", "r");
	builder_row(&builder, VERB_DECLINE, "podman", "phase-7/0001", "r");
	builder_subject(&builder, SUBJECT_SYSCALL, VERB_ALLOW, "read", "phase-7/0001", "r");
	builder_row(&builder, VERB_ALLOW, "docker buildx", "phase-7/0001", "r");
	builder_row(&builder, VERB_ALLOW, "[", "phase-7/0001", "r");
	assert_true(builder_emit(&builder, &backend_names));
	assert_int_equal(builder.artifacts.count, 1);
	assert_string_equal(builder.artifacts.items[0].path, "phase-7.names");
	assert_string_equal(builder.artifacts.items[0].bytes, "git\ndocker buildx\n[\n");
	builder_end(&builder);
}

static void test_empty(void **state)
{
	(void)state;
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	assert_true(builder_emit(&builder, &backend_names));
	assert_int_equal(builder.artifacts.items[0].size, 0);
	builder_end(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_empty),
	};
	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
