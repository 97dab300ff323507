/* Conditions as they are written, made into what they mean on each ABI. */
#include <stdlib.h>
#include <string.h>

#include "compiler/data/arguments.h"
#include "compiler/data/constants.h"
#include "compiler/data/gates.h"
#include "compiler/policy/resolver.h"

struct condition_work {
	struct resolver *resolver;
	const struct syscall_entry *call;
	struct comparison *comparisons;
	size_t count, capacity;
	const char *text; /* so far */
};

/* ---- constants ---- */

/* A constant or some joined by '|': for each ABI; `negative` is extended to 64 bits. */
struct constant_value {
	uint64_t on[ABI_COUNT];
	bool negative;
};

static bool digits_read(const char *digits, int base, uint64_t *value)
{
	uint64_t result = 0;
	for (; *digits; digits++) {
		char c = *digits;
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : 99;
		if (digit >= base || __builtin_mul_overflow(result, (uint64_t)base, &result) ||
		    __builtin_add_overflow(result, (uint64_t)digit, &result))
			return false;
	}
	*value = result;
	return true;
}

/* 38, 0x26, 046, 0o46, 0b100110, and each after a '-'. */
static bool number_read(const char *text, struct constant_value *value)
{
	static const struct {
		const char *prefix;
		int base;
	} bases[] = { { "0x", 16 }, { "0X", 16 }, { "0b", 2 }, { "0B", 2 },
		      { "0o", 8 },  { "0O", 8 },  { "0", 8 } };
	bool negative = *text == '-';
	uint64_t number = 0;
	text += negative;
	int base = 10;
	for (size_t i = 0; base == 10 && i < sizeof bases / sizeof *bases; i++) {
		size_t size = strlen(bases[i].prefix);
		if (strncmp(text, bases[i].prefix, size) == 0 && text[size]) {
			base = bases[i].base;
			text += size;
		}
	}
	if (!*text || !digits_read(text, base, &number) || (negative && number > (uint64_t)INT64_MAX + 1))
		return false;
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		value->on[abi] = negative ? 0 - number : number;
	value->negative = negative && number;
	return true;
}

static bool name_read(const char *name, struct constant_value *value)
{
	for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
		int64_t number;
		if (!constant_find(name, (enum abi)abi, &number))
			return false;
		value->on[abi] = (uint64_t)number;
		value->negative = number < 0;
	}
	return true;
}

static bool starts_like_a_number(const char *text)
{
	return (*text >= '0' && *text <= '9') || *text == '-';
}

static bool word_read(const char *text, struct constant_value *value)
{
	return starts_like_a_number(text) ? number_read(text, value) : name_read(text, value);
}

static void report_constant(struct condition_work *work, const struct ast_word *word)
{
	struct diags *diags = resolver_diags(work->resolver);
	struct diagnostic *d;
	if (starts_like_a_number(word->text)) {
		d = diag_report(diags, DIAG_CONSTANT, word->span, "'%s' is no number of 64 bits", word->text);
		diag_help(d, "numbers are written 38, 0x26, 046, 0b100110 or -1");
		return;
	}
	d = diag_report(diags, DIAG_CONSTANT, word->span, "no constant is called '%s'", word->text);
	const char *near = d ? constant_nearest(word->text) : NULL;
	if (near)
		diag_help(d, "did you mean '%s'?", near);
	else if (argument_exists(work->call, word->text))
		diag_help(d, "arguments are compared with constants, not with each other");
	else
		diag_help(d, "write its value: 38, 0x26, 046 or 0b100110");
}

static void value_join(struct constant_value *value, const struct constant_value *more)
{
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		value->on[abi] |= more->on[abi];
	value->negative = value->negative || more->negative;
}

static bool report_form(struct condition_work *work, struct span place, const char *message, const char *help)
{
	diag_help(diag_report(resolver_diags(work->resolver), DIAG_CONDITION, place, "%s", message), "%s",
		  help);
	return false;
}

static bool value_bind(struct condition_work *work, const struct ast_expression *expression,
		       struct constant_value *value)
{
	if (expression->operator== AST_LEAF) {
		*value = (struct constant_value){ .negative = false };
		if (word_read(expression->word.text, value))
			return true;
		report_constant(work, &expression->word);
		return false;
	}
	if (expression->operator!= AST_JOIN)
		return report_form(work, expression->span, "a comparison where a constant is expected",
				   "write ARG == VALUE, ARG & MASK or (ARG & MASK) == VALUE, joined by '&&'");
	struct constant_value right;
	bool good = value_bind(work, expression->left, value);
	if (!value_bind(work, expression->right, &right) || !good)
		return false;
	value_join(value, &right);
	return true;
}

