/*
 * Messages for statements of no known form. What was read before the mistake decides which form was
 * meant, and so what to say; the parser's expected tokens decide where in that form the mistake stands.
 */
#include "compiler/policy/syntax.h"

#include <string.h>
#include <strings.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/suggest.h"
#include "compiler/data/libraries.h"
#include "compiler/data/syscalls.h"
#include "compiler/policy/form.h"
#include "compiler/policy/keyword.h"
#include "compiler/policy/line.h"
#include "compiler/policy/parser.h"
#include "compiler/policy/spelling.h"
#include "grammar/allow.tab.h"

enum { SHOWN_MAX = 60 }; /* bytes of policy text in a message */

/* One refused token. */
struct mistake {
	struct parser *parser;
	struct lexer *lexer;
	struct diags *diags;
	struct arena *arena;
	const struct token *token;    /* the refused one */
	const struct token *previous; /* before it */
	const char *const *expected;
	size_t count;
};

/* ---- the form that is meant ---- */

static struct form form_now(const struct mistake *mistake)
{
	const struct parser *parser = mistake->parser;
	if (parser->attribute)
		return attribute_form(parser->attribute->kind);
	const struct ast_statement *statement = parser->open[parser->level];
	return statement ? statement_form(statement) : (struct form){ "a name", "allow NAME" };
}

/* ---- the pieces of a message ---- */

static bool expects(const struct mistake *mistake, const char *word)
{
	for (size_t i = 0; i < mistake->count; i++)
		if (strcmp(mistake->expected[i], word) == 0)
			return true;
	return false;
}

/* Names of the alternatives that are words of the language, not signs or descriptions. */
static bool is_keyword_name(const char *name)
{
	return name[0] >= 'a' && name[0] <= 'z' && !strchr(name, ' ');
}

static const char *text_of(const struct mistake *mistake, struct span span)
{
	size_t size = span.end - span.begin;
	bool cut = size > SHOWN_MAX;
	const char *text = span.source->text + span.begin;
	if (cut)
		for (size = SHOWN_MAX; size && ((unsigned char)text[size] & 0xc0) == 0x80;)
			size--;
	return arena_printf(mistake->arena, "%.*s%s", (int)size, text, cut ? "…" : "");
}

static const char *quoted(const struct mistake *mistake, const struct token *token)
{
	if (token->kind == TOKEN_SEPARATOR || token->kind == TOKEN_END)
		return lexer_peek(mistake->lexer)->kind == TOKEN_CLOSE ? "the '}'" : "the end of the line";
	return arena_printf(mistake->arena, token->kind == TOKEN_STRING ? "%s" : "'%s'",
			    text_of(mistake, token->span));
}

static struct diagnostic *report(const struct mistake *mistake, enum diag_id id, const char *message)
{
	return diag_report(mistake->diags, id, mistake->token->span, "%s", message);
}

static bool at_end(const struct mistake *mistake)
{
	return mistake->token->kind == TOKEN_SEPARATOR || mistake->token->kind == TOKEN_END;
}

/* The keyword of the attribute that is being read. */
static struct span attribute_place(const struct parser *parser)
{
	return ast_attribute_keyword(parser->open[parser->level], parser->attribute);
}

static struct diagnostic *report_unexpected(const struct mistake *mistake)
{
	if (at_end(mistake))
		return diag_report(mistake->diags, DIAG_SYNTAX, mistake->token->span,
				   "the statement ends too early, after %s",
				   quoted(mistake, mistake->previous));
	return diag_report(mistake->diags, DIAG_SYNTAX, mistake->token->span, "unexpected %s after %s",
			   quoted(mistake, mistake->token), quoted(mistake, mistake->previous));
}

/* A word, or a keyword that stands where none is looked for. */
static bool is_bare(const struct mistake *mistake, const struct token *token)
{
	unsigned char first = (unsigned char)token->span.source->text[token->span.begin];
	return token->kind != TOKEN_STRING && token->span.end > token->span.begin &&
	       !strchr("{}(),;<>&|=!", first) && mistake->lexer->source == token->span.source;
}

/* Whether the mistake stands in a line that a ',' took in, but that begins like a statement. */
static bool is_comma_line(const struct mistake *mistake)
{
	const struct token *first = &mistake->lexer->comma_line;
	return first->span.source && (keyword_stands_in(first->kind, BLOCK_FILE) ||
				      keyword_stands_in(first->kind, lexer_block(mistake->lexer)));
}

