/*
 * The expected results are the kernel's rules, read in kernel/seccomp.c and net/core/filter.c; opcodes are
 * written as numbers, so that no table of ours stands between.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/filter/interpret.h"

#define LENGTH(code) (sizeof(code) / sizeof *(code))
#define ALLOW 0x7fff0000u

static struct interpret_result run(const struct instruction *code, uint32_t number)
{
	const struct interpret_input input = {
		.number = number,
		.arch = 0xc000003e,
		.instruction_pointer = 0x1122334455667788,
		.arguments = { 0x0123456789abcdef, 0, 0, 0, 0, 0xfedcba9876543210 },
	};
	return interpret_run(code, &input);
}

static void assert_refused(const struct instruction *code, size_t length, const char *message, size_t place)
{
	size_t where;
	const char *refused = interpret_check(code, length, &where);
	assert_non_null(refused);
	assert_string_equal(refused, message);
	assert_int_equal(where, place);
}

static void assert_taken(const struct instruction *code, size_t length)
{
	size_t where;
	assert_null(interpret_check(code, length, &where));
}

static void branches_go_both_ways(void **state)
{
	(void)state;
	const struct instruction code[] = {
		{ 0x20, 0, 0, 0 },  /* ld nr */
		{ 0x15, 5, 0, 7 },  /* jeq 7 */
		{ 0x25, 0, 3, 10 }, /* jgt 10 */
		{ 0x35, 0, 2, 20 }, /* jge 20 */
		{ 0x45, 0, 1, 4 },  /* jset 4 */
		{ 0x06, 0, 0, 1 },  { 0x06, 0, 0, 2 }, { 0x06, 0, 0, 3 },
	};
	assert_taken(code, LENGTH(code));
	assert_int_equal(run(code, 7).value, 3);
	assert_int_equal(run(code, 7).executed, 3);
	assert_int_equal(run(code, 10).value, 2);
	assert_int_equal(run(code, 11).value, 2);
	assert_int_equal(run(code, 20).value, 1); /* 20 is 0b10100 */
	assert_int_equal(run(code, 20).executed, 6);
	assert_int_equal(run(code, 24).value, 2); /* 0b11000 */
	assert_int_equal(run(code, 0xffffffff).value, 1);
}

static void jumps_skip(void **state)
{
	(void)state;
	const struct instruction code[] = { { 0x05, 9, 9, 1 }, { 0x06, 0, 0, 1 }, { 0x06, 0, 0, 2 } };
	assert_taken(code, LENGTH(code));
	assert_int_equal(run(code, 0).value, 2);
	assert_int_equal(run(code, 0).executed, 2);
}

static uint32_t loaded(uint32_t offset)
{
	const struct instruction code[] = { { 0x20, 0, 0, offset }, { 0x16, 0, 0, 0 } };
	assert_taken(code, LENGTH(code));
	return run(code, 77).value;
}

/* s390x's token lacks the bit of little-endian machines. The first two words are not halves of anything. */
static void loads_see_the_machine_of_the_token(void **state)
{
	(void)state;
	const struct interpret_input input = { .number = 77,
					       .arch = 0x80000016,
					       .instruction_pointer = 0x1122334455667788,
					       .arguments = { [5] = 0xfedcba9876543210 } };
	const uint32_t words[][2] = { { 0, 77 },          { 4, 0x80000016 },  { 8, 0x11223344 },
				      { 12, 0x55667788 }, { 56, 0xfedcba98 }, { 60, 0x76543210 } };
	for (size_t i = 0; i < LENGTH(words); i++) {
		const struct instruction code[] = { { 0x20, 0, 0, words[i][0] }, { 0x16, 0, 0, 0 } };
		assert_int_equal(interpret_run(code, &input).value, words[i][1]);
	}
}

