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
enum { EDGES_MAX = 64, RUNS_MAX = 1 << 20 };

/* Numbers for which the program goes one way. */
struct piece {
	uint32_t last;
	uint32_t executed;
};

struct proof {
	struct arena *arena;
	const struct oracle *oracle;
	const struct policy *policy;
	const struct instruction *code;
	struct interpret_input input; /* its arch is the token that is being tried */
	/* Of this token: */
	struct oracle_answers answers;
	uint32_t edges[EDGES_MAX]; /* beside which the policy can change its mind where no answer is ready */
	size_t edge_count;
	struct piece *pieces; /* ascending, covering 0..0xffffffff */
	size_t piece_count, piece_capacity;
	size_t worst;
	size_t runs;       /* under all tokens */
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

/* The first mismatch is kept, and after it nothing runs: one is enough. */
static void result_check(struct proof *proof, const struct interpret_input *input,
			 const struct interpret_result *got, struct action action, bool conditional)
{
	uint32_t arch = input->arch, number = input->number, want = value_of(action);
	if (got->value != want)
		proof->wrong = arena_printf(
			proof->arena, "number %#x%s%s%s under token %#x gets %#x, and the policy says %#x",
			number, conditional ? " (" : "",
			conditional ? arguments_text(proof->arena, input->arguments) : "",
			conditional ? ")" : "", arch, got->value, want);
	else if (want == value_of((struct action){ .kind = ACTION_ALLOW }) && !got->cacheable && !conditional)
		proof->wrong = arena_printf(
			proof->arena, "the kernel cannot cache number %#x under token %#x", number, arch);
}

static struct interpret_result program_run(struct proof *proof, const struct interpret_input *input)
{
	struct interpret_result got = interpret_run(proof->code, input);
	if (got.executed > proof->worst)
		proof->worst = got.executed;
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
	struct interpret_result got = program_run(trial->proof, &trial->input);
	result_check(trial->proof, &trial->input, &got, action, true);
	bool allowed = got.value == value_of((struct action){ .kind = ACTION_ALLOW });
	bool logged = got.value == value_of((struct action){ .kind = ACTION_LOG });
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

static void edge_add(struct proof *proof, uint32_t number)
{
	assert(proof->edge_count < EDGES_MAX);
	proof->edges[proof->edge_count++] = number;
}

/* The calls of an ABI beyond those that answers are ready for, and the number after each. */
static void edges_of_abi(struct proof *proof, enum abi abi)
{
	for (size_t i = abi_call_count(abi); i-- > 0 && abi_call(abi, i)->numbers[abi] >= DENSE;) {
		uint32_t number = abi_facts(abi)->base + (uint32_t)abi_call(abi, i)->numbers[abi];
		edge_add(proof, number);
		edge_add(proof, number + 1);
	}
}

static void token_set(struct proof *proof, uint32_t arch)
{
	proof->input.arch = arch;
	proof->answers = oracle_answers(proof->oracle, arch);
	proof->piece_count = proof->edge_count = 0;
	edge_add(proof, DENSE);
	edge_add(proof, X32_NUMBERS);
	edge_add(proof, X32_NUMBERS + DENSE);
	edge_add(proof, 0x80000000);
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (abi_facts((enum abi)abi)->token == arch)
			edges_of_abi(proof, (enum abi)abi);
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

/* What the program does with numbers that go the same way, held against what the policy says of one of them.
 */
static void number_check(struct proof *proof, uint32_t number, const struct interpret_result *got)
{
	struct action action;
	struct interpret_input input = proof->input;
	if (proof->wrong)
		return;
	input.number = number;
	bool decides = number_decides(proof, number, &action);
	result_check(proof, &input, got, action, !decides);
}

static bool answers_equal(const struct oracle_answer *a, const struct oracle_answer *b)
{
	return a->kind == b->kind && a->errno_value == b->errno_value && !a->conditional && !b->conditional;
}

/* Those of a span that answers are ready for, from `base` on; one that equals the one before needs no look.
 */
static void answers_check(struct proof *proof, const struct oracle_answer *answers, uint32_t base,
			  struct interpret_span span, const struct interpret_result *got)
{
	uint32_t first = span.first > base ? span.first - base : 0;
	if (!answers || span.last < base)
		return;
	for (uint32_t place = first; place < DENSE && place <= span.last - base; place++)
		if (place == first || !answers_equal(&answers[place], &answers[place - 1]))
			number_check(proof, base + place, got);
}

/* The ends of the span, and what the policy can change its mind beside. */
static void edges_check(struct proof *proof, struct interpret_span span, const struct interpret_result *got)
{
	number_check(proof, span.first, got);
	number_check(proof, span.last, got);
	for (size_t i = 0; i < proof->edge_count; i++) {
		uint32_t edge = proof->edges[i];
		if (span.first < edge && edge <= span.last) {
			number_check(proof, edge - 1, got);
			number_check(proof, edge, got);
		}
	}
}

static void piece_add(struct proof *proof, const struct interpret_result *got)
{
	proof->pieces = arena_grow(proof->arena, proof->pieces, proof->piece_count, &proof->piece_capacity,
				   sizeof *proof->pieces);
	proof->pieces[proof->piece_count++] = (struct piece){ got->numbers.last, (uint32_t)got->executed };
}

/* All numbers under a token, one run for those that go the same way. The last token for which that holds too.
 */
static uint32_t prove_token(struct proof *proof, uint32_t token)
{
	struct interpret_span span = { .last = UINT32_MAX };
	uint32_t last_token = UINT32_MAX;
	token_set(proof, token);
	do {
		span.first = span.last + 1;
		proof->input.number = span.first;
		struct interpret_result got = program_run(proof, &proof->input);
		span.last = got.numbers.last;
		piece_add(proof, &got);
		answers_check(proof, proof->answers.low, 0, span, &got);
		answers_check(proof, proof->answers.x32, X32_NUMBERS, span, &got);
		edges_check(proof, span, &got);
		if (got.tokens.last < last_token)
			last_token = got.tokens.last;
		if (++proof->runs == RUNS_MAX && !proof->wrong)
			proof->wrong = arena_printf(
				proof->arena,
				"the proof gives up after %d runs, at number %#x under token %#x", RUNS_MAX,
				span.first, token);
	} while (span.last != UINT32_MAX && !proof->wrong);
	return last_token;
}

static size_t executed_for(const struct proof *proof, uint32_t number)
{
	size_t low = 0, high = proof->piece_count - 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (proof->pieces[middle].last < number)
			low = middle + 1;
		else
			high = middle;
	}
	return proof->pieces[low].executed;
}

static bool token_is_named(const struct policy *policy, uint32_t arch)
{
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && abi_facts((enum abi)abi)->token == arch)
			return true;
	return false;
}

static struct proof proof_begin(struct arena *arena, const struct policy *policy,
				const struct instruction *code)
{
	return (struct proof){
		.arena = arena,
		.oracle = oracle_new(arena, policy),
		.policy = policy,
		.code = code,
		/* Addresses and arguments with bits all over: a filter on numbers must not see them. */
		.input = { .instruction_pointer = 0x7fff5a5aa5a50102,
			   .arguments = { 0xffffffff00000001, 2, 0x8000000000000000, 0x12345678, UINT64_MAX,
					  0 } },
	};
}

/* From a token that the policy does not name, the last that lies before the next one that it does. */
static uint32_t last_unnamed(const struct policy *policy, uint32_t from)
{
	uint32_t last = UINT32_MAX;
	for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
		uint32_t token = abi_facts((enum abi)abi)->token;
		if (policy_names_abi(policy, abi) && from < token && token <= last)
			last = token - 1;
	}
	return last;
}

