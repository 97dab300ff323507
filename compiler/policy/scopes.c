/* Scopes of ADRs, and the citations of rows: each reference is opened and asked. */
#include <errno.h>
#include <string.h>

#include "compiler/base/ascii.h"
#include "compiler/base/limits.h"
#include "compiler/base/utf8.h"
#include "compiler/policy/adr_folders.h"
#include "compiler/policy/adr_reference.h"
#include "compiler/policy/resolver.h"

enum { SUCCESSION_MAX = 16 }; /* how far a chain of superseding ADRs is followed */

/* ---- scopes ---- */

/* What one `decisions` says of each folder that its pattern matches. */
struct definition {
	const struct layer_work *work;
	const struct ast_statement *statement;
	const char *const *accept;
	size_t accept_count;
	bool unread; /* no folder is opened: what its words are is not known, or nobody asks */
};

static bool accepted_word_fits(struct resolver *resolver, const struct ast_word *word)
{
	size_t length = utf8_length(word->text);
	if (length <= ACCEPT_LENGTH_MAX)
		return true;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LIMIT, word->span,
					   "the word for accepted has %zu characters, more than %d", length,
					   ACCEPT_LENGTH_MAX);
	diag_help(d, "write what a status begins with: accept \"Approved\"");
	return false;
}

static bool accepted_words_fit(struct resolver *resolver, const struct ast_entries *words)
{
	if (words->count > ACCEPT_WORDS_MAX) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LIMIT,
						   words->items[ACCEPT_WORDS_MAX].word.span,
						   "more than %d words for accepted", ACCEPT_WORDS_MAX);
		diag_help(d, "leave out those that no status begins with");
		return false;
	}
	bool fit = true;
	for (size_t i = 0; i < words->count; i++)
		fit = accepted_word_fits(resolver, &words->items[i].word) && fit;
	return fit;
}

/* Where they do not fit, which ADRs are accepted is as open as where the statement has no end. */
static void accepted_words_read(struct resolver *resolver, struct definition *definition)
{
	const struct ast_entries *words = &definition->statement->entries;
	if (!definition->statement->broken && !accepted_words_fit(resolver, words)) {
		definition->unread = true;
		return;
	}
	const char **texts = arena_array(resolver->compilation->arena, words->count, sizeof *texts);
	for (size_t i = 0; i < words->count; i++)
		texts[i] = ast_word_text(&words->items[i].word);
	definition->accept = texts;
	definition->accept_count = words->count;
}

static void report_folder(struct resolver *resolver, const struct ast_statement *statement,
			  const char *folder)
{
	struct compilation *compilation = resolver->compilation;
	if (errno != ENOENT && errno != ENOTDIR) {
		diag_trouble(compilation->diags, "cannot list '%s%s': %s",
			     sources_tree(compilation->sources)->label, folder,
			     source_failure(compilation->arena, errno, SOURCE_SIZE_MAX));
		return;
	}
	bool is_file = errno == ENOTDIR;
	struct diagnostic *d =
		diag_report(compilation->diags, DIAG_DECISIONS, statement->words->path.span,
			    is_file ? "'%s' is no folder" : "the folder '%s' is not there", folder);
	if (is_file)
		diag_help(d, "name the folder that holds the ADRs");
	else
		diag_help(d, "paths start at the folder of the file that names them");
}

/* False where the scope is known already: that was reported. */
static bool scope_is_new(struct resolver *resolver, const char *name, struct span place)
{
	const struct scope *known = scope_index_named(&resolver->scope_index, name);
	if (!known)
		return true;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_DUPLICATE, place,
					   "the ADRs of scope '%s' have a folder already", name);
	diag_note(d, known->span, "it is given here");
	diag_help(d, "a scope is defined once, in the lowest layer that cites it");
	return false;
}

