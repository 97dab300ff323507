/* From rows to system calls: what is denied, what is allowed, and by which row. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/policy/resolver.h"

struct rule_list {
	struct arena *arena;
	struct call_rule *items;
	size_t count, capacity;
};

static void rules_add(struct rule_list *list, const struct row *row, const struct capability *capability,
		      const struct call_reference *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		list->items = arena_grow(list->arena, list->items, list->count, &list->capacity,
					 sizeof *list->items);
		list->items[list->count++] = (struct call_rule){
			.call = calls[i].call,
			.row = row,
			.capability = capability,
			.condition = calls[i].condition,
		};
	}
}

const struct call_reference *capability_calls(struct arena *arena, const struct capability *capability,
					      size_t *count)
{
	size_t size = 0;
	while (capability->number_calls[size])
		size++;
	struct call_reference *calls = arena_array(arena, size + 1, sizeof *calls);
	*count = 0;
	for (size_t i = 0; i < size; i++) {
		const struct syscall_entry *call = syscall_find(capability->number_calls[i]);
		if (call)
			calls[(*count)++].call = call;
	}
	return calls;
}

const struct call_reference *capability_denials(struct resolver *resolver,
						const struct capability *capability, size_t *count)
{
	struct arena *arena = resolver->compilation->arena;
	size_t numbers;
	const struct call_reference *by_number = capability_calls(arena, capability, &numbers);
	struct call_reference *calls = arena_array(arena, numbers + gate_table_size, sizeof *calls);
	for (*count = 0; *count < numbers; ++*count)
		calls[*count] = by_number[*count];
	for (size_t i = 0; i < gate_table_size; i++)
		if (strcmp(gate_table[i].capability, capability->name) == 0)
			calls[(*count)++] = (struct call_reference){
				.call = syscall_find(gate_table[i].call),
				.condition = gate_condition(resolver, &gate_table[i]),
			};
	return calls;
}

static void capability_add(struct resolver *resolver, struct rule_list *list, const struct row *row)
{
	size_t count;
	const struct capability *capability = capability_find(row->subject);
	const struct call_reference *calls = capability_denials(resolver, capability, &count);
	rules_add(list, row, capability, calls, count);
}

bool row_is_for_linux(const struct row *row)
{
	return !row_more(row)->platforms || row_more(row)->platforms & 1u << PLATFORM_LINUX;
}

static void denials_of(struct resolver *resolver, struct rule_list *list, const struct row *row)
{
	if (row->kind == SUBJECT_SYSCALL)
		rules_add(list, row, NULL, row->calls, row->call_count);
	if (row->kind == SUBJECT_CAPABILITY)
		capability_add(resolver, list, row);
	for (size_t i = 0; row->kind == SUBJECT_COMMAND && i < row_more(row)->need_count; i++)
		rules_add(list, row, row_more(row)->needs[i].capability, row_more(row)->needs[i].calls,
			  row_more(row)->needs[i].call_count);
}

/* One row may deny a call twice, by a capability and by name. */
static bool rule_is_told(const struct call_rule *before, const struct call_rule *rule)
{
	return before->call == rule->call && before->row == rule->row &&
	       (!before->condition || before->condition == rule->condition);
}

/* By call, then by row in policy order: the merge below keeps the order of equals. */
static void rules_sort(struct rule_list *list)
{
	size_t *starts = arena_array(list->arena, syscall_table_size + 1, sizeof *starts);
	for (size_t i = 0; i < list->count; i++)
		starts[list->items[i].call - syscall_table + 1]++;
	for (size_t i = 0; i < syscall_table_size; i++)
		starts[i + 1] += starts[i];
	struct call_rule *sorted = arena_array(list->arena, list->count + 1, sizeof *sorted);
	for (size_t i = 0; i < list->count; i++)
		sorted[starts[list->items[i].call - syscall_table]++] = list->items[i];
	size_t kept = 0;
	for (size_t i = 0; i < list->count; i++)
		if (!kept || !rule_is_told(&sorted[kept - 1], &sorted[i]))
			sorted[kept++] = sorted[i];
	list->items = sorted;
	list->count = kept;
}

