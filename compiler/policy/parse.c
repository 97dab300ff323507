/* The tree: what the grammar's actions do, and the call that runs it. */
#include "compiler/policy/parse.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/map.h"
#include "compiler/base/pool.h"
#include "compiler/policy/parser.h"
#include "compiler/policy/syntax.h"
#include "grammar/allow.tab.h"

/* ---- statements ---- */

/* What is left of a statement after a mistake in it is not to be trusted by later stages. */
static void mark_broken(struct parser *parser)
{
	parser->layer->broken = true;
	if (parser->open[parser->level])
		parser->open[parser->level]->broken = true;
}

/* A mistake that the lexer reported concerns the statement whose line it stands on. */
static void mark_reported(struct parser *parser)
{
	if (lexer_is_quiet(&parser->lexer))
		mark_broken(parser);
}

struct ast_statement *statement_now(struct parser *parser)
{
	struct ast_statement *statement = parser->open[parser->level];
	assert(statement);
	return statement;
}

static void statement_place(struct ast_statement *statement, struct span keyword)
{
	statement->span = keyword;
	statement->keyword_end = keyword.end;
}

void statement_begin(struct parser *parser, enum ast_kind kind, struct span keyword)
{
	struct arena *arena = parser->compilation->arena;
	struct ast_statement *statement = arena_alloc(arena, sizeof *statement);
	statement->kind = kind;
	statement->words = kind == AST_ROW ? parser->no_words : arena_alloc(arena, sizeof *statement->words);
	statement_place(statement, keyword);
	*parser->ends[parser->level] = statement;
	parser->ends[parser->level] = &statement->next;
	if (parser->level == 0 && kind != AST_ROW) {
		*parser->others_end = statement;
		parser->others_end = &statement->words->next_other;
	}
	parser->open[parser->level] = statement;
	parser->entries = &statement->entries;
	parser->attributes_end = &statement->attributes;
	parser->attribute = NULL;
}

void row_begin(struct parser *parser, enum verb verb, struct span keyword)
{
	statement_begin(parser, AST_ROW, keyword);
	statement_now(parser)->verb = verb;
}

void setting_begin(struct parser *parser, enum setting setting, struct span keyword)
{
	statement_begin(parser, AST_SETTING, keyword);
	statement_now(parser)->setting = setting;
}

void expectation_set(struct parser *parser, enum expectation expectation)
{
	statement_now(parser)->expectation = expectation;
}

/* The separator was delivered, so the statement's last token stands before it. */
void statement_end(struct parser *parser, unsigned level)
{
	for (unsigned i = level; i <= parser->level; i++) {
		if (parser->open[i])
			parser->open[i]->span.end = lexer_recent(&parser->lexer, 1)->span.end;
		parser->open[i] = NULL;
	}
	parser->level = level;
	parser->attribute = NULL;
	parser->parenthesis.source = NULL;
}

void block_begin(struct parser *parser)
{
	struct ast_statement *statement = statement_now(parser);
	statement->has_block = true;
	mark_reported(parser);
	assert(parser->level + 1 < STATEMENT_LEVELS);
	parser->level++;
	parser->open[parser->level] = NULL;
	parser->ends[parser->level] = &statement->words->block;
}

/* Rows in a block without its '}' may be the layer's own: what follows from their place is not told. */
static void rows_lose(struct parser *parser, const struct ast_statement *statements)
{
	for (const struct ast_statement *at = statements; at; at = at->next)
		for (size_t i = 0; at->kind == AST_ROW && i < at->entries.count; i++)
			lexer_lose_word(&parser->lexer, at->entries.items[i].word.text);
}

void block_end(struct parser *parser)
{
	const struct token *close = lexer_recent(&parser->lexer, 0);
	assert(parser->level > 0);
	parser->level--;
	if (close->span.begin == close->span.end)
		rows_lose(parser, statement_now(parser)->words->block);
}

