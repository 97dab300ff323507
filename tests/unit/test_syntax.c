/* What a mistake of form is told, word for word. Each text holds one mistake unless it says otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/parse.h"

struct example {
	const char *text, *messages;
};

static const struct example statements[] = {
	{ "alow git adr 1\n",
	  "x:1:1: error: unknown statement 'alow' [syntax]\n"
	  "    1 | alow git adr 1\n"
	  "      | ^~~~\n"
	  "x:1:1: help: did you mean 'allow'?\n" },
	{ "consent git adr 1\n",
	  "x:1:1: error: unknown statement 'consent' [syntax]\n"
	  "    1 | consent git adr 1\n"
	  "      | ^~~~~~~\n"
	  "x:1:1: help: a line here begins with one of allow, forbid, decline, revoke, policy, edition, title, extends, use, decisions, role, plugin, seccomp, syscalls, output, expect\n" },
	{ "rol gate {\n"
	  " allow a adr 1\n"
	  "}\n",
	  "x:1:1: error: unknown statement 'rol' [syntax]\n"
	  "    1 | rol gate {\n"
	  "      | ^~~\n"
	  "x:1:1: help: did you mean 'role'?\n" },
	{ "\"git\" adr 1\n",
	  "x:1:1: error: \"git\" at the start of a line [syntax]\n"
	  "    1 | \"git\" adr 1\n"
	  "      | ^~~~~\n"
	  "x:1:1: help: a row begins with its verb: allow \"git\"\n" },
	{ "tools git\n",
	  "x:1:1: error: 'tools' cannot stand here [syntax]\n"
	  "    1 | tools git\n"
	  "      | ^~~~~\n"
	  "x:1:1: help: it stands in a plugin's block\n" },
	{ "default allow\n",
	  "x:1:1: error: 'default' cannot stand here [syntax]\n"
	  "    1 | default allow\n"
	  "      | ^~~~~~~\n"
	  "x:1:1: help: it stands in the seccomp block\n" },
	{ "role a { title \"b\" }\n",
	  "x:1:10: error: 'title' cannot stand here [syntax]\n"
	  "    1 | role a { title \"b\" }\n"
	  "      |          ^~~~~\n"
	  "x:1:10: help: it stands outside of blocks\n" },
	{ "plugin p {\n"
	  " tool git\n"
	  "}\n",
	  "x:2:2: error: unknown statement 'tool' [syntax]\n"
	  "    2 |  tool git\n"
	  "      |  ^~~~\n"
	  "x:2:2: help: did you mean 'tools'?\n" },
	{ "seccomp {\n"
	  " defalt allow\n"
	  "}\n",
	  "x:2:2: error: unknown setting 'defalt' [syntax]\n"
	  "    2 |  defalt allow\n"
	  "      |  ^~~~~~\n"
	  "x:2:2: help: did you mean 'default'?\n" },
	{ "seccomp {\n"
	  " with kill\n"
	  "}\n",
	  "x:2:2: error: 'with' cannot stand here [syntax]\n"
	  "    2 |  with kill\n"
	  "      |  ^~~~\n"
	  "x:2:2: help: it stands in a row\n" },
	{ "syscall ptrace\n",
	  "x:1:1: error: unknown statement 'syscall' [syntax]\n"
	  "    1 | syscall ptrace\n"
	  "      | ^~~~~~~\n"
	  "x:1:1: help: did you mean 'syscalls'?\n" },
	{ "policy\n",
	  "x:1:7: error: a name is missing after 'policy' [syntax]\n"
	  "    1 | policy\n"
	  "      |       ^\n"
	  "x:1:7: help: write: policy NAME\n" },
	{ "policy a b\n",
	  "x:1:10: error: unexpected 'b' after 'a' [syntax]\n"
	  "    1 | policy a b\n"
	  "      |          ^\n"
	  "x:1:10: help: write: policy NAME\n" },
	{ "title Phase\n",
	  "x:1:7: error: a title in double quotes is expected after 'title', not 'Phase' [syntax]\n"
	  "    1 | title Phase\n"
	  "      |       ^~~~~\n"
	  "x:1:7: help: write: title \"…\"\n" },
	{ "extends\n",
	  "x:1:8: error: a layer is missing after 'extends' [syntax]\n"
	  "    1 | extends\n"
	  "      |        ^\n"
	  "x:1:8: help: write: extends NAME, or extends \"folder/name.allow\"\n" },
	{ "use x\n",
	  "x:1:5: error: a file in double quotes is expected after 'use', not 'x' [syntax]\n"
	  "    1 | use x\n"
	  "      |     ^\n"
	  "x:1:5: help: write: use \"groups.allow\", or use <std-NAME>\n" },
	{ "decisions x\n",
	  "x:1:12: error: a folder in double quotes is missing after 'x' [syntax]\n"
	  "    1 | decisions x\n"
	  "      |            ^\n"
	  "x:1:12: help: write: decisions \"../adr\"\n" },
	{ "decisions \"a\" acept \"b\"\n",
	  "x:1:15: error: unexpected 'acept' after \"a\" [syntax]\n"
	  "    1 | decisions \"a\" acept \"b\"\n"
	  "      |               ^~~~~\n"
	  "x:1:15: help: did you mean 'accept'?\n" },
	{ "edition \"1\"\n",
	  "x:1:9: error: a number is expected after 'edition', not \"1\" [syntax]\n"
	  "    1 | edition \"1\"\n"
	  "      |         ^~~\n"
	  "x:1:9: help: write: edition 1\n" },
	{ "output python\n",
	  "x:1:14: error: a path in double quotes is missing after 'python' [syntax]\n"
	  "    1 | output python\n"
	  "      |              ^\n"
	  "x:1:14: help: write: output BACKEND \"path\"\n" },
	{ "output python \"a\" regio b\n",
	  "x:1:19: error: unexpected 'regio' after \"a\" [syntax]\n"
	  "    1 | output python \"a\" regio b\n"
	  "      |                   ^~~~~\n"
	  "x:1:19: help: did you mean 'region'?\n" },
	{ "allow a adr 1 { as b } allow c adr 1\n",
	  "x:1:24: error: unexpected 'allow' after '}' [syntax]\n"
	  "    1 | allow a adr 1 { as b } allow c adr 1\n"
	  "      |                        ^~~~~\n"
	  "x:1:24: help: a statement ends with its line: put 'allow' on a new line, or ';' before it\n" },
};

static const struct example rows[] = {
	{ "allow\n",
	  "x:1:6: error: a command is missing after 'allow' [syntax]\n"
	  "    1 | allow\n"
	  "      |      ^\n"
	  "x:1:6: help: write: allow NAME  adr 0001  because \"…\"\n" },
	{ "allow adr 1\n",
	  "x:1:7: error: a command is missing between 'allow' and 'adr' [syntax]\n"
	  "    1 | allow adr 1\n"
	  "      |       ^~~\n"
	  "x:1:7: help: write: allow NAME  adr 0001  because \"…\"\n" },
	{ "allow docker buildx build adr 1\n",
	  "x:1:14: error: unknown attribute 'buildx' [syntax]\n"
	  "    1 | allow docker buildx build adr 1\n"
	  "      |              ^~~~~~\n"
	  "x:1:14: help: a command of several words is one string: allow \"docker buildx build\"\n"
	  "x:1:14: help: several commands have ',' between them: allow docker, buildx, build\n" },
	{ "allow docker buildx\n",
	  "x:1:14: error: unknown attribute 'buildx' [syntax]\n"
	  "    1 | allow docker buildx\n"
	  "      |              ^~~~~~\n"
	  "x:1:14: help: a command of several words is one string: allow \"docker buildx\"\n"
	  "x:1:14: help: several commands have ',' between them: allow docker, buildx\n" },
	{ "allow git ADR 0001\n",
	  "x:1:11: error: unknown attribute 'ADR' [syntax]\n"
	  "    1 | allow git ADR 0001\n"
	  "      |           ^~~\n"
	  "x:1:11: help: did you mean 'adr'?\n" },
	{ "forbid mount, bpf ADR 0001\n",
	  "x:1:19: error: unknown attribute 'ADR' [syntax]\n"
	  "    1 | forbid mount, bpf ADR 0001\n"
	  "      |                   ^~~\n"
	  "x:1:19: help: did you mean 'adr'?\n" },
	{ "ALLOW git adr 1\n",
	  "x:1:1: error: unknown statement 'ALLOW' [syntax]\n"
	  "    1 | ALLOW git adr 1\n"
	  "      | ^~~~~\n"
	  "x:1:1: help: did you mean 'allow'?\n" },
	{ "allow git adr=0001\n",
	  "x:1:11: error: unknown attribute 'adr=0001' [syntax]\n"
	  "    1 | allow git adr=0001\n"
	  "      |           ^~~~~~~~\n"
	  "x:1:11: help: write: adr 0001\n" },
	{ "allow git adr: 0001\n",
	  "x:1:11: error: unknown attribute 'adr:' [syntax]\n"
	  "    1 | allow git adr: 0001\n"
	  "      |           ^~~~\n"
	  "x:1:11: help: write: adr 0001\n" },
	{ "allow git because=\"it clones\" adr 1\n",
	  "x:1:11: error: unknown attribute 'because=' [syntax]\n"
	  "    1 | allow git because=\"it clones\" adr 1\n"
	  "      |           ^~~~~~~~\n"
	  "x:1:11: help: write: because \"…\"\n" },
	{ "allow git -- why\n",
	  "x:1:11: error: unknown attribute '--' [syntax]\n"
	  "    1 | allow git -- why\n"
	  "      |           ^~\n"
	  "x:1:11: help: a comment begins with '#'\n" },
	{ "allow git adr 1 -- why\n",
	  "x:1:17: error: unknown attribute '--' [syntax]\n"
	  "    1 | allow git adr 1 -- why\n"
	  "      |                 ^~\n"
	  "x:1:17: help: a comment begins with '#'\n" },
	{ "allow git becuase \"x\" adr 1\n",
	  "x:1:11: error: unknown attribute 'becuase' [syntax]\n"
	  "    1 | allow git becuase \"x\" adr 1\n"
	  "      |           ^~~~~~~\n"
	  "x:1:11: help: did you mean 'because'?\n" },
	{ "forbid strace need CAP_SYS_PTRACE adr 1 because \"z\"\n",
	  "x:1:15: error: unknown attribute 'need' [syntax]\n"
	  "    1 | forbid strace need CAP_SYS_PTRACE adr 1 because \"z\"\n"
	  "      |               ^~~~\n"
	  "x:1:15: help: did you mean 'needs'?\n" },
	{ "forbid syscal ptrace adr 1\n",
	  "x:1:15: error: unknown attribute 'ptrace' [syntax]\n"
	  "    1 | forbid syscal ptrace adr 1\n"
	  "      |               ^~~~~~\n"
	  "x:1:15: help: did you mean 'syscall' for 'syscal'?\n" },
	{ "forbid strace, syscall ptrace adr 1\n",
	  "x:1:24: error: unknown attribute 'ptrace' [syntax]\n"
	  "    1 | forbid strace, syscall ptrace adr 1\n"
	  "      |                        ^~~~~~\n"
	  "x:1:24: help: 'syscall' stands once, at the start of a list, and all of the list is system calls\n" },
	{ "allow git node, jq adr 1\n",
	  "x:1:11: error: unknown attribute 'node' [syntax]\n"
	  "    1 | allow git node, jq adr 1\n"
	  "      |           ^~~~\n"
	  "x:1:11: help: entries of a list have ',' between them: git, node\n" },
	{ "allow git \"log\" adr 1\n",
	  "x:1:11: error: unexpected \"log\" after 'git' [syntax]\n"
	  "    1 | allow git \"log\" adr 1\n"
	  "      |           ^~~~~\n"
	  "x:1:11: help: entries of a list have ',' between them\n" },
	{ "allow git allow jq adr 1\n",
	  "x:1:11: error: unknown attribute 'allow' [syntax]\n"
	  "    1 | allow git allow jq adr 1\n"
	  "      |           ^~~~~\n"
	  "x:1:11: help: a statement ends with its line: put 'allow' on a new line, or ';' before it\n" },
	{ "allow git, , jq adr 1\n",
	  "x:1:10: error: nothing between ',' and ',' [syntax]\n"
	  "    1 | allow git, , jq adr 1\n"
	  "      |          ^\n"
	  "x:1:10: help: remove the ',', or go on with the list\n" },
	{ "allow git,\n",
	  "x:1:10: error: nothing between ',' and the end of the line [syntax]\n"
	  "    1 | allow git,\n"
	  "      |          ^\n"
	  "x:1:10: help: remove the ',', or go on with the list\n" },
	{ "allow git,\n"
	  "allow jq adr 1\n",
	  "x:2:7: error: unknown attribute 'jq' [syntax]\n"
	  "    2 | allow jq adr 1\n"
	  "      |       ^~\n"
	  "x:2:1: note: the ',' at the end of the line above takes this line in\n"
	  "    2 | allow jq adr 1\n"
	  "      | ^~~~~\n"
	  "x:2:7: help: remove that ',', or go on with its list\n" },
	{ "allow , git\n",
	  "x:1:7: error: a command is expected after 'allow', not ',' [syntax]\n"
	  "    1 | allow , git\n"
	  "      |       ^\n"
	  "x:1:7: help: write: allow NAME  adr 0001  because \"…\"\n" },
	{ "allow git adr\n",
	  "x:1:14: error: the number of an ADR is missing after 'adr' [syntax]\n"
	  "    1 | allow git adr\n"
	  "      |              ^\n"
	  "x:1:14: help: write: adr 0001\n" },
	{ "allow git adr 1 2\n",
	  "x:1:17: error: unknown attribute '2' [syntax]\n"
	  "    1 | allow git adr 1 2\n"
	  "      |                 ^\n"
	  "x:1:17: help: entries of a list have ',' between them: 1, 2\n" },
	{ "allow git because adr 1\n",
	  "x:1:19: error: a reason in double quotes is missing after 'because' [syntax]\n"
	  "    1 | allow git because adr 1\n"
	  "      |                   ^~~\n"
	  "x:1:19: help: write: because \"…\"\n" },
	{ "allow git adr because \"x\"\n",
	  "x:1:15: error: the number of an ADR is missing between 'adr' and 'because' [syntax]\n"
	  "    1 | allow git adr because \"x\"\n"
	  "      |               ^~~~~~~\n"
	  "x:1:15: help: write: adr 0001\n" },
	{ "allow git because x adr 1\n",
	  "x:1:19: error: a reason in double quotes is expected after 'because', not 'x' [syntax]\n"
	  "    1 | allow git because x adr 1\n"
	  "      |                   ^\n"
	  "x:1:19: help: write: because \"…\"\n" },
	{ "allow git with erno EPERM\n",
	  "x:1:16: error: unknown action 'erno' [syntax]\n"
	  "    1 | allow git with erno EPERM\n"
	  "      |                ^~~~\n"
	  "x:1:16: help: write: with errno EPERM\n" },
	{ "allow git requires docker 20.10\n",
	  "x:1:27: error: unknown attribute '20.10' [syntax]\n"
	  "    1 | allow git requires docker 20.10\n"
	  "      |                           ^~~~~\n"
	  "x:1:27: help: write: requires docker >= 20.10\n" },
	{ "allow git requires docker = 20.10\n",
	  "x:1:27: error: '=' at the start of a word [word]\n"
	  "    1 | allow git requires docker = 20.10\n"
	  "      |                           ^\n"
	  "x:1:27: help: comparisons stand in ( ) after a system call; a version takes '>='\n" },
	{ "allow git requires docker => 20.10\n",
	  "x:1:27: error: '=' at the start of a word [word]\n"
	  "    1 | allow git requires docker => 20.10\n"
	  "      |                           ^\n"
	  "x:1:27: help: comparisons stand in ( ) after a system call; a version takes '>='\n" },
	{ "allow git requires docker > 20.10\n",
	  "x:1:27: error: unexpected '>' after 'docker' [syntax]\n"
	  "    1 | allow git requires docker > 20.10\n"
	  "      |                           ^\n"
	  "x:1:27: help: only a version has a sign: requires NAME >= VERSION\n" },
	{ "allow git adr 1 { as b, }\n",
	  "x:1:23: error: unexpected ',' after 'b' [syntax]\n"
	  "    1 | allow git adr 1 { as b, }\n"
	  "      |                       ^\n"
	  "x:1:23: help: 'as' takes one value\n" },
	{ "allow git adr 1 { becuase \"x\" }\n",
	  "x:1:19: error: unknown attribute 'becuase' [syntax]\n"
	  "    1 | allow git adr 1 { becuase \"x\" }\n"
	  "      |                   ^~~~~~~\n"
	  "x:1:19: help: did you mean 'because'?\n" },
	{ "plugin p { tools docker buildx }\n",
	  "x:1:25: error: unexpected 'buildx' after 'docker' [syntax]\n"
	  "    1 | plugin p { tools docker buildx }\n"
	  "      |                         ^~~~~~\n"
	  "x:1:25: help: a command of several words is one string: tools \"docker buildx\"\n"
	  "x:1:25: help: several commands have ',' between them: tools docker, buildx\n" },
	{ "expect\n",
	  "x:1:7: error: the statement ends too early, after 'expect' [syntax]\n"
	  "    1 | expect\n"
	  "      |       ^\n"
	  "x:1:7: help: 'expect' is followed by one of adr, allowed, forbidden, unlisted, denied, strength\n" },
	{ "expect alowed git\n",
	  "x:1:8: error: unknown expectation 'alowed' [syntax]\n"
	  "    1 | expect alowed git\n"
	  "      |        ^~~~~~\n"
	  "x:1:8: help: did you mean 'allowed'?\n" },
	{ "expect denied ptrace\n",
	  "x:1:15: error: unexpected 'ptrace' after 'denied' [syntax]\n"
	  "    1 | expect denied ptrace\n"
	  "      |               ^~~~~~\n"
	  "x:1:15: help: write: expect denied syscall NAME\n" },
	{ "expect adr 1 add git\n",
	  "x:1:14: error: unexpected 'add' after '1' [syntax]\n"
	  "    1 | expect adr 1 add git\n"
	  "      |              ^~~\n"
	  "x:1:14: help: write: expect adr 0001 adds NAME\n" },
	{ "expect allowed docker buildx\n",
	  "x:1:23: error: unexpected 'buildx' after 'docker' [syntax]\n"
	  "    1 | expect allowed docker buildx\n"
	  "      |                       ^~~~~~\n"
	  "x:1:23: help: a command of several words is one string: expect allowed \"docker buildx\"\n"
	  "x:1:23: help: several commands have ',' between them: expect allowed docker, buildx\n" },
};

static const struct example blocks[] = {
	{ "group gate\n"
	  "{\n"
	  " allow a b\n"
	  "}\n",
	  "x:1:1: error: unknown statement 'group' [syntax]\n"
	  "    1 | group gate\n"
	  "      | ^~~~~\n"
	  "x:1:1: help: a line here begins with one of allow, forbid, decline, revoke, policy, edition, title, extends, use, decisions, role, plugin, seccomp, syscalls, output, expect\n" },
	{ "role gate {\n"
	  " allow a adr 1\n"
	  "expect allowed a\n",
	  "x:1:11: error: '{' without its '}' [block]\n"
	  "    1 | role gate {\n"
	  "      |           ^\n"
	  "x:3:1: note: 'expect' cannot stand in this block: '}' is missing before it\n"
	  "    3 | expect allowed a\n"
	  "      | ^~~~~~\n" },
	{ "role gate {\n"
	  " allow a adr 1\n",
	  "x:1:11: error: '{' without its '}' [block]\n"
	  "    1 | role gate {\n"
	  "      |           ^\n"
	  "x:1:11: help: write '}' after the last line of the block\n" },
	{ "role gate {\n"
	  " title \"x\"\n"
	  "}\n",
	  "x:2:2: error: 'title' cannot stand here [syntax]\n"
	  "    2 |  title \"x\"\n"
	  "      |  ^~~~~\n"
	  "x:2:2: help: it stands outside of blocks\n" },
	{ "allow a adr 1 {\n"
	  " as b\n"
	  "allow c adr 1\n",
	  "x:1:15: error: '{' without its '}' [block]\n"
	  "    1 | allow a adr 1 {\n"
	  "      |               ^\n"
	  "x:3:1: note: 'allow' cannot stand in this block: '}' is missing before it\n"
	  "    3 | allow c adr 1\n"
	  "      | ^~~~~\n" },
	{ "}\n",
	  "x:1:1: error: '}' without its '{' [block]\n"
	  "    1 | }\n"
	  "      | ^\n"
	  "x:1:1: help: remove it, or open the block with '{' at the end of its first line\n" },
	{ "role gate\n",
	  "x:1:10: error: '{' is missing after 'gate' [block]\n"
	  "    1 | role gate\n"
	  "      |          ^\n"
	  "x:1:10: help: write: role NAME {\n" },
	{ "role gate\n"
	  "{\n"
	  "}\n",
	  "x:2:1: error: '{' on a line of its own [block]\n"
	  "    2 | {\n"
	  "      | ^\n"
	  "x:2:1: help: it stands at the end of its statement's line\n" },
	{ "role {\n"
	  " allow a\n"
	  "}\n",
	  "x:1:6: error: a name is missing after 'role' [syntax]\n"
	  "    1 | role {\n"
	  "      |      ^\n"
	  "x:1:6: help: write: role NAME {\n" },
	{ "seccomp\n",
	  "x:1:8: error: '{' is missing after 'seccomp' [block]\n"
	  "    1 | seccomp\n"
	  "      |        ^\n"
	  "x:1:8: help: write: seccomp {\n" },
	{ "syscalls @a { { read } }\n",
	  "x:1:15: error: '{' without a statement before it [block]\n"
	  "    1 | syscalls @a { { read } }\n"
	  "      |               ^\n"
	  "x:1:15: help: a block follows its statement on the same line, as in: role NAME {\n" },
	{ "{ as a\n"
	  "}\n",
	  "x:1:1: error: '{' without a statement before it [block]\n"
	  "    1 | { as a\n"
	  "      | ^\n"
	  "x:1:1: help: a block follows its statement on the same line, as in: role NAME {\n" },
	{ "title \"a\" {\n"
	  "}\n",
	  "x:1:11: error: unexpected '{' after \"a\" [syntax]\n"
	  "    1 | title \"a\" {\n"
	  "      |           ^\n"
	  "x:1:11: help: this statement has no block\n" },
	{ "allow git\n"
	  "  adr 1\n"
	  "  because \"x\"\n",
	  "x:2:3: error: 'adr' on a line of its own [syntax]\n"
	  "    2 |   adr 1\n"
	  "      |   ^~~\n"
	  "x:2:3: help: an attribute stands on its row's line, or in { } at the end of that line\n" },
	{ "allow git adr 1 {\n"
	  "}\n"
	  "  because \"x\"\n"
	  "  on linux\n",
	  "x:3:3: error: 'because' on a line of its own [syntax]\n"
	  "    3 |   because \"x\"\n"
	  "      |   ^~~~~~~\n"
	  "x:3:3: help: an attribute stands on its row's line, or in { } at the end of that line\n" },
	{ "allow git\n"
	  "  becuase \"x\"\n",
	  "x:2:3: error: 'becuase' on a line of its own [syntax]\n"
	  "    2 |   becuase \"x\"\n"
	  "      |   ^~~~~~~\n"
	  "x:2:3: help: an attribute stands on its row's line, or in { } at the end of that line\n"
	  "x:2:3: help: did you mean 'because'?\n" },
};

static const struct example words[] = {
	{ "allow \"a\"b adr 1\n",
	  "x:1:7: error: a word and a string with no blank between them [word]\n"
	  "    1 | allow \"a\"b adr 1\n"
	  "      |       ^~~~\n"
	  "x:1:7: help: put a blank between them, or make them one string: \"ab\"\n" },
	{ "allow a\"b\" adr 1\n",
	  "x:1:7: error: a word and a string with no blank between them [word]\n"
	  "    1 | allow a\"b\" adr 1\n"
	  "      |       ^~~~\n"
	  "x:1:7: help: put a blank between them, or make them one string: \"ab\"\n" },
	{ "allow 'git log' adr 1\n",
	  "x:1:7: error: single quotes [word]\n"
	  "    1 | allow 'git log' adr 1\n"
	  "      |       ^~~~~~~~~\n"
	  "x:1:7: help: use double quotes: \"git log\"\n" },
	{ "allow it's adr 1\n",
	  "x:1:9: error: a single quote in a word [word]\n"
	  "    1 | allow it's adr 1\n"
	  "      |         ^\n"
	  "x:1:9: help: use double quotes: \"it's\"\n" },
	{ "allow “docker compose” adr 1 because “builds — and runs” until never\n",
	  "x:1:7: error: typographic quotes [word]\n"
	  "    1 | allow “docker compose” adr 1 because “builds — and runs” until never\n"
	  "      |       ^~~~~~~~~~~~~~~~\n"
	  "x:1:7: help: use double quotes: \"docker compose\"\n" },
	{ "allow ‘git’ adr 1\n",
	  "x:1:7: error: typographic quotes [word]\n"
	  "    1 | allow ‘git’ adr 1\n"
	  "      |       ^~~~~\n"
	  "x:1:7: help: use double quotes: \"git\"\n" },
	{ "role „probe {\n"
	  " allow git adr 1\n"
	  "}\n",
	  "x:1:6: error: typographic quotes [word]\n"
	  "    1 | role „probe {\n"
	  "      |      ^~~~~~\n"
	  "x:1:6: help: use double quotes: \"…\"\n" },
	{ "allow `git` adr 1\n",
	  "x:1:7: error: backquotes [word]\n"
	  "    1 | allow `git` adr 1\n"
	  "      |       ^~~~~\n"
	  "x:1:7: help: use double quotes: \"git\"\n" },
	{ "allow docker\\ buildx adr 1\n",
	  "x:1:13: error: a backslash in a word [word]\n"
	  "    1 | allow docker\\ buildx adr 1\n"
	  "      |             ^\n"
	  "x:1:13: help: a command of several words is one string: \"docker buildx\"\n" },
	{ "allow $HOME adr 1\n",
	  "x:1:7: error: '$' in a word [word]\n"
	  "    1 | allow $HOME adr 1\n"
	  "      |       ^\n"
	  "x:1:7: help: use double quotes: \"$HOME\"\n"
	  "x:1:7: help: or write what is meant: no variable is ever expanded\n" },
	{ "allow a\\b adr 1\n",
	  "x:1:8: error: a backslash in a word [word]\n"
	  "    1 | allow a\\b adr 1\n"
	  "      |        ^\n"
	  "x:1:8: help: use double quotes: \"a\\\\b\"\n" },
	{ "allow a#b adr 1\n",
	  "x:1:8: error: '#' in a word [word]\n"
	  "    1 | allow a#b adr 1\n"
	  "      |        ^\n"
	  "x:1:8: help: use double quotes: \"a#b\"\n"
	  "x:1:8: help: or, for a comment, put a blank before the '#'\n" },
	{ "allow =a adr 1\n",
	  "x:1:7: error: '=' at the start of a word [word]\n"
	  "    1 | allow =a adr 1\n"
	  "      |       ^\n"
	  "x:1:7: help: use double quotes: \"=a\"\n" },
	{ "// no\n",
	  "x:1:1: error: '//' is no comment here [word]\n"
	  "    1 | // no\n"
	  "      | ^~\n"
	  "x:1:1: help: a comment begins with '#'; a word that begins so stands in quotes\n" },
	{ "allow a adr 1 /* no\n",
	  "x:1:15: error: '/*' is no comment here [word]\n"
	  "    1 | allow a adr 1 /* no\n"
	  "      |               ^~\n"
	  "x:1:15: help: a comment begins with '#'; a word that begins so stands in quotes\n" },
	{ "/* a\n"
	  " b */\n"
	  "foo\n",
	  "x:1:1: error: '/*' is no comment here [word]\n"
	  "    1 | /* a\n"
	  "      | ^~\n"
	  "x:1:1: help: a comment begins with '#'; a word that begins so stands in quotes\n"
	  "x:3:1: error: unknown statement 'foo' [syntax]\n"
	  "    3 | foo\n"
	  "      | ^~~\n"
	  "x:3:1: help: a row begins with its verb: allow foo\n" },
	{ "allow a adr 1 because \"x\n",
	  "x:1:23: error: a string without its closing '\"' [string]\n"
	  "    1 | allow a adr 1 because \"x\n"
	  "      |                       ^~\n"
	  "x:1:23: help: a string begins and ends with '\"' on one line\n" },
	{ "allow a adr 1 because \"x {\n"
	  " as b\n"
	  "}\n",
	  "x:1:23: error: a string without its closing '\"' [string]\n"
	  "    1 | allow a adr 1 because \"x {\n"
	  "      |                       ^~\n"
	  "x:1:23: help: a string begins and ends with '\"' on one line\n" },
	{ "title \"\\q\"\n",
	  "x:1:8: error: an unknown escape [string]\n"
	  "    1 | title \"\\q\"\n"
	  "      |        ^~\n"
	  "x:1:8: help: a string knows \\\" \\\\ \\n \\t and \\u{HEX}\n" },
	{ "title \"\\u{0}\"\n",
	  "x:1:8: error: a code that no string may hold: NUL, control, bidirectional or no character [string]\n"
	  "    1 | title \"\\u{0}\"\n"
	  "      |        ^~~~~\n"
	  "x:1:8: help: leave it out: a reviewer must see what the compiler sees\n" },
	{ "title \"\\u{d800}\"\n",
	  "x:1:8: error: a code that no string may hold: NUL, control, bidirectional or no character [string]\n"
	  "    1 | title \"\\u{d800}\"\n"
	  "      |        ^~~~~~~~\n"
	  "x:1:8: help: leave it out: a reviewer must see what the compiler sees\n" },
	{ "title \"\\u{202e}\"\n",
	  "x:1:8: error: a code that no string may hold: NUL, control, bidirectional or no character [string]\n"
	  "    1 | title \"\\u{202e}\"\n"
	  "      |        ^~~~~~~~\n"
	  "x:1:8: help: leave it out: a reviewer must see what the compiler sees\n" },
	{ "title \"\\u\"\n",
	  "x:1:8: error: '\\u' without a code in braces, such as \\u{e9} [string]\n"
	  "    1 | title \"\\u\"\n"
	  "      |        ^~\n"
	  "x:1:8: help: a string knows \\\" \\\\ \\n \\t and \\u{HEX}\n" },
	{ "title \"\\u{}\"\n",
	  "x:1:8: error: '\\u' without a code in braces, such as \\u{e9} [string]\n"
	  "    1 | title \"\\u{}\"\n"
	  "      |        ^~\n"
	  "x:1:8: help: a string knows \\\" \\\\ \\n \\t and \\u{HEX}\n" },
	{ "title \"\\u{110000}\"\n",
	  "x:1:8: error: a code that no string may hold: NUL, control, bidirectional or no character [string]\n"
	  "    1 | title \"\\u{110000}\"\n"
	  "      |        ^~~~~~~~~~\n"
	  "x:1:8: help: leave it out: a reviewer must see what the compiler sees\n" },
	{ "title \"a\\\n",
	  "x:1:7: error: a string without its closing '\"' [string]\n"
	  "    1 | title \"a\\\n"
	  "      |       ^~~\n"
	  "x:1:7: help: a string begins and ends with '\"' on one line\n" },
};