static void loads_see_a_little_endian_machine(void **state)
{
	(void)state;
	assert_int_equal(loaded(0), 77);
	assert_int_equal(loaded(4), 0xc000003e);
	assert_int_equal(loaded(8), 0x55667788);
	assert_int_equal(loaded(12), 0x11223344);
	assert_int_equal(loaded(16), 0x89abcdef);
	assert_int_equal(loaded(20), 0x01234567);
	assert_int_equal(loaded(56), 0x76543210);
	assert_int_equal(loaded(60), 0xfedcba98);
}

/* A = 12 `op` 5, the operand a constant or in X. */
static uint32_t computed(uint16_t code)
{
	const struct instruction program[] = {
		{ 0x00, 0, 0, 12 },
		{ 0x01, 0, 0, 5 },
		{ code, 0, 0, 5 },
		{ 0x16, 0, 0, 0 },
	};
	assert_taken(program, LENGTH(program));
	return run(program, 0).value;
}

static void arithmetic_is_of_32_bits(void **state)
{
	(void)state;
	static const struct {
		uint16_t code;
		uint32_t value;
	} cases[] = {
		{ 0x04, 17 }, { 0x14, 7 },   { 0x24, 60 }, { 0x34, 2 }, { 0x44, 13 },
		{ 0x54, 4 },  { 0x64, 384 }, { 0x74, 0 },  { 0xa4, 9 },
	};
	for (size_t i = 0; i < LENGTH(cases); i++) {
		assert_int_equal(computed(cases[i].code), cases[i].value);
		assert_int_equal(computed(cases[i].code | 0x08), cases[i].value);
	}
	assert_int_equal(computed(0x84), 0xfffffff4);
}

static void memory_and_the_index_register_hold(void **state)
{
	(void)state;
	const struct instruction code[] = {
		{ 0x00, 0, 0, 40 }, { 0x02, 0, 0, 15 }, { 0x07, 0, 0, 0 }, { 0x03, 0, 0, 0 },
		{ 0x80, 0, 0, 0 },  { 0x60, 0, 0, 15 }, { 0x61, 0, 0, 0 }, { 0x0c, 0, 0, 0 },
		{ 0x87, 0, 0, 0 },  { 0x81, 0, 0, 0 },  { 0x0c, 0, 0, 0 }, { 0x16, 0, 0, 0 },
	};
	assert_taken(code, LENGTH(code));
	assert_int_equal(run(code, 0).value, 40 + 64);
}

static void division_by_an_empty_register_ends_with_0(void **state)
{
	(void)state;
	const struct instruction code[] = { { 0x00, 0, 0, 8 }, { 0x3c, 0, 0, 0 }, { 0x06, 0, 0, ALLOW } };
	assert_taken(code, LENGTH(code));
	assert_int_equal(run(code, 0).value, 0);
}

static void what_the_kernel_refuses(void **state)
{
	(void)state;
	const struct instruction ret = { 0x06, 0, 0, ALLOW };
	static const struct {
		struct instruction first;
		const char *message;
	} cases[] = {
		{ { 0x30, 0, 0, 0 }, "an instruction that seccomp does not permit" },  /* ld byte */
		{ { 0x40, 0, 0, 0 }, "an instruction that seccomp does not permit" },  /* ld [x+k] */
		{ { 0x94, 0, 0, 2 }, "an instruction that seccomp does not permit" },  /* mod */
		{ { 0x8c, 0, 0, 0 }, "an instruction that seccomp does not permit" },  /* neg of x */
		{ { 0x0d, 0, 0, 0 }, "an instruction that seccomp does not permit" },  /* ja x */
		{ { 0x0e, 0, 0, 0 }, "an instruction that seccomp does not permit" },  /* ret x */
		{ { 0x115, 0, 0, 0 }, "an instruction that seccomp does not permit" }, /* above a byte */
		{ { 0x20, 0, 0, 2 }, "a load that is not aligned" },
		{ { 0x20, 0, 0, 64 }, "a load outside the input" },
		{ { 0x34, 0, 0, 0 }, "a division by zero" },
		{ { 0x64, 0, 0, 32 }, "a shift by 32 or more" },
		{ { 0x74, 0, 0, 99 }, "a shift by 32 or more" },
		{ { 0x02, 0, 0, 16 }, "a memory word that does not exist" },
		{ { 0x60, 0, 0, 0 }, "a load of memory that nothing wrote" },
		{ { 0x05, 0, 0, 1 }, "a jump outside the program" },
		{ { 0x05, 0, 0, 0xffffffff }, "a jump outside the program" },
		{ { 0x15, 1, 0, 0 }, "a jump outside the program" },
		{ { 0x15, 0, 1, 0 }, "a jump outside the program" },
	};
	for (size_t i = 0; i < LENGTH(cases); i++) {
		const struct instruction code[] = { cases[i].first, ret };
		assert_refused(code, 2, cases[i].message, 0);
	}
}

