/* Lines and blocks: the scanner's tokens in, the grammar's regular form out. */
#include "compiler/policy/lexer.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/limits.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/keyword.h"
#include "compiler/policy/parser.h"
#include "compiler/policy/syntax.h"
#include "grammar/allow.tab.h"

#define YYSTYPE ALLOW_PARSER_STYPE
#define YYLTYPE ALLOW_PARSER_LTYPE
#include "grammar/allow.lex.h"

/* ---- life ---- */

static void line_begins(struct lexer *lexer, uint32_t at)
{
	lexer->at_line_start = true;
	lexer->line_begin = at;
	lexer->parentheses = 0;
	const struct encoding_errors *errors = &lexer->encoding;
	if (lexer->encoding_next == errors->count) {
		lexer->line_reported = false;
		return;
	}
	const char *text = lexer->source->text;
	const char *end = memchr(text + at, '\n', lexer->source->size - at);
	size_t line_end = end ? (size_t)(end - text) : lexer->source->size;
	size_t first = lexer->encoding_next;
	while (lexer->encoding_next < errors->count && errors->offsets[lexer->encoding_next] < line_end)
		lexer->encoding_next++;
	lexer->line_reported = lexer->encoding_next > first;
}

/* The blanks before the first token on the line: counted where a brace asks, which few lines have. */
static size_t indent_of_line(const struct lexer *lexer)
{
	return strspn(lexer->text + lexer->line_begin, " \t");
}

void lexer_begin(struct lexer *lexer, struct compilation *compilation, const struct source *source)
{
	*lexer = (struct lexer){ .compilation = compilation, .source = source, .unescaped = STRBUF_INIT };
	lexer->encoding = encoding_check(compilation, source);
	lexer->text = lexer->encoding.text;
	if (allow_lex_init_extra(lexer, &lexer->scanner))
		die_out_of_memory();
	lexer->recent[lexer->latest].kind = TOKEN_SEPARATOR;
	line_begins(lexer, 0);
}

void lexer_end(struct lexer *lexer)
{
	allow_lex_destroy(lexer->scanner);
	strbuf_release(&lexer->unescaped);
}

int lexer_read(struct lexer *lexer, char *buffer, int most)
{
	size_t left = lexer->source->size - lexer->read, size = left < (size_t)most ? left : (size_t)most;
	if (size)
		memcpy(buffer, lexer->text + lexer->read, size);
	lexer->read += size;
	return (int)size;
}

/* ---- tokens ---- */

void lexer_scan(struct lexer *lexer)
{
	struct token *token = lexer_ahead(lexer);
	YYSTYPE value;
	token->kind = allow_lex(&value, &token->span, lexer->scanner);
	if (token->kind == TOKEN_WORD || token->kind == TOKEN_STRING)
		token->text = value.text;
	if (token->kind == TOKEN_END)
		token->span =
			lexer_place(lexer, (uint32_t)lexer->source->size, (uint32_t)lexer->source->size);
	token->reported = lexer->token_reported;
	lexer->token_reported = false;
	lexer->has_ahead = true;
}

/* Goes past the token ahead, whose value stays readable until the next lexer_peek(). */
static const struct token *take(struct lexer *lexer)
{
	const struct token *token = lexer_peek(lexer);
	lexer->has_ahead = false;
	if (token->kind == TOKEN_LINE_END)
		line_begins(lexer, token->span.end);
	else
		lexer->at_line_start = false;
	lexer->reported |= token->reported;
	return token;
}

bool lexer_is_quiet(const struct lexer *lexer)
{
	if (lexer_recent(lexer, 0)->kind == TOKEN_SEPARATOR)
		return lexer_recent(lexer, 0)->reported;
	return lexer->reported || lexer->line_reported;
}

/* The token that was taken last. */
static void deliver_taken(struct lexer *lexer)
{
	lexer->latest++;
}

/* Another one: the token ahead moves on. */
static void deliver_other(struct lexer *lexer, struct token token)
{
	struct token ahead = *lexer_ahead(lexer);
	*lexer_ahead(lexer) = token;
	lexer->latest++;
	*lexer_ahead(lexer) = ahead;
}

/* A token that the text lacks, at the end of what was delivered before it. */
static void deliver_made(struct lexer *lexer, int kind, bool reported)
{
	uint32_t end = lexer_recent(lexer, 0)->span.end;
	struct span place = lexer_place(lexer, end, end);
	deliver_other(lexer, (struct token){ .kind = kind, .span = place, .reported = reported });
}

