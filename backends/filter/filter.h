/*
 * A policy's seccomp filter: decisions per (ABI, number) → merged ranges → one decision tree per ABI →
 * classic BPF. filter_build() proves the bytes before it returns: the interpreter (interpret.h, which
 * shares only `struct instruction` with the generator) runs them over every ABI and number class and
 * each verdict is compared with the policy. A mismatch is an internal error: trouble, NULL.
 */
#ifndef ALLOWC_BACKENDS_FILTER_FILTER_H
#define ALLOWC_BACKENDS_FILTER_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "backends/filter/instruction.h"
#include "compiler/policy/policy.h"

struct compilation;

enum { FILTER_LENGTH_MAX = 4096 }; /* BPF_MAXINSNS of linux/bpf_common.h */

/* Numbers [first, last] of one ABI that get one action, with the rules behind it. */
struct filter_range {
	uint32_t first, last; /* as the kernel passes them: with the x32 bit */
	struct action action;
	enum { RANGE_KNOWN, RANGE_UNKNOWN, RANGE_X32 } kind;
};

struct filter_section {
	enum abi abi;
	size_t begin, end;   /* instructions */
	const struct filter_range *ranges; /* ascending, covering 0..0xffffffff */
	size_t range_count;
	double mean;         /* instructions executed over the ABI's known calls, arch check included */
	unsigned worst;
	size_t known, refused; /* system calls of the ABI; those not allowed */
};

struct filter {
	const struct instruction *code;
	size_t length;
	const struct filter_section *sections; /* one for each named ABI, in the order of the code */
	size_t section_count;
	bool cacheable; /* every ALLOW by number uses only what the kernel's action cache evaluates */
};

const struct filter *filter_build(struct compilation *compilation, const struct policy *policy);

#endif
