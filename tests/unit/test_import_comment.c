/* What a comment beside a list tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/import/import_comment.h"

struct sample {
	const char *text, *result; /* NULL: none */
};

static void check(const char *(*function)(struct arena *arena, const char *text),
		  const struct sample *samples, size_t count)
{
	struct arena *arena = arena_new();
	for (size_t i = 0; i < count; i++) {
		const char *result = function(arena, samples[i].text);
		if (samples[i].result)
			assert_string_equal(result, samples[i].result);
		else
			assert_null(result);
	}
	arena_free(arena);
}

#define CHECK(function, samples) check(function, samples, sizeof(samples) / sizeof *(samples))

static void test_line(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ " clones the  repository ", "clones the repository" },
		{ "## ---- Phase 2 ----", "Phase 2" },
		{ "-----", NULL },
		{ "", NULL },
		{ " noqa: E501", NULL },
		{ " type: ignore[arg-type]", NULL },
		{ " fmt: off", NULL },
		{ "!/usr/bin/python3", NULL },
		{ " -*- coding: utf-8 -*-", NULL },
		{ " types of tools", "types of tools" },
	};
	CHECK(comment_line, samples);
}

static void test_adr(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "ADR-0012", "0012" },
		{ "Phase 3, ADR-0012", "phase3/0012" },
		{ "phase2/0001", "phase2/0001" },
		{ "0012", "0012" },
		{ "decided in ADR 12, see ADR 12", "12" },
		{ "ADR-0012, which replaces ADR-0003", NULL }, /* which of the two decided? */
		{ "3 tools for images", NULL },
		{ "argv[0] of the next one", NULL },
		{ "[7] is the first", NULL },
		{ "[0012](0012-images.md), of which it is one", "0012" },
		{ "analysis", NULL },
		{ "", NULL },
	};
	CHECK(comment_adr, samples);
}

static void test_reason(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "clones the repository", "clones the repository" },
		{ "ADR-0012: clones", "ADR-0012: clones" },
		{ "ADR-0012", NULL },
		{ "0012", NULL },
	};
	CHECK(comment_reason, samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_adr),
		cmocka_unit_test(test_reason),
	};
	return cmocka_run_group_tests_name("import_comment", tests, NULL, NULL);
}
