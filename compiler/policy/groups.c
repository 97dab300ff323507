/* Named sets of system calls, and names of calls wherever they stand. */
#include <string.h>

#include "compiler/base/limits.h"
#include "compiler/policy/resolver.h"

static bool group_name_is_valid(const char *name)
{
	return name[0] == '@' && name_is_policy_name(name + 1);
}

void groups_define(struct resolver *resolver, const struct layer_work *layer,
		   const struct ast_statement *statement)
{
	const struct ast_word *name = &statement->words->name;
	if (!name->text) {
		resolver->groups_missing = true;
		return;
	}
	if (ast_word_is_quoted(name) || !group_name_is_valid(name->text)) {
		resolver->groups_missing = true;
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_GROUP, name->span,
						   "'%s' is no name of a group", name->text);
		diag_help(d,
			  "a group is '@' and a name of lower-case letters, digits, '-' and '_': @tracing");
		return;
	}
	void **known = map_at(resolver->group_names, name->text, strlen(name->text));
	if (*known) {
		const struct group *first = *known;
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_DUPLICATE, name->span,
						   "the group '%s' is defined already", name->text);
		diag_note(d, first->span, "it is defined here");
		diag_help(d, "choose another name, and put %s into it to extend it", name->text);
		return;
	}
	struct arena *arena = resolver->compilation->arena;
	struct group *group = arena_alloc(arena, sizeof *group);
	*group = (struct group){
		.name = name->text, .span = name->span, .statement = statement, .layer = layer
	};
	*known = group;
	resolver->groups = arena_grow(arena, resolver->groups, resolver->group_count,
				      &resolver->group_capacity, sizeof *resolver->groups);
	resolver->groups[resolver->group_count++] = group;
}

/* ---- limits ---- */

/* The first name past the limit; NULL without one. */
static const struct ast_entry *name_past_limit(const struct group *group)
{
	size_t room = GROUP_NAMES_MAX;
	for (const struct ast_statement *at = group->statement->words->block; at; at = at->next) {
		if (at->entries.count > room)
			return &at->entries.items[room];
		room -= at->entries.count;
	}
	return NULL;
}

static bool names_fit(struct resolver *resolver, const struct group *group)
{
	const struct ast_entry *past = name_past_limit(group);
	if (!past)
		return true;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LIMIT, past->word.span,
					   "the group '%s' names more than %d", group->name, GROUP_NAMES_MAX);
	diag_help(d, "divide it into groups, and name those in one");
	return false;
}

/*
 * Groups that hold each other's calls may name in a few lines what no memory holds. What they name themselves
 * is no more than the text is. Reported once.
 */
static bool calls_fit(struct resolver *resolver, const struct ast_word *name, size_t count)
{
	if (name->text[0] != '@' || resolver->group_calls > GROUP_CALLS_MAX)
		return name->text[0] != '@';
	resolver->group_calls += count;
	if (resolver->group_calls <= GROUP_CALLS_MAX)
		return true;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_LIMIT, name->span,
			    "groups hold more than %d calls by way of other groups", GROUP_CALLS_MAX);
	diag_help(d, "name what a row needs on the row");
	resolver->calls_broken = true;
	return false;
}

/* ---- members ---- */

/* The calls of a group that is being filled, in the order of the text. */
struct member_list {
	struct arena *arena;
	struct call_reference *items;
	size_t count, capacity;
};

static void members_add(struct member_list *members, const struct call_reference *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		members->items = arena_grow(members->arena, members->items, members->count,
					    &members->capacity, sizeof *members->items);
		members->items[members->count++] = calls[i];
	}
}

/* Whether it is new: one condition may come by several ways. */
static bool member_is_new(struct arena *arena, struct map *seen, const struct call_reference *member)
{
	const char *key = arena_printf(arena, "%s(%s)", member->call->name,
				       member->condition ? member->condition->text : "");
	void **known = map_at(seen, key, strlen(key));
	bool is_new = !*known;
	*known = (void *)member;
	return is_new;
}

/* How many members are of the calls before each call of the table. */
static const size_t *member_starts(struct arena *scratch, const struct member_list *members)
{
	size_t *starts = arena_array(scratch, syscall_table_size + 1, sizeof *starts);
	for (size_t i = 0; i < members->count; i++)
		starts[members->items[i].call - syscall_table + 1]++;
	for (size_t i = 0; i < syscall_table_size; i++)
		starts[i + 1] += starts[i];
	return starts;
}

/* By call, each member once; a call whatever its arguments leaves nothing to its conditions. */
static void members_settle(struct arena *scratch, struct group *group, const struct member_list *members)
{
	arena_clear(scratch);
	struct map *seen = map_new(scratch, members->count);
	const size_t *starts = member_starts(scratch, members);
	size_t *kept = arena_array(scratch, syscall_table_size, sizeof *kept);
	struct call_reference *sorted = arena_array(members->arena, members->count + 1, sizeof *sorted);
	for (size_t i = 0; i < members->count; i++) {
		const struct call_reference *member = &members->items[i];
		size_t call = (size_t)(member->call - syscall_table);
		struct call_reference *of_call = sorted + starts[call];
		bool whole = kept[call] && !of_call[0].condition;
		if (whole || !member_is_new(scratch, seen, member))
			continue;
		if (!member->condition)
			kept[call] = 0;
		of_call[kept[call]++] = *member;
	}
	for (size_t i = 0; i < syscall_table_size; i++)
		for (size_t k = 0; k < kept[i]; k++)
			sorted[group->call_count++] = sorted[starts[i] + k];
	group->calls = sorted;
}

