/* Lines whose first word begins none: what was meant, as far as the text around says it. */
#include "compiler/policy/line.h"

#include <string.h>

#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/keyword.h"
#include "compiler/policy/spelling.h"
#include "compiler/policy/syntax.h"
#include "grammar/allow.tab.h"

enum { WORD_SHOWN_MAX = 60 };

struct diagnostic *line_report_attribute(struct lexer *lexer, const struct token *token,
						 const char *word)
{
	lexer->attributes_reported = true;
	struct diagnostic *diagnostic = diag_report(lexer->compilation->diags, DIAG_SYNTAX, token->span,
						    "'%s' on a line of its own", word);
	diag_help(diagnostic, "an attribute stands on its row's line, or in { } at the end of that line");
	return diagnostic;
}

void line_help_statements(struct diagnostic *diagnostic, unsigned places)
{
	struct strbuf words = STRBUF_INIT;
	size_t count;
	const struct keyword *keywords = keywords_all(&count);
	for (size_t i = 0; i < count; i++)
		if (keywords[i].places & places)
			strbuf_printf(&words, "%s%s", words.size ? ", " : "", keywords[i].word);
	diag_help(diagnostic, "a line here begins with one of %s", words.bytes);
	strbuf_release(&words);
}

/* Whether an attribute begins here. */
static bool attribute_follows(const char *text)
{
	for (int i = 0; i < ATTRIBUTE_COUNT; i++) {
		const char *word = attribute_word((enum attribute)i);
		size_t size = strlen(word);
		if (strncmp(text, word, size) == 0 && text[size] && strchr(" \t", text[size]))
			return true;
	}
	return false;
}

/* A command alone, as a list has it, or before attributes: `jq`, `"jq",`, `jq adr 0001`. */
static bool is_row_without_verb(const struct lexer *lexer, struct span place)
{
	static const char capability[] = "CAP_";
	const char *word = lexer->text + place.begin, *rest = lexer->text + place.end;
	if (place.end - place.begin > WORD_SHOWN_MAX || strncmp(word, capability, strlen(capability)) == 0 ||
	    (!ascii_is_alnum(*word) && *word != '"'))
		return false;
	rest += strspn(rest, " \t");
	return !*rest || strchr(",\r\n#}", *rest) || attribute_follows(rest);
}

/* `- allow jq`, as YAML and Markdown begin the entries of a list. */
static bool is_bullet(const struct lexer *lexer, struct span place)
{
	return place.end == place.begin + 1 && strchr("-*+", lexer->text[place.begin]);
}

bool line_help_merge(const struct lexer *lexer, uint32_t begin, struct diagnostic *diagnostic)
{
	static const char *const marks[] = { "<<<<<<<", "|||||||", "=======", ">>>>>>>" };
	const char *text = lexer->text + begin;
	bool found = false;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		found = found || strncmp(text, marks[i], strlen(marks[i])) == 0;
	if (!found || (begin && text[-1] != '\n'))
		return false;
	diag_help(diagnostic, "a merge left it: keep the rows that both sides mean, and remove such lines");
	return true;
}

void line_help(const struct lexer *lexer, struct span place, struct diagnostic *diagnostic)
{
	const char *word = lexer->text + place.begin;
	enum block_kind block = lexer_block(lexer);
	bool rows = block == BLOCK_FILE || block == BLOCK_ROLE || block == BLOCK_PLUGIN;
	if (line_help_merge(lexer, place.begin, diagnostic))
		return;
	if (rows && is_bullet(lexer, place))
		diag_help(diagnostic, "a row begins with its verb: remove the '%c'", *word);
	else if (rows && is_row_without_verb(lexer, place))
		diag_help(diagnostic, "a row begins with its verb: allow %.*s",
			  (int)(place.end - place.begin), word);
	else
		line_help_statements(diagnostic, 1u << block);
}

