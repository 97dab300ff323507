/* What backends share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/backend.h"
#include "compiler/base/arena.h"
#include "compiler/policy/policy.h"

static void names_with_one_identifier_have_two_guards(void **state)
{
	(void)state;
	static const struct {
		const char *name, *guard;
	} cases[] = {
		{ "phase7", "phase7" },       { "a-b", "a_DASH_b" },     { "a_b", "a_b" },
		{ "a_dash_b", "a_dash_b" },   { "a--b", "a_DASH__DASH_b" }, { "p_seccomp", "p_seccomp" },
		{ "p.gate", "p_DOT_gate" },   { "p.a-b", "p_DOT_a_DASH_b" },
		{ "p.Gate", "p_DOT__UP_gate" }, { "p.a_DASH_b", "p_DOT_a__UP_d_UP_a_UP_s_UP_h_b" },
	};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct policy policy = { .name = cases[i].name };
		assert_string_equal(artifact_guard(arena, &policy), cases[i].guard);
	}
	arena_free(arena);
}

static void a_name_and_its_suffix_is_the_whole_path(void **state)
{
	(void)state;
	struct policy policy = { .name = "p" };
	assert_true(artifact_is_named(&policy, "p.h", ".h"));
	assert_false(artifact_is_named(&policy, "p.h.old", ".h"));
	assert_false(artifact_is_named(&policy, "q.h", ".h"));
	assert_false(artifact_is_named(&policy, "x/p.h", ".h"));
}

static void the_file_of_a_role_stands_between_name_and_suffix(void **state)
{
	(void)state;
	struct policy policy = { .name = "p" };
	assert_true(artifact_is_named_for_role(&policy, "p.bpf", ".bpf"));
	assert_true(artifact_is_named_for_role(&policy, "p.gate.bpf", ".bpf"));
	assert_true(artifact_is_named_for_role(&policy, "p.gate.2.bpf", ".bpf"));
	assert_true(artifact_is_named_for_role(&policy, "p.audit.2.bpf", ".bpf"));
	assert_false(artifact_is_named_for_role(&policy, "p..bpf", ".bpf"));
	assert_false(artifact_is_named_for_role(&policy, "q.gate.bpf", ".bpf"));
	assert_false(artifact_is_named_for_role(&policy, "p.x/gate.bpf", ".bpf"));
	/* these are what other suffixes make of a role, or of none */
	assert_false(artifact_is_named_for_role(&policy, "p.be.bpf", ".bpf"));
	assert_false(artifact_is_named_for_role(&policy, "p.gate.be.bpf", ".bpf"));
	assert_false(artifact_is_named_for_role(&policy, "p.gate.audit.bpf", ".bpf"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_with_one_identifier_have_two_guards),
		cmocka_unit_test(a_name_and_its_suffix_is_the_whole_path),
		cmocka_unit_test(the_file_of_a_role_stands_between_name_and_suffix),
	};
	return cmocka_run_group_tests_name("artifact", tests, NULL, NULL);
}