/* The conditions that deny one call are compared with each other: so many take a second or two. */
enum { CONDITIONS_MAX = 2048 };

/* ---- asking ---- */

const char *call_reference_text(struct arena *arena, const struct call_reference *reference)
{
	if (!reference->condition)
		return reference->call->name;
	return arena_printf(arena, "%s(%s)", reference->call->name, reference->condition->text);
}

void calls_put(struct arena *arena, struct map *set, const struct call_reference *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = call_reference_text(arena, &calls[i]);
		*map_at(set, text, strlen(text)) = (void *)text;
	}
}

bool call_is_in(struct arena *arena, const struct call_reference *call, const struct map *set)
{
	const char *text = call_reference_text(arena, call), *whole = call->call->name;
	return map_find(set, text, strlen(text)) || map_find(set, whole, strlen(whole));
}

size_t call_rules_begin(const struct call_rule *rules, size_t count, const struct syscall_entry *call)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (rules[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct call_rule *rule_find(const struct call_rule *rules, size_t count,
					 const struct syscall_entry *call)
{
	size_t at = call_rules_begin(rules, count, call);
	return at < count && rules[at].call == call ? &rules[at] : NULL;
}

const struct call_rule *denial_find(const struct policy *policy, const struct syscall_entry *call)
{
	return rule_find(policy->seccomp.denied, policy->seccomp.denied_count, call);
}

const struct call_reference *base_entries(const struct seccomp *seccomp, const struct syscall_entry *call,
					  size_t *count)
{
	size_t low = 0, high = seccomp->base_call_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (seccomp->base_calls[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	*count = 0;
	while (low + *count < seccomp->base_call_count && seccomp->base_calls[low + *count].call == call)
		++*count;
	return *count ? &seccomp->base_calls[low] : NULL;
}

struct admissions admissions_of(const struct seccomp *seccomp, const struct syscall_entry *call)
{
	struct admissions admissions = { .rules = rule_find(seccomp->allowed, seccomp->allowed_count, call) };
	const struct call_rule *end = seccomp->allowed + seccomp->allowed_count;
	for (const struct call_rule *rule = admissions.rules; rule && rule < end && rule->call == call;
	     rule++)
		admissions.rule_count++;
	admissions.entries = base_entries(seccomp, call, &admissions.entry_count);
	return admissions;
}

bool admissions_next(struct admissions *admissions, const struct condition **condition)
{
	while (admissions->rule_count) {
		const struct call_rule *rule = admissions->rules++;
		admissions->rule_count--;
		if (rule->repeats)
			continue;
		*condition = rule->condition;
		return true;
	}
	if (!admissions->entry_count)
		return false;
	admissions->entry_count--;
	*condition = admissions->entries++->condition;
	return true;
}

/* Listed where calls are denied by omission, if only with some arguments. */
static bool call_is_listed(const struct seccomp *seccomp, const struct syscall_entry *call)
{
	struct admissions admissions = admissions_of(seccomp, call);
	return admissions.rule_count || admissions.entry_count;
}

/* Conditions of the call's denials on one ABI. False where one of them holds whatever the arguments. */
static bool denials_collect(const struct policy *policy, const struct syscall_entry *call, enum abi abi,
			    bool with_log, const struct condition **conditions, size_t *count)
{
	const struct call_rule *rule = denial_find(policy, call);
	const struct call_rule *end = policy->seccomp.denied + policy->seccomp.denied_count;
	*count = 0;
	for (; rule && rule < end && rule->call == call; rule++) {
		if (rule->repeats || (action_passes(rule->action) && !with_log))
			continue;
		if (!rule->condition || !condition_seen(rule->condition, abi))
			return false;
		if (*count < CONDITIONS_MAX)
			conditions[(*count)++] = rule->condition;
	}
	return true;
}

/* Whether some arguments that make both conditions hold are denied by no row. */
static bool escapes(const struct policy *policy, const struct syscall_entry *call,
		    const struct condition *first, const struct condition *second, enum abi abi,
		    bool with_log)
{
	const struct condition *denials[CONDITIONS_MAX];
	size_t count;
	return denials_collect(policy, call, abi, with_log, denials, &count) &&
	       condition_escapes(first, second, denials, count, abi);
}

/* A condition that the ABI hides says nothing of the arguments. */
static const struct condition *seen_or_none(const struct condition *condition, enum abi abi)
{
	return condition_seen(condition, abi) ? condition : NULL;
}

bool policy_has_call(const struct policy *policy, const struct syscall_entry *call)
{
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && call->numbers[abi] >= 0)
			return true;
	return false;
}

bool reference_can_hold(const struct policy *policy, const struct call_reference *reference)
{
	const struct condition *condition = reference->condition;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && reference->call->numbers[abi] >= 0 &&
		    (!condition_seen(condition, abi) || condition_can_hold(condition, abi)))
			return true;
	return false;
}

bool rule_can_hold(const struct policy *policy, const struct call_rule *rule)
{
	const struct call_reference reference = { .call = rule->call, .condition = rule->condition };
	return reference_can_hold(policy, &reference);
}

/* The named ABIs that have the call; those that have it at all where none of them is named. */
static unsigned call_abis(const struct policy *policy, const struct syscall_entry *call)
{
	bool named = policy_has_call(policy, call);
	unsigned abis = 0;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (call->numbers[abi] >= 0 && (!named || policy_names_abi(policy, abi)))
			abis |= 1u << abi;
	return abis;
}

/* Whether on some ABI some arguments that the reference is of are denied by no row. */
static bool some_escape(const struct policy *policy, const struct call_reference *reference, bool with_log)
{
	unsigned abis = call_abis(policy, reference->call);
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (abis >> abi & 1 && escapes(policy, reference->call,
					       seen_or_none(reference->condition, abi), NULL, abi, with_log))
			return true;
	return false;
}

bool call_may_pass(const struct policy *policy, const struct syscall_entry *call,
		   const struct condition *condition, enum abi abi)
{
	const struct seccomp *seccomp = &policy->seccomp;
	condition = seen_or_none(condition, abi);
	if (action_passes(seccomp->fallback))
		return escapes(policy, call, condition, NULL, abi, false);
	struct admissions admissions = admissions_of(seccomp, call);
	for (const struct condition *admitted; admissions_next(&admissions, &admitted);)
		if (condition_seen(admitted, abi) && escapes(policy, call, condition, admitted, abi, false))
			return true;
	return false;
}

static bool some_denial_holds(const struct policy *policy, const struct syscall_entry *call, enum abi abi)
{
	const struct call_rule *rule = denial_find(policy, call);
	const struct call_rule *end = policy->seccomp.denied + policy->seccomp.denied_count;
	for (; rule && rule < end && rule->call == call; rule++)
		if (!action_passes(rule->action) &&
		    (!condition_seen(rule->condition, abi) || condition_can_hold(rule->condition, abi)))
			return true;
	return false;
}

/* Whether all arguments are listed, as far as one entry does so alone. */
static bool call_is_admitted(const struct seccomp *seccomp, const struct syscall_entry *call, enum abi abi)
{
	struct admissions admissions = admissions_of(seccomp, call);
	for (const struct condition *condition; admissions_next(&admissions, &condition);)
		if (condition_seen(condition, abi) && !condition_can_fail(condition, abi))
			return true;
	return false;
}

bool rule_is_admitted(const struct seccomp *seccomp, const struct call_rule *rule, enum abi abi)
{
	const struct condition *admitted[CONDITIONS_MAX];
	size_t count = 0;
	if (call_is_admitted(seccomp, rule->call, abi))
		return true;
	struct admissions admissions = admissions_of(seccomp, rule->call);
	for (const struct condition *condition; admissions_next(&admissions, &condition);)
		if (condition_seen(condition, abi) && count < CONDITIONS_MAX)
			admitted[count++] = condition;
	return !condition_escapes(seen_or_none(rule->condition, abi), NULL, admitted, count, abi);
}

/* Whether some arguments are refused. */
static bool call_may_fail(const struct policy *policy, const struct syscall_entry *call, enum abi abi)
{
	const struct seccomp *seccomp = &policy->seccomp;
	return some_denial_holds(policy, call, abi) ||
	       (!action_passes(seccomp->fallback) && !call_is_admitted(seccomp, call, abi));
}

bool call_is_split(const struct policy *policy, const struct syscall_entry *call, enum abi abi)
{
	return call_may_pass(policy, call, NULL, abi) && call_may_fail(policy, call, abi);
}

bool call_is_allowed(const struct policy *policy, const struct call_reference *reference)
{
	unsigned abis = call_abis(policy, reference->call);
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (abis >> abi & 1 && call_may_pass(policy, reference->call, reference->condition, abi))
			return true;
	return false;
}

/* Rules are sorted by their calls: the first of each call counts. */
static bool is_first_of_call(const struct call_rule *rules, size_t at)
{
	return at == 0 || rules[at].call != rules[at - 1].call;
}

/* On how many of the named ABIs some arguments of the call pass, and on how many some are refused. */
struct outcomes {
	unsigned pass, fail;
};

static struct outcomes call_outcomes(const struct policy *policy, const struct syscall_entry *call)
{
	struct outcomes outcomes = { 0, 0 };
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!policy_names_abi(policy, abi) || call->numbers[abi] < 0)
			continue;
		outcomes.pass += call_may_pass(policy, call, NULL, abi);
		outcomes.fail += call_may_fail(policy, call, abi);
	}
	return outcomes;
}