static void scope_add(struct resolver *resolver, const struct definition *definition, const char *name,
		      struct span place, struct adr_scope *adrs)
{
	struct scope *scope = arena_alloc(resolver->compilation->arena, sizeof *scope);
	*scope = (struct scope){ .name = name,
				 .span = place,
				 .adrs = adrs,
				 .statement = definition->statement,
				 .accept = definition->accept,
				 .accept_count = definition->accept_count,
				 .layer = definition->work->layer };
	resolver->scopes = arena_grow(resolver->compilation->arena, resolver->scopes, resolver->scope_count,
				      &resolver->scope_capacity, sizeof(struct scope *));
	resolver->scopes[resolver->scope_count++] = scope;
	scope_index_add(&resolver->scope_index, name, scope);
}

/* `name` without a folder that can be listed stays a scope: only its ADRs are unknown. */
static void folder_define(struct resolver *resolver, const struct definition *definition, const char *name,
			  struct span place, const char *folder)
{
	struct adr_scope *adrs = NULL;
	if (!scope_is_new(resolver, name, place))
		return;
	if (!definition->unread) {
		adrs = adr_scope_open(resolver->compilation, name, folder, definition->accept,
				      definition->accept_count);
		if (!adrs)
			report_folder(resolver, definition->statement, folder);
	}
	scope_add(resolver, definition, name, place, adrs);
}

/* ---- patterns: a scope for each match ---- */

static bool pattern_is_good(struct resolver *resolver, const struct ast_statement *statement)
{
	const struct ast_word *path = &statement->words->path;
	struct diagnostic *d = NULL;
	if (!adr_pattern_is_valid(path->text)) {
		d = diag_report(resolver_diags(resolver), DIAG_VALUE, path->span,
				"a pattern of folders has one '*' and no other sign of patterns");
		diag_help(d, "what the '*' stands for is the scope's name: decisions \"docs/phases/*/adr\"");
		return false;
	}
	if (!statement->words->name.text)
		return true;
	d = diag_report(resolver_diags(resolver), DIAG_VALUE, statement->words->name.span,
			"a pattern of folders names its scopes itself");
	diag_help(d, "leave '%s' out: a scope is called what the '*' stands for",
		  statement->words->name.text);
	return false;
}

static void pattern_define(struct resolver *resolver, const struct definition *definition,
			   const char *pattern)
{
	struct compilation *compilation = resolver->compilation;
	struct adr_folders folders;
	struct span place = definition->statement->words->path.span;
	if (!pattern_is_good(resolver, definition->statement) || definition->unread) {
		resolver->scopes_refused = true;
		return;
	}
	if (!adr_folders_find(compilation, pattern, &folders)) {
		resolver->scopes_refused = true;
		report_folder(resolver, definition->statement, adr_pattern_folder(compilation, pattern));
		return;
	}
	for (size_t i = 0; i < folders.count; i++)
		folder_define(resolver, definition, folders.items[i].name, place, folders.items[i].path);
	if (folders.count)
		return;
	resolver->scopes_refused = true;
	struct diagnostic *d =
		diag_report(compilation->diags, DIAG_DECISIONS, place, "no folder matches '%s'", pattern);
	diag_help(d, "paths start at the folder of the file that names them");
}

static void scope_define(struct resolver *resolver, const struct layer_work *work,
			 const struct ast_statement *statement)
{
	const struct ast_word *name = &statement->words->name;
	struct definition definition = {
		.work = work,
		.statement = statement,
		.unread = statement->broken || resolver->compilation->adrs_unread,
	};
	if (!statement->words->path.text)
		return;
	accepted_words_read(resolver, &definition);
	const char *path = path_beside(resolver->compilation->arena, work->ast.source->path,
				       statement->words->path.text);
	if (adr_pattern_is(statement->words->path.text))
		pattern_define(resolver, &definition, path);
	else
		folder_define(resolver, &definition, name->text ? name->text : work->layer->scope,
			      name->text ? name->span : ast_keyword(statement), path);
}

static void entry_skip(void *context, const char *name)
{
	(void)context;
	(void)name;
}

/*
 * Where projects keep ADRs, as seen from the policy: the first such folder that is there, or NULL. One of the
 * layer's name in such a folder is the layer's own.
 */