static void deliver_separator(struct lexer *lexer, bool reported)
{
	deliver_made(lexer, TOKEN_SEPARATOR, reported);
	lexer->reported = false;
	lexer->separator_due = false;
}

static bool statement_is_open(const struct lexer *lexer)
{
	return lexer_recent(lexer, 0)->kind != TOKEN_SEPARATOR && lexer_recent(lexer, 0)->kind != TOKEN_OPEN;
}

/* ---- blocks ---- */

enum block_kind lexer_block(const struct lexer *lexer)
{
	return lexer->depth ? lexer->blocks[lexer->depth - 1].kind : BLOCK_FILE;
}

static void block_push(struct lexer *lexer, struct span brace)
{
	assert(lexer->depth < DEEPEST_BLOCK);
	lexer->blocks[lexer->depth++] = (struct open_block){ .kind = keyword_block(lexer->head.kind),
							     .brace = brace,
							     .header = lexer->head.span,
							     .indent = indent_of_line(lexer) };
	lexer->row_open_for_more = false;
}

/* Braces around rows are no block of the row above them. */
static bool stands_apart(const struct lexer *lexer, const struct open_block *block)
{
	return block->kind == BLOCK_ROW && block->brace.begin == lexer->own_line;
}

static void report_unclosed(struct lexer *lexer, const struct open_block *block, const struct token *at)
{
	if (stands_apart(lexer, block))
		return; /* that has its message */
	struct diagnostic *diagnostic =
		diag_report(lexer->compilation->diags, DIAG_BLOCK, block->brace, "'{' without its '}'");
	if (at->kind == TOKEN_END)
		diag_help(diagnostic, "write '}' after the last line of the block");
	else
		diag_note(diagnostic, at->span, "'%s' cannot stand in this block: '}' is missing before it",
			  keyword_of(at->kind)->word);
}

/*
 * A line that begins with the keyword of a statement which this block cannot hold, and that is not set
 * deeper than the line of its '{': else it is the statement that is wrong there, and no '}' is missing.
 */
static bool closes_block(const struct lexer *lexer, const struct open_block *block, const struct token *token)
{
	if (!lexer->at_line_start || block->kind == BLOCK_FILE || block->kind == BLOCK_UNKNOWN)
		return false;
	bool statement =
		keyword_stands_in(token->kind, BLOCK_FILE) || keyword_stands_in(token->kind, BLOCK_PLUGIN);
	return statement && !keyword_stands_in(token->kind, block->kind) &&
	       (stands_apart(lexer, block) || indent_of_line(lexer) <= block->indent);
}

static bool stray_close(struct lexer *lexer)
{
	if (lexer->depth)
		return false;
	const struct token *token = take(lexer);
	if (lexer->forgiven) {
		lexer->forgiven--;
		return true;
	}
	diag_help(diag_report(lexer->compilation->diags, DIAG_BLOCK, token->span, "'}' without its '{'"),
		  "remove it, or open the block with '{' at the end of its first line");
	lexer->reported = true;
	return true;
}

/* ---- skipping ---- */

void lexer_lose_word(struct lexer *lexer, const char *text)
{
	if (!text)
		return;
	lexer->lost = arena_grow(lexer->compilation->arena, lexer->lost, lexer->lost_count,
				 &lexer->lost_capacity, sizeof *lexer->lost);
	lexer->lost[lexer->lost_count++] = text;
}

void lexer_lose(struct lexer *lexer, const struct token *token)
{
	if (token->kind == TOKEN_WORD || token->kind == TOKEN_STRING)
		lexer_lose_word(lexer, token->text);
}

/* Whether the token ahead is the keyword of a statement, and no name of a list: then more follows it. */
static bool statement_is_ahead(struct lexer *lexer)
{
	const struct token *token = lexer_peek(lexer);
	if (!keyword_stands_in(token->kind, lexer_block(lexer)) &&
	    !keyword_stands_in(token->kind, BLOCK_FILE))
		return false;
	const char *rest = lexer->text + token->span.end;
	rest += strspn(rest, " \t");
	return *rest && !strchr(",\r\n#", *rest);
}

/*
 * A further line of stray attributes belongs to the row that is skipped, and one after a ',' to its list.
 * But the ',' may be all that is wrong (`"jq",`), and the rows below it are not.
 */
static bool line_goes_on(struct lexer *lexer, bool after_comma)
{
	if (after_comma)
		return !statement_is_ahead(lexer);
	while (lexer_peek(lexer)->kind == TOKEN_LINE_END)
		take(lexer);
	return lexer->row_open_for_more && keyword_is_attribute(lexer_peek(lexer)->kind);
}

