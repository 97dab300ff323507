#include "compiler/import/sudoers_users.h"

#include <stdint.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"

/* ---- users and hosts ---- */

/* One character, one that a backslash stands before, or a text in quotes. */
static void character_skip(struct sudoers_text *text)
{
	char c = sudoers_peek(text, 0);
	text->at += c == '\\' && sudoers_peek(text, 1) ? 2 : 1;
	if (c != '"')
		return;
	while (sudoers_peek(text, 0) && !strchr("\"\n", sudoers_peek(text, 0)))
		text->at += sudoers_peek(text, 0) == '\\' && sudoers_peek(text, 1) ? 2 : 1;
	if (sudoers_peek(text, 0) == '"')
		text->at++;
}

static bool report_refused(struct sudoers_text *text)
{
	struct diagnostic *d = diag_report(text->compilation->diags, DIAG_IMPORT_FORM, sudoers_here(text),
					   "users or hosts are refused here, and a policy does not say who "
					   "may run a program");
	diag_help(d,
		  "take the line out in a copy where it grants nothing, and the refused ones where it does");
	return false;
}

/* Up to the sign that ends users and hosts, or to the line's end. */
static bool who_skip(struct sudoers_text *text, char end)
{
	for (sudoers_blanks_skip(text); !sudoers_at_line_end(text) && (!end || sudoers_peek(text, 0) != end);
	     sudoers_blanks_skip(text)) {
		if (sudoers_peek(text, 0) == '!')
			return report_refused(text);
		character_skip(text);
	}
	return true;
}

bool sudoers_users_check(struct sudoers_text *text)
{
	return who_skip(text, '\0');
}

/* ---- what stands before a command ---- */

static bool is_one_of(const struct sudoers_text *text, size_t size, const char *const *words, size_t count)
{
	const char *word = text->source->text + text->at;
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i]) == size && memcmp(words[i], word, size) == 0)
			return true;
	return false;
}

#define IS_ONE_OF(text, size, words) is_one_of(text, size, words, sizeof(words) / sizeof *(words))

static bool runas_skip(struct sudoers_text *text)
{
	struct span place = sudoers_here(text);
	while (!sudoers_at_line_end(text) && sudoers_peek(text, 0) != ')') {
		character_skip(text);
		sudoers_blanks_skip(text);
	}
	if (sudoers_peek(text, 0) != ')')
		return sudoers_fail(text, place, "this '(' is not closed");
	text->at++;
	return true;
}

/* "NOPASSWD:" and "TIMEOUT=5m", as sudoers(5) lists them; false where another word stands here. */
static bool word_skip(struct sudoers_text *text)
{
	static const char *const tags[] = {
		"EXEC",      "NOEXEC",      "FOLLOW",     "NOFOLLOW",     "INTERCEPT", "NOINTERCEPT",
		"LOG_INPUT", "NOLOG_INPUT", "LOG_OUTPUT", "NOLOG_OUTPUT", "MAIL",      "NOMAIL",
		"PASSWD",    "NOPASSWD",    "SETENV",     "NOSETENV",
	};
	static const char *const options[] = { "ROLE",       "TYPE",      "APPARMOR_PROFILE", "PRIVS",
					       "LIMITPRIVS", "NOTBEFORE", "NOTAFTER",         "TIMEOUT",
					       "CWD",        "CHROOT" };
	size_t begin = text->at, size = sudoers_name_size(text);
	bool tag = IS_ONE_OF(text, size, tags), option = IS_ONE_OF(text, size, options);
	text->at += size;
	sudoers_blanks_skip(text);
	if (!(tag && sudoers_peek(text, 0) == ':') && !(option && sudoers_peek(text, 0) == '=')) {
		text->at = begin;
		return false;
	}
	text->at++;
	sudoers_blanks_skip(text);
	while (option && !sudoers_at_line_end(text) && !ascii_is_space(sudoers_peek(text, 0)))
		character_skip(text);
	return true;
}

static bool specification_skip(struct sudoers_text *text)
{
	for (;;) {
		sudoers_blanks_skip(text);
		if (sudoers_peek(text, 0) == '(') {
			if (!runas_skip(text))
				return false;
		} else if (!word_skip(text)) {
			return true;
		}
	}
}