static const char *folder_likely(struct resolver *resolver, const struct layer_work *layer)
{
	static const char *const usual[] = { "adr",           "adrs",           "docs/adr",
					     "docs/adrs",     "docs/decisions", "doc/adr",
					     "doc/decisions", "decisions" };
	static const char *const from[] = { "", "../" };
	enum { USUAL = sizeof usual / sizeof *usual, BEFORE = sizeof from / sizeof *from };
	struct arena *arena = resolver->compilation->arena;
	const struct tree *tree = sources_tree(resolver->compilation->sources);
	const char *const ends[] = { arena_joined(arena, "/", layer->layer->scope, ""), "" };
	for (size_t i = 0; i < 2 * (size_t)BEFORE * USUAL; i++) {
		const char *folder = arena_joined(arena, from[i / USUAL % BEFORE], usual[i % USUAL],
						  ends[i / USUAL / BEFORE]);
		const char *path = path_beside(arena, layer->ast.source->path, folder);
		if (tree->list(tree, path, entry_skip, NULL) == 0)
			return folder;
	}
	return NULL;
}

void scopes_open(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->layer_count; i++) {
		const struct layer_work *work = &resolver->works[i];
		for (const struct ast_statement *at = work->ast.others; at; at = at->words->next_other)
			if (at->kind == AST_DECISIONS)
				scope_define(resolver, work, at);
	}
	const struct layer_work *top = &resolver->works[resolver->layer_count - 1];
	if (resolver->scope_count || resolver->scopes_refused || resolver->incomplete || top->ast.broken ||
	    !top->named)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_UNCHECKED, top->name.span,
					   "no ADR is checked: the policy does not say where they are");
	const char *likely = d ? folder_likely(resolver, top) : NULL;
	diag_help(d, "name the folder of this layer's ADRs:");
	if (likely)
		diag_fix(d, "decisions \"%s\"", likely);
	else
		diag_fix(d, "decisions \"../adr/%s\"", top->layer->scope);
}

/* ---- opening one reference ---- */

