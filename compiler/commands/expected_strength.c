#include "compiler/commands/expected_strength.h"

#include "backends/backend.h"
#include "backends/strength.h"
#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/commands/artifacts.h"
#include "compiler/commands/task.h"
#include "compiler/policy/policy.h"

/* The artifacts that hold rows, of those that are written. */
struct emitted {
	bool artifacts[STRENGTH_ARTIFACT_COUNT];
	struct strength_sets sets;
};

static void artifacts_add(bool *artifacts, const struct choice *choice)
{
	for (size_t i = 0; i < choice->count; i++) {
		unsigned artifact = backend_strength(choice->items[i]);
		if (artifact != STRENGTH_DESCRIPTION)
			artifacts[artifact] = true;
	}
}

static enum strength strength_best(const struct emitted *emitted, const struct row *row)
{
	enum strength best = STRENGTH_NONE;
	for (unsigned artifact = 0; artifact < STRENGTH_ARTIFACT_COUNT; artifact++) {
		if (!emitted->artifacts[artifact])
			continue;
		enum strength strength = strength_of(&emitted->sets, row, artifact);
		if (strength_is_less(best, strength))
			best = strength;
	}
	return best;
}

/* The rows that fall short of one expectation; the first of them stands in the message. */
struct shortfall {
	const struct row *first;
	enum strength strength; /* of the first */
	size_t count;
};

static void rows_measure(const struct emitted *emitted, const struct row *const *rows, size_t count,
			 enum strength level, struct shortfall *shortfall)
{
	for (size_t i = 0; i < count; i++) {
		if (rows[i]->verb != VERB_FORBID)
			continue;
		enum strength best = strength_best(emitted, rows[i]);
		if (!strength_is_less(best, level))
			continue;
		if (!shortfall->count++) {
			shortfall->first = rows[i];
			shortfall->strength = best;
		}
	}
}

static void blocks_measure(const struct emitted *emitted, const struct block *const *blocks, size_t count,
			   enum strength level, struct shortfall *shortfall)
{
	for (size_t i = 0; i < count; i++)
		rows_measure(emitted, blocks[i]->rows, blocks[i]->row_count, level, shortfall);
}

static struct shortfall shortfall_find(const struct policy *policy, const struct emitted *emitted,
				       enum strength level)
{
	struct shortfall shortfall = { .count = 0 };
	rows_measure(emitted, policy->rows, policy->row_count, level, &shortfall);
	blocks_measure(emitted, policy->roles, policy->role_count, level, &shortfall);
	blocks_measure(emitted, policy->plugins, policy->plugin_count, level, &shortfall);
	return shortfall;
}

static bool emits_a_filter(const struct emitted *emitted)
{
	return emitted->artifacts[STRENGTH_SECCOMP] || emitted->artifacts[STRENGTH_BPF] ||
	       emitted->artifacts[STRENGTH_OCI_SECCOMP] || emitted->artifacts[STRENGTH_SPO];
}

/* What would give the row more; it depends on why it has so little. */
static const char *way_out(const struct emitted *emitted, const struct shortfall *shortfall,
			   enum strength level)
{
	const struct row *row = shortfall->first;
	if (!emits_a_filter(emitted) && level < STRENGTH_ADVISORY)
		return "emit a filter too: bpf or seccomp";
	if (row->block && row->block->kind == AST_PLUGIN)
		return "no artifact holds the rows of plugins: forbid it in the layer itself";
	if (row->kind == SUBJECT_COMMAND && level < STRENGTH_MECHANISM)
		return "no artifact refuses a program itself: a filter refuses what it needs, which is "
		       "mechanism";
	if (row->kind == SUBJECT_COMMAND && level == STRENGTH_MECHANISM)
		return "say in the row what the program needs from the kernel, which is then denied: needs "
		       "syscall "
		       "…";
	if (shortfall->strength == STRENGTH_HOLES)
		return "forbid what does the same too: -Wincomplete-group shows the row";
	return "lower the expectation, or have the row deny what a filter can see";
}

static void report_shortfall(struct task_job *job, const struct emitted *emitted,
			     const struct strength_expectation *expected, const struct shortfall *shortfall)
{
	const char *more = shortfall->count > 2
				   ? arena_printf(job->compilation.arena, ", and %zu more rows have less",
						  shortfall->count - 1)
			   : shortfall->count > 1 ? ", and 1 more row has less"
						  : "";
	struct diagnostic *d =
		diag_report(job->compilation.diags, DIAG_EXPECT, expected->span,
			    "forbidden '%s' is '%s' at best in what is emitted, but expected to be '%s'%s",
			    shortfall->first->subject, strength_words(shortfall->strength),
			    strength_words(expected->level), more);
	diag_note(d, shortfall->first->span, "this row forbids it; '%s': %s",
		  strength_words(shortfall->strength), strength_meaning(shortfall->strength));
	const char *caveat = strength_row_caveat(&emitted->sets, shortfall->first);
	if (caveat)
		diag_note(d, (struct span){ 0 }, "%s", caveat);
	diag_help(d, "%s", way_out(emitted, shortfall, expected->level));
}

static void expectations_compare(struct task_job *job, const struct emitted *emitted)
{
	const struct policy *policy = job->policy;
	for (size_t i = 0; i < policy->strength_count; i++) {
		struct shortfall shortfall = shortfall_find(policy, emitted, policy->strengths[i].level);
		if (shortfall.count)
			report_shortfall(job, emitted, &policy->strengths[i], &shortfall);
	}
}

void strength_expectations_check(struct task_job *job, const struct choice *emitted,
				 const struct options *options)
{
	if (!job->policy->strength_count || options->audit)
		return;
	struct emitted all = { .sets = strength_sets_of(job->compilation.arena, job->policy) };
	artifacts_add(all.artifacts, emitted);
	expectations_compare(job, &all);
}

void strength_artifacts_emitted(struct task_job *job, const struct options *options, bool *emitted)
{
	struct choice selected = choice_selected(job, options), named = choice_named(job);
	artifacts_add(emitted, &selected);
	artifacts_add(emitted, &named);
}

void strengths_check(struct task_job *job, const struct options *options)
{
	if (!job->policy->strength_count)
		return;
	struct emitted emitted = { .sets = strength_sets_of(job->compilation.arena, job->policy) };
	strength_artifacts_emitted(job, options, emitted.artifacts);
	expectations_compare(job, &emitted);
}
