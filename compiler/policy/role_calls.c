/*
 * What a role refuses of the kernel beside the layers: a filter of its own, which only narrows that of the
 * layers.
 */
#include <string.h>

#include "compiler/policy/resolver.h"

void role_enter(struct resolver *resolver, const struct block *role)
{
	resolver->role = role;
	resolver->layers_seccomp = resolver->policy->seccomp;
	if (role->seccomp)
		resolver->policy->seccomp = *role->seccomp;
	resolver->role_capabilities = map_new(resolver->compilation->arena, 0);
	for (size_t i = 0; i < role->row_count; i++)
		if (role->rows[i]->kind == SUBJECT_CAPABILITY && !role->rows[i]->broken)
			*map_at(resolver->role_capabilities, role->rows[i]->subject,
				strlen(role->rows[i]->subject)) = (void *)role->rows[i];
}

void role_leave(struct resolver *resolver)
{
	resolver->policy->seccomp = resolver->layers_seccomp;
	resolver->role = NULL;
	resolver->role_capabilities = NULL;
}

const char *in_role(const struct resolver *resolver)
{
	if (!resolver->role)
		return "";
	return arena_printf(resolver->compilation->arena, " in %s '%s'",
			    resolver->role->kind == AST_ROLE ? "role" : "plugin", resolver->role->name);
}

const struct row *capability_row(const struct resolver *resolver, const char *name)
{
	const struct row *row = map_value(resolver->in_force[SUBJECT_CAPABILITY], name, strlen(name));
	if (!row && resolver->role_capabilities)
		row = map_value(resolver->role_capabilities, name, strlen(name));
	return row;
}

/* ---- narrower, and never wider ---- */

/* What denies all of the call that begins at `at`, or NULL. */
static const struct call_rule *whole_denial(const struct call_rule *rules, size_t count, size_t at,
					    const struct syscall_entry *call)
{
	for (; at < count && rules[at].call == call; at++)
		if (!rules[at].condition)
			return &rules[at];
	return NULL;
}

static void report_milder(struct resolver *resolver, const struct call_rule *rule, struct action action,
			  struct span place)
{
	struct compilation *compilation = resolver->compilation;
	struct row *row = (struct row *)rule->row;
	if (row->broken)
		return;
	row->broken = true;
	struct diagnostic *d = diag_report(
		compilation->diags, DIAG_WIDENS, row->span,
		"system call %s would get '%s' in this role, and gets '%s' by the layers", rule->call->name,
		action_text(compilation, rule->action), action_text(compilation, action));
	if (place.source)
		diag_note(d, place, "'%s' here", action_text(compilation, action));
	diag_help(d, "a role only narrows: with %s", action_text(compilation, action));
}

/* A role may kill where the layers refuse, and not the other way round. */
static void role_rule_check(struct resolver *resolver, const struct call_rule *rule)
{
	const struct seccomp *layers = &resolver->layers_seccomp;
	int reach = action_reach(rule->action);
	size_t at = call_rules_begin(layers->denied, layers->denied_count, rule->call);
	for (; at < layers->denied_count && layers->denied[at].call == rule->call; at++) {
		const struct call_rule *other = &layers->denied[at];
		if (!other->repeats && reach > action_reach(other->action) &&
		    rules_overlap(resolver->policy, rule, other)) {
			report_milder(resolver, rule, other->action, other->row->span);
			return;
		}
	}
	if (reach <= action_reach(layers->fallback))
		return;
	for (enum abi abi = 0; abi < ABI_COUNT; abi++)
		if (policy_names_abi(resolver->policy, abi) && rule->call->numbers[abi] >= 0 &&
		    !rule_is_admitted(layers, rule, abi)) {
			report_milder(resolver, rule, layers->fallback, resolver->seccomp_block);
			return;
		}
}

/* So many of the layers' conditions are held against each of a role's: both may be thousands. */
enum { COVERING_MAX = 64 };

static const struct condition *seen_or_none(const struct condition *condition, enum abi abi)
{
	return condition_seen(condition, abi) ? condition : NULL;
}