/* A reference as one layer writes it; kept, so that 100,000 rows that cite one ADR open it once. */
struct bound {
	const char *text;       /* canonical */
	struct adr_reference reference; /* with a scope, that of the layer where none is written */
	const struct scope *scope; /* NULL: not defined */
	const struct adr *adr;
	bool valid;
	bool several; /* scopes that its spelling may mean */
	bool scoped;  /* of a scope that is not the layer's own: a bare number would be of that */
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

/* What names the file in its folder: 0015 of "adr/phase7/0015-title.md", 20260924-title. */
static const char *file_reference(struct resolver *resolver, const char *path)
{
	struct slice name = slice_of(path_base(path)), digits = adr_file_digits(name);
	struct slice slug =
		adr_dated_slug(digits, slice_from(name, (size_t)(digits.at - name.at) + digits.size));
	struct arena *arena = resolver->compilation->arena;
	const char *number = arena_text(arena, digits.at, digits.size);
	return slug.size ? arena_joined(arena, number, "-", arena_text(arena, slug.at, slug.size)) : number;
}

/* The same of a reference whose file is not there. */
static const char *missing_reference(struct resolver *resolver, const struct adr_reference *reference,
				     const char *text)
{
	if (!reference->slug)
		return number_text(text);
	return arena_printf(resolver->compilation->arena, "%lu-%s", reference->number, reference->slug);
}

/* The bound of this key, new and empty where it was not opened before. */
static struct bound *bound_at(struct resolver *resolver, const struct layer_work *layer,
			      const struct ast_word *word, bool *known)
{
	struct arena *arena = resolver->compilation->arena;
	const char *key = arena_joined(arena, layer->layer->scope, " ", ast_word_is_quoted(word) ? "\"" : "",
				       word->text);
	void **place = map_at(resolver->citations, key, strlen(key));
	*known = *place != NULL;
	if (*known)
		return *place;
	struct bound *bound = arena_alloc(arena, sizeof *bound);
	*place = bound;
	bound->next = resolver->bounds;
	resolver->bounds = bound;
	return bound;
}

/* What stands in quotes may spell its scope in another way; all else names it. */
static void bound_open(struct resolver *resolver, struct bound *bound, const char *text, bool spelt)
{
	struct adr_reference *reference = &bound->reference;
	const char *tail = missing_reference(resolver, reference, text);
	const char *const *paths = NULL;
	bound->scope = spelt ? scope_index_spelt(&resolver->scope_index, reference->scope, &bound->several)
			     : scope_index_named(&resolver->scope_index, reference->scope);
	if (bound->scope)
		reference->scope = bound->scope->name;
	if (bound->scope && bound->scope->adrs) {
		if (adr_scope_find(bound->scope->adrs, reference, &paths) == 1)
			tail = file_reference(resolver, paths[0]);
		bound->adr = adr_scope_read_reference(bound->scope->adrs, reference);
	}
	bound->text = arena_joined(resolver->compilation->arena, reference->scope, "/", tail);
}

/*
 * 20260924-tools and phase2/20260924-tools need no quotes: they are numbers with a title.
 * 02-ADR-20260924-tools is a spelling of another scope.
 */
static bool begins_with_date(const char *text)
{
	const char *slash = strchr(text, '/');
	return strspn(slash ? slash + 1 : text, "0123456789") == strlen("20260924");
}

static struct bound *reference_open(struct resolver *resolver, const struct layer_work *layer,
				    const struct ast_word *word)
{
	struct compilation *compilation = resolver->compilation;
	if (resolver->last_layer == layer->layer && resolver->last_quoted == ast_word_is_quoted(word) &&
	    strcmp(resolver->last_text, word->text) == 0)
		return resolver->last_bound;
	bool known;
	struct bound *bound = bound_at(resolver, layer, word, &known);
	resolver->last_text = word->text;
	resolver->last_quoted = ast_word_is_quoted(word);
	resolver->last_layer = layer->layer;
	resolver->last_bound = bound;
	if (known)
		return bound;
	struct adr_reference *reference = &bound->reference;
	bound->valid = adr_reference_parse(compilation, word->text, &reference->scope, &reference->number) ||
		       (adr_reference_read(compilation, word->text, reference) &&
			(ast_word_is_quoted(word) || (reference->slug && begins_with_date(word->text))));
	if (!bound->valid)
		return bound;
	bool spelt = ast_word_is_quoted(word) && reference->scope;
	if (!reference->scope)
		reference->scope = layer->layer->scope;
	bound_open(resolver, bound, word->text, spelt);
	bound->scoped = strcmp(reference->scope, layer->layer->scope) != 0;
	return bound;
}

/* ---- what can be wrong with it ---- */

/* The number in "docs/adr/0015-title.md", or NULL; "1.5" names no file. */
static const char *number_of_file(struct arena *arena, const char *text)
{
	const char *name = path_base(text), *end = strrchr(name, '.');
	size_t size = strspn(name, "0123456789");
	bool named = size && strchr("-_.", name[size]) && end && ascii_is_letter(end[1]);
	return named ? arena_copy(arena, name, size) : NULL;
}

static bool scope_has_folder(const struct scope *scope, const char *name)
{
	const char *folder = scope->statement->words->path.text;
	return folder && strcmp(path_base(folder), name) == 0;
}

/* The scope whose folder has that name: a reference as paths of ADRs have it. */
static const struct scope *scope_of_folder(const struct resolver *resolver, const char *name)
{
	for (size_t i = 0; i < resolver->scope_count; i++)
		if (scope_has_folder(resolver->scopes[i], name))
			return resolver->scopes[i];
	return NULL;
}

/*
 * How a row of the layer cites the file: "0001", or "phase2/0001" where that scope's ADRs are in the file's
 * folder. NULL where the text is no file, or the folder that of no scope: a bare number would be the layer's.
 */
static const char *reference_of_file(struct resolver *resolver, const struct layer_work *layer,
				     const char *text)
{
	struct arena *arena = resolver->compilation->arena;
	const char *number = number_of_file(arena, text), *name = path_base(text);
	if (!number || name == text)
		return number;
	const char *folder = path_base(arena_copy(arena, text, (size_t)(name - text) - 1));
	const struct scope *own = scope_index_named(&resolver->scope_index, layer->layer->scope);
	if (own && scope_has_folder(own, folder))
		return number;
	const struct scope *scope = scope_index_named(&resolver->scope_index, folder);
	if (!scope && names_may_be_searched(resolver, resolver->scope_count))
		scope = scope_of_folder(resolver, folder);
	if (!scope || scope == own)
		return scope ? number : NULL;
	return arena_joined(arena, scope->name, "/", number);
}

static void report_form(struct resolver *resolver, const struct layer_work *layer,
			const struct ast_word *word)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE, word->span,
					   "'%s' is no reference to an ADR", word->text);
	const char *reference = d ? reference_of_file(resolver, layer, word->text) : NULL;
	if (!ast_word_is_quoted(word) &&
	    adr_reference_read(resolver->compilation, word->text, &(struct adr_reference){ 0 }))
		diag_help(d, "this spelling stands in quotes: adr \"%s\"", word->text);
	else if (reference)
		diag_help(d, "write its number instead of its file: adr %s", reference);
	else
		diag_help(d, "write its number, with its scope where it is another layer's: 0015, ADR-0015, "
			     "phase2/0001");
}

