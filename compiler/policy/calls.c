/* From rows to system calls: what is denied, what is allowed, and by which row. */
#include <stdlib.h>
#include <string.h>

#include "compiler/policy/resolver.h"

struct rule_list {
	struct arena *arena;
	struct call_rule *items;
	size_t count, capacity;
};

static void rules_add(struct rule_list *list, const struct row *row, const struct capability *capability,
		      const struct syscall_entry *const *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		list->items = arena_grow(list->arena, list->items, list->count, &list->capacity,
					 sizeof *list->items);
		list->items[list->count++] =
			(struct call_rule){ .call = calls[i], .row = row, .capability = capability };
	}
}

const struct syscall_entry *const *capability_calls(struct arena *arena, const struct capability *capability,
						    size_t *count)
{
	size_t size = 0;
	while (capability->number_calls[size])
		size++;
	const struct syscall_entry **calls = arena_array(arena, size + 1, sizeof *calls);
	*count = 0;
	for (size_t i = 0; i < size; i++) {
		const struct syscall_entry *call = syscall_find(capability->number_calls[i]);
		if (call)
			calls[(*count)++] = call;
	}
	return calls;
}

static void capability_add(struct rule_list *list, const struct row *row, const struct capability *capability)
{
	size_t count;
	const struct syscall_entry *const *calls = capability_calls(list->arena, capability, &count);
	rules_add(list, row, capability, calls, count);
}

bool row_is_for_linux(const struct row *row)
{
	return !row->platforms || row->platforms & 1u << PLATFORM_LINUX;
}

static void denials_of(struct rule_list *list, const struct row *row)
{
	if (row->kind == SUBJECT_SYSCALL)
		rules_add(list, row, NULL, row->calls, row->call_count);
	if (row->kind == SUBJECT_CAPABILITY)
		capability_add(list, row, capability_find(row->subject));
	for (size_t i = 0; row->kind == SUBJECT_COMMAND && i < row->need_count; i++)
		rules_add(list, row, row->needs[i].capability, row->needs[i].calls, row->needs[i].call_count);
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
	/* One row may deny a call twice, by a capability and by name. */
	size_t kept = 0;
	for (size_t i = 0; i < list->count; i++)
		if (!kept || sorted[kept - 1].call != sorted[i].call || sorted[kept - 1].row != sorted[i].row)
			sorted[kept++] = sorted[i];
	list->items = sorted;
	list->count = kept;
}

/* ---- the action of a call that several rows deny ---- */

static void report_actions(struct resolver *resolver, const struct call_rule *rule, const struct call_rule *first)
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

/*
 * Explicit before inherited, and equal among the explicit; `log` lets the call pass, so it may not stand
 * beside any row that refuses it.
 */
static void call_decide(struct resolver *resolver, struct call_rule *rules, size_t count)
{
	struct call_rule *chosen = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct row *row = rules[i].row;
		rules[i].action = row->has_action ? row->action : resolver->policy->seccomp.deny;
		if (!chosen || (row->has_action && !chosen->row->has_action))
			chosen = &rules[i];
	}
	for (size_t i = 0; i < count; i++) {
		bool both = rules[i].row->has_action && chosen->row->has_action;
		bool passes = action_passes(rules[i].action) != action_passes(chosen->action);
		if ((both || passes) && !action_equal(rules[i].action, chosen->action))
			report_actions(resolver, &rules[i], chosen);
	}
	for (size_t i = 0; i < count; i++)
		rules[i].action = chosen->action;
}

static void denials_decide(struct resolver *resolver, struct rule_list *list)
{
	for (size_t begin = 0, end; begin < list->count; begin = end) {
		end = begin + 1;
		while (end < list->count && list->items[end].call == list->items[begin].call)
			end++;
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
		diag_help(d, "to let only listed calls pass, let 'default' there say what the others get: default "
			     "errno EPERM");
		return;
	}
	diag_help(d, "to let only listed calls pass, say what the others get:");
	diag_fix(d, "seccomp {");
	diag_fix(d, "    default errno EPERM");
	diag_fix(d, "}");
}

