/*
 * Any program and any input, the input first: a program that is taken runs to its end, and takes the same way
 * for every number and token that the run says it does.
 */
#include <string.h>

#include "backends/filter/interpret.h"
#include "tests/fuzz/input.h"

enum { LENGTH_MAX = 4097 };

static void same_way(const struct instruction *code, struct interpret_input input, uint32_t number,
		     uint32_t token, const struct interpret_result *wanted)
{
	/* A token of the other byte order gives the words of the input another order. */
	if ((token ^ input.arch) >> 30 & 1)
		return;
	input.number = number;
	input.arch = token;
	struct interpret_result result = interpret_run(code, &input);
	REQUIRE_OR(result.value == wanted->value, "number %#x, token %#x", number, token);
	REQUIRE_OR(result.executed == wanted->executed, "number %#x, token %#x", number, token);
}

static void spans_check(const struct instruction *code, const struct interpret_input *input,
			const struct interpret_result *result)
{
	struct interpret_span numbers = result->numbers, tokens = result->tokens;
	REQUIRE(numbers.first <= input->number && input->number <= numbers.last);
	REQUIRE(tokens.first <= input->arch && input->arch <= tokens.last);
	const uint32_t some_numbers[] = { numbers.first, numbers.last,
					  numbers.first + (numbers.last - numbers.first) / 3 };
	const uint32_t some_tokens[] = { tokens.first, tokens.last,
					 tokens.first + (tokens.last - tokens.first) / 3 };
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			same_way(code, *input, some_numbers[i], some_tokens[j], result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct instruction code[LENGTH_MAX];
	struct input left = input_of(data, size);
	struct interpret_input input;
	input_take(&left, &input, sizeof input);
	size_t length = left.size / sizeof *code, where = 0;
	if (length > LENGTH_MAX)
		return 0;
	input_take(&left, code, length * sizeof *code);
	const char *why = interpret_check(code, length, &where);
	if (why) {
		REQUIRE_OR(where <= length, "%s", why);
		return 0;
	}
	struct interpret_result result = interpret_run(code, &input);
	REQUIRE(result.executed >= 1 && result.executed <= length);
	spans_check(code, &input, &result);
	return 0;
}