struct call_counts policy_denied_calls(const struct policy *policy)
{
	struct call_counts counts = { 0, 0 };
	const struct seccomp *seccomp = &policy->seccomp;
	for (size_t i = 0; i < seccomp->denied_count; i++) {
		if (!is_first_of_call(seccomp->denied, i))
			continue;
		struct outcomes outcomes = call_outcomes(policy, seccomp->denied[i].call);
		counts.whole += outcomes.fail && !outcomes.pass;
		counts.part += outcomes.fail && outcomes.pass;
	}
	return counts;
}

struct call_counts policy_admitted_calls(const struct policy *policy)
{
	struct call_counts counts = { 0, 0 };
	for (size_t i = 0; i < syscall_table_size; i++) {
		if (!call_is_listed(&policy->seccomp, &syscall_table[i]))
			continue;
		struct outcomes outcomes = call_outcomes(policy, &syscall_table[i]);
		counts.whole += outcomes.pass && !outcomes.fail;
		counts.part += outcomes.pass && outcomes.fail;
	}
	return counts;
}

/* ---- the action of a call that several rows deny ---- */

static void report_actions(struct resolver *resolver, const struct call_rule *rule,
			   const struct call_rule *first)
{
	struct row *row = (struct row *)rule->row;
	if (row->broken)
		return;
	row->broken = true;
	struct compilation *compilation = resolver->compilation;
	struct diagnostic *d = diag_report(compilation->diags, DIAG_ACTION_CONFLICT, row->span,
					   "system call %s would get '%s' by this row and '%s' by another",
					   rule->call->name, action_text(compilation, rule->action),
					   action_text(compilation, first->action));
	diag_note(d, first->row->span, "'%s' here%s",
		  action_text(compilation, first->action), row_authority(resolver, first->row));
	diag_help(d, "give both rows the same 'with'");
}

