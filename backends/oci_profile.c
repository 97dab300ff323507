#include "backends/oci_profile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "backends/filter/decisions.h"
#include "backends/filter/filter.h"
#include "backends/role_view.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"

/* Of Linux, not of the host. */
enum { ERRNO_EPERM = 1, ERRNO_EACCES = 13, ERRNO_ENOSYS = 38 };

/* ---- words ---- */

const char *oci_profile_action(struct action action)
{
	switch (action.kind) {
	case ACTION_ALLOW:
		return "SCMP_ACT_ALLOW";
	case ACTION_ERRNO:
		return "SCMP_ACT_ERRNO";
	case ACTION_KILL:
		return "SCMP_ACT_KILL_PROCESS";
	case ACTION_LOG:
		break;
	}
	return "SCMP_ACT_LOG";
}

unsigned oci_profile_errno(struct action action)
{
	return action.kind == ACTION_ERRNO && action.errno_value != ERRNO_EPERM ? action.errno_value : 0;
}

const char *oci_profile_architecture(enum abi abi)
{
	static const char *const names[ABI_COUNT] = {
		[ABI_X86_64] = "SCMP_ARCH_X86_64",
		[ABI_I386] = "SCMP_ARCH_X86",
		[ABI_X32] = "SCMP_ARCH_X32",
		[ABI_AARCH64] = "SCMP_ARCH_AARCH64",
		[ABI_ARM] = "SCMP_ARCH_ARM",
		[ABI_RISCV64] = "SCMP_ARCH_RISCV64",
		[ABI_S390X] = "SCMP_ARCH_S390X",
		[ABI_PPC64LE] = "SCMP_ARCH_PPC64LE",
		[ABI_LOONGARCH64] = "SCMP_ARCH_LOONGARCH64",
	};
	assert(names[abi]);
	return names[abi];
}

/* ---- what each call gets ---- */

/* By the call's place in syscall_table. */
struct outcome {
	bool known;                           /* a named ABI of the byte order has the call */
	bool differs;                         /* from ABI to ABI, so that no rule says it */
	struct action action;                 /* of all arguments; else what they get that no clause names */
	const struct clauses *clauses;        /* of the first ABI; NULL: its arguments decide nothing */
	enum abi abi;                         /* that one */
	const struct clauses *narrow_clauses; /* of 32-bit ABIs, where they are others */
	struct oci_alternatives alternatives; /* once they are made */
};

static bool is_of_order(enum abi abi, enum oci_order order)
{
	return abi_facts(abi)->big_endian == (order == OCI_BIG_ENDIAN);
}

bool oci_profile_wanted(const struct policy *policy, enum oci_order order)
{
	return filter_abis(policy, order == OCI_BIG_ENDIAN) != 0;
}

/* NULL for a number that is no call of the token's named ABIs. */
static const struct syscall_entry *decided_call(const struct decisions *decisions, uint32_t number,
						enum abi *abi)
{
	for (*abi = 0; *abi < ABI_COUNT; ++*abi) {
		uint32_t plain = number - abi_facts(*abi)->base;
		const struct syscall_entry *call = NULL;
		if (decisions->abis & 1u << *abi && plain <= INT32_MAX)
			call = abi_call_numbered(*abi, (int32_t)plain);
		if (call)
			return call;
	}
	return NULL;
}

/* Of what libseccomp compares: it takes x32 for an ABI of 32 bits. */
static unsigned register_bits(enum abi abi)
{
	return abi == ABI_X32 ? 32 : abi_facts(abi)->bits;
}

/* Decisions of two ABIs of as many bits are one where their clauses are the same ones. */
static void outcome_add(struct outcome *outcome, const struct decision *decision, enum abi abi)
{
	if (!outcome->known) {
		*outcome = (struct outcome){
			.known = true, .action = decision->action, .clauses = decision->clauses, .abi = abi
		};
		return;
	}
	outcome->differs |=
		!action_equal(outcome->action, decision->action) || !outcome->clauses != !decision->clauses;
	if (!outcome->clauses || outcome->clauses == decision->clauses)
		return;
	outcome->differs |= register_bits(abi) == register_bits(outcome->abi) ||
			    (outcome->narrow_clauses && outcome->narrow_clauses != decision->clauses);
	outcome->narrow_clauses = decision->clauses;
}

/* A policy decides by name: two ABIs have two decisions only where they pass arguments otherwise. */
static void outcomes_add(struct outcome *outcomes, const struct decisions *decisions)
{
	for (size_t i = 0; i < decisions->known_count; i++) {
		enum abi abi;
		const struct decision *decision = &decisions->known[i];
		const struct syscall_entry *call = decided_call(decisions, decision->number, &abi);
		if (call)
			outcome_add(&outcomes[call - syscall_table], decision, abi);
	}
}

