#include "compiler/import/sudoers_text.h"

#include <stdint.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"

/* ---- characters ---- */

char sudoers_peek(const struct sudoers_text *text, size_t ahead)
{
	size_t at = text->at + ahead;
	return at < text->source->size ? text->source->text[at] : '\0';
}

/* The bytes of a '\' that joins two lines, 0 where none stands here. */
static size_t joint_size(const struct sudoers_text *text)
{
	if (sudoers_peek(text, 0) != '\\')
		return 0;
	if (sudoers_peek(text, 1) == '\n')
		return 2;
	return sudoers_peek(text, 1) == '\r' && sudoers_peek(text, 2) == '\n' ? 3 : 0;
}

void sudoers_blanks_skip(struct sudoers_text *text)
{
	for (;;) {
		char c = sudoers_peek(text, 0);
		size_t joint = joint_size(text);
		if (c != ' ' && c != '\t' && c != '\r' && !joint)
			return;
		text->at += joint ? joint : 1;
	}
}

bool sudoers_at_comment(const struct sudoers_text *text)
{
	size_t digit = sudoers_peek(text, 1) == '-' ? 2 : 1;
	return sudoers_peek(text, 0) == '#' && !ascii_is_digit(sudoers_peek(text, digit));
}

bool sudoers_at_line_end(const struct sudoers_text *text)
{
	return text->at >= text->source->size || sudoers_peek(text, 0) == '\n' || sudoers_at_comment(text);
}

void sudoers_line_skip(struct sudoers_text *text)
{
	bool comment = false;
	while (text->at < text->source->size && sudoers_peek(text, 0) != '\n') {
		comment |= sudoers_at_comment(text);
		size_t joint = comment ? 0 : joint_size(text);
		text->at += joint ? joint : 1;
	}
	text->at++;
}

static bool is_alias_byte(char c)
{
	return (c >= 'A' && c <= 'Z') || ascii_is_digit(c) || c == '_';
}

size_t sudoers_name_size(const struct sudoers_text *text)
{
	size_t size = 0;
	while (is_alias_byte(sudoers_peek(text, size)))
		size++;
	return size;
}

bool sudoers_is_alias_name(const char *name)
{
	size_t size = 0;
	while (is_alias_byte(name[size]))
		size++;
	return *name >= 'A' && *name <= 'Z' && !name[size];
}

bool sudoers_fail(const struct sudoers_text *text, struct span place, const char *message)
{
	struct diagnostic *d =
		diag_report(text->compilation->diags, DIAG_IMPORT_FORM, place, "this %s cannot be read: %s",
			    text->of_users ? "line of users" : "alias", message);
	diag_help(d, "what is read: %s",
		  text->of_users ? "%ops ALL = (root) NOPASSWD: TOOLS, !/usr/bin/su"
				 : "Cmnd_Alias TOOLS = /usr/bin/git, /usr/bin/docker compose, !/usr/bin/su");
	return false;
}

struct span sudoers_here(const struct sudoers_text *text)
{
	uint32_t at = (uint32_t)text->at;
	return (struct span){ text->source, at, at < text->source->size ? at + 1 : at };
}

/* ---- items ---- */

static bool ends_item(const struct sudoers_text *text)
{
	char c = sudoers_peek(text, 0);
	return sudoers_at_line_end(text) || c == ',' || c == ':';
}

/* "sha256:" before a path: the colon ends no alias. */
static bool begins_digest(const struct sudoers_text *text)
{
	return sudoers_peek(text, 0) == 's' && sudoers_peek(text, 1) == 'h' && sudoers_peek(text, 2) == 'a' &&
	       ascii_is_digit(sudoers_peek(text, 3)) && sudoers_peek(text, 6) == ':';
}

/* One character, or what a backslash stands before. */
static void character_take(struct sudoers_text *text, struct sudoers_item *item, struct strbuf *value)
{
	char c = sudoers_peek(text, 0);
	if (c == '\\' && sudoers_peek(text, 1) && !joint_size(text)) {
		strbuf_add_char(value, sudoers_peek(text, 1));
		text->at += 2;
		return;
	}
	bool opens_expression = c == '^' && (!value->size || value->bytes[value->size - 1] == ' ');
	item->pattern |= c == '*' || c == '?' || c == '[' || opens_expression;
	strbuf_add_char(value, c);
	text->at++;
}

static void item_text_read(struct sudoers_text *text, struct sudoers_item *item, struct strbuf *value)
{
	size_t colon = begins_digest(text) ? text->at + 6 : SIZE_MAX;
	size_t end = text->at;
	for (;;) {
		size_t before = text->at;
		sudoers_blanks_skip(text);
		if (ends_item(text) && text->at != colon)
			break;
		if (text->at > before && value->size)
			strbuf_add_char(value, ' ');
		character_take(text, item, value);
		end = text->at;
	}
	item->place.end = (uint32_t)end;
}

bool sudoers_item_read(struct sudoers_text *text, struct sudoers_item *item)
{
	struct strbuf value = STRBUF_INIT;
	*item = (struct sudoers_item){ .negated = false };
	for (sudoers_blanks_skip(text); sudoers_peek(text, 0) == '!'; sudoers_blanks_skip(text)) {
		item->negated = !item->negated;
		text->at++;
	}
	item->place = sudoers_here(text);
	item_text_read(text, item, &value);
	item->text = arena_text(text->compilation->arena, value.bytes, value.size);
	strbuf_release(&value);
	return *item->text || sudoers_fail(text, item->place, "a command is missing here");
}