static void group_fill(struct resolver *resolver, struct group *group)
{
	if (!names_fit(resolver, group)) {
		resolver->calls_broken = true;
		return;
	}
	struct member_list members = { .arena = resolver->compilation->arena };
	bool empty = true;
	for (const struct ast_statement *at = group->statement->words->block; at; at = at->next) {
		for (size_t i = 0; !at->broken && i < at->entries.count; i++) {
			const struct call_reference *calls = NULL;
			size_t count = 0;
			if (calls_bind(resolver, &at->entries.items[i], &calls, &count) &&
			    calls_fit(resolver, &at->entries.items[i].word, count))
				members_add(&members, calls, count);
			empty = false;
		}
	}
	if (empty && !group->layer->ast.broken) { /* as it is where a statement is */
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_GROUP, group->span,
						   "the group '%s' is empty", group->name);
		diag_help(d, "name its system calls inside the braces, or remove it");
	}
	members_settle(resolver->compilation->scratch, group, &members);
}

/* Fills a group that nobody has asked for before. */
static void group_open(struct resolver *resolver, struct group *group)
{
	if (group->state != GROUP_NEW)
		return;
	group->state = GROUP_OPEN;
	resolver->group_depth++;
	group_fill(resolver, group);
	resolver->group_depth--;
	group->state = GROUP_DONE;
}

static void report_unknown_group(struct resolver *resolver, const struct ast_word *word)
{
	if (resolver->groups_missing || resolver->incomplete)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_GROUP, word->span,
					   "no group '%s' is defined", word->text);
	if (!d)
		return;
	struct suggestion near = suggestion_begin(word->text);
	bool searched = names_may_be_searched(resolver, resolver->group_count);
	for (size_t i = 0; searched && i < resolver->group_count; i++)
		suggestion_offer(&near, resolver->groups[i]->name);
	if (near.nearest)
		diag_help(d, "did you mean '%s'?", near.nearest);
	else
		diag_help(d, "define it: syscalls %s { … }, or bring in its library with 'use'", word->text);
}

static bool report_circle(struct resolver *resolver, const struct ast_word *word, const struct group *group)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_GROUP, word->span,
					   "the group '%s' holds itself", group->name);
	diag_note(d, group->span, "it is defined here");
	diag_help(d, "take %s out of one of the groups between", group->name);
	return false;
}

static bool report_depth(struct resolver *resolver, const struct ast_word *word)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_GROUP, word->span,
					   "groups hold groups more than %d deep", GROUP_DEPTH_MAX);
	diag_help(d, "name the system calls themselves");
	return false;
}

static bool group_bind(struct resolver *resolver, const struct ast_word *word,
		       const struct call_reference **calls, size_t *count)
{
	struct group *group = map_value(resolver->group_names, word->text, strlen(word->text));
	if (!group) {
		report_unknown_group(resolver, word);
		return false;
	}
	if (group->state == GROUP_OPEN)
		return report_circle(resolver, word, group);
	if (group->state == GROUP_NEW && resolver->group_depth == GROUP_DEPTH_MAX)
		return report_depth(resolver, word);
	group_open(resolver, group);
	*calls = group->calls;
	*count = group->call_count;
	return true;
}

/* "mount" of "sys_mount", "SYS_mount" and "__NR_mount", as C and the kernel write it. */
static const char *without_prefix(const char *name)
{
	static const char *const prefixes[] = { "sys_", "SYS_", "__NR_", "NR_", "__x64_sys_" };
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		size_t size = strlen(prefixes[i]);
		if (strncmp(name, prefixes[i], size) == 0)
			return name + size;
	}
	return name;
}

static void report_unknown_call(struct resolver *resolver, const struct ast_word *word)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SYSCALL, word->span,
					   "no ABI has a system call '%s'", word->text);
	if (!d)
		return;
	const char *name = without_prefix(word->text);
	const char *near = syscall_find(name) ? name : syscall_nearest(name);
	if (near)
		diag_help(d, "did you mean '%s'?", near);
	else if (strncmp(word->text, "CAP_", 4) == 0)
		diag_help(d, "a capability stands without 'syscall': %s", word->text);
	else if (word->text[strspn(word->text, "0123456789")] == '\0')
		diag_help(d, "name the call: its number differs from ABI to ABI");
	else
		diag_help(d, "syscalls(2) lists them; a group starts with '@'");
}

static bool report_group_condition(struct resolver *resolver, const struct ast_entry *entry)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_CONDITION,
					   ast_entry_condition(entry)->span,
					   "a group cannot have a condition");
	diag_help(d, "calls differ in their arguments: write it after each call that it is for");
	return false;
}

static bool call_bind(struct resolver *resolver, const struct ast_entry *entry,
		      struct call_reference *reference)
{
	reference->call = syscall_find(entry->word.text);
	if (!reference->call) {
		report_unknown_call(resolver, &entry->word);
		return false;
	}
	const struct ast_expression *condition = ast_entry_condition(entry);
	reference->condition = condition ? condition_bind(resolver, reference->call, condition) : NULL;
	return reference->condition || !condition;
}

bool calls_bind(struct resolver *resolver, const struct ast_entry *entry, const struct call_reference **calls,
		size_t *count)
{
	bool group = entry->word.text[0] == '@';
	if (group && ast_entry_condition(entry))
		return report_group_condition(resolver, entry);
	if (group)
		return group_bind(resolver, &entry->word, calls, count);
	struct call_reference *one = arena_alloc(resolver->compilation->arena, sizeof *one);
	if (!call_bind(resolver, entry, one))
		return false;
	*calls = one;
	*count = 1;
	return true;
}

void groups_bind_all(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->group_count; i++)
		group_open(resolver, resolver->groups[i]);
}
