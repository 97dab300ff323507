/*
 * Whether two programs give every call one verdict: decided for all 2^32 numbers, all tokens and all of
 * whatever else they load, by trying one value of each class that no instruction tells apart. For the tests
 * of the proof, which tries chosen values: it shares nothing with it but the interpreter.
 *
 * The classes of a word of the input: comparisons cut its values into intervals; an interval falls into
 * aligned blocks, in each of which the upper bits are fixed and the lower free; and free bits that are in the
 * same masks are one, since a bit test asks only whether any of them is set. So one value for each set of
 * such groups stands for all values of the block.
 *
 * Programs of loads, jumps and returns of a constant; the index register is zero in them.
 */
#ifndef ALLOWC_TESTS_UNIT_SAME_VERDICTS_H
#define ALLOWC_TESTS_UNIT_SAME_VERDICTS_H

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "backends/filter/instruction.h"
#include "backends/filter/interpret.h"
#include "compiler/base/arena.h"

enum { SAME_WORDS = 16, SAME_GROUPS = 12, SAME_LENGTH = 4096 };

/* A list of values in an arena. */
struct same_list {
	uint32_t *items;
	size_t count, capacity;
};

/* What the programs ask of one word of the input. */
struct same_word {
	struct same_list edges; /* where intervals begin */
	struct same_list masks;
	struct same_list values; /* one of each class */
};

struct same_program {
	const struct instruction *code;
	size_t length;
};

static inline void same_add(struct arena *arena, struct same_list *list, uint32_t value)
{
	list->items = arena_grow(arena, list->items, list->count, &list->capacity, sizeof *list->items);
	list->items[list->count++] = value;
}

static inline int same_by_value(const void *a, const void *b)
{
	const uint32_t *first = a, *second = b;
	return (*first > *second) - (*first < *second);
}

static inline void same_sort(struct same_list *list)
{
	size_t kept = 0;
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, same_by_value);
	for (size_t i = 0; i < list->count; i++)
		if (i == 0 || list->items[i] != list->items[kept - 1])
			list->items[kept++] = list->items[i];
	list->count = kept;
}

/* A comparison of a word: the values from which on its answer is another. */
static inline void same_add_test(struct arena *arena, struct same_word *word, const struct instruction *item)
{
	uint32_t constant = item->code & 0x08 ? 0 : item->constant;
	switch (item->code & 0xf0) {
	case 0x10: /* == */
		same_add(arena, &word->edges, constant);
		same_add(arena, &word->edges, constant + 1);
		break;
	case 0x20: /* > */
		same_add(arena, &word->edges, constant + 1);
		break;
	case 0x30: /* >= */
		same_add(arena, &word->edges, constant);
		break;
	default: /* & */
		same_add(arena, &word->masks, constant);
	}
}

/* Sets which words the accumulator may hold at each instruction, and collects the tests of each. */
static inline void same_collect(struct arena *arena, const struct same_program *program,
				struct same_word *words)
{
	uint16_t *holds = arena_array(arena, program->length + 1, sizeof *holds);
	for (size_t i = 0; i < program->length; i++) {
		const struct instruction *item = &program->code[i];
		if (item->code == 0x06)
			continue;
		if (item->code == 0x20) {
			holds[i + 1] |= (uint16_t)(1u << item->constant / 4);
			continue;
		}
		assert((item->code & 0x07) == 0x05);
		if (item->code == 0x05) {
			holds[i + 1 + item->constant] |= holds[i];
			continue;
		}
		for (unsigned word = 0; word < SAME_WORDS; word++)
			if (holds[i] >> word & 1)
				same_add_test(arena, &words[word], item);
		holds[i + 1 + item->jump_true] |= holds[i];
		holds[i + 1 + item->jump_false] |= holds[i];
	}
}

