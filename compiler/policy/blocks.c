/* Roles and plugins: rows that only narrow, and the tools of a plugin. */
#include <errno.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/suggest.h"
#include "compiler/policy/resolver.h"

/* ---- blocks ---- */

struct tool {
	struct ast_word word;
	const struct row *row;
};

struct tool_list {
	struct tool *items;
	size_t count, capacity;
};

static struct block_work *block_find(const struct resolver *resolver, enum ast_kind kind, const char *name)
{
	void **known = map_find(resolver->block_names[kind == AST_PLUGIN], name, strlen(name));
	return known ? *known : NULL;
}

static struct block_work *block_add(struct resolver *resolver, const struct layer_work *layer,
				    const struct ast_statement *statement)
{
	struct arena *arena = resolver->compilation->arena;
	struct block_work *work = arena_alloc(arena, sizeof *work);
	work->block = (struct block){
		.kind = statement->kind,
		.name = statement->words->name.text,
		.span = statement->words->name.span,
		.layer = layer->layer,
	};
	work->last_layer = SIZE_MAX;
	work->index = row_index_new(arena, 0);
	for (size_t kind = 0; kind < 3; kind++)
		work->seen[kind] = map_new(arena, 0);
	work->block.index = work->index;
	work->tools = arena_alloc(arena, sizeof *work->tools);
	work->optional = arena_alloc(arena, sizeof *work->optional);
	resolver->blocks = arena_grow(arena, resolver->blocks, resolver->block_count,
				      &resolver->block_capacity, sizeof *resolver->blocks);
	resolver->blocks[resolver->block_count++] = work;
	*map_at(resolver->block_names[work->block.kind == AST_PLUGIN], work->block.name,
		strlen(work->block.name)) = work;
	return work;
}

static const char *block_word(enum ast_kind kind)
{
	return kind == AST_ROLE ? "role" : "plugin";
}

static bool name_check(struct resolver *resolver, const struct ast_statement *statement)
{
	const struct ast_word *name = &statement->words->name;
	if (name_is_block_name(name->text))
		return true;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_VALUE, name->span,
					   "'%s' cannot be the name of a %s", name->text,
					   block_word(statement->kind));
	diag_help(d, "it names a folder: letters, digits, '-', '_' and '.', the first a letter or digit, at "
		     "most 128");
	return false;
}

/* The block of this name, new or from a layer below; NULL after an error. */
static struct block_work *block_open(struct resolver *resolver, const struct layer_work *layer,
				     const struct ast_statement *statement)
{
	if (!statement->words->name.text || !name_check(resolver, statement))
		return NULL;
	struct block_work *work = block_find(resolver, statement->kind, statement->words->name.text);
	if (!work)
		work = block_add(resolver, layer, statement);
	if (work->last_layer == layer->layer->index) {
		struct diagnostic *d =
			diag_report(resolver_diags(resolver), DIAG_DUPLICATE, statement->words->name.span,
				    "the %s '%s' stands twice in this file", block_word(statement->kind),
				    statement->words->name.text);
		diag_note(d, work->block.span, "it stands here first");
		diag_help(d, "put both into one block");
		return NULL;
	}
	work->last_layer = layer->layer->index;
	work->block.span = statement->words->name.span;
	return work;
}

static void file_bind(struct resolver *resolver, struct block_work *work, const struct layer_work *layer,
		      const struct ast_statement *statement)
{
	if (!statement->words->path.text)
		return;
	work->block.file = statement->words->path.text;
	work->block.file_layer = layer->layer;
	work->block.file_span = statement->words->path.span;
	work->block.file_path = path_beside(resolver->compilation->arena, layer->ast.source->path,
					    statement->words->path.text);
}

/* A look for the manifest that was meant, by the names beside the one that is not there. */
struct neighbours {
	struct arena *arena;
	const char *stem, *ending; /* of the name that is sought: "plugin", ".yaml" */
	const char *nearest;       /* NULL while nothing is near enough */
	size_t distance, count;
};