/* As it is written, without blanks around '|'. */
static const char *value_text(struct condition_work *work, const struct ast_expression *expression)
{
	if (expression->operator!= AST_JOIN)
		return expression->word.text;
	return arena_printf(work->resolver->compilation->arena, "%s|%s", value_text(work, expression->left),
			    value_text(work, expression->right));
}

/* ---- comparisons ---- */

/*
 * What an ABI's kernel reads of -100 as an int is 0xffffff9c. Of what no int can be, no other number is made.
 */
static uint64_t value_on(const struct constant_value *value, unsigned abi, unsigned bits)
{
	bool fits = ~value->on[abi] >> (bits - 1) == 0;
	return value->negative && fits ? value->on[abi] & (UINT64_MAX >> (64 - bits)) : value->on[abi];
}

static struct argument_test test_on(const struct syscall_entry *call, const char *argument, enum abi abi,
				    enum comparison_operator operator, const struct constant_value * mask,
				    const struct constant_value *value)
{
	if (call->numbers[abi] < 0)
		return (struct argument_test){ .index = -1, .bits = 64, .operator= operator};
	struct argument_place place = argument_place(call, argument, abi);
	uint64_t all = UINT64_MAX >> (64 - place.bits);
	return (struct argument_test){
		.index = place.index,
		.bits = place.bits,
		.operator= operator,
		.mask = mask ? mask->on[abi] & all : all,
		.value = value ? value_on(value, abi, place.bits) : 0,
	};
}

static void comparison_add(struct condition_work *work, const char *argument, struct span span,
			   enum comparison_operator operator, const struct constant_value * mask,
			   const struct constant_value *value)
{
	work->comparisons = arena_grow(work->resolver->compilation->arena, work->comparisons, work->count,
				       &work->capacity, sizeof *work->comparisons);
	struct comparison *comparison = &work->comparisons[work->count++];
	*comparison = (struct comparison){ .argument = argument, .span = span };
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		comparison->on[abi] = test_on(work->call, argument, (enum abi)abi, operator, mask, value);
}

static void text_add(struct condition_work *work, const char *comparison)
{
	work->text = work->text ? arena_printf(work->resolver->compilation->arena, "%s && %s", work->text,
					       comparison)
				: comparison;
}

static void report_argument(struct condition_work *work, const struct ast_word *word)
{
	struct arena *arena = work->resolver->compilation->arena;
	struct diagnostic *d = diag_report(resolver_diags(work->resolver), DIAG_ARGUMENT, word->span,
					   "%s has no argument '%s'", work->call->name, word->text);
	if (!d)
		return;
	const char *near = argument_nearest(arena, work->call, word->text);
	const char *names = argument_names(arena, work->call);
	if (near)
		diag_help(d, "did you mean '%s'?", near);
	else if (*names)
		diag_help(d, "its arguments are %s; arg0 to arg5 name any", names);
	else
		diag_help(d, "arg0 to arg5 name the registers that pass arguments");
}

static bool argument_bind(struct condition_work *work, const struct ast_expression *expression)
{
	if (expression->operator!= AST_LEAF)
		return report_form(work, expression->span, "what is compared is no argument",
				   "write ARG == VALUE, ARG & MASK or (ARG & MASK) == VALUE, joined by '&&'");
	if (argument_exists(work->call, expression->word.text))
		return true;
	report_argument(work, &expression->word);
	return false;
}

/* ARG & MASK */
static bool mask_bind(struct condition_work *work, const struct ast_expression *expression,
		      struct constant_value *mask)
{
	bool good = argument_bind(work, expression->left);
	return value_bind(work, expression->right, mask) && good;
}

static bool any_bind(struct condition_work *work, const struct ast_expression *expression)
{
	struct constant_value mask;
	if (!mask_bind(work, expression, &mask))
		return false;
	const char *argument = expression->left->word.text;
	comparison_add(work, argument, expression->span, COMPARISON_ANY, &mask, NULL);
	text_add(work, arena_printf(work->resolver->compilation->arena, "%s & %s", argument,
				    value_text(work, expression->right)));
	return true;
}

static enum comparison_operator operator_of(enum ast_operator operator)
{
	switch (operator) {
	case AST_EQ:
		return COMPARISON_EQ;
	case AST_NE:
		return COMPARISON_NE;
	case AST_LT:
		return COMPARISON_LT;
	case AST_LE:
		return COMPARISON_LE;
	case AST_GT:
		return COMPARISON_GT;
	default:
		return COMPARISON_GE;
	}
}