/* `log` lets the call pass, so it may not stand beside any row that refuses it. */
static bool actions_clash(const struct call_rule *first, const struct call_rule *second)
{
	bool both = row_more(first->row)->has_action && row_more(second->row)->has_action;
	bool passes = action_passes(first->action) != action_passes(second->action);
	return (both || passes) && !action_equal(first->action, second->action);
}

/* What denies the call whatever its arguments: explicit before inherited, and equal among the explicit. */
static struct call_rule *whole_decide(struct resolver *resolver, struct call_rule *rules, size_t count)
{
	struct call_rule *chosen = NULL;
	for (size_t i = 0; i < count; i++)
		if (!rules[i].condition &&
		    (!chosen || (row_more(rules[i].row)->has_action && !row_more(chosen->row)->has_action)))
			chosen = &rules[i];
	for (size_t i = 0; chosen && i < count; i++) {
		if (rules[i].condition)
			continue;
		if (actions_clash(&rules[i], chosen))
			report_actions(resolver, &rules[i], chosen);
		rules[i].action = chosen->action;
	}
	return chosen;
}

bool rules_overlap(const struct policy *policy, const struct call_rule *first, const struct call_rule *second)
{
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && first->call->numbers[abi] >= 0 &&
		    (!condition_seen(first->condition, abi) || !condition_seen(second->condition, abi) ||
		     conditions_overlap(first->condition, second->condition, abi)))
			return true;
	return false;
}