const struct keyword *line_assigned(const struct lexer *lexer, struct span place)
{
	const char *word = lexer->text + place.begin;
	size_t size = strcspn(word, "=: \t\r\n"), count;
	const struct keyword *keywords = keywords_all(&count);
	if (size >= place.end - place.begin)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if ((keywords[i].places & 1u << lexer_block(lexer)) && strlen(keywords[i].word) == size &&
		    memcmp(keywords[i].word, word, size) == 0)
			return &keywords[i];
	return NULL;
}

static void assignment_repair(struct lexer *lexer, const struct token *head, const struct keyword *keyword,
			      struct diagnostic *diagnostic)
{
	uint32_t size = (uint32_t)strlen(keyword->word);
	spelling_help_assigned(lexer, diagnostic, keyword->word, head->span.begin + size);
	struct token value = *head;
	value.text += size + 1;
	lexer_lose(lexer, &value);
}

/* What other languages call a statement. */
static const char *statement_elsewhere(const char *word)
{
	static const struct {
		const char *word, *here;
	} list[] = {
		{ "ban", "forbid" },      { "block", "forbid" },      { "deny", "forbid" },
		{ "disallow", "forbid" }, { "description", "title" }, { "import", "use" },
		{ "include", "use" },     { "inherits", "extends" },  { "permit", "allow" },
		{ "refuse", "forbid" },   { "reject", "forbid" },
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (strcmp(word, list[i].word) == 0)
			return list[i].here;
	return word;
}

/* `ALLOWED = {`: the list of another language has a name near a verb, which is not what was meant. */
static bool is_foreign_list(const struct lexer *lexer, const struct token *head, const struct keyword *near)
{
	const char *rest = lexer->text + head->span.end;
	return keyword_is_verb(near->kind) && rest[strspn(rest, " \t")] == '=';
}

int syntax_repair_statement(struct lexer *lexer, struct token *head)
{
	enum block_kind block = lexer_block(lexer);
	if (block != BLOCK_FILE && block != BLOCK_ROLE && block != BLOCK_PLUGIN)
		return TOKEN_WORD;
	const struct keyword *near = keyword_near(statement_elsewhere(head->text), 1u << block);
	struct diagnostic *diagnostic = diag_report(lexer->compilation->diags, DIAG_SYNTAX, head->span,
						    "unknown statement '%s'", head->text);
	const struct keyword *assigned = line_assigned(lexer, head->span);
	if (assigned)
		assignment_repair(lexer, head, assigned, diagnostic);
	else if (near && is_foreign_list(lexer, head, near))
		diag_help(diagnostic, "a list of another language is no row: allowc import makes rows of it");
	else if (near)
		diag_help(diagnostic, "did you mean '%s'?", near->word);
	else
		line_help(lexer, head->span, diagnostic);
	lexer->reported = true;
	if (!near) {
		lexer_lose(lexer, head);
		return TOKEN_ALLOW;
	}
	head->kind = near->kind;
	return keyword_is_verb(near->kind) ? near->kind : TOKEN_WORD;
}

int syntax_stray_attribute(struct lexer *lexer, const struct token *token)
{
	const struct keyword *keyword = NULL;
	if (keyword_is_attribute(token->kind)) {
		keyword = keyword_of(token->kind);
	} else if (token->kind == TOKEN_WORD) {
		keyword = keyword_near(token->text, ~0u);
		if (!keyword || !keyword_is_attribute(keyword->kind))
			return TOKEN_WORD;
	} else {
		return TOKEN_WORD;
	}
	if (!lexer->reported && !lexer->line_reported && !lexer->attributes_reported) {
		bool misspelt = token->kind == TOKEN_WORD;
		struct diagnostic *diagnostic =
			line_report_attribute(lexer, token, misspelt ? token->text : keyword->word);
		if (misspelt)
			diag_help(diagnostic, "did you mean '%s'?", keyword->word);
	}
	return keyword->kind;
}
