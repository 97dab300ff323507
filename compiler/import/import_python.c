/* Collections of a Python module. */
#include <assert.h>
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
#include "compiler/import/import_naming.h"
#include "compiler/import/python_symbols.h"

struct module {
	struct import *import;
	const struct source *source;
	struct python_symbols symbols;
	struct map *adrs; /* of a mapping called ADR: command to reference; NULL where there is none */
	bool own;         /* allowc wrote it */
};

/* ---- recognising ---- */

static bool is_name_byte(char c)
{
	return ascii_is_alnum(c) || c == '_';
}

/* "NAME = {", "NAME: Final[…] = frozenset(" at the start of a line. */
static bool line_assigns(const char *line, size_t size)
{
	size_t name = 0;
	while (name < size && is_name_byte(line[name]))
		name++;
	const char *sign = name ? memchr(line + name, '=', size - name) : NULL;
	if (!sign || ascii_is_digit(*line))
		return false;
	const char *after = line + name;
	while (*after == ' ')
		after++;
	const char *value = sign + 1;
	while (value < line + size && *value == ' ')
		value++;
	bool opens = value < line + size && strchr("([{", *value);
	bool calls = value < line + size && memchr(value, '(', (size_t)(line + size - value));
	return (*after == '=' || *after == ':') && (opens || calls);
}

bool import_python_is(const struct source *source)
{
	if (path_ends_with(source->path, ".py") || path_ends_with(source->path, ".pyi"))
		return true;
	if (path_ends_with(source->path, ".toml")) /* its tables say what a list is for: "[deny]" */
		return false;
	for (size_t at = 0; at < source->size;) {
		const char *end = memchr(source->text + at, '\n', source->size - at);
		size_t size = end ? (size_t)(end - source->text) - at : source->size - at;
		if (line_assigns(source->text + at, size))
			return true;
		at += size + 1;
	}
	return false;
}

/* ---- what it is a list of ---- */

/* A name of the symbol, its type, a class or function around it, or the file, and what it says. */
struct saying {
	enum naming naming;
	const char *name, *where; /* seen from the symbol */
	struct span place;
};

static struct saying saying_of(const char *name, struct span place)
{
	return (struct saying){ import_naming_of(name), name, "around it", place };
}

static bool report_sayings(struct module *module, const struct saying *inner, const struct saying *outer)
{
	bool allows = inner->naming == NAMING_ALLOWS;
	struct diagnostic *d = diag_report(module->import->compilation->diags, DIAG_IMPORT_FORM, inner->place,
					   "'%s' says that these %s run, and '%s' %s that they %s",
					   inner->name, allows ? "may" : "may not", outer->name, outer->where,
					   allows ? "may not" : "may");
	if (outer->place.end)
		diag_note(d, outer->place, "'%s' is here", outer->name);
	diag_help(d, "give one of them another name, in a copy where that is easier");
	return false;
}

/* What a module is imported as: "denied" of denied.py and of denied/__init__.py. */
static const char *module_name(const struct module *module)
{
	const char *path = module->source->path, *base = path_base(path);
	if (strncmp(base, "__init__.", strlen("__init__.")) != 0 || base == path)
		return base;
	return path_base(arena_copy(module->import->compilation->arena, path, (size_t)(base - path - 1)));
}

/* Of a name and of one further out, which says the same or nothing; else it is an error. */
static bool sayings_join(struct module *module, struct saying *inner, const struct saying *outer)
{
	if (inner->naming == NAMING_NOTHING)
		*inner = *outer;
	bool differ = (inner->naming == NAMING_ALLOWS) != (outer->naming == NAMING_ALLOWS);
	return outer->naming == NAMING_NOTHING || !differ || report_sayings(module, inner, outer);
}

/*
 * The innermost name that says something decides. One around it that says the opposite might be what is
 * meant. The module that allowc writes is called as its policy is, which says nothing of its lists.
 */
static bool verdict_find(struct module *module, const struct python_symbol *symbol,
			 enum import_verdict *verdict)
{
	struct saying said = saying_of(symbol->name, symbol->token->place), next;
	const struct python_token *type = python_symbol_type(symbol);
	next = type ? saying_of(type->text, type->place) : (struct saying){ 0 };
	next.where = "behind it";
	if (!sayings_join(module, &said, &next))
		return false;
	for (const struct python_block *block = symbol->block; block; block = block->outer) {
		next = saying_of(block->name->text, block->name->place);
		if (!sayings_join(module, &said, &next))
			return false;
	}
	next = saying_of(module->own ? "" : module_name(module), (struct span){ 0 });
	if (!sayings_join(module, &said, &next))
		return false;
	*verdict = import_naming_verdict(said.naming);
	return true;
}

static bool refuses(const char *name)
{
	return import_naming_refuses(name, 1);
}

