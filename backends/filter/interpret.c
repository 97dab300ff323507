#include "backends/filter/interpret.h"

/* The parts of an opcode (linux/bpf_common.h, linux/filter.h). */
enum {
	LD_W_ABS = 0x20,
	LD_W_LEN = 0x80,
	LDX_W_LEN = 0x81,
	LD_IMM = 0x00,
	LDX_IMM = 0x01,
	LD_MEM = 0x60,
	LDX_MEM = 0x61,
	ST = 0x02,
	STX = 0x03,
	TAX = 0x07,
	TXA = 0x87,
	RET_K = 0x06,
	RET_A = 0x16,
	ADD = 0x04,
	SUB = 0x14,
	MUL = 0x24,
	DIV = 0x34,
	OR = 0x44,
	AND = 0x54,
	LSH = 0x64,
	RSH = 0x74,
	NEG = 0x84,
	XOR = 0xa4,
	JA = 0x05,
	JEQ = 0x15,
	JGT = 0x25,
	JGE = 0x35,
	JSET = 0x45,
	WITH_X = 0x08, /* the operand is the index register */
};

enum { INPUT_SIZE = 64, PROGRAM_LIMIT = 4096, MEMORY_WORDS = 16 };
enum { OFFSET_NUMBER = 0, OFFSET_ARCH = 4 };
#define VALUE_ALLOW 0x7fff0000u

static bool is_arithmetic(unsigned code)
{
	switch (code & ~(unsigned)WITH_X) {
	case ADD:
	case SUB:
	case MUL:
	case DIV:
	case OR:
	case AND:
	case LSH:
	case RSH:
	case XOR:
		return true;
	}
	return code == NEG;
}

static bool is_branch(unsigned code)
{
	switch (code & ~(unsigned)WITH_X) {
	case JEQ:
	case JGT:
	case JGE:
	case JSET:
		return true;
	}
	return false;
}

/* seccomp_check_filter(): what seccomp lets through of classic BPF. */
static bool is_permitted(unsigned code)
{
	switch (code) {
	case LD_W_ABS:
	case LD_W_LEN:
	case LDX_W_LEN:
	case LD_IMM:
	case LDX_IMM:
	case LD_MEM:
	case LDX_MEM:
	case ST:
	case STX:
	case TAX:
	case TXA:
	case RET_K:
	case RET_A:
	case JA:
		return true;
	}
	return is_arithmetic(code) || is_branch(code);
}

static bool uses_memory(unsigned code)
{
	return code == LD_MEM || code == LDX_MEM || code == ST || code == STX;
}

static const char *check_operand(const struct instruction *item)
{
	uint32_t constant = item->constant;
	if (item->code == LD_W_ABS && constant % 4 != 0)
		return "a load that is not aligned";
	if (item->code == LD_W_ABS && constant >= INPUT_SIZE)
		return "a load outside the input";
	if (item->code == DIV && constant == 0)
		return "a division by zero";
	if ((item->code == LSH || item->code == RSH) && constant >= 32)
		return "a shift by 32 or more";
	if (uses_memory(item->code) && constant >= MEMORY_WORDS)
		return "a memory word that does not exist";
	return NULL;
}

static const char *check_jump(const struct instruction *item, size_t after)
{
	if (item->code == JA)
		return item->constant < after ? NULL : "a jump outside the program";
	if (is_branch(item->code))
		return item->jump_true < after && item->jump_false < after ? NULL
									   : "a jump outside the program";
	return NULL;
}

/* check_load_and_stores(): a memory word is written on every way to a load of it. */
static const char *check_memory(const struct instruction *code, size_t length, size_t *where)
{
	uint16_t unwritten[PROGRAM_LIMIT] = { 0 }; /* on some way to each instruction */
	unwritten[0] = UINT16_MAX;
	for (size_t i = 0; i < length; i++) {
		const struct instruction *item = &code[i];
		unsigned state = unwritten[i];
		*where = i;
		if (item->code == ST || item->code == STX)
			state &= ~(1u << item->constant);
		if ((item->code == LD_MEM || item->code == LDX_MEM) && state >> item->constant & 1)
			return "a load of memory that nothing wrote";
		if (item->code == RET_K || item->code == RET_A)
			continue;
		if (is_branch(item->code)) {
			unwritten[i + 1 + item->jump_true] |= (uint16_t)state;
			unwritten[i + 1 + item->jump_false] |= (uint16_t)state;
		} else {
			unwritten[i + 1 + (item->code == JA ? item->constant : 0)] |= (uint16_t)state;
		}
	}
	return NULL;
}