/*
 * Many forbidden programs may need one call with the same arguments, and groups may share one. The same
 * condition has the same words: condition_bind() gives them one form.
 */
static void repeats_mark(struct arena *arena, struct call_rule *rules, size_t count)
{
	struct map *seen = NULL;
	for (size_t i = 0; i < count; i++) {
		if (!rules[i].condition)
			continue;
		seen = seen ? seen : map_new(arena, 0);
		void **place = map_at(seen, rules[i].condition->text, strlen(rules[i].condition->text));
		const struct call_rule *first = *place;
		rules[i].repeats = first && action_equal(first->action, rules[i].action) &&
				   row_more(first->row)->has_action == row_more(rules[i].row)->has_action;
		*place = first ? (void *)first : &rules[i];
	}
}

/* A conditional denial beside all before it. */
static void part_decide(struct resolver *resolver, struct call_rule *rules, size_t index,
			const struct call_rule *whole)
{
	const struct call_rule *rule = &rules[index];
	for (size_t i = 0; i < index; i++)
		if (rules[i].condition && !rules[i].repeats && actions_clash(rule, &rules[i]) &&
		    rules_overlap(resolver->policy, rule, &rules[i]))
			report_actions(resolver, rule, &rules[i]);
	if (whole && actions_clash(rule, whole) && rules_overlap(resolver->policy, rule, whole))
		report_actions(resolver, rule > whole ? rule : whole, rule > whole ? whole : rule);
}

/* Rules that add no condition are no part of it: a hundred thousand programs may need one denied call. */
static bool conditions_fit(struct resolver *resolver, const struct call_rule *rules, size_t count)
{
	const struct call_rule *first_over = NULL;
	size_t conditions = 0;
	for (size_t i = 0; i < count; i++)
		if (rules[i].condition && !rules[i].repeats && ++conditions == CONDITIONS_MAX + 1)
			first_over = &rules[i];
	if (!first_over)
		return true;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_FILTER_SIZE, first_over->row->span,
					   "%zu conditions deny system call %s, and at most %d may",
					   conditions, first_over->call->name, CONDITIONS_MAX);
	diag_help(d, "compare with ranges and masks: type < 5, flags & MASK");
	return false;
}

