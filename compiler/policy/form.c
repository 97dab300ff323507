#include "compiler/policy/form.h"

struct form attribute_form(enum attribute attribute)
{
	static const struct form forms[ATTRIBUTE_COUNT] = {
		[ATTRIBUTE_ADR] = { "the number of an ADR", "adr 0001" },
		[ATTRIBUTE_BECAUSE] = { "a reason in double quotes", "because \"…\"" },
		[ATTRIBUTE_NEEDS] = { "a capability or `syscall NAME`", "needs CAP_SYS_PTRACE" },
		[ATTRIBUTE_REQUIRES] = { "a command", "requires docker >= 20.10" },
		[ATTRIBUTE_AS] = { "a name", "as docker-buildx" },
		[ATTRIBUTE_PATH] = { "a path in double quotes", "path \"/usr/bin/git\"" },
		[ATTRIBUTE_INSTEAD] = { "what to use, in double quotes,", "instead \"…\"" },
		[ATTRIBUTE_WITH] = { "`errno NAME`, `kill` or `log`", "with errno EPERM" },
		[ATTRIBUTE_ON] = { "a platform", "on linux, macos" },
		[ATTRIBUTE_UNTIL] = { "a date", "until 2030-01-31" },
	};
	return forms[attribute];
}

static struct form setting_form(enum setting setting)
{
	static const struct form forms[SETTING_COUNT] = {
		[SETTING_DEFAULT] = { "`allow`, `errno NAME`, `kill` or `log`", "default errno EPERM" },
		[SETTING_BASE] = { "a group", "base @container" },
		[SETTING_DENY_WITH] = { "`errno NAME`, `kill` or `log`", "deny-with errno EPERM" },
		[SETTING_ARCH] = { "an architecture", "arch x86_64, aarch64" },
		[SETTING_ABI] = { "an ABI", "abi x86_64" },
		[SETTING_UNKNOWN] = { "`errno NAME`, `kill`, `log` or `default`", "unknown errno ENOSYS" },
		[SETTING_HOT] = { "a system call", "hot read, write" },
	};
	return forms[setting];
}

static struct form expectation_form(enum expectation expectation)
{
	static const struct form forms[EXPECTATION_COUNT] = {
		[EXPECTATION_ALLOWED] = { "a command", "expect allowed NAME" },
		[EXPECTATION_FORBIDDEN] = { "a command", "expect forbidden NAME" },
		[EXPECTATION_UNLISTED] = { "a command", "expect unlisted NAME" },
		[EXPECTATION_DENIED] = { "`syscall NAME`", "expect denied syscall NAME" },
		[EXPECTATION_STRENGTH] = { "a level", "expect strength LEVEL" },
		[EXPECTATION_ADDS] = { "a reference and its commands", "expect adr 0001 adds NAME" },
	};
	return forms[expectation];
}

static struct form row_form(const struct ast_statement *row)
{
	static const struct form commands[VERB_COUNT] = {
		[VERB_ALLOW] = { "a command", "allow NAME  adr 0001  because \"…\"" },
		[VERB_FORBID] = { "a command", "forbid NAME  adr 0001  because \"…\"" },
		[VERB_DECLINE] = { "a command", "decline NAME  adr 0001  because \"…\"" },
		[VERB_REVOKE] = { "a command", "revoke NAME  adr 0001  because \"…\"" },
	};
	static const struct form calls[VERB_COUNT] = {
		[VERB_ALLOW] = { "a system call", "allow syscall NAME  adr 0001  because \"…\"" },
		[VERB_FORBID] = { "a system call", "forbid syscall NAME  adr 0001  because \"…\"" },
		[VERB_DECLINE] = { "a command", "decline NAME  adr 0001  because \"…\"" },
		[VERB_REVOKE] = { "a system call", "revoke syscall NAME  adr 0001  because \"…\"" },
	};
	return (row->qualifier ? calls : commands)[row->verb];
}

/* Where a backend is said, and its path is not. */
static bool before_path(const struct ast_statement *statement)
{
	return statement->kind == AST_OUTPUT && statement->words->name.text && !statement->words->path.text;
}

/* Where the path of `decisions` or `output` is said, and what may follow it is not. */
static bool behind_path(const struct ast_statement *statement)
{
	return (statement->kind == AST_DECISIONS || statement->kind == AST_OUTPUT) &&
	       statement->words->path.text;
}

static struct form behind_path_form(enum ast_kind kind)
{
	static const struct form accept = { "a word in double quotes",
					    "decisions \"../adr\" accept \"Approved\"" };
	static const struct form region = { "a name", "output BACKEND \"path\" region NAME" };
	return kind == AST_DECISIONS ? accept : region;
}

struct form statement_form(const struct ast_statement *statement)
{
	static const struct form forms[] = {
		[AST_POLICY] = { "a name", "policy NAME" },
		[AST_EDITION] = { "a number", "edition 1" },
		[AST_TITLE] = { "a title in double quotes", "title \"…\"" },
		[AST_EXTENDS] = { "a layer", "extends NAME, or extends \"folder/name.allow\"" },
		[AST_USE] = { "a file in double quotes", "use \"groups.allow\", or use <std-NAME>" },
		[AST_DECISIONS] = { "a folder in double quotes", "decisions \"../adr\"" },
		[AST_ROLE] = { "a name", "role NAME {" },
		[AST_PLUGIN] = { "a name", "plugin NAME {, or plugin NAME \"folder/plugin.yaml\" {" },
		[AST_TOOLS] = { "a command", "tools docker, \"docker buildx\"" },
		[AST_OPTIONAL] = { "a command", "optional docker, \"docker buildx\"" },
		[AST_SECCOMP] = { "a block", "seccomp {" },
		[AST_SYSCALLS] = { "a name", "syscalls @NAME {" },
		[AST_MEMBERS] = { "a system call or a group", "read, write, @GROUP" },
		[AST_OUTPUT] = { "a backend and a path in double quotes", "output BACKEND \"path\"" },
	};
	if (statement->kind == AST_ROW)
		return row_form(statement);
	if (before_path(statement))
		return (struct form){ "a path in double quotes", forms[AST_OUTPUT].example };
	if (behind_path(statement))
		return behind_path_form(statement->kind);
	if (statement->kind == AST_SETTING)
		return setting_form(statement->setting);
	if (statement->kind == AST_EXPECT)
		return expectation_form(statement->expectation);
	return forms[statement->kind];
}