static void report_several(struct resolver *resolver, struct bound *bound, struct span place)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_SCOPE, place,
					   "'%s' may be more than one scope of ADRs", bound->reference.scope);
	bound->diagnostic = d;
	enum { SCOPES_SHOWN = 4 };
	size_t shown = 0;
	for (size_t i = 0; d && shown < SCOPES_SHOWN && i < resolver->scope_count; i++) {
		const struct scope *scope = resolver->scopes[i];
		if (!adr_scope_is_spelt(scope->name, bound->reference.scope))
			continue;
		diag_note(d, scope->span, "'%s' is one of them", scope->name);
		shown++;
	}
	diag_help(d, "write the scope's name");
}

static void report_scope(struct resolver *resolver, struct bound *bound, struct span place)
{
	const char *name = bound->reference.scope;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_SCOPE, place,
					   "no 'decisions' says where the ADRs of '%s' are", name);
	bound->diagnostic = d;
	if (!d)
		return;
	struct suggestion near = suggestion_begin(name);
	bool searched = names_may_be_searched(resolver, resolver->scope_count);
	for (size_t i = 0; searched && i < resolver->scope_count; i++)
		suggestion_offer(&near, resolver->scopes[i]->name);
	const struct scope *same = searched ? scope_of_folder(resolver, name) : NULL;
	if (near.nearest)
		diag_help(d, "did you mean '%s/%s'?", near.nearest, path_base(bound->text));
	else if (same)
		diag_help(d, "'%s' is the folder of the ADRs of '%s': write %s/%s", name, same->name,
			  same->name, path_base(bound->text));
	else
		diag_help(d, "name their folder: decisions %s \"../adr/%s\"", name, name);
}

/*
 * Notes where accepted ADRs of the scope name the subject, three at most. The reference of the only one, else
 * NULL.
 */
static const char *deciding_note(struct resolver *resolver, const struct scope *scope, const char *subject,
				 struct diagnostic *d)
{
	enum { SHOWN_MAX = 3 };
	size_t count = d && scope && scope->adrs ? adr_scope_count(scope->adrs) : 0, found = 0;
	const char *only = NULL;
	if (!names_may_be_searched(resolver, count))
		return NULL;
	for (size_t i = 0; i < count && found < SHOWN_MAX; i++) {
		const struct adr *adr = adr_scope_at(scope->adrs, i);
		const struct adr_code_span *span =
			adr && adr->status == ADR_ACCEPTED ? adr_names(adr, subject) : NULL;
		if (!span)
			continue;
		diag_note(d, span->span, "an accepted ADR names '%s' here", subject);
		only = found++ ? NULL : file_reference(resolver, adr->source->path);
	}
	return only;
}

