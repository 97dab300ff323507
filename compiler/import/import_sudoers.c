/*
 * Cmnd_Alias of sudoers(5): paths of programs, with arguments. Users, hosts and options are not read, but
 * whether an alias is refused where it is used ("ALL, !SHELLS"): its programs are then forbidden.
 */
#include <stdint.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import.h"
#include "compiler/import/import_comment.h"
#include "compiler/import/import_formats.h"

enum { DEPTH_MAX = 64 };

/* One entry of an alias. */
struct item {
	struct span place; /* without its '!' */
	bool negated;
	bool pattern;     /* it has a wildcard or a regular expression */
	const char *text; /* without backslashes, each gap one blank */
};

struct alias {
	const char *name;
	struct span place;
	const char *heading;
	struct item *items;
	size_t count, capacity;
	bool nested;                  /* another alias names it */
	struct span granted, refused; /* where a user may use it, and where not; no source for nowhere */
	struct span part;             /* where another one names it, while a list is made */
	unsigned char taken;          /* by polarity, while a list is made: 1 as it is, 2 negated */
};

struct sudoers {
	struct import *import;
	const struct source *source;
	size_t at;
	const char *heading; /* the comment above */
	struct alias **aliases;
	size_t count, capacity;
	struct map *names;
	unsigned depth; /* of the aliases that are being taken */
};

/* ---- characters ---- */

static char peek(const struct sudoers *sudoers, size_t ahead)
{
	size_t at = sudoers->at + ahead;
	return at < sudoers->source->size ? sudoers->source->text[at] : '\0';
}

/* The bytes of a '\' that joins two lines, 0 where none stands here. */
static size_t joint_size(const struct sudoers *sudoers)
{
	if (peek(sudoers, 0) != '\\')
		return 0;
	if (peek(sudoers, 1) == '\n')
		return 2;
	return peek(sudoers, 1) == '\r' && peek(sudoers, 2) == '\n' ? 3 : 0;
}

static void blanks_skip(struct sudoers *sudoers)
{
	for (;;) {
		char c = peek(sudoers, 0);
		size_t joint = joint_size(sudoers);
		if (c != ' ' && c != '\t' && c != '\r' && !joint)
			return;
		sudoers->at += joint ? joint : 1;
	}
}

/* "#1000" is a user. */
static bool at_comment(const struct sudoers *sudoers)
{
	return peek(sudoers, 0) == '#' && !ascii_is_digit(peek(sudoers, 1));
}

static bool at_line_end(const struct sudoers *sudoers)
{
	return sudoers->at >= sudoers->source->size || peek(sudoers, 0) == '\n' || at_comment(sudoers);
}

/* To the start of the next line that is no continuation. */
static void line_skip(struct sudoers *sudoers)
{
	bool comment = false;
	while (sudoers->at < sudoers->source->size && peek(sudoers, 0) != '\n') {
		comment |= at_comment(sudoers);
		size_t joint = comment ? 0 : joint_size(sudoers);
		sudoers->at += joint ? joint : 1;
	}
	sudoers->at++;
}

static bool is_alias_byte(char c)
{
	return (c >= 'A' && c <= 'Z') || ascii_is_digit(c) || c == '_';
}

static bool is_alias_name(const char *text)
{
	size_t size = 0;
	while (is_alias_byte(text[size]))
		size++;
	return *text >= 'A' && *text <= 'Z' && !text[size];
}

static bool fail(struct sudoers *sudoers, struct span place, const char *message)
{
	struct diagnostic *d = diag_report(sudoers->import->compilation->diags, DIAG_IMPORT_FORM, place,
					   "this alias cannot be read: %s", message);
	diag_help(d, "what is read: Cmnd_Alias TOOLS = /usr/bin/git, /usr/bin/docker compose, !/usr/bin/su");
	return false;
}

static struct span here(const struct sudoers *sudoers)
{
	uint32_t at = (uint32_t)sudoers->at;
	return (struct span){ sudoers->source, at, at < sudoers->source->size ? at + 1 : at };
}

/* ---- definitions ---- */