void row_block_begin(struct parser *parser)
{
	statement_now(parser)->has_block = true;
	mark_reported(parser);
}

/* ---- parts ---- */

void attribute_begin(struct parser *parser, enum attribute kind, struct span keyword)
{
	struct ast_attribute *attribute = arena_alloc(parser->compilation->arena, sizeof *attribute);
	attribute->kind = kind;
	attribute->keyword_begin = keyword.begin;
	attribute->keyword_size = (keyword.end - keyword.begin) & 0xffffff; /* LINE_SIZE_MAX is less */
	*parser->attributes_end = attribute;
	parser->attributes_end = &attribute->next;
	parser->attribute = attribute;
	parser->entries = &attribute->values;
}

void name_set(struct parser *parser, const char *text, struct span place)
{
	statement_now(parser)->words->name = ast_word_of(text, place);
}

void path_set(struct parser *parser, const char *text, struct span place)
{
	statement_now(parser)->words->path = ast_word_of(text, place);
}

void region_set(struct parser *parser, const char *text, struct span place)
{
	statement_now(parser)->words->region = ast_word_of(text, place);
}

void qualifier_set(struct parser *parser, const char *text, struct span place)
{
	struct ast_word *kept = arena_alloc(parser->compilation->arena, sizeof *kept);
	*kept = ast_word_of(text, place);
	if (parser->attribute)
		parser->attribute->qualifier = kept;
	else
		statement_now(parser)->qualifier = kept;
}

void entry_add(struct parser *parser, const char *text, struct span place)
{
	struct ast_statement *statement = statement_now(parser);
	if (!statement->span.source) /* a line of names has no keyword: it begins with the first */
		statement_place(statement, place);
	struct ast_entries *entries = parser->entries;
	if (!entries->capacity) { /* nearly every list has one entry, and an entry is large */
		entries->capacity = 1;
		entries->items = arena_alloc(parser->compilation->arena, sizeof *entries->items);
	}
	size_t capacity = entries->capacity;
	entries->items = arena_grow(parser->compilation->arena, entries->items, entries->count, &capacity,
				    sizeof *entries->items);
	entries->capacity =
		(uint32_t)capacity; /* fewer than the bytes of a source, whose places are 32 bits */
	entries->items[entries->count++].word = ast_word_of(text, place);
	if (statement->kind == AST_ROW && entries == &statement->entries)
		*(parser->level == 0 ? &parser->layer->subject_count : &parser->layer->block_subject_count) +=
			1;
}

/* The last entry turns out to be more than a word: it ends at `end`. */
static struct ast_tail *tail_of_last(struct parser *parser, uint32_t end)
{
	assert(parser->entries->count);
	struct ast_entry *entry = &parser->entries->items[parser->entries->count - 1];
	entry->tail = arena_alloc(parser->compilation->arena, sizeof *entry->tail);
	entry->tail->span = entry->word.span;
	entry->tail->span.end = end;
	return entry->tail;
}

void entry_version(struct parser *parser, struct span operator, struct ast_word version)
{
	struct ast_tail *tail = tail_of_last(parser, version.span.end);
	tail->operator = ast_word_of(text_at(parser, operator), operator);
	tail->version = version;
}

void entry_condition(struct parser *parser, struct ast_expression *condition, struct span close)
{
	tail_of_last(parser, close.end)->condition = condition;
	parser->parenthesis.source = NULL;
}

const char *text_at(struct parser *parser, struct span place)
{
	const char *bytes = place.source->text + place.begin;
	return arena_text(parser->compilation->arena, bytes, place.end - place.begin);
}

/* ---- conditions ---- */

void condition_begin(struct parser *parser, struct span parenthesis)
{
	parser->parenthesis = parenthesis;
	parser->condition_nodes = 0;
}

static struct ast_expression *expression_new(struct parser *parser, enum ast_operator operator,
					     struct span place)
{
	if (++parser->condition_nodes == CONDITION_NODES_MAX)
		syntax_condition_too_long(parser);
	struct ast_expression *expression = arena_alloc(parser->compilation->arena, sizeof *expression);
	expression->operator = operator;
	expression->span = place;
	return expression;
}