static const struct example conditions[] = {
	{ "forbid syscall a(x,\n"
	  "foo\n",
	  "x:1:17: error: '(' without its ')' [condition]\n"
	  "    1 | forbid syscall a(x,\n"
	  "      |                 ^\n"
	  "x:1:17: help: a condition stands on one line\n"
	  "x:2:1: error: unknown statement 'foo' [syntax]\n"
	  "    2 | foo\n"
	  "      | ^~~\n"
	  "x:2:1: help: a row begins with its verb: allow foo\n" },
	{ "forbid syscall a(x & y == z)\n",
	  "x:1:18: error: '&' beside a comparison without parentheses [condition]\n"
	  "    1 | forbid syscall a(x & y == z)\n"
	  "      |                  ^~~~~~~~~~\n"
	  "x:1:18: help: write (x & y) == z\n" },
	{ "forbid syscall a(z==x&y)\n",
	  "x:1:18: error: '&' beside a comparison without parentheses [condition]\n"
	  "    1 | forbid syscall a(z==x&y)\n"
	  "      |                  ^~~~~~\n"
	  "x:1:18: help: write z == (x&y)\n" },
	{ "forbid syscall a(x == 1 || y == 2)\n",
	  "x:1:25: error: '||' in a condition [condition]\n"
	  "    1 | forbid syscall a(x == 1 || y == 2)\n"
	  "      |                         ^~\n"
	  "x:1:25: help: \"or\" is another entry of the list: NAME(…), NAME(…)\n" },
	{ "forbid syscall a(x = 1)\n",
	  "x:1:20: error: '=' in a condition [condition]\n"
	  "    1 | forbid syscall a(x = 1)\n"
	  "      |                    ^\n"
	  "x:1:20: help: write '=='\n" },
	{ "forbid syscall a(!x)\n",
	  "x:1:18: error: '!' in a condition [condition]\n"
	  "    1 | forbid syscall a(!x)\n"
	  "      |                  ^\n"
	  "x:1:18: help: write x == 0\n" },
	{ "forbid syscall a(x, y)\n",
	  "x:1:19: error: ',' in a condition [condition]\n"
	  "    1 | forbid syscall a(x, y)\n"
	  "      |                   ^\n"
	  "x:1:19: help: comparisons are joined by '&&'\n" },
	{ "forbid syscall a(\"x\")\n",
	  "x:1:18: error: a string in a condition [condition]\n"
	  "    1 | forbid syscall a(\"x\")\n"
	  "      |                  ^~~\n"
	  "x:1:18: help: the names of arguments and constants stand without quotes\n" },
	{ "forbid syscall a()\n",
	  "x:1:18: error: unexpected ')' in a condition [condition]\n"
	  "    1 | forbid syscall a()\n"
	  "      |                  ^\n"
	  "x:1:18: help: write ARG == VALUE, ARG & MASK or (ARG & MASK) == VALUE, joined by '&&'\n" },
	{ "forbid syscall a(x == 1 adr 1\n",
	  "x:1:17: error: '(' without its ')' [condition]\n"
	  "    1 | forbid syscall a(x == 1 adr 1\n"
	  "      |                 ^\n"
	  "x:1:17: help: a condition stands on one line\n" },
	{ "forbid syscall a(x == y == z)\n",
	  "x:1:25: error: unexpected '==' in a condition [condition]\n"
	  "    1 | forbid syscall a(x == y == z)\n"
	  "      |                         ^~\n"
	  "x:1:25: help: write ARG == VALUE, ARG & MASK or (ARG & MASK) == VALUE, joined by '&&'\n" },
	{ "forbid syscall a(x == 1\n"
	  "foo\n",
	  "x:1:17: error: '(' without its ')' [condition]\n"
	  "    1 | forbid syscall a(x == 1\n"
	  "      |                 ^\n"
	  "x:1:17: help: a condition stands on one line\n"
	  "x:2:1: error: unknown statement 'foo' [syntax]\n"
	  "    2 | foo\n"
	  "      | ^~~\n"
	  "x:2:1: help: a row begins with its verb: allow foo\n" },
	{ "allow git(x) adr 1\n",
	  "x:1:10: error: a condition after what is no system call [condition]\n"
	  "    1 | allow git(x) adr 1\n"
	  "      |          ^\n"
	  "x:1:10: help: conditions follow the names of system calls: forbid syscall NAME(…)\n" },
	{ "forbid syscall a(x) b adr 1\n",
	  "x:1:21: error: unknown attribute 'b' [syntax]\n"
	  "    1 | forbid syscall a(x) b adr 1\n"
	  "      |                     ^\n"
	  "x:1:21: help: an attribute is one of adr, because, needs, requires, as, path, instead, with, on, until\n" },
	{ "forbid syscall a) adr 1\n",
	  "x:1:17: error: ')' without its '(' [condition]\n"
	  "    1 | forbid syscall a) adr 1\n"
	  "      |                 ^\n"
	  "x:1:17: help: remove it\n" },
};