static bool ends_item(const struct sudoers *sudoers)
{
	char c = peek(sudoers, 0);
	return at_line_end(sudoers) || c == ',' || c == ':';
}

/* "sha256:" before a path: the colon ends no alias. */
static bool begins_digest(const struct sudoers *sudoers)
{
	return peek(sudoers, 0) == 's' && peek(sudoers, 1) == 'h' && peek(sudoers, 2) == 'a' &&
	       ascii_is_digit(peek(sudoers, 3)) && peek(sudoers, 6) == ':';
}

/* One character, or what a backslash stands before. */
static void character_take(struct sudoers *sudoers, struct item *item, struct strbuf *text)
{
	char c = peek(sudoers, 0);
	if (c == '\\' && peek(sudoers, 1) && !joint_size(sudoers)) {
		strbuf_add_char(text, peek(sudoers, 1));
		sudoers->at += 2;
		return;
	}
	bool opens_expression = c == '^' && (!text->size || text->bytes[text->size - 1] == ' ');
	item->pattern |= c == '*' || c == '?' || c == '[' || opens_expression;
	strbuf_add_char(text, c);
	sudoers->at++;
}

static void item_text_read(struct sudoers *sudoers, struct item *item, struct strbuf *text)
{
	size_t colon = begins_digest(sudoers) ? sudoers->at + 6 : SIZE_MAX;
	size_t end = sudoers->at;
	for (;;) {
		size_t before = sudoers->at;
		blanks_skip(sudoers);
		if (ends_item(sudoers) && sudoers->at != colon)
			break;
		if (sudoers->at > before && text->size)
			strbuf_add_char(text, ' ');
		character_take(sudoers, item, text);
		end = sudoers->at;
	}
	item->place.end = (uint32_t)end;
}

static bool item_read(struct sudoers *sudoers, struct alias *alias)
{
	struct item item = { .negated = false };
	struct strbuf text = STRBUF_INIT;
	for (blanks_skip(sudoers); peek(sudoers, 0) == '!'; blanks_skip(sudoers)) {
		item.negated = !item.negated;
		sudoers->at++;
	}
	item.place = here(sudoers);
	item_text_read(sudoers, &item, &text);
	item.text = arena_text(sudoers->import->compilation->arena, text.bytes, text.size);
	strbuf_release(&text);
	if (!*item.text)
		return fail(sudoers, item.place, "a command is missing here");
	alias->items = arena_grow(sudoers->import->compilation->arena, alias->items, alias->count,
				  &alias->capacity, sizeof *alias->items);
	alias->items[alias->count++] = item;
	return true;
}

static bool name_read(struct sudoers *sudoers, struct alias *alias)
{
	size_t size = 0;
	while (is_alias_byte(peek(sudoers, size)))
		size++;
	alias->place = here(sudoers);
	alias->place.end = (uint32_t)(sudoers->at + size);
	alias->name =
		arena_text(sudoers->import->compilation->arena, sudoers->source->text + sudoers->at, size);
	if (!is_alias_name(alias->name))
		return fail(sudoers, here(sudoers), "its name is in capitals");
	sudoers->at += size;
	blanks_skip(sudoers);
	if (peek(sudoers, 0) != '=')
		return fail(sudoers, here(sudoers), "a '=' stands behind its name");
	sudoers->at++;
	return true;
}

static bool alias_keep(struct sudoers *sudoers, struct alias *alias)
{
	void **known = map_at(sudoers->names, alias->name, strlen(alias->name));
	if (*known)
		return fail(sudoers, alias->place, "its name has been given before");
	*known = alias;
	sudoers->aliases = arena_grow(sudoers->import->compilation->arena, sudoers->aliases, sudoers->count,
				      &sudoers->capacity, sizeof *sudoers->aliases);
	sudoers->aliases[sudoers->count++] = alias;
	return true;
}

