/* Scopes of ADRs, and the citations of rows: each reference is opened and asked. */
#include <errno.h>
#include <string.h>

#include "compiler/base/ascii.h"
#include "compiler/policy/adr_reference.h"
#include "compiler/policy/resolver.h"

enum { SUCCESSION_MAX = 16 }; /* how far a chain of superseding ADRs is followed */

/* ---- scopes ---- */

static struct scope *scope_find(const struct resolver *resolver, const char *name)
{
	void **known = map_find(resolver->scope_names, name, strlen(name));
	return known ? *known : NULL;
}

static const char **accepted_words(struct resolver *resolver, const struct ast_statement *statement)
{
	const char **words = arena_array(resolver->compilation->arena, statement->entries.count + 1, sizeof *words);
	for (size_t i = 0; i < statement->entries.count; i++)
		words[i] = statement->entries.items[i].word.text;
	return words;
}

static struct adr_scope *folder_open(struct resolver *resolver, const struct layer_work *work,
				     const struct ast_statement *statement, const char *name)
{
	struct compilation *compilation = resolver->compilation;
	const char *folder =
		path_beside(compilation->arena, work->ast.source->path, statement->words->path.text);
	struct adr_scope *scope =
		adr_scope_open(compilation, name, folder, accepted_words(resolver, statement), statement->entries.count);
	if (scope)
		return scope;
	if (errno != ENOENT && errno != ENOTDIR) {
		diag_trouble(compilation->diags, "cannot list '%s%s': %s",
			     sources_tree(compilation->sources)->label, folder, strerror(errno));
		return NULL;
	}
	struct diagnostic *d = diag_report(compilation->diags, DIAG_DECISIONS, statement->words->path.span,
					   errno == ENOTDIR ? "'%s' is no folder" : "the folder '%s' is not there",
					   folder);
	diag_help(d, "paths start at the folder of the file that names them");
	return NULL;
}

static void scope_define(struct resolver *resolver, const struct layer_work *work,
			 const struct ast_statement *statement)
{
	if (!statement->words->path.text)
		return;
	if (strpbrk(statement->words->path.text, "*?[")) {
		not_built(resolver, statement->words->path.span, "a pattern in 'decisions'");
		resolver->scopes_refused = true;
		return;
	}
	const char *name = statement->words->name.text ? statement->words->name.text : work->layer->scope;
	struct span place = statement->words->name.text ? statement->words->name.span : statement->keyword;
	const struct scope *known = scope_find(resolver, name);
	if (known) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_DUPLICATE, place,
						   "the ADRs of scope '%s' have a folder already", name);
		diag_note(d, known->span, "it is given here");
		diag_help(d, "a scope is defined once, in the lowest layer that cites it");
		return;
	}
	struct adr_scope *adrs = NULL;
	if (!statement->broken && !resolver->compilation->adrs_unread)
		adrs = folder_open(resolver, work, statement, name);
	struct scope *scope = arena_alloc(resolver->compilation->arena, sizeof *scope);
	*scope = (struct scope){ name, place, adrs, statement, work->layer };
	resolver->scopes = arena_grow(resolver->compilation->arena, resolver->scopes, resolver->scope_count,
				      &resolver->scope_capacity, sizeof(struct scope *));
	resolver->scopes[resolver->scope_count++] = scope;
	*map_at(resolver->scope_names, name, strlen(name)) = scope;
}

void scopes_open(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->layer_count; i++) {
		const struct layer_work *work = &resolver->works[i];
		for (const struct ast_statement *at = work->ast.others; at; at = at->next_other)
			if (at->kind == AST_DECISIONS)
				scope_define(resolver, work, at);
	}
	const struct layer_work *top = &resolver->works[resolver->layer_count - 1];
	if (resolver->scope_count || resolver->scopes_refused || resolver->incomplete || top->ast.broken || !top->named)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_UNCHECKED, top->name.span,
					   "no ADR is checked: the policy does not say where they are");
	diag_help(d, "name the folder of this layer's ADRs:");
	diag_fix(d, "decisions \"../adr/%s\"", top->layer->scope);
}

/* ---- opening one reference ---- */

/* A reference as one layer writes it; kept, so that 100,000 rows that cite one ADR open it once. */
struct bound {
	const char *text;       /* canonical */
	const char *scope_name;
	unsigned long number;
	const struct scope *scope; /* NULL: not defined */
	const struct adr *adr;
	bool valid;
	/* What was reported of it: further rows that cite it are counted, not reported again. */
	struct diagnostic *diagnostic;
	bool reported;
	size_t more;
	struct span next_place;
	struct bound *next;
};

