#include "compiler/import/python_literal.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/limits.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import_comment.h"

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
	/* "set.union(" gives one too. */
	return call_of(token, &name) && (is_type(name) || is_type(token->text));
}

/* A call whose argument is read: what it gives has the same entries. */
static bool keeps_entries(const struct python_reader *reader, const char *name)
{
	return is_type(name) || (reader->names && strcmp(name, "sorted") == 0);
}

/* ---- what is no literal ---- */

static bool is_computing_word(const char *text)
{
	static const char *const words[] = { "and", "if", "in", "is", "lambda", "not", "or" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], text) == 0)
			return true;
	return false;
}

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
	if (is_computing_word(token->text))
		return python_fail(reader, token->place, "'%s' is computed, and nothing is executed",
				   token->text);
	return python_fail(reader, token->place,
			   reader->names ? "'%s' is a name, and no collection above is called so"
					 : "'%s' is a name, and what it holds is not looked up",
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

/* ---- putting together ---- */

static void item_add(struct python_reader *reader, struct python_value *value, const struct python_item *item)
{
	value->items = arena_grow(reader->compilation->arena, value->items, value->count, &value->capacity,
				  sizeof *value->items);
	value->items[value->count++] = *item;
}

bool python_value_is_collection(struct python_reader *reader, const struct python_value *value)
{
	return value->kind != PYTHON_TEXT ||
	       python_fail(reader, value->place, "one string is no collection: its parts would be letters");
}

/* Those without a heading get this one. */
static bool items_add(struct python_reader *reader, struct python_value *value,
		      const struct python_value *more, const char *heading)
{
	if (!python_value_is_collection(reader, more))
		return false;
	reader->names->joined += more->count;
	if (reader->names->joined > PYTHON_JOINED_MAX)
		return python_fail(reader, more->place, "more than %d entries are put together",
				   PYTHON_JOINED_MAX);
	for (size_t i = 0; i < more->count; i++) {
		struct python_item item = more->items[i];
		item.heading = item.heading ? item.heading : heading;
		item_add(reader, value, &item);
	}
	return true;
}

/* An empty one may be a mapping or not. */
static bool value_join(struct python_reader *reader, struct python_value *value,
		       const struct python_value *more)
{
	if (!value->count)
		value->kind = more->kind;
	else if (more->count && more->kind != value->kind)
		value->kind = PYTHON_LIST;
	value->made = true;
	return items_add(reader, value, more, more->heading);
}

static bool name_read(struct python_reader *reader, struct python_value *value)
{
	const struct python_token *name = reader->at;
	const struct python_value *held = reader->names->find(reader, name);
	if (!held)
		return reader->fault ? false : fail_name(reader, name);
	struct python_value more = *held;
	more.place = name->place;
	*value = (struct python_value){ .kind = held->kind, .place = name->place };
	reader->at++;
	return value_join(reader, value, &more);
}

/* ".union(…)", ".copy()": `reader->at` is the dot. */
static bool method_read(struct python_reader *reader, struct python_value *value)
{
	reader->at = python_next(reader->at + 3);
	while (!python_token_is(reader->at, ")")) {
		struct python_value more;
		if (!python_value_read(reader, &more) || !value_join(reader, value, &more))
			return false;
		reader->at = python_next(reader->at);
		if (python_token_is(reader->at, ","))
			reader->at = python_next(reader->at + 1);
		else if (!python_token_is(reader->at, ")"))
			return python_fail_token(reader, reader->at);
	}
	reader->at++;
	return true;
}

static bool begins_method(const struct python_token *dot)
{
	const struct python_token *name = dot + 1;
	return python_token_is(dot, ".") && name->kind == PYTHON_NAME && python_token_is(name + 1, "(") &&
	       (strcmp(name->text, "union") == 0 || strcmp(name->text, "copy") == 0);
}

/* ---- collections ---- */

struct frame {
	struct python_value *value;
	const struct python_token *open;
	const char *heading;
	struct strbuf lines; /* of a heading that goes on; empty where none does */
	unsigned line;       /* where what stands before ends; 0 where nothing does */
	bool spread;         /* that is "*NAME", of which no comment is */
	bool comma;          /* one stood behind the last item */
};

static struct python_item *last_item(const struct frame *frame)
{
	return frame->value->count ? &frame->value->items[frame->value->count - 1] : NULL;
}

static void comment_take(struct frame *frame, const struct python_token *comment)
{
	if (!comment->first && frame->line == comment->line) {
		struct python_item *last = frame->spread ? NULL : last_item(frame);
		if (last && last->alone)
			last->comment = comment->text;
		return;
	}
	strbuf_add_text(&frame->lines, comment->text);
	strbuf_add_char(&frame->lines, '\n');
}

/* Lines that say nothing are none. */
static void heading_end(struct python_reader *reader, struct frame *frame)
{
	if (!frame->lines.size)
		return;
	const char *heading = comment_heading(reader->compilation->arena, frame->lines.bytes);
	frame->heading = heading ? heading : frame->heading;
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
	frame->line = reader->at[-1].line;
	item_add(reader, frame->value, &item);
	return true;
}

static bool begins_spread(const struct python_reader *reader)
{
	return reader->names && (python_token_is(reader->at, "*") || python_token_is(reader->at, "**"));
}

/* "*NAME", and in a mapping "**NAME". */
static bool spread_read(struct python_reader *reader, struct frame *frame)
{
	const struct python_token *star = reader->at++;
	bool mapping = python_token_is(star, "**");
	struct python_value *value = frame->value, more;
	heading_end(reader, frame);
	if (mapping && !value->count && python_token_is(frame->open, "{"))
		value->kind = PYTHON_MAPPING;
	if (mapping != (value->kind == PYTHON_MAPPING))
		return python_fail_token(reader, star);
	if (!python_value_read(reader, &more))
		return false;
	if (mapping && more.count && more.kind != PYTHON_MAPPING)
		return python_fail(reader, more.place, "'**' takes the keys of a mapping, and this is none");
	frame->line = reader->at[-1].line;
	return items_add(reader, value, &more, frame->heading);
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
		frame->spread = begins_spread(reader);
		if (!(frame->spread ? spread_read(reader, frame) : item_read(reader, frame)))
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

/* An entry is a string, or a list of words as it is written. */
static bool entries_check(struct python_reader *reader, const struct python_value *value)
{
	for (size_t i = 0; i < value->count; i++)
		if (value->items[i].value.made)
			return python_fail(reader, value->items[i].value.place,
					   "a collection stands here where an entry does: '*' before it "
					   "takes its entries");
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
		return true;
	}
	return entries_check(reader, value);
}

/* "frozenset({…})"; without an argument it is empty. */
static bool call_read(struct python_reader *reader, const struct python_token *open, const char *name,
		      struct python_value *value)
{
	const struct python_token *argument = python_next(open + 1);
	struct span place = { reader->at->place.source, reader->at->place.begin, 0 };
	bool dotted = python_token_is(open - 2, ".");
	if (!keeps_entries(reader, name) || (dotted && !is_type(name)))
		return fail_name(reader, reader->at);
	if (reader->names && !dotted && reader->names->hides(reader, name))
		return python_fail(reader, reader->at->place,
				   "'%s(…)' is the module's own, and nothing is executed", name);
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
	value->made |= !is_type(name);
	reader->at++;
	return true;
}

static bool part_read(struct python_reader *reader, struct python_value *value)
{
	const char *name;
	*value = (struct python_value){ 0 };
	reader->at = python_next(reader->at);
	const struct python_token *open = call_of(reader->at, &name);
	if (open && (!reader->names || keeps_entries(reader, name)))
		return call_read(reader, open, name, value);
	if (reader->at->kind == PYTHON_NAME && reader->names)
		return name_read(reader, value);
	if (reader->at->kind == PYTHON_STRING)
		return text_read(reader, value);
	if (reader->at->kind == PYTHON_SIGN && strchr("([{", *reader->at->text))
		return collection_read(reader, value);
	return python_fail_token(reader, reader->at);
}

/* ".union(…)", "| …": whether more is put together with the collection that stands before. */
static bool goes_on(const struct python_token *token)
{
	return begins_method(token) || python_token_is(token, "|") || python_token_is(token, "+");
}

static bool more_read(struct python_reader *reader, struct python_value *value)
{
	struct python_value more;
	reader->at = python_next(reader->at);
	if (begins_method(reader->at))
		return method_read(reader, value);
	reader->at++;
	return part_read(reader, &more) && value_join(reader, value, &more);
}

bool python_value_read(struct python_reader *reader, struct python_value *value)
{
	if (!part_read(reader, value))
		return false;
	while (reader->names && value->kind != PYTHON_TEXT && goes_on(python_next(reader->at)))
		if (!more_read(reader, value))
			return false;
	return true;
}
