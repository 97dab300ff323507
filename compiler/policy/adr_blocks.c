/*
 * Fences marked `allow` in ADRs: rows as the ADR decides them. The rows of the layers that cite it are
 * these and no others, by verb and subject; attributes, roles and plugins are not compared.
 */
#include <string.h>

#include "compiler/policy/parse.h"
#include "compiler/policy/resolver.h"

/* One subject of one row in a fence. */
struct decided {
	const char *text; /* "allow \"docker buildx\"": verb and subject as the language writes them */
	const char *word; /* the subject alone */
	struct span span;
	bool cited; /* a row of the policy is this one */
	struct decided *next;
};

/* The fences of one ADR that rows cite. */
struct decision {
	const struct adr *adr;
	const struct citation *first; /* that cites it */
	struct decided *rows, **end;
	struct map *by_text, *by_subject; /* to the row */
	struct decision *next;
};

struct decisions {
	struct resolver *resolver;
	struct map *by_adr; /* keys are the pointers to the ADRs */
	struct decision *first, **end;
};

/* ---- the fences ---- */

/*
 * The ADR's text with all but its fences blanked: a place in it is one in the file. Lines begin where they
 * do there, so the index of lines is shared.
 */
static const struct source *fences_alone(struct arena *arena, const struct adr *adr)
{
	const struct source *source = adr->source;
	char *text = arena_copy(arena, source->text, source->size);
	size_t at = 0;
	for (size_t i = 0; i <= adr->block_count; i++) {
		size_t begin = i < adr->block_count ? adr->blocks[i].begin : source->size;
		for (; at < begin; at++)
			if (text[at] != '\n')
				text[at] = ' ';
		if (i < adr->block_count && adr->blocks[i].end > at)
			at = adr->blocks[i].end;
	}
	struct source *fences = arena_alloc(arena, sizeof *fences);
	*fences = *source;
	fences->text = text;
	return fences;
}

/* As row_subject.c has it: with the condition in one spelling. A mistake in it is reported in the fence. */
static const char *entry_subject(struct resolver *resolver, const struct ast_statement *statement,
				 const struct ast_entry *entry)
{
	struct arena *arena = resolver->compilation->arena;
	const struct ast_word *word = &entry->word;
	const struct syscall_entry *call = statement->qualifier ? syscall_find(word->text) : NULL;
	const struct ast_expression *expression = ast_entry_condition(entry);
	const struct condition *condition =
		call && expression ? condition_bind(resolver, call, expression) : NULL;
	if (condition)
		return arena_printf(arena, "syscall %s(%s)", word->text, condition->text);
	if (statement->qualifier)
		return arena_printf(arena, "syscall %s", word->text);
	bool quotes = strchr(word->text, ' ') || strcmp(word->text, "syscall") == 0;
	return quotes ? arena_printf(arena, "\"%s\"", word->text) : word->text;
}

static void decided_add(struct resolver *resolver, struct decision *decision,
			const struct ast_statement *statement, const struct ast_entry *entry)
{
	struct arena *arena = resolver->compilation->arena;
	struct decided *row = arena_alloc(arena, sizeof *row);
	const char *subject = entry_subject(resolver, statement, entry);
	*row = (struct decided){ .text = arena_printf(arena, "%s %s", verb_word(statement->verb), subject),
				 .word = entry->word.text,
				 .span = ast_entry_span(entry) };
	if (map_find(decision->by_text, row->text, strlen(row->text)))
		return;
	*map_at(decision->by_text, row->text, strlen(row->text)) = row;
	*map_at(decision->by_subject, subject, strlen(subject)) = row;
	*decision->end = row;
	decision->end = &row->next;
}

static struct decision *decision_new(struct decisions *decisions, const struct citation *citation)
{
	struct arena *arena = decisions->resolver->compilation->arena;
	struct decision *decision = arena_alloc(arena, sizeof *decision);
	struct ast_layer fences;
	*decision = (struct decision){ .adr = citation->adr,
				       .first = citation,
				       .end = &decision->rows,
				       .by_text = map_new(arena, 0),
				       .by_subject = map_new(arena, 0) };
	layer_parse(decisions->resolver->compilation, fences_alone(arena, citation->adr), &fences);
	for (const struct ast_statement *at = fences.statements; at; at = at->next)
		for (size_t i = 0; at->kind == AST_ROW && i < at->entries.count; i++)
			decided_add(decisions->resolver, decision, at, &at->entries.items[i]);
	*decisions->end = decision;
	decisions->end = &decision->next;
	return decision;
}

