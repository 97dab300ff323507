#include "backends/filter/proof.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "backends/filter/interpret.h"
#include "backends/filter/oracle.h"
#include "backends/filter/proof_points.h"
#include "compiler/base/arena.h"

enum { DENSE = ORACLE_ANSWERS }; /* more than any table holds, but for arm's private numbers */
enum { X32_NUMBERS = 0x40000000 };
enum { CODE_TEST_BITS = 0x45, CODE_CLASS = 0x07, CLASS_JUMP = 0x05 };

struct proof {
	struct arena *arena;
	const struct oracle *oracle;
	struct oracle_answers answers; /* to the token that is being tried */
	const struct policy *policy;
	const struct instruction *code;
	size_t length;
	struct interpret_input input; /* its arch is the token that is being tried */
	size_t worst;      /* of all that ran under it */
	const char *wrong; /* the first mismatch */
};

/* linux/seccomp.h, written down once more: the generator has its own. */
static uint32_t value_of(struct action action)
{
	switch (action.kind) {
	case ACTION_ALLOW:
		return 0x7fff0000;
	case ACTION_LOG:
		return 0x7ffc0000;
	case ACTION_ERRNO:
		return 0x00050000u + action.errno_value;
	case ACTION_KILL:
		return 0x80000000;
	}
	assert(false); /* a fifth action */
	return 0;
}

static const char *arguments_text(struct arena *arena, const uint64_t *arguments)
{
	const char *text = "";
	for (size_t i = 0; i < 6; i++)
		text = arena_printf(arena, "%s%s%#" PRIx64, text, i ? ", " : "", arguments[i]);
	return text;
}

/* What the program answers; the first mismatch is kept, and after it nothing runs: one is enough. */
static struct interpret_result try_call(struct proof *proof, const struct interpret_input *input,
					struct action action, bool conditional)
{
	uint32_t arch = input->arch, number = input->number;
	struct interpret_result got = interpret_run(proof->code, input);
	uint32_t want = value_of(action);
	if (got.executed > proof->worst)
		proof->worst = got.executed;
	if (got.value != want)
		proof->wrong = arena_printf(
			proof->arena, "number %#x%s%s%s under token %#x gets %#x, and the policy says %#x",
			number, conditional ? " (" : "",
			conditional ? arguments_text(proof->arena, input->arguments) : "", conditional ? ")" : "",
			arch, got.value, want);
	else if (want == value_of((struct action){ .kind = ACTION_ALLOW }) && !got.cacheable && !conditional)
		proof->wrong =
			arena_printf(proof->arena, "the kernel cannot cache number %#x under token %#x",
				     number, arch);
	return got;
}

/* One number with many arguments: how many of them are allowed, how many logged, how many refused. */
struct argument_trial {
	struct proof *proof;
	struct interpret_input input;
	size_t allowed, logged, refused;
};

static void try_arguments(const uint64_t *arguments, void *context)
{
	struct argument_trial *trial = context;
	if (trial->proof->wrong)
		return;
	memcpy(trial->input.arguments, arguments, sizeof trial->input.arguments);
	struct action action =
		oracle_action(trial->proof->oracle, trial->input.arch, trial->input.number, arguments);
	uint32_t value = try_call(trial->proof, &trial->input, action, true).value;
	bool allowed = value == value_of((struct action){ .kind = ACTION_ALLOW });
	bool logged = value == value_of((struct action){ .kind = ACTION_LOG });
	trial->allowed += allowed;
	trial->logged += logged;
	trial->refused += !allowed && !logged;
}

static struct argument_trial try_conditional(struct proof *proof, uint32_t number,
					     const struct syscall_entry *call, enum abi abi)
{
	struct argument_trial trial = { .proof = proof, .input = proof->input };
	trial.input.number = number;
	proof_points(proof->arena, proof->policy, call, abi, try_arguments, &trial);
	return trial;
}

static void token_set(struct proof *proof, uint32_t arch)
{
	proof->input.arch = arch;
	proof->answers = oracle_answers(proof->oracle, arch);
}

/* NULL where the oracle has none ready. */
static const struct oracle_answer *answer_find(const struct proof *proof, uint32_t number)
{
	const struct oracle_answer *answers = number < X32_NUMBERS ? proof->answers.low : proof->answers.x32;
	uint32_t place = number & ~(uint32_t)X32_NUMBERS;
	return answers && place < DENSE ? &answers[place] : NULL;
}