static void report_missing(struct resolver *resolver, struct bound *bound, struct span place,
			   const char *subject)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_MISSING, place,
					   "there is no ADR %s", bound->text);
	bound->diagnostic = d;
	if (!d)
		return;
	diag_note(d, bound->scope->span, "the ADRs of '%s' are in the folder named here", bound->scope->name);
	struct arena *arena = resolver->compilation->arena;
	const char *scope = bound->scoped ? arena_joined(arena, bound->scope->name, "/") : "";
	const char *only = subject ? deciding_note(resolver, bound->scope, subject, d) : NULL;
	if (only) {
		diag_help(d, "where that ADR decides so: adr %s%s", scope, only);
		return;
	}
	unsigned long near[3];
	size_t count = adr_scope_near(bound->scope->adrs, bound->reference.number, near, 3);
	if (!count) {
		diag_help(d, "that folder holds no ADR; the number stands in the file's name: 0001-title.md");
		return;
	}
	char *list = "";
	for (size_t i = 0; i < count; i++) {
		const char *separator = i == 0 ? "" : i + 1 == count ? " or " : ", ";
		list = arena_printf(arena, "%s%s%s%04lu", list, separator, scope, near[i]);
	}
	diag_help(d, "did you mean %s?", list);
}

static void report_ambiguous(struct resolver *resolver, struct bound *bound, struct span place)
{
	const char *const *paths;
	size_t count = adr_scope_find(bound->scope->adrs, &bound->reference, &paths);
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_ADR_AMBIGUOUS, place,
					   "%zu files have the number of ADR %s", count, bound->text);
	bound->diagnostic = d;
	for (size_t i = 0; d && i < count; i++) {
		struct source *source = sources_load(resolver->compilation->sources, paths[i]);
		diag_note(d, (struct span){ source, 0, 0 }, "%s is one of them", path_base(paths[i]));
	}
	if (strchr(file_reference(resolver, paths[0]), '-'))
		diag_help(d, "cite one with its title: adr %s", file_reference(resolver, paths[0]));
	else
		diag_help(d, "give each ADR a number of its own");
}

/* Where a superseded ADR leads. */
struct succession {
	const struct adr
		*adr; /* the accepted one at the end of the chain; NULL where something is wrong with it */
	const char *text;      /* its reference, or that of the last one that was looked for */
	const char *problem;   /* why it does not count, a sentence */
	struct span span;      /* the problem's */
};

/* The next ADR of the chain, or NULL with the problem told. */
static const struct adr *successor_open(struct resolver *resolver, const struct adr *adr,
					const char **scope_name, struct succession *succession)
{
	struct arena *arena = resolver->compilation->arena;
	struct adr_reference reference;
	const char *const *paths;
	bool several;
	succession->span = adr->successor_span;
	if (!adr_reference_read(resolver->compilation, adr->successor, &reference)) {
		succession->text = adr->successor;
		succession->problem =
			arena_printf(arena, "its successor '%s' is no reference", adr->successor);
		return NULL;
	}
	if (!reference.scope)
		reference.scope = *scope_name;
	const struct scope *scope = scope_index_spelt(&resolver->scope_index, reference.scope, &several);
	*scope_name = scope ? scope->name : reference.scope;
	succession->text = arena_printf(arena, "%s/%s", *scope_name,
					missing_reference(resolver, &reference, adr->successor));
	if (!scope || !scope->adrs) {
		succession->problem = arena_printf(
			arena, "its successor %s cannot be read: %s", succession->text,
			several ? "several scopes may be meant" : "no 'decisions' says where that scope is");
		return NULL;
	}
	size_t files = adr_scope_find(scope->adrs, &reference, &paths);
	if (files != 1) {
		succession->problem =
			files ? arena_printf(arena, "%zu files have the number of its successor %s", files,
					     succession->text)
			      : arena_printf(arena, "there is no ADR %s, its successor", succession->text);
		return NULL;
	}
	succession->text = arena_printf(arena, "%s/%s", *scope_name, file_reference(resolver, paths[0]));
	const struct adr *next = adr_scope_read_reference(scope->adrs, &reference);
	if (!next)
		succession->problem =
			arena_printf(arena, "its successor %s cannot be read", succession->text);
	return next;
}

