/*
 * The filter's settings. They cite no ADR, so that only a person can let them pass; and so it is with a
 * system call that may do more although no row that changed speaks of it: a group that `base` names has
 * grown.
 */
#include <string.h>

#include "compiler/gate/judge.h"

void calls_explain(struct judge *judge, const struct row *row)
{
	const struct row **key = arena_alloc(judge->arena, sizeof *key);
	*key = row;
	*map_at(judge->explained, (const char *)key, sizeof *key) = (void *)row;
}

static void rules_explain(const struct judge *judge, const struct call_rule *rules, size_t count, bool *marks)
{
	for (size_t i = 0; i < count; i++)
		if (map_find(judge->explained, (const char *)&rules[i].row, sizeof rules[i].row))
			marks[rules[i].call - syscall_table] = false;
}

static void seccomp_explain(const struct judge *judge, const struct policy *policy, bool *marks)
{
	rules_explain(judge, policy->seccomp.denied, policy->seccomp.denied_count, marks);
	rules_explain(judge, policy->seccomp.allowed, policy->seccomp.allowed_count, marks);
}

/* ---- one setting ---- */

static int reach(struct action action)
{
	switch (action.kind) {
	case ACTION_ALLOW:
		return 3;
	case ACTION_LOG:
		return 2;
	case ACTION_ERRNO:
		return 1;
	case ACTION_KILL:
		break;
	}
	return 0;
}

/* Another errno is no less than before, and no more: it counts. */
static bool action_is_softer(struct action old, struct action now)
{
	return !action_equal(old, now) && reach(now) >= reach(old);
}

static struct action unknown_of(const struct seccomp *seccomp)
{
	return seccomp->unknown_default ? seccomp->fallback : seccomp->unknown;
}

static bool texts_equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool calls_are_wider(const struct judge *judge)
{
	return judge->comparison->axes[AXIS_SYSTEM_CALLS].more > 0;
}

static void setting_refuse(struct judge *judge, const char *subject, const char *problem)
{
	if (allowed(judge, GATE_ALLOW_SECCOMP_SETTING))
		return;
	struct refusal *refusal = refuse(judge, GATE_SECCOMP_SETTING, subject);
	refusal->problem = problem;
	refusal->edit = "take it back, or land it with `--allow seccomp-setting` when a person has looked";
}

/* ---- all ---- */

/* Which settings of NEW are softer; whether there is any. */
static bool settings_compare(struct judge *judge)
{
	const struct seccomp *old = &judge->old->seccomp, *now = &judge->now->seccomp;
	const struct {
		const char *name;
		bool softer;
	} settings[] = {
		{ "seccomp default", action_is_softer(old->fallback, now->fallback) },
		{ "seccomp deny-with", action_is_softer(old->deny, now->deny) },
		{ "seccomp unknown", action_is_softer(unknown_of(old), unknown_of(now)) },
		{ "seccomp base", !texts_equal(old->base, now->base) && calls_are_wider(judge) },
		{ "seccomp arch, abi", (now->abis & ~old->abis) != 0 },
	};
	bool any = false;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		if (!settings[i].softer)
			continue;
		any = true;
		widening_count(judge, NULL);
		setting_refuse(judge, settings[i].name, "the setting lets more pass than in OLD");
	}
	return any;
}

static bool base_has(struct judge *judge, const struct seccomp *seccomp, const struct call_reference *entry)
{
	size_t count;
	const struct call_reference *entries = base_entries(seccomp, entry->call, &count);
	const char *text = call_reference_text(judge->arena, entry);
	for (size_t i = 0; i < count; i++)
		if (!entries[i].condition ||
		    strcmp(call_reference_text(judge->arena, &entries[i]), text) == 0)
			return true;
	return false;
}

/* What `base` has gained no row explains: one that speaks of the call may hold for other arguments. */
static void base_gains(struct judge *judge, const bool *wider, bool *marks)
{
	const struct seccomp *now = &judge->now->seccomp;
	for (size_t i = 0; i < now->base_call_count; i++) {
		const struct call_reference *entry = &now->base_calls[i];
		size_t at = (size_t)(entry->call - syscall_table);
		marks[at] |= wider[at] && !base_has(judge, &judge->old->seccomp, entry);
	}
}

/* "read, write" of what no row that was judged speaks of; NULL for nothing. */
static const char *unexplained_calls(struct judge *judge)
{
	const struct compared *comparison = judge->comparison;
	bool *wider = arena_array(judge->arena, syscall_table_size, sizeof *wider);
	bool *marks = arena_array(judge->arena, syscall_table_size, sizeof *marks);
	for (size_t i = 0; i < comparison->wider_call_count; i++)
		wider[comparison->wider_calls[i] - syscall_table] = true;
	memcpy(marks, wider, syscall_table_size * sizeof *marks);
	seccomp_explain(judge, judge->old, marks);
	seccomp_explain(judge, judge->now, marks);
	base_gains(judge, wider, marks);
	const char *text = calls_text(judge->arena, marks);
	return *text ? text : NULL;
}

void settings_judge(struct judge *judge)
{
	const struct compared *comparison = judge->comparison;
	if (settings_compare(judge))
		return; /* they explain what else may do more */
	const char *calls = unexplained_calls(judge);
	if (calls)
		setting_refuse(judge, "seccomp base",
			       arena_printf(judge->arena, "a group has changed: may do more: %s", calls));
	else if (comparison->axes[AXIS_SYSTEM_CALLS].more > comparison->wider_call_count)
		setting_refuse(judge, "seccomp", "numbers that no table knows may do more");
}