/* NAME = item, item */
static bool alias_read(struct sudoers *sudoers)
{
	struct alias *alias = arena_alloc(sudoers->import->compilation->arena, sizeof *alias);
	blanks_skip(sudoers);
	if (!name_read(sudoers, alias) || !alias_keep(sudoers, alias))
		return false;
	alias->heading = sudoers->heading;
	do {
		if (!item_read(sudoers, alias))
			return false;
	} while (peek(sudoers, 0) == ',' && sudoers->at++ < sudoers->source->size);
	return true;
}

/* ---- where aliases are used ---- */

/* A line of users: each alias in it is granted, or refused behind a '!'. */
static void uses_note(struct sudoers *sudoers)
{
	bool negated = false;
	while (!at_line_end(sudoers)) {
		size_t size = 0, joint = joint_size(sudoers);
		while (is_alias_byte(peek(sudoers, size)))
			size++;
		struct alias *alias =
			size ? map_value(sudoers->names, sudoers->source->text + sudoers->at, size) : NULL;
		struct span place = { sudoers->source, (uint32_t)sudoers->at,
				      (uint32_t)(sudoers->at + size) };
		if (alias && negated)
			alias->refused = place;
		else if (alias)
			alias->granted = place;
		if (size || !strchr(" \t\\\n", peek(sudoers, 0)))
			negated = !size && peek(sudoers, 0) == '!' && !negated;
		sudoers->at += size ? size : joint ? joint : 1;
	}
}

static void nesting_note(struct sudoers *sudoers)
{
	for (size_t i = 0; i < sudoers->count; i++)
		for (size_t k = 0; k < sudoers->aliases[i]->count; k++) {
			const char *text = sudoers->aliases[i]->items[k].text;
			struct alias *other = map_value(sudoers->names, text, strlen(text));
			if (other && other != sudoers->aliases[i])
				other->nested = true;
		}
}

/* ---- lines ---- */

/* Behind the keyword of a line that defines aliases; 0 where it is another line. */
static size_t keyword_size(const struct source *source, size_t at)
{
	static const char *const keywords[] = { "Cmnd_Alias", "Cmd_Alias" };
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		size_t size = strlen(keywords[i]);
		if (source->size - at > size && memcmp(source->text + at, keywords[i], size) == 0 &&
		    (source->text[at + size] == ' ' || source->text[at + size] == '\t'))
			return size;
	}
	return 0;
}

bool import_sudoers_is(const struct source *source)
{
	if (path_ends_with(source->path, ".py")) /* whatever stands in its texts */
		return false;
	for (size_t at = 0; at < source->size;) {
		while (at < source->size && (source->text[at] == ' ' || source->text[at] == '\t'))
			at++;
		if (at < source->size && keyword_size(source, at))
			return true;
		const char *end = memchr(source->text + at, '\n', source->size - at);
		at = end ? (size_t)(end - source->text) + 1 : source->size;
	}
	return false;
}

static void comment_take(struct sudoers *sudoers)
{
	const char *text = sudoers->source->text + sudoers->at + 1;
	size_t size = sudoers->source->size - sudoers->at - 1;
	const char *end = memchr(text, '\n', size);
	struct arena *arena = sudoers->import->compilation->arena;
	sudoers->heading = comment_line(arena, arena_copy(arena, text, end ? (size_t)(end - text) : size));
}

/* All aliases of one line: "A = /bin/a : B = /bin/b". */
static bool definitions_read(struct sudoers *sudoers)
{
	sudoers->at += keyword_size(sudoers->source, sudoers->at);
	do {
		if (!alias_read(sudoers))
			return false;
	} while (peek(sudoers, 0) == ':' && sudoers->at++ < sudoers->source->size);
	return true;
}

/* Settings for commands, "Defaults!SHELLS noexec", and aliases of other things grant nothing. */
static bool is_of_users(const struct source *source, size_t at)
{
	static const char *const others[] = { "Defaults", "User_Alias", "Host_Alias", "Runas_Alias" };
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		size_t size = strlen(others[i]);
		if (source->size - at >= size && memcmp(source->text + at, others[i], size) == 0)
			return false;
	}
	return true;
}