static void call_decide(struct resolver *resolver, struct call_rule *rules, size_t count)
{
	for (size_t i = 0; i < count; i++)
		rules[i].action = row_more(rules[i].row)->has_action ? row_more(rules[i].row)->action
								     : resolver->policy->seccomp.deny;
	repeats_mark(resolver->compilation->arena, rules, count);
	const struct call_rule *whole = whole_decide(resolver, rules, count);
	if (!conditions_fit(resolver, rules, count))
		return;
	for (size_t i = 0; i < count; i++)
		if (rules[i].condition && !rules[i].repeats)
			part_decide(resolver, rules, i, whole);
}

/* Where the rules of the call at `begin` end. */
static size_t call_end(const struct rule_list *list, size_t begin)
{
	size_t end = begin + 1;
	while (end < list->count && list->items[end].call == list->items[begin].call)
		end++;
	return end;
}

static void denials_decide(struct resolver *resolver, struct rule_list *list)
{
	for (size_t begin = 0, end; begin < list->count; begin = end) {
		end = call_end(list, begin);
		call_decide(resolver, list->items + begin, end - begin);
	}
}

/* ---- allowed calls ---- */

static void report_no_effect(struct resolver *resolver, const struct row *row)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_NO_EFFECT, row->span,
					   "every system call that is not forbidden passes already");
	if (resolver->seccomp_block.source) {
		diag_note(d, resolver->seccomp_block, "the settings stand here");
		diag_help(
			d,
			"to let only listed calls pass, let 'default' there say what the others get: default "
			"errno EPERM");
		return;
	}
	diag_help(d, "to let only listed calls pass, say what the others get:");
	diag_fix(d, "seccomp {");
	diag_fix(d, "    default errno EPERM");
	diag_fix(d, "}");
}

static void report_allowed(struct resolver *resolver, const struct row *row, const struct call_rule *denial)
{
	assert(denial);
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_CONFLICT, row->span,
					   "system call %s is allowed here, but denied", row->subject);
	diag_note(d, denial->row->span, "denied here%s%s%s", row_authority(resolver, denial->row),
		  denial->capability ? ", as gated by " : "",
		  denial->capability ? denial->capability->name : "");
	if (denial->row->layer->index < row->layer->index) {
		diag_help(d, "take the lower row back first:");
		diag_fix(d, "revoke %s  adr %s  because \"…\"", subject_text(resolver, denial->row),
			 row_reference(row));
	} else {
		diag_help(d, "remove one of the two rows");
	}
}

/* The first denial that the row has to do with. */
static const struct call_rule *denial_of(const struct policy *policy, const struct call_reference *allowed)
{
	const struct call_rule wanted = { .call = allowed->call, .condition = allowed->condition };
	const struct call_rule *first = denial_find(policy, allowed->call);
	const struct call_rule *end = policy->seccomp.denied + policy->seccomp.denied_count;
	for (const struct call_rule *rule = first; rule && rule < end && rule->call == allowed->call; rule++)
		if (rules_overlap(policy, rule, &wanted))
			return rule;
	return first;
}

/*
 * A forbid narrows a group, and one with a condition a call; but an `allow` that lets nothing pass is a
 * mistake.
 */
static void allow_check(struct resolver *resolver, const struct row *row)
{
	if (row->subject[0] == '@')
		return;
	const struct call_reference *allowed = &row->calls[0];
	if (denial_find(resolver->policy, allowed->call) && !some_escape(resolver->policy, allowed, true))
		report_allowed(resolver, row, denial_of(resolver->policy, allowed));
}

