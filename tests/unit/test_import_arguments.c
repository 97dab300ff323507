/* A profile's comparisons as a policy writes them: the same for arguments as the kernel reads them, or
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/import/import_arguments.h"

enum { BOTH_X86 = 1u << ABI_X86_64 | 1u << ABI_I386, EACH = (1u << ABI_COUNT) - 1 };

struct example {
	const char *call;
	unsigned abis;
	struct profile_comparison comparison;
	const char *text; /* or NULL, and why */
	const char *why;
};

#define ALL UINT64_MAX

static const struct example examples[] = {
	/* the kernel reads an int of it: by number, in decimal or as bits */
	{ "personality", BOTH_X86, { 0, COMPARISON_EQ, ALL, 8 }, "persona == 8", NULL },
	{ "personality", BOTH_X86, { 0, COMPARISON_EQ, ALL, 0x20008 }, "persona == 0x20008", NULL },
	{ "socket", EACH, { 1, COMPARISON_NE, ALL, 3 }, "type != 3", NULL },
	{ "socket", EACH, { 0, COMPARISON_GE, ALL, 16 }, "domain >= 16", NULL },
	/* what the mask has beyond it means nothing to the kernel */
	{ "personality", BOTH_X86, { 0, COMPARISON_EQ, UINT32_MAX, 8 }, "persona == 8", NULL },
	{ "personality", BOTH_X86, { 0, COMPARISON_EQ, 0xf0000000f, 8 }, "(persona & 0xf) == 8", NULL },
	/* clone's first argument is its flags on most ABIs, and the stack on s390x */
	{ "clone", BOTH_X86, { 0, COMPARISON_EQ, 0x10000000, 0 }, "(arg0 & 0x10000000) == 0", NULL },
	{ "clone", 1u << ABI_X86_64, { 1, COMPARISON_EQ, ALL, 0 }, "arg1 == 0", NULL },
	/* a whole register of 64 bits, and one of 32 */
	{ "read", 1u << ABI_X86_64, { 2, COMPARISON_LE, ALL, 0x100000000 }, "count <= 0x100000000", NULL },
	{ "read", BOTH_X86, { 2, COMPARISON_LE, ALL, 4096 }, "count <= 0x1000", NULL },
	{ "read",
	  BOTH_X86,
	  { 2, COMPARISON_LE, ALL, 0x100000000 },
	  NULL,
	  "the kernel reads 32 bits of this argument, and the value has more" },
	{ "read", 1u << ABI_X86_64, { 2, COMPARISON_EQ, UINT32_MAX, 1 }, "(count & 0xffffffff) == 1", NULL },
	/* -1 as a register of 64 bits is not what the kernel reads */
	{ "openat",
	  BOTH_X86,
	  { 0, COMPARISON_EQ, ALL, ALL },
	  NULL,
	  "the kernel reads 32 bits of this argument, and the value has more" },
	{ "personality",
	  BOTH_X86,
	  { 0, COMPARISON_EQ, 0x100000000, 0 },
	  NULL,
	  "the kernel reads 32 bits of this argument, and the mask has none of them" },
	/* libseccomp takes x32 for an ABI of 32 bits, the kernel does not */
	{ "read",
	  1u << ABI_X32,
	  { 2, COMPARISON_LE, ALL, 4096 },
	  NULL,
	  "on x32 engines compare 32 bits of this argument, and the kernel reads 64" },
	{ "read", 1u << ABI_X32, { 2, COMPARISON_EQ, UINT32_MAX, 1 }, "(count & 0xffffffff) == 1", NULL },
	{ "personality", 1u << ABI_X32, { 0, COMPARISON_EQ, ALL, 8 }, "persona == 8", NULL },
	/* no named ABI has it: nothing is decided */
	{ "socketcall", 1u << ABI_X86_64, { 0, COMPARISON_EQ, ALL, 1 }, "call == 1", NULL },
	/* an argument that the prototype lacks */
	{ "read", BOTH_X86, { 5, COMPARISON_EQ, ALL, 0 }, "arg5 == 0", NULL },
};

static void each_is_said_or_refused(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		const struct example *example = &examples[i];
		const char *why = NULL;
		const char *text = import_comparison_text(arena, syscall_find(example->call), example->abis,
							  &example->comparison, &why);
		if (example->text) {
			assert_non_null(text);
			assert_string_equal(text, example->text);
		} else {
			assert_null(text);
			assert_string_equal(why, example->why);
		}
	}
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_is_said_or_refused) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
