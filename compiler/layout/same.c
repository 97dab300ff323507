#include "compiler/layout/same.h"

#include <string.h>

#include "compiler/base/compilation.h"
#include "compiler/base/source.h"
#include "compiler/layout/order.h"
#include "compiler/layout/piece.h"
#include "compiler/policy/ast.h"
#include "compiler/policy/parse.h"

/* ---- words and entries ---- */

static bool same_word(const struct ast_word *left, const struct ast_word *right)
{
	if (!left || !right)
		return left == right;
	if (!left->text || !right->text)
		return left->text == right->text;
	return ast_word_is_quoted(left) == ast_word_is_quoted(right) && strcmp(left->text, right->text) == 0;
}

static bool same_expression(const struct ast_expression *left, const struct ast_expression *right)
{
	if (!left || !right)
		return left == right;
	return left->operator== right->operator&& same_word(&left->word, &right->word) &&
	       same_expression(left->left, right->left) && same_expression(left->right, right->right);
}

static bool same_tail(const struct ast_tail *left, const struct ast_tail *right)
{
	if (!left || !right)
		return left == right;
	return same_word(&left->operator, & right->operator) && same_word(&left->version, &right->version) &&
	       same_expression(left->condition, right->condition);
}

static bool same_entry(const struct ast_entry *left, const struct ast_entry *right)
{
	return same_word(&left->word, &right->word) && same_tail(left->tail, right->tail);
}

static bool same_entries(const struct ast_entries *left, const struct ast_entries *right)
{
	if (left->count != right->count)
		return false;
	for (uint32_t i = 0; i < left->count; i++)
		if (!same_entry(&left->items[i], &right->items[i]))
			return false;
	return true;
}

/* ---- statements ---- */

static bool same_attributes(const struct ast_statement *left, const struct ast_statement *right)
{
	const struct ast_attribute *a = order_next(left, NULL), *b = order_next(right, NULL);
	for (; a && b; a = order_next(left, a), b = order_next(right, b))
		if (a->kind != b->kind || !same_word(a->qualifier, b->qualifier) ||
		    !same_entries(&a->values, &b->values))
			return false;
	return a == b;
}

static bool same_words(const struct ast_words *left, const struct ast_words *right)
{
	return same_word(&left->name, &right->name) && same_word(&left->path, &right->path) &&
	       same_word(&left->region, &right->region);
}

/* But for what stands in the statement's braces. */
static bool same_head(const struct ast_statement *left, const struct ast_statement *right)
{
	return left->kind == right->kind && left->angled == right->angled && left->verb == right->verb &&
	       left->setting == right->setting && left->expectation == right->expectation &&
	       same_words(left->words, right->words) && same_word(left->qualifier, right->qualifier) &&
	       same_entries(&left->entries, &right->entries) && same_attributes(left, right);
}

/* An entry of a `syscalls` block, whose lines are one list. */
struct member {
	const struct ast_statement *line;
	uint32_t index;
};

static const struct ast_entry *member_next(struct member *member)
{
	while (member->line && member->index == member->line->entries.count)
		*member = (struct member){ member->line->next, 0 };
	return member->line ? &member->line->entries.items[member->index++] : NULL;
}

static bool same_members(const struct ast_statement *left, const struct ast_statement *right)
{
	struct member a = { left, 0 }, b = { right, 0 };
	for (;;) {
		const struct ast_entry *entry = member_next(&a), *other = member_next(&b);
		if (!entry || !other)
			return entry == other;
		if (!same_entry(entry, other))
			return false;
	}
}

static bool same_statements(const struct ast_statement *left, const struct ast_statement *right)
{
	for (; left && right; left = left->next, right = right->next) {
		bool members = left->kind == AST_SYSCALLS;
		if (!same_head(left, right) ||
		    !(members ? same_members : same_statements)(left->words->block, right->words->block))
			return false;
	}
	return left == right;
}

static bool same_layers(const struct ast_layer *left, const struct ast_layer *right)
{
	return same_statements(left->statements, right->statements);
}

/* ---- comments ---- */

static struct piece comment_next(struct pieces *pieces)
{
	struct piece piece = pieces_next(pieces);
	while (piece.kind != PIECE_COMMENT && piece.kind != PIECE_END)
		piece = pieces_next(pieces);
	return piece;
}

static bool same_comments(const struct source *left, const struct source *right)
{
	struct pieces left_pieces = { .source = left }, right_pieces = { .source = right };
	for (;;) {
		struct piece a = comment_next(&left_pieces), b = comment_next(&right_pieces);
		if (a.kind == PIECE_END || b.kind == PIECE_END)
			return a.kind == b.kind;
		if (a.end - a.begin != b.end - b.begin ||
		    memcmp(left->text + a.begin, right->text + b.begin, a.end - a.begin) != 0)
			return false;
	}
}

/* ---- the whole ---- */

bool same_text(const struct ast_layer *layer, const char *text, size_t size)
{
	struct compilation compilation = compilation_begin(1);
	struct ast_layer other;
	const struct source *source = sources_add(compilation.sources, layer->source->path, text, size);
	bool same = layer_parse(&compilation, source, &other) && same_layers(layer, &other) &&
		    same_comments(layer->source, source);
	compilation_end(&compilation);
	return same;
}
