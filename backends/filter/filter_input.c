#include "backends/filter/filter_input.h"

#include <string.h>

#include "compiler/base/strbuf.h"
#include "compiler/policy/condition.h"
#include "compiler/policy/policy.h"

static void number_add(struct strbuf *out, size_t number)
{
	strbuf_add(out, (const char *)&number, sizeof number);
}

static void action_add(struct strbuf *out, struct action action)
{
	number_add(out, action.kind);
	number_add(out, action.errno_value);
}

/* The table of calls is one, so that a call is its place there. */
static void call_add(struct strbuf *out, const struct syscall_entry *call)
{
	strbuf_add(out, (const char *)&call, sizeof call);
}

/* Of one call, conditions with one text are equal. */
static void condition_add(struct strbuf *out, const struct condition *condition)
{
	const char *text = condition ? condition->text : "";
	strbuf_add(out, text, strlen(text) + 1);
}

static void rules_add(struct strbuf *out, const struct call_rule *rules, size_t count)
{
	number_add(out, count);
	for (size_t i = 0; i < count; i++) {
		const struct call_rule *rule = &rules[i];
		call_add(out, rule->call);
		number_add(out, rule->capability != NULL);
		condition_add(out, rule->condition);
		call_add(out, rule->follows);
		action_add(out, rule->action);
		number_add(out, rule->repeats);
	}
}

static void references_add(struct strbuf *out, const struct call_reference *references, size_t count)
{
	number_add(out, count);
	for (size_t i = 0; i < count; i++) {
		call_add(out, references[i].call);
		condition_add(out, references[i].condition);
	}
}

void filter_input(const struct seccomp *seccomp, struct strbuf *out)
{
	action_add(out, seccomp->fallback);
	action_add(out, seccomp->deny);
	number_add(out, seccomp->unknown_default);
	action_add(out, seccomp->unknown);
	number_add(out, seccomp->abis);
	number_add(out, seccomp->audit);
	number_add(out, seccomp->base != NULL);
	rules_add(out, seccomp->denied, seccomp->denied_count);
	rules_add(out, seccomp->allowed, seccomp->allowed_count);
	references_add(out, seccomp->base_calls, seccomp->base_call_count);
	number_add(out, seccomp->hot_count);
	for (size_t i = 0; i < seccomp->hot_count; i++)
		call_add(out, seccomp->hot[i]);
}