static void a_program_ends_with_a_return_and_has_a_length(void **state)
{
	(void)state;
	static struct instruction code[4097];
	for (size_t i = 0; i < LENGTH(code); i++)
		code[i] = (struct instruction){ 0x20, 0, 0, 0 };
	assert_refused(code, 0, "a program of no or too many instructions", 0);
	assert_refused(code, 1, "a program that does not end with a return", 0);
	code[4095] = code[4096] = (struct instruction){ 0x06, 0, 0, ALLOW };
	assert_taken(code, 4096);
	assert_refused(code, 4097, "a program of no or too many instructions", 0);
}

static void memory_is_written_on_every_way(void **state)
{
	(void)state;
	struct instruction code[] = {
		{ 0x20, 0, 0, 0 }, { 0x15, 0, 1, 7 }, { 0x02, 0, 0, 3 }, { 0x60, 0, 0, 3 }, { 0x16, 0, 0, 0 },
	};
	assert_refused(code, LENGTH(code), "a load of memory that nothing wrote", 3);
	code[1].jump_false = 0;
	assert_taken(code, LENGTH(code));
}

/* seccomp_is_const_allow(): what makes the kernel skip the filter altogether. */
static void the_cache_takes_constant_allows(void **state)
{
	(void)state;
	const struct instruction plain[] = {
		{ 0x20, 0, 0, 4 }, { 0x20, 0, 0, 0 },     { 0x54, 0, 0, 0xff },
		{ 0x15, 0, 1, 1 }, { 0x06, 0, 0, ALLOW }, { 0x06, 0, 0, 0x50001 },
	};
	assert_true(run(plain, 1).cacheable);
	assert_false(run(plain, 2).cacheable);
	const struct instruction argument[] = { { 0x20, 0, 0, 16 }, { 0x06, 0, 0, ALLOW } };
	assert_false(run(argument, 1).cacheable);
	const struct instruction index[] = { { 0x20, 0, 0, 0 }, { 0x07, 0, 0, 0 }, { 0x06, 0, 0, ALLOW } };
	assert_false(run(index, 1).cacheable);
	const struct instruction or [] = { { 0x20, 0, 0, 0 }, { 0x44, 0, 0, 1 }, { 0x06, 0, 0, ALLOW } };
	assert_false(run(or, 1).cacheable);
	const struct instruction returned[] = { { 0x00, 0, 0, ALLOW }, { 0x16, 0, 0, 0 } };
	assert_false(run(returned, 1).cacheable);
}

/* ---- spans ---- */

static void assert_span(struct interpret_span span, uint32_t first, uint32_t last)
{
	assert_int_equal(span.first, first);
	assert_int_equal(span.last, last);
}