/* Follows the successors of a superseded ADR. */
static struct succession succession_follow(struct resolver *resolver, const struct bound *bound)
{
	struct arena *arena = resolver->compilation->arena;
	struct succession succession = { .text = bound->text };
	const struct adr *adr = bound->adr;
	const char *scope_name = bound->reference.scope;
	for (int i = 0; i < SUCCESSION_MAX && adr->status == ADR_SUPERSEDED; i++) {
		const char *of = succession.text;
		if (!adr->successor) {
			succession.span = adr->status_span;
			succession.problem = arena_printf(arena, "%s names no successor", of);
			return succession;
		}
		adr = successor_open(resolver, adr, &scope_name, &succession);
		if (!adr)
			return succession;
	}
	succession.span = adr->status_span;
	if (adr->status == ADR_ACCEPTED)
		succession.adr = adr;
	else if (adr->status == ADR_SUPERSEDED)
		succession.problem = "the chain of its successors does not end";
	else if (adr->status == ADR_UNKNOWN)
		succession.problem = arena_printf(arena, "its successor %s is not certainly accepted: %s",
						  succession.text, adr->doubt);
	else
		succession.problem = arena_printf(arena, "its successor %s is %s, not accepted",
						  succession.text, adr_status_word(adr->status));
	return succession;
}

bool row_is_named(const struct row *row, const struct adr *adr)
{
	bool conditional = row->kind == SUBJECT_SYSCALL && row->subject[0] != '@' && row->calls[0].condition;
	return adr_names(adr, row->subject) || (conditional && adr_names(adr, row->calls[0].call->name));
}

/* The same, and whether the successor names all subjects. */
static struct succession succession_judge(struct resolver *resolver, const struct bound *bound,
					  struct row *const *rows, size_t row_count)
{
	struct succession succession = succession_follow(resolver, bound);
	for (size_t i = 0; succession.adr && i < row_count; i++) {
		if (row_is_named(rows[i], succession.adr))
			continue;
		succession.problem =
			arena_printf(resolver->compilation->arena, "its successor %s does not name '%s'",
				     succession.text, rows[i]->subject);
		succession.adr = NULL;
	}
	return succession;
}

static void note_status(struct diagnostic *d, const struct adr *adr)
{
	if (*adr->status_text)
		diag_note(d, adr->status_span, "its status stands here");
	else
		diag_note(d, adr->status_span,
			  adr->no_text ? "this is the file" : "no status was found in this file");
}

static void report_status(struct resolver *resolver, struct bound *bound, struct span place,
			  const struct succession *succession)
{
	const struct adr *adr = bound->adr;
	struct diagnostic *d;
	if (adr->status == ADR_UNKNOWN)
		d = diag_report(resolver_diags(resolver), DIAG_ADR_STATUS, place,
				"ADR %s is not certainly accepted: %s", bound->text, adr->doubt);
	else
		d = diag_report(resolver_diags(resolver), DIAG_ADR_STATUS, place,
				"ADR %s is %s, not accepted", bound->text, adr_status_word(adr->status));
	bound->diagnostic = d;
	if (!d)
		return;
	note_status(d, adr);
	if (succession)
		diag_note(d, succession->span, "%s", succession->problem);
	if (adr->status == ADR_SUPERSEDED)
		diag_help(d, "cite the accepted ADR that names the subject, or revoke the row");
	else if (adr->status != ADR_UNKNOWN)
		diag_help(d, "cite an ADR that is accepted, or let the row wait until this one is");
	else
		diag_help(d, "%s", adr_status_help(adr));
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

/* A row that its ADR does not name. Which other one does is known when all that are cited are read. */
struct silence {
	const struct bound *bound;
	const char *subject;
	struct diagnostic *diagnostic;
	struct silence *next;
};

static void silence_add(struct resolver *resolver, const struct bound *bound, const char *subject,
			struct diagnostic *diagnostic)
{
	struct silence *silence = arena_alloc(resolver->compilation->arena, sizeof *silence);
	*silence = (struct silence){ bound, subject, diagnostic, resolver->silences };
	resolver->silences = silence;
}

/* Of the ADRs that were read anyway: to look into more would make them inputs of the policy. */
static void silence_note(struct resolver *resolver, const struct silence *silence)
{
	const struct bound *only = NULL;
	for (const struct bound *bound = resolver->bounds; bound; bound = bound->next) {
		if (!names_may_be_searched(resolver, 1))
			return;
		bool other = bound->scope == silence->bound->scope && bound->adr != silence->bound->adr;
		if (!other || !bound->adr || bound->adr->status != ADR_ACCEPTED ||
		    !adr_names(bound->adr, silence->subject))
			continue;
		if (only && only->adr != bound->adr)
			return;
		only = bound;
	}
	if (only)
		diag_note(silence->diagnostic, adr_names(only->adr, silence->subject)->span,
			  "ADR %s names '%s' here", only->text, silence->subject);
}

static void report_silent(struct resolver *resolver, const struct bound *bound, const struct row *row)
{
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_ADR_SILENT, row->span,
			    "ADR %s does not name '%s' in a code span", bound->text, row->subject);
	if (!d)
		return;
	silence_add(resolver, bound, row->subject, d);
	bool searched = names_may_be_searched(resolver, bound->adr->code_span_count);
	const struct adr_code_span *near = searched ? adr_nearest(bound->adr, row->subject) : NULL;
	if (near) {
		diag_note(d, near->span, "it names '%s' here", near->text);
		diag_help(d, "did you mean '%s'?", near->text);
	} else {
		int size = (int)strcspn(row->subject, row->kind == SUBJECT_SYSCALL ? "(" : "");
		diag_help(d, "cite the ADR that decided it, or name `%.*s` there", size, row->subject);
	}
}

