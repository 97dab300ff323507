/*
 * How much allowc takes of one thing. What is more is an error that names the limit, so that a text which no
 * person wrote costs no more time and memory than one that somebody did. grammar/README.md lists them for
 * users; tests/cli/test_limits.py, test_import_limits.py and tests/large/ try each at the limit and past it.
 */
#ifndef ALLOWC_BASE_LIMITS_H
#define ALLOWC_BASE_LIMITS_H

enum { MIB = 1024 * 1024 };

/* Bytes of a file. */
enum {
	SOURCE_SIZE_MAX = 64 * MIB, /* of a layer or a library */
	ADR_SIZE_MAX = 16 * MIB,
	MANIFEST_SIZE_MAX = 64 * MIB, /* of a plugin.yaml that people keep */
	SAVED_SIZE_MAX = 256 * MIB,   /* of what `--emit json` wrote */
};

/* Of a policy with all its layers. */
enum {
	LAYERS_MAX = 64,
	LIBRARIES_DEPTH_MAX = 64, /* a library that a library brings in, and so on */
	ROWS_MAX = 1000 * 1000,   /* subjects, also those in roles and plugins */
	GROUP_DEPTH_MAX = 64,
	GROUP_NAMES_MAX = 10 * 1000,   /* as a `syscalls` block lists them */
	GROUP_CALLS_MAX = 1000 * 1000, /* of all groups together, what they name in others opened */
};

/* Of the filters of all roles that have one: how often a condition is tried to prove them, in millions. */
enum { ROLE_TRIES_MAX = 10 * 1000 };

/* Of one text. */
enum {
	LINE_SIZE_MAX = 1 * MIB,        /* bytes, without the line's end */
	REASON_LENGTH_MAX = 4000,       /* characters of `because`, `instead` and `title` */
	ACCEPT_WORDS_MAX = 100,         /* of a `decisions`: each word of a status is compared with all */
	ACCEPT_LENGTH_MAX = 100,        /* characters, likewise */
	CONDITION_DEPTH_MAX = 32,       /* parentheses; a level of recursion for whoever walks a condition */
	CONDITION_NODES_MAX = 256,      /* likewise */
	MANIFEST_DEPTH_MAX = 100,       /* libyaml looks at all open levels for each token */
	MANIFEST_TAGS_MAX = 100,        /* `%TAG` lines: libyaml looks at all before for each */
	ADR_FRONT_SIZE_MAX = 64 * 1024, /* bytes of front matter */
	ADR_FRONT_DEPTH_MAX = 32,
	COMMAND_SIZE_MAX = 1024, /* bytes */
};

/* Of what `allowc import` reads. */
enum {
	PYTHON_DEPTH_MAX = 200,       /* brackets, as CPython has it */
	PYTHON_JOINED_MAX = ROWS_MAX, /* entries that "A | B" copies, in all of a file: more make no policy */
	RULE_COMMANDS_MAX = 10 * 1000, /* that one prefix_rule() stands for */
	RULE_WORDS_MAX = 512,          /* places of its pattern: more make no command of COMMAND_SIZE_MAX */
	RULES_COMMANDS_MAX = ROWS_MAX, /* of all rules of a file: more make no policy */
	RULES_SIZE_MAX = SOURCE_SIZE_MAX, /* bytes of these commands and their reasons, likewise */
	ALIASES_DEPTH_MAX = 64,           /* of sudoers, of aliases; a level of recursion */
};

#endif