struct skip {
	unsigned braces;
	struct open_block block; /* the outermost that is skipped */
};

static void skip_open(struct lexer *lexer, struct skip *skip, struct span brace)
{
	if (skip->braces++)
		return;
	skip->block = (struct open_block){ .kind = keyword_block(lexer->head.kind),
					   .brace = brace,
					   .indent = indent_of_line(lexer) };
	lexer->row_open_for_more = false;
}

/* Whether the statement ends before the token ahead. */
static bool skip_ends(struct lexer *lexer, struct skip *skip)
{
	const struct token *token = lexer_peek(lexer);
	if (token->kind == TOKEN_END) {
		if (skip->braces && lexer->head.kind != TOKEN_OPEN)
			report_unclosed(lexer, &skip->block, token);
		return true;
	}
	if (skip->braces == 0)
		return token->kind == TOKEN_SEMICOLON || (token->kind == TOKEN_CLOSE && lexer->depth);
	if (skip->braces == 1 && closes_block(lexer, &skip->block, token)) {
		report_unclosed(lexer, &skip->block, token);
		lexer->forgiven++;
		return true;
	}
	return false;
}

static void skip_statement(struct lexer *lexer, struct skip *skip)
{
	lexer->reported = true;
	bool comma = lexer_recent(lexer, 0)->kind == TOKEN_COMMA && !lexer->parentheses;
	while (!skip_ends(lexer, skip)) {
		const struct token *token = take(lexer);
		int kind = token->kind;
		lexer_lose(lexer, token);
		if (kind == TOKEN_OPEN)
			skip_open(lexer, skip, token->span);
		else if (kind == TOKEN_CLOSE && skip->braces)
			skip->braces--;
		else if (kind == TOKEN_LINE_END && !skip->braces && !line_goes_on(lexer, comma))
			break;
		comma = kind == TOKEN_COMMA && !lexer->parentheses;
	}
	lexer->reported = true;
	lexer->separator_due = true;
}

void lexer_skip_statement(struct lexer *lexer)
{
	if (lexer_recent(lexer, 0)->kind == TOKEN_SEPARATOR || lexer_recent(lexer, 0)->kind == TOKEN_END)
		return;
	struct skip skip = { 0 };
	if (lexer_recent(lexer, 0)->kind == TOKEN_OPEN) {
		lexer->depth--; /* it was pushed when it was delivered */
		skip_open(lexer, &skip, lexer_recent(lexer, 0)->span);
	}
	skip_statement(lexer, &skip);
}

/* ---- lines ---- */

static void report_brace_line(struct lexer *lexer, const struct token *brace)
{
	if (!lexer->reported && !lexer->line_reported)
		diag_help(diag_report(lexer->compilation->diags, DIAG_BLOCK, brace->span,
				      "'{' on a line of its own"),
			  "it stands at the end of its statement's line");
	lexer->reported = true;
	lexer->own_line = brace->span.begin;
}

/*
 * Whether the line ahead is no statement but the rest of the last one: a brace that should have stood
 * there, or the attributes of a row. Reported once, and then read as meant.
 */
static bool line_belongs_above(struct lexer *lexer)
{
	const struct token *token = lexer_peek(lexer);
	if (token->kind == TOKEN_OPEN) {
		if (lexer_recent(lexer, 0)->kind == TOKEN_CLOSE || lexer_block(lexer) == BLOCK_ROW)
			return false;
		report_brace_line(lexer, token);
		return true;
	}
	if (!lexer->row_open_for_more)
		return false;
	int kind = syntax_stray_attribute(lexer, token);
	if (kind == TOKEN_WORD)
		return false;
	lexer_ahead(lexer)->kind = kind;
	lexer->reported = true;
	return true;
}

/* Takes the line ends ahead. True when a separator was delivered. */
static bool line_ends(struct lexer *lexer)
{
	bool goes_on = lexer_recent(lexer, 0)->kind == TOKEN_COMMA && !lexer->parentheses;
	bool reported = lexer_peek(lexer)->reported || lexer->reported || lexer->line_reported;
	while (lexer_peek(lexer)->kind == TOKEN_LINE_END)
		take(lexer);
	lexer->reported = reported;
	if (goes_on) {
		lexer->comma_line = *lexer_peek(lexer);
		return false;
	}
	if (!statement_is_open(lexer)) {
		lexer->reported = false;
		return false;
	}
	if (line_belongs_above(lexer))
		return false;
	deliver_separator(lexer, reported);
	return true;
}

