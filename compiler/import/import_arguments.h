/* The conditions of a profile's rules (import_profile.h), as a policy writes them. */
#ifndef ALLOWC_IMPORT_IMPORT_ARGUMENTS_H
#define ALLOWC_IMPORT_IMPORT_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/data/syscalls.h"
#include "compiler/policy/condition.h"

struct arena;

/* (register & mask) OPERATOR value */
struct profile_comparison {
	unsigned index; /* 0..5 */
	enum comparison_operator operator;
	uint64_t mask;  /* all ones where nothing is masked */
	uint64_t value; /* without a bit outside the mask */
};

/*
 * "persona == 8", "(flags & 0x10000000) == 0": what it means for the call on those of these ABIs that have
 * it. In the arena. NULL, with a sentence in `*why`, where a policy would mean something else on one of them.
 */
const char *import_comparison_text(struct arena *arena, const struct syscall_entry *call, unsigned abis,
				   const struct profile_comparison *comparison, const char **why);

#endif