/* "0015" of "phase7/ADR-0015", with its own width. */
static const char *number_text(const char *reference)
{
	size_t size = strlen(reference);
	while (size && ascii_is_digit(reference[size - 1]))
		size--;
	return reference + size;
}

/* The number as its file's name has it: 0015 of "adr/phase7/0015-title.md". */
static const char *file_number(struct resolver *resolver, const char *path)
{
	struct slice digits = adr_file_digits(slice_of(path_base(path)));
	return arena_copy(resolver->compilation->arena, digits.at, digits.size);
}

static struct bound *reference_open(struct resolver *resolver, const struct layer_work *layer, const char *text)
{
	struct compilation *compilation = resolver->compilation;
	if (resolver->last_layer == layer->layer && strcmp(resolver->last_text, text) == 0)
		return resolver->last_bound;
	const char *key = arena_printf(compilation->arena, "%s %s", layer->layer->scope, text);
	void **known = map_at(resolver->citations, key, strlen(key));
	struct bound *bound = *known ? *known : arena_alloc(compilation->arena, sizeof *bound);
	resolver->last_text = text;
	resolver->last_layer = layer->layer;
	resolver->last_bound = bound;
	if (*known)
		return bound;
	*known = bound;
	bound->next = resolver->bounds;
	resolver->bounds = bound;
	bound->valid = adr_reference_parse(compilation, text, &bound->scope_name, &bound->number);
	if (!bound->valid)
		return bound;
	if (!bound->scope_name)
		bound->scope_name = layer->layer->scope;
	bound->scope = scope_find(resolver, bound->scope_name);
	const char *digits = number_text(text);
	const char *const *paths = NULL;
	if (bound->scope && bound->scope->adrs) {
		if (adr_scope_files(bound->scope->adrs, bound->number, &paths) == 1)
			digits = file_number(resolver, paths[0]);
		bound->adr = adr_scope_read(bound->scope->adrs, bound->number);
	}
	bound->text = arena_printf(compilation->arena, "%s/%s", bound->scope_name, digits);
	return bound;
}

/* ---- what can be wrong with it ---- */

static void report_form(struct resolver *resolver, const struct ast_word *word)
{
	if (word->quoted) {
		not_built(resolver, word->span, "a quoted reference to an ADR");
		return;
	}
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE, word->span,
					   "'%s' is no reference to an ADR", word->text);
	diag_help(d, "write its number, with its scope where it is another layer's: 0015, ADR-0015, "
		     "phase2/0001");
}

static void report_scope(struct resolver *resolver, struct bound *bound, struct span place)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_SCOPE, place,
					   "no 'decisions' says where the ADRs of '%s' are", bound->scope_name);
	bound->diagnostic = d;
	if (!d)
		return;
	struct suggestion near = suggestion_begin(bound->scope_name);
	bool searched = names_may_be_searched(resolver, resolver->scope_count);
	for (size_t i = 0; searched && i < resolver->scope_count; i++)
		suggestion_offer(&near, resolver->scopes[i]->name);
	if (near.nearest)
		diag_help(d, "did you mean '%s/%s'?", near.nearest, number_text(bound->text));
	else
		diag_help(d, "name their folder: decisions %s \"../adr/%s\"", bound->scope_name,
			  bound->scope_name);
}

static void report_missing(struct resolver *resolver, struct bound *bound, struct span place)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_MISSING, place,
					   "there is no ADR %s", bound->text);
	bound->diagnostic = d;
	if (!d)
		return;
	diag_note(d, bound->scope->span, "the ADRs of '%s' are in the folder named here", bound->scope_name);
	unsigned long near[3];
	size_t count = adr_scope_near(bound->scope->adrs, bound->number, near, 3);
	if (!count) {
		diag_help(d, "that folder holds no ADR; the number stands in the file's name: 0001-title.md");
		return;
	}
	char *list = "";
	for (size_t i = 0; i < count; i++) {
		const char *separator = i == 0 ? "" : i + 1 == count ? " or " : ", ";
		list = arena_printf(resolver->compilation->arena, "%s%s%04lu", list, separator, near[i]);
	}
	diag_help(d, "did you mean %s?", list);
}

