/*
 * A policy's seccomp filter: decisions per (ABI, number) → merged ranges → one decision tree per audit
 * token → classic BPF. filter_build() proves the bytes before it returns: the interpreter (interpret.h,
 * which shares only `struct instruction` with the generator) runs them over every ABI and number class
 * and each verdict is compared with the policy. A mismatch is an internal error: trouble, NULL.
 */
#ifndef ALLOWC_BACKENDS_FILTER_FILTER_H
#define ALLOWC_BACKENDS_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/filter/instruction.h"
#include "compiler/policy/policy.h"

struct clauses;
struct compilation;

enum { FILTER_LENGTH_MAX = 4096 }; /* BPF_MAXINSNS of linux/bpf_common.h */

/* Numbers [first, last] under one token that get one action. */
struct filter_range {
	uint32_t first, last; /* as the kernel passes them: with the x32 bit */
	struct action action;
	size_t known; /* of them are system calls of a named ABI */
	const struct clauses
		*clauses; /* asked first (clauses.h), and `action` is their `otherwise`; NULL: none */
};

/* The calls of one named ABI. Executed instructions are counted over its known calls, checks included. */
struct filter_abi {
	enum abi abi;
	size_t known, refused; /* system calls of the ABI; those that do not run, whatever their arguments */
	size_t split;          /* those that run with some arguments and not with others */
	size_t logged;         /* those that run with a line in the kernel's log, whatever their arguments */
	size_t logged_split;   /* those that do so with some arguments and not with others */
	double mean;
	size_t hot;      /* system calls of the ABI among the policy's `hot` ones */
	double hot_mean; /* over those; 0 without any */
};

/* What is asked under one audit token. x32 is in x86_64's section. */
struct filter_section {
	struct filter_abi abis[2];
	size_t abi_count;
	size_t begin, end; /* instructions; returns that sections share stand after the last */
	const struct filter_range *ranges; /* ascending, covering 0..0xffffffff */
	size_t range_count;
	size_t worst; /* instructions executed for any number at all */
};

struct filter {
	bool big_endian; /* of the named ABIs of this byte order alone */
	const struct instruction *code;
	size_t length;
	const struct filter_section *sections; /* in the order of the code */
	size_t section_count;
	bool cacheable; /* every ALLOW by number uses only what the kernel's action cache evaluates */
	const struct filter *next; /* the filter of the other byte order, where ABIs of both are named */
};

/* Those of the policy's ABIs that have this byte order: bits 1u << ABI_…. */
unsigned filter_abis(const struct policy *policy, bool big_endian);

/*
 * The proven filter, in the compilation's arena. A program's bytes are those of one byte order, so a policy
 * that names ABIs of both has two, the little-endian one first; under each, the ABIs of the other are killed.
 * NULL where an error was reported: a filter of more than FILTER_LENGTH_MAX instructions
 * (DIAG_FILTER_SIZE), or a filter that the proof refutes (trouble).
 */
const struct filter *filter_build(struct compilation *compilation, const struct policy *policy);

/* The same with another limit on the length: for tests. */
const struct filter *filter_build_within(struct compilation *compilation, const struct policy *policy,
					 size_t limit);

/* What seccomp(2) takes as the value of a return: SECCOMP_RET_* of linux/seccomp.h. */
uint32_t filter_return_value(struct action action);

#endif