/* A row whose ADR is accepted, or superseded, must be named by it. */
static void subjects_check(struct resolver *resolver, const struct bound *bound, struct row *const *rows,
			   size_t row_count)
{
	for (size_t i = 0; i < row_count; i++)
		if (!rows[i]->broken && !row_is_named(rows[i], bound->adr))
			report_silent(resolver, bound, rows[i]);
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
		if (bound->several)
			report_several(resolver, bound, place);
		else if (bound->reported)
			report_scope(resolver, bound, place);
		return;
	}
	if (!bound->scope->adrs)
		return;
	const char *const *paths;
	size_t files = adr_scope_find(bound->scope->adrs, &bound->reference, &paths);
	bool accepted = bound->adr && bound->adr->status == ADR_ACCEPTED;
	bound->reported = files != 1 || (bound->adr && !accepted && bound->adr->status != ADR_SUPERSEDED);
	if (files == 0) {
		report_missing(resolver, bound, place, row_count ? rows[0]->subject : NULL);
	} else if (files > 1) {
		report_ambiguous(resolver, bound, place);
	} else if (accepted) {
		subjects_check(resolver, bound, rows, row_count);
	} else if (bound->adr && bound->adr->status == ADR_SUPERSEDED) {
		struct succession succession = succession_judge(resolver, bound, rows, row_count);
		if (succession.adr)
			report_superseded(resolver, bound, place, succession.text);
		else
			report_status(resolver, bound, place, &succession);
	} else if (bound->adr) {
		report_status(resolver, bound, place, NULL);
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

static void report_twice(struct resolver *resolver, const struct citation *citation,
			 const struct citation *first)
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
		struct bound *bound = reference_open(resolver, layer, word);
		if (!bound->valid) {
			report_form(resolver, layer, word);
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

const char *deciding_adr_note(struct resolver *resolver, const struct layer_work *layer, const char *subject,
			      struct diagnostic *d)
{
	const struct scope *own = scope_index_named(&resolver->scope_index, layer->layer->scope);
	return deciding_note(resolver, own, subject, d);
}

const char *reference_bind(struct resolver *resolver, const struct layer_work *layer,
			   const struct ast_word *word)
{
	struct bound *bound = reference_open(resolver, layer, word);
	if (!bound->valid) {
		report_form(resolver, layer, word);
		return NULL;
	}
	size_t errors = diags_errors(resolver_diags(resolver));
	citation_check(resolver, bound, word->span, NULL, 0);
	return diags_errors(resolver_diags(resolver)) == errors ? bound->text : NULL;
}

void citations_close(struct resolver *resolver)
{
	for (const struct silence *silence = resolver->silences; silence; silence = silence->next)
		silence_note(resolver, silence);
	for (const struct bound *bound = resolver->bounds; bound; bound = bound->next)
		if (bound->more)
			diag_note(bound->diagnostic, bound->next_place,
				  "%zu more row%s cite%s it, from here on", bound->more,
				  bound->more == 1 ? "" : "s", bound->more == 1 ? "s" : "");
}