static void allow_check(struct resolver *resolver, const struct row *row)
{
	if (row->subject[0] == '@') /* a forbid narrows a group */
		return;
	const struct call_rule *denial = denial_find(resolver->policy, row->calls[0]);
	if (!denial)
		return;
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

static void allowed_bind(struct resolver *resolver)
{
	struct seccomp *seccomp = &resolver->policy->seccomp;
	struct rule_list list = { .arena = resolver->compilation->arena };
	for (size_t i = 0; i < resolver->row_count; i++) {
		const struct row *row = resolver->rows[i];
		if (row->kind != SUBJECT_SYSCALL || row->verb != VERB_ALLOW || row->broken)
			continue;
		if (seccomp->fallback.kind == ACTION_ALLOW) {
			report_no_effect(resolver, row);
			continue;
		}
		if (!row_is_for_linux(row))
			continue;
		allow_check(resolver, row);
		rules_add(&list, row, NULL, row->calls, row->call_count);
	}
	rules_sort(&list);
	seccomp->allowed = list.items;
	seccomp->allowed_count = list.count;
}

/* ---- asking ---- */

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

bool base_has(const struct seccomp *seccomp, const struct syscall_entry *call)
{
	size_t low = 0, high = seccomp->base_call_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (seccomp->base_calls[middle] == call)
			return true;
		if (seccomp->base_calls[middle] < call)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* Listed where calls are denied by omission: by `base`, or by an `allow syscall` row. */
static bool call_is_listed(const struct seccomp *seccomp, const struct syscall_entry *call)
{
	return base_has(seccomp, call) || rule_find(seccomp->allowed, seccomp->allowed_count, call);
}

bool call_is_allowed(const struct policy *policy, const struct syscall_entry *call)
{
	const struct seccomp *seccomp = &policy->seccomp;
	const struct call_rule *denial = denial_find(policy, call);
	if (denial)
		return action_passes(denial->action);
	return action_passes(seccomp->fallback) || call_is_listed(seccomp, call);
}

bool policy_has_call(const struct policy *policy, const struct syscall_entry *call)
{
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(policy, abi) && call->numbers[abi] >= 0)
			return true;
	return false;
}

/* Rules are sorted by their calls: the first of each call counts. */
static bool is_first_of_call(const struct call_rule *rules, size_t at)
{
	return at == 0 || rules[at].call != rules[at - 1].call;
}

size_t policy_denied_calls(const struct policy *policy)
{
	size_t count = 0;
	const struct seccomp *seccomp = &policy->seccomp;
	for (size_t i = 0; i < seccomp->denied_count; i++) {
		const struct call_rule *rule = &seccomp->denied[i];
		if (is_first_of_call(seccomp->denied, i) && policy_has_call(policy, rule->call))
			count += !action_passes(rule->action);
	}
	return count;
}

static bool is_admitted(const struct policy *policy, const struct syscall_entry *call)
{
	return policy_has_call(policy, call) && call_is_allowed(policy, call);
}

size_t policy_admitted_calls(const struct policy *policy)
{
	size_t count = 0;
	const struct seccomp *seccomp = &policy->seccomp;
	for (size_t i = 0; i < seccomp->allowed_count; i++) {
		const struct syscall_entry *call = seccomp->allowed[i].call;
		if (is_first_of_call(seccomp->allowed, i) && !base_has(seccomp, call))
			count += is_admitted(policy, call);
	}
	for (size_t i = 0; i < seccomp->base_call_count; i++)
		count += is_admitted(policy, seccomp->base_calls[i]);
	return count;
}

/* ---- all ---- */

/*
 * Where calls are denied by omission, a `forbid … with log` of a call that nothing allows would let it
 * pass: what is allowed is what is listed, less the denials. Such a denial has nothing to say.
 */
static void logged_leave(struct seccomp *seccomp, struct rule_list *denied)
{
	size_t kept = 0;
	for (size_t i = 0; i < denied->count; i++) {
		const struct call_rule *rule = &denied->items[i];
		bool opens = action_passes(rule->action) && !action_passes(seccomp->fallback) &&
			     !call_is_listed(seccomp, rule->call);
		if (!opens)
			denied->items[kept++] = *rule;
	}
	seccomp->denied_count = kept;
}

void seccomp_rules_bind(struct resolver *resolver)
{
	struct seccomp *seccomp = &resolver->policy->seccomp;
	struct rule_list list = { .arena = resolver->compilation->arena };
	for (size_t i = 0; i < resolver->row_count; i++) {
		const struct row *row = resolver->rows[i];
		if (row->verb == VERB_FORBID && !row->broken && row_is_for_linux(row))
			denials_of(&list, row);
	}
	rules_sort(&list);
	denials_decide(resolver, &list);
	seccomp->denied = list.items;
	seccomp->denied_count = list.count;
	allowed_bind(resolver);
	logged_leave(seccomp, &list);
}
