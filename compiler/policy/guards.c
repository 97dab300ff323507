/* What a change must not lose unseen: the expectations, and where the ADRs are. */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/policy/resolver.h"

/* "forbidden strace", "denied syscall ptrace", `allowed "docker buildx"`. */
static const char *guard_text(struct arena *arena, const struct ast_statement *statement,
			      const struct ast_entry *entry)
{
	const char *kind = expectation_word(statement->expectation);
	struct span span = ast_entry_span(entry);
	const char *written = span.source->text + span.begin;
	int size = (int)(span.end - span.begin);
	if (statement->expectation == EXPECTATION_DENIED)
		return arena_printf(arena, "%s syscall %.*s", kind, size, written);
	if (statement->expectation == EXPECTATION_ADDS)
		return arena_printf(arena, "adr %s adds %.*s", ast_word_text(&statement->words->name), size,
				    written);
	/* The command itself: `"git"` and `git` are one. */
	const char *text = entry->word.text ? entry->word.text : "";
	return arena_printf(arena, strchr(text, ' ') ? "%s \"%s\"" : "%s %s", kind, text);
}

static size_t entries_count(const struct resolver *resolver)
{
	size_t count = 0;
	for (size_t i = 0; i < resolver->layer_count; i++)
		for (const struct ast_statement *at = resolver->works[i].ast.others; at;
		     at = at->words->next_other)
			count += at->kind == AST_EXPECT ? at->entries.count : 0;
	return count;
}

/* It guards no longer: its row was revoked above. */
static bool has_lapsed(const struct resolver *resolver, const struct ast_entry *entry)
{
	const struct span *place = &entry->word.span;
	return map_find(resolver->lapsed, (const char *)place, sizeof *place) != NULL;
}

static void expectations_publish(struct resolver *resolver)
{
	struct arena *arena = resolver->compilation->arena;
	struct guard *guards = arena_array(arena, entries_count(resolver), sizeof *guards);
	struct policy *policy = resolver->policy;
	for (size_t i = 0; i < resolver->layer_count; i++) {
		const struct layer_work *work = &resolver->works[i];
		for (const struct ast_statement *at = work->ast.others; at; at = at->words->next_other) {
			for (size_t k = 0; at->kind == AST_EXPECT && k < at->entries.count; k++) {
				const struct ast_entry *entry = &at->entries.items[k];
				if (has_lapsed(resolver, entry))
					continue;
				guards[policy->guard_count++] = (struct guard){
					.kind = at->expectation,
					.text = guard_text(arena, at, entry),
					.layer = work->layer,
					.span = ast_entry_span(entry),
				};
			}
		}
	}
	policy->guards = guards;
}

static void authorities_publish(struct resolver *resolver)
{
	struct arena *arena = resolver->compilation->arena;
	struct authority *authorities = arena_array(arena, resolver->scope_count, sizeof *authorities);
	for (size_t i = 0; i < resolver->scope_count; i++) {
		const struct scope *scope = resolver->scopes[i];
		const struct ast_entries *words = &scope->statement->entries;
		const char **accept = arena_array(arena, words->count, sizeof *accept);
		for (size_t k = 0; k < words->count; k++)
			accept[k] = ast_word_text(&words->items[k].word);
		authorities[i] = (struct authority){
			.scope = scope->name,
			.folder = ast_word_text(&scope->statement->words->path),
			.accept = accept,
			.accept_count = words->count,
			.layer = scope->layer,
			.span = scope->span,
			.adrs = scope->adrs,
		};
	}
	resolver->policy->authorities = authorities;
	resolver->policy->authority_count = resolver->scope_count;
}

void guards_publish(struct resolver *resolver)
{
	expectations_publish(resolver);
	authorities_publish(resolver);
}
