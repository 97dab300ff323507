#include "compiler/import/python_symbols.h"

#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/map.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import_comment.h"
#include "compiler/import/import_naming.h"

struct python_symbol *python_symbol_find(const struct python_symbols *symbols, const char *name)
{
	return map_value(symbols->names, name, strlen(name));
}

/* ---- what could be a collection ---- */

static bool is_dunder(const char *name)
{
	return strncmp(name, "__", 2) == 0;
}

static const struct python_token *within_sorted(const struct python_token *value)
{
	while (python_begins_call(value, "sorted"))
		value = python_next(value + 2);
	return value;
}

/* Whether a name makes more, or less, of what it holds: "CORE | …", "CORE.union(", "… else CORE". */
static bool is_operand(const struct python_token *begin, const struct python_token *name)
{
	static const char
		*const signs[] = { "|", "+", "-", "&", "^" },
		       *const first[] = { "and", "if", "or" }, *const last[] = { "and", "else", "or" },
		       *const methods[] = { "difference", "intersection", "symmetric_difference", "union" };
	const struct python_token *behind = python_next(python_behind_copy(name + 1));
	if (name->depth != begin->depth)
		return false;
	if (IS_ONE_OF(behind, PYTHON_SIGN, signs) ||
	    (python_token_is(behind, ".") && IS_ONE_OF(behind + 1, PYTHON_NAME, methods)))
		return true;
	if (name == begin)
		return IS_ONE_OF(behind, PYTHON_NAME, first);
	bool ends =
		python_ends_statement(behind) || python_token_is(behind, ")") || python_token_is(behind, ",");
	return ends && (IS_ONE_OF(name - 1, PYTHON_SIGN, signs) || IS_ONE_OF(name - 1, PYTHON_NAME, last));
}

/*
 * "CORE | MORE", "sorted(CORE + MORE)", where a collection is called CORE. And "build(CORE)", where the name
 * that gets it says what it is a list of, and CORE does not.
 */
static bool is_made_of_others(const struct python_symbols *symbols, const char *name,
			      const struct python_token *value)
{
	const struct python_token *begin = within_sorted(value), *at = value;
	bool says = import_naming_of(name) != NAMING_NOTHING, made = false;
	for (; !python_ends_statement(at); at++) {
		bool named = at->kind == PYTHON_NAME && !python_token_is(at - 1, ".");
		const struct python_symbol *other = named ? python_symbol_find(symbols, at->text) : NULL;
		made |= other &&
			(is_operand(begin, at) || (says && import_naming_of(other->name) == NAMING_NOTHING));
	}
	return made && !python_compares(value, at);
}

/* "git rg".split(), and "git", "rg" without a bracket. */
static bool is_made_of_text(const struct python_token *value)
{
	if (value->kind != PYTHON_STRING)
		return false;
	while (value->kind == PYTHON_STRING)
		value++;
	return python_token_is(value, ",") ||
	       (python_token_is(value, ".") && python_begins_call(value + 1, "split"));
}

/* Whether a list or set with a string in it begins here: no index, and not what is searched, "in {…}". */
static bool begins_display(const struct python_token *token)
{
	static const char *const closing[] = { ")", "]", "}" }, *const words[] = { "and", "else", "if",
										   "or" };
	const struct python_token *before = token - 1;
	if (!python_token_is(token, "{") && !python_token_is(token, "["))
		return false;
	bool stands = before->kind == PYTHON_NAME ? IS_ONE_OF(before, PYTHON_NAME, words)
						  : !IS_ONE_OF(before, PYTHON_SIGN, closing);
	return stands && python_next(token + 1)->kind == PYTHON_STRING;
}

static bool shows_strings(const struct python_token *value)
{
	bool shows = false;
	const struct python_token *at = value;
	for (; !python_ends_statement(at); at++)
		shows |= begins_display(at);
	return shows && !python_compares(value, at);
}

static void symbol_add(struct python_symbols *symbols, const struct python_symbol *symbol)
{
	struct arena *arena = symbols->compilation->arena;
	struct python_symbol *added = arena_alloc(arena, sizeof *added);
	*added = *symbol;
	symbols->items = arena_grow(arena, symbols->items, symbols->count, &symbols->capacity,
				    sizeof(struct python_symbol *));
	symbols->items[symbols->count++] = added;
	void **first = map_at(symbols->names, symbol->name, strlen(symbol->name));
	if (!*first)
		*first = added;
}

/* The name in "NAME", "NAME.copy()", "sorted(NAME)", where it is all of the value; NULL elsewhere. */
static const struct python_token *whole_name(const struct python_token *value, bool *copied)
{
	bool sorts = python_begins_call(value, "sorted");
	const struct python_token *name = sorts ? value + 2 : value;
	*copied = false;
	if (name->kind != PYTHON_NAME)
		return NULL;
	const struct python_token *end = python_behind_copy(name + 1);
	*copied = sorts || end > name + 1;
	if (sorts && !python_token_is(end++, ")"))
		return NULL;
	return python_ends_statement(python_next(end)) ? name : NULL;
}