/* All tokens that the policy does not name, one try for those with which the program goes the same ways. */
static void prove_foreign_tokens(struct proof *proof)
{
	uint32_t token = 0, last;
	do {
		last = token;
		if (!token_is_named(proof->policy, token)) {
			uint32_t same = prove_token(proof, token);
			last = last_unnamed(proof->policy, token);
			last = same < last ? same : last;
		}
		token = last + 1;
	} while (last != UINT32_MAX && !proof->wrong);
}

/* The calls that are called most. */
static void measure_hot(const struct proof *proof, struct filter_abi *counts)
{
	const struct seccomp *seccomp = &proof->policy->seccomp;
	uint64_t executed = 0;
	counts->hot = 0;
	for (size_t i = 0; i < seccomp->hot_count; i++) {
		int32_t number = seccomp->hot[i]->numbers[counts->abi];
		if (number < 0)
			continue;
		executed += executed_for(proof, (uint32_t)number + abi_facts(counts->abi)->base);
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

/* Counts what the calls of an ABI get, and how long that takes. Those that arguments decide run with many. */
static void measure_abi(struct proof *proof, struct filter_abi *counts)
{
	const struct abi_facts *facts = abi_facts(counts->abi);
	uint64_t executed = 0;
	counts->known = abi_call_count(counts->abi);
	for (size_t i = 0; i < counts->known; i++) {
		uint32_t number = (uint32_t)abi_call(counts->abi, i)->numbers[counts->abi] + facts->base;
		struct action action;
		executed += executed_for(proof, number);
		if (number_decides(proof, number, &action))
			count_action(counts, action);
		else
			count_conditional(proof, counts, number, abi_call(counts->abi, i));
	}
	counts->mean = (double)executed / (double)counts->known;
	measure_hot(proof, counts);
}

static void prove_section(struct proof *proof, struct filter_section *section)
{
	proof->worst = 0;
	prove_token(proof, abi_facts(section->abis[0].abi)->token);
	for (size_t i = 0; i < section->abi_count && !proof->wrong; i++)
		measure_abi(proof, &section->abis[i]);
	section->worst = proof->worst;
}

const char *proof_refute(struct arena *arena, const struct policy *policy, const struct instruction *code,
			 size_t length, struct filter_section *sections, size_t section_count)
{
	size_t where;
	const char *refused = interpret_check(code, length, &where);
	if (refused)
		return arena_printf(arena, "the kernel would not take instruction %zu: %s", where, refused);
	struct proof proof = proof_begin(arena, policy, code);
	for (size_t i = 0; i < section_count && !proof.wrong; i++)
		prove_section(&proof, &sections[i]);
	if (!proof.wrong)
		prove_foreign_tokens(&proof);
	return proof.wrong;
}