/* Twice, since an alias may be used before the line that defines it. */
static bool lines_read(struct sudoers *sudoers, bool define)
{
	for (sudoers->at = 0; sudoers->at < sudoers->source->size; line_skip(sudoers)) {
		blanks_skip(sudoers);
		bool defines = keyword_size(sudoers->source, sudoers->at) > 0;
		if (at_comment(sudoers) && define) {
			comment_take(sudoers);
			continue;
		}
		if (defines && define && !definitions_read(sudoers))
			return false;
		if (!defines && !define && sudoers->at < sudoers->source->size &&
		    is_of_users(sudoers->source, sudoers->at))
			uses_note(sudoers);
		sudoers->heading = NULL;
	}
	return true;
}

/* ---- entries ---- */

/* Why no row can say it, and what to do; no `what` where one can. */
struct fault {
	const char *what, *mend;
};

static struct fault item_fault(const struct item *item)
{
	static const char each[] = "name each program by itself, with its path";
	if (strcmp(item->text, "ALL") == 0)
		return (struct fault){ "stands for every program: a policy names those that may run", each };
	if (strncmp(item->text, "sha", 3) == 0 && strchr(item->text, ':'))
		return (struct fault){ "is bound to a digest, which no row can hold",
				       "take the digest out, where the path is enough" };
	if (item->pattern)
		return (struct fault){ "is a pattern: each command is named by itself", each };
	if (is_alias_name(item->text))
		return (struct fault){ "is an alias that this file does not define", each };
	if (item->text[0] != '/')
		return (struct fault){ "has no path: it is a command of sudo's own",
				       "leave it out: no other program has it" };
	const char *end = strchrnul(item->text, ' ');
	return (struct fault){ end[-1] == '/' ? "is a folder: each command is named by itself" : NULL, each };
}

static void program_take(struct sudoers *sudoers, const struct item *item, struct import_entry *entry)
{
	struct arena *arena = sudoers->import->compilation->arena;
	size_t size = strcspn(item->text, " ");
	entry->path = arena_copy(arena, item->text, size);
	entry->command = path_base(entry->path);
	bool alone = strcmp(item->text + size, " \"\"") == 0;
	if (!alone && item->text[size])
		entry->command = arena_printf(arena, "%s%s", entry->command, item->text + size);
	if (entry->verdict != IMPORT_ALLOW || !item->text[size])
		return;
	entry->wider = alone ? "may have no arguments there, and any as a row"
			     : "may have these arguments alone there, and more behind them as a row";
}

static void alias_take(struct sudoers *sudoers, struct alias *alias, bool negated, struct import_list *list);

static void item_take(struct sudoers *sudoers, const struct item *item, bool negated, const char *heading,
		      struct import_list *list)
{
	struct alias *other = map_value(sudoers->names, item->text, strlen(item->text));
	negated ^= item->negated;
	if (other && sudoers->depth < DEPTH_MAX) {
		other->part = item->place;
		alias_take(sudoers, other, negated, list);
		return;
	}
	struct import_entry entry = {
		.command = item->text,
		.place = item->place,
		.verdict = negated ? IMPORT_FORBID : IMPORT_ALLOW,
		.group = heading,
		.adr = heading ? comment_adr(sudoers->import->compilation->arena, heading) : NULL
	};
	struct fault fault = item_fault(item);
	entry.fault = other ? "is an alias of aliases in more than 64 steps" : fault.what;
	entry.mend = other ? "define it by its programs" : fault.mend;
	if (!entry.fault)
		program_take(sudoers, item, &entry);
	import_entry_add(sudoers->import, list, &entry);
}

/*
 * From its end, and once for each polarity, however often it is named: aliases of aliases could name each
 * other without end, and the last of equal entries decides.
 */
static void alias_take(struct sudoers *sudoers, struct alias *alias, bool negated, struct import_list *list)
{
	unsigned char bit = negated ? 2 : 1;
	if (alias->taken & bit)
		return;
	alias->taken |= bit;
	sudoers->depth++;
	for (size_t i = alias->count; i-- > 0;)
		item_take(sudoers, &alias->items[i], negated, alias->heading, list);
	sudoers->depth--;
}