/* The nearest of the words that could stand here. */
static const char *near_expected(const struct mistake *mistake)
{
	char folded[KEYWORD_FOLDED_SIZE];
	const char *word = keyword_folded(text_of(mistake, mistake->token->span), folded);
	struct suggestion near = suggestion_begin(word);
	for (size_t i = 0; i < mistake->count; i++)
		if (is_keyword_name(mistake->expected[i]))
			suggestion_offer(&near, mistake->expected[i]);
	return near.nearest;
}

static void help_alternatives(const struct mistake *mistake, struct diagnostic *diagnostic, const char *lead)
{
	struct strbuf words = STRBUF_INIT;
	for (size_t i = 0; i < mistake->count; i++)
		if (is_keyword_name(mistake->expected[i]))
			strbuf_printf(&words, "%s%s", words.size ? ", " : "", mistake->expected[i]);
	if (words.size)
		diag_help(diagnostic, "%s %s", lead, words.bytes);
	strbuf_release(&words);
}

static void help_near_or_alternatives(const struct mistake *mistake, struct diagnostic *diagnostic,
				      const char *lead)
{
	const char *near = near_expected(mistake);
	if (near)
		diag_help(diagnostic, "did you mean '%s'?", near);
	else
		help_alternatives(mistake, diagnostic, lead);
}

static void help_form(const struct mistake *mistake, struct diagnostic *diagnostic)
{
	const struct ast_statement *statement = mistake->parser->open[mistake->parser->level];
	const char *word = text_of(mistake, mistake->token->span);
	if (statement && statement->kind == AST_USE && library_find(word)) {
		diag_help(diagnostic, "write: use <%s>", word);
		return;
	}
	const char *folder = text_of(mistake, mistake->previous->span);
	bool bare = statement && statement->kind == AST_DECISIONS && is_bare(mistake, mistake->previous);
	bool folders = mistake->token->kind == TOKEN_COMMA ||
		       (mistake->token->kind == TOKEN_STRING && mistake->previous->kind == TOKEN_STRING);
	if (statement && statement->kind == AST_DECISIONS && folders)
		diag_help(diagnostic, "each folder has a line of its own: decisions SCOPE \"folder\"");
	else if (bare && strchr(folder, '/')) /* no scope has one */
		diag_help(diagnostic, "write: decisions \"%s\"", folder);
	else
		diag_help(diagnostic, "write: %s", form_now(mistake).example);
}

/* A ',' at the end of a line is easily left over from a list that grew shorter. */
static void note_comma_line(const struct mistake *mistake, struct diagnostic *diagnostic)
{
	diag_note(diagnostic, mistake->lexer->comma_line.span,
		  "the ',' at the end of the line above takes this line in");
	diag_help(diagnostic, "remove that ',', or go on with its list");
}

/* ---- conditions ---- */

static void help_condition(struct diagnostic *diagnostic)
{
	diag_help(diagnostic, "write ARG == VALUE, ARG & MASK or (ARG & MASK) == VALUE, joined by '&&'");
}

static void report_open_parenthesis(const struct mistake *mistake)
{
	diag_help(diag_report(mistake->diags, DIAG_CONDITION, mistake->parser->parenthesis,
			      "'(' without its ')'"),
		  "a condition stands on one line");
}

/* No ')' in the rest of the line: the first thing that is no condition is not the mistake. */
static bool parenthesis_stays_open(const struct mistake *mistake)
{
	const char *rest = mistake->token->span.source->text + mistake->token->span.begin;
	return rest[strcspn(rest, ");\n")] != ')';
}

/* `!flags` and `!(flags & MASK)` as the comparison that they mean, where it is as plain as that. */
static const char *help_not(const struct mistake *mistake)
{
	const char *text = mistake->token->span.source->text + mistake->token->span.end;
	bool open = *text == '(';
	size_t size = strcspn(text + open, "()=!<>,;\n");
	const char *inner = arena_copy(mistake->arena, text + open, size);
	bool mask = strchr(inner, '&') != NULL;
	bool plain = *inner && text[open + size] == ')' && !strstr(inner, "&&") && !strstr(inner, "||");
	if (!plain || (mask && !open) || (!mask && strpbrk(inner, " |")))
		return "write ARG == 0, or ARG != VALUE";
	return arena_printf(mistake->arena, mask ? "write (%s) == 0" : "write %s == 0", inner);
}

