/*
 * The grammar of `.allow`. It only builds a tree: no name is looked up, no number read, no file opened.
 *
 * Names and keywords are told apart by position. The scanner gives every word that is a keyword
 * somewhere its own token, and `name` takes them all back: two names never stand side by side, so after
 * a name there can only be a keyword or a sign.
 *
 * Every statement ends with TOKEN_SEPARATOR and every '{' has its '}': compiler/policy/lexer.c sees to
 * both, also in a text that lacks them, and after a mistake goes to the statement's end itself.
 */
%require "3.8"
%define api.pure full
%define api.prefix {allow_parser_}
%define api.token.prefix {TOKEN_}
%define api.location.type {struct span}
%define parse.error custom

/*
 * A mistake is found where it stands, and what could stand there is known exactly: no states are merged,
 * and a state that knows more than one action looks at the token before it reduces. `parse.lac` would say
 * the same of merged states, and cost a twentieth of the time of a large policy.
 */
%define lr.type canonical-lr
%define lr.default-reduction consistent
%locations
%expect 0
%param { struct parser *parser }

%code requires {
#include "compiler/policy/ast.h"

struct parser;
}

%code {
#include "compiler/base/die.h"
#include "compiler/policy/parser.h"
#include "compiler/policy/syntax.h"

#define YYLLOC_DEFAULT(place, parts, count)                                                           \
	((place) = (count) ? (struct span){ YYRHSLOC(parts, 1).source, YYRHSLOC(parts, 1).begin,      \
					    YYRHSLOC(parts, count).end }                              \
			   : (struct span){ YYRHSLOC(parts, 0).source, YYRHSLOC(parts, 0).end,        \
					    YYRHSLOC(parts, 0).end })

static int allow_parser_lex(ALLOW_PARSER_STYPE *value, struct span *place, struct parser *parser)
{
	return parser_next_token(parser, &value->text, place);
}

/* Bison calls it for nothing but its own lack of memory: depth is bounded, and mistakes go to syntax.c. */
static void allow_parser_error(struct span *place, struct parser *parser, const char *message)
{
	(void)place;
	(void)parser;
	(void)message;
	die_out_of_memory();
}
}

%union {
	const char *text; /* of a word, which stands at the symbol's place */
	struct ast_expression *expression;
	enum ast_operator operator;
}

%token END 0 "the end of the file"
%token LINE_END SEMICOLON /* the scanner's alone: the lexer makes SEPARATOR of them */
%token SEPARATOR "the end of the statement"
%token <text> WORD "a name"
%token <text> STRING "a string"
%token COMMA "," OPEN "{" CLOSE "}" LEFT "(" RIGHT ")"
%token EQ "==" NE "!=" LT "<" LE "<=" GT ">" GE ">=" MASK "&" JOIN "|" BOTH "&&"
%token EITHER "||" ASSIGN "=" NOT "!" /* never valid */

%token POLICY "policy" EDITION "edition" TITLE "title" EXTENDS "extends" USE "use"
%token DECISIONS "decisions" ACCEPT "accept"
%token ALLOW "allow" FORBID "forbid" DECLINE "decline" REVOKE "revoke"
%token ROLE "role" PLUGIN "plugin" TOOLS "tools" OPTIONAL "optional"
%token SECCOMP "seccomp" SYSCALLS "syscalls" OUTPUT "output" REGION "region" EXPECT "expect"
%token ADR "adr" BECAUSE "because" NEEDS "needs" REQUIRES "requires" AS "as" PATH "path"
%token INSTEAD "instead" WITH "with" ON "on" UNTIL "until" SYSCALL "syscall" ERRNO "errno"
%token DEFAULT "default" BASE "base" DENY_WITH "deny-with" ARCH "arch" ABI "abi" UNKNOWN "unknown" HOT "hot"
%token ALLOWED "allowed" FORBIDDEN "forbidden" UNLISTED "unlisted" DENIED "denied"
%token STRENGTH "strength" ADDS "adds"

%type <text> name bare not_errno keyword
%type <expression> condition comparison mask join term
%type <operator> relation

%%

file: statements ;

statements:
  %empty
| statements row SEPARATOR       { statement_end(parser, 0); }
| statements statement SEPARATOR { statement_end(parser, 0); }
| statements error SEPARATOR     { statement_end(parser, 0); yyerrok; }
;

statement: policy | edition | title | extends | use | decisions | role | plugin | seccomp | syscalls
| output | expect ;

/* ---- names ---- */

name: WORD | STRING | keyword | SYSCALL { $$ = text_at(parser, @1); }
| ERRNO { $$ = text_at(parser, @1); } ;
bare: WORD | keyword | SYSCALL { $$ = text_at(parser, @1); } | ERRNO { $$ = text_at(parser, @1); } ;

/* Where the bare word `errno` says that its name follows. */
not_errno: WORD | keyword | SYSCALL { $$ = text_at(parser, @1); } ;

