/* The table of backends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/backend.h"
#include "backends/strength.h"
#include "compiler/policy/policy.h"

static void test_order_and_defaults(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool by_default;
	} expected[] = {
		{ "c-header", true },          { "seccomp", true },         { "bpf", true },
		{ "oci-seccomp", false },      { "python", true },          { "plugin-yaml", true },
		{ "json", false },             { "listing", false },        { "names", false },
		{ "markdown", false },         { "spo", false },            { "seccomp --audit", false },
		{ "bpf --audit", false },      { "listing --audit", false },
	};
	assert_int_equal(backend_count, sizeof expected / sizeof *expected);
	for (size_t i = 0; i < backend_count; i++) {
		assert_string_equal(backends[i]->name, expected[i].name);
		assert_int_equal(backends[i]->by_default, expected[i].by_default);
		assert_true(strlen(backends[i]->summary) > 0);
	}
}

/* Each artifact that holds rows is one backend's, of that name; what audits holds nothing. */
static void test_strengths(void **state)
{
	(void)state;
	bool claimed[STRENGTH_ARTIFACT_COUNT] = { false };
	for (size_t i = 0; i < backend_count; i++) {
		unsigned artifact = backend_strength(backends[i]);
		if (artifact == STRENGTH_DESCRIPTION)
			continue;
		assert_false(backends[i]->audits);
		assert_false(claimed[artifact]);
		claimed[artifact] = true;
		assert_string_equal(strength_artifact_name(artifact), backends[i]->name);
	}
	for (size_t i = 0; i < STRENGTH_ARTIFACT_COUNT; i++)
		assert_true(claimed[i]);
	assert_int_equal(backend_strength(&backend_json), STRENGTH_DESCRIPTION);
	assert_int_equal(backend_strength(&backend_bpf_audit), STRENGTH_DESCRIPTION);
}

static void test_find(void **state)
{
	(void)state;
	assert_ptr_equal(backend_find("python"), &backend_python);
	assert_null(backend_find("Python"));
	assert_null(backend_find(""));
	assert_string_equal(backend_nearest("pyton"), "python");
	assert_string_equal(backend_nearest("c_header"), "c-header");
	assert_null(backend_nearest("helicopter"));
}

/* Each filter has one that audits, with a file of its own; neither owns what the other writes. */
static void test_audits(void **state)
{
	(void)state;
	static const struct {
		const struct backend *backend;
		const char *plain, *audit;
	} pairs[] = {
		{ &backend_seccomp, "test.seccomp.h", "test.audit.seccomp.h" },
		{ &backend_bpf, "test.bpf", "test.audit.bpf" },
		{ &backend_listing, "test.seccomp.txt", "test.audit.seccomp.txt" },
	};
	const struct policy policy = { .name = "test" };
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const struct backend *plain = pairs[i].backend, *audit = plain->audit;
		assert_non_null(audit);
		assert_true(audit->audits && audit->needs_filter && !audit->audit && !plain->audits);
		assert_true(plain->owns(&policy, pairs[i].plain) && !plain->owns(&policy, pairs[i].audit));
		assert_true(audit->owns(&policy, pairs[i].audit) && !audit->owns(&policy, pairs[i].plain));
		assert_ptr_equal(backend_find(plain->name), plain);
		assert_null(backend_find(audit->name));
	}
	assert_null(backend_python.audit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_and_defaults),
		cmocka_unit_test(test_strengths),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_audits),
	};
	return cmocka_run_group_tests_name("backends", tests, NULL, NULL);
}
