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
#include "compiler/base/limits.h"
#include "compiler/base/map.h"
#include "compiler/import/import.h"
#include "compiler/import/import_comment.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/import_naming.h"
#include "compiler/import/sudoers_text.h"
#include "compiler/import/sudoers_users.h"

struct alias {
	const char *name;
	struct span place;
	const char *heading;
	struct sudoers_item *items;
	size_t count, capacity;
	bool nested;                  /* another alias names it */
	struct span granted, refused; /* where a line of users names it; no source for nowhere */
	struct span reached[2];       /* the same, also by aliases that are so named: granted, refused */
	struct span part;             /* where another one names it, while a list is made */
	unsigned char taken;          /* by polarity, while a list is made: 1 as it is, 2 negated */
};

struct sudoers {
	struct import *import;
	struct sudoers_text text;
	struct sudoers_users users;
	const char *heading; /* the comment above */
	struct alias **aliases;
	size_t count, capacity;
	struct map *names;
	struct alias **taken; /* while a list is made: each alias that is in it, once */
	size_t taken_count, taken_capacity;
	unsigned depth;               /* of the aliases that are being taken */
	const struct alias *misnamed; /* its name refuses, and a program of it is allowed in the list */
};

/* ---- definitions ---- */

static bool name_read(struct sudoers *sudoers, struct alias *alias)
{
	size_t size = sudoers_name_size(&sudoers->text);
	alias->place = sudoers_here(&sudoers->text);
	alias->place.end = (uint32_t)(sudoers->text.at + size);
	alias->name = arena_text(sudoers->import->compilation->arena,
				 sudoers->text.source->text + sudoers->text.at, size);
	if (!sudoers_is_alias_name(alias->name))
		return sudoers_fail(&sudoers->text, sudoers_here(&sudoers->text), "its name is in capitals");
	sudoers->text.at += size;
	sudoers_blanks_skip(&sudoers->text);
	if (sudoers_peek(&sudoers->text, 0) != '=')
		return sudoers_fail(&sudoers->text, sudoers_here(&sudoers->text),
				    "a '=' stands behind its name");
	sudoers->text.at++;
	return true;
}

static bool alias_keep(struct sudoers *sudoers, struct alias *alias)
{
	void **known = map_at(sudoers->names, alias->name, strlen(alias->name));
	if (*known)
		return sudoers_fail(&sudoers->text, alias->place, "its name has been given before");
	*known = alias;
	sudoers->aliases = arena_grow(sudoers->import->compilation->arena, sudoers->aliases, sudoers->count,
				      &sudoers->capacity, sizeof *sudoers->aliases);
	sudoers->aliases[sudoers->count++] = alias;
	return true;
}

static bool item_add(struct sudoers *sudoers, struct alias *alias)
{
	struct sudoers_item item;
	if (!sudoers_item_read(&sudoers->text, &item))
		return false;
	alias->items = arena_grow(sudoers->import->compilation->arena, alias->items, alias->count,
				  &alias->capacity, sizeof *alias->items);
	alias->items[alias->count++] = item;
	return true;
}

/* NAME = item, item */
static bool alias_read(struct sudoers *sudoers)
{
	struct alias *alias = arena_alloc(sudoers->import->compilation->arena, sizeof *alias);
	sudoers_blanks_skip(&sudoers->text);
	if (!name_read(sudoers, alias) || !alias_keep(sudoers, alias))
		return false;
	alias->heading = sudoers->heading;
	do {
		if (!item_add(sudoers, alias))
			return false;
	} while (sudoers_peek(&sudoers->text, 0) == ',' && sudoers->text.at++ < sudoers->text.source->size);
	return true;
}

/* ---- where aliases are used ---- */

/* One thing that an alias is used for. */
struct use {
	struct alias *alias;
	bool negated;
	struct span place;
};

struct uses {
	struct use *items;
	size_t count, capacity;
};

static void use_push(struct sudoers *sudoers, struct uses *uses, const struct sudoers_item *item,
		     bool negated)
{
	struct alias *alias = map_value(sudoers->names, item->text, strlen(item->text));
	if (!alias || alias->reached[negated].source)
		return;
	alias->reached[negated] = item->place;
	uses->items = arena_grow(sudoers->import->compilation->arena, uses->items, uses->count,
				 &uses->capacity, sizeof *uses->items);
	uses->items[uses->count++] = (struct use){ alias, negated, item->place };
}

