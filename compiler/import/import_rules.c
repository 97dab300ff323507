/*
 * prefix_rule(pattern=["git", ["status", "log"]], decision="allow"): rules about the first words of an
 * argument vector, as a row's are. Of all rules that match, the strictest decides there; here it is the
 * longest row.
 */
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/strbuf.h"
#include "compiler/import/import.h"
#include "compiler/import/import_comment.h"
#include "compiler/import/import_formats.h"
#include "compiler/import/python_change.h"
#include "compiler/import/python_literal.h"

struct rules {
	struct import *import;
	const struct source *source;
	struct import_list *list;
	struct python_reader reader;
	const char *heading, *adr; /* of the comments above the rules */
	size_t count, size;        /* of all commands, and their bytes and those of their reasons */
};

/* One call. */
struct rule {
	struct span place;
	struct python_value pattern;
	bool has_pattern;
	const char *given[5]; /* names of its arguments */
	size_t given_count;
	const char *decision, *justification;
	struct span decision_place;
};

bool import_rules_is(const struct source *source)
{
	static const char call[] = "prefix_rule(";
	if (path_ends_with(source->path, ".py")) /* whatever stands in its texts */
		return false;
	for (const char *at = source->text; (at = strstr(at, call)); at += strlen(call))
		if (at == source->text || at[-1] == '\n')
			return true;
	return false;
}

/* ---- arguments ---- */

static bool text_argument(struct rules *rules, const struct python_value *value, const char **text)
{
	*text = value->text;
	return value->kind == PYTHON_TEXT ||
	       python_fail(&rules->reader, value->place, "a string stands here");
}

static bool argument_take(struct rules *rules, const struct python_token *name,
			  const struct python_value *value, struct rule *rule)
{
	if (strcmp(name->text, "pattern") == 0) {
		rule->pattern = *value;
		rule->has_pattern = true;
		return value->kind == PYTHON_LIST ||
		       python_fail(&rules->reader, value->place, "a list stands here");
	}
	if (strcmp(name->text, "decision") == 0) {
		rule->decision_place = value->place;
		return text_argument(rules, value, &rule->decision);
	}
	if (strcmp(name->text, "justification") == 0)
		return text_argument(rules, value, &rule->justification);
	/* Examples, which decide nothing. */
	if (strcmp(name->text, "match") == 0 || strcmp(name->text, "not_match") == 0)
		return true;
	return python_fail(&rules->reader, name->place, "'%s' is no argument that import knows", name->text);
}

static bool argument_read(struct rules *rules, struct rule *rule)
{
	struct python_reader *reader = &rules->reader;
	const struct python_token *name = reader->at;
	struct python_value value;
	if (name->kind != PYTHON_NAME || !python_token_is(python_next(name + 1), "="))
		return python_fail(reader, name->place, "each argument is named: pattern=[…]");
	reader->at = python_next(python_next(name + 1) + 1);
	for (size_t i = 0; i < rule->given_count; i++)
		if (strcmp(rule->given[i], name->text) == 0)
			return python_fail(reader, name->place, "'%s' is given twice", name->text);
	if (!python_value_read(reader, &value) || !argument_take(rules, name, &value, rule))
		return false;
	rule->given[rule->given_count++] = name->text; /* one of the five that are known */
	return true;
}

static bool arguments_read(struct rules *rules, struct rule *rule)
{
	struct python_reader *reader = &rules->reader;
	for (reader->at = python_next(reader->at); !python_token_is(reader->at, ")");
	     reader->at = python_next(reader->at)) {
		if (!argument_read(rules, rule))
			return false;
		reader->at = python_next(reader->at);
		if (python_token_is(reader->at, ","))
			reader->at++;
		else if (!python_token_is(reader->at, ")"))
			return python_fail_token(reader, reader->at);
	}
	reader->at++;
	return rule->has_pattern || python_fail(reader, rule->place, "a rule has a pattern");
}

/* ---- commands ---- */