/* Each token has numbers that no table knows. */
static struct action unknown_action(const struct decisions *decisions)
{
	size_t i = 0;
	while (decisions->zones[i].kind != ZONE_UNKNOWN) {
		i++;
		assert(i < decisions->zone_count);
	}
	return decisions->zones[i].action;
}

static struct outcome *outcomes_make(struct arena *arena, const struct policy *policy, enum oci_order order,
				     struct action *unknown)
{
	size_t count;
	const struct decisions *list = decisions_make(arena, arena, policy, &count);
	struct outcome *outcomes = arena_array(arena, syscall_table_size, sizeof *outcomes);
	*unknown = (struct action){ .kind = ACTION_KILL };
	for (size_t i = 0; i < count; i++) {
		if (!is_of_order(list[i].abi, order))
			continue;
		*unknown = unknown_action(&list[i]);
		outcomes_add(outcomes, &list[i]);
	}
	return outcomes;
}

/* ---- socketcall and ipc ---- */

static const char *const multiplexers[] = { "socketcall", "ipc" };

enum { MULTIPLEXER_COUNT = sizeof multiplexers / sizeof *multiplexers };

/* Whether some arguments pass. */
static bool outcome_passes(const struct outcome *outcome)
{
	bool passes = outcome->known && action_passes(outcome->action);
	for (size_t i = 0; outcome->clauses && i < outcome->clauses->count; i++)
		passes |= action_passes(outcome->clauses->items[i].action);
	return passes;
}

static struct outcome *multiplexer_outcome(struct outcome *outcomes, size_t index)
{
	return &outcomes[syscall_find(multiplexers[index]) - syscall_table];
}

/*
 * For a rule about socket, shmget or their like libseccomp also makes one about socketcall or ipc, unless
 * that call has a rule of its own. Engines pass over a rule that says what the default says; so where these
 * two are refused by default, what is let pass by name would open them.
 */
static bool multiplexer_opens(struct outcome *outcomes, struct action fallback)
{
	bool passes = false, refused = false;
	for (size_t i = 0; i < syscall_table_size; i++)
		passes |= outcome_passes(&outcomes[i]);
	for (size_t i = 0; i < MULTIPLEXER_COUNT; i++) {
		const struct outcome *outcome = multiplexer_outcome(outcomes, i);
		refused |= outcome->known && action_equal(outcome->action, fallback);
	}
	return passes && refused && !action_passes(fallback);
}

/* Where the default can be no other, the two calls get another errno than it: refused all the same. */
static void multiplexers_refuse(struct outcome *outcomes, struct action fallback)
{
	struct action other = { ACTION_ERRNO, ERRNO_ENOSYS };
	if (action_equal(fallback, other))
		other.errno_value = ERRNO_EPERM;
	for (size_t i = 0; i < MULTIPLEXER_COUNT; i++) {
		struct outcome *outcome = multiplexer_outcome(outcomes, i);
		if (outcome->known && !outcome->clauses && action_equal(outcome->action, fallback))
			outcome->action = other;
	}
}

/* Whether each call that arguments decide gets one other action, if it gets this one by default. */
static bool clauses_leave(const struct outcome *outcomes, struct action fallback)
{
	struct action action;
	for (size_t i = 0; i < syscall_table_size; i++)
		if (outcomes[i].clauses && !oci_arguments_action(outcomes[i].clauses, fallback, &action))
			return false;
	return true;
}

/*
 * What unknown numbers get, as far as the form can say it. Where that would open socketcall or ipc, or is
 * nothing that a call which arguments decide can get beside one other action, the first other refusal that
 * does not: then each known call has its rule, and unknown numbers stay refused.
 */
static struct action fallback_choose(struct outcome *outcomes, struct action unknown, enum oci_default form)
{
	static const uint16_t errnos[] = { ERRNO_ENOSYS, ERRNO_EPERM, ERRNO_EACCES };
	bool fixed = form == OCI_DEFAULT_EPERM;
	struct action first = unknown;
	if (unknown.kind == ACTION_ERRNO && fixed)
		first.errno_value = ERRNO_EPERM;
	struct action chosen = first;
	bool fits = clauses_leave(outcomes, first);
	if (fits && !multiplexer_opens(outcomes, first))
		return first;
	for (size_t i = 0; i < sizeof errnos / sizeof *errnos; i++) {
		struct action other = { ACTION_ERRNO, errnos[i] };
		if ((fixed && errnos[i] != ERRNO_EPERM) || !clauses_leave(outcomes, other))
			continue;
		if (!multiplexer_opens(outcomes, other))
			return other;
		chosen = fits ? chosen : other;
		fits = true;
	}
	if (multiplexer_opens(outcomes, chosen))
		multiplexers_refuse(outcomes, chosen);
	return chosen;
}