static void report_ambiguous(struct resolver *resolver, struct bound *bound, struct span place)
{
	const char *const *paths;
	size_t count = adr_scope_files(bound->scope->adrs, bound->number, &paths);
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_AMBIGUOUS, place,
					   "%zu files have the number of ADR %s", count, bound->text);
	bound->diagnostic = d;
	for (size_t i = 0; d && i < count; i++) {
		struct source *source = sources_load(resolver->compilation->sources, paths[i]);
		diag_note(d, (struct span){ source, 0, 0 }, "%s is one of them", path_base(paths[i]));
	}
	diag_help(d, "give each ADR a number of its own");
}

/* The accepted ADR at the end of the chain of successors, or NULL; `*text` is its reference. */
static const struct adr *successor_find(struct resolver *resolver, const struct bound *bound, const char **text)
{
	const struct adr *adr = bound->adr;
	const char *scope_name = bound->scope_name;
	for (int i = 0; i < SUCCESSION_MAX && adr && adr->status == ADR_SUPERSEDED && adr->successor; i++) {
		const char *next_scope, *reference = adr->successor;
		unsigned long number;
		if (!adr_reference_parse(resolver->compilation, reference, &next_scope, &number))
			return NULL;
		if (next_scope)
			scope_name = next_scope;
		const struct scope *scope = scope_find(resolver, scope_name);
		adr = scope && scope->adrs ? adr_scope_read(scope->adrs, number) : NULL;
		*text = arena_printf(resolver->compilation->arena, "%s/%s", scope_name,
				     number_text(adr ? file_number(resolver, adr->source->path) : reference));
	}
	return adr && adr->status == ADR_ACCEPTED ? adr : NULL;
}

static void note_status(struct diagnostic *d, const struct adr *adr)
{
	if (*adr->status_text)
		diag_note(d, adr->status_span, "its status stands here");
	else
		diag_note(d, adr->status_span, "no status was found in this file");
}

static void report_status(struct resolver *resolver, struct bound *bound, struct span place)
{
	const struct adr *adr = bound->adr;
	struct diagnostic *d;
	if (adr->status == ADR_UNKNOWN)
		d = diag_report(resolver_diags(resolver), DIAG_ADR_STATUS, place,
				"ADR %s is not certainly accepted: %s", bound->text, adr->doubt);
	else
		d = diag_report(resolver_diags(resolver), DIAG_ADR_STATUS, place, "ADR %s is %s, not accepted",
				bound->text, adr_status_word(adr->status));
	bound->diagnostic = d;
	if (!d)
		return;
	note_status(d, adr);
	if (adr->status == ADR_SUPERSEDED)
		diag_help(d, "cite the accepted ADR that names the subject, or revoke the row");
	else if (adr->status != ADR_UNKNOWN)
		diag_help(d, "cite an ADR that is accepted, or let the row wait until this one is");
	else if (!*adr->status_text)
		diag_help(d, "an ADR says of itself 'Status: Accepted', or has a section 'Status' with that word");
	else
		diag_help(d, "a status is one word, with a comment after '.', ',' or '(': Accepted, 2026-05-19; a "
			     "word of your own that means it: decisions \"…\" accept \"Approved\"");
}

static void report_superseded(struct resolver *resolver, const struct bound *bound, struct span place,
			      const char *successor)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_SUPERSEDED, place,
					   "ADR %s is superseded by %s", bound->text, successor);
	if (!d)
		return;
	note_status(d, bound->adr);
	diag_help(d, "cite that one, which names the subject too: adr %s", successor);
}

static void report_silent(struct resolver *resolver, const struct bound *bound, const struct row *row)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_SILENT, row->span,
					   "ADR %s does not name '%s' in a code span", bound->text, row->subject);
	if (!d)
		return;
	bool searched = names_may_be_searched(resolver, bound->adr->code_span_count);
	const struct adr_code_span *near = searched ? adr_nearest(bound->adr, row->subject) : NULL;
	if (near) {
		diag_note(d, near->span, "it names '%s' here", near->text);
		diag_help(d, "did you mean '%s'?", near->text);
	} else {
		diag_help(d, "cite the ADR that decided it, or name `%s` there", row->subject);
	}
}

/* An ADR that speaks of clone speaks of clone(flags & CLONE_NEWUSER) too. */
static bool adr_names_subject(const struct adr *adr, const struct row *row)
{
	bool conditional = row->kind == SUBJECT_SYSCALL && row->subject[0] != '@' && row->calls[0].condition;
	return adr_names(adr, row->subject) || (conditional && adr_names(adr, row->calls[0].call->name));
}