/*
 * Whether the layers' conditional denials of the rule's kind and action hold wherever the role's does: its
 * row adds nothing. Where that cannot be told, the role gets a filter.
 */
static bool layers_cover(const struct resolver *resolver, const struct call_rule *rule, size_t at)
{
	const struct seccomp *layers = &resolver->layers_seccomp;
	const struct condition *own[COVERING_MAX], *seen[COVERING_MAX];
	size_t count = 0;
	for (; at < layers->denied_count && layers->denied[at].call == rule->call; at++) {
		const struct call_rule *other = &layers->denied[at];
		if (other->condition && !other->repeats && action_equal(other->action, rule->action) &&
		    row_more(other->row)->has_action == row_more(rule->row)->has_action &&
		    count < COVERING_MAX)
			own[count++] = other->condition;
	}
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		if (!policy_names_abi(resolver->policy, abi) || rule->call->numbers[abi] < 0)
			continue;
		for (size_t i = 0; i < count; i++)
			seen[i] = seen_or_none(own[i], abi);
		if (condition_escapes(seen_or_none(rule->condition, abi), NULL, seen, count, abi))
			return false;
	}
	return true;
}

/* Whether the role's rows change what the call gets; its rules stand behind those of the layers. */
static bool role_narrows_call(struct resolver *resolver, const struct call_rule *rules, size_t count)
{
	const struct seccomp *layers = &resolver->layers_seccomp;
	size_t at = call_rules_begin(layers->denied, layers->denied_count, rules->call);
	const struct call_rule *before = whole_denial(layers->denied, layers->denied_count, at, rules->call);
	const struct call_rule *whole = NULL;
	bool narrows = false;
	if (!policy_has_call(resolver->policy, rules->call))
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct call_rule *rule = &rules[i];
		bool again = rule->condition ? rule->repeats : whole != NULL;
		if (!rule->condition && !whole)
			whole = rule;
		if (!rule->row->block || (before && action_equal(before->action, rule->action)) ||
		    (again && !(before && whole && !rule->condition)))
			continue;
		if (rule->condition && layers_cover(resolver, rule, at))
			continue;
		narrows = true;
		role_rule_check(resolver, rule);
	}
	return narrows;
}

/* Of each call of the filter in hand, so that all that is wrong is said. */
static bool role_narrows(struct resolver *resolver)
{
	const struct seccomp *own = &resolver->policy->seccomp;
	bool narrows = false;
	for (size_t begin = 0, end; begin < own->denied_count; begin = end) {
		for (end = begin + 1;
		     end < own->denied_count && own->denied[end].call == own->denied[begin].call;)
			end++;
		narrows |= role_narrows_call(resolver, own->denied + begin, end - begin);
	}
	return narrows;
}

static bool role_may_deny(const struct block *role)
{
	for (size_t i = 0; i < role->row_count; i++)
		if (role->rows[i]->verb == VERB_FORBID &&
		    (role->rows[i]->kind != SUBJECT_COMMAND || row_more(role->rows[i])->need_count))
			return true;
	return false;
}

/* Of a name, the last part: the files of the role and of others are told apart by what follows it. */
static void role_name_check(struct resolver *resolver, const struct block *role)
{
	const char *dot = strrchr(role->name, '.'), *last = dot ? dot + 1 : role->name;
	if (strcmp(last, "audit") != 0 && strcmp(last, "be") != 0)
		return;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_VALUE, role->span,
			    "a role with a filter of its own cannot be called '%s'", role->name);
	diag_help(d,
		  "NAME.%s.bpf would be another filter's file: 'audit' and 'be' are taken at the end of the "
		  "name",
		  role->name);
}

void role_filters_bind(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->policy->role_count; i++) {
		struct block *role = (struct block *)resolver->policy->roles[i];
		role->seccomp = NULL;
		if (!role_may_deny(role))
			continue;
		role_enter(resolver, role);
		seccomp_rules_bind(resolver);
		if (role_narrows(resolver)) {
			struct seccomp *own = arena_alloc(resolver->compilation->arena, sizeof *own);
			*own = resolver->policy->seccomp;
			role->seccomp = own;
			role_name_check(resolver, role);
		}
		role_leave(resolver);
	}
}