static const char *ending_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot ? dot : name + strlen(name);
}

static struct neighbours neighbours_begin(struct arena *arena, const char *name)
{
	const char *ending = ending_of(name);
	const char *stem = arena_text(arena, name, (size_t)(ending - name));
	return (struct neighbours){ arena, stem, ending, NULL, suggestion_begin(stem).distance, 0 };
}

/*
 * Names come in no order, and are gone afterwards: of equally near ones the first by its letters is kept.
 * What an editor or a merge left, as plugin.yaml~, is nobody's manifest.
 */
static void neighbour_offer(void *context, const char *name)
{
	struct neighbours *near = context;
	const char *ending = ending_of(name);
	near->count++;
	if (strcmp(ending, ".yaml") != 0 && strcmp(ending, ".yml") != 0)
		return;
	const char *stem = arena_text(near->arena, name, (size_t)(ending - name));
	size_t limit = suggestion_begin(near->stem).distance - 1;
	size_t apart = suggest_distance(near->stem, stem, limit);
	size_t distance = apart + (strcmp(ending, near->ending) != 0);
	bool is_itself = distance == 0; /* a link that leads nowhere */
	if (is_itself || apart > limit || distance > near->distance ||
	    (distance == near->distance && near->nearest && strcmp(name, near->nearest) > 0))
		return;
	near->nearest = arena_text(near->arena, name, strlen(name));
	near->distance = distance;
}

/* Whether another plugin has it: then it is no misspelling. */
static bool is_other_manifest(const struct resolver *resolver, const struct block *block, const char *path)
{
	for (size_t i = 0; i < resolver->block_count; i++) {
		const struct block *other = &resolver->blocks[i]->block;
		if (other != block && other->file_path && strcmp(other->file_path, path) == 0)
			return true;
	}
	return false;
}

/* A manifest that is not there is made, which a person who mistyped its name did not mean. */
static void manifest_seek(struct resolver *resolver, const struct block *block)
{
	struct compilation *compilation = resolver->compilation;
	const struct tree *tree = sources_tree(compilation->sources);
	const char *name = path_base(block->file_path);
	int before = (int)(name - block->file_path); /* the folder, with the slash behind it */
	const char *folder = before ? "/" : ".";
	if (before > 1)
		folder = arena_printf(compilation->arena, "%.*s", before - 1, block->file_path);
	struct neighbours neighbours = neighbours_begin(compilation->arena, name);
	if (!names_may_be_searched(resolver, resolver->block_count) ||
	    tree->list(tree, folder, neighbour_offer, &neighbours) != 0 ||
	    !names_may_be_searched(resolver, neighbours.count) || !neighbours.nearest)
		return;
	const char *near = neighbours.nearest;
	const char *path = arena_printf(compilation->arena, "%.*s%s", before, block->file_path, near);
	if (is_other_manifest(resolver, block, path))
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_PLUGIN_FILE, block->file_span,
					   "'%s' is not there, and would be made anew", block->file_path);
	diag_help(d, "did you mean '%s'?", near);
}

/* One that only is not there is written: of this path nothing can be read, and nothing be written to it. */
static void report_no_manifest(struct resolver *resolver, const struct block *block, const char *absence)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_MANIFEST, block->file_span,
					   "the manifest '%s' %s", block->file_path, absence);
	diag_help(d, "name a file, or a path where one can be written: paths start at the folder of the file "
		     "that names them");
}

/*
 * The manifest that is to be edited. Only the compiled layer's own plugins are written, so only their files
 * count, whichever layer names them.
 */