keyword: any_keyword { $$ = text_at(parser, @1); } ;
any_keyword: POLICY | EDITION | TITLE | EXTENDS | USE | DECISIONS | ACCEPT | ALLOW | FORBID | DECLINE | REVOKE
| ROLE | PLUGIN | TOOLS | OPTIONAL | SECCOMP | SYSCALLS | OUTPUT | REGION | EXPECT | ADR | BECAUSE | NEEDS
| REQUIRES | AS | PATH | INSTEAD | WITH | ON | UNTIL | DEFAULT | BASE | DENY_WITH | ARCH | ABI | UNKNOWN
| HOT | ALLOWED | FORBIDDEN | UNLISTED | DENIED | STRENGTH | ADDS ;

/*
 * ---- lists: each entry hangs in the tree as soon as it is read ----
 *
 * What a large policy has most of takes no way round: an entry takes its word without `name`, and a row has
 * no empty block. Four of 26 steps a row less were a fiftieth of its time.
 */

names: entry | names COMMA entry ;
entry: WORD { entry_add(parser, $1, @1); } | STRING { entry_add(parser, $1, @1); }
| keyword { entry_add(parser, $1, @1); }
| SYSCALL { entry_add(parser, text_at(parser, @1), @1); }
| ERRNO { entry_add(parser, text_at(parser, @1), @1); } ;

/* Where the bare word `syscall` says that system calls follow. */
names_not_syscall: entry_not_syscall | names_not_syscall COMMA entry ;
entry_not_syscall: WORD { entry_add(parser, $1, @1); } | STRING { entry_add(parser, $1, @1); }
| keyword { entry_add(parser, $1, @1); }
| ERRNO { entry_add(parser, text_at(parser, @1), @1); } ;

strings: string | strings COMMA string ;
string: STRING { entry_add(parser, $1, @1); } ;

requirements: requirement | requirements COMMA requirement ;
requirement: entry | entry GE name { entry_version(parser, @2, ast_word_of($3, @3)); } ;

calls: call | calls COMMA call ;
call: entry
| entry LEFT { condition_begin(parser, @2); } condition RIGHT { entry_condition(parser, $4, @5); } ;

action: not_errno { qualifier_set(parser, $1, @1); }
| ERRNO { qualifier_set(parser, text_at(parser, @1), @1); } entry ;

syscall: SYSCALL { qualifier_set(parser, text_at(parser, @1), @1); } ;

/* ---- statements of the file ---- */

policy: POLICY { statement_begin(parser, AST_POLICY, @1); } name { name_set(parser, $3, @3); } ;
edition: EDITION { statement_begin(parser, AST_EDITION, @1); } bare { name_set(parser, $3, @3); } ;
title: TITLE { statement_begin(parser, AST_TITLE, @1); } STRING { name_set(parser, $3, @3); } ;
extends: EXTENDS { statement_begin(parser, AST_EXTENDS, @1); } name { name_set(parser, $3, @3); } ;

use: USE { statement_begin(parser, AST_USE, @1); } library ;
library: STRING { name_set(parser, $1, @1); }
| LT bare GT { name_set(parser, $2, @2); statement_now(parser)->angled = true; } ;

decisions: DECISIONS { statement_begin(parser, AST_DECISIONS, @1); } scope
	STRING { path_set(parser, $4, @4); } accepted ;
scope: %empty | bare { name_set(parser, $1, @1); } ;
accepted: %empty | ACCEPT strings ;

output: OUTPUT { statement_begin(parser, AST_OUTPUT, @1); } bare { name_set(parser, $3, @3); }
	STRING { path_set(parser, $5, @5); } region ;
region: %empty | REGION name { region_set(parser, $2, @2); } ;

expect: EXPECT { statement_begin(parser, AST_EXPECT, @1); } expectation ;
expectation:
  ALLOWED   { expectation_set(parser, EXPECTATION_ALLOWED); } names
| FORBIDDEN { expectation_set(parser, EXPECTATION_FORBIDDEN); } names
| UNLISTED  { expectation_set(parser, EXPECTATION_UNLISTED); } names
| DENIED    { expectation_set(parser, EXPECTATION_DENIED); } syscall names
| STRENGTH  { expectation_set(parser, EXPECTATION_STRENGTH); } entry
| ADR       { expectation_set(parser, EXPECTATION_ADDS); } name { name_set(parser, $3, @3); }
	ADDS names
;

/* ---- rows ---- */

row: verb names_not_syscall attributes | verb names_not_syscall attributes row_block
| verb syscall calls attributes | verb syscall calls attributes row_block
;

verb:
  ALLOW   { row_begin(parser, VERB_ALLOW, @1); }
| FORBID  { row_begin(parser, VERB_FORBID, @1); }
| DECLINE { row_begin(parser, VERB_DECLINE, @1); }
| REVOKE  { row_begin(parser, VERB_REVOKE, @1); }
;

row_block: OPEN { row_block_begin(parser); } attribute_lines CLOSE ;

attribute_lines:
  %empty
| attribute_lines attribute_line SEPARATOR
| attribute_lines error SEPARATOR { yyerrok; }
;