struct ast_expression *expression_leaf(struct parser *parser, struct ast_word word)
{
	struct ast_expression *expression = expression_new(parser, AST_LEAF, word.span);
	expression->word = word;
	return expression;
}

/* Past the limit the tree stops growing: the condition is in error, and whoever walks it must not sink. */
struct ast_expression *expression_join(struct parser *parser, enum ast_operator operator,
				       struct ast_expression *left, struct ast_expression *right)
{
	if (parser->condition_nodes >= CONDITION_NODES_MAX)
		return left;
	struct span place = { left->span.source, left->span.begin, right->span.end };
	struct ast_expression *expression = expression_new(parser, operator, place);
	expression->left = left;
	expression->right = right;
	return expression;
}

/* An expression in parentheses of its own is wider than its parts. */
static bool is_bare_mask(const struct ast_expression *expression)
{
	return expression->operator == AST_MASK && expression->span.begin == expression->left->span.begin;
}

struct ast_expression *expression_compare(struct parser *parser, enum ast_operator operator,
					  struct ast_expression *left, struct ast_expression *right)
{
	if (is_bare_mask(left) || is_bare_mask(right))
		syntax_bare_mask(parser, left, right);
	return expression_join(parser, operator, left, right);
}

struct ast_expression *expression_group(struct ast_expression *inner, struct span place)
{
	inner->span = place;
	return inner;
}

/* ---- the call ---- */

int parser_next_token(struct parser *parser, const char **text, struct span *place)
{
	int kind = lexer_next(&parser->lexer, text, place);
	if (kind == TOKEN_SEPARATOR)
		mark_reported(parser);
	return kind;
}

static bool layer_read(struct compilation *compilation, const struct source *source, struct ast_layer *layer)
{
	*layer = (struct ast_layer){ .source = source };
	size_t errors_before = diags_errors(compilation->diags);
	struct parser parser = { .compilation = compilation, .layer = layer };
	parser.no_words = arena_alloc(compilation->arena, sizeof *parser.no_words);
	parser.ends[0] = &layer->statements;
	parser.others_end = &layer->others;
	lexer_begin(&parser.lexer, compilation, source);
	layer->no_text = layer->unread = parser.lexer.encoding.no_text;
	allow_parser_parse(&parser);
	layer->lost = parser.lexer.lost;
	layer->lost_count = parser.lexer.lost_count;
	lexer_end(&parser.lexer);
	if (diags_errors(compilation->diags) > errors_before)
		layer->broken = true;
	return !layer->broken;
}

static size_t reports(const struct diags *diags)
{
	return diags_errors(diags) + diags_warnings(diags);
}

/* A tree is shared where reading the text reported nothing: what it reports, each policy is told. */
static bool layer_read_shared(struct compilation *compilation, const struct source *source,
			      struct ast_layer *layer)
{
	struct pool *pool = compilation->pool;
	struct compilation sharing = *compilation;
	size_t before = reports(compilation->diags);
	sharing.arena = pool->arena;
	bool good = layer_read(&sharing, source, layer);
	if (reports(compilation->diags) > before)
		return good;
	struct ast_layer *kept = arena_alloc(pool->arena, sizeof *kept);
	*kept = *layer;
	*map_at(pool->layers, source->path, strlen(source->path)) = kept;
	return good;
}

bool layer_parse(struct compilation *compilation, const struct source *source, struct ast_layer *layer)
{
	if (!compilation->pool || !source_is_shared(compilation->sources, source))
		return layer_read(compilation, source, layer);
	const struct ast_layer *kept =
		map_value(compilation->pool->layers, source->path, strlen(source->path));
	if (!kept)
		return layer_read_shared(compilation, source, layer);
	*layer = *kept;
	return !layer->broken;
}
