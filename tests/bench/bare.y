/* A tree of rows and nothing else: no places, no checks, no messages. See bare.l. */
%require "3.8"

%code requires {
struct row {
	char *command, *adr, *reason;
	struct row *next;
};
}

%{
#include <stdio.h>
#include <stdlib.h>

#include "bare.tab.h"

extern FILE *yyin;
int yylex(void);

static struct row *rows;

static void yyerror(const char *message)
{
	fprintf(stderr, "%s\n", message);
}

static void row_add(char *command, char *adr, char *reason)
{
	struct row *row = malloc(sizeof *row);
	if (!row)
		exit(2);
	*row = (struct row){ command, adr, reason, rows };
	rows = row;
}
%}

%union {
	char *text;
}

%token POLICY ALLOW ADR BECAUSE LINE_END BAD
%token <text> WORD STRING

%%

file: %empty | file line LINE_END ;
line: %empty | POLICY WORD | ALLOW WORD ADR WORD BECAUSE STRING { row_add($2, $4, $6); } ;

%%

int main(int argc, char **argv)
{
	yyin = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!yyin)
		return 2;
#ifdef SCAN_ONLY
	while (yylex())
		;
	return 0;
#else
	return yyparse();
#endif
}