static void spans_end_where_the_program_changes_its_mind(void **state)
{
	(void)state;
	const struct instruction code[] = {
		{ 0x20, 0, 0, 4 },  { 0x15, 0, 7, 0xc000003e }, /* the token */
		{ 0x20, 0, 0, 0 },  { 0x35, 0, 4, 10 },         /* jge 10 */
		{ 0x25, 2, 0, 20 }, { 0x15, 2, 0, 15 },         /* jgt 20, jeq 15 */
		{ 0x06, 0, 0, 1 },  { 0x45, 0, 1, 0x70 },       /* jset 0x70 */
		{ 0x06, 0, 0, 2 },  { 0x06, 0, 0, 3 },
	};
	assert_taken(code, LENGTH(code));
	assert_span(run(code, 3).numbers, 0, 9);
	assert_span(run(code, 10).numbers, 10, 14);
	assert_span(run(code, 15).numbers, 15, 15);
	assert_span(run(code, 18).numbers, 16, 20);
	assert_span(run(code, 21).numbers, 21, 0x7f);
	assert_span(run(code, 0x8a).numbers, 0x80, 0x8f);
	assert_span(run(code, 0x9a).numbers, 0x90, 0xff);
	assert_span(run(code, 21).tokens, 0xc000003e, 0xc000003e);
	const struct interpret_input foreign = { .number = 3, .arch = 0xc000003f };
	assert_span(interpret_run(code, &foreign).numbers, 0, UINT32_MAX);
	assert_span(interpret_run(code, &foreign).tokens, 0xc000003f, UINT32_MAX);
}

static void bits_of_a_mask_end_a_span(void **state)
{
	(void)state;
	const struct instruction code[] = {
		{ 0x20, 0, 0, 0 }, { 0x45, 0, 1, 0xbffffffe }, { 0x06, 0, 0, 1 }, { 0x06, 0, 0, 2 }
	};
	assert_span(run(code, 0).numbers, 0, 1);
	assert_span(run(code, 2).numbers, 2, 0x3fffffff);
	assert_span(run(code, 0x40000000).numbers, 0x40000000, 0x40000001);
	assert_span(run(code, 0x7fffffff).numbers, 0x40000002, UINT32_MAX);
	assert_span(run(code, 0x80000000).numbers, 0x40000002, UINT32_MAX);
}

/* The halves of an argument change places with the byte order. */
static void a_load_of_an_argument_looks_at_the_token(void **state)
{
	(void)state;
	const struct instruction code[] = {
		{ 0x20, 0, 0, 16 }, { 0x15, 0, 1, 0 }, { 0x06, 0, 0, 1 }, { 0x06, 0, 0, 2 }
	};
	assert_span(run(code, 0).numbers, 0, UINT32_MAX);
	assert_span(run(code, 0).tokens, 0xc0000000, UINT32_MAX);
}

static void what_is_worked_with_has_one_value(void **state)
{
	(void)state;
	/* tax, st, or 0, jeq x, ret a; and what is masked has one in each block */
	const struct instruction works[] = {
		{ 0x07, 0, 0, 0 }, { 0x02, 0, 0, 0 }, { 0x44, 0, 0, 0 }, { 0x1d, 0, 0, 0 }
	};
	for (size_t i = 0; i < LENGTH(works); i++) {
		const struct instruction code[] = { { 0x20, 0, 0, 0 }, works[i], { 0x06, 0, 0, 1 } };
		assert_span(run(code, 7).numbers, 7, 7);
	}
	const struct instruction returned[] = { { 0x20, 0, 0, 0 }, { 0x16, 0, 0, 0 } };
	assert_span(run(returned, 7).numbers, 7, 7);
	const struct instruction masked[] = { { 0x20, 0, 0, 0 }, { 0x54, 0, 0, 0x10 }, { 0x16, 0, 0, 0 } };
	assert_span(run(masked, 7).numbers, 0, 15);
	assert_span(run(masked, 0x35).numbers, 0x30, 0x3f);
}

enum { RANDOM_LENGTH = 12, RANDOM_PROGRAMS = 20000, RANDOM_POINTS = 8 };

static uint32_t random_next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 32);
}

/* Small ones and those near a power of two, so that comparisons meet. */
static uint32_t random_constant(uint64_t *seed)
{
	uint32_t near = 1u << random_next(seed) % 32;
	return random_next(seed) % 3 == 0 ? near + random_next(seed) % 3 - 1 : random_next(seed) % 16;
}