const char *interpret_check(const struct instruction *code, size_t length, size_t *where)
{
	*where = 0;
	if (length == 0 || length > PROGRAM_LIMIT)
		return "a program of no or too many instructions";
	for (size_t i = 0; i < length; i++) {
		*where = i;
		if (!is_permitted(code[i].code))
			return "an instruction that seccomp does not permit";
		const char *wrong = check_operand(&code[i]);
		if (!wrong)
			wrong = check_jump(&code[i], length - i - 1);
		if (wrong)
			return wrong;
	}
	if (code[length - 1].code != RET_K && code[length - 1].code != RET_A)
		return "a program that does not end with a return";
	return check_memory(code, length, where);
}

/* __AUDIT_ARCH_LE of linux/audit.h: the byte order of the machine that makes calls with this token. */
#define TOKEN_LITTLE_ENDIAN 0x40000000u

/* A word of struct seccomp_data. Halves of what is 64 bits wide stand there in the order of the machine. */
static uint32_t load(const struct interpret_input *input, uint32_t offset)
{
	if (offset == OFFSET_NUMBER)
		return input->number;
	if (offset == OFFSET_ARCH)
		return input->arch;
	uint64_t wide = offset < 16 ? input->instruction_pointer : input->arguments[(offset - 16) / 8];
	bool second = offset % 8 == 4, little_endian = (input->arch & TOKEN_LITTLE_ENDIAN) != 0;
	return (uint32_t)(second == little_endian ? wide >> 32 : wide);
}

/* `divided_by_zero` is set for a division by an index register of zero, which ends the program with 0. */
static uint32_t arithmetic(unsigned code, uint32_t a, uint32_t operand, bool *divided_by_zero)
{
	if (code == NEG)
		return 0u - a;
	switch (code & ~(unsigned)WITH_X) {
	case ADD:
		return a + operand;
	case SUB:
		return a - operand;
	case MUL:
		return a * operand;
	case DIV:
		*divided_by_zero = operand == 0;
		return operand ? a / operand : 0;
	case OR:
		return a | operand;
	case AND:
		return a & operand;
	case LSH:
		return a << (operand & 31);
	case RSH:
		return a >> (operand & 31);
	default:
		return a ^ operand;
	}
}

/*
 * `word` is the span of what the accumulator holds unchanged, of the number or of the token. NULL where
 * it has the same value in the whole of both.
 */
struct machine {
	uint32_t a, x, memory[MEMORY_WORDS];
	struct interpret_span *word;
};

static void span_from(struct interpret_span *span, uint32_t first)
{
	if (span && span->first < first)
		span->first = first;
}

static void span_to(struct interpret_span *span, uint32_t last)
{
	if (span && span->last > last)
		span->last = last;
}

/* To values that have the bits of a mask as `value` has them: what lies below the lowest of these is free. */
static void span_keep_bits(struct interpret_span *span, uint32_t value, uint32_t mask)
{
	uint32_t below = (mask & (0u - mask)) - 1; /* all bits where the mask has none */
	span_from(span, value & ~below);
	span_to(span, value | below);
}

/* The accumulator is to be worked with: from here on it has one value. */
static void accumulator_fix(struct machine *machine)
{
	span_from(machine->word, machine->a);
	span_to(machine->word, machine->a);
	machine->word = NULL;
}

static void accumulator_mask(struct machine *machine, uint32_t mask)
{
	span_keep_bits(machine->word, machine->a, mask);
	machine->word = NULL;
	machine->a &= mask;
}

static void load_word(struct machine *machine, uint32_t offset, const struct interpret_input *input,
		      struct interpret_result *result)
{
	machine->a = load(input, offset);
	machine->word = NULL;
	if (offset == OFFSET_NUMBER)
		machine->word = &result->numbers;
	else if (offset == OFFSET_ARCH)
		machine->word = &result->tokens;
	else
		span_keep_bits(&result->tokens, input->arch, TOKEN_LITTLE_ENDIAN);
}

static bool is_at_least(struct machine *machine, uint32_t constant)
{
	if (machine->a < constant) {
		span_to(machine->word, constant - 1);
		return false;
	}
	span_from(machine->word, constant);
	return true;
}

static bool is_equal(struct machine *machine, uint32_t constant)
{
	if (machine->a < constant)
		span_to(machine->word, constant - 1);
	else if (machine->a > constant)
		span_from(machine->word, constant + 1);
	else
		accumulator_fix(machine);
	return machine->a == constant;
}

static bool is_greater(struct machine *machine, uint32_t constant)
{
	if (machine->a <= constant) {
		span_to(machine->word, constant);
		return false;
	}
	span_from(machine->word, constant + 1);
	return true;
}

static uint32_t highest_bit(uint32_t value)
{
	uint32_t bit = 1;
	while (value >>= 1)
		bit <<= 1;
	return bit;
}

/*
 * A value that has bits of the mask lies between two that have none: the greatest below it keeps what
 * stands above the highest of these bits, and the least above it counts on from there, past the mask.
 */
