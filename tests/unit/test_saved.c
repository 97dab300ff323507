/* A saved artifact that is spoilt in many ways: refused with a reason, or read; what is read compares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/source.h"
#include "compiler/diff/compare.h"
#include "compiler/diff/saved.h"

/* What the golden test of the sample policy expects --emit json to write. */
static size_t sample(char *bytes, size_t most)
{
	char path[512];
	const char *end = strrchr(__FILE__, '/');
	snprintf(path, sizeof path, "%.*s/../golden/tree-phase7/expect/phase7.json", (int)(end - __FILE__),
		 __FILE__);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	size_t size = fread(bytes, 1, most, file);
	fclose(file);
	assert_in_range(size, 1000, most - 1);
	return size;
}

enum { SAMPLE_MOST = 200000 };
static char text[SAMPLE_MOST];

/* Whether it is a policy; what is none has a reason, and what is one can be compared with itself. */
static bool reads(const char *bytes, size_t size)
{
	struct compilation compilation = compilation_begin(0);
	struct source *source = sources_add(compilation.sources, "phase7.json",
					    arena_copy(compilation.arena, bytes, size), size);
	const char *why = NULL;
	const struct policy *policy = saved_read(&compilation, source, &why);
	if (policy)
		assert_int_equal(comparison_exit_status(policies_compare(&compilation, policy, policy)), 0);
	else
		assert_non_null(why);
	bool read = policy != NULL;
	compilation_end(&compilation);
	return read;
}

static void what_was_written_is_read(void **state)
{
	(void)state;
	size_t size = sample(text, SAMPLE_MOST);
	struct compilation compilation = compilation_begin(0);
	const char *why = NULL;
	struct source *source = sources_add(compilation.sources, "phase7.json", text, size);
	assert_true(saved_is(source));
	const struct policy *policy = saved_read(&compilation, source, &why);
	assert_non_null(policy);
	assert_true(policy->saved);
	assert_string_equal(policy->name, "phase7");
	assert_string_equal(policy->title, "Phase 7: distroless migration");
	assert_int_equal(policy->layer_count, 3);
	assert_int_equal(policy->forbidden_count, 1);
	assert_int_equal(policy->guard_count, 7);
	assert_int_equal(policy->seccomp.denied_count,
			 12); /* six calls, by strace's needs and by CAP_SYS_PTRACE */
	assert_int_equal(policy->plugins[0]->tool_count, 3);
	assert_string_equal(policy->plugins[0]->tools[2]->spelling, "docker-buildx");
	assert_int_equal(source_position(policy->guards[0].span.source, policy->guards[0].span.begin).line,
			 23);
	compilation_end(&compilation);
}

static void what_opens_otherwise_is_a_policy(void **state)
{
	(void)state;
	struct compilation compilation = compilation_begin(0);
	assert_true(saved_is(sources_add(compilation.sources, "a", " \r\n\t{", 5)));
	assert_false(saved_is(sources_add(compilation.sources, "b", "policy p {", 10)));
	assert_false(saved_is(sources_add(compilation.sources, "c", "", 0)));
	assert_false(saved_is(sources_add(compilation.sources, "d", "[]", 2)));
	compilation_end(&compilation);
}

static void one_that_is_cut_off_is_refused(void **state)
{
	(void)state;
	size_t size = sample(text, SAMPLE_MOST);
	for (size_t cut = 0; cut + 2 < size; cut += 101)
		assert_false(reads(text, cut));
}

/* Nothing is said of which of them are read: a word of a reason may be any other. */
static void one_byte_that_is_another(void **state)
{
	(void)state;
	static const char others[] = "\"0{[x,:\\";
	size_t size = sample(text, SAMPLE_MOST), refused = 0, tried = 0;
	for (size_t at = 0; at < size; at += 37, tried++) {
		char kept = text[at];
		text[at] = others[tried % (sizeof others - 1)];
		refused += !reads(text, size);
		text[at] = kept;
	}
	assert_true(refused * 2 > tried);
	assert_true(reads(text, size));
}

/* A line less may leave JSON whole: then it is refused for what is not there, or was optional. */
static void one_line_less(void **state)
{
	(void)state;
	size_t size = sample(text, SAMPLE_MOST);
	char *less = malloc(size);
	for (char *line = text, *next; (next = memchr(line, '\n', size - (size_t)(line - text)));
	     line = next + 1) {
		size_t before = (size_t)(line - text), gone = (size_t)(next + 1 - line);
		if (before % 3)
			continue;
		memcpy(less, text, before);
		memcpy(less + before, next + 1, size - before - gone);
		reads(less, size - gone);
	}
	free(less);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(what_opens_otherwise_is_a_policy),
		cmocka_unit_test(one_that_is_cut_off_is_refused),
		cmocka_unit_test(one_byte_that_is_another),
		cmocka_unit_test(one_line_less),
	};
	return cmocka_run_group_tests_name("saved", tests, NULL, NULL);
}