static bool masked_bind(struct condition_work *work, const struct ast_expression *expression)
{
	const struct ast_expression *left = expression->left;
	enum comparison_operator operator= operator_of(expression->operator);
	struct constant_value mask, value;
	if (operator!= COMPARISON_EQ && operator!= COMPARISON_NE)
		return report_form(
			work, expression->span, "masked bits are compared with == or != alone",
			"compare the whole argument, or write what bits it has: (ARG & MASK) == VALUE");
	bool good = mask_bind(work, left, &mask);
	if (!value_bind(work, expression->right, &value) || !good)
		return false;
	comparison_add(work, left->left->word.text, expression->span, operator, & mask, &value);
	text_add(work, arena_printf(work->resolver->compilation->arena, "(%s & %s) %s %s",
				    left->left->word.text, value_text(work, left->right),
				    comparison_sign(operator), value_text(work, expression->right)));
	return true;
}

static bool is_constant(const struct ast_expression *expression)
{
	struct constant_value value;
	return expression->operator== AST_LEAF && word_read(expression->word.text, &value);
}

static bool compared_bind(struct condition_work *work, const struct ast_expression *expression)
{
	const struct ast_expression *left = expression->left, *right = expression->right;
	if (left->operator== AST_MASK)
		return masked_bind(work, expression);
	if (is_constant(left) && !argument_exists(work->call, left->word.text))
		return report_form(work, expression->span,
				   "a constant stands before what it is compared with",
				   "the argument comes first: ARG == VALUE");
	struct constant_value value;
	bool good = argument_bind(work, left);
	if (!value_bind(work, right, &value) || !good)
		return false;
	enum comparison_operator operator= operator_of(expression->operator);
	comparison_add(work, left->word.text, expression->span, operator, NULL, &value);
	text_add(work, arena_printf(work->resolver->compilation->arena, "%s %s %s", left->word.text,
				    comparison_sign(operator), value_text(work, right)));
	return true;
}

/* The parser bounds the depth. */
static bool expression_bind(struct condition_work *work, const struct ast_expression *expression)
{
	switch (expression->operator) {
	case AST_BOTH: {
		bool good = expression_bind(work, expression->left);
		return expression_bind(work, expression->right) && good;
	}
	case AST_MASK:
		return any_bind(work, expression);
	case AST_LEAF:
	case AST_JOIN:
		return report_form(work, expression->span, "nothing is compared here",
				   "write ARG == VALUE, ARG & MASK or (ARG & MASK) == VALUE, joined by '&&'");
	default:
		return compared_bind(work, expression);
	}
}

static struct condition *condition_new(const struct condition_work *work, struct span span)
{
	struct condition *condition = arena_alloc(work->resolver->compilation->arena, sizeof *condition);
	*condition = (struct condition){ work->call, work->text, work->comparisons, work->count, span };
	return condition;
}

const struct condition *condition_bind(struct resolver *resolver, const struct syscall_entry *call,
				       const struct ast_expression *expression)
{
	struct condition_work work = { .resolver = resolver, .call = call };
	if (!expression_bind(&work, expression))
		return NULL;
	const struct condition *condition = condition_new(&work, expression->span);
	resolver->conditions =
		arena_grow(resolver->compilation->arena, resolver->conditions, resolver->condition_count,
			   &resolver->condition_capacity, sizeof *resolver->conditions);
	resolver->conditions[resolver->condition_count++] = condition;
	return condition;
}

/* ---- conditions of capabilities ---- */

/* "AF_INET", "CLONE_NEWNS|CLONE_NEWUTS", "0xf"; the table has nothing that is not found (tests/unit). */
static struct constant_value joined_value(struct arena *arena, const char *text)
{
	struct constant_value value = { .negative = false };
	for (size_t size; text && *text; text += size + (text[size] == '|')) {
		struct constant_value one = { .negative = false };
		size = strcspn(text, "|");
		word_read(arena_copy(arena, text, size), &one);
		value_join(&value, &one);
	}
	return value;
}

static enum comparison_operator sign_operator(const char *sign)
{
	unsigned operator= 0;
	while (strcmp(comparison_sign((enum comparison_operator) operator), sign) != 0)
		operator++;
	return (enum comparison_operator) operator;
}

const struct condition *gate_condition(struct resolver *resolver, const struct gate *gate)
{
	struct arena *arena = resolver->compilation->arena;
	struct condition_work work = { .resolver = resolver, .call = syscall_find(gate->call) };
	for (size_t i = 0; i < gate->count; i++) {
		const char *argument = gate->comparisons[i].argument, *sign = gate->comparisons[i].sign;
		const char *mask = gate->comparisons[i].mask, *value = gate->comparisons[i].value;
		struct constant_value mask_value = joined_value(arena, mask),
				      value_value = joined_value(arena, value);
		comparison_add(&work, argument, (struct span){ 0 }, sign_operator(sign),
			       mask ? &mask_value : NULL, value ? &value_value : NULL);
		if (mask && value)
			text_add(&work, arena_printf(arena, "(%s & %s) %s %s", argument, mask, sign, value));
		else
			text_add(&work, arena_printf(arena, "%s %s %s", argument, sign, mask ? mask : value));
	}
	return condition_new(&work, (struct span){ 0 });
}
