/* The chain of layers: the compiled file, what it extends, and the libraries that they use. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "compiler/base/ascii.h"
#include "compiler/base/limits.h"
#include "compiler/data/libraries.h"
#include "compiler/policy/edition.h"
#include "compiler/policy/parse.h"
#include "compiler/policy/resolve.h"
#include "compiler/policy/resolver.h"

enum { NAME_MAX_BYTES = 64 };

/* ---- the statements that stand once ---- */

/* The first statement of the kind; each further one is an error that shows both. */
static const struct ast_statement *statement_once(struct resolver *resolver, const struct ast_layer *ast,
						  enum ast_kind kind, const char *word)
{
	enum diag_id id = kind == AST_POLICY ? DIAG_POLICY : DIAG_DUPLICATE;
	const struct ast_statement *first = NULL;
	for (const struct ast_statement *at = ast->others; at; at = at->words->next_other) {
		if (at->kind != kind)
			continue;
		if (!first) {
			first = at;
			continue;
		}
		struct diagnostic *d = diag_report(resolver_diags(resolver), id, ast_keyword(at),
						   "'%s' stands twice in this file", word);
		diag_note(d, ast_keyword(first), "it stands here first");
		diag_help(d, "keep one of the two");
	}
	return first;
}

/* "CI Runner" as "ci-runner", "tools.allow" as "tools"; NULL where no name comes of it. */
static const char *name_made(struct arena *arena, const char *text)
{
	static const char end[] = ".allow";
	size_t size = strlen(text), made = 0;
	if (path_ends_with(text, end))
		size -= strlen(end);
	char *name = arena_alloc(arena, size + 1);
	for (size_t i = 0; i < size; i++) {
		char c = ascii_lower(text[i]);
		if (ascii_is_lower(c) || (made && (ascii_is_digit(c) || c == '_')))
			name[made++] = c;
		else if (made && name[made - 1] != '-')
			name[made++] = '-';
	}
	while (made && name[made - 1] == '-')
		made--;
	name[made] = '\0';
	return made && made <= NAME_MAX_BYTES && !name_is_keyword(name) ? name : NULL;
}

static void name_check(struct resolver *resolver, const struct ast_word *name)
{
	struct diags *diags = resolver_diags(resolver);
	if (ast_word_is_quoted(name) || !name_is_policy_name(name->text) ||
	    strlen(name->text) > NAME_MAX_BYTES) {
		struct diagnostic *d = diag_report(diags, DIAG_POLICY, name->span,
						   "'%s' cannot be a policy's name", name->text);
		const char *made = name_made(resolver->compilation->arena, name->text);
		diag_help(d,
			  "a name starts with a letter a to z and goes on with letters, digits, '-' and "
			  "'_', at most %d in all: policy %s",
			  NAME_MAX_BYTES, made ? made : "phase7");
		return;
	}
	if (!name_is_keyword(name->text))
		return;
	struct diagnostic *d = diag_report(
		diags, DIAG_POLICY, name->span,
		"'%s' is a keyword of C, C++ or Python: no artifact could be named so", name->text);
	diag_help(d, "choose another name: policy %s-policy", name->text);
}

static void policy_statement_bind(struct resolver *resolver, struct layer_work *work)
{
	const struct ast_layer *ast = &work->ast;
	const struct ast_statement *statement = statement_once(resolver, ast, AST_POLICY, "policy");
	work->name = (struct ast_word){ .text = "unnamed", .span = { ast->source, 0, 0 } };
	work->named = statement != NULL;
	if (statement) {
		if (statement->words->name.text)
			work->name = statement->words->name;
		if (!statement->broken && statement->words->name.text)
			name_check(resolver, &statement->words->name);
		if (statement == ast->statements || statement->broken)
			return;
		struct diagnostic *d =
			diag_report(resolver_diags(resolver), DIAG_POLICY, ast_keyword(statement),
				    "'policy' must be the first statement");
		diag_note(d, ast_keyword(ast->statements), "this one stands before it");
		diag_help(d, "move the line to the top of the file");
		return;
	}
	if (ast->unread || (ast->broken && (!ast->statements || ast->statements->broken)))
		return;
	struct span place =
		ast->statements ? ast_keyword(ast->statements) : (struct span){ ast->source, 0, 0 };
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_POLICY, place,
					   "the file does not say which policy it is");
	if (ast->statements && (ast->statements->kind == AST_SYSCALLS || ast->statements->kind == AST_USE)) {
		diag_help(d, "a library of groups is not compiled: a policy brings it in by 'use'");
		return;
	}
	diag_help(d, "begin with a line that names it:");
	const char *file = path_base(ast->source->path);
	const char *made =
		strcmp(file, "<stdin>") == 0 ? NULL : name_made(resolver->compilation->arena, file);
	diag_fix(d, "policy %s", made && strcmp(made, "policy") != 0 ? made : "my-policy");
}

