/*
 * What a policy says of every system call number, one audit token at a time. A token's numbers lie in
 * zones; a zone decides the numbers that no table knows, the list of known calls decides the others.
 *
 * x32 shares x86_64's token: where both are named, the x32 calls are in the same list, with their bit.
 */
#ifndef ALLOWC_BACKENDS_FILTER_DECISIONS_H
#define ALLOWC_BACKENDS_FILTER_DECISIONS_H

#include <stddef.h>
#include <stdint.h>

#include "backends/filter/clauses.h"
#include "compiler/policy/policy.h"

struct arena;

/* What a call gets of an ABI that the policy does not name. */
struct action decisions_foreign(const struct policy *policy);

enum {
	X32_BIT = 0x40000000,
	X32_ALIAS_FIRST = 512, /* x32's own numbers, which old kernels also take without the bit */
	X32_ALIAS_LAST = 547,
};

/* Why the numbers of a zone that no table knows get what they get. */
enum zone_kind {
	ZONE_UNKNOWN, /* no table of the edition knows them */
	ZONE_X32,     /* they are x32's, which the policy does not name */
	ZONE_FOREIGN, /* they are x86_64's, of which the policy names x32 alone */
};

struct zone {
	uint32_t first, last;
	enum zone_kind kind;
	struct action action;
};

struct decision {
	uint32_t number; /* as the kernel passes it: with the x32 bit */
	struct action action;
	const struct clauses
		*clauses; /* asked first, and `action` is their `otherwise`; equal ones are one; NULL */
};

enum { ZONE_LIMIT = 4 };

struct decisions {
	enum abi abi;                  /* the first named ABI of the token */
	unsigned abis;                 /* all of them: bits 1u << ABI_… */
	struct zone zones[ZONE_LIMIT]; /* ascending, covering 0..0xffffffff */
	size_t zone_count;
	const struct decision *known; /* ascending, distinct, each within a zone: the calls, and what must
				       * be refused for another reason than its zone's */
	size_t known_count;
};

/*
 * One for each token of the named ABIs, 64-bit ABIs first and then as in ABI_LIST: the order in which
 * the filter asks. In `scratch`, but for the clauses, which are in `arena`; these may be one. Sets `*count`.
 */
const struct decisions *decisions_make(struct arena *arena, struct arena *scratch,
				       const struct policy *policy, size_t *count);

#endif