/* ---- which decides ---- */

/* What is granted behind an item of a list. */
struct granted {
	struct map *programs;             /* by path, whatever the arguments: the item */
	struct map *texts;                /* by path and arguments */
	const struct sudoers_item *other; /* an alias, a pattern, a folder: what it names is not looked up */
	const struct sudoers_item *any;
};

static bool is_program(const struct sudoers_item *item)
{
	size_t size = strcspn(item->text, " ");
	return item->text[0] == '/' && !item->pattern && item->text[size - 1] != '/';
}

static void granted_add(struct granted *granted, const struct sudoers_item *item)
{
	granted->any = item;
	if (!is_program(item)) {
		granted->other = item;
		return;
	}
	*map_at(granted->programs, item->text, strcspn(item->text, " ")) = (void *)item;
	*map_at(granted->texts, item->text, strlen(item->text)) = (void *)item;
}

/* What may grant again what is refused; NULL where nothing does. */
static const struct sudoers_item *granted_again(const struct granted *granted,
						const struct sudoers_item *refused)
{
	size_t size = strlen(refused->text), program = strcspn(refused->text, " ");
	if (!is_program(refused))
		return granted->any;
	if (granted->other)
		return granted->other;
	if (program == size)
		return map_value(granted->programs, refused->text, program);
	const struct sudoers_item *same = map_value(granted->texts, refused->text, size);
	return same ? same : map_value(granted->texts, refused->text, program);
}

static bool report_again(struct sudoers_text *text, const struct sudoers_item *refused,
			 const struct sudoers_item *granted)
{
	struct diagnostic *d =
		diag_report(text->compilation->diags, DIAG_IMPORT_FORM, refused->place,
			    "'%s' is refused here, and what stands behind it may grant it again: "
			    "the last decides",
			    refused->text);
	diag_note(d, granted->place, "'%s' is granted here", granted->text);
	diag_help(d, "write what is refused last, or take it out where it has no effect");
	return false;
}

static bool order_check(struct sudoers_text *text, const struct sudoers_item *items, size_t count)
{
	struct arena *arena = text->compilation->arena;
	struct granted granted = { .programs = map_new(arena, 0), .texts = map_new(arena, 0) };
	for (size_t i = count; i-- > 0;) {
		const struct sudoers_item *again = NULL;
		if (items[i].negated)
			again = granted_again(&granted, &items[i]);
		else
			granted_add(&granted, &items[i]);
		if (again)
			return report_again(text, &items[i], again);
	}
	return true;
}

/* ---- lists ---- */

/* "FOO=x !/bin/su": what an option that is not known says of the command behind it is not known. */
static bool command_check(struct sudoers_text *text, const struct sudoers_item *item)
{
	bool path = item->text[0] == '/' || strncmp(item->text, "sha", 3) == 0;
	bool option = !path && memchr(item->text, '=', strcspn(item->text, " "));
	return !option || sudoers_fail(text, item->place, "no option that is known begins here");
}

static bool list_read(struct sudoers_text *text, struct sudoers_users *users)
{
	size_t first = users->count;
	do {
		struct sudoers_item item;
		if (!specification_skip(text) || !sudoers_item_read(text, &item) ||
		    !command_check(text, &item))
			return false;
		users->items = arena_grow(text->compilation->arena, users->items, users->count,
					  &users->capacity, sizeof *users->items);
		users->items[users->count++] = item;
	} while (sudoers_peek(text, 0) == ',' && text->at++ < text->source->size);
	return order_check(text, users->items + first, users->count - first);
}

bool sudoers_users_read(struct sudoers_text *text, struct sudoers_users *users)
{
	text->of_users = true;
	do {
		if (!who_skip(text, '='))
			return false;
		if (sudoers_peek(text, 0) != '=')
			return sudoers_fail(text, sudoers_here(text), "a '=' stands behind users and hosts");
		text->at++;
		if (!list_read(text, users))
			return false;
	} while (sudoers_peek(text, 0) == ':' && text->at++ < text->source->size);
	return true;
}
