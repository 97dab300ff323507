#include "backends/strength.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/data/launchers.h"
#include "compiler/policy/policy.h"

const char *strength_artifact_name(enum strength_artifact artifact)
{
	static const char *const names[] = {
#define X(id, name, caveat) name,
		STRENGTH_ARTIFACT_LIST(X)
#undef X
	};
	assert(artifact < STRENGTH_ARTIFACT_COUNT);
	return names[artifact];
}

const char *strength_caveat(enum strength_artifact artifact)
{
	static const char *const caveats[] = {
#define X(id, name, caveat) caveat,
		STRENGTH_ARTIFACT_LIST(X)
#undef X
	};
	assert(artifact < STRENGTH_ARTIFACT_COUNT);
	return caveats[artifact];
}

static int compare_address(const void *a, const void *b)
{
	const struct row *first = *(const struct row *const *)a;
	const struct row *second = *(const struct row *const *)b;
	return ((uintptr_t)first > (uintptr_t)second) - ((uintptr_t)first < (uintptr_t)second);
}

/* Only membership is asked, so no order of addresses can reach an artifact. */
static void sort_rows(const struct row **rows, size_t count)
{
	if (count)
		qsort(rows, count, sizeof *rows, compare_address);
}

static bool has_row(const struct row **rows, size_t count, const struct row *row)
{
	return count && bsearch(&row, rows, count, sizeof *rows, compare_address);
}

static void collect_declared(struct arena *arena, const struct policy *policy, struct strength_sets *sets)
{
	size_t most = 0;
	for (size_t i = 0; i < policy->plugin_count; i++)
		most += policy->plugins[i]->tool_count + policy->plugins[i]->optional_count;
	sets->declared = arena_array(arena, most, sizeof *sets->declared);
	for (size_t i = 0; i < policy->plugin_count; i++) {
		const struct block *plugin = policy->plugins[i];
		for (size_t k = 0; plugin->written && k < plugin->tool_count; k++)
			sets->declared[sets->declared_count++] = plugin->tools[k];
		for (size_t k = 0; plugin->written && k < plugin->optional_count; k++)
			sets->declared[sets->declared_count++] = plugin->optional[k];
	}
	sort_rows(sets->declared, sets->declared_count);
}

/* Room for each rule, and for each row of a role. */
static size_t count_denials(const struct policy *policy)
{
	size_t count = policy->seccomp.denied_count;
	for (size_t i = 0; i < policy->role_count; i++) {
		count += policy->roles[i]->row_count;
		if (policy->roles[i]->seccomp)
			count += policy->roles[i]->seccomp->denied_count;
	}
	return count;
}

/* A rule may be of a call that no named ABI has, or of arguments that no call has: it decides nothing. */
static void collect_denials(const struct policy *policy, const struct seccomp *seccomp,
			    struct strength_sets *sets)
{
	for (size_t i = 0; i < seccomp->denied_count; i++)
		if (seccomp->denied[i].action.kind != ACTION_LOG &&
		    rule_can_hold(policy, &seccomp->denied[i]))
			sets->denying[sets->denying_count++] = seccomp->denied[i].row;
}

/* Whether an ABI of the policy has one of the calls with such arguments, and the layers let none pass. */
static bool are_refused(const struct policy *policy, const struct call_reference *calls, size_t count)
{
	bool any = false;
	for (size_t i = 0; i < count; i++) {
		if (!reference_can_hold(policy, &calls[i]))
			continue;
		for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
			if (!policy_names_abi(policy, abi) || calls[i].call->numbers[abi] < 0)
				continue;
			if (call_may_pass(policy, calls[i].call, calls[i].condition, abi))
				return false;
			any = true;
		}
	}
	return any;
}

static bool any_gated_is_refused(const struct policy *policy, const char *capability)
{
	for (const char *const *name = capability_find(capability)->number_calls; *name; name++)
		if (are_refused(policy, &(struct call_reference){ .call = syscall_find(*name) }, 1))
			return true;
	return false;
}

/* What a role denies and the layers refuse already has no rule of the role's, and is refused to it too. */
static bool repeats_the_layers(const struct policy *policy, const struct row *row)
{
	if (row->verb != VERB_FORBID || !row_is_for_linux(row))
		return false;
	if (row->kind == SUBJECT_CAPABILITY)
		return any_gated_is_refused(policy, row->subject);
	if (row->kind == SUBJECT_SYSCALL)
		return are_refused(policy, row->calls, row->call_count);
	for (size_t i = 0; i < row_more(row)->need_count; i++)
		if (are_refused(policy, row_more(row)->needs[i].calls, row_more(row)->needs[i].call_count))
			return true;
	return false;
}

static void collect_repeats(const struct policy *policy, const struct block *role, struct strength_sets *sets)
{
	for (size_t i = 0; i < role->row_count; i++)
		if (repeats_the_layers(policy, role->rows[i]))
			sets->denying[sets->denying_count++] = role->rows[i];
}