/* What a register of 32 bits is compared with, whichever way it is written, must be the same. */
static bool narrow_fits(struct arena *arena, const struct outcome *outcome, struct action fallback)
{
	for (unsigned bits = 32; bits <= 64; bits += 32) {
		struct oci_alternatives narrow;
		if (oci_arguments_make(arena, outcome->narrow_clauses, fallback, bits, &narrow) &&
		    oci_arguments_fit(&outcome->alternatives, &narrow))
			return true;
	}
	return false;
}

static bool outcome_says(struct arena *arena, struct outcome *outcome, struct action fallback)
{
	if (outcome->differs)
		return false;
	return !outcome->clauses ||
	       (oci_arguments_make(arena, outcome->clauses, fallback, register_bits(outcome->abi),
				   &outcome->alternatives) &&
		(!outcome->narrow_clauses || narrow_fits(arena, outcome, fallback)));
}

/* The first call that no rule can say; NULL where there is none. */
static const struct syscall_entry *outcomes_settle(struct arena *arena, struct outcome *outcomes,
						   struct action fallback)
{
	for (size_t i = 0; i < syscall_table_size; i++)
		if (!outcome_says(arena, &outcomes[i], fallback))
			return &syscall_table[i];
	return NULL;
}

/* ---- why not ---- */

/* The one refusal of a call that could be said by itself, with that for the default. */
static bool refusal_alone(struct arena *arena, const struct outcome *outcome, struct action *refused)
{
	if (!outcome->clauses)
		return false;
	struct outcome tried = *outcome;
	*refused = outcome->clauses->otherwise;
	for (size_t i = 0; action_passes(*refused) && i < outcome->clauses->count; i++)
		*refused = outcome->clauses->items[i].action;
	return !action_passes(*refused) && outcome_says(arena, &tried, *refused);
}

/* What every form of a profile can have for its default. */
static bool is_plain_refusal(struct action action)
{
	return action.kind == ACTION_ERRNO && action.errno_value == ERRNO_EPERM;
}

/* The row to change is that of the other call. */
static void unsayable_turn(struct oci_unsayable *unsayable)
{
	*unsayable = (struct oci_unsayable){ .call = unsayable->other,
					     .alone = true,
					     .refused = unsayable->other_refused,
					     .other = unsayable->call,
					     .other_refused = unsayable->refused };
}

/* Where the default lets pass, it is not the cause: what is refused has rules of its own. */
static const struct oci_unsayable *unsayable_make(struct arena *arena, const struct outcome *outcomes,
						  const struct syscall_entry *call, struct action fallback)
{
	struct oci_unsayable *unsayable = arena_alloc(arena, sizeof *unsayable);
	*unsayable = (struct oci_unsayable){ .call = call };
	unsayable->alone = !action_passes(fallback) &&
			   refusal_alone(arena, &outcomes[call - syscall_table], &unsayable->refused);
	for (size_t i = 0; unsayable->alone && !unsayable->other && i < syscall_table_size; i++)
		if (refusal_alone(arena, &outcomes[i], &unsayable->other_refused) &&
		    !action_equal(unsayable->other_refused, unsayable->refused))
			unsayable->other = &syscall_table[i];
	if (unsayable->other && is_plain_refusal(unsayable->refused))
		unsayable_turn(unsayable);
	return unsayable;
}

/* ---- rules ---- */

struct ruling {
	const struct syscall_entry *call;
	struct action action;
	const struct oci_arguments *arguments;
};

static unsigned action_rank(struct action action)
{
	static const unsigned ranks[] = {
		[ACTION_ALLOW] = 0,
		[ACTION_LOG] = 1,
		[ACTION_ERRNO] = 2,
		[ACTION_KILL] = 3,
	};
	return ranks[action.kind] << 12 | (action.kind == ACTION_ERRNO ? action.errno_value : 0u);
}

/* Calls lie in the table by name. */
static int by_action_and_name(const void *left, const void *right)
{
	const struct ruling *a = left, *b = right;
	unsigned first = action_rank(a->action), second = action_rank(b->action);
	if (first != second)
		return first < second ? -1 : 1;
	if (!a->arguments != !b->arguments)
		return a->arguments ? 1 : -1;
	if (a->call != b->call)
		return a->call > b->call ? 1 : -1;
	return (a->arguments > b->arguments) - (a->arguments < b->arguments);
}