/* A string that is not closed, an unknown word, a missing ',' …: one message each, in order, and the
 * lines between are read. */
static const struct example several[] = {
	{ "allo git adr 1 because \"x\"\n"
	  "allow node adr 1 because \"unclosed\n"
	  "allow jq adr 1 because \"fine\"\n"
	  "forbid strace need CAP_SYS_PTRACE adr 1 because \"z\"\n"
	  "role gate {\n"
	  "\tforbid docker buildx adr 1\n"
	  "\tallow it's adr 1\n"
	  "}\n"
	  "seccomp {\n"
	  "\tarch x86_64 aarch64\n"
	  "expect allowed git\n",
	  "x:1:1: error: unknown statement 'allo' [syntax]\n"
	  "    1 | allo git adr 1 because \"x\"\n"
	  "      | ^~~~\n"
	  "x:1:1: help: did you mean 'allow'?\n"
	  "x:2:26: error: a string without its closing '\"' [string]\n"
	  "    2 | allow node adr 1 because \"unclosed\n"
	  "      |                          ^~~~~~~~~\n"
	  "x:2:26: help: a string begins and ends with '\"' on one line\n"
	  "x:4:15: error: unknown attribute 'need' [syntax]\n"
	  "    4 | forbid strace need CAP_SYS_PTRACE adr 1 because \"z\"\n"
	  "      |               ^~~~\n"
	  "x:4:15: help: did you mean 'needs'?\n"
	  "x:6:16: error: unknown attribute 'buildx' [syntax]\n"
	  "    6 | \tforbid docker buildx adr 1\n"
	  "      | \t              ^~~~~~\n"
	  "x:6:16: help: a command of several words is one string: forbid \"docker buildx\"\n"
	  "x:6:16: help: several commands have ',' between them: forbid docker, buildx\n"
	  "x:7:10: error: a single quote in a word [word]\n"
	  "    7 | \tallow it's adr 1\n"
	  "      | \t        ^\n"
	  "x:7:10: help: use double quotes: \"it's\"\n"
	  "x:9:9: error: '{' without its '}' [block]\n"
	  "    9 | seccomp {\n"
	  "      |         ^\n"
	  "x:11:1: note: 'expect' cannot stand in this block: '}' is missing before it\n"
	  "   11 | expect allowed git\n"
	  "      | ^~~~~~\n"
	  "x:10:14: error: unexpected 'aarch64' after 'x86_64' [syntax]\n"
	  "   10 | \tarch x86_64 aarch64\n"
	  "      | \t            ^~~~~~~\n"
	  "x:10:14: help: entries of a list have ',' between them\n" },
};

static void assert_messages(const struct example *example)
{
	struct compilation compilation = compilation_begin(0);
	const struct source *source =
		sources_add(compilation.sources, "x", example->text, strlen(example->text));
	struct ast_layer layer;
	assert_false(layer_parse(&compilation, source, &layer));
	struct strbuf shown = STRBUF_INIT;
	diags_render(compilation.diags, DIAG_TEXT, false, &shown);
	assert_string_equal(shown.bytes, example->messages);
	strbuf_release(&shown);
	compilation_end(&compilation);
}

#define TEST_OF(table)                                                      \
	static void test_##table(void **state)                              \
	{                                                                   \
		(void)state;                                                \
		for (size_t i = 0; i < sizeof table / sizeof *table; i++)   \
			assert_messages(&table[i]);                         \
	}

TEST_OF(statements)
TEST_OF(rows)
TEST_OF(blocks)
TEST_OF(words)
TEST_OF(conditions)
TEST_OF(several)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statements), cmocka_unit_test(test_rows),
		cmocka_unit_test(test_blocks),     cmocka_unit_test(test_words),
		cmocka_unit_test(test_conditions), cmocka_unit_test(test_several),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
