/* Settings of the filter that name system calls: `base` and `hot`. */
#include <string.h>

#include "compiler/policy/resolver.h"

/* ---- base ---- */

static void report_no_group(struct resolver *resolver, const struct ast_word *word, const char *others)
{
	struct arena *arena = resolver->compilation->arena;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_VALUE, word->span, "'%s' is no group", word->text);
	const char *group = arena_printf(arena, "@%s", word->text);
	if (map_value(resolver->group_names, group, strlen(group)))
		diag_help(d, "did you mean '%s'?", group);
	else
		diag_help(d, "a base is a group: syscalls @listed { %s%s }, and then base @listed",
			  word->text, others);
}

bool base_bind(struct resolver *resolver, const struct ast_statement *statement, struct seccomp *seccomp)
{
	const struct ast_entries *entries = &statement->entries;
	const struct ast_word *word = &entries->items[0].word;
	if (word->text[0] != '@') {
		report_no_group(resolver, word, entries->count > 1 ? ", …" : "");
		return false;
	}
	if (entries->count > 1) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE,
						   ast_entry_span(&entries->items[1]), "a base is one group");
		diag_help(d, "put all into one: syscalls @listed { %s, %s }, and then base @listed",
			  word->text, entries->items[1].word.text);
		return false;
	}
	if (!calls_bind(resolver, &entries->items[0], &seccomp->base_calls, &seccomp->base_call_count))
		return false;
	seccomp->base = word->text;
	return true;
}

/* ---- hot ---- */

/* An entry stands twice in a list that decides nothing else: a mistake, though a harmless one. */
static bool hot_stands_twice(struct resolver *resolver, struct map *seen, const struct ast_word *word)
{
	void **known = map_at(seen, word->text, strlen(word->text));
	const struct ast_word *first = *known;
	*known = (void *)word;
	if (!first)
		return false;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_DUPLICATE, word->span,
					   "'%s' stands twice in this list", word->text);
	diag_help(d, "keep one of the two");
	return true;
}

/* The distinct calls of all entries, marked in `has`: one for each entry of the table. */
static bool hot_mark(struct resolver *resolver, const struct ast_statement *statement, bool *has)
{
	const struct ast_entries *entries = &statement->entries;
	struct map *seen = map_new(resolver->compilation->arena, entries->count);
	bool valid = true;
	for (size_t i = 0; i < entries->count; i++) {
		const struct call_reference *calls = NULL;
		size_t count = 0;
		if (hot_stands_twice(resolver, seen, &entries->items[i].word) ||
		    !calls_bind(resolver, &entries->items[i], &calls, &count))
			valid = false;
		for (size_t k = 0; k < count; k++)
			has[calls[k].call - syscall_table] = true;
	}
	return valid;
}

bool hot_bind(struct resolver *resolver, const struct ast_statement *statement, struct seccomp *seccomp)
{
	struct arena *arena = resolver->compilation->arena;
	bool *has = arena_array(arena, syscall_table_size, sizeof *has);
	if (!hot_mark(resolver, statement, has))
		return false;
	const struct syscall_entry **hot = arena_array(arena, syscall_table_size, sizeof *hot);
	seccomp->hot_count = 0;
	for (size_t i = 0; i < syscall_table_size; i++)
		if (has[i])
			hot[seccomp->hot_count++] = &syscall_table[i];
	seccomp->hot = hot;
	resolver->hot = statement;
	return true;
}

static bool any_is_named(const struct policy *policy, const struct call_reference *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (policy_has_call(policy, calls[i].call))
			return true;
	return false;
}

static void warn_denied(struct resolver *resolver, const struct ast_entry *entry,
			const struct syscall_entry *call)
{
	const struct policy *policy = resolver->policy;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_HOT, ast_entry_span(entry),
					   "system call %s is hot, but denied", call->name);
	const struct call_rule *denial = denial_find(policy, call);
	if (denial)
		diag_note(d, denial->row->span, "denied here%s", row_authority(resolver, denial->row));
	else if (policy->seccomp.base)
		diag_note(d, policy->seccomp.base_span, "this base does not list it");
	else
		diag_note(d, resolver->seccomp_block,
			  "no row lists it, and the settings here deny the others");
	diag_help(d, "remove it from the list, so that calls which run are decided sooner");
}

/* Of a group, what is denied or missing on an ABI is left out without a word: it is of many uses. */
static void hot_entry_warn(struct resolver *resolver, const struct ast_entry *entry)
{
	const struct policy *policy = resolver->policy;
	const struct call_reference *calls;
	size_t count;
	if (!calls_bind(resolver, entry, &calls, &count))
		return;
	if (!any_is_named(policy, calls, count)) {
		struct diagnostic *d =
			diag_report(resolver_diags(resolver), DIAG_HOT, ast_entry_span(entry),
				    "no ABI of this policy has the system call%s %s",
				    entry->word.text[0] == '@' ? "s of" : "", entry->word.text);
		diag_help(d, "remove it from the list, or name an ABI that has it");
	} else if (entry->word.text[0] != '@' && !call_is_allowed(policy, &calls[0])) {
		warn_denied(resolver, entry, calls[0].call);
	}
}

void hot_warn(struct resolver *resolver)
{
	for (size_t i = 0; resolver->hot && i < resolver->hot->entries.count; i++)
		hot_entry_warn(resolver, &resolver->hot->entries.items[i]);
}