static void collect_rules(struct arena *arena, const struct policy *policy, struct strength_sets *sets)
{
	const struct seccomp *seccomp = &policy->seccomp;
	sets->denying = arena_array(arena, count_denials(policy), sizeof *sets->denying);
	collect_denials(policy, seccomp, sets);
	for (size_t i = 0; i < policy->role_count; i++) {
		collect_repeats(policy, policy->roles[i], sets);
		if (policy->roles[i]->seccomp)
			collect_denials(policy, policy->roles[i]->seccomp, sets);
	}
	sort_rows(sets->denying, sets->denying_count);
	if (!policy_denies_by_omission(policy))
		return;
	sets->admitting = arena_array(arena, seccomp->allowed_count, sizeof *sets->admitting);
	for (size_t i = 0; i < seccomp->allowed_count; i++)
		if (policy_has_call(policy, seccomp->allowed[i].call))
			sets->admitting[sets->admitting_count++] = seccomp->allowed[i].row;
	sort_rows(sets->admitting, sets->admitting_count);
}

struct strength_sets strength_sets_of(struct arena *arena, const struct policy *policy)
{
	struct strength_sets sets = { .arena = arena, .policy = policy };
	collect_declared(arena, policy, &sets);
	collect_rules(arena, policy, &sets);
	return sets;
}

/* One that stands open beside the row's calls; NULL without one. Doors are few. */
static const struct door *door_of(const struct strength_sets *sets, const struct row *row)
{
	const struct policy *policy = sets->policy;
	for (size_t i = 0; i < policy->door_count; i++)
		if (door_is_beside(&policy->doors[i], row))
			return &policy->doors[i];
	return NULL;
}

/* A filter does nothing for an allowed command, and for a forbidden one only through what it needs. */
static enum strength strength_of_filter(const struct strength_sets *sets, const struct row *row)
{
	bool decides = has_row(sets->denying, sets->denying_count, row) ||
		       has_row(sets->admitting, sets->admitting_count, row);
	if (!decides)
		return STRENGTH_NONE;
	if (row->kind != SUBJECT_SYSCALL)
		return STRENGTH_MECHANISM;
	return door_of(sets, row) ? STRENGTH_HOLES : STRENGTH_ENFORCED;
}

/* Roles have their tables beside that of the layers; nobody asks for a plugin. */
static enum strength strength_of_table(const struct row *row)
{
	bool decides = !(row->block && row->block->kind == AST_PLUGIN) && row->kind == SUBJECT_COMMAND &&
		       (row->verb == VERB_ALLOW || row->verb == VERB_FORBID);
	return decides ? STRENGTH_ADVISORY : STRENGTH_NONE;
}

enum strength strength_of(const struct strength_sets *sets, const struct row *row,
			  enum strength_artifact artifact)
{
	switch (artifact) {
	case STRENGTH_SECCOMP:
	case STRENGTH_BPF:
	case STRENGTH_OCI_SECCOMP:
	case STRENGTH_SPO:
		return strength_of_filter(sets, row);
	case STRENGTH_PLUGIN_YAML:
		/* A manifest says what a plugin uses: it holds the rows that it lists, and no forbid. */
		return has_row(sets->declared, sets->declared_count, row) ? STRENGTH_ADVISORY : STRENGTH_NONE;
	default:
		return strength_of_table(row);
	}
}

enum strength strength_of_unlisted(enum strength_artifact artifact)
{
	switch (artifact) {
	case STRENGTH_C_HEADER:
	case STRENGTH_PYTHON:
	case STRENGTH_NAMES:
		return STRENGTH_ADVISORY;
	default:
		return STRENGTH_NONE;
	}
}

static bool is_command(const struct row *row, enum verb verb)
{
	return row->kind == SUBJECT_COMMAND && row->verb == verb;
}

static bool forbids_several_words(const struct row *row)
{
	return is_command(row, VERB_FORBID) && strchr(row->subject, ' ');
}

const char *strength_row_caveat(const struct strength_sets *sets, const struct row *row)
{
	const struct door *door = row->verb == VERB_FORBID ? door_of(sets, row) : NULL;
	if (door)
		return arena_printf(sets->arena, "beside %s, %s", door->refused->name, door->text);
	const struct launcher *launcher = is_command(row, VERB_ALLOW) ? launcher_find(row->subject) : NULL;
	if (launcher)
		return arena_printf(sets->arena, "it %s: who may run it may run %s",
				    launcher_relation(sets->arena, launcher, row->subject), launcher->runs);
	if (!forbids_several_words(row))
		return NULL;
	return "where its program is allowed, options before the sub-command defeat it, and a caller that "
	       "asks with the first word alone is not told";
}

static bool any_forbids_several_words(const struct row *const *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (forbids_several_words(rows[i]))
			return true;
	return false;
}

const char *strength_commands_caveat(const struct policy *policy)
{
	bool any = any_forbids_several_words(policy->rows, policy->row_count);
	for (size_t i = 0; i < policy->role_count; i++)
		any = any || any_forbids_several_words(policy->roles[i]->rows, policy->roles[i]->row_count);
	return any ? "A forbidden command of several words holds for callers that ask with all of them;\n"
		     "where its program is allowed, options before the sub-command defeat it."
		   : "";
}
