/* Settings of the filter that name system calls: `base`. */
#include <string.h>

#include "compiler/policy/resolver.h"

static void report_no_group(struct resolver *resolver, const struct ast_word *word, const char *others)
{
	struct arena *arena = resolver->compilation->arena;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE, word->span,
					   "'%s' is no group", word->text);
	const char *group = arena_printf(arena, "@%s", word->text);
	if (map_value(resolver->group_names, group, strlen(group)))
		diag_help(d, "did you mean '%s'?", group);
	else
		diag_help(d, "a base is a group: syscalls @listed { %s%s }, and then base @listed", word->text,
			  others);
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
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE, entries->items[1].span,
						   "a base is one group");
		diag_help(d, "put all into one: syscalls @listed { %s, %s }, and then base @listed", word->text,
			  entries->items[1].word.text);
		return false;
	}
	if (!calls_bind(resolver, statement, &entries->items[0], &seccomp->base_calls,
			&seccomp->base_call_count))
		return false;
	seccomp->base = word->text;
	return true;
}
