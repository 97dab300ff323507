/*
 * Classic BPF as the kernel's seccomp runs it. Written from the kernel's rules (kernel/seccomp.c,
 * net/core/filter.c, Documentation/networking/filter.rst), apart from the generator: the only thing that
 * both know is `struct instruction`.
 */
#ifndef ALLOWC_BACKENDS_FILTER_INTERPRET_H
#define ALLOWC_BACKENDS_FILTER_INTERPRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/filter/instruction.h"

/* struct seccomp_data of linux/seccomp.h. */
struct interpret_input {
	uint32_t number, arch;
	uint64_t instruction_pointer;
	uint64_t arguments[6];
};

/* Both ends included. */
struct interpret_span {
	uint32_t first, last;
};

struct interpret_result {
	uint32_t value;  /* SECCOMP_RET_* with its data */
	size_t executed; /* instructions, the return included */
	bool cacheable;  /* the kernel's action cache would take this as a constant ALLOW */
	/*
	 * Around the number and the token of the input: every number of the one span under every token of the
	 * other takes the same way through the program to the same result, where the rest of the input is
	 * equal. Not always the widest such spans.
	 */
	struct interpret_span numbers, tokens;
};

/*
 * NULL where the kernel takes the program; else what is wrong, with the instruction's index in `*where`.
 */
const char *interpret_check(const struct instruction *code, size_t length, size_t *where);

/* Runs a program that interpret_check() takes. Words are in the byte order that the token says. */
struct interpret_result interpret_run(const struct instruction *code, const struct interpret_input *input);

#endif