/* What the policy says, with the noise for arguments. False where these count. */
static bool number_decides(const struct proof *proof, uint32_t number, struct action *action)
{
	const struct oracle_answer *answer = answer_find(proof, number);
	const struct interpret_input *input = &proof->input;
	enum abi abi;
	if (answer && !answer->conditional) {
		*action = (struct action){ (enum action_kind)answer->kind, answer->errno_value };
		return true;
	}
	if (proof->answers.foreign) {
		*action = proof->answers.of_foreign;
		return true;
	}
	*action = oracle_action(proof->oracle, input->arch, number, input->arguments);
	return !oracle_conditional(proof->oracle, input->arch, number, &abi);
}

/* Instructions executed. */
static size_t try_number(struct proof *proof, uint32_t number)
{
	struct action action;
	if (proof->wrong)
		return 0;
	proof->input.number = number;
	bool decides = number_decides(proof, number, &action);
	return try_call(proof, &proof->input, action, !decides).executed;
}

/* Beside the sweep of try_numbers(), which tries all numbers that an answer is ready for. */
static void try_beyond(struct proof *proof, uint32_t number)
{
	if (!answer_find(proof, number))
		try_number(proof, number);
}

static void try_neighbours(struct proof *proof, uint32_t number)
{
	try_beyond(proof, number - 1);
	try_beyond(proof, number);
	try_beyond(proof, number + 1);
}

/* The shape of the number space: powers of two, the x32 and the sign bit, the ends. */
static void try_edges(struct proof *proof)
{
	for (unsigned bit = 0; bit < 32; bit++) {
		try_neighbours(proof, 1u << bit);
		try_beyond(proof, ~(1u << bit));
	}
	try_neighbours(proof, 0);
	try_neighbours(proof, 0xc0000000);
}

static bool is_jump(const struct instruction *item)
{
	return (item->code & CODE_CLASS) == CLASS_JUMP;
}

/* With and without the bits that a test asks for, beside each constant: where a wrong mask shows. */
static void try_mask(struct proof *proof, uint32_t mask)
{
	for (unsigned bit = 0; bit < 32; bit++)
		try_beyond(proof, mask ^ 1u << bit);
	for (size_t i = 0; i < proof->length; i++) {
		uint32_t constant = proof->code[i].constant;
		if (!is_jump(&proof->code[i]))
			continue;
		try_beyond(proof, constant & ~mask);
		try_beyond(proof, constant & mask);
		try_beyond(proof, constant | mask);
		try_beyond(proof, constant | ~mask);
	}
}

/*
 * Where the program changes its mind, under whatever token: sections share code. Bit tests do so at
 * numbers that stand in no instruction.
 */
static void try_constants(struct proof *proof)
{
	for (size_t i = 0; i < proof->length; i++) {
		if (is_jump(&proof->code[i]))
			try_neighbours(proof, proof->code[i].constant);
		if (proof->code[i].code == CODE_TEST_BITS)
			try_mask(proof, proof->code[i].constant);
	}
}

/* All numbers that tables hold or could hold, but for the calls that measure_abi() runs. */
static void try_numbers(struct proof *proof, enum abi abi)
{
	uint32_t base = abi_facts(abi)->base;
	bool measured = policy_names_abi(proof->policy, abi);
	for (int32_t number = 0; number < DENSE; number++)
		if (!measured || !abi_call_numbered(abi, number))
			try_number(proof, base + (uint32_t)number);
	for (size_t i = abi_call_count(abi); i-- > 0 && abi_call(abi, i)->numbers[abi] >= DENSE;)
		try_neighbours(proof, base + (uint32_t)abi_call(abi, i)->numbers[abi]);
}

static bool token_is_named(const struct policy *policy, uint32_t arch)
{
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && abi_facts((enum abi)abi)->token == arch)
			return true;
	return false;
}

static void try_foreign(struct proof *proof, uint32_t arch)
{
	if (token_is_named(proof->policy, arch))
		return;
	token_set(proof, arch);
	try_neighbours(proof, 0);
	try_neighbours(proof, 59);
	try_neighbours(proof, 0x40000000);
}

static struct proof proof_begin(struct arena *arena, const struct policy *policy,
				const struct instruction *code, size_t length)
{
	return (struct proof){
		.arena = arena,
		.oracle = oracle_new(arena, policy),
		.policy = policy,
		.code = code,
		.length = length,
		/* Addresses and arguments with bits all over: a filter on numbers must not see them. */
		.input = { .instruction_pointer = 0x7fff5a5aa5a50102,
			   .arguments = { 0xffffffff00000001, 2, 0x8000000000000000, 0x12345678, UINT64_MAX,
					  0 } },
	};
}

