/* Named sets of system calls, and names of calls wherever they stand. */
#include <string.h>

#include "compiler/policy/resolver.h"

enum { DEPTH_MAX = 64 };

static bool group_name_is_valid(const char *name)
{
	return name[0] == '@' && name_is_policy_name(name + 1);
}

void groups_define(struct resolver *resolver, const struct layer_work *layer,
		   const struct ast_statement *statement)
{
	const struct ast_word *name = &statement->words->name;
	if (!name->text)
		return;
	if (name->quoted || !group_name_is_valid(name->text)) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_GROUP, name->span,
						   "'%s' is no name of a group", name->text);
		diag_help(d, "a group is '@' and a name of lower-case letters, digits, '-' and '_': @tracing");
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
	resolver->groups = arena_grow(arena, resolver->groups, resolver->group_count, &resolver->group_capacity,
				      sizeof *resolver->groups);
	resolver->groups[resolver->group_count++] = group;
}

/* ---- members ---- */

/* The distinct calls of a group that is being filled: a bit for each entry of the table. */
struct call_set {
	unsigned char *has;
};

static void set_add(struct call_set *set, const struct syscall_entry *const *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		set->has[calls[i] - syscall_table] = 1;
}

static void group_fill(struct resolver *resolver, struct group *group)
{
	struct arena *arena = resolver->compilation->arena;
	struct call_set set = { arena_alloc(arena, syscall_table_size) };
	bool valid = !group->statement->broken, any = false;
	for (const struct ast_statement *at = group->statement->block; at; at = at->next) {
		valid = valid && !at->broken;
		any = any || at->broken;
		for (size_t i = 0; !at->broken && i < at->entries.count; i++) {
			const struct syscall_entry *const *calls = NULL;
			size_t count = 0;
			if (calls_bind(resolver, at, &at->entries.items[i], &calls, &count))
				set_add(&set, calls, count);
			else
				valid = false;
			any = true;
		}
	}
	if (valid && !any && !group->layer->ast.broken) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_GROUP, group->span,
						   "the group '%s' is empty", group->name);
		diag_help(d, "name its system calls inside the braces, or remove it");
	}
	size_t count = 0;
	for (size_t i = 0; i < syscall_table_size; i++)
		count += set.has[i];
	group->calls = arena_array(arena, count + 1, sizeof *group->calls);
	for (size_t i = 0; i < syscall_table_size; i++)
		if (set.has[i])
			group->calls[group->call_count++] = &syscall_table[i];
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

static bool group_bind(struct resolver *resolver, const struct ast_word *word,
		       const struct syscall_entry *const **calls, size_t *count)
{
	struct group *group = map_value(resolver->group_names, word->text, strlen(word->text));
	if (!group) {
		report_unknown_group(resolver, word);
		return false;
	}
	if (group->state == GROUP_OPEN) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_GROUP, word->span,
						   "the group '%s' holds itself", group->name);
		diag_note(d, group->span, "it is defined here");
		diag_help(d, "take %s out of one of the groups between", group->name);
		return false;
	}
	if (group->state == GROUP_NEW && resolver->group_depth == DEPTH_MAX) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_GROUP, word->span,
						   "groups hold groups more than %d deep", DEPTH_MAX);
		diag_help(d, "name the system calls themselves");
		return false;
	}
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

bool calls_bind(struct resolver *resolver, const struct ast_statement *statement,
		const struct ast_entry *entry,
		const struct syscall_entry *const **calls, size_t *count)
{
	const struct ast_word *word = &entry->word;
	if (ast_entry_condition(entry)) {
		if (!statement->broken)
			not_built(resolver, ast_entry_span(entry), "a condition on the arguments of a system call");
		return false;
	}
	if (word->text[0] == '@')
		return group_bind(resolver, word, calls, count);
	const struct syscall_entry *call = syscall_find(word->text);
	if (!call) {
		report_unknown_call(resolver, word);
		return false;
	}
	const struct syscall_entry **one = arena_alloc(resolver->compilation->arena, sizeof(void *));
	one[0] = call;
	*calls = one;
	*count = 1;
	return true;
}

void groups_bind_all(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->group_count; i++)
		group_open(resolver, resolver->groups[i]);
}