/* A row whose ADR is accepted, or superseded, must be named by it. */
static void subjects_check(struct resolver *resolver, const struct bound *bound, struct row *const *rows,
			   size_t row_count)
{
	for (size_t i = 0; i < row_count; i++)
		if (!rows[i]->broken && !adr_names_subject(bound->adr, rows[i]))
			report_silent(resolver, bound, rows[i]);
}

static bool all_named(const struct adr *adr, struct row *const *rows, size_t row_count)
{
	for (size_t i = 0; i < row_count; i++)
		if (!adr_names_subject(adr, rows[i]))
			return false;
	return true;
}

/* What is wrong with the ADR itself is one mistake, however many rows cite it. */
static bool reported_before(struct bound *bound, struct span place)
{
	if (bound->reported && bound->more++ == 0)
		bound->next_place = place;
	return bound->reported;
}

static void citation_check(struct resolver *resolver, struct bound *bound, struct span place,
			   struct row *const *rows, size_t row_count)
{
	if (!resolver->scope_count || resolver->scopes_refused || resolver->compilation->adrs_unread)
		return;
	if (reported_before(bound, place))
		return;
	if (!bound->scope) {
		bound->reported = !resolver->incomplete;
		if (bound->reported)
			report_scope(resolver, bound, place);
		return;
	}
	if (!bound->scope->adrs)
		return;
	const char *const *paths;
	size_t files = adr_scope_files(bound->scope->adrs, bound->number, &paths);
	bool accepted = bound->adr && bound->adr->status == ADR_ACCEPTED;
	bound->reported = files != 1 || (bound->adr && !accepted && bound->adr->status != ADR_SUPERSEDED);
	if (files == 0) {
		report_missing(resolver, bound, place);
	} else if (files > 1) {
		report_ambiguous(resolver, bound, place);
	} else if (accepted) {
		subjects_check(resolver, bound, rows, row_count);
	} else if (bound->adr) {
		const char *text = NULL;
		const struct adr *successor = successor_find(resolver, bound, &text);
		if (successor && all_named(successor, rows, row_count))
			report_superseded(resolver, bound, place, text);
		else
			report_status(resolver, bound, place);
	}
}

/* The first of two equal references of one row, or NULL after noting this one. */
static const struct citation *cited_before(struct map *cited, struct citation *citation)
{
	void **place = map_at(cited, citation->text, strlen(citation->text));
	const struct citation *first = *place;
	if (!first)
		*place = citation;
	return first;
}

static void report_twice(struct resolver *resolver, const struct citation *citation, const struct citation *first)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_DUPLICATE, citation->span,
					   "ADR %s is cited twice", citation->text);
	diag_note(d, first->span, "it is cited here first");
	diag_help(d, "keep one of the two");
}

void citations_bind(struct resolver *resolver, const struct layer_work *layer,
		    const struct ast_attribute *attribute, struct row *const *rows, size_t row_count)
{
	const struct ast_entries *references = &attribute->values;
	struct citation *citations =
		arena_array(resolver->compilation->arena, references->count, sizeof *citations);
	struct map *cited = references->count > 1 ? map_new(resolver->compilation->arena, 8) : NULL;
	size_t count = 0;
	for (size_t i = 0; i < references->count; i++) {
		const struct ast_word *word = &references->items[i].word;
		struct bound *bound = reference_open(resolver, layer, word->text);
		if (!bound->valid) {
			report_form(resolver, word);
			continue;
		}
		struct citation *citation = &citations[count];
		*citation = (struct citation){ bound->text, word->span, bound->adr };
		const struct citation *first = cited ? cited_before(cited, citation) : NULL;
		if (first) {
			report_twice(resolver, citation, first);
			continue;
		}
		count++;
		citation_check(resolver, bound, word->span, rows, row_count);
	}
	for (size_t i = 0; i < row_count; i++) {
		rows[i]->citations = citations;
		rows[i]->citation_count = count;
	}
}

void citations_close(struct resolver *resolver)
{
	for (const struct bound *bound = resolver->bounds; bound; bound = bound->next)
		if (bound->more)
			diag_note(bound->diagnostic, bound->next_place, "%zu more row%s cite%s it, from here on",
				  bound->more, bound->more == 1 ? "" : "s", bound->more == 1 ? "s" : "");
}
