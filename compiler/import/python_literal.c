#include "compiler/import/python_literal.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"

const struct python_token *python_next(const struct python_token *token)
{
	while (token->kind == PYTHON_COMMENT)
		token++;
	return token;
}

bool python_fail(struct python_reader *reader, struct span place, const char *fault, ...)
{
	va_list arguments;
	va_start(arguments, fault);
	reader->fault = arena_vprintf(reader->compilation->arena, fault, arguments);
	reader->fault_place = place;
	va_end(arguments);
	return false;
}

/* ---- types ---- */

/* Calls that make a collection of one literal. What they are named after a dot is the same. */
static const char *const types[] = { "frozenset", "set", "tuple", "list", "dict", "MappingProxyType" };

static bool is_type(const char *name)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i], name) == 0)
			return true;
	return false;
}

static bool makes_mapping(const char *name)
{
	return strcmp(name, "dict") == 0 || strcmp(name, "MappingProxyType") == 0;
}

/* The '(' of a call that begins here, "types.MappingProxyType("; NULL where none does. `*name` is the last
 * part. */
static const struct python_token *call_of(const struct python_token *token, const char **name)
{
	while (token->kind == PYTHON_NAME && python_token_is(token + 1, ".") && token[2].kind == PYTHON_NAME)
		token += 2;
	*name = token->text;
	return token->kind == PYTHON_NAME && python_token_is(token + 1, "(") ? token + 1 : NULL;
}

bool python_begins_collection(const struct python_token *token)
{
	const char *name;
	if (token->kind == PYTHON_SIGN)
		return strchr("([{", *token->text) != NULL;
	return call_of(token, &name) && is_type(name);
}

/* ---- what is no literal ---- */

static bool fail_name(struct python_reader *reader, const struct python_token *token)
{
	const char *name;
	if (call_of(token, &name))
		return python_fail(reader, token->place, "'%s(…)' is a call, and nothing is executed", name);
	if (token[1].kind == PYTHON_NAME && strcmp(token[1].text, "for") == 0)
		token++;
	if (strcmp(token->text, "for") == 0 || strcmp(token->text, "async") == 0)
		return python_fail(reader, token->place,
				   "a comprehension is computed, and nothing is executed");
	if (strcmp(token->text, "if") == 0 || strcmp(token->text, "lambda") == 0)
		return python_fail(reader, token->place, "'%s' is computed, and nothing is executed",
				   token->text);
	return python_fail(reader, token->place, "'%s' is a name, and what it holds is not looked up",
			   token->text);
}

bool python_fail_token(struct python_reader *reader, const struct python_token *token)
{
	switch (token->kind) {
	case PYTHON_NAME:
		return fail_name(reader, token);
	case PYTHON_NUMBER:
		return python_fail(reader, token->place, "a number is no name of a program");
	case PYTHON_STRING:
		return python_fail(reader, token->place, "a string stands here where none can");
	case PYTHON_SIGN:
		break;
	case PYTHON_LINE_END:
	case PYTHON_END:
	case PYTHON_COMMENT:
		return python_fail(reader, token->place, "it ends too early");
	}
	if (*token->text == '.')
		return python_fail(reader, token->place, "a method is called, and nothing is executed");
	if (strchr("),]}:=;", *token->text))
		return python_fail(reader, token->place, "'%s' stands here where it cannot", token->text);
	return python_fail(reader, token->place, "'%s' is computed, and nothing is executed", token->text);
}

/* ---- strings ---- */

/* Those that stand one behind the other are one. */
static bool text_read(struct python_reader *reader, struct python_value *value)
{
	struct strbuf text = STRBUF_INIT;
	*value = (struct python_value){ .kind = PYTHON_TEXT, .place = reader->at->place };
	while (reader->at->kind == PYTHON_STRING && !reader->at->fault) {
		strbuf_add_text(&text, reader->at->text);
		value->place.end = reader->at->place.end;
		reader->at++;
		if (python_next(reader->at)->kind == PYTHON_STRING)
			reader->at = python_next(reader->at);
	}
	value->text = arena_text(reader->compilation->arena, text.bytes, text.size);
	strbuf_release(&text);
	if (reader->at->kind == PYTHON_STRING)
		return python_fail(reader, reader->at->place, "this string %s", reader->at->fault);
	return true;
}

/* ---- collections ---- */

struct frame {
	struct python_value *value;
	const struct python_token *open;
	const char *heading;
	struct strbuf lines; /* of a heading that goes on; empty where none does */
	bool comma;          /* one stood behind the last item */
};

static struct python_item *last_item(const struct frame *frame)
{
	return frame->value->count ? &frame->value->items[frame->value->count - 1] : NULL;
}

static void comment_take(struct frame *frame, const struct python_token *comment)
{
	struct python_item *last = last_item(frame);
	if (!comment->first && last && last->line == comment->line) {
		if (last->alone)
			last->comment = comment->text;
		return;
	}
	strbuf_add_text(&frame->lines, comment->text);
	strbuf_add_char(&frame->lines, '\n');
}

/* What the lines before an item are, its last line end left out. */
static void heading_end(struct python_reader *reader, struct frame *frame)
{
	if (!frame->lines.size)
		return;
	frame->heading = arena_text(reader->compilation->arena, frame->lines.bytes, frame->lines.size - 1);
	frame->lines.size = 0;
}