/* A word that a command cannot hold as one word. */
static bool word_check(struct rules *rules, const struct python_value *word)
{
	if (word->kind != PYTHON_TEXT)
		return python_fail(&rules->reader, word->place, "a word or a list of words stands here");
	if (*word->text && !strpbrk(word->text, " \t\n"))
		return true;
	return python_fail(&rules->reader, word->place,
			   "a word that is empty or holds a blank cannot be in a command");
}

/* What a pattern stands for, as far as its places were looked at. */
struct extent {
	size_t count;   /* of commands */
	size_t longest; /* bytes of a command, with a blank behind it */
	size_t size;    /* bytes of all, likewise */
};

static size_t word_count(const struct python_value *words)
{
	return words->kind == PYTHON_LIST ? words->count : 1;
}

static const struct python_value *word_at(const struct python_value *words, size_t index)
{
	return words->kind == PYTHON_LIST ? &words->items[index].value : words;
}

/* Each command so far, with each of the words that may stand at this place. */
static bool extent_grow(struct rules *rules, const struct python_value *words, struct extent *extent)
{
	size_t count = word_count(words), longest = 0, size = 0;
	if (!count)
		return python_fail(&rules->reader, words->place, "a list without a word matches nothing");
	if (count > RULE_COMMANDS_MAX / extent->count)
		return python_fail(&rules->reader, words->place,
				   "this rule stands for more than %d commands", RULE_COMMANDS_MAX);
	for (size_t i = 0; i < count; i++) {
		const struct python_value *word = word_at(words, i);
		if (!word_check(rules, word))
			return false;
		size_t bytes = strlen(word->text) + 1;
		longest = bytes > longest ? bytes : longest;
		size += bytes;
	}
	extent->longest += longest;
	if (extent->longest > COMMAND_SIZE_MAX + 1)
		return python_fail(&rules->reader, words->place,
				   "it stands for a command of more than %d bytes", COMMAND_SIZE_MAX);
	extent->size = extent->size * count + size * extent->count;
	extent->count *= count;
	return true;
}

/* What all rules of the file stand for: a short text could fill the memory. */
static bool extent_add(struct rules *rules, const struct rule *rule, const struct extent *extent)
{
	size_t reason = rule->justification ? strlen(rule->justification) : 0;
	rules->count += extent->count;
	rules->size += extent->size + reason * extent->count;
	if (rules->count > RULES_COMMANDS_MAX)
		return python_fail(&rules->reader, rule->pattern.place,
				   "the rules up to here stand for more than %d commands",
				   RULES_COMMANDS_MAX);
	if (rules->size > RULES_SIZE_MAX)
		return python_fail(&rules->reader, rule->pattern.place,
				   "the rules up to here stand for more than %d MiB of commands and reasons",
				   RULES_SIZE_MAX / MIB);
	return true;
}

static bool pattern_measure(struct rules *rules, const struct python_value *pattern, struct extent *extent)
{
	*extent = (struct extent){ .count = 1 };
	if (pattern->count > RULE_WORDS_MAX)
		return python_fail(&rules->reader, pattern->place,
				   "a pattern of more than %d words is of no command", RULE_WORDS_MAX);
	if (!pattern->count)
		return python_fail(&rules->reader, pattern->place, "an empty pattern matches every command");
	for (size_t i = 0; i < pattern->count; i++)
		if (!extent_grow(rules, &pattern->items[i].value, extent))
			return false;
	return true;
}

/* The command of this number: the words of the first place change fastest. */
static const char *command_make(struct rules *rules, const struct python_value *pattern, size_t number)
{
	struct strbuf command = STRBUF_INIT;
	for (size_t i = 0; i < pattern->count; i++) {
		const struct python_value *words = &pattern->items[i].value;
		strbuf_add_text(&command, i ? " " : "");
		strbuf_add_text(&command, word_at(words, number % word_count(words))->text);
		number /= word_count(words);
	}
	const char *text = arena_text(rules->import->compilation->arena, command.bytes, command.size);
	strbuf_release(&command);
	return text;
}

/* ---- decisions ---- */