static bool report_other_name(struct module *module, const struct python_other *other)
{
	struct diagnostic *d =
		diag_report(module->import->compilation->diags, DIAG_IMPORT_FORM, other->name->place,
			    "'%s' holds what '%s' does, and says that these may not run", other->name->text,
			    other->symbol->text);
	diag_note(d, other->symbol->place, "the literal is here");
	diag_help(d, "give the list that name where its literal stands");
	return false;
}

/* COMMANDS = {"su"}, and below it DENIED = COMMANDS, also where the list is COMMANDS | {"git"}. */
static bool other_names_check(struct module *module, struct python_symbol *symbol)
{
	size_t count;
	const struct python_token *const *parts = python_symbol_parts(&module->symbols, symbol, &count);
	const struct python_other *other = python_other_names(&module->symbols.changes, parts, count);
	for (; other->name; other++)
		if (refuses(other->name->text))
			return report_other_name(module, other);
	for (size_t i = 0; i < module->symbols.count; i++) {
		const struct python_symbol *holder = module->symbols.items[i];
		if (holder->holds && refuses(holder->name))
			return report_other_name(
				module, &(struct python_other){ holder->token, holder->holds->token });
	}
	return true;
}

static bool report_part(struct module *module, const struct python_symbol *symbol,
			const struct python_symbol *part, bool may)
{
	struct diagnostic *d =
		diag_report(module->import->compilation->diags, DIAG_IMPORT_FORM, symbol->token->place,
			    "'%s' holds what '%s' does, which says that these %s run", symbol->name,
			    part->name, may ? "may" : "may not");
	diag_note(d, part->token->place, "'%s' is here", part->name);
	diag_help(d, "give one of them another name, in a copy where that is easier");
	return false;
}

/* ALLOWED = BLOCKED | {"git"}. */
static bool parts_check(struct module *module, const struct python_symbol *symbol,
			enum import_verdict verdict)
{
	if (verdict == IMPORT_ALLOW)
		return !symbol->refuses || report_part(module, symbol, symbol->refuses, false);
	return !symbol->allows || report_part(module, symbol, symbol->allows, true);
}

/* ---- the value ---- */

/* A word of an entry: a string, of a mapping its key; NULL where it is none. */
static const char *word_of(const struct python_item *item)
{
	const char *word = item->key ? item->key : item->value.kind == PYTHON_TEXT ? item->value.text : NULL;
	return word && *word && !strpbrk(word, " \t\n") ? word : NULL;
}

/* The words of ("docker", "buildx"). */
static bool words_join(struct python_reader *reader, const struct python_value *words, const char **command)
{
	struct strbuf text = STRBUF_INIT;
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->kind == PYTHON_LIST ? word_of(&words->items[i]) : NULL;
		if (!word) {
			strbuf_release(&text);
			return python_fail(reader, words->items[i].value.place,
					   "in a list of words each is a string without blanks");
		}
		strbuf_printf(&text, "%s%s", i ? " " : "", word);
	}
	*command = arena_text(reader->compilation->arena, text.bytes, text.size);
	strbuf_release(&text);
	return true;
}

/* {"git": "allow", "su": "deny"}: a word alone that refuses is no reason why a command is allowed. */
static void decision_check(struct arena *arena, struct import_entry *entry)
{
	if (entry->verdict != IMPORT_ALLOW || !import_naming_refuses(entry->reason, 1))
		return;
	entry->fault = arena_printf(arena, "has '%s' for its reason, and may be refused", entry->reason);
	entry->mend = "list what is refused by itself, in a list of which the name says so";
}

static bool entry_read(struct python_reader *reader, const struct python_item *item,
		       struct import_entry *entry)
{
	const struct python_value *value = &item->value;
	entry->place = value->place;
	if (item->key) {
		entry->command = item->key;
		entry->place = item->key_place;
		entry->reason = value->text;
		if (value->kind != PYTHON_TEXT)
			return python_fail(reader, value->place,
					   "of a mapping each value is one string, the reason");
		decision_check(reader->compilation->arena, entry);
		return true;
	}
	entry->command = value->text;
	return value->kind == PYTHON_TEXT || words_join(reader, value, &entry->command);
}

static void comment_apply(struct arena *arena, const struct python_item *item, struct import_entry *entry)
{
	const char *line = item->comment ? comment_line(arena, item->comment) : NULL;
	const char *adr = line ? comment_adr(arena, line) : NULL;
	if (adr)
		entry->adr = adr;
	if (line && !entry->reason)
		entry->reason = comment_reason(arena, line);
}

/* A mapping of command to decision: {"git": "ADR-0001"}. */
static void reason_apply(struct arena *arena, struct import_entry *entry)
{
	entry->adr = entry->reason ? comment_adr(arena, entry->reason) : NULL;
	if (entry->adr)
		entry->reason = comment_reason(arena, entry->reason);
}