static void edition_bind(struct resolver *resolver, const struct ast_layer *ast)
{
	const struct ast_statement *statement = statement_once(resolver, ast, AST_EDITION, "edition");
	resolver->policy->edition = EDITION_KNOWN;
	if (statement && !statement->broken)
		edition_check(resolver_diags(resolver), &statement->words->name);
}

/* ---- files that a policy names ---- */

const char *file_absence(int error)
{
	switch (error) {
	case EISDIR:
		return "is a folder";
	case ENODEV:
		return "is no regular file";
	case ELOOP:
		return "is a symbolic link that leads round in a circle";
	case ENOENT:
	case ENOTDIR:
	case ENAMETOOLONG:
		return "is not there";
	default:
		return NULL;
	}
}

/* "folder/std-container-2026.allow", with its end or without. */
static const struct library *library_of_path(struct arena *arena, const char *path)
{
	static const char end[] = ".allow";
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t size = strlen(name), end_size = strlen(end);
	if (size > end_size && strcmp(name + size - end_size, end) == 0)
		size -= end_size;
	return library_find(arena_copy(arena, name, size));
}

static const struct source *named_file_load(struct resolver *resolver, const char *path, struct span place,
					    enum diag_id id, const char *what)
{
	struct source *source = sources_load(resolver->compilation->sources, path);
	if (source) {
		if (!source->extended_from.source && source->index > 0)
			source->extended_from = place;
		return source;
	}
	resolver->incomplete = resolver->incomplete || id == DIAG_LAYER;
	resolver->groups_missing = resolver->groups_missing || id == DIAG_LIBRARY;
	const char *absence = file_absence(errno);
	if (!absence) {
		diag_trouble(resolver_diags(resolver), "cannot read '%s%s': %s",
			     sources_tree(resolver->compilation->sources)->label, path,
			     source_failure(resolver->compilation->arena, errno, SOURCE_SIZE_MAX));
		return NULL;
	}
	struct diagnostic *d = diag_report(resolver_diags(resolver), id, place, "%s '%s' %s", what, path,
					   absence);
	const struct library *shipped =
		id == DIAG_LIBRARY ? library_of_path(resolver->compilation->arena, path) : NULL;
	if (shipped)
		diag_help(d, "it ships with allowc: use <%s>", shipped->name);
	else
		diag_help(d, "paths start at the folder of the file that names them");
	return NULL;
}

/* ---- libraries ---- */

static void library_load(struct resolver *resolver, const struct layer_work *user,
			 const struct ast_statement *use);

static void library_statement(struct resolver *resolver, const struct layer_work *library,
			      const struct ast_statement *statement)
{
	if (statement->kind == AST_SYSCALLS) {
		groups_define(resolver, library, statement);
		return;
	}
	if (statement->kind == AST_USE) {
		library_load(resolver, library, statement);
		return;
	}
	if (statement->broken)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LIBRARY, ast_keyword(statement),
					   "a library holds only 'use' and 'syscalls'");
	diag_help(d, "a policy is brought in by 'extends'; a library by 'use'");
}

/* Whether the library is in already; it is from now on. */
static bool library_known(struct map *libraries, const void *key, size_t size,
			  const struct ast_statement *use)
{
	void **known = map_at(libraries, key, size);
	if (*known)
		return true;
	*known = (void *)use;
	return false;
}

static void report_not_shipped(struct resolver *resolver, const struct ast_word *name)
{
	resolver->groups_missing = true;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LIBRARY, name->span,
					   "no library '%s' ships with allowc", name->text);
	const char *near = library_nearest(name->text);
	if (near) {
		diag_help(d, "did you mean <%s>?", near);
		return;
	}
	char *names = "";
	for (size_t i = 0; i < library_table_size; i++)
		names = arena_printf(resolver->compilation->arena, "%s%s<%s>", names, *names ? ", " : "",
				     library_table[i].name);
	diag_help(d, "there are %s; a file of your own stands in quotes", names);
}

/* The text of `use <std-…>`; NULL where there is none, or where it is in already. */
static const struct source *shipped_open(struct resolver *resolver, const struct ast_statement *use)
{
	const struct library *library = library_find(use->words->name.text);
	if (!library) {
		report_not_shipped(resolver, &use->words->name);
		return NULL;
	}
	if (library_known(resolver->shipped_libraries, library->name, strlen(library->name), use))
		return NULL;
	struct compilation *compilation = resolver->compilation;
	const char *name = arena_printf(compilation->arena, "<%s>", library->name);
	struct source *source = sources_add_shipped(compilation->sources, name, library->text, library->size);
	source->extended_from = use->words->name.span;
	return source;
}