/* A jump to the wrong place lets tests of numbers judge a token. */
static void try_foreign_constants(struct proof *proof)
{
	for (size_t i = 0; i < proof->length; i++)
		for (uint32_t near = 0; near < 3 && is_jump(&proof->code[i]); near++)
			try_foreign(proof, proof->code[i].constant - 1 + near);
}

/* Tokens that the policy does not name: of other ABIs, one bit away from any ABI's, and none at all. */
static void try_foreign_tokens(struct proof *proof)
{
	for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
		uint32_t token = abi_facts((enum abi)abi)->token;
		try_foreign(proof, token);
		for (unsigned bit = 0; policy_names_abi(proof->policy, abi) && bit < 32; bit++)
			try_foreign(proof, token ^ 1u << bit);
		if (policy_names_abi(proof->policy, abi)) {
			try_foreign(proof, token - 1);
			try_foreign(proof, token + 1);
		}
	}
	try_foreign(proof, 0);
	try_foreign(proof, UINT32_MAX);
	try_foreign_constants(proof);
}

/* The same calls once more, those that are called most. */
static void measure_hot(struct proof *proof, struct filter_abi *counts)
{
	const struct seccomp *seccomp = &proof->policy->seccomp;
	uint64_t executed = 0;
	counts->hot = 0;
	for (size_t i = 0; i < seccomp->hot_count; i++) {
		int32_t number = seccomp->hot[i]->numbers[counts->abi];
		if (number < 0)
			continue;
		executed += try_number(proof, (uint32_t)number + abi_facts(counts->abi)->base);
		counts->hot++;
	}
	counts->hot_mean = counts->hot ? (double)executed / (double)counts->hot : 0;
}

static void count_action(struct filter_abi *counts, struct action action)
{
	counts->refused += action.kind != ACTION_ALLOW && action.kind != ACTION_LOG;
	counts->logged += action.kind == ACTION_LOG;
}

static void count_conditional(struct proof *proof, struct filter_abi *counts, uint32_t number,
			      const struct syscall_entry *call)
{
	struct argument_trial trial = try_conditional(proof, number, call, counts->abi);
	bool passes = trial.allowed || trial.logged;
	counts->refused += trial.refused && !passes;
	counts->split += trial.refused && passes;
	counts->logged += trial.logged && !trial.allowed && !trial.refused;
	counts->logged_split += trial.logged && (trial.allowed || trial.refused);
}

/* Runs the ABI's calls, named as it is, and counts. */
static void measure_abi(struct proof *proof, struct filter_abi *counts)
{
	const struct abi_facts *facts = abi_facts(counts->abi);
	uint64_t executed = 0;
	counts->known = abi_call_count(counts->abi);
	for (size_t i = 0; i < counts->known; i++) {
		uint32_t number = (uint32_t)abi_call(counts->abi, i)->numbers[counts->abi] + facts->base;
		struct action action;
		executed += try_number(proof, number);
		if (number_decides(proof, number, &action))
			count_action(counts, action);
		else
			count_conditional(proof, counts, number, abi_call(counts->abi, i));
	}
	counts->mean = (double)executed / (double)counts->known;
	measure_hot(proof, counts);
}

/* The numbers of each ABI with the token, named or not: x32's are refused with x86_64's token. */
static void prove_section(struct proof *proof, struct filter_section *section)
{
	token_set(proof, abi_facts(section->abis[0].abi)->token);
	proof->worst = 0;
	for (size_t i = 0; i < section->abi_count; i++)
		measure_abi(proof, &section->abis[i]);
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (abi_facts((enum abi)abi)->token == proof->input.arch)
			try_numbers(proof, (enum abi)abi);
	try_edges(proof);
	try_constants(proof);
	section->worst = proof->worst;
}

const char *proof_refute(struct arena *arena, const struct policy *policy, const struct instruction *code,
			 size_t length, struct filter_section *sections, size_t section_count)
{
	size_t where;
	const char *refused = interpret_check(code, length, &where);
	if (refused)
		return arena_printf(arena, "the kernel would not take instruction %zu: %s", where, refused);
	struct proof proof = proof_begin(arena, policy, code, length);
	for (size_t i = 0; i < section_count; i++)
		prove_section(&proof, &sections[i]);
	try_foreign_tokens(&proof);
	return proof.wrong;
}