/* Calls with arguments stand after those without, each rule by itself. */
static size_t rulings_collect(const struct outcome *outcomes, struct action fallback, struct ruling *rulings)
{
	size_t count = 0;
	for (size_t i = 0; i < syscall_table_size; i++) {
		const struct oci_alternatives *alternatives = &outcomes[i].alternatives;
		if (outcomes[i].clauses)
			for (size_t k = 0; k < alternatives->count; k++)
				rulings[count++] = (struct ruling){ &syscall_table[i], alternatives->action,
								    &alternatives->items[k] };
		else if (outcomes[i].known && !action_equal(outcomes[i].action, fallback))
			rulings[count++] = (struct ruling){ &syscall_table[i], outcomes[i].action, NULL };
	}
	if (count)
		qsort(rulings, count, sizeof *rulings, by_action_and_name);
	return count;
}

static size_t rulings_most(const struct outcome *outcomes)
{
	size_t most = syscall_table_size;
	for (size_t i = 0; i < syscall_table_size; i++)
		most += outcomes[i].alternatives.count;
	return most;
}

static void rules_make(struct arena *arena, const struct outcome *outcomes, struct oci_profile *profile)
{
	struct ruling *rulings = arena_array(arena, rulings_most(outcomes), sizeof *rulings);
	size_t count = rulings_collect(outcomes, profile->fallback, rulings);
	const struct syscall_entry **calls = arena_array(arena, count + 1, sizeof *calls);
	struct oci_rule *rules = arena_array(arena, count + 1, sizeof *rules);
	for (size_t i = 0; i < count; i++) {
		calls[i] = rulings[i].call;
		if (i == 0 || rulings[i].arguments || !action_equal(rulings[i].action, rulings[i - 1].action))
			rules[profile->rule_count++] =
				(struct oci_rule){ rulings[i].action, &calls[i], 0, rulings[i].arguments };
		rules[profile->rule_count - 1].count++;
	}
	profile->rules = rules;
}

static void architectures_make(struct arena *arena, const struct policy *policy, enum oci_order order,
			       struct oci_profile *profile)
{
	const char **names = arena_array(arena, ABI_COUNT, sizeof *names);
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && is_of_order(abi, order))
			names[profile->architecture_count++] = oci_profile_architecture(abi);
	profile->architectures = names;
}

struct oci_profile oci_profile_make(struct arena *arena, const struct policy *policy, enum oci_order order,
				    enum oci_default form)
{
	struct oci_profile profile = { .rule_count = 0 };
	struct action unknown;
	struct outcome *outcomes = outcomes_make(arena, policy, order, &unknown);
	profile.fallback = fallback_choose(outcomes, unknown, form);
	const struct syscall_entry *call = outcomes_settle(arena, outcomes, profile.fallback);
	if (call) {
		profile.unsayable = unsayable_make(arena, outcomes, call, profile.fallback);
		return profile;
	}
	architectures_make(arena, policy, order, &profile);
	rules_make(arena, outcomes, &profile);
	assert(profile.architecture_count);
	return profile;
}

/* ---- what no profile can say ---- */

/* The first byte order's call; NULL where profiles say all. */
static const struct oci_unsayable *unsayable_find(struct arena *arena, const struct policy *policy,
						  enum oci_default form)
{
	const struct oci_unsayable *unsayable = NULL;
	for (enum oci_order order = 0; order < OCI_ORDER_COUNT && !unsayable; order++)
		if (oci_profile_wanted(policy, order))
			unsayable = oci_profile_make(arena, policy, order, form).unsayable;
	return unsayable;
}

bool oci_profile_says(const struct policy *policy, enum oci_default form)
{
	struct arena *arena = arena_new();
	bool says = !unsayable_find(arena, policy, form);
	arena_free(arena);
	return says;
}

static struct span condition_span(const struct policy *policy, const struct syscall_entry *call)
{
	const struct row *row = conditional_row(policy, call);
	return row ? row->span : policy->seccomp.base_span;
}

/* What the profile "cannot" do. */
static const char *reason_text(struct compilation *compilation, const struct oci_unsayable *unsayable)
{
	struct arena *arena = compilation->arena;
	const char *name = unsayable->call->name;
	if (!unsayable->alone)
		return arena_printf(arena, "cannot say which arguments of %s are refused", name);
	const char *refused = action_text(compilation, unsayable->refused);
	if (!unsayable->other)
		return arena_printf(arena, "cannot refuse some arguments of %s with %s", name, refused);
	return arena_printf(arena, "cannot refuse some arguments of %s with %s and some of %s with %s", name,
			    refused, unsayable->other->name,
			    action_text(compilation, unsayable->other_refused));
}