static void manifest_load(struct resolver *resolver, struct block *block)
{
	if (!block->written || !block->file_path || resolver->compilation->manifests_unread)
		return;
	struct compilation *compilation = resolver->compilation;
	block->manifest = sources_load_up_to(compilation->sources, block->file_path, MANIFEST_SIZE_MAX);
	int error = block->manifest ? 0 : errno;
	const char *absence = file_absence(error);
	if (error == ENOENT)
		manifest_seek(resolver, block);
	else if (absence)
		report_no_manifest(resolver, block, absence);
	else if (error)
		diag_trouble(compilation->diags, "cannot read '%s': %s", block->file_path,
			     source_failure(compilation->arena, error, MANIFEST_SIZE_MAX));
}

/* ---- rows inside ---- */

static bool report_plugin_calls(struct resolver *resolver, struct span place)
{
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SUBJECT, place,
					   "a plugin has no filter of its own");
	diag_help(d, "no process is a plugin: let a role, or the layer itself, say what the kernel refuses");
	return false;
}

/* Of the kernel a role can only take away, and a plugin nothing. */
static bool calls_are_for_blocks(struct resolver *resolver, const struct block *block,
				 const struct ast_statement *statement)
{
	bool capability = false;
	for (size_t i = 0; i < statement->entries.count; i++) {
		const struct ast_word *word = &statement->entries.items[i].word;
		capability = capability || (strncmp(word->text, "CAP_", 4) == 0 && !ast_word_is_quoted(word));
	}
	if (block->kind == AST_PLUGIN) {
		if (statement->qualifier || capability)
			return report_plugin_calls(resolver, ast_keyword(statement));
		for (const struct ast_attribute *at = statement->attributes; at; at = at->next)
			if (at->kind == ATTRIBUTE_NEEDS || at->kind == ATTRIBUTE_WITH)
				return report_plugin_calls(resolver, ast_attribute_keyword(statement, at));
		return true;
	}
	if (!statement->qualifier || statement->verb != VERB_ALLOW)
		return true;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_WIDENS, ast_keyword(statement),
					   "a role cannot allow system calls");
	diag_help(d, "what the layers let pass, passes here too; to take some away: forbid syscall NAME");
	return false;
}

static bool row_is_for_blocks(struct resolver *resolver, const struct block *block,
			      const struct ast_statement *statement)
{
	if (statement->verb != VERB_REVOKE)
		return calls_are_for_blocks(resolver, block, statement);
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SUBJECT, ast_keyword(statement),
					   "a 'revoke' cannot stand in a block");
	diag_help(d, "it takes back rows of layers below: move it out of the braces");
	return false;
}

/* A block of a layer above narrows what the one of the same name below has, as rows of layers do. */
static void rows_check_below(struct resolver *resolver, struct block_work *work, size_t from)
{
	for (size_t i = from; i < work->block.row_count; i++) {
		struct row *row = (struct row *)work->rows[i];
		const struct row *lower =
			row->kind == SUBJECT_COMMAND ? row_index_match(work->index, row->subject) : NULL;
		if (row->broken || row->verb != VERB_ALLOW || !lower || lower->verb != VERB_FORBID)
			continue;
		struct diagnostic *d =
			diag_report(resolver_diags(resolver), DIAG_CONFLICT, row->span,
				    "'%s' is allowed here, but forbidden by this %s in a layer below",
				    row->subject, block_word(work->block.kind));
		diag_note(d, lower->span, "forbidden here%s", row_authority(resolver, lower));
		diag_help(d, "a block above only narrows: change the row below, by an ADR");
		row->broken = true;
		command_break(resolver, row->subject);
	}
}

static void rows_check_twice(struct resolver *resolver, struct block_work *work, size_t from)
{
	for (size_t i = from; i < work->block.row_count; i++) {
		const struct row *row = work->rows[i];
		if (row->broken)
			continue;
		void **known = map_at(work->seen[row->kind], row->subject, strlen(row->subject));
		const struct row *first = *known;
		if (!first) {
			*known = (void *)row;
			if (row->kind == SUBJECT_COMMAND && row->verb != VERB_DECLINE)
				row_index_add(work->index, row);
			continue;
		}
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_DUPLICATE, row->span,
						   "'%s' has a row in this %s already", row->subject,
						   block_word(work->block.kind));
		diag_note(d, first->span, "it stands here");
		diag_help(d, row->kind == SUBJECT_COMMAND ? "keep one row for each command"
							  : "keep one of the two");
	}
}