/* The same of `use "file"`. */
static const struct source *library_open(struct resolver *resolver, const struct layer_work *user,
					 const struct ast_statement *use)
{
	struct arena *arena = resolver->compilation->arena;
	const char *path = path_beside(arena, user->ast.source->path, use->words->name.text);
	struct file_identity *identity = arena_alloc(arena, sizeof *identity);
	const struct tree *tree = sources_tree(resolver->compilation->sources);
	bool found = tree->identify(tree, path, identity);
	if (library_known(resolver->libraries, found ? (const void *)identity : path,
			  found ? sizeof *identity : strlen(path), use))
		return NULL;
	if (resolver->library_depth < LIBRARIES_DEPTH_MAX)
		return named_file_load(resolver, path, use->words->name.span, DIAG_LIBRARY, "the library");
	resolver->groups_missing = true;
	struct diagnostic *d =
		diag_report(resolver_diags(resolver), DIAG_LIBRARY, use->words->name.span,
			    "libraries bring in libraries more than %d deep", LIBRARIES_DEPTH_MAX);
	diag_help(d, "bring them in from one file");
	return NULL;
}

static void library_load(struct resolver *resolver, const struct layer_work *user,
			 const struct ast_statement *use)
{
	resolver->groups_missing = resolver->groups_missing || use->broken || !use->words->name.text;
	if (use->broken || !use->words->name.text)
		return;
	const struct source *source =
		use->angled ? shipped_open(resolver, use) : library_open(resolver, user, use);
	if (!source)
		return;
	struct compilation *compilation = resolver->compilation;
	struct layer_work *library = arena_alloc(compilation->arena, sizeof *library);
	library->layer = user->layer;
	layer_parse(compilation, source, &library->ast);
	resolver->groups_missing = resolver->groups_missing || library->ast.unread;
	resolver->library_depth++;
	for (const struct ast_statement *at = library->ast.statements; at; at = at->next)
		library_statement(resolver, library, at);
	resolver->library_depth--;
}

/* ---- layers ---- */

/* The path that `extends` names, or NULL where its form is wrong. */
static const char *extended_path(struct resolver *resolver, const struct layer_work *work,
				 const struct ast_word *name)
{
	struct arena *arena = resolver->compilation->arena;
	if (ast_word_is_quoted(name)) {
		if (*name->text)
			return path_beside(arena, work->ast.source->path, name->text);
	} else if (name_is_policy_name(name->text)) {
		return path_beside(arena, work->ast.source->path,
				   arena_printf(arena, "%s.allow", name->text));
	}
	resolver->incomplete = true;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LAYER, name->span,
					   "'%s' is no name of a layer", name->text);
	diag_help(d, "name the layer beside this file, or give a path in quotes: extends \"%s\"",
		  *name->text ? name->text : "../base.allow");
	return NULL;
}

static bool has_identity(const struct source *source)
{
	return source->identity.device || source->identity.inode;
}

/* The same file, by whatever path. */
static bool is_same_file(const struct source *a, const struct source *b)
{
	return a == b || (has_identity(a) && file_identity_equal(a->identity, b->identity));
}

static bool extends_itself(struct resolver *resolver, const struct layer_work *works, size_t count,
			   const struct source *below, const struct ast_word *name)
{
	for (size_t i = 0; i < count; i++) {
		if (!is_same_file(works[i].ast.source, below))
			continue;
		resolver->incomplete = true;
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LAYER, name->span,
						   "the layers go round in a circle");
		diag_note(d, works[i].name.span, "this layer extends itself, by way of %zu file%s",
			  count - i, count - i == 1 ? "" : "s");
		diag_help(d, "the lowest layer of a chain has no 'extends'");
		return true;
	}
	return false;
}

/* The next file down from works[count - 1], or NULL at the end of the chain or after an error. */
static const struct source *layer_below(struct resolver *resolver, const struct layer_work *works,
					size_t count)
{
	const struct layer_work *work = &works[count - 1];
	const struct ast_statement *extends = statement_once(resolver, &work->ast, AST_EXTENDS, "extends");
	if (!extends || extends->broken || !extends->words->name.text)
		return NULL;
	const char *path = extended_path(resolver, work, &extends->words->name);
	if (!path)
		return NULL;
	const struct source *below =
		named_file_load(resolver, path, extends->words->name.span, DIAG_LAYER, "the layer");
	if (!below || extends_itself(resolver, works, count, below, &extends->words->name))
		return NULL;
	if (count == LAYERS_MAX) {
		resolver->incomplete = true;
		struct diagnostic *d =
			diag_report(resolver_diags(resolver), DIAG_LAYER, extends->words->name.span,
				    "more than %d layers", LAYERS_MAX);
		diag_help(d, "merge layers that belong together into one file");
		return NULL;
	}
	return below;
}

