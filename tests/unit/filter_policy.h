/*
 * Policies for the tests of the filter, built by hand: numbers of the rules alone, without a text.
 */
#ifndef ALLOWC_TESTS_UNIT_FILTER_POLICY_H
#define ALLOWC_TESTS_UNIT_FILTER_POLICY_H

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/policy/policy.h"

enum { TEST_RULES = 512 };

struct test_policy {
	struct policy policy;
	struct layer layer;
	struct call_rule denied[TEST_RULES], allowed[TEST_RULES];
};

static const struct action test_allow = { .kind = ACTION_ALLOW };
static const struct action test_kill = { .kind = ACTION_KILL };
static const struct action test_log = { .kind = ACTION_LOG };
static const struct action test_eperm = { .kind = ACTION_ERRNO, .errno_value = 1 };
static const struct action test_enosys = { .kind = ACTION_ERRNO, .errno_value = 38 };

/* The language's own defaults, for these ABIs (bits), with nothing denied. */
static inline void test_policy_begin(struct test_policy *test, unsigned abis)
{
	memset(test, 0, sizeof *test);
	test->layer = (struct layer){ .name = "test", .file = "test.allow", .scope = "test" };
	test->policy = (struct policy){
		.name = "test",
		.identifier = "test",
		.file = "test.allow",
		.layers = &test->layer,
		.layer_count = 1,
		.seccomp = {
			.fallback = test_allow,
			.deny = test_eperm,
			.unknown = test_enosys,
			.abis = abis,
			.denied = test->denied,
			.allowed = test->allowed,
		},
	};
}

static inline int test_by_call(const void *a, const void *b)
{
	const struct call_rule *first = a, *second = b;
	return (first->call > second->call) - (first->call < second->call);
}

static inline void test_deny_call(struct test_policy *test, const struct syscall_entry *call,
				  struct action action)
{
	assert(call && test->policy.seccomp.denied_count < TEST_RULES);
	test->denied[test->policy.seccomp.denied_count++] =
		(struct call_rule){ .call = call, .action = action };
}

/* Names with one blank between them. */
static inline void test_deny(struct test_policy *test, const char *names, struct action action)
{
	char copy[1024];
	assert(strlen(names) < sizeof copy);
	strcpy(copy, names);
	for (char *name = strtok(copy, " "); name; name = strtok(NULL, " "))
		test_deny_call(test, syscall_find(name), action);
	qsort(test->denied, test->policy.seccomp.denied_count, sizeof *test->denied, test_by_call);
}

static inline void test_allow_call(struct test_policy *test, const struct syscall_entry *call)
{
	assert(call && test->policy.seccomp.allowed_count < TEST_RULES);
	test->allowed[test->policy.seccomp.allowed_count++] = (struct call_rule){ .call = call };
}

static inline void test_allow_names(struct test_policy *test, const char *names)
{
	char copy[1024];
	assert(strlen(names) < sizeof copy);
	strcpy(copy, names);
	for (char *name = strtok(copy, " "); name; name = strtok(NULL, " "))
		test_allow_call(test, syscall_find(name));
}

#define TEST_TRACING "kcmp pidfd_getfd process_madvise process_vm_readv process_vm_writev ptrace"

#endif