static void random_program(struct instruction *code, uint64_t *seed)
{
	static const uint16_t codes[] = { 0x20, 0x20, 0x15, 0x25, 0x35, 0x45, 0x54, 0x05, 0x07,
					  0x87, 0x02, 0x03, 0x60, 0x61, 0x00, 0x01, 0x04, 0x0c,
					  0x34, 0x3c, 0x44, 0x64, 0x84, 0xa4, 0x1d, 0x2d, 0x3d,
					  0x4d, 0x06, 0x16, 0x15, 0x35, 0x25, 0x45, 0x80, 0x81 };
	for (uint32_t i = 0; i < RANDOM_LENGTH; i++) {
		uint32_t after = RANDOM_LENGTH - i - 1;
		code[i] = (struct instruction){ codes[random_next(seed) % LENGTH(codes)],
						(uint8_t)(random_next(seed) % (after + 1)),
						(uint8_t)(random_next(seed) % (after + 1)),
						random_constant(seed) };
		if (code[i].code == 0x20)
			code[i].constant = code[i].constant % 6 * 4;
		if (code[i].code == 0x05)
			code[i].constant %= after + 1;
	}
	code[RANDOM_LENGTH - 1] = (struct instruction){ 0x06, 0, 0, ALLOW };
}

static uint32_t within(struct interpret_span span, uint64_t *seed)
{
	uint32_t kind = random_next(seed) % 4, size = span.last - span.first;
	if (kind == 0)
		return span.first;
	if (kind == 1)
		return span.last;
	return span.first + (size == UINT32_MAX ? random_next(seed) : random_next(seed) % (size + 1));
}

static void all_of_a_span_goes_the_same_way(void **state)
{
	(void)state;
	uint64_t seed = 1;
	size_t programs = 0, wide = 0;
	for (size_t i = 0; i < RANDOM_PROGRAMS; i++) {
		struct instruction code[RANDOM_LENGTH];
		size_t where;
		random_program(code, &seed);
		if (interpret_check(code, RANDOM_LENGTH, &where))
			continue;
		programs++;
		struct interpret_input input = {
			random_constant(&seed), random_constant(&seed), 5, { 3, 1u << 30 }
		};
		const struct interpret_result first = interpret_run(code, &input);
		assert_true(first.numbers.first <= input.number && input.number <= first.numbers.last);
		assert_true(first.tokens.first <= input.arch && input.arch <= first.tokens.last);
		wide += first.numbers.last - first.numbers.first > 15;
		for (size_t point = 0; point < RANDOM_POINTS; point++) {
			input.number = within(first.numbers, &seed);
			input.arch = within(first.tokens, &seed);
			struct interpret_result other = interpret_run(code, &input);
			assert_int_equal(other.value, first.value);
			assert_int_equal(other.executed, first.executed);
			assert_int_equal(other.cacheable, first.cacheable);
		}
	}
	assert_true(programs > 1000 && wide > programs / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_go_both_ways),
		cmocka_unit_test(jumps_skip),
		cmocka_unit_test(loads_see_a_little_endian_machine),
		cmocka_unit_test(loads_see_the_machine_of_the_token),
		cmocka_unit_test(arithmetic_is_of_32_bits),
		cmocka_unit_test(memory_and_the_index_register_hold),
		cmocka_unit_test(division_by_an_empty_register_ends_with_0),
		cmocka_unit_test(what_the_kernel_refuses),
		cmocka_unit_test(a_program_ends_with_a_return_and_has_a_length),
		cmocka_unit_test(memory_is_written_on_every_way),
		cmocka_unit_test(the_cache_takes_constant_allows),
		cmocka_unit_test(spans_end_where_the_program_changes_its_mind),
		cmocka_unit_test(bits_of_a_mask_end_a_span),
		cmocka_unit_test(a_load_of_an_argument_looks_at_the_token),
		cmocka_unit_test(what_is_worked_with_has_one_value),
		cmocka_unit_test(all_of_a_span_goes_the_same_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
