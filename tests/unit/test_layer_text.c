#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/layer_text.h"
#include "compiler/policy/parse.h"

/* The lines of a text that parses; the caller ends the compilation. */
static const char *lines_of(struct compilation *compilation, const char *text)
{
	struct strbuf out = STRBUF_INIT;
	struct ast_layer layer;
	*compilation = compilation_begin(0);
	const struct source *source = sources_add(compilation->sources, "p.allow", text, strlen(text));
	assert_true(layer_parse(compilation, source, &layer));
	layer_text(compilation->arena, &layer, &out);
	const char *lines = arena_copy(compilation->arena, out.bytes, out.size);
	strbuf_release(&out);
	return lines;
}

static void assert_lines(const char *text, const char *lines)
{
	struct compilation compilation;
	assert_string_equal(lines_of(&compilation, text), lines);
	compilation_end(&compilation);
}

static void assert_same(const char *one, const char *other, bool same)
{
	struct compilation first, second;
	const char *left = lines_of(&first, one), *right = lines_of(&second, other);
	if ((strcmp(left, right) == 0) != same)
		fail_msg("%s\n%s", left, right);
	compilation_end(&first);
	compilation_end(&second);
}

static void every_statement_has_its_line(void **state)
{
	(void)state;
	assert_lines("# all of them\n"
		     "expect denied syscall ptrace, kcmp\n"
		     "expect adr 0001 adds jq, git\n"
		     "expect strength advisory\n"
		     "output python \"src/x.py\" region NAMES\n"
		     "plugin tools \"plugin.yaml\" { tools jq, git; optional rg; forbid ls adr 1 because "
		     "\"no\" }\n"
		     "role gate {\n    forbid git  adr 1  because \"no\"\n}\n"
		     "syscalls @trace { ptrace, kcmp; socket(domain == AF_ALG && type != SOCK_RAW) }\n"
		     "seccomp { deny-with errno ENOSYS; arch x86_64, aarch64; hot read, write }\n"
		     "allow git, jq  because \"works\"  adr 0001, two/2\n"
		     "decisions two \"../adr/two\" accept \"Active\", \"Done\"\n"
		     "decisions \"adr\"\n"
		     "use <std-container-2026>\n"
		     "use \"calls.allow\"\n"
		     "extends \"low.allow\"\n"
		     "title \"All\"\n"
		     "edition 1\n"
		     "policy p\n",
		     "policy p\n"
		     "edition 1\n"
		     "title \"All\"\n"
		     "extends \"low.allow\"\n"
		     "use \"calls.allow\"\n"
		     "use <std-container-2026>\n"
		     "decisions \"adr\"\n"
		     "decisions two \"../adr/two\" accept \"Active\", \"Done\"\n"
		     "allow git  adr 0001, two/2  because \"works\"\n"
		     "allow jq  adr 0001, two/2  because \"works\"\n"
		     "role gate\n"
		     "role gate  forbid git  adr 1  because \"no\"\n"
		     "plugin tools \"plugin.yaml\"\n"
		     "plugin tools  optional rg\n"
		     "plugin tools  tools jq, git\n"
		     "plugin tools  forbid ls  adr 1  because \"no\"\n"
		     "seccomp\n"
		     "seccomp  arch x86_64, aarch64\n"
		     "seccomp  deny-with errno ENOSYS\n"
		     "seccomp  hot read, write\n"
		     "syscalls @trace\n"
		     "syscalls @trace  kcmp\n"
		     "syscalls @trace  ptrace\n"
		     "syscalls @trace  socket(domain == AF_ALG && type != SOCK_RAW)\n"
		     "output python \"src/x.py\" region NAMES\n"
		     "expect adr 0001 adds jq, git\n"
		     "expect strength advisory\n"
		     "expect denied syscall kcmp\n"
		     "expect denied syscall ptrace\n");
}

static void every_operator_is_shown(void **state)
{
	(void)state;
	assert_lines("allow syscall read(count<1 && fd<=2), write(count > 3 && fd>=4), kill(sig != 5),\n"
		     "    clone(flags & CLONE_NEWUSER|CLONE_NEWNS), chmod((mode&0o22)==0) adr 1\n",
		     "allow syscall chmod((mode & 0o22) == 0)  adr 1\n"
		     "allow syscall clone(flags & (CLONE_NEWUSER | CLONE_NEWNS))  adr 1\n"
		     "allow syscall kill(sig != 5)  adr 1\n"
		     "allow syscall read(count < 1 && fd <= 2)  adr 1\n"
		     "allow syscall write(count > 3 && fd >= 4)  adr 1\n");
}