/* What is said of the command alone goes before a heading, which is of all that stand below it. */
static void adr_apply(const struct module *module, const struct python_item *item, const char *heading,
		      struct import_entry *entry)
{
	struct arena *arena = module->import->compilation->arena;
	comment_apply(arena, item, entry);
	if (!entry->adr && module->adrs)
		entry->adr = map_value(module->adrs, entry->command, strlen(entry->command));
	bool reference = entry->reason && !comment_reason(arena, entry->reason);
	if (!entry->adr && reference)
		reason_apply(arena, entry);
	if (!entry->adr)
		entry->adr = heading;
	if (!entry->adr)
		reason_apply(arena, entry);
}

static bool value_take(struct module *module, struct python_reader *reader,
		       const struct python_symbol *symbol, enum import_verdict verdict)
{
	const struct python_value *value = &symbol->value;
	const char *heading = NULL, *adr = NULL;
	struct arena *arena = module->import->compilation->arena;
	struct import_list *list = import_list_add(module->import, IMPORT_COMMANDS, module->source,
						   symbol->name, symbol->token->place);
	list->verdict = verdict;
	for (size_t i = 0; i < value->count; i++) {
		const struct python_item *item = &value->items[i];
		const char *lines = item->heading || module->own ? item->heading : value->heading;
		if (lines && lines != heading)
			adr = comment_adr(arena, lines);
		heading = lines;
		struct import_entry entry = { .verdict = list->verdict, .group = heading };
		if (!entry_read(reader, item, &entry))
			return false;
		adr_apply(module, item, heading ? adr : NULL, &entry);
		import_entry_add(module->import, list, &entry);
	}
	return true;
}

static void help_printed(struct diagnostic *d)
{
	diag_help(d, "or print the list from the program, one name a line, and import that");
}

static bool report_change(struct module *module, const struct python_symbol *symbol,
			  const struct python_token *change)
{
	struct diags *diags = module->import->compilation->diags;
	bool own = strcmp(change->text, symbol->name) == 0;
	struct diagnostic *d =
		own ? diag_report(diags, DIAG_IMPORT_FORM, change->place,
				  "'%s' gets another value here than its literal", symbol->name)
		    : diag_report(diags, DIAG_IMPORT_FORM, change->place,
				  "'%s' is another name of '%s', which gets another value here than its "
				  "literal",
				  change->text, symbol->name);
	diag_note(d, symbol->token->place, "the literal is here");
	diag_help(d, "only a literal is read: write all of it there");
	help_printed(d);
	return false;
}

static bool symbol_read(struct module *module, struct python_symbol *symbol)
{
	assert(symbol);
	struct python_reader reader = { .compilation = module->import->compilation,
					.fault = symbol->fault,
					.fault_place = symbol->fault_place };
	const struct python_token *change = python_change_of(&module->symbols.changes, symbol->token);
	if (change)
		return report_change(module, symbol, change);
	enum import_verdict verdict;
	if (!verdict_find(module, symbol, &verdict) || !parts_check(module, symbol, verdict) ||
	    (verdict == IMPORT_ALLOW && !other_names_check(module, symbol)))
		return false;
	if (!reader.fault && value_take(module, &reader, symbol, verdict))
		return true;
	struct diagnostic *d = diag_report(reader.compilation->diags, DIAG_IMPORT_FORM, reader.fault_place,
					   "'%s' is no literal of strings: %s", symbol->name, reader.fault);
	diag_help(d, "write the list out, or print it from the program, one name a line, and import that");
	return false;
}

/* ---- which symbols ---- */

/* The symbols of --symbol that this module has. */
static bool named_read(struct module *module, bool *good)
{
	struct import *import = module->import;
	bool any = false;
	for (size_t i = 0; i < import->symbol_count; i++) {
		struct python_symbol *symbol = python_symbol_find(&module->symbols, import->symbols[i]);
		if (!symbol)
			continue;
		any = import->symbols_found[i] = true;
		*good &= symbol_read(module, symbol);
	}
	return any;
}

/* A mapping ADR says which decision each command cites, as the module that allowc writes does. */
static void adrs_read(struct module *module)
{
	struct compilation *compilation = module->import->compilation;
	const struct python_symbol *symbol = python_symbol_find(&module->symbols, "ADR");
	if (!symbol || symbol->fault || symbol->block || symbol->value.kind != PYTHON_MAPPING ||
	    python_change_of(&module->symbols.changes, symbol->token))
		return;
	module->adrs = map_new(compilation->arena, symbol->value.count);
	for (size_t i = 0; i < symbol->value.count; i++) {
		const struct python_item *item = &symbol->value.items[i];
		if (item->value.kind == PYTHON_TEXT)
			*map_at(module->adrs, item->key, strlen(item->key)) =
				(void *)comment_adr(compilation->arena, item->value.text);
	}
}

