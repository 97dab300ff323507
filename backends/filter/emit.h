/*
 * Classic BPF, written from the last instruction to the first: a jump's targets are there before the
 * jump. Equal instructions with equal targets are written once, returns above all. A target farther than
 * a jump reaches (255) is brought near by a copy of the return, or by a `ja`; no filter fails by its layout.
 */
#ifndef ALLOWC_BACKENDS_FILTER_EMIT_H
#define ALLOWC_BACKENDS_FILTER_EMIT_H

#include <stddef.h>
#include <stdint.h>

#include "backends/filter/instruction.h"
#include "backends/filter/tree.h"

struct arena;
struct clauses;

/* A leaf of the tree that looks at arguments, written once. */
struct emitted_clauses {
	const struct clauses *clauses;
	size_t label, size; /* size: instructions that it took */
};

/* A label is an index into `items`, which counts from the program's end. */
struct emitter {
	struct arena *arena;
	struct instruction *items; /* the last instruction first */
	size_t count, capacity;
	struct emitted_clauses *leaves;
	size_t leaf_count, leaf_capacity;
};

/* What a filter may load: the offsets of struct seccomp_data. */
enum { EMIT_NUMBER = 0, EMIT_ARCH = 4, EMIT_ARGUMENTS = 16 };

/* Each returns the label of what it wrote, or of an equal instruction within reach. */
size_t emit_return(struct emitter *emitter, uint32_t value);
size_t emit_test(struct emitter *emitter, enum tree_test test, uint32_t constant, size_t yes, size_t no);
size_t emit_load(struct emitter *emitter, uint32_t offset, size_t next);
size_t emit_and(struct emitter *emitter, uint32_t mask, size_t next);
size_t emit_tree(struct emitter *emitter, const struct tree_node *node);

/*
 * emit_clauses.c: tests of arguments, which end in returns and never go back to the tree: the number is lost
 * with the first load of an argument. Equal clauses (by pointer) are written once.
 */
size_t emit_clauses(struct emitter *emitter, const struct clauses *clauses);

/* The program in its own order, in the arena; `emitter->count` instructions. */
const struct instruction *emit_program(const struct emitter *emitter);

#endif
