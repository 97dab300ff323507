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

/* Another errno is no less than before, and no more: it counts. */
static bool action_is_softer(struct action old, struct action now)
{
	return !action_equal(old, now) && action_reach(now) >= action_reach(old);
}

static struct action unknown_of(const struct seccomp *seccomp)
{
	return seccomp->unknown_default ? seccomp->fallback : seccomp->unknown;
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

static void wider_mark(const struct compared *comparison, bool *marks)
{
	for (size_t i = 0; i < comparison->wider_call_count; i++)
		marks[comparison->wider_calls[i] - syscall_table] = true;
}

/*
 * Whether the group of `base` has gained calls. That is no row's doing, though one that changed may speak of
 * the same call.
 */
static bool base_gains_mark(struct judge *judge, const bool *wider, bool *marks)
{
	bool any = false;
	const struct seccomp *old = &judge->old->seccomp, *now = &judge->now->seccomp;
	struct map *known = map_new(judge->arena, old->base_call_count);
	calls_put(judge->arena, known, old->base_calls, old->base_call_count);
	for (size_t i = 0; i < now->base_call_count; i++) {
		size_t call = (size_t)(now->base_calls[i].call - syscall_table);
		bool gained = wider[call] && !call_is_in(judge->arena, &now->base_calls[i], known);
		marks[call] |= gained;
		any |= gained;
	}
	return any;
}

/* "read, write" of what no row explains, NULL for nothing; `*of_base` where some of them came to the base. */
static const char *unexplained_calls(struct judge *judge, bool *of_base)
{
	bool *wider = arena_array(judge->arena, syscall_table_size, sizeof *wider);
	bool *marks = arena_array(judge->arena, syscall_table_size, sizeof *marks);
	wider_mark(judge->comparison, wider);
	wider_mark(judge->comparison, marks);
	seccomp_explain(judge, judge->old, marks);
	seccomp_explain(judge, judge->now, marks);
	*of_base = base_gains_mark(judge, wider, marks);
	const char *text = calls_text(judge->arena, marks);
	return *text ? text : NULL;
}

static void role_explain(const struct judge *judge, const struct policy *policy, const struct block *role,
			 bool *marks)
{
	seccomp_explain(judge, policy, marks);
	if (role && role->seccomp)
		rules_explain(judge, role->seccomp->denied, role->seccomp->denied_count, marks);
}

/* A row of the layers, or of the role, may take the place of one that is stricter: that explains nothing. */
static void roles_judge(struct judge *judge)
{
	const struct compared *comparison = judge->comparison;
	for (size_t i = 0; i < comparison->roles_wider_count; i++) {
		const struct role_wider *role = &comparison->roles_wider[i];
		bool *marks = arena_array(judge->arena, syscall_table_size, sizeof *marks);
		memcpy(marks, role->calls, syscall_table_size * sizeof *marks);
		role_explain(judge, judge->old, role->old, marks);
		role_explain(judge, judge->now, role->now, marks);
		const char *calls = calls_text(judge->arena, marks);
		if (*calls)
			setting_refuse(judge, "seccomp",
				       arena_printf(judge->arena,
						    "no row that widens explains what role "
						    "%s may do more: %s",
						    (role->now ? role->now : role->old)->name, calls));
	}
}

void settings_judge(struct judge *judge)
{
	const struct compared *comparison = judge->comparison;
	if (settings_compare(judge))
		return; /* they explain what else may do more */
	bool of_base;
	const char *calls = unexplained_calls(judge, &of_base);
	if (calls && !of_base)
		setting_refuse(judge, "seccomp",
			       arena_printf(judge->arena, "no row that widens explains what may do more: %s",
					    calls));
	else if (calls)
		setting_refuse(judge, "seccomp base",
			       arena_printf(judge->arena, "a group has changed: may do more: %s", calls));
	else if (comparison->axes[AXIS_SYSTEM_CALLS].more >
		 comparison->wider_call_count + comparison->role_calls_wider)
		setting_refuse(judge, "seccomp", "numbers that no table knows may do more");
	roles_judge(judge);
}