/* The module that allowc writes holds more than the lists, and its lists have one meaning. */
static bool own_read(struct module *module, bool *good)
{
	static const char *const names[] = { "ALLOWED_BINARIES", "FORBIDDEN_BINARIES", "DECLINED_BINARIES" };
	enum { COUNT = sizeof names / sizeof *names };
	for (size_t i = 0; i < COUNT; i++)
		if (!python_symbol_find(&module->symbols, names[i]))
			return false;
	module->own = true;
	for (size_t i = 0; i < COUNT; i++)
		*good &= symbol_read(module, python_symbol_find(&module->symbols, names[i]));
	return true;
}

static bool report_none(struct module *module)
{
	struct diagnostic *d = diag_report(module->import->compilation->diags, DIAG_IMPORT_FORM,
					   (struct span){ module->source, 0, 0 },
					   "no set, list, tuple or mapping is assigned in this module");
	diag_help(d, "what is read: NAME = frozenset({\"git\", \"docker buildx\"})");
	help_printed(d);
	return false;
}

static bool report_several(struct module *module, struct python_symbol **candidates, size_t count)
{
	enum { SHOWN = 10 };
	struct diagnostic *d = diag_report(
		module->import->compilation->diags, DIAG_IMPORT_FORM, candidates[0]->token->place,
		"%zu collections are assigned in this module: say which are lists of commands", count);
	for (size_t i = 1; i < count && i < SHOWN; i++)
		diag_note(d, candidates[i]->token->place, "'%s' is one", candidates[i]->name);
	if (count > SHOWN)
		diag_note(d, (struct span){ 0 }, "and %zu more", count - SHOWN);
	if (module->import->symbol_count)
		diag_help(d, "none of them is named by --symbol");
	size_t whole = 0; /* the first that is no part of another; the last is none */
	while (candidates[whole]->held && whole + 1 < count)
		whole++;
	diag_help(d, "name each that is: --symbol %s", candidates[whole]->name);
	return false;
}

/* Which collections may be the list. */
enum scope { OF_MODULE, WITHIN, WITHIN_REFUSING };

/* Whether its name, its type, or a class around it says that what it shows may not run. */
static bool refuses_within(const struct python_symbol *symbol)
{
	const struct python_token *type = python_symbol_type(symbol);
	bool refused = refuses(symbol->name) || (type && refuses(type->text));
	for (const struct python_block *block = symbol->block; block; block = block->outer)
		refused |= strcmp(block->name[-1].text, "class") == 0 && refuses(block->name->text);
	return refused && (symbol->fault ? symbol->shows : symbol->value.count > 0);
}

/* A copy is none until it is changed. */
static bool is_candidate(struct module *module, struct python_symbol *symbol, enum scope scope)
{
	if (scope == WITHIN_REFUSING && !refuses_within(symbol))
		return false;
	bool own =
		!symbol->of || (symbol->copied && python_change_of(&module->symbols.changes, symbol->token));
	return own && (symbol->block != NULL) == (scope != OF_MODULE) && strcmp(symbol->name, "ADR") != 0;
}

/* A name that is assigned twice is one. */
static size_t candidates_find(struct module *module, enum scope scope, struct python_symbol **candidates)
{
	size_t count = 0;
	for (size_t i = 0; i < module->symbols.count; i++) {
		struct python_symbol *symbol = module->symbols.items[i];
		struct python_symbol *first = python_symbol_find(&module->symbols, symbol->name);
		if (is_candidate(module, symbol, scope) &&
		    (first == symbol || !is_candidate(module, first, scope)))
			candidates[count++] = symbol;
	}
	return count;
}

static bool only_read(struct module *module)
{
	struct python_symbol **candidates =
		arena_array(module->import->compilation->arena, module->symbols.count + 1, sizeof(void *));
	size_t count = candidates_find(module, OF_MODULE, candidates);
	/* Beside one of the module those in its functions and classes are passed over, but no refusal is. */
	count += candidates_find(module, count ? WITHIN_REFUSING : WITHIN, candidates + count);
	if (!count)
		return report_none(module);
	return count == 1 ? symbol_read(module, candidates[0]) : report_several(module, candidates, count);
}

bool import_python_read(struct import *import, const struct source *source)
{
	struct module module = { .import = import, .source = source };
	bool good = true;
	if (!python_symbols_read(import->compilation, source, &module.symbols))
		return false;
	adrs_read(&module);
	if (named_read(&module, &good) || own_read(&module, &good))
		return good;
	return only_read(&module);
}
