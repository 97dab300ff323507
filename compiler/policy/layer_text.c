#include "compiler/policy/layer_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/ast.h"

/* Sorted by kind, block and subject, so that an allow that becomes a forbid stays where it was. */
struct line {
	enum ast_kind kind; /* of the statement that stands outside of all blocks */
	const char *block;  /* "" outside */
	bool inside;        /* what the block holds comes after what opens it */
	const char *subject;
	const char *text;
};

struct lines {
	struct arena *arena;
	struct line *items;
	size_t count, capacity;
	/* Of those that are added at present. */
	enum ast_kind kind;
	const char *block, *prefix;
};

/* ---- words and lists ---- */

/* Backslashes are doubled first, so that no text looks like another one's escape. */
static void add_escaped(struct strbuf *out, const char *bytes, size_t size, const char *escaped)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] && strchr(escaped, bytes[i]))
			strbuf_add_char(&text, '\\');
		strbuf_add_char(&text, bytes[i]);
	}
	text_add_visible(out, text.bytes, text.size);
	strbuf_release(&text);
}

/* Quoted where it was: `allow "syscall"` is no `allow syscall`. */
static void add_word(struct strbuf *out, const struct ast_word *word)
{
	if (!ast_word_is_quoted(word)) {
		strbuf_add_text(out, ast_word_text(word));
		return;
	}
	strbuf_add_char(out, '"');
	add_escaped(out, word->text, strlen(word->text), "\\\"");
	strbuf_add_char(out, '"');
}

/* Behind a blank; nothing where there is no word. */
static void add_next(struct strbuf *out, const struct ast_word *word)
{
	if (!word || !word->text)
		return;
	strbuf_add_char(out, ' ');
	add_word(out, word);
}

static const char *operator_text(enum ast_operator operator)
{
	switch (operator) {
	case AST_EQ:
		return " == ";
	case AST_NE:
		return " != ";
	case AST_LT:
		return " < ";
	case AST_LE:
		return " <= ";
	case AST_GT:
		return " > ";
	case AST_GE:
		return " >= ";
	case AST_MASK:
		return " & ";
	case AST_JOIN:
		return " | ";
	case AST_BOTH:
		return " && ";
	case AST_LEAF:
		break;
	}
	return "";
}

static void add_condition(struct strbuf *out, const struct ast_expression *expression);

/* `a && b && c` alone needs no parentheses: for all else they show which tree it is. */
static void add_operand(struct strbuf *out, const struct ast_expression *operand, bool bare)
{
	bare = bare || operand->operator== AST_LEAF;
	strbuf_add_text(out, bare ? "" : "(");
	add_condition(out, operand);
	strbuf_add_text(out, bare ? "" : ")");
}

static void add_condition(struct strbuf *out, const struct ast_expression *expression)
{
	bool both = expression->operator== AST_BOTH;
	if (expression->operator== AST_LEAF) {
		add_word(out, &expression->word);
		return;
	}
	add_operand(out, expression->left, both || expression->left->operator== AST_JOIN);
	strbuf_add_text(out, operator_text(expression->operator));
	add_operand(out, expression->right, both && expression->right->operator!= AST_BOTH);
}

static void add_entry(struct strbuf *out, const struct ast_entry *entry)
{
	add_word(out, &entry->word);
	if (!entry->tail)
		return;
	if (entry->tail->condition) {
		strbuf_add_char(out, '(');
		add_condition(out, entry->tail->condition);
		strbuf_add_char(out, ')');
	}
	add_next(out, &entry->tail->operator);
	add_next(out, &entry->tail->version);
}

static void add_list(struct strbuf *out, const struct ast_entries *entries)
{
	for (uint32_t i = 0; i < entries->count; i++) {
		strbuf_add_text(out, i ? ", " : " ");
		add_entry(out, &entries->items[i]);
	}
}

/* In the order of their kinds; of one kind in that of the text. */
static const char *attributes_text(struct arena *arena, const struct ast_attribute *attributes)
{
	struct strbuf text = STRBUF_INIT;
	for (int kind = 0; attributes && kind < ATTRIBUTE_COUNT; kind++)
		for (const struct ast_attribute *at = attributes; at; at = at->next) {
			if ((int)at->kind != kind)
				continue;
			strbuf_printf(&text, "  %s", attribute_word(at->kind));
			add_next(&text, at->qualifier);
			add_list(&text, &at->values);
		}
	return strbuf_keep(&text, arena);
}

/* ---- lines ---- */

/* Takes what `text` holds, and empties it. */
static void line_add(struct lines *lines, const char *subject, struct strbuf *text)
{
	lines->items =
		arena_grow(lines->arena, lines->items, lines->count, &lines->capacity, sizeof *lines->items);
	lines->items[lines->count++] = (struct line){
		.kind = lines->kind,
		.block = lines->block,
		.inside = *lines->prefix != '\0',
		.subject = subject,
		.text = arena_copy(lines->arena, text->bytes, text->size),
	};
	text->size = 0;
}

/* "HEAD ENTRY TAIL" for each entry. */
static void entries_add(struct lines *lines, const char *head, const struct ast_statement *statement,
			const char *tail)
{
	struct strbuf text = STRBUF_INIT;
	for (uint32_t i = 0; i < statement->entries.count; i++) {
		const struct ast_entry *entry = &statement->entries.items[i];
		strbuf_printf(&text, "%s%s", lines->prefix, head);
		add_next(&text, statement->qualifier);
		strbuf_add_text(&text, *head || statement->qualifier ? " " : "");
		add_entry(&text, entry);
		strbuf_add_text(&text, tail);
		line_add(lines, ast_word_text(&entry->word), &text);
	}
	strbuf_release(&text);
}

