#include "backends/filter/proof.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "backends/filter/interpret.h"
#include "backends/filter/oracle.h"
#include "backends/filter/proof_points.h"
#include "compiler/base/arena.h"

enum { RUNS_MAX = 1 << 20 };

struct proof {
	struct arena *arena;
	const struct oracle *oracle;
	const struct policy *policy;
	const struct instruction *code;
	struct interpret_input input;   /* the number and the token that are being tried */
	struct filter_section *section; /* of this token; NULL where the policy does not name it */
	size_t worst;                   /* of all that ran under it */
	size_t runs;                    /* under all tokens */
	const char *wrong;              /* the first mismatch */
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
	if (proof->wrong)
		return;
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

static void count_conditional(struct proof *proof, struct filter_abi *counts,
			      const struct interpret_input *input, const struct syscall_entry *call)
{
	struct argument_trial trial = { .proof = proof, .input = *input };
	struct arena *scratch = arena_new();
	proof_points(scratch, proof->policy, call, counts->abi, try_arguments, &trial);
	arena_free(scratch);
	bool passes = trial.allowed || trial.logged;
	counts->refused += trial.refused && !passes;
	counts->split += trial.refused && passes;
	counts->logged += trial.logged && !trial.allowed && !trial.refused;
	counts->logged_split += trial.logged && (trial.allowed || trial.refused);
}

static void count_action(struct filter_abi *counts, struct action action)
{
	counts->refused += action.kind != ACTION_ALLOW && action.kind != ACTION_LOG;
	counts->logged += action.kind == ACTION_LOG;
}

static struct filter_abi *counts_of(struct filter_section *section, enum abi abi)
{
	for (size_t i = 0; i < section->abi_count; i++)
		if (section->abis[i].abi == abi)
			return &section->abis[i];
	assert(false); /* a section is of all named ABIs with its token */
	return NULL;
}

/* A call that arguments decide runs with many. `mean` is a sum until prove_section() divides it. */
static void call_count(struct proof *proof, const struct interpret_input *input, size_t executed,
		       const struct oracle_answer *answer)
{
	struct filter_abi *counts = counts_of(proof->section, answer->abi);
	counts->known++;
	counts->mean += (double)executed;
	if (answer->conditional)
		count_conditional(proof, counts, input, answer->call);
	else
		count_action(counts, answer->action);
}

/*
 * What the program does with numbers that go the same way, held against what the policy says of one of them.
 */
static void number_check(struct proof *proof, uint32_t number, const struct interpret_result *got)
{
	struct interpret_input *input = &proof->input;
	input->number = number;
	struct oracle_answer answer = oracle_answer(proof->oracle, input->arch, number, input->arguments);
	result_check(proof, input, got, answer.action, answer.conditional);
	if (answer.call && !proof->wrong)
		call_count(proof, input, got->executed, &answer);
}

static void run_count(struct proof *proof)
{
	if (++proof->runs == RUNS_MAX && !proof->wrong)
		proof->wrong = arena_printf(proof->arena,
					    "the proof gives up after %d runs, at number %#x under token %#x",
					    RUNS_MAX, proof->input.number, proof->input.arch);
}

/*
 * All numbers under a token, one run for those that go the same way: each is held against the policy at
 * its first number, and where the policy can change its mind. The last token for which that holds too.
 */
static uint32_t prove_token(struct proof *proof, uint32_t token)
{
	struct oracle_edges edges;
	size_t next = 0;
	uint32_t number = 0, last_number, last_token = UINT32_MAX;
	oracle_edges(proof->oracle, token, &edges);
	proof->input.arch = token;
	do {
		proof->input.number = number;
		struct interpret_result got = program_run(proof, &proof->input);
		run_count(proof);
		last_number = got.numbers.last;
		last_token = got.tokens.last < last_token ? got.tokens.last : last_token;
		if (next == edges.count || edges.items[next] != number)
			number_check(proof, number, &got);
		for (; next < edges.count && edges.items[next] <= last_number; next++)
			number_check(proof, edges.items[next], &got);
		number = last_number + 1;
	} while (last_number != UINT32_MAX && !proof->wrong);
	return last_token;
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
static void measure_hot(struct proof *proof, struct filter_abi *counts)
{
	const struct seccomp *seccomp = &proof->policy->seccomp;
	struct interpret_input input = proof->input;
	uint64_t executed = 0;
	counts->hot = 0;
	for (size_t i = 0; i < seccomp->hot_count; i++) {
		int32_t number = seccomp->hot[i]->numbers[counts->abi];
		if (number < 0)
			continue;
		input.number = (uint32_t)number + abi_facts(counts->abi)->base;
		executed += interpret_run(proof->code, &input).executed;
		counts->hot++;
	}
	counts->hot_mean = counts->hot ? (double)executed / (double)counts->hot : 0;
}

static void prove_section(struct proof *proof, struct filter_section *section)
{
	proof->section = section;
	proof->worst = 0;
	for (size_t i = 0; i < section->abi_count; i++)
		section->abis[i] = (struct filter_abi){ .abi = section->abis[i].abi };
	prove_token(proof, abi_facts(section->abis[0].abi)->token);
	for (size_t i = 0; i < section->abi_count && !proof->wrong; i++) {
		section->abis[i].mean /= (double)section->abis[i].known;
		measure_hot(proof, &section->abis[i]);
	}
	section->worst = proof->worst;
	proof->section = NULL;
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