static void every_attribute_stands_in_one_order(void **state)
{
	(void)state;
	assert_lines("forbid strace {\n"
		     "    until 2027-01-01; on linux, macos; with errno EACCES; instead \"eBPF\"; path "
		     "\"/usr/bin/strace\"\n"
		     "    needs syscall ptrace(request == PTRACE_ATTACH), @trace; needs CAP_SYS_PTRACE\n"
		     "    because \"traced \\\"elsewhere\\\"\"; adr 7\n"
		     "}\n"
		     "allow npm  adr 7  requires node >= 18, git  as npm\n",
		     "allow npm  adr 7  requires node >= 18, git  as npm\n"
		     "forbid strace  adr 7  because \"traced \\\"elsewhere\\\"\""
		     "  needs syscall ptrace(request == PTRACE_ATTACH), @trace  needs CAP_SYS_PTRACE"
		     "  path \"/usr/bin/strace\"  instead \"eBPF\"  with errno EACCES  on linux, macos"
		     "  until 2027-01-01\n");
}

static void order_comments_and_layout_do_not_show(void **state)
{
	(void)state;
	assert_same("policy p\nallow git  adr 1\nallow jq  adr 2  because \"x\"\n",
		    "\xef\xbb\xbf# why\r\npolicy p\r\n\r\nallow jq  { because \"x\"; adr 2 }\r\nallow git "
		    "adr 1 # new\r\n",
		    true);
	assert_same("role a { allow git adr 1; allow jq adr 1 }\nrole b { }\n",
		    "role b { }\nrole a {\n  allow jq, git adr 1\n}\n", true);
	assert_same("title \"\\u{41}\"\n", "title \"A\"\n", true);
}

/* Pairs that a reader of lines could take for the same. */
static void what_differs_shows(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{ "allow git adr 1\n", "forbid git adr 1\n" },
		{ "allow git adr 1\n", "allow git adr 1\nallow git adr 1\n" },
		{ "allow syscall read adr 1\n", "allow \"syscall\", read adr 1\n" },
		{ "allow \"a b\" adr 1\n", "allow a, b adr 1\n" },
		{ "role a { allow git adr 1 }\n", "role b { allow git adr 1 }\n" },
		{ "role a { allow git adr 1 }\nrole b { }\n", "role b { allow git adr 1 }\nrole a { }\n" },
		{ "plugin a { tools git, jq }\n", "plugin a { tools jq, git }\n" },
		{ "plugin a { tools git }\n", "plugin a { optional git }\n" },
		{ "seccomp { hot read, write }\n", "seccomp { hot write, read }\n" },
		{ "seccomp { }\n", "" },
		{ "use <x>\n", "use \"x\"\n" },
		{ "decisions a \"b\"\n", "decisions \"b\"\n" },
		{ "decisions \"a\" accept \"b\"\n", "decisions \"a\"\n" },
		{ "expect allowed git\n", "expect unlisted git\n" },
		{ "forbid syscall a((b & C) == D) adr 1\n", "forbid syscall a(b & (C == D)) adr 1\n" },
		{ "forbid syscall a(b & (C | D)) adr 1\n", "forbid syscall a((b & C) | D) adr 1\n" },
		{ "forbid syscall a(b | (C | D)) adr 1\n", "forbid syscall a(b | C | D) adr 1\n" },
		{ "forbid syscall a(b == C && (d == E && f == G)) adr 1\n",
		  "forbid syscall a(b == C && d == E && f == G) adr 1\n" },
		{ "forbid syscall a(b == C) adr 1\n", "forbid syscall a(b == C), a adr 1\n" },
		{ "title \"a\\\\u{200b}\"\n", "title \"a\\u{200b}\"\n" },
		{ "title \"a\\nb\"\n", "title \"a\\\\nb\"\n" },
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		assert_same(pairs[i][0], pairs[i][1], false);
}

static void assert_unread(const char *text, const char *lines)
{
	struct strbuf out = STRBUF_INIT;
	layer_text_unread(text, strlen(text), &out);
	assert_string_equal(out.bytes, lines);
	strbuf_release(&out);
}

static void what_does_not_parse_is_shown_as_it_is(void **state)
{
	(void)state;
	assert_unread("", "");
	assert_unread("allwo git\n\n# c\\u{202e}", "| allwo git\n| \n| # c\\u{202e}\n");
	assert_unread("a\r\nb\rc\r\n", "| a\n! b\\u{d}c\n");
	/* A right-to-left override, a byte that is no UTF-8, an escape sequence of a terminal. */
	assert_unread("x \\ \xe2\x80\xae y\n\xff\n\33[2J\n", "! x \\\\ \\u{202e} y\n! \\xff\n! \\u{1b}[2J\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_statement_has_its_line),
		cmocka_unit_test(every_operator_is_shown),
		cmocka_unit_test(every_attribute_stands_in_one_order),
		cmocka_unit_test(order_comments_and_layout_do_not_show),
		cmocka_unit_test(what_differs_shows),
		cmocka_unit_test(what_does_not_parse_is_shown_as_it_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