static void report_help(struct diagnostic *d, const struct oci_unsayable *unsayable)
{
	if (!unsayable->alone) {
		diag_note(d, (struct span){ 0 },
			  "it has one action beside its default for a call, the same comparisons on all "
			  "ABIs, and "
			  "one of each argument");
		diag_help(d, "name other artifacts with --emit, or fewer ABIs, or give the call's rows one "
			     "action");
		return;
	}
	diag_note(d, (struct span){ 0 },
		  "where some arguments of a call pass, the refused ones get the profile's default, which is "
		  "one "
		  "for all calls");
	if (unsayable->other)
		diag_help(
			d,
			"give both the same 'with', such as: with errno EPERM; or name other artifacts with "
			"--emit");
	else
		diag_help(d, "refuse them with errno EPERM, or name other artifacts with --emit");
}

void oci_profile_report(struct compilation *compilation, const struct policy *policy,
			const struct oci_unsayable *unsayable)
{
	report_help(diag_report(compilation->diags, DIAG_OCI_CONDITION,
				condition_span(policy, unsayable->call), "a profile for container engines %s",
				reason_text(compilation, unsayable)),
		    unsayable);
}

/* True where it was told: one reason is enough. */
static bool warn_left_out(struct compilation *compilation, const struct policy *policy)
{
	const struct oci_unsayable *unsayable = unsayable_find(compilation->arena, policy, OCI_DEFAULT_ERRNO);
	if (unsayable)
		report_help(diag_report(compilation->diags, DIAG_OCI_LEFT_OUT,
					condition_span(policy, unsayable->call),
					"no profile for container engines is written: it %s",
					reason_text(compilation, unsayable)),
			    unsayable);
	return unsayable != NULL;
}

void oci_profile_warn_left_out(struct compilation *compilation, const struct policy *policy)
{
	if (!policy_denies_by_omission(policy) || !diag_enabled(compilation->diags, DIAG_OCI_LEFT_OUT))
		return;
	const struct policy *views = role_views(compilation->arena, policy);
	bool told = warn_left_out(compilation, policy);
	for (size_t i = 0; !told && i < policy->role_count; i++)
		if (policy->roles[i]->seccomp)
			told = warn_left_out(compilation, &views[i]);
}

/* ---- what an engine would let pass ---- */

/* Of x86_64 and aarch64 alone: of others the list of what engines let pass says little. */
static bool is_engines_refusal(const struct syscall_entry *call)
{
	return (call->numbers[ABI_X86_64] >= 0 || call->numbers[ABI_AARCH64] >= 0) &&
	       !syscall_passes_engines(call->name);
}

/* "acct, add_key, bpf and 68 more"; NULL where there is none. */
static const char *opened_calls(struct arena *arena, const struct policy *policy)
{
	enum { SHOWN = 3 };
	struct action unknown;
	const struct outcome *outcomes = outcomes_make(arena, policy, OCI_LITTLE_ENDIAN, &unknown);
	const char *list = NULL;
	size_t count = 0;
	for (size_t i = 0; i < syscall_table_size; i++) {
		if (!outcome_passes(&outcomes[i]) || !is_engines_refusal(&syscall_table[i]))
			continue;
		if (count < SHOWN)
			list = arena_printf(arena, "%s%s%s", list ? list : "", list ? ", " : "",
					    syscall_table[i].name);
		count++;
	}
	return count > SHOWN ? arena_printf(arena, "%s and %zu more", list, count - SHOWN) : list;
}

void oci_profile_warn(struct compilation *compilation, const struct policy *policy)
{
	if (policy_denies_by_omission(policy) || !diag_enabled(compilation->diags, DIAG_OCI_REPLACES_DEFAULT))
		return;
	const char *opened = opened_calls(compilation->arena, policy);
	if (!opened)
		return;
	struct diagnostic *d =
		diag_report(compilation->diags, DIAG_OCI_REPLACES_DEFAULT, (struct span){ 0 },
			    "an engine takes the profile of '%s' in place of its own, which refuses "
			    "what this one lets pass: %s",
			    policy->name, opened);
	diag_help(d, "to keep those refused, deny what is not listed: 'base @container' of "
		     "<std-container-2026>, or a 'default' that refuses");
}