static void condition_error(const struct mistake *mistake)
{
	if (parenthesis_stays_open(mistake)) {
		report_open_parenthesis(mistake);
		return;
	}
	const char *message, *help = NULL;
	switch (mistake->token->kind) {
	case TOKEN_EITHER:
		message = "'||' in a condition";
		help = "\"or\" is another entry of the list: NAME(…), NAME(…)";
		break;
	case TOKEN_ASSIGN:
		message = "'=' in a condition";
		help = "write '=='";
		break;
	case TOKEN_NOT:
		message = "'!' in a condition";
		help = help_not(mistake);
		break;
	case TOKEN_COMMA:
		message = "',' in a condition";
		help = "comparisons are joined by '&&'";
		break;
	case TOKEN_STRING:
		message = "a string in a condition";
		help = strpbrk(text_of(mistake, mistake->token->span), "/. ")
			       ? "a filter sees no memory behind a pointer, so it cannot compare a path or a text"
			       : "the names of arguments and constants stand without quotes";
		break;
	default:
		message = arena_printf(mistake->arena, "unexpected %s in a condition",
				       quoted(mistake, mistake->token));
	}
	struct diagnostic *diagnostic = report(mistake, DIAG_CONDITION, message);
	if (help)
		diag_help(diagnostic, "%s", help);
	else
		help_condition(diagnostic);
}

static const char *expression_text(struct parser *parser, const struct ast_expression *expression)
{
	bool bare = expression->operator== AST_MASK && expression->span.begin == expression->left->span.begin;
	struct span span = expression->span;
	return arena_printf(parser->compilation->arena, "%s%.*s%s", bare ? "(" : "",
			    (int)(span.end - span.begin), span.source->text + span.begin, bare ? ")" : "");
}

static void report_condition(struct parser *parser, struct span place, const char *message, const char *help)
{
	if (!lexer_is_quiet(&parser->lexer))
		diag_help(diag_report(parser->compilation->diags, DIAG_CONDITION, place, "%s", message), "%s",
			  help);
	parser->lexer.reported = true;
}

void syntax_bare_mask(struct parser *parser, const struct ast_expression *left,
		      const struct ast_expression *right)
{
	struct span place = { left->span.source, left->span.begin, right->span.end };
	struct span sign = { left->span.source, left->span.end, right->span.begin };
	const char *text = sign.source->text;
	while (sign.begin < sign.end && (text[sign.begin] == ' ' || text[sign.begin] == '\t'))
		sign.begin++;
	while (sign.end > sign.begin && (text[sign.end - 1] == ' ' || text[sign.end - 1] == '\t'))
		sign.end--;
	report_condition(parser, place, "'&' beside a comparison without parentheses",
			 arena_printf(parser->compilation->arena, "write %s %.*s %s",
				      expression_text(parser, left), (int)(sign.end - sign.begin),
				      text + sign.begin, expression_text(parser, right)));
}

void syntax_condition_too_long(struct parser *parser)
{
	report_condition(parser, parser->parenthesis,
			 arena_printf(parser->compilation->arena, "a condition of more than %d parts",
				      CONDITION_NODES_MAX - 1),
			 "join constants beforehand, or make several entries of it");
}

/* ---- at the start of a line ---- */

static const char *place_name(unsigned places)
{
	if (places & 1u << BLOCK_FILE)
		return "outside of blocks";
	if (places & 1u << BLOCK_PLUGIN)
		return "in a plugin's block";
	return places & 1u << BLOCK_ROW ? "in a row" : "in the seccomp block";
}

static void report_misplaced(const struct mistake *mistake, const struct keyword *keyword)
{
	if (keyword_is_attribute(keyword->kind) && lexer_block(mistake->lexer) != BLOCK_SECCOMP) {
		if (!mistake->lexer->attributes_reported)
			line_report_attribute(mistake->lexer, mistake->token, keyword->word);
		return;
	}
	struct diagnostic *diagnostic = diag_report(mistake->diags, DIAG_SYNTAX, mistake->token->span,
						    "'%s' cannot stand here", keyword->word);
	diag_help(diagnostic, "it stands %s", place_name(keyword->places));
}

static const char *line_noun(enum block_kind block)
{
	return block == BLOCK_SECCOMP ? "setting" : block == BLOCK_ROW ? "attribute" : "statement";
}

