/*
 * An artifact says some things twice: rows, and what follows from them. Who edits one by hand forgets the
 * other; a comparison must not go by half of an edit.
 */
#include <string.h>

#include "compiler/diff/saved_reading.h"

/* ---- counts ---- */

static void count_check(struct saved_reading *reading, const struct saved_value *counts, const char *key,
			size_t count)
{
	struct saved_value place = saved_place(counts, key);
	unsigned said = saved_number(&reading->mistakes, counts, key, INT32_MAX);
	if (!reading->mistakes.first && said != count)
		saved_mistake(&reading->mistakes, &place, "it is %u, and the rows make %zu", said, count);
}

static void counts_check(struct saved_reading *reading, const struct saved_value *whole)
{
	struct saved_value counts = saved_object(&reading->mistakes, whole, "counts");
	count_check(reading, &counts, "allowed", reading->policy->allowed_count);
	count_check(reading, &counts, "forbidden", reading->policy->forbidden_count);
	count_check(reading, &counts, "declined", reading->policy->declined_count);
}

/* ---- what must be dropped ---- */

static void dropped_check(struct saved_reading *reading, const struct saved_value *whole)
{
	struct saved_value list = saved_list(&reading->mistakes, whole, "dropCapabilities");
	size_t at = 0, said = saved_count(&list);
	for (size_t i = 0; i < reading->policy->row_count; i++) {
		const struct row *row = reading->policy->rows[i];
		if (row->kind != SUBJECT_CAPABILITY || row->verb != VERB_FORBID || !row_is_for_linux(row))
			continue;
		if (at == said || strcmp(saved_item_text(&reading->mistakes, &list, at), row->subject) != 0)
			saved_mistake(&reading->mistakes, &list, "it is not what the rows forbid: %s",
				      row->subject);
		at++;
	}
	if (at < said)
		saved_mistake(&reading->mistakes, &list, "it is more than the rows forbid");
}

/* ---- the rules of the filter ---- */

/* As the artifact has it: the action of the rule that holds whatever the arguments, else of the first. */
static struct action action_of(const struct call_rule *rules, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!rules[i].condition)
			return rules[i].action;
	return rules[0].action;
}

static void rules_of_call_check(struct saved_reading *reading, const struct saved_value *said,
				const struct call_rule *rules, size_t count)
{
	struct saved_mistakes *mistakes = &reading->mistakes;
	const char *name = saved_text(mistakes, said, "name");
	struct action action = saved_action(reading, said, "action");
	struct saved_value causes = saved_list(mistakes, said, "causes");
	if (mistakes->first)
		return;
	if (strcmp(name, rules[0].call->name) != 0)
		saved_mistake(mistakes, said, "it is about '%s', and the rows make '%s'", name,
			      rules[0].call->name);
	else if (!action_equal(action, action_of(rules, count)))
		saved_mistake(mistakes, said, "the rows give '%s' another action", name);
	else if (saved_count(&causes) != count)
		saved_mistake(mistakes, &causes, "there are %zu, and the rows make %zu", saved_count(&causes),
			      count);
	for (size_t i = 0; i < count && !mistakes->first; i++) {
		struct saved_value cause = saved_item(mistakes, &causes, i);
		const char *subject = saved_text(mistakes, &cause, "subject");
		if (!mistakes->first && strcmp(subject, rules[i].row->subject) != 0)
			saved_mistake(mistakes, &cause, "it is '%s', and the rows make '%s'", subject,
				      rules[i].row->subject);
	}
}

static void rules_check(struct saved_reading *reading, const struct saved_value *seccomp, const char *key,
			const struct call_rule *rules, size_t count)
{
	struct saved_value list = saved_list(&reading->mistakes, seccomp, key);
	size_t calls = 0;
	for (size_t i = 0, end; i < count && !reading->mistakes.first; i = end, calls++) {
		for (end = i + 1; end < count && rules[end].call == rules[i].call;)
			end++;
		if (calls == saved_count(&list)) {
			saved_mistake(&reading->mistakes, &list, "it lacks '%s', which the rows make",
				      rules[i].call->name);
			return;
		}
		struct saved_value said = saved_item(&reading->mistakes, &list, calls);
		rules_of_call_check(reading, &said, rules + i, end - i);
	}
	if (!reading->mistakes.first && calls < saved_count(&list))
		saved_mistake(&reading->mistakes, &list, "there are %zu, and the rows make %zu",
			      saved_count(&list), calls);
}

void saved_check(struct saved_reading *reading, const struct saved_value *whole)
{
	const struct seccomp *seccomp = &reading->policy->seccomp;
	struct saved_value said = saved_object(&reading->mistakes, whole, "seccomp");
	counts_check(reading, whole);
	dropped_check(reading, whole);
	rules_check(reading, &said, "denied", seccomp->denied, seccomp->denied_count);
	rules_check(reading, &said, "allowed", seccomp->allowed, seccomp->allowed_count);
}