/* Free bits by the masks that hold them: one bit for each distinct set of masks. */
static inline size_t same_groups(const struct same_word *word, uint32_t free_bits, uint32_t *bits)
{
	uint64_t signatures[SAME_GROUPS];
	size_t count = 0;
	assert(word->masks.count <= 64);
	for (unsigned bit = 0; bit < 32; bit++) {
		uint64_t signature = 0;
		size_t known = 0;
		for (size_t i = 0; i < word->masks.count; i++)
			if (free_bits & word->masks.items[i] & 1u << bit)
				signature |= (uint64_t)1 << i;
		while (known < count && signatures[known] != signature)
			known++;
		if (!signature || known < count)
			continue;
		assert(count < SAME_GROUPS);
		signatures[count] = signature;
		bits[count++] = 1u << bit;
	}
	return count;
}

static inline void same_add_block(struct arena *arena, struct same_word *word, uint32_t first,
				  uint32_t free_bits)
{
	uint32_t bits[SAME_GROUPS];
	size_t count = same_groups(word, free_bits, bits);
	for (unsigned set = 0; set < 1u << count; set++) {
		uint32_t value = first;
		for (size_t i = 0; i < count; i++)
			value |= set >> i & 1 ? bits[i] : 0;
		same_add(arena, &word->values, value);
	}
}

/* [first, last] in aligned blocks, each as large as can be. */
static inline void same_add_interval(struct arena *arena, struct same_word *word, uint32_t first,
				     uint32_t last)
{
	uint64_t at = first;
	if (!word->masks.count) {
		same_add(arena, &word->values, first);
		return;
	}
	while (at <= last) {
		uint64_t size = 1;
		while (size < (uint64_t)1 << 32 && at % (2 * size) == 0 && at + 2 * size - 1 <= last)
			size *= 2;
		same_add_block(arena, word, (uint32_t)at, (uint32_t)(size - 1));
		at += size;
	}
}

static inline void same_classes(struct arena *arena, struct same_word *word)
{
	same_add(arena, &word->edges, 0);
	same_sort(&word->edges);
	same_sort(&word->masks);
	for (size_t i = 0; i < word->edges.count; i++) {
		uint32_t after = i + 1 < word->edges.count ? word->edges.items[i + 1] : 0;
		same_add_interval(arena, word, word->edges.items[i], after - 1);
	}
}

/* Which half of 64 bits a word is, the token says, which is set before. */
static inline void same_set_word(struct interpret_input *input, unsigned word, uint32_t value)
{
	uint64_t *wide = word < 4 ? &input->instruction_pointer : &input->arguments[word / 2 - 2];
	bool little_endian = input->arch >> 30 & 1, high = (word % 2 != 0) == little_endian;
	if (word == 0)
		input->number = value;
	else if (word == 1)
		input->arch = value;
	else
		*wide = high ? (*wide & UINT32_MAX) | (uint64_t)value << 32
				 : (*wide & ~(uint64_t)UINT32_MAX) | value;
}

/* All combinations of the words from `word` on; true where no verdict differs. `input` is what differed. */
static inline bool same_try(const struct same_program *a, const struct same_program *b,
			    const struct same_word *words, unsigned word, struct interpret_input *input)
{
	if (word == SAME_WORDS)
		return interpret_run(a->code, input).value == interpret_run(b->code, input).value;
	for (size_t i = 0; i < words[word].values.count; i++) {
		same_set_word(input, word, words[word].values.items[i]);
		if (!same_try(a, b, words, word + 1, input))
			return false;
	}
	return true;
}

/* Both are programs that interpret_check() takes. Where they differ, `input` is a call that tells. */
static inline bool same_verdicts(const struct same_program *a, const struct same_program *b,
				 struct interpret_input *input)
{
	struct arena *arena = arena_new();
	struct same_word words[SAME_WORDS] = { { .edges = { .items = NULL } } };
	same_collect(arena, a, words);
	same_collect(arena, b, words);
	for (unsigned word = 0; word < SAME_WORDS; word++)
		same_classes(arena, &words[word]);
	*input = (struct interpret_input){ .number = 0 };
	bool same = same_try(a, b, words, 0, input);
	arena_free(arena);
	return same;
}

#endif