static void tools_append(struct resolver *resolver, struct tool_list *list,
			 const struct ast_statement *statement)
{
	for (size_t i = 0; i < statement->entries.count; i++) {
		list->items = arena_grow(resolver->compilation->arena, list->items, list->count,
					 &list->capacity, sizeof *list->items);
		list->items[list->count++] = (struct tool){ .word = statement->entries.items[i].word };
	}
}

static bool list_is_first(struct resolver *resolver, const struct ast_statement *statement,
			  const struct ast_statement **first)
{
	if (!*first) {
		*first = statement;
		return true;
	}
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_DUPLICATE, ast_keyword(statement),
					   "'%s' stands twice in this block",
					   statement->kind == AST_TOOLS ? "tools" : "optional");
	diag_note(d, ast_keyword(*first), "it stands here first");
	diag_help(d, "put all of them into one list");
	return false;
}

static void block_fill(struct resolver *resolver, struct block_work *work, struct layer_work *layer,
		       const struct ast_statement *statement)
{
	size_t from = work->block.row_count;
	const struct ast_statement *tools = NULL, *optional = NULL;
	for (const struct ast_statement *at = statement->words->block; at; at = at->next) {
		if (at->kind == AST_ROW && (at->broken || row_is_for_blocks(resolver, &work->block, at)))
			rows_bind(resolver, layer, work, at);
		else if (at->kind == AST_TOOLS && list_is_first(resolver, at, &tools))
			tools_append(resolver, work->tools, at);
		else if (at->kind == AST_OPTIONAL && list_is_first(resolver, at, &optional))
			tools_append(resolver, work->optional, at);
	}
	rows_check_below(resolver, work, from);
	rows_check_twice(resolver, work, from);
	work->block.rows = work->rows;
	work->block.written = layer->layer->index + 1 == resolver->layer_count;
}

void blocks_bind(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->layer_count; i++) {
		struct layer_work *layer = &resolver->works[i];
		for (const struct ast_statement *at = layer->ast.others; at; at = at->words->next_other) {
			if (at->kind != AST_ROLE && at->kind != AST_PLUGIN)
				continue;
			struct block_work *work = block_open(resolver, layer, at);
			if (!work)
				continue;
			file_bind(resolver, work, layer, at);
			block_fill(resolver, work, layer, at);
		}
	}
}

/* ---- checks against the layers ---- */

static void suggest_allowed(struct resolver *resolver, struct diagnostic *d, const char *command,
			    const char *otherwise)
{
	if (!d)
		return;
	struct suggestion near = suggestion_begin(command);
	bool searched = names_may_be_searched(resolver, resolver->row_count);
	for (size_t i = 0; searched && i < resolver->row_count; i++) {
		const struct row *row = resolver->rows[i];
		if (row->kind != SUBJECT_COMMAND || row->verb != VERB_ALLOW ||
		    strcmp(row->subject, command) == 0)
			continue;
		suggestion_offer(&near, row->subject);
		if (strcmp(row->spelling, command) == 0) {
			diag_help(d, "did you mean \"%s\", which is spelled '%s' there?", row->subject,
				  command);
			return;
		}
	}
	if (near.nearest)
		diag_help(d, "did you mean '%s'?", near.nearest);
	else
		diag_help(d, "%s", otherwise);
}

static void row_check_narrows(struct resolver *resolver, const struct block_work *work, const struct row *row)
{
	if (row->broken || row->verb != VERB_ALLOW || command_is_broken(resolver, row->subject))
		return;
	if (policy_verdict(resolver->policy, row->subject) == VERDICT_ALLOWED)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_WIDENS, row->span,
					   "the %s '%s' allows '%s', which the layers do not",
					   block_word(work->block.kind), work->block.name, row->subject);
	const struct row *decides = policy_match(resolver->policy, row->subject);
	if (decides)
		diag_note(d, decides->span, "this row decides it%s", row_authority(resolver, decides));
	suggest_allowed(resolver, d, row->subject,
			"a block only narrows: allow it in the layer itself, by an ADR");
}