static void line_error(const struct mistake *mistake)
{
	enum block_kind block = lexer_block(mistake->lexer);
	const struct keyword *keyword = keyword_of(mistake->token->kind);
	struct span place = mistake->token->span;
	if (mistake->token->kind == TOKEN_OPEN) {
		diag_help(diag_report(mistake->diags, DIAG_BLOCK, place, "'{' without a statement before it"),
			  "a block follows its statement on the same line, as in: role NAME {");
	} else if (block == BLOCK_SYSCALLS) {
		diag_report(mistake->diags, DIAG_SYNTAX, place,
			    "%s where a system call or a group is expected", quoted(mistake, mistake->token));
	} else if (keyword) {
		report_misplaced(mistake, keyword);
	} else if (is_bare(mistake, mistake->token)) {
		struct diagnostic *diagnostic =
			diag_report(mistake->diags, DIAG_SYNTAX, place, "unknown %s %s", line_noun(block),
				    quoted(mistake, mistake->token));
		const char *near = near_expected(mistake);
		const struct keyword *assigned = line_assigned(mistake->lexer, place);
		if (assigned)
			spelling_help_assigned(mistake->lexer, diagnostic, assigned->word,
					       place.begin + (uint32_t)strlen(assigned->word));
		else if (near)
			diag_help(diagnostic, "did you mean '%s'?", near);
		else
			line_help_statements(diagnostic, 1u << block);
	} else {
		struct diagnostic *diagnostic =
			diag_report(mistake->diags, DIAG_SYNTAX, place, "%s at the start of a line",
				    quoted(mistake, mistake->token));
		line_help(mistake->lexer, place, diagnostic);
	}
}

/* ---- in the middle of a statement ---- */

static void report_after_comma(const struct mistake *mistake, const struct token *comma,
			       const struct token *next)
{
	struct diagnostic *diagnostic = diag_report(mistake->diags, DIAG_SYNTAX, comma->span,
						    "nothing between ',' and %s", quoted(mistake, next));
	diag_help(diagnostic, "remove the ',', or go on with the list");
}

/* Where a value is looked for. */
static void value_error(const struct mistake *mistake)
{
	struct form form = form_now(mistake);
	struct diagnostic *diagnostic;
	if (mistake->previous->kind == TOKEN_COMMA && mistake->token->kind != TOKEN_WORD) {
		report_after_comma(mistake, mistake->previous, mistake->token);
		return;
	}
	if (at_end(mistake) || mistake->token->kind == TOKEN_OPEN ||
	    keyword_is_attribute(mistake->token->kind))
		diagnostic =
			diag_report(mistake->diags, DIAG_SYNTAX, mistake->token->span,
				    "%s is missing after %s", form.noun, quoted(mistake, mistake->previous));
	else
		diagnostic = diag_report(mistake->diags, DIAG_SYNTAX, mistake->token->span,
					 "%s is expected after %s, not %s", form.noun,
					 quoted(mistake, mistake->previous), quoted(mistake, mistake->token));
	help_form(mistake, diagnostic);
}

/* The bare words from the refused one on, up to an attribute: `docker buildx build adr 0001`. */
static struct span words_ahead(const struct mistake *mistake)
{
	struct span span = mistake->token->span;
	const char *text = span.source->text;
	for (uint32_t end = span.end;;) {
		uint32_t begin = end + (uint32_t)strspn(text + end, " ");
		uint32_t size = (uint32_t)strcspn(text + begin, " \t\r\n{}()&|,;\"<>#");
		if (size == 0 || begin == end)
			return span;
		const char *word = arena_copy(mistake->arena, text + begin, size);
		for (int i = 0; i < ATTRIBUTE_COUNT; i++)
			if (strcmp(word, attribute_word((enum attribute)i)) == 0)
				return span;
		span.end = end = begin + size;
		if (span.end - span.begin > SHOWN_MAX)
			return span;
	}
}

/* Words with one blank between them as a list. */
static const char *words_as_list(const struct mistake *mistake, const char *words)
{
	struct strbuf list = STRBUF_INIT;
	for (; *words; words++) {
		if (*words == ' ' && list.bytes[list.size - 1] != ' ')
			strbuf_add_char(&list, ',');
		strbuf_add_char(&list, *words);
	}
	return strbuf_keep(&list, mistake->arena);
}

/* Whether one of the words is a capability: then no string of them is a command. */
static bool has_capability(const char *words)
{
	static const char begin[] = "CAP_";
	return strncmp(words, begin, strlen(begin)) == 0 || strstr(words, " CAP_");
}