/* A policy asks nobody: what a person would have to say yes to each time is not allowed. */
static bool decision_take(struct rules *rules, const struct rule *rule, struct import_entry *entry)
{
	const char *decision = rule->decision ? rule->decision : "allow";
	entry->verdict = strcmp(decision, "allow") == 0 ? IMPORT_ALLOW : IMPORT_FORBID;
	entry->reason = rule->justification;
	if (strcmp(decision, "prompt") == 0) {
		entry->reason = rule->justification
					? arena_printf(rules->import->compilation->arena,
						       "a person is asked each time: %s", rule->justification)
					: "a person is asked each time";
		return true;
	}
	return entry->verdict == IMPORT_ALLOW || strcmp(decision, "forbidden") == 0 ||
	       python_fail(&rules->reader, rule->decision_place,
			   "'%s' is no decision: allow, prompt or forbidden stands here", decision);
}

static bool rule_take(struct rules *rules, const struct rule *rule)
{
	struct extent extent;
	struct import_entry entry = { .place = rule->pattern.place,
				      .group = rules->heading,
				      .adr = rules->adr };
	if (!decision_take(rules, rule, &entry) || !pattern_measure(rules, &rule->pattern, &extent) ||
	    !extent_add(rules, rule, &extent))
		return false;
	for (size_t i = 0; i < extent.count; i++) {
		entry.command = command_make(rules, &rule->pattern, i);
		import_entry_add(rules->import, rules->list, &entry);
	}
	return true;
}

/* ---- statements ---- */

static void heading_take(struct rules *rules, const char *comment)
{
	struct arena *arena = rules->import->compilation->arena;
	const char *line = comment_line(arena, comment);
	if (!line)
		return;
	rules->heading = line;
	rules->adr = comment_adr(arena, line);
}

/* Behind a rule its line ends; or a ';' stands there, and another. */
static bool end_check(struct rules *rules)
{
	struct python_reader *reader = &rules->reader;
	const struct python_token *end = python_next(reader->at);
	if (!python_ends_statement(end))
		return python_fail(reader, end->place, "what stands behind it in its line is no part of it");
	if (python_token_is(end, ";"))
		reader->at = end + 1;
	return true;
}

static bool statement_read(struct rules *rules)
{
	struct python_reader *reader = &rules->reader;
	const struct python_token *token = reader->at;
	struct rule rule = { .place = token->place };
	bool call = token->kind == PYTHON_NAME && python_token_is(token + 1, "(");
	if (!call || strcmp(token->text, "prefix_rule") != 0)
		return python_fail(reader, token->place,
				   call ? "'%s' is no rule that import knows: prefix_rule(…) is"
					: "'%s' begins no prefix_rule(…)",
				   token->text);
	reader->at = token + 2;
	return arguments_read(rules, &rule) && end_check(rules) && rule_take(rules, &rule);
}

static bool statements_read(struct rules *rules)
{
	struct python_reader *reader = &rules->reader;
	while (reader->at->kind != PYTHON_END) {
		if (reader->at->kind == PYTHON_COMMENT && reader->at->first)
			heading_take(rules, reader->at->text);
		if (reader->at->kind == PYTHON_COMMENT || reader->at->kind == PYTHON_LINE_END)
			reader->at++;
		else if (!statement_read(rules))
			return false;
	}
	return true;
}

bool import_rules_read(struct import *import, const struct source *source)
{
	struct compilation *compilation = import->compilation;
	struct python_tokens tokens;
	struct rules rules = { .import = import, .source = source, .reader.compilation = compilation };
	if (!python_tokens_read(compilation, source, &tokens))
		return false;
	rules.list = import_list_add(import, IMPORT_COMMANDS, source, path_base(source->path),
				     tokens.items[0].place);
	rules.list->precedence = IMPORT_STRICTEST;
	rules.reader.at = tokens.items;
	if (!statements_read(&rules)) {
		struct diagnostic *d =
			diag_report(compilation->diags, DIAG_IMPORT_FORM, rules.reader.fault_place,
				    "this rule cannot be read: %s", rules.reader.fault);
		diag_help(d, "what is read: prefix_rule(pattern=[\"git\", [\"status\", \"log\"]], "
			     "decision=\"allow\")");
		return false;
	}
	return true;
}
