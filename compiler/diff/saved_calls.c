/* System calls of a saved artifact, and the settings of its filter. */
#include <string.h>

#include "compiler/diff/saved_reading.h"

const struct call_reference *saved_calls(struct saved_reading *reading, const struct saved_value *list,
					 size_t *count)
{
	*count = saved_count(list);
	struct call_reference *calls = arena_array(reading->arena, *count, sizeof *calls);
	for (size_t i = 0; i < *count && !reading->mistakes.first; i++) {
		const char *text = saved_item_text(&reading->mistakes, list, i);
		if (!restore_call(reading->restorer, text, &calls[i]))
			saved_mistake(&reading->mistakes, list, "'%s' is no system call as allowc writes it",
				      text);
	}
	return calls;
}

static struct action action_read(struct saved_reading *reading, const struct saved_value *object,
				 const char *key, const char *text)
{
	struct action action = { .kind = ACTION_KILL };
	struct saved_value place = saved_place(object, key);
	if (!restore_action(text, &action))
		saved_mistake(&reading->mistakes, &place, "'%s' is nothing that a call can get", text);
	return action;
}

struct action saved_action(struct saved_reading *reading, const struct saved_value *object, const char *key)
{
	return action_read(reading, object, key, saved_text(&reading->mistakes, object, key));
}

static unsigned abis_read(struct saved_reading *reading, const struct saved_value *seccomp)
{
	struct saved_value list = saved_list(&reading->mistakes, seccomp, "abis");
	unsigned abis = 0;
	for (size_t i = 0; i < saved_count(&list); i++) {
		const char *name = saved_item_text(&reading->mistakes, &list, i);
		enum abi abi = abi_find(name);
		if (abi == ABI_COUNT)
			saved_mistake(&reading->mistakes, &list, "'%s' is no ABI", name);
		else
			abis |= 1u << abi;
	}
	if (list.json && !saved_count(&list))
		saved_mistake(&reading->mistakes, &list, "a filter is for some ABI");
	return abis;
}

/* As base_row of a policy that was resolved: its group and span alone. */
static const struct row *base_row(struct saved_reading *reading, const struct seccomp *seccomp)
{
	struct row *row = arena_alloc(reading->arena, sizeof *row);
	*row = (struct row){
		.verb = VERB_ALLOW,
		.kind = SUBJECT_SYSCALL,
		.subject = seccomp->base,
		.layer = &reading->policy->layers[reading->policy->layer_count - 1],
		.span = seccomp->base_span,
		.statement = seccomp->base_span.begin,
		.calls = seccomp->base_calls,
		.call_count = seccomp->base_call_count,
	};
	return row;
}

/* They are looked up by halves. */
static bool calls_are_sorted(const struct call_reference *calls, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (calls[i].call < calls[i - 1].call)
			return false;
	return true;
}

static void base_read(struct saved_reading *reading, const struct saved_value *object,
		      struct seccomp *seccomp)
{
	struct saved_value base = saved_object_if_any(&reading->mistakes, object, "base");
	if (!base.json)
		return;
	struct saved_value list = saved_list(&reading->mistakes, &base, "calls");
	seccomp->base = saved_text(&reading->mistakes, &base, "group");
	seccomp->base_span = saved_span(reading, &base);
	seccomp->base_calls = saved_calls(reading, &list, &seccomp->base_call_count);
	seccomp->base_row = base_row(reading, seccomp);
	if (!reading->mistakes.first && !calls_are_sorted(seccomp->base_calls, seccomp->base_call_count))
		saved_mistake(&reading->mistakes, &list, "it is not sorted");
}

static void hot_read(struct saved_reading *reading, const struct saved_value *object, struct seccomp *seccomp)
{
	struct saved_value list = saved_list_if_any(&reading->mistakes, object, "hot");
	size_t count;
	const struct call_reference *calls = saved_calls(reading, &list, &count);
	const struct syscall_entry **hot = arena_array(reading->arena, count, sizeof *hot);
	for (size_t i = 0; i < count; i++)
		hot[i] = calls[i].call;
	seccomp->hot = hot;
	seccomp->hot_count = count;
}

void saved_seccomp(struct saved_reading *reading, const struct saved_value *whole)
{
	struct seccomp *seccomp = &reading->policy->seccomp;
	struct saved_value object = saved_object(&reading->mistakes, whole, "seccomp");
	seccomp->fallback = saved_action(reading, &object, "default");
	seccomp->deny = saved_action(reading, &object, "denyWith");
	const char *unknown = saved_text(&reading->mistakes, &object, "unknown");
	seccomp->unknown_default = strcmp(unknown, "default") == 0;
	seccomp->unknown = seccomp->unknown_default ? seccomp->fallback
						    : action_read(reading, &object, "unknown", unknown);
	seccomp->abis = abis_read(reading, &object);
	base_read(reading, &object, seccomp);
	hot_read(reading, &object, seccomp);
	struct saved_value place = saved_place(&object, "denied");
	if (!reading->mistakes.first && !restore_rules(reading->restorer, reading->policy))
		saved_mistake(&reading->mistakes, &place,
			      "the rows say what no policy can say of system calls");
}