/* NULL where the ADR has no fence, or is not accepted: that is an error of its own. */
static struct decision *decision_of(struct decisions *decisions, const struct citation *citation)
{
	const struct adr *adr = citation->adr;
	if (!adr || !adr->block_count || adr->status != ADR_ACCEPTED)
		return NULL;
	void **known = map_find(decisions->by_adr, (const char *)&adr, sizeof adr);
	if (known)
		return *known;
	const struct adr **key = arena_alloc(decisions->resolver->compilation->arena, sizeof *key);
	*key = adr;
	struct decision *decision = decision_new(decisions, citation);
	*map_at(decisions->by_adr, (const char *)key, sizeof *key) = decision;
	return decision;
}

/* ---- the comparison ---- */

static void report_undecided(struct resolver *resolver, const struct row *row,
			     const struct citation *citation, const char *text, const struct decided *same)
{
	struct diagnostic *d = NULL;
	if (same) {
		d = diag_report(resolver_diags(resolver), DIAG_ADR_BLOCK, row->span,
				"ADR %s decides '%s', not '%s'", citation->text, same->text, text);
		diag_note(d, same->span, "it decides so here");
	} else {
		d = diag_report(resolver_diags(resolver), DIAG_ADR_BLOCK, row->span,
				"'%s' is not among the rows that ADR %s decides", text, citation->text);
		diag_note(d, citation->adr->blocks[0], "they begin here");
	}
	diag_help(d, "the rows in the ADR's fence and those that cite it are the same");
}

static void row_compare(struct decisions *decisions, const struct row *row, const struct citation *citation)
{
	struct resolver *resolver = decisions->resolver;
	struct decision *decision = decision_of(decisions, citation);
	if (!decision)
		return;
	const char *subject = subject_text(resolver, row);
	const char *text = arena_printf(resolver->compilation->arena, "%s %s", verb_word(row->verb), subject);
	struct decided *decided = map_value(decision->by_text, text, strlen(text));
	struct decided *same = map_value(decision->by_subject, subject, strlen(subject));
	if (!decided)
		report_undecided(resolver, row, citation, text, same);
	if (!decided && same)
		decided = same;
	if (decided)
		decided->cited = true;
}

/* A row with a mistake is there too: of it that is all that is asked. */
static void broken_row_compare(const struct decisions *decisions, const struct row *row,
			       const struct citation *citation)
{
	void **known = map_find(decisions->by_adr, (const char *)&citation->adr, sizeof citation->adr);
	if (!known)
		return;
	const struct decision *decision = *known;
	const char *subject = subject_text(decisions->resolver, row);
	struct decided *decided = map_value(decision->by_subject, subject, strlen(subject));
	if (decided)
		decided->cited = true;
}

/* Of all layers' rows, those with a mistake or the others; whether some were of the other kind. */
static bool rows_compare(struct decisions *decisions, bool broken)
{
	const struct resolver *resolver = decisions->resolver;
	bool others = false;
	for (size_t l = 0; l < resolver->layer_count; l++) {
		const struct layer_work *work = &resolver->works[l];
		for (size_t i = 0; i < work->row_count; i++) {
			const struct row *row = work->rows[i];
			others |= row->broken != broken;
			for (size_t c = 0; row->broken == broken && c < row->citation_count; c++)
				if (broken)
					broken_row_compare(decisions, row, &row->citations[c]);
				else
					row_compare(decisions, row, &row->citations[c]);
		}
	}
	return others;
}

static void report_uncited(struct resolver *resolver, const struct decision *decision,
			   const struct decided *decided)
{
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_ADR_BLOCK, decided->span,
			    "no row that cites ADR %s says '%s'", decision->first->text, decided->text);
	diag_note(d, decision->first->span, "the rows that cite it begin here");
	diag_help(d, "the rows in the ADR's fence and those that cite it are the same");
}

void adr_blocks_check(struct resolver *resolver)
{
	struct decisions decisions = { .resolver = resolver,
				       .by_adr = map_new(resolver->compilation->arena, 0) };
	if (!diag_enabled(resolver_diags(resolver), DIAG_ADR_BLOCK))
		return;
	decisions.end = &decisions.first;
	if (rows_compare(&decisions, false))
		rows_compare(&decisions, true);
	for (const struct decision *decision = decisions.first; decision; decision = decision->next)
		for (const struct decided *at = decision->rows; at; at = at->next)
			if (!at->cited && !command_is_broken(resolver, at->word))
				report_uncited(resolver, decision, at);
}