/* Notes that an alias is granted or refused, and so all that it names. */
static void use_follow(struct sudoers *sudoers, const struct sudoers_item *item, bool negated)
{
	struct uses uses = { 0 };
	use_push(sudoers, &uses, item, negated);
	while (uses.count) {
		struct use use = uses.items[--uses.count];
		for (size_t i = 0; i < use.alias->count; i++) {
			const struct sudoers_item *part = &use.alias->items[i];
			use_push(sudoers, &uses, part, use.negated ^ part->negated);
		}
	}
}

static void users_note(struct sudoers *sudoers)
{
	for (size_t i = 0; i < sudoers->users.count; i++) {
		const struct sudoers_item *item = &sudoers->users.items[i];
		struct alias *alias = map_value(sudoers->names, item->text, strlen(item->text));
		if (alias && item->negated)
			alias->refused = item->place;
		else if (alias)
			alias->granted = item->place;
		use_follow(sudoers, item, item->negated);
	}
}

/* What an alias refuses that no line of users reaches is refused too. */
static void unused_note(struct sudoers *sudoers)
{
	for (size_t i = 0; i < sudoers->count; i++) {
		const struct alias *alias = sudoers->aliases[i];
		bool reached = alias->reached[false].source || alias->reached[true].source;
		for (size_t k = 0; !reached && k < alias->count; k++)
			if (alias->items[k].negated)
				use_follow(sudoers, &alias->items[k], true);
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
	const char *text = sudoers->text.source->text + sudoers->text.at + 1;
	size_t size = sudoers->text.source->size - sudoers->text.at - 1;
	const char *end = memchr(text, '\n', size);
	struct arena *arena = sudoers->import->compilation->arena;
	sudoers->heading = comment_line(arena, arena_copy(arena, text, end ? (size_t)(end - text) : size));
}

/* All aliases of one line: "A = /bin/a : B = /bin/b". */
static bool definitions_read(struct sudoers *sudoers)
{
	sudoers->text.at += keyword_size(sudoers->text.source, sudoers->text.at);
	do {
		if (!alias_read(sudoers))
			return false;
	} while (sudoers_peek(&sudoers->text, 0) == ':' && sudoers->text.at++ < sudoers->text.source->size);
	return true;
}

static bool begins_with(const struct sudoers_text *text, const char *word)
{
	size_t size = strlen(word);
	return text->source->size - text->at >= size &&
	       memcmp(text->source->text + text->at, word, size) == 0;
}

/* The first word of a line, which a user's name may begin with: "Defaults", and behind it what it is for. */
static bool line_begins_with(const struct sudoers_text *text, const char *word)
{
	char behind = sudoers_peek(text, strlen(word));
	return begins_with(text, word) && (!behind || strchr(" \t\r\n\\:@>!", behind));
}

/* Settings for commands, "Defaults!SHELLS noexec", grant nothing; nor do aliases of other things. */
static bool other_line_read(struct sudoers *sudoers)
{
	struct sudoers_text *text = &sudoers->text;
	if (line_begins_with(text, "User_Alias") || line_begins_with(text, "Host_Alias"))
		return sudoers_users_check(text);
	if (line_begins_with(text, "Defaults") || line_begins_with(text, "Runas_Alias") ||
	    sudoers_at_line_end(text))
		return true;
	return sudoers_users_read(text, &sudoers->users);
}

/* Behind "@include" and "#includedir"; 0 where it is another line. */
static size_t include_size(const struct sudoers_text *text)
{
	static const char *const words[] = { "include", "includedir" };
	char sign = sudoers_peek(text, 0);
	for (size_t i = 0; (sign == '@' || sign == '#') && i < sizeof words / sizeof *words; i++) {
		size_t size = 1 + strlen(words[i]);
		char behind = sudoers_peek(text, size);
		struct sudoers_text word = { .source = text->source, .at = text->at + 1 };
		bool ends =
			behind == ' ' || behind == '\t' || (sign == '@' && (behind == '"' || behind == '\\'));
		if (begins_with(&word, words[i]) && ends)
			return size;
	}
	return 0;
}

static bool report_include(struct sudoers *sudoers, size_t size)
{
	struct sudoers_text *text = &sudoers->text;
	struct span place = sudoers_here(text);
	const char *end = memchr(text->source->text + text->at, '\n', text->source->size - text->at);
	place.end = (uint32_t)(end ? (size_t)(end - text->source->text) : text->source->size);
	while (ascii_is_space(text->source->text[place.end - 1]))
		place.end--;
	text->at += size;
	sudoers_blanks_skip(text);
	size_t begin = place.end > text->at ? text->at : place.begin; /* else its name is in the next line */
	const char *name =
		arena_text(text->compilation->arena, text->source->text + begin, place.end - begin);
	struct diagnostic *d = diag_report(text->compilation->diags, DIAG_IMPORT_FORM, place,
					   "'%s' is not read, and what it refuses would be allowed", name);
	diag_help(d, "put what it holds in the place of this line, in a copy");
	return false;
}

static bool line_read(struct sudoers *sudoers)
{
	sudoers_blanks_skip(&sudoers->text);
	size_t include = include_size(&sudoers->text);
	if (include)
		return report_include(sudoers, include);
	if (sudoers_at_comment(&sudoers->text)) {
		comment_take(sudoers);
		return true;
	}
	bool defines = keyword_size(sudoers->text.source, sudoers->text.at) > 0;
	sudoers->text.of_users = false;
	bool good = defines ? definitions_read(sudoers) : other_line_read(sudoers);
	sudoers->heading = NULL;
	return good;
}

static bool lines_read(struct sudoers *sudoers)
{
	for (; sudoers->text.at < sudoers->text.source->size; sudoers_line_skip(&sudoers->text))
		if (!line_read(sudoers))
			return false;
	return true;
}

/* ---- entries ---- */

/* Why no row can say it, and what to do; no `what` where one can. */
struct fault {
	const char *what, *mend;
};

static struct fault item_fault(const struct sudoers_item *item)
{
	static const char each[] = "name each program by itself, with its path";
	if (strcmp(item->text, "ALL") == 0)
		return (struct fault){ "stands for every program: a policy names those that may run", each };
	if (strncmp(item->text, "sha", 3) == 0 && strchr(item->text, ':'))
		return (struct fault){ "is bound to a digest, which no row can hold",
				       "take the digest out, where the path is enough" };
	if (item->pattern)
		return (struct fault){ "is a pattern: each command is named by itself", each };
	if (sudoers_is_alias_name(item->text))
		return (struct fault){ "is an alias that this file does not define", each };
	if (item->text[0] != '/')
		return (struct fault){ "has no path: it is a command of sudo's own",
				       "leave it out: no other program has it" };
	const char *end = strchrnul(item->text, ' ');
	return (struct fault){ end[-1] == '/' ? "is a folder: each command is named by itself" : NULL, each };
}

static void program_take(struct sudoers *sudoers, const struct sudoers_item *item, struct import_entry *entry)
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

static bool name_refuses(const struct alias *alias)
{
	return import_naming_verdict(import_naming_of(alias->name)) != IMPORT_ALLOW;
}

static void alias_take(struct sudoers *sudoers, struct alias *alias, bool negated, struct import_list *list);

/* `holder` is the alias that it is an item of; NULL for what a line of users refuses. */
static void item_take(struct sudoers *sudoers, const struct sudoers_item *item, bool negated,
		      const struct alias *holder, struct import_list *list)
{
	const char *heading = holder ? holder->heading : NULL;
	struct alias *other = map_value(sudoers->names, item->text, strlen(item->text));
	negated ^= item->negated;
	if (other && sudoers->depth < ALIASES_DEPTH_MAX) {
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
	if (entry.verdict == IMPORT_ALLOW && holder && name_refuses(holder))
		sudoers->misnamed = holder;
	struct fault fault = item_fault(item);
	entry.fault = other ? "is an alias of aliases in more than 64 steps" : fault.what;
	entry.mend = other ? "define it by its programs" : fault.mend;
	if (!entry.fault)
		program_take(sudoers, item, &entry);
	import_entry_add(sudoers->import, list, &entry);
}

static void taken_add(struct sudoers *sudoers, struct alias *alias)
{
	sudoers->taken = arena_grow(sudoers->import->compilation->arena, sudoers->taken, sudoers->taken_count,
				    &sudoers->taken_capacity, sizeof(void *));
	sudoers->taken[sudoers->taken_count++] = alias;
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
	if (!alias->taken)
		taken_add(sudoers, alias);
	alias->taken |= bit;
	sudoers->depth++;
	for (size_t i = alias->count; i-- > 0;)
		item_take(sudoers, &alias->items[i], negated, alias, list);
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

static bool report_both(struct sudoers *sudoers, const struct alias *alias, struct span granted,
			struct span refused)
{
	struct diagnostic *d =
		diag_report(sudoers->import->compilation->diags, DIAG_IMPORT_FORM, alias->place,
			    "'%s' is granted and refused by this file", alias->name);
	diag_note(d, granted, "granted here");
	diag_note(d, refused, "refused here");
	diag_help(d, "import two files: the aliases that may run, and those that may not");
	return false;
}

static bool report_misnamed(struct sudoers *sudoers)
{
	const struct alias *alias = sudoers->misnamed;
	struct diagnostic *d = diag_report(
		sudoers->import->compilation->diags, DIAG_IMPORT_FORM, alias->place,
		"'%s' says that these may not run, and the file does not refuse them", alias->name);
	struct span granted = alias->part.source ? alias->part : alias->reached[false];
	if (granted.source)
		diag_note(d, granted, "granted here");
	diag_help(d, "give it another name, in a copy where that is easier");
	return false;
}

static void report_unused(struct sudoers *sudoers, const struct alias *alias)
{
	struct diagnostic *d =
		diag_report(sudoers->import->compilation->diags, DIAG_IMPORT_WIDER, alias->place,
			    "no line of users names '%s', and as rows its programs are allowed", alias->name);
	diag_help(d, "leave out the rows that nobody is to run");
}

/* Aliases that were taken as a part of one that is granted, and that a user is refused. */
static bool parts_check(struct sudoers *sudoers)
{
	bool good = true;
	for (size_t i = 0; i < sudoers->taken_count; i++) {
		const struct alias *part = sudoers->taken[i];
		if (part->taken & 1 && part->refused.source)
			good = report_both(sudoers, part, part->part, part->refused);
	}
	return good;
}

/* What lines of users refuse, whoever they are of: behind all that the list has. */
static void refusals_take(struct sudoers *sudoers, struct import_list *list)
{
	for (size_t i = sudoers->users.count; i-- > 0;)
		if (sudoers->users.items[i].negated)
			item_take(sudoers, &sudoers->users.items[i], false, NULL, list);
}

static struct import_list *list_make(struct sudoers *sudoers, struct alias *alias, bool refused)
{
	struct import_list *list = import_list_add(sudoers->import, IMPORT_COMMANDS, sudoers->text.source,
						   alias->name, alias->place);
	list->precedence = IMPORT_LAST;
	list->verdict = refused ? IMPORT_FORBID : IMPORT_ALLOW;
	while (sudoers->taken_count) { /* of the list before, and no others: each list costs what it holds */
		struct alias *taken = sudoers->taken[--sudoers->taken_count];
		taken->taken = 0;
		taken->part = (struct span){ 0 };
	}
	sudoers->misnamed = NULL;
	refusals_take(sudoers, list);
	alias_take(sudoers, alias, refused, list);
	entries_reverse(list);
	return list;
}

/* An alias that nobody uses is what its name says, and where that is nothing, a list of what may run. */
static bool unused_import(struct sudoers *sudoers, struct alias *alias)
{
	struct import_list *list = list_make(sudoers, alias, false);
	if (!name_refuses(alias)) {
		report_unused(sudoers, alias);
		return !sudoers->misnamed || report_misnamed(sudoers);
	}
	list->verdict = IMPORT_FORBID;
	for (size_t i = 0; i < list->count; i++) {
		list->entries[i].verdict = IMPORT_FORBID;
		list->entries[i].wider = NULL; /* than what was taken for allowed */
	}
	return true;
}

static bool alias_import(struct sudoers *sudoers, struct alias *alias)
{
	struct span granted = alias->reached[false], refused = alias->reached[true];
	if (granted.source && refused.source)
		return report_both(sudoers, alias, granted, refused);
	if (!granted.source && !refused.source)
		return unused_import(sudoers, alias);
	list_make(sudoers, alias, refused.source);
	if (sudoers->misnamed)
		return report_misnamed(sudoers);
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
		return sudoers_fail(&sudoers->text, (struct span){ sudoers->text.source, 0, 0 },
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
		return sudoers_fail(&sudoers->text, sudoers->aliases[0]->place,
				    "the aliases of this file name each other");
	if (more >= SHOWN)
		diag_note(d, (struct span){ 0 }, "and %zu more", more - SHOWN + 1);
	if (more)
		diag_help(d, "name each that is: --symbol %s", first->name);
	return !more && alias_import(sudoers, first);
}

bool import_sudoers_read(struct import *import, const struct source *source)
{
	struct sudoers sudoers = { .import = import,
				   .text = { .compilation = import->compilation, .source = source } };
	bool good = true;
	sudoers.names = map_new(import->compilation->arena, 0);
	if (!lines_read(&sudoers))
		return false;
	sudoers.text.of_users = false;
	users_note(&sudoers);
	unused_note(&sudoers);
	if (named_import(&sudoers, &good))
		return good;
	return only_import(&sudoers);
}