static void entries_reverse(struct import_list *list)
{
	for (size_t i = 0, k = list->count; i + 1 < k; i++) {
		struct import_entry entry = list->entries[i];
		list->entries[i] = list->entries[--k];
		list->entries[k] = entry;
	}
}

static bool report_both(struct sudoers *sudoers, const struct alias *alias, struct span granted)
{
	struct diagnostic *d =
		diag_report(sudoers->import->compilation->diags, DIAG_IMPORT_FORM, alias->place,
			    "'%s' is granted and refused by this file", alias->name);
	diag_note(d, granted, "granted here");
	diag_note(d, alias->refused, "refused here");
	diag_help(d, "import two files: the aliases that may run, and those that may not");
	return false;
}

/* Aliases that were taken as a part of one that is granted, and that a user is refused. */
static bool parts_check(struct sudoers *sudoers)
{
	bool good = true;
	for (size_t i = 0; i < sudoers->count; i++) {
		const struct alias *part = sudoers->aliases[i];
		if (part->taken & 1 && part->refused.source)
			good = report_both(sudoers, part, part->part);
	}
	return good;
}

static bool alias_import(struct sudoers *sudoers, struct alias *alias)
{
	if (alias->granted.source && alias->refused.source)
		return report_both(sudoers, alias, alias->granted);
	struct import_list *list =
		import_list_add(sudoers->import, IMPORT_COMMANDS, sudoers->source, alias->name, alias->place);
	bool refused = alias->refused.source != NULL;
	list->precedence = IMPORT_LAST;
	list->verdict = refused ? IMPORT_FORBID : IMPORT_ALLOW;
	for (size_t i = 0; i < sudoers->count; i++)
		sudoers->aliases[i]->taken = 0;
	alias_take(sudoers, alias, refused, list);
	entries_reverse(list);
	return parts_check(sudoers);
}

/* ---- which aliases ---- */

static bool named_import(struct sudoers *sudoers, bool *good)
{
	struct import *import = sudoers->import;
	bool any = false;
	for (size_t i = 0; i < import->symbol_count; i++) {
		struct alias *alias =
			map_value(sudoers->names, import->symbols[i], strlen(import->symbols[i]));
		if (!alias)
			continue;
		any = import->symbols_found[i] = true;
		*good &= alias_import(sudoers, alias);
	}
	return any;
}

/* The one that no other names: it holds all others, or is alone. */
static bool only_import(struct sudoers *sudoers)
{
	if (!sudoers->count)
		return fail(sudoers, (struct span){ sudoers->source, 0, 0 },
			    "none is defined at the start of a line");
	enum { SHOWN = 10 };
	struct alias *first = NULL;
	struct diagnostic *d = NULL;
	size_t more = 0;
	nesting_note(sudoers);
	for (size_t i = 0; i < sudoers->count; i++) {
		struct alias *alias = sudoers->aliases[i];
		if (alias->nested)
			continue;
		if (!first) {
			first = alias;
			continue;
		}
		if (!more++)
			d = diag_report(
				sudoers->import->compilation->diags, DIAG_IMPORT_FORM, first->place,
				"several aliases are defined in this file: say which are lists of commands");
		if (more < SHOWN)
			diag_note(d, alias->place, "'%s' is one", alias->name);
	}
	if (!first)
		return fail(sudoers, sudoers->aliases[0]->place, "the aliases of this file name each other");
	if (more >= SHOWN)
		diag_note(d, (struct span){ 0 }, "and %zu more", more - SHOWN + 1);
	if (more)
		diag_help(d, "name each that is: --symbol %s", first->name);
	return !more && alias_import(sudoers, first);
}

bool import_sudoers_read(struct import *import, const struct source *source)
{
	struct sudoers sudoers = { .import = import, .source = source };
	bool good = true;
	sudoers.names = map_new(import->compilation->arena, 0);
	if (!lines_read(&sudoers, true) || !lines_read(&sudoers, false))
		return false;
	if (named_import(&sudoers, &good))
		return good;
	return only_import(&sudoers);
}