/* `allow docker buildx adr 0001`: one command, or several without a ','. Nobody but the writer knows. */
static bool help_several_words(const struct mistake *mistake, struct diagnostic *diagnostic)
{
	if (!diagnostic || !is_bare(mistake, mistake->previous) || !is_bare(mistake, mistake->token))
		return false;
	const struct ast_statement *statement = mistake->parser->open[mistake->parser->level];
	struct span keyword = ast_keyword(statement);
	const char *first = text_of(mistake, mistake->previous->span);
	const char *lead = text_of(mistake, keyword);
	if (statement->kind == AST_EXPECT)
		lead = arena_printf(mistake->arena, "%s %s", lead, expectation_word(statement->expectation));
	const char *rest = text_of(mistake, words_ahead(mistake));
	if (has_capability(first) || has_capability(rest)) {
		diag_help(diagnostic, "entries of a list have ',' between them: %s %s, %s", lead, first,
			  words_as_list(mistake, rest));
		return true;
	}
	diag_help(diagnostic, "a command of several words is one string: %s \"%s %s\"", lead, first, rest);
	if (rest[0] != '-' && !strstr(rest, " -")) /* an option is no command */
		diag_help(diagnostic, "several commands have ',' between them: %s %s, %s", lead, first,
			  words_as_list(mistake, rest));
	return true;
}

static bool names_commands(const struct mistake *mistake)
{
	const struct ast_statement *statement = mistake->parser->open[mistake->parser->level];
	if (!statement || mistake->parser->attribute || statement->qualifier)
		return false;
	return statement->kind == AST_ROW || statement->kind == AST_TOOLS ||
	       statement->kind == AST_OPTIONAL ||
	       (statement->kind == AST_EXPECT && statement->expectation <= EXPECTATION_UNLISTED);
}

static void help_new_line(const struct mistake *mistake, struct diagnostic *diagnostic)
{
	diag_help(diagnostic, "a statement ends with its line: put %s on a new line, or ';' before it",
		  quoted(mistake, mistake->token));
}

/* `because adr 0001`, `allow git, adr 0001`: an attribute that was read as the value of the one before. */
static bool value_is_attribute(const struct mistake *mistake)
{
	int kind = lexer_recent(mistake->lexer, 2)->kind;
	return keyword_is_attribute(mistake->previous->kind) &&
	       (keyword_is_attribute(kind) || keyword_is_verb(kind) || kind == TOKEN_SYSCALL ||
		kind == TOKEN_ERRNO || kind == TOKEN_COMMA);
}

static void report_value_missing(const struct mistake *mistake)
{
	if (lexer_recent(mistake->lexer, 2)->kind == TOKEN_COMMA) {
		report_after_comma(mistake, lexer_recent(mistake->lexer, 2), mistake->previous);
		return;
	}
	struct diagnostic *diagnostic = diag_report(mistake->diags, DIAG_SYNTAX, mistake->previous->span,
						    "%s is missing between %s and %s", form_now(mistake).noun,
						    quoted(mistake, lexer_recent(mistake->lexer, 2)),
						    quoted(mistake, mistake->previous));
	help_form(mistake, diagnostic);
}

static bool is_action(const char *word)
{
	return strcmp(word, "errno") == 0 || strcmp(word, "kill") == 0 || strcmp(word, "log") == 0 ||
	       strcmp(word, "allow") == 0 || strcmp(word, "default") == 0;
}

/* `with erno EPERM`: the word before is the mistake. */
static bool report_unknown_action(const struct mistake *mistake)
{
	const struct parser *parser = mistake->parser;
	const struct ast_statement *statement = parser->open[parser->level];
	const struct ast_word *action = parser->attribute                ? parser->attribute->qualifier
					: statement->kind == AST_SETTING ? statement->qualifier
									 : NULL;
	if (!action || !action->text || action->span.begin != mistake->previous->span.begin ||
	    is_action(action->text))
		return false;
	struct diagnostic *diagnostic = diag_report(parser->compilation->diags, DIAG_SYNTAX, action->span,
						    "unknown action %s", quoted(mistake, mistake->previous));
	help_form(mistake, diagnostic);
	return true;
}

/* `adr=0001`, `adr:0001`, as other languages have it. */
static bool help_assignment(struct diagnostic *diagnostic, const char *word)
{
	size_t size = strcspn(word, "=:");
	for (int i = 0; word[size] && i < ATTRIBUTE_COUNT; i++) {
		const char *attribute = attribute_word((enum attribute)i);
		if (strlen(attribute) != size || memcmp(attribute, word, size) != 0)
			continue;
		if (word[size + 1])
			diag_help(diagnostic, "write: %s %s", attribute, word + size + 1);
		else
			diag_help(diagnostic, "write: %s", attribute_form((enum attribute)i).example);
		return true;
	}
	return false;
}

/* `allow git 0001`, `allow git ADR-0001`: a reference without its keyword. */
static bool help_reference(const struct mistake *mistake, struct diagnostic *diagnostic, const char *word)
{
	static const char begin[] = "adr-";
	bool named = strncasecmp(word, begin, strlen(begin)) == 0;
	const char *number = word + (named ? strlen(begin) : 0);
	if (!*number || number[strspn(number, "0123456789")] || (!named && mistake->parser->attribute))
		return false;
	if (mistake->parser->attribute && mistake->parser->attribute->kind == ATTRIBUTE_ADR)
		return false;
	diag_help(diagnostic, "write: adr %s", number);
	return true;
}

