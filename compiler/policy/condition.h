/*
 * Conditions on the arguments of a system call, resolved: each comparison stands for every ABI as the kernel
 * there reads it. What two conditions have to do with each other is computed, bit by bit.
 */
#ifndef ALLOWC_POLICY_CONDITION_H
#define ALLOWC_POLICY_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/source.h"
#include "compiler/data/syscalls.h"

/* X(IDENTIFIER, "sign"); all compare without a sign. */
#define COMPARISON_LIST(X)                                                                                   \
	X(EQ, "==")                                                                                          \
	X(NE, "!=")                                                                                          \
	X(LT, "<")                                                                                           \
	X(LE, "<=")                                                                                          \
	X(GT, ">")                                                                                           \
	X(GE, ">=")                                                                                          \
	X(ANY, "&") /* some bit of the mask is set */

enum comparison_operator {
#define X(id, sign) COMPARISON_##id,
	COMPARISON_LIST(X)
#undef X
		COMPARISON_COUNT
};

const char *comparison_sign(enum comparison_operator operator);

/* `(argument & mask) OPERATOR value`. The value alone may have bits beyond `bits`. */
struct argument_test {
	int index;     /* of the argument, 0..5; -1: the ABI passes it where no filter sees it */
	unsigned bits; /* 16, 32 or 64: what the kernel reads of it; the mask has no bit beyond */
	enum comparison_operator operator;
	uint64_t mask, value;
};

/* What holds where the test does not. */
struct argument_test argument_test_negation(struct argument_test test);

struct comparison {
	const char *argument; /* as written: "flags", "arg0" */
	struct argument_test on[ABI_COUNT];
	struct span span;
};

/* All comparisons hold. */
struct condition {
	const struct syscall_entry *call;
	const char *text; /* "domain == AF_ALG && type != SOCK_RAW": one form, whatever the blanks were */
	const struct comparison *comparisons;
	size_t count;     /* at least 1 */
	struct span span; /* no source: of a capability */
};

/*
 * In the functions below a condition that is NULL always holds. `abi` has the call.
 */

/* Whether the ABI passes all arguments of the condition where a filter sees them. */
bool condition_seen(const struct condition *condition, enum abi abi);

/*
 * What follows is exact but for conditions made to be hard, and more than a thousand comparisons at once,
 * which are taken for ones that can hold. They are of seen conditions.
 */

/* Whether some arguments make it hold. */
bool condition_can_hold(const struct condition *condition, enum abi abi);
bool comparison_can_hold(const struct comparison *comparison, enum abi abi);

/* Whether some arguments make it fail. */
bool condition_can_fail(const struct condition *condition, enum abi abi);
bool comparison_can_fail(const struct comparison *comparison, enum abi abi);

/* Whether some arguments make both hold. */
bool conditions_overlap(const struct condition *first, const struct condition *second, enum abi abi);

/*
 * Whether `first` and `second` hold somewhere where none of the others does. Of others with several
 * comparisons only those count that hold wherever the rest does.
 */
bool condition_escapes(const struct condition *first, const struct condition *second,
		       const struct condition *const *others, size_t count, enum abi abi);

#endif