static void comments_take(struct python_reader *reader, struct frame *frame)
{
	for (; reader->at->kind == PYTHON_COMMENT; reader->at++)
		comment_take(frame, reader->at);
}

static bool key_read(struct python_reader *reader, struct frame *frame, struct python_item *item)
{
	bool braces = python_token_is(frame->open, "{");
	bool mapping = braces && python_token_is(python_next(reader->at), ":");
	if (frame->value->count == 0 && mapping)
		frame->value->kind = PYTHON_MAPPING;
	if (mapping && frame->value->kind != PYTHON_MAPPING)
		return python_fail_token(reader, python_next(reader->at));
	if (!mapping && frame->value->kind == PYTHON_MAPPING)
		return python_fail(reader, item->value.place, "this key of a mapping leads to nothing");
	if (!mapping)
		return true;
	if (item->value.kind != PYTHON_TEXT)
		return python_fail(reader, item->value.place, "a key that is no string names no program");
	item->key = item->value.text;
	item->key_place = item->value.place;
	reader->at = python_next(python_next(reader->at) + 1);
	return python_value_read(reader, &item->value);
}

static bool item_read(struct python_reader *reader, struct frame *frame)
{
	heading_end(reader, frame);
	struct python_item item = { .alone = reader->at->first, .heading = frame->heading };
	if (!python_value_read(reader, &item.value) || !key_read(reader, frame, &item))
		return false;
	item.line = reader->at[-1].line;
	struct python_value *value = frame->value;
	value->items = arena_grow(reader->compilation->arena, value->items, value->count, &value->capacity,
				  sizeof *value->items);
	value->items[value->count++] = item;
	return true;
}

static bool closes(const struct python_reader *reader, const struct frame *frame)
{
	return reader->at->kind == PYTHON_SIGN && strchr(")]}", *reader->at->text) &&
	       reader->at->depth == frame->open->depth;
}

/* Another item on the line of the one before it: a comment behind them is of neither. */
static void neighbours_mark(struct frame *frame)
{
	struct python_value *value = frame->value;
	if (value->count > 1 && !value->items[value->count - 1].alone)
		value->items[value->count - 2].alone = false;
}

static bool items_read(struct python_reader *reader, struct frame *frame)
{
	for (comments_take(reader, frame); !closes(reader, frame); comments_take(reader, frame)) {
		if (!item_read(reader, frame))
			return false;
		neighbours_mark(frame);
		comments_take(reader, frame);
		frame->comma = python_token_is(reader->at, ",");
		if (frame->comma)
			reader->at++;
		else if (!closes(reader, frame))
			return python_fail_token(reader, reader->at);
	}
	return true;
}

static bool collection_read(struct python_reader *reader, struct python_value *value)
{
	struct frame frame = { .value = value, .open = reader->at, .lines = STRBUF_INIT };
	*value = (struct python_value){ .kind = PYTHON_LIST, .place = reader->at->place };
	reader->at++;
	bool good = items_read(reader, &frame);
	strbuf_release(&frame.lines);
	if (!good)
		return false;
	value->place.end = reader->at->place.end;
	reader->at++;
	/* Parentheses alone make no tuple. */
	if (python_token_is(frame.open, "(") && value->count == 1 && !frame.comma) {
		struct python_value inner = value->items[0].value;
		*value = inner;
	}
	return true;
}

/* "frozenset({…})"; without an argument it is empty. */
static bool call_read(struct python_reader *reader, const struct python_token *open, const char *name,
		      struct python_value *value)
{
	const struct python_token *argument = python_next(open + 1);
	struct span place = { reader->at->place.source, reader->at->place.begin, 0 };
	if (!is_type(name))
		return fail_name(reader, reader->at);
	reader->at = argument;
	*value = (struct python_value){ .kind = PYTHON_LIST };
	if (!python_token_is(argument, ")")) {
		if (!python_value_read(reader, value))
			return false;
		if (value->kind == PYTHON_TEXT)
			return python_fail(reader, value->place,
					   "'%s' of a string holds its letters, not a program", name);
		if (makes_mapping(name) && value->kind != PYTHON_MAPPING && value->count)
			return python_fail(reader, value->place,
					   "'%s' of pairs is put together when the program runs", name);
		reader->at = python_next(reader->at);
		if (python_token_is(reader->at, ","))
			reader->at = python_next(reader->at + 1);
	}
	if (!python_token_is(reader->at, ")"))
		return python_fail_token(reader, reader->at);
	place.end = reader->at->place.end;
	value->place = place;
	reader->at++;
	return true;
}

bool python_value_read(struct python_reader *reader, struct python_value *value)
{
	const char *name;
	reader->at = python_next(reader->at);
	const struct python_token *open = call_of(reader->at, &name);
	if (open)
		return call_read(reader, open, name, value);
	if (reader->at->kind == PYTHON_STRING)
		return text_read(reader, value);
	if (reader->at->kind == PYTHON_SIGN && strchr("([{", *reader->at->text))
		return collection_read(reader, value);
	return python_fail_token(reader, reader->at);
}