static void span_keep_any_bit(struct interpret_span *span, uint32_t value, uint32_t mask)
{
	uint32_t highest = highest_bit(value & mask), from_highest = (highest << 1) - 1;
	uint32_t none_below = (value & ~from_highest) | ((highest - 1) & ~mask);
	uint32_t none_above = ((value | from_highest | mask) + 1) & ~mask; /* 0: there is none */
	span_from(span, none_below + 1);
	span_to(span, none_above - 1);
}

static bool has_bits(struct machine *machine, uint32_t mask)
{
	bool any = (machine->a & mask) != 0;
	if (any)
		span_keep_any_bit(machine->word, machine->a, mask);
	else
		span_keep_bits(machine->word, machine->a, mask);
	return any;
}

static bool compare_with_x(struct machine *machine, unsigned code)
{
	accumulator_fix(machine);
	switch (code & ~(unsigned)WITH_X) {
	case JEQ:
		return machine->a == machine->x;
	case JGT:
		return machine->a > machine->x;
	case JGE:
		return machine->a >= machine->x;
	default:
		return (machine->a & machine->x) != 0;
	}
}

static void accumulator_set(struct machine *machine, uint32_t value)
{
	machine->a = value;
	machine->word = NULL;
}

/* What the action cache cannot evaluate, but for jumps and loads of the input. False where the program ends
 * with 0. */
static bool step_uncacheable(struct machine *machine, const struct instruction *item)
{
	uint32_t constant = item->constant;
	bool divided_by_zero = false;
	switch (item->code) {
	case LD_W_LEN:
		accumulator_set(machine, INPUT_SIZE);
		break;
	case LDX_W_LEN:
		machine->x = INPUT_SIZE;
		break;
	case LD_IMM:
		accumulator_set(machine, constant);
		break;
	case LDX_IMM:
		machine->x = constant;
		break;
	case LD_MEM:
		accumulator_set(machine, machine->memory[constant]);
		break;
	case LDX_MEM:
		machine->x = machine->memory[constant];
		break;
	case ST:
		accumulator_fix(machine);
		machine->memory[constant] = machine->a;
		break;
	case STX:
		machine->memory[constant] = machine->x;
		break;
	case TAX:
		accumulator_fix(machine);
		machine->x = machine->a;
		break;
	case TXA:
		accumulator_set(machine, machine->x);
		break;
	default:
		accumulator_fix(machine);
		machine->a = arithmetic(item->code, machine->a, item->code & WITH_X ? machine->x : constant,
					&divided_by_zero);
	}
	return !divided_by_zero;
}

static struct interpret_result ended(struct interpret_result result, uint32_t value)
{
	result.value = value;
	result.cacheable = result.cacheable && value == VALUE_ALLOW;
	return result;
}

/*
 * The tests before the last `else` are for what seccomp_is_const_allow() knows, all that the kernel
 * evaluates when it fills its action cache; what is left makes the result one that it cannot cache. The
 * commonest are asked first.
 */
struct interpret_result interpret_run(const struct instruction *code, const struct interpret_input *input)
{
	struct machine machine;
	machine.a = machine.x = 0; /* and no load of memory comes before a store */
	machine.word = NULL;
	struct interpret_result result = {
		.cacheable = true,
		.numbers = { 0, UINT32_MAX },
		.tokens = { 0, UINT32_MAX },
	};
	for (const struct instruction *item = code;; item++) {
		const uint32_t constant = item->constant;
		const unsigned opcode = item->code;
		result.executed++;
		if (opcode == JGE) {
			item += is_at_least(&machine, constant) ? item->jump_true : item->jump_false;
		} else if (opcode == JEQ) {
			item += is_equal(&machine, constant) ? item->jump_true : item->jump_false;
		} else if (opcode == RET_K) {
			return ended(result, constant);
		} else if (opcode == LD_W_ABS) {
			load_word(&machine, constant, input, &result);
			result.cacheable &= constant == OFFSET_NUMBER || constant == OFFSET_ARCH;
		} else if (opcode == JSET) {
			item += has_bits(&machine, constant) ? item->jump_true : item->jump_false;
		} else if (opcode == JGT) {
			item += is_greater(&machine, constant) ? item->jump_true : item->jump_false;
		} else if (opcode == JA) {
			item += constant;
		} else if (opcode == AND) {
			accumulator_mask(&machine, constant);
		} else {
			result.cacheable = false;
			if (opcode == RET_A) {
				accumulator_fix(&machine);
				return ended(result, machine.a);
			}
			if (is_branch(opcode))
				item += compare_with_x(&machine, opcode) ? item->jump_true : item->jump_false;
			else if (!step_uncacheable(&machine, item))
				return ended(result, 0);
		}
	}
}