attribute_line: attribute | attribute_line attribute ;
attributes: %empty | attributes attribute ;

attribute:
  ADR      { attribute_begin(parser, ATTRIBUTE_ADR, @1); } names
| BECAUSE  { attribute_begin(parser, ATTRIBUTE_BECAUSE, @1); } string
| NEEDS    { attribute_begin(parser, ATTRIBUTE_NEEDS, @1); } needs
| REQUIRES { attribute_begin(parser, ATTRIBUTE_REQUIRES, @1); } requirements
| AS       { attribute_begin(parser, ATTRIBUTE_AS, @1); } entry
| PATH     { attribute_begin(parser, ATTRIBUTE_PATH, @1); } strings
| INSTEAD  { attribute_begin(parser, ATTRIBUTE_INSTEAD, @1); } string
| WITH     { attribute_begin(parser, ATTRIBUTE_WITH, @1); } action
| ON       { attribute_begin(parser, ATTRIBUTE_ON, @1); } names
| UNTIL    { attribute_begin(parser, ATTRIBUTE_UNTIL, @1); } entry
;

needs: names_not_syscall | syscall calls ;

/* ---- blocks ---- */

role: ROLE { statement_begin(parser, AST_ROLE, @1); } name { name_set(parser, $3, @3); }
	open role_lines close ;
role_lines:
  %empty
| role_lines row SEPARATOR   { statement_end(parser, 1); }
| role_lines error SEPARATOR { statement_end(parser, 1); yyerrok; }
;

plugin: PLUGIN { statement_begin(parser, AST_PLUGIN, @1); } name { name_set(parser, $3, @3); }
	manifest open plugin_lines close ;
manifest: %empty | STRING { path_set(parser, $1, @1); } ;
plugin_lines:
  %empty
| plugin_lines plugin_line SEPARATOR { statement_end(parser, 1); }
| plugin_lines error SEPARATOR       { statement_end(parser, 1); yyerrok; }
;
plugin_line: row
| TOOLS    { statement_begin(parser, AST_TOOLS, @1); } names
| OPTIONAL { statement_begin(parser, AST_OPTIONAL, @1); } names
;

seccomp: SECCOMP { statement_begin(parser, AST_SECCOMP, @1); } open settings close ;
settings:
  %empty
| settings setting SEPARATOR { statement_end(parser, 1); }
| settings error SEPARATOR   { statement_end(parser, 1); yyerrok; }
;
setting:
  DEFAULT   { setting_begin(parser, SETTING_DEFAULT, @1); } action
| BASE      { setting_begin(parser, SETTING_BASE, @1); } names
| DENY_WITH { setting_begin(parser, SETTING_DENY_WITH, @1); } action
| ARCH      { setting_begin(parser, SETTING_ARCH, @1); } names
| ABI       { setting_begin(parser, SETTING_ABI, @1); } names
| UNKNOWN   { setting_begin(parser, SETTING_UNKNOWN, @1); } action
| HOT       { setting_begin(parser, SETTING_HOT, @1); } names
;

syscalls: SYSCALLS { statement_begin(parser, AST_SYSCALLS, @1); } name { name_set(parser, $3, @3); }
	open member_lines close ;
member_lines:
  %empty
| member_lines members SEPARATOR { statement_end(parser, 1); }
| member_lines error SEPARATOR   { statement_end(parser, 1); yyerrok; }
;
members: { statement_begin(parser, AST_MEMBERS, (struct span){ 0 }); } calls ;

open: OPEN { block_begin(parser); } ;
close: CLOSE { block_end(parser); } ;

/* ---- conditions: one grammar; which word is an argument and which a constant is checked later ---- */

condition: comparison | condition BOTH comparison { $$ = expression_join(parser, AST_BOTH, $1, $3); } ;
comparison: mask | mask relation mask { $$ = expression_compare(parser, $2, $1, $3); } ;
relation: EQ { $$ = AST_EQ; } | NE { $$ = AST_NE; } | LT { $$ = AST_LT; } | LE { $$ = AST_LE; }
| GT { $$ = AST_GT; } | GE { $$ = AST_GE; } ;
mask: join | join MASK join { $$ = expression_join(parser, AST_MASK, $1, $3); } ;
join: term | join JOIN term { $$ = expression_join(parser, AST_JOIN, $1, $3); } ;
term: WORD { $$ = expression_leaf(parser, ast_word_of($1, @1)); }
| LEFT condition RIGHT { $$ = expression_group($2, @$); } ;

%%

static int yyreport_syntax_error(const yypcontext_t *context, struct parser *parser)
{
	yysymbol_kind_t kinds[YYNTOKENS];
	const char *words[YYNTOKENS];
	bool quiet = lexer_is_quiet(&parser->lexer); /* then nobody asks, and asking is dear */
	int count = quiet ? 0 : yypcontext_expected_tokens(context, kinds, YYNTOKENS);
	for (int i = 0; i < count; i++)
		words[i] = yysymbol_name(kinds[i]);
	syntax_error(parser, words, (size_t)(count > 0 ? count : 0));
	return 0;
}