static const char *keyword_of(const struct ast_statement *statement)
{
	switch (statement->kind) {
	case AST_POLICY:
		return "policy";
	case AST_EDITION:
		return "edition";
	case AST_TITLE:
		return "title";
	case AST_EXTENDS:
		return "extends";
	case AST_USE:
		return "use";
	case AST_DECISIONS:
		return "decisions";
	case AST_ROW:
		return verb_word(statement->verb);
	case AST_ROLE:
		return "role";
	case AST_PLUGIN:
		return "plugin";
	case AST_TOOLS:
		return "tools";
	case AST_OPTIONAL:
		return "optional";
	case AST_SECCOMP:
		return "seccomp";
	case AST_SETTING:
		return setting_word(statement->setting);
	case AST_SYSCALLS:
		return "syscalls";
	case AST_OUTPUT:
		return "output";
	case AST_MEMBERS: /* of these each entry has a line of its own */
	case AST_EXPECT:
		break;
	}
	return "";
}

static void add_library(struct strbuf *text, const struct ast_statement *statement)
{
	if (statement->angled)
		strbuf_printf(text, " <%s>", ast_word_text(&statement->words->name));
	else
		add_next(text, &statement->words->name);
}

/* The whole statement but its block, in one line. */
static void statement_add(struct lines *lines, const struct ast_statement *statement)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_printf(&text, "%s%s", lines->prefix, keyword_of(statement));
	if (statement->kind == AST_USE)
		add_library(&text, statement);
	else
		add_next(&text, &statement->words->name);
	add_next(&text, &statement->words->path);
	if (statement->words->region.text)
		strbuf_add_text(&text, " region");
	add_next(&text, &statement->words->region);
	if (statement->kind == AST_DECISIONS && statement->entries.count)
		strbuf_add_text(&text, " accept");
	add_next(&text, statement->qualifier);
	add_list(&text, &statement->entries);
	line_add(lines, "", &text);
	strbuf_release(&text);
}

/* `expect adr 1 adds a, b` is about the whole list, any other about each entry. */
static void expectation_add(struct lines *lines, const struct ast_statement *statement)
{
	struct arena *arena = lines->arena;
	const char *head = arena_printf(arena, "expect %s", expectation_word(statement->expectation));
	if (statement->expectation != EXPECTATION_ADDS) {
		entries_add(lines, head, statement, "");
		return;
	}
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, head);
	add_next(&text, &statement->words->name);
	strbuf_add_text(&text, " adds");
	add_list(&text, &statement->entries);
	line_add(lines, "", &text);
	strbuf_release(&text);
}

static void inner_add(struct lines *lines, const struct ast_statement *statement)
{
	if (statement->kind == AST_ROW)
		entries_add(lines, keyword_of(statement), statement,
			    attributes_text(lines->arena, statement->attributes));
	else if (statement->kind == AST_MEMBERS)
		entries_add(lines, "", statement, "");
	else if (statement->kind == AST_EXPECT)
		expectation_add(lines, statement);
	else
		statement_add(lines, statement);
}

static const char *block_prefix(struct arena *arena, const struct ast_statement *statement)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, keyword_of(statement));
	add_next(&text, &statement->words->name);
	strbuf_add_text(&text, "  ");
	return strbuf_keep(&text, arena);
}

static bool holds_statements(const struct ast_statement *statement)
{
	return statement->kind == AST_ROLE || statement->kind == AST_PLUGIN ||
	       statement->kind == AST_SECCOMP || statement->kind == AST_SYSCALLS;
}

static void outer_add(struct lines *lines, const struct ast_statement *statement)
{
	lines->kind = statement->kind;
	lines->block = lines->prefix = "";
	if (!holds_statements(statement)) {
		inner_add(lines, statement);
		return;
	}
	lines->block = ast_word_text(&statement->words->name);
	statement_add(lines, statement);
	lines->prefix = block_prefix(lines->arena, statement);
	for (const struct ast_statement *inner = statement->words->block; inner; inner = inner->next)
		inner_add(lines, inner);
}

static int line_compare(const void *a, const void *b)
{
	const struct line *left = a, *right = b;
	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	int order = strcmp(left->block, right->block);
	if (!order)
		order = left->inside - right->inside;
	if (!order)
		order = strcmp(left->subject, right->subject);
	return order ? order : strcmp(left->text, right->text);
}

void layer_text(struct arena *arena, const struct ast_layer *layer, struct strbuf *out)
{
	struct lines lines = { .arena = arena };
	for (const struct ast_statement *statement = layer->statements; statement;
	     statement = statement->next)
		outer_add(&lines, statement);
	if (lines.count)
		qsort(lines.items, lines.count, sizeof *lines.items, line_compare);
	for (size_t i = 0; i < lines.count; i++)
		strbuf_printf(out, "%s\n", lines.items[i].text);
}

/* ---- what does not parse ---- */

/* A CR before the line's end is a part of that end. */
static void unread_add(struct strbuf *out, const char *line, size_t size)
{
	size -= size && line[size - 1] == '\r';
	struct strbuf visible = STRBUF_INIT;
	text_add_visible(&visible, line, size);
	if (visible.size == size && memcmp(visible.bytes, line, size) == 0) {
		strbuf_add_text(out, "| ");
		strbuf_add(out, line, size);
	} else {
		strbuf_add_text(out, "! ");
		add_escaped(out, line, size, "\\");
	}
	strbuf_add_char(out, '\n');
	strbuf_release(&visible);
}

void layer_text_unread(const char *bytes, size_t size, struct strbuf *out)
{
	for (size_t at = 0; at < size;) {
		const char *end = memchr(bytes + at, '\n', size - at);
		size_t length = end ? (size_t)(end - bytes) - at : size - at;
		unread_add(out, bytes + at, length);
		at += length + 1;
	}
}