/* What other languages call an attribute. */
static bool help_elsewhere(struct diagnostic *diagnostic, const char *word)
{
	static const struct {
		const char *word;
		enum attribute here;
	} list[] = {
		{ "alias", ATTRIBUTE_AS },         { "comment", ATTRIBUTE_BECAUSE },
		{ "depends", ATTRIBUTE_REQUIRES }, { "expires", ATTRIBUTE_UNTIL },
		{ "reason", ATTRIBUTE_BECAUSE },   { "ref", ATTRIBUTE_ADR },
		{ "use", ATTRIBUTE_INSTEAD },      { "why", ATTRIBUTE_BECAUSE },
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		if (strcmp(word, list[i].word) != 0)
			continue;
		diag_help(diagnostic, "write: %s", attribute_form(list[i].here).example);
		return true;
	}
	return false;
}

/* `allow [ git, jq ]`, as JSON and YAML have lists. */
static bool help_bracket(const struct mistake *mistake, struct diagnostic *diagnostic)
{
	if (strcmp(text_of(mistake, mistake->previous->span), "[") != 0 || !names_commands(mistake))
		return false;
	diag_help(diagnostic, "a list stands without brackets");
	return true;
}

/* `allow not git`: a row with `not` in its list would allow what stands behind it. */
static bool help_refused(const struct mistake *mistake, struct diagnostic *diagnostic, const char *word)
{
	const struct ast_statement *row = mistake->parser->open[mistake->parser->level];
	const char *previous = text_of(mistake, mistake->previous->span);
	bool refused = strcmp(previous, "not") == 0 || strcmp(previous, "never") == 0;
	if (!refused || !names_commands(mistake) || row->kind != AST_ROW || row->verb != VERB_ALLOW)
		return false;
	diag_help(diagnostic, "write: forbid %s", word);
	return true;
}

/* `adr 1 and 2`: the word stands for a ','. */
static bool help_and(const struct mistake *mistake, struct diagnostic *diagnostic, const char *word)
{
	bool joins = strcmp(word, "and") == 0 || strcmp(word, "or") == 0;
	if (!joins || lexer_peek(mistake->lexer)->kind != TOKEN_WORD)
		return false;
	diag_help(diagnostic, "entries of a list have ',' between them: %s, %s",
		  text_of(mistake, mistake->previous->span),
		  text_of(mistake, lexer_peek(mistake->lexer)->span));
	return true;
}

static bool help_dashes(struct diagnostic *diagnostic, const char *word)
{
	if (strcmp(word, "--") != 0)
		return false;
	diag_help(diagnostic, "a comment begins with '#'");
	return true;
}

static void unknown_attribute(const struct mistake *mistake)
{
	const char *near = near_expected(mistake);
	const char *word = text_of(mistake, mistake->token->span);
	struct diagnostic *diagnostic = diag_report(mistake->diags, DIAG_SYNTAX, mistake->token->span,
						    "unknown attribute %s", quoted(mistake, mistake->token));
	if (help_assignment(diagnostic, word) || help_dashes(diagnostic, word) ||
	    help_reference(mistake, diagnostic, word) || help_bracket(mistake, diagnostic) ||
	    help_refused(mistake, diagnostic, word) || help_and(mistake, diagnostic, word))
		return;
	const struct ast_attribute *attribute = mistake->parser->attribute;
	const struct token *next = lexer_peek(mistake->lexer);
	bool valued = next->kind == TOKEN_STRING || (attribute && next->kind == TOKEN_WORD);
	if (valued && help_elsewhere(diagnostic, word))
		return;
	/* What follows tells a misspelt attribute from a second word: a second word has an attribute or
	 * nothing after it. */
	int follower = lexer_peek(mistake->lexer)->kind;
	bool second_word = keyword_is_attribute(follower) || follower == TOKEN_LINE_END ||
			   follower == TOKEN_OPEN || follower == TOKEN_END;
	bool several = names_commands(mistake) && follower != TOKEN_COMMA && (!near || second_word);
	const char *previous = text_of(mistake, mistake->previous->span);
	bool cites = !attribute || attribute->kind != ATTRIBUTE_ADR || strpbrk(word, "0123456789");
	if (near)
		diag_help(diagnostic, "did you mean '%s'?", near);
	if (is_comma_line(mistake))
		note_comma_line(mistake, diagnostic);
	else if (keyword_of(mistake->token->kind))
		help_new_line(mistake, diagnostic);
	else if (!near && strcmp(previous, "syscall") == 0)
		diag_help(
			diagnostic,
			"'syscall' stands once, at the start of a list, and all of the list is system calls");
	else if (!near && suggest_distance(previous, "syscall", 2) <= 2)
		diag_help(diagnostic, "did you mean 'syscall' for '%s'?", previous);
	else if (several)
		help_several_words(mistake, diagnostic);
	else if (!near && attribute && attribute->kind == ATTRIBUTE_REQUIRES && word[0] >= '0' &&
		 word[0] <= '9')
		diag_help(diagnostic, "write: requires %s >= %s", previous, word);
	else if ((names_commands(mistake) && follower == TOKEN_COMMA) ||
		 (!near && cites && expects(mistake, ",") && is_bare(mistake, mistake->previous)))
		diag_help(diagnostic, "entries of a list have ',' between them: %s, %s", previous, word);
	else if (!near)
		help_alternatives(mistake, diagnostic, "an attribute is one of");
}