static void allowed_bind(struct resolver *resolver)
{
	struct seccomp *seccomp = &resolver->policy->seccomp;
	struct rule_list list = { .arena = resolver->compilation->arena };
	for (size_t i = 0; i < resolver->row_count; i++) {
		const struct row *row = resolver->rows[i];
		if (row->kind != SUBJECT_SYSCALL || row->verb != VERB_ALLOW || row->broken)
			continue;
		if (seccomp->fallback.kind == ACTION_ALLOW) {
			if (!resolver->settings_broken)
				report_no_effect(resolver, row);
			continue;
		}
		if (!row_is_for_linux(row))
			continue;
		allow_check(resolver, row);
		rules_add(&list, row, NULL, row->calls, row->call_count);
	}
	rules_sort(&list);
	for (size_t begin = 0, end; begin < list.count; begin = end) {
		end = call_end(&list, begin);
		repeats_mark(list.arena, list.items + begin, end - begin);
	}
	seccomp->allowed = list.items;
	seccomp->allowed_count = list.count;
}

/* ---- calls that hide their arguments ---- */

static bool decides_by_name(const struct policy *policy, const struct syscall_entry *call)
{
	const struct seccomp *seccomp = &policy->seccomp;
	size_t at = call_rules_begin(seccomp->allowed, seccomp->allowed_count, call);
	for (; at < seccomp->allowed_count && seccomp->allowed[at].call == call; at++)
		if (seccomp->allowed[at].row->subject[0] != '@')
			return true;
	return denial_find(policy, call) != NULL;
}

static const struct row *first_conditional(const struct call_rule *rules, size_t count,
					   const struct syscall_entry *call)
{
	for (size_t i = call_rules_begin(rules, count, call); i < count && rules[i].call == call; i++)
		if (rules[i].condition)
			return rules[i].row;
	return NULL;
}

const struct row *conditional_row(const struct policy *policy, const struct syscall_entry *call)
{
	const struct seccomp *seccomp = &policy->seccomp;
	const struct row *row = first_conditional(seccomp->denied, seccomp->denied_count, call);
	if (!row)
		row = first_conditional(seccomp->allowed, seccomp->allowed_count, call);
	size_t count;
	const struct call_reference *entries = base_entries(seccomp, call, &count);
	for (size_t i = 0; !row && i < count; i++)
		if (entries[i].condition)
			row = seccomp->base_row;
	return row;
}

static bool is_split_somewhere(const struct policy *policy, const struct syscall_entry *call)
{
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && call->numbers[abi] >= 0 &&
		    call_is_split(policy, call, abi))
			return true;
	return false;
}

/* What keeps clone3 out where clone passes; NULL where it is not, or is by a row of its own. */
static const struct row *clone3_cause(const struct policy *policy, const struct syscall_entry *clone,
				      const struct syscall_entry *clone3)
{
	const struct seccomp *seccomp = &policy->seccomp;
	if (decides_by_name(policy, clone3))
		return NULL;
	if (is_split_somewhere(policy, clone))
		return conditional_row(policy, clone);
	const struct call_reference whole = { .call = clone };
	bool left_out = seccomp->base && !call_is_listed(seccomp, clone3);
	return left_out && call_is_allowed(policy, &whole) ? seccomp->base_row : NULL;
}

/*
 * clone3 has clone's flags behind a pointer. Where clone is filtered by its flags, or passes by a base that
 * leaves clone3 out, clone3 is refused as a kernel without it would: C libraries then call clone, and do
 * not after EPERM.
 */
static void clone3_follow(struct resolver *resolver, struct rule_list *denied)
{
	struct policy *policy = resolver->policy;
	struct seccomp *seccomp = &policy->seccomp;
	const struct syscall_entry *clone = syscall_find("clone"), *clone3 = syscall_find("clone3");
	const struct row *cause = clone3_cause(policy, clone, clone3);
	/* What the layers refuse already, a role leaves as it is. */
	if (!cause ||
	    (resolver->role && !call_is_allowed(policy, &(struct call_reference){ .call = clone3 })))
		return;
	const struct call_rule rule = {
		.call = clone3,
		.row = cause,
		.follows = clone,
		.action = { .kind = ACTION_ERRNO, .errno_value = (uint16_t)errno_find("ENOSYS") },
	};
	size_t at = call_rules_begin(seccomp->denied, seccomp->denied_count, clone3);
	denied->items = arena_grow(denied->arena, denied->items, denied->count, &denied->capacity,
				   sizeof *denied->items);
	memmove(denied->items + at + 1, denied->items + at, (denied->count - at) * sizeof *denied->items);
	denied->items[at] = rule;
	seccomp->denied = denied->items;
	seccomp->denied_count = ++denied->count;
}