static void tool_report(struct resolver *resolver, const struct block_work *work, const struct tool *tool)
{
	const char *command = tool->word.text;
	const struct row *decides = block_match(resolver->policy, &work->block, command);
	struct diagnostic *d;
	if (decides && decides->verb == VERB_FORBID)
		d = diag_report(resolver_diags(resolver), DIAG_TOOL, tool->word.span,
				"the tool '%s' is forbidden", command);
	else if (decides)
		d = diag_report(resolver_diags(resolver), DIAG_TOOL, tool->word.span,
				"the tool '%s' is not the command of an 'allow' row", command);
	else
		d = diag_report(resolver_diags(resolver), DIAG_TOOL, tool->word.span,
				"the tool '%s' is not allowed", command);
	if (decides)
		diag_note(d, decides->span, "this row decides it%s", row_authority(resolver, decides));
	suggest_allowed(resolver, d, command, "allow it in a layer, by an ADR, or take it off the list");
}

/* The allow row of a tool; NULL after an error, or quietly after an earlier one. */
static const struct row *tool_row(struct resolver *resolver, const struct block_work *work,
				  const struct tool *tool)
{
	if (!command_spelling_check(resolver, &tool->word) || command_is_broken(resolver, tool->word.text))
		return NULL;
	const struct row *row = policy_find(resolver->policy, tool->word.text);
	if (row && row->verb == VERB_ALLOW &&
	    block_verdict(resolver->policy, &work->block, tool->word.text) == VERDICT_ALLOWED)
		return row;
	tool_report(resolver, work, tool);
	return NULL;
}

static void report_spelling(struct resolver *resolver, const struct tool *tool, const struct tool *first)
{
	bool same = tool->row == first->row;
	struct diagnostic *d = diag_report(resolver_diags(resolver), same ? DIAG_DUPLICATE : DIAG_TOOL,
					   tool->word.span,
					   same ? "the tool '%s' is listed twice"
						: "the tool '%s' has the spelling of another",
					   tool->word.text);
	diag_note(d, first->word.span, same ? "it is listed here first" : "this one is spelled '%s' too",
		  tool->row->spelling);
	diag_help(d, same ? "keep one of the two" : "give one of them a spelling of its own: as NAME");
}

static const struct row *const *list_check(struct resolver *resolver, const struct block_work *work,
					   const struct tool_list *list, struct map *spellings, size_t *count)
{
	const struct row **rows = arena_array(resolver->compilation->arena, list->count, sizeof *rows);
	*count = 0;
	for (size_t i = 0; i < list->count; i++) {
		struct tool *tool = &list->items[i];
		tool->row = tool_row(resolver, work, tool);
		if (!tool->row)
			continue;
		void **known = map_at(spellings, tool->row->spelling, strlen(tool->row->spelling));
		if (*known) {
			report_spelling(resolver, tool, *known);
			continue;
		}
		*known = tool;
		rows[(*count)++] = tool->row;
	}
	return rows;
}

void blocks_check(struct resolver *resolver)
{
	for (size_t i = 0; i < resolver->block_count; i++) {
		struct block_work *work = resolver->blocks[i];
		struct block *block = &work->block;
		manifest_load(resolver, block);
		for (size_t r = 0; r < block->row_count; r++)
			row_check_narrows(resolver, work, work->rows[r]);
		struct map *spellings = map_new(resolver->compilation->arena, work->tools->count);
		block->tools = list_check(resolver, work, work->tools, spellings, &block->tool_count);
		block->optional =
			list_check(resolver, work, work->optional, spellings, &block->optional_count);
	}
}