/* `forbid socket(…)`: the row is of a call, without its 'syscall'. */
static void report_stray_condition(const struct mistake *mistake)
{
	const struct ast_statement *statement = mistake->parser->open[mistake->parser->level];
	const char *name = text_of(mistake, mistake->previous->span);
	bool row = statement && statement->kind == AST_ROW && !mistake->parser->attribute;
	struct diagnostic *diagnostic =
		report(mistake, DIAG_CONDITION, "a condition after what is no system call");
	if (row && statement->verb != VERB_DECLINE && syscall_find(name))
		diag_help(diagnostic, "write: %s syscall %s(…)", verb_word(statement->verb), name);
	else
		diag_help(diagnostic, "conditions follow the names of system calls: forbid syscall NAME(…)");
}

/* After a subject or a complete attribute. */
static void attribute_error(const struct mistake *mistake)
{
	int kind = mistake->token->kind;
	if (value_is_attribute(mistake)) {
		report_value_missing(mistake);
	} else if (report_unknown_action(mistake)) {
		return;
	} else if (kind == TOKEN_LEFT) {
		report_stray_condition(mistake);
	} else if (kind == TOKEN_RIGHT) {
		diag_help(report(mistake, DIAG_CONDITION, "')' without its '('"), "remove it");
	} else if (kind == TOKEN_GE || kind == TOKEN_LE || kind == TOKEN_GT || kind == TOKEN_LT) {
		diag_help(report_unexpected(mistake), "only a version has a sign: requires NAME >= VERSION");
	} else if (is_bare(mistake, mistake->token)) {
		unknown_attribute(mistake);
	} else {
		struct diagnostic *diagnostic = report_unexpected(mistake);
		if (is_comma_line(mistake))
			note_comma_line(mistake, diagnostic);
		else if (expects(mistake, ",") && kind == TOKEN_STRING)
			diag_help(diagnostic, "entries of a list have ',' between them");
		else if (kind == TOKEN_COMMA)
			diag_help(diagnostic, "'%s' takes one value",
				  text_of(mistake, attribute_place(mistake->parser)));
		else
			help_alternatives(mistake, diagnostic, "here can stand one of");
	}
}

static void block_missing(const struct mistake *mistake)
{
	struct diagnostic *diagnostic;
	if (at_end(mistake))
		diagnostic = diag_report(mistake->diags, DIAG_BLOCK, mistake->token->span,
					 "'{' is missing after %s", quoted(mistake, mistake->previous));
	else
		diagnostic = report_unexpected(mistake);
	help_form(mistake, diagnostic);
}

