#include "backends/filter/emit.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "compiler/base/arena.h"

/* linux/bpf_common.h, written out so that allowc builds on any system. */
enum {
	CODE_LOAD = 0x20,          /* BPF_LD | BPF_W | BPF_ABS */
	CODE_JUMP = 0x05,          /* BPF_JMP | BPF_JA */
	CODE_JUMP_EQUAL = 0x15,    /* BPF_JMP | BPF_JEQ | BPF_K */
	CODE_JUMP_AT_LEAST = 0x35, /* BPF_JMP | BPF_JGE | BPF_K */
	CODE_JUMP_BITS = 0x45,     /* BPF_JMP | BPF_JSET | BPF_K */
	CODE_RETURN = 0x06,        /* BPF_RET | BPF_K */
	CODE_AND = 0x54,           /* BPF_ALU | BPF_AND | BPF_K */
};

enum { REACH = UINT8_MAX };

static uint16_t test_code(enum tree_test test)
{
	switch (test) {
	case TEST_GE:
		return CODE_JUMP_AT_LEAST;
	case TEST_EQ:
		return CODE_JUMP_EQUAL;
	case TEST_SET:
		return CODE_JUMP_BITS;
	case TEST_NONE:
		break;
	}
	assert(false); /* a leaf has no test */
	return 0;
}

static size_t append(struct emitter *emitter, struct instruction instruction)
{
	emitter->items = arena_grow(emitter->arena, emitter->items, emitter->count, &emitter->capacity,
				    sizeof *emitter->items);
	emitter->items[emitter->count] = instruction;
	return emitter->count++;
}

/* How far the next instruction would have to jump. */
static size_t distance(const struct emitter *emitter, size_t label)
{
	return emitter->count - 1 - label;
}

size_t emit_return(struct emitter *emitter, uint32_t value)
{
	for (size_t i = emitter->count; i-- > 0 && distance(emitter, i) <= REACH;)
		if (emitter->items[i].code == CODE_RETURN && emitter->items[i].constant == value)
			return i;
	return append(emitter, (struct instruction){ .code = CODE_RETURN, .constant = value });
}

static size_t emit_jump(struct emitter *emitter, size_t label)
{
	uint32_t constant = (uint32_t)distance(emitter, label);
	return append(emitter, (struct instruction){ .code = CODE_JUMP, .constant = constant });
}

/* The label, or one within reach that does the same. */
static size_t bring_near(struct emitter *emitter, size_t label)
{
	if (distance(emitter, label) <= REACH)
		return label;
	const struct instruction *target = &emitter->items[label];
	if (target->code == CODE_RETURN)
		return emit_return(emitter, target->constant);
	return emit_jump(emitter, label);
}

static bool find_test(const struct emitter *emitter, uint16_t code, uint32_t constant, size_t yes, size_t no,
		      size_t *found)
{
	for (size_t i = emitter->count; i-- > 0 && distance(emitter, i) <= REACH;) {
		const struct instruction *item = &emitter->items[i];
		if (item->code != code || item->constant != constant)
			continue;
		*found = i;
		if (yes < i && no < i && item->jump_true == i - 1 - yes && item->jump_false == i - 1 - no)
			return true;
	}
	return false;
}

size_t emit_test(struct emitter *emitter, enum tree_test test, uint32_t constant, size_t yes, size_t no)
{
	uint16_t code = test_code(test);
	size_t found;
	if (find_test(emitter, code, constant, yes, no, &found))
		return found;
	/* What brings one near moves the other away, by one place. */
	while (distance(emitter, yes) > REACH || distance(emitter, no) > REACH) {
		yes = bring_near(emitter, yes);
		no = bring_near(emitter, no);
	}
	return append(emitter, (struct instruction){ .code = code,
						     .jump_true = (uint8_t)distance(emitter, yes),
						     .jump_false = (uint8_t)distance(emitter, no),
						     .constant = constant });
}

/*
 * A test once more, as long as a jump to it and one step shorter; a jump where its targets are too far. It
 * asks the accumulator what the first one asks, and who leads there has in it what that one expects.
 */
static size_t emit_again(struct emitter *emitter, size_t label)
{
	struct instruction copy = emitter->items[label];
	bool is_test = copy.code == CODE_JUMP_EQUAL || copy.code == CODE_JUMP_AT_LEAST ||
		       copy.code == CODE_JUMP_BITS;
	size_t yes = distance(emitter, label - 1 - copy.jump_true);
	size_t no = distance(emitter, label - 1 - copy.jump_false);
	if (!is_test || yes > REACH || no > REACH)
		return emit_jump(emitter, label);
	copy.jump_true = (uint8_t)yes;
	copy.jump_false = (uint8_t)no;
	return append(emitter, copy);
}

/* It falls through, so what follows must be the instruction written last. */
static size_t emit_step(struct emitter *emitter, uint16_t code, uint32_t constant, size_t next)
{
	if (next != emitter->count - 1) {
		const struct instruction *target = &emitter->items[next];
		if (target->code == CODE_RETURN)
			append(emitter, *target);
		else
			emit_again(emitter, next);
	}
	return append(emitter, (struct instruction){ .code = code, .constant = constant });
}

size_t emit_load(struct emitter *emitter, uint32_t offset, size_t next)
{
	return emit_step(emitter, CODE_LOAD, offset, next);
}

size_t emit_and(struct emitter *emitter, uint32_t mask, size_t next)
{
	return emit_step(emitter, CODE_AND, mask, next);
}

size_t emit_tree(struct emitter *emitter, const struct tree_node *node)
{
	if (node->test == TEST_NONE && node->clauses)
		return emit_clauses(emitter, node->clauses);
	if (node->test == TEST_NONE)
		return emit_return(emitter, filter_return_value(node->action));
	/* The larger side first: only the smaller then stands between it and the jump. */
	size_t yes, no;
	if (node->yes->size > node->no->size) {
		yes = emit_tree(emitter, node->yes);
		no = emit_tree(emitter, node->no);
	} else {
		no = emit_tree(emitter, node->no);
		yes = emit_tree(emitter, node->yes);
	}
	return emit_test(emitter, node->test, node->constant, yes, no);
}

const struct instruction *emit_program(const struct emitter *emitter)
{
	struct instruction *program = arena_array(emitter->arena, emitter->count, sizeof *program);
	for (size_t i = 0; i < emitter->count; i++)
		program[i] = emitter->items[emitter->count - 1 - i];
	return program;
}