/* Of one that does not, that is said. It may be the line of the name that is misread. */
static bool layer_says_name(const struct layer_work *work)
{
	return work->named && !work->ast.broken;
}

static void names_check_distinct(struct resolver *resolver)
{
	for (size_t i = 1; i < resolver->layer_count; i++) {
		for (size_t below = 0; below < i; below++) {
			struct layer_work *upper = &resolver->works[i], *lower = &resolver->works[below];
			if (strcmp(upper->name.text, lower->name.text) != 0 || !layer_says_name(upper) ||
			    !layer_says_name(lower))
				continue;
			struct diagnostic *d =
				diag_report(resolver_diags(resolver), DIAG_POLICY, upper->name.span,
					    "'%s' is also the name of a layer below", upper->name.text);
			diag_note(d, lower->name.span, "it is named here");
			diag_help(d, "a layer's name is the scope of its ADRs: give each its own");
		}
	}
}

static void layers_describe(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->layer_count; i++) {
		struct layer_work *work = &resolver->works[i];
		const struct source *source = work->ast.source;
		const struct ast_statement *title = statement_once(resolver, &work->ast, AST_TITLE, "title");
		work->layer = &resolver->layers[i];
		*work->layer = (struct layer){
			.name = work->name.text,
			.title = title && !title->broken ? title->words->name.text : NULL,
			.source = source,
			.file = strcmp(source->path, "<stdin>") == 0 ? "stdin" : path_base(source->path),
			.scope = work->name.text,
			.index = i,
		};
		edition_bind(resolver, &work->ast);
		if (title && !title->broken)
			text_length_check(resolver, &title->words->name);
		if (title && !title->broken && strchr(title->words->name.text, '\n')) {
			struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE,
							   title->words->name.span, "a title is one line");
			diag_help(d, "take the \\n out; long texts belong in the ADR");
		}
	}
}

static void libraries_load(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->layer_count; i++) {
		const struct layer_work *work = &resolver->works[i];
		if (work->ast.unread)
			resolver->groups_missing = resolver->settings_broken = resolver->calls_broken = true;
		for (const struct ast_statement *at = work->ast.others; at; at = at->words->next_other) {
			if (at->kind == AST_USE)
				library_load(resolver, work, at);
			if (at->kind == AST_SYSCALLS)
				groups_define(resolver, work, at);
		}
	}
}

/* ---- how many rows ---- */

/* The subject after the first `skipped` ones, which are taken from that number; NULL without one. */
static const struct ast_entry *subject_after(const struct ast_statement *statements, size_t *skipped)
{
	const struct ast_entry *found = NULL;
	for (const struct ast_statement *at = statements; at && !found; at = at->next) {
		if (at->kind != AST_ROW) {
			found = subject_after(at->words->block, skipped);
			continue;
		}
		if (*skipped < at->entries.count)
			return &at->entries.items[*skipped];
		*skipped -= at->entries.count;
	}
	return found;
}

/* Whether there is room for the layer's rows beside the `*rows` that came before it. */
static bool rows_fit(struct resolver *resolver, const struct ast_layer *ast, size_t *rows)
{
	size_t room = ROWS_MAX - *rows, count = ast->subject_count + ast->block_subject_count;
	if (count <= room) {
		*rows += count;
		return true;
	}
	const struct ast_entry *first = subject_after(ast->statements, &room);
	assert(first);
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_LIMIT, first->word.span,
					   "more than %d rows in a policy and its layers", ROWS_MAX);
	diag_help(d, "each command of a list counts as a row; divide the policy");
	return false;
}

bool chain_load(struct resolver *resolver, const char *path)
{
	struct compilation *compilation = resolver->compilation;
	const struct source *source = sources_load_argument(compilation->sources, path);
	if (!source) {
		diag_trouble(compilation->diags, "cannot read '%s%s': %s",
			     sources_tree(compilation->sources)->label, path,
			     source_argument_failure(compilation->arena, errno, SOURCE_SIZE_MAX));
		return false;
	}
	struct layer_work works[LAYERS_MAX] = { 0 };
	size_t count = 0, rows = 0;
	while (source) {
		layer_parse(compilation, source, &works[count].ast);
		resolver->incomplete = resolver->incomplete || works[count].ast.no_text;
		if (!rows_fit(resolver, &works[count].ast, &rows))
			return false;
		policy_statement_bind(resolver, &works[count]);
		count++;
		source = layer_below(resolver, works, count);
	}
	resolver->layer_count = count;
	resolver->layers = arena_array(compilation->arena, count, sizeof *resolver->layers);
	resolver->works = arena_array(compilation->arena, count, sizeof *resolver->works);
	for (size_t i = 0; i < count; i++)
		resolver->works[i] = works[count - 1 - i];
	layers_describe(resolver);
	names_check_distinct(resolver);
	libraries_load(resolver);
	return true;
}