/* `expect forbid strace`, and `expect strace forbidden`, in the order of speech. */
static const char *expectation_meant(const struct mistake *mistake, const char *word)
{
	static const struct {
		const char *word;
		enum expectation here;
	} list[] = {
		{ "allow", EXPECTATION_ALLOWED },
		{ "deny", EXPECTATION_DENIED },
		{ "forbid", EXPECTATION_FORBIDDEN },
		{ "unlist", EXPECTATION_UNLISTED },
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (strcmp(word, list[i].word) == 0)
			return expectation_word(list[i].here);
	struct span place = lexer_peek(mistake->lexer)->span;
	const char *next = text_of(mistake, place), *rest = place.source->text + place.end;
	if (!strchr("\r\n#;}", rest[strspn(rest, " \t")])) /* `expect not allowed git` */
		return NULL;
	for (int i = EXPECTATION_ALLOWED; i <= EXPECTATION_UNLISTED; i++)
		if (strcmp(next, expectation_word((enum expectation)i)) == 0)
			return arena_printf(mistake->arena, "%s %s", next, word);
	return NULL;
}

static void expectation_error(const struct mistake *mistake)
{
	struct diagnostic *diagnostic;
	if (is_bare(mistake, mistake->token))
		diagnostic = diag_report(mistake->diags, DIAG_SYNTAX, mistake->token->span,
					 "unknown expectation %s", quoted(mistake, mistake->token));
	else
		diagnostic = report_unexpected(mistake);
	const char *meant = is_bare(mistake, mistake->token)
				    ? expectation_meant(mistake, text_of(mistake, mistake->token->span))
				    : NULL;
	if (meant)
		diag_help(diagnostic, "write: expect %s", meant);
	else
		help_near_or_alternatives(mistake, diagnostic, "'expect' is followed by one of");
}

/* Where the statement was complete. */
static void surplus_error(const struct mistake *mistake)
{
	const struct ast_statement *statement = mistake->parser->open[mistake->parser->level];
	if (statement && report_unknown_action(mistake))
		return;
	if (statement && statement->kind == AST_EXPECT && mistake->token->kind == TOKEN_LEFT) {
		diag_help(report(mistake, DIAG_CONDITION, "'expect' takes no condition"),
			  "name %s alone: an expectation is about all arguments",
			  quoted(mistake, mistake->previous));
		return;
	}
	struct diagnostic *diagnostic = report_unexpected(mistake);
	const char *near = near_expected(mistake);
	bool list = expects(mistake, ",") && !near && mistake->token->kind != TOKEN_OPEN;
	if (is_comma_line(mistake))
		note_comma_line(mistake, diagnostic);
	else if (near)
		diag_help(diagnostic, "did you mean '%s'?", near);
	else if (mistake->token->kind == TOKEN_OPEN)
		diag_help(diagnostic, "this statement has no block");
	else if (keyword_is_attribute(mistake->token->kind) && mistake->previous->kind == TOKEN_CLOSE)
		diag_help(diagnostic, "the block comes last: put %s before its '{', or into it",
			  quoted(mistake, mistake->token));
	else if (keyword_of(mistake->token->kind) || mistake->previous->kind == TOKEN_CLOSE)
		help_new_line(mistake, diagnostic);
	else if (names_commands(mistake) && help_several_words(mistake, diagnostic))
		return;
	else if (!expects(mistake, ","))
		help_form(mistake, diagnostic);
	if (list && !is_comma_line(mistake))
		diag_help(diagnostic, "entries of a list have ',' between them");
}

static void other_error(const struct mistake *mistake)
{
	struct diagnostic *diagnostic = report_unexpected(mistake);
	help_form(mistake, diagnostic);
}

/* ---- the choice ---- */

static void explain(const struct mistake *mistake)
{
	int previous = mistake->previous->kind;
	if (mistake->parser->parenthesis.source)
		condition_error(mistake);
	else if (previous == TOKEN_SEPARATOR || previous == TOKEN_OPEN)
		line_error(mistake);
	else if (expects(mistake, "{") && !expects(mistake, "adr"))
		block_missing(mistake);
	else if (expects(mistake, "a name") || expects(mistake, "a string"))
		value_error(mistake);
	else if (expects(mistake, "adr") && !expects(mistake, "allowed"))
		attribute_error(mistake);
	else if (expects(mistake, "allowed"))
		expectation_error(mistake);
	else if (expects(mistake, "the end of the statement"))
		surplus_error(mistake);
	else
		other_error(mistake);
}

void syntax_error(struct parser *parser, const char *const *expected, size_t count)
{
	struct lexer *lexer = &parser->lexer;
	struct mistake mistake = {
		.parser = parser,
		.lexer = lexer,
		.diags = parser->compilation->diags,
		.arena = parser->compilation->arena,
		.token = lexer_recent(lexer, 0),
		.previous = lexer_recent(lexer, 1),
		.expected = expected,
		.count = count,
	};
	bool quiet = lexer_is_quiet(lexer);
	if (mistake.token->kind != TOKEN_SEPARATOR)
		lexer->reported = true; /* before any look ahead: what is found there stays quiet */
	if (!quiet)
		explain(&mistake);
	parser->layer->broken = true;
	if (parser->open[parser->level])
		parser->open[parser->level]->broken = true;
	else if (!parser->level || parser->open[0]->kind == AST_SECCOMP)
		parser->layer->unread = true;
	lexer_lose(lexer, mistake.token);
	lexer_skip_statement(lexer);
}