/* The value of "A, B = {…}, {…}" that begins here, of which a part is a collection; NULL elsewhere. */
static const struct python_token *unpacked_value(const struct python_symbols *symbols,
						 const struct python_token *name)
{
	const struct python_token *value = NULL, *at = name;
	bool comma = false, collection = false;
	if (at->kind != PYTHON_NAME || !python_token_is(at + 1, ","))
		return NULL;
	for (; !python_ends_statement(at); at++) {
		if (at->depth)
			continue;
		if (python_token_is(at, "="))
			value = at + 1;
		bool part = value && (at == value || python_token_is(at - 1, ","));
		comma |= value && python_token_is(at, ",");
		collection |= part && python_begins_collection(within_sorted(at));
	}
	return comma && (collection || is_made_of_others(symbols, name->text, value)) ? value : NULL;
}

/* Of several targets the last, which stands before the value: the others are other names of it. */
static void assignment_note(struct python_symbols *symbols, const struct python_token *name,
			    const struct python_block *block)
{
	const struct python_token *value = NULL;
	for (const struct python_token *sign = python_assignment(name); sign;
	     sign = python_assignment(value)) {
		name = value ? value : name;
		value = sign + 1;
	}
	const struct python_token *unpacked = unpacked_value(symbols, name);
	value = unpacked ? unpacked : value;
	if (!value || is_dunder(name->text))
		return;
	bool copied;
	const struct python_token *whole = whole_name(value, &copied);
	const struct python_symbol *of = whole ? python_symbol_find(symbols, whole->text) : NULL;
	/* DENIED = imported | {"su"}: of a name that says what may run, what is shown is not passed over. */
	bool says = import_naming_of(name->text) != NAMING_NOTHING, shows = shows_strings(value);
	if (of || unpacked || python_begins_collection(within_sorted(value)) || is_made_of_text(value) ||
	    is_made_of_others(symbols, name->text, value) || (says && shows))
		symbol_add(symbols, &(struct python_symbol){ .name = name->text,
							     .token = name,
							     .begin = value,
							     .block = block,
							     .of = of,
							     .shows = shows,
							     .copied = copied });
}

static void symbols_find(struct python_symbols *symbols)
{
	const struct python_block *block = NULL;
	bool begins = true, line_begins = true, suite = false;
	for (const struct python_token *at = symbols->tokens.items; at->kind != PYTHON_END; at++) {
		if (at->kind == PYTHON_COMMENT)
			continue;
		if (line_begins) {
			block = python_block_follow(symbols->compilation->arena, block, at);
			suite = python_begins_suite(at);
		}
		if (begins)
			assignment_note(symbols, at, block);
		bool suite_begins = suite && !at->depth && python_token_is(at, ":");
		line_begins = at->kind == PYTHON_LINE_END;
		begins = suite_begins || python_ends_statement(at);
		suite &= !suite_begins;
	}
}

/* ---- what it holds ---- */

const struct python_token *python_symbol_type(const struct python_symbol *symbol)
{
	const struct python_token *strongest = NULL;
	enum naming most = NAMING_NOTHING;
	for (const struct python_token *at = symbol->token + 1; at < symbol->begin; at++) {
		bool word = at->kind == PYTHON_NAME || (at->kind == PYTHON_STRING && !at->fault);
		enum naming naming = word ? import_naming_of(at->text) : NAMING_NOTHING;
		if (naming > most) {
			most = naming;
			strongest = at;
		}
	}
	return strongest;
}

/* The comment directly above an assignment, which is a heading of what stands below none of its own. */
static const char *heading_above(const struct python_symbols *symbols, const struct python_symbol *symbol)
{
	struct arena *arena = symbols->compilation->arena;
	const struct python_token *first = symbol->token;
	struct strbuf lines = STRBUF_INIT;
	if (!first->first)
		return NULL;
	while (first > symbols->tokens.items && first[-1].kind == PYTHON_COMMENT && first[-1].first &&
	       first[-1].line + 1 == first->line)
		first--;
	for (; first < symbol->token; first++)
		strbuf_printf(&lines, "%s%s", lines.size ? "\n" : "", first->text);
	const char *heading = lines.size ? comment_heading(arena, lines.bytes) : NULL;
	strbuf_release(&lines);
	return heading;
}

/* What is being read, for the names in it. */
struct reading {
	struct python_symbols *symbols;
	struct python_symbol *symbol;
};