static void statement_begins(struct lexer *lexer)
{
	lexer->comma_line.span.source = NULL;
	if (lexer_block(lexer) == BLOCK_ROW)
		return;
	lexer->head = *lexer_peek(lexer);
	if (lexer->head.kind == TOKEN_WORD && !lexer->head.reported && !lexer->line_reported)
		lexer_ahead(lexer)->kind = syntax_repair_statement(lexer, &lexer->head);
	lexer->row_open_for_more = keyword_is_verb(lexer_ahead(lexer)->kind);
	if (!keyword_is_attribute(lexer->head.kind))
		lexer->attributes_reported = false;
}

/* ---- delivery: each function returns true when it delivered a token ---- */

static bool deliver_close(struct lexer *lexer)
{
	if (stray_close(lexer))
		return false;
	if (statement_is_open(lexer)) {
		deliver_separator(lexer, lexer->reported || lexer->line_reported);
		return true;
	}
	lexer->depth--;
	take(lexer);
	deliver_taken(lexer);
	return true;
}

/* Delivers the '}' that is missing before the token ahead. */
static void deliver_missing_close(struct lexer *lexer)
{
	report_unclosed(lexer, &lexer->blocks[--lexer->depth], lexer_peek(lexer));
	deliver_made(lexer, TOKEN_CLOSE, false);
	lexer->separator_due = true;
}

static bool deliver_end(struct lexer *lexer)
{
	if (statement_is_open(lexer)) {
		deliver_separator(lexer, lexer->reported || lexer->line_reported);
	} else if (lexer->depth) {
		deliver_missing_close(lexer);
	} else {
		deliver_other(lexer, *lexer_peek(lexer));
	}
	return true;
}

static bool deliver_semicolon(struct lexer *lexer)
{
	take(lexer);
	if (!statement_is_open(lexer))
		return false;
	deliver_separator(lexer, lexer->reported || lexer->line_reported);
	return true;
}

/* Nobody can know what the lines in the braces of an unknown statement are. */
static bool swallow_unknown_block(struct lexer *lexer)
{
	if (lexer_ahead(lexer)->kind != TOKEN_OPEN || lexer->head.kind != TOKEN_WORD || !lexer->reported)
		return false;
	skip_statement(lexer, &(struct skip){ 0 });
	return true;
}

static void check_depth(struct lexer *lexer, struct token *token)
{
	if (token->kind != TOKEN_LEFT || lexer->parentheses <= CONDITION_DEPTH_MAX)
		return;
	if (!lexer_is_quiet(lexer))
		diag_help(diag_report(lexer->compilation->diags, DIAG_CONDITION, token->span,
				      "parentheses nested more than %d deep", CONDITION_DEPTH_MAX),
			  "a comparison needs one pair at most: (ARG & MASK) == VALUE");
	lexer->reported = true;
	token->kind = TOKEN_EITHER; /* which no condition can hold */
}

static bool deliver_token(struct lexer *lexer)
{
	if (!statement_is_open(lexer)) {
		if (lexer->depth &&
		    closes_block(lexer, &lexer->blocks[lexer->depth - 1], lexer_peek(lexer))) {
			deliver_missing_close(lexer);
			lexer->forgiven++;
			return true;
		}
		statement_begins(lexer);
	}
	if (swallow_unknown_block(lexer))
		return false;
	check_depth(lexer, lexer_ahead(lexer));
	const struct token *token = take(lexer);
	if (token->kind == TOKEN_OPEN)
		block_push(lexer, token->span);
	deliver_taken(lexer);
	return true;
}

static bool deliver_next(struct lexer *lexer)
{
	if (lexer->separator_due) {
		deliver_separator(lexer, lexer->reported);
		return true;
	}
	switch (lexer_peek(lexer)->kind) {
	case TOKEN_LINE_END:
		return line_ends(lexer);
	case TOKEN_SEMICOLON:
		return deliver_semicolon(lexer);
	case TOKEN_CLOSE:
		return deliver_close(lexer);
	case TOKEN_END:
		return deliver_end(lexer);
	default:
		return deliver_token(lexer);
	}
}

int lexer_next(struct lexer *lexer, const char **text, struct span *place)
{
	while (!deliver_next(lexer))
		;
	const struct token *token = lexer_recent(lexer, 0);
	*text = token->text;
	*place = token->span;
	return token->kind;
}
