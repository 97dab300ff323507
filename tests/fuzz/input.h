/*
 * What the harnesses share: an input cut into parts, files in memory instead of a disk, and what holds for
 * every policy that is read. A harness is one function, LLVMFuzzerTestOneInput(); what must not be ends the
 * process.
 */
#ifndef ALLOWC_TESTS_FUZZ_INPUT_H
#define ALLOWC_TESTS_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/compilation.h"
#include "compiler/base/tree.h"

struct arena;
struct artifacts;
struct policy;

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process where the condition does not hold, also without assertions. REQUIRE_OR says more of it. */
#define REQUIRE(condition) REQUIRE_OR(condition, "%s", "")
#define REQUIRE_OR(condition, ...)                                                                           \
	do {                                                                                                 \
		if (!(condition))                                                                            \
			input_refute(#condition, __VA_ARGS__);                                               \
	} while (0)
_Noreturn void input_refute(const char *condition, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A part of the input, or what is left of it. */
struct input {
	const char *bytes;
	size_t size;
};

static inline struct input input_of(const uint8_t *data, size_t size)
{
	return (struct input){ (const char *)data, size };
}

/*
 * The part up to the next line that begins with `mark`, or all that is left; `*name` is the rest of that
 * line, of size 0 where there is none.
 */
struct input input_cut(struct input *left, const char *mark, struct input *name);

/* The next `size` bytes into `bytes`, with zeros for what is not there. */
void input_take(struct input *left, void *bytes, size_t size);

/* A NUL-terminated copy without NULs inside: for names. */
const char *input_text(struct arena *arena, struct input part);

/* ---- files ---- */

enum { INPUT_FILES_MAX = 32 };

struct input_file {
	const char *path;
	struct input text;
};

/* A tree of these files alone; it is handed on by its first member, and outlives what reads from it. */
struct input_files {
	struct tree tree;
	struct input_file items[INPUT_FILES_MAX];
	size_t count;
};

/* The path of the first file; each other begins behind a line "=== PATH". */
#define INPUT_FIRST "p.allow"
void input_files_cut(struct input_files *files, struct arena *arena, struct input input);

/* ---- policies ---- */

/* Loads the first file. What input_check() says has been checked. */
const struct policy *input_policy(struct compilation *compilation, const struct input_files *files);

/* There is a result where no error was reported, and else none; no trouble is our own; every format renders.
 */
void input_check(const struct compilation *compilation, bool result);

/* Everything that can be written of the policy; false where a backend refused and said so. */
bool input_emit(struct compilation *compilation, const struct policy *policy, struct artifacts *artifacts);

#endif