static void part_note(struct arena *arena, struct python_symbol *whole, struct python_symbol *part)
{
	struct python_part *added = arena_alloc(arena, sizeof *added);
	*added = (struct python_part){ part, whole->parts };
	whole->parts = added;
	const struct python_token *type = python_symbol_type(part);
	enum naming naming = import_naming_of(part->name);
	enum naming of_type = type ? import_naming_of(type->text) : NAMING_NOTHING;
	naming = of_type > naming ? of_type : naming;
	part->held |= !whole->of;
	if (!whole->allows)
		whole->allows = naming == NAMING_ALLOWS ? part : part->allows;
	if (!whole->refuses)
		whole->refuses = naming > NAMING_ALLOWS ? part : part->refuses;
}

/* A collection above, in the same class or function: elsewhere its name may be of something else. */
static const struct python_value *name_find(struct python_reader *reader, const struct python_token *name)
{
	const struct reading *reading = reader->names->context;
	struct python_symbol *part = python_symbol_find(reading->symbols, name->text);
	if (!part || !part->was_read)
		return NULL;
	const struct python_token *change = python_change_of(&reading->symbols->changes, part->token);
	part_note(reader->compilation->arena, reading->symbol, part);
	if (part->block != reading->symbol->block)
		python_fail(reader, name->place, "'%s' is not assigned in the same class or function",
			    part->name);
	else if (change)
		python_fail(reader, change->place, "'%s' gets another value here than its literal",
			    part->name);
	else if (part->fault)
		python_fail(reader, part->fault_place, "%s", part->fault);
	return reader->fault ? NULL : &part->value;
}

/* Only what the language has without an import: "from types import MappingProxyType" hides nothing. */
static bool name_hides(const struct python_reader *reader, const char *name)
{
	const struct reading *reading = reader->names->context;
	return strcmp(name, "MappingProxyType") != 0 &&
	       python_shadow_of(&reading->symbols->changes, name) != NULL;
}

static bool literal_read(struct python_reader *reader, struct python_value *value)
{
	if (!python_value_read(reader, value))
		return false;
	const struct python_token *end = python_next(reader->at);
	if (python_token_is(end, ","))
		return python_fail(reader, end->place, "a tuple stands here without its brackets");
	if (!python_ends_statement(end))
		return python_fail_token(reader, end);
	return python_value_is_collection(reader, value);
}

/* In the order of the text, so that what a name holds is known below it. */
static void values_read(struct python_symbols *symbols)
{
	struct reading reading = { .symbols = symbols };
	struct python_names names = { .find = name_find, .hides = name_hides, .context = &reading };
	for (size_t i = 0; i < symbols->count; i++) {
		struct python_symbol *symbol = reading.symbol = symbols->items[i];
		struct python_reader reader = { .compilation = symbols->compilation,
						.names = &names,
						.at = symbol->begin };
		if (!literal_read(&reader, &symbol->value)) {
			symbol->fault = reader.fault;
			symbol->fault_place = reader.fault_place;
		}
		symbol->value.heading = heading_above(symbols, symbol);
		symbol->was_read = true;
	}
}

static void holders_note(struct python_symbols *symbols)
{
	for (size_t i = 0; i < symbols->count; i++) {
		struct python_symbol *symbol = symbols->items[i];
		symbol->holds = NULL;
		for (const struct python_part *part = symbol->parts; part; part = part->next) {
			const struct python_symbol *held =
				part->symbol->followed ? part->symbol : part->symbol->holds;
			symbol->holds = held && !symbol->fault ? held : symbol->holds;
		}
	}
}

const struct python_token *const *python_symbol_parts(struct python_symbols *symbols,
						      struct python_symbol *symbol, size_t *count)
{
	struct arena *arena = symbols->compilation->arena;
	struct python_symbol **found = arena_array(arena, symbols->count, sizeof(struct python_symbol *));
	const struct python_token **tokens =
		arena_array(arena, symbols->count, sizeof(struct python_token *));
	size_t known = 0;
	symbol->followed = true;
	found[known++] = symbol;
	for (size_t i = 0; i < known; i++) {
		tokens[i] = found[i]->token;
		for (const struct python_part *part = found[i]->parts; part; part = part->next) {
			if (!part->symbol->followed)
				found[known++] = part->symbol;
			part->symbol->followed = true;
		}
	}
	holders_note(symbols);
	for (size_t i = 0; i < known; i++)
		found[i]->followed = false;
	*count = known;
	return tokens;
}

bool python_symbols_read(struct compilation *compilation, const struct source *source,
			 struct python_symbols *symbols)
{
	*symbols = (struct python_symbols){ .compilation = compilation,
					    .names = map_new(compilation->arena, 0) };
	if (!python_tokens_read(compilation, source, &symbols->tokens))
		return false;
	symbols->changes = python_changes_find(compilation->arena, &symbols->tokens);
	symbols_find(symbols);
	values_read(symbols);
	return true;
}