/* ---- all ---- */

/*
 * Where calls are denied by omission, a `forbid … with log` of a call that nothing allows would let it
 * pass: what is allowed is what is listed, less the denials. Such a denial has nothing to say. Nor has that
 * of a role which is the default, or milder.
 */
static bool is_idle(const struct seccomp *seccomp, const struct call_rule *rule)
{
	if (!rule->row->block)
		return action_passes(rule->action) && !action_passes(seccomp->fallback);
	return action_reach(rule->action) > action_reach(seccomp->fallback) ||
	       action_equal(rule->action, seccomp->fallback);
}

/* The mildest of what the others give the call, as action_reach() has it; -1 without one. */
static int mildest_reach(const struct seccomp *seccomp, const struct call_rule *rules, size_t count)
{
	int mildest = -1;
	for (size_t i = 0; i < count; i++)
		if (!is_idle(seccomp, &rules[i]) && action_reach(rules[i].action) > mildest)
			mildest = action_reach(rules[i].action);
	return mildest;
}

/* Beside a denial that is as mild, the default is not what the call gets: a rule with that has its say. */
static void idle_leave(struct seccomp *seccomp, struct rule_list *denied)
{
	size_t kept = 0;
	for (size_t begin = 0, end; begin < denied->count; begin = end) {
		end = call_end(denied, begin);
		bool listed = call_is_listed(seccomp, denied->items[begin].call);
		int mildest = mildest_reach(seccomp, denied->items + begin, end - begin);
		for (size_t i = begin; i < end; i++) {
			const struct call_rule *rule = &denied->items[i];
			if (listed || !is_idle(seccomp, rule) ||
			    (action_equal(rule->action, seccomp->fallback) &&
			     mildest >= action_reach(rule->action)))
				denied->items[kept++] = *rule;
		}
	}
	seccomp->denied_count = denied->count = kept;
}

static void denials_of_rows(struct resolver *resolver, struct rule_list *list, const struct row *const *rows,
			    size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i]->verb == VERB_FORBID && !rows[i]->broken && row_is_for_linux(rows[i]))
			denials_of(resolver, list, rows[i]);
}

void seccomp_rules_bind(struct resolver *resolver)
{
	struct seccomp *seccomp = &resolver->policy->seccomp;
	const struct block *role = resolver->role;
	struct rule_list list = { .arena = resolver->compilation->arena };
	denials_of_rows(resolver, &list, (const struct row *const *)resolver->rows, resolver->row_count);
	if (role)
		denials_of_rows(resolver, &list, role->rows, role->row_count);
	rules_sort(&list);
	denials_decide(resolver, &list);
	seccomp->denied = list.items;
	seccomp->denied_count = list.count;
	if (!role)
		allowed_bind(resolver);
	idle_leave(seccomp, &list);
	clone3_follow(resolver, &list);
}

/* NULL: the filter of the layers. */
static const struct block *role_with_filter(const struct row *row)
{
	return row->block && row->block->seccomp ? row->block : NULL;
}

bool door_is_beside(const struct door *door, const struct row *row)
{
	if (door->row == row)
		return true;
	if (row->kind != SUBJECT_SYSCALL || row->verb != VERB_FORBID ||
	    role_with_filter(row) != role_with_filter(door->row))
		return false;
	for (const char *const *name = door->calls; name && *name; name++)
		for (size_t i = 0; i < row->call_count; i++)
			if (strcmp(row->calls[i].call->name, *name) == 0)
				return true;
	return false;
}
