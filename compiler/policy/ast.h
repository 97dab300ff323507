/*
 * One layer as it is written. The grammar builds this and looks nothing up: whether a name exists, an
 * attribute fits or a number is in range is the resolver's business. Everything lives in the
 * compilation's arena; lists are in the order of the text.
 */
#ifndef ALLOWC_POLICY_AST_H
#define ALLOWC_POLICY_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/base/source.h"

/* X(IDENTIFIER, "word") */
#define VERB_LIST(X)       \
	X(ALLOW, "allow")  \
	X(FORBID, "forbid") \
	X(DECLINE, "decline") \
	X(REVOKE, "revoke")

#define ATTRIBUTE_LIST(X)          \
	X(ADR, "adr")              \
	X(BECAUSE, "because")      \
	X(NEEDS, "needs")          \
	X(REQUIRES, "requires")    \
	X(AS, "as")                \
	X(PATH, "path")            \
	X(INSTEAD, "instead")      \
	X(WITH, "with")            \
	X(ON, "on")                \
	X(UNTIL, "until")

#define SETTING_LIST(X)              \
	X(DEFAULT, "default")        \
	X(BASE, "base")              \
	X(DENY_WITH, "deny-with")    \
	X(ARCH, "arch")              \
	X(ABI, "abi")                \
	X(UNKNOWN, "unknown")        \
	X(HOT, "hot")

#define EXPECTATION_LIST(X)        \
	X(ALLOWED, "allowed")      \
	X(FORBIDDEN, "forbidden")  \
	X(UNLISTED, "unlisted")    \
	X(DENIED, "denied")        \
	X(STRENGTH, "strength")    \
	X(ADDS, "adr")

enum verb {
#define X(id, word) VERB_##id,
	VERB_LIST(X)
#undef X
	VERB_COUNT
};

enum attribute {
#define X(id, word) ATTRIBUTE_##id,
	ATTRIBUTE_LIST(X)
#undef X
	ATTRIBUTE_COUNT
};

enum setting {
#define X(id, word) SETTING_##id,
	SETTING_LIST(X)
#undef X
	SETTING_COUNT
};

enum expectation {
#define X(id, word) EXPECTATION_##id,
	EXPECTATION_LIST(X)
#undef X
	EXPECTATION_COUNT
};

/* A word or the value of a string. `text` is NULL where the statement has none, else NUL-terminated. */
struct ast_word {
	const char *text;
	struct span span; /* with the quotes of a string */
};

static inline struct ast_word ast_word_of(const char *text, struct span span)
{
	return (struct ast_word){ .text = text, .span = span };
}

/* Whether it stands in quotes, which its place tells; so does what stands in no source. */
bool ast_word_is_quoted(const struct ast_word *word);

/* A condition on arguments: `flags & CLONE_NEWUSER`, `domain == AF_ALG && type != SOCK_RAW`. */
enum ast_operator {
	AST_LEAF, /* `word`: the name of an argument, a constant or a number */
	AST_EQ, AST_NE, AST_LT, AST_LE, AST_GT, AST_GE,
	AST_MASK, /* & */
	AST_JOIN, /* | */
	AST_BOTH  /* && */
};

struct ast_expression {
	enum ast_operator operator;
	struct ast_word word;
	struct ast_expression *left, *right;
	struct span span;
};

/* "" where there is no word. */
const char *ast_word_text(const struct ast_word *word);

/* What an entry has beside its word: a condition, or `>= 20.10` of `requires docker >= 20.10`. */
struct ast_tail {
	struct ast_expression *condition; /* NULL without one */
	struct ast_word operator, version; /* without text where there is none */
	struct span span;                  /* of the whole entry */
};

/*
 * One entry of a comma list: a subject, reference, capability, path, platform …
 * Nearly all of the many entries of a policy are a word and no more. A large policy is as fast as its
 * memory is small: what few entries, attributes and statements have stands apart from all of them.
 */
struct ast_entry {
	struct ast_word word;
	struct ast_tail *tail; /* NULL where the entry is its word */
};

struct span ast_entry_span(const struct ast_entry *entry);

/* NULL where the entry has none. */
const struct ast_expression *ast_entry_condition(const struct ast_entry *entry);

struct ast_entries {
	struct ast_entry *items;
	uint32_t count, capacity;
};

/*
 * adr, because, needs, requires, as, path, instead, on, until: `values` (one word for the single ones).
 * needs: `qualifier` is `syscall` where it stands before the list.
 * with:  `qualifier` is errno, kill or log (as written, checked later); the errno's name is values[0].
 */
struct ast_attribute {
	uint32_t keyword_begin; /* see ast_attribute_keyword() */
	uint32_t keyword_size : 24;
	enum attribute kind : 8;
	const struct ast_word *qualifier; /* NULL where there is none */
	struct ast_entries values;
	struct ast_attribute *next;
};

enum ast_kind {
	AST_POLICY,    /* policy NAME                  name */
	AST_EDITION,   /* edition 1                    name */
	AST_TITLE,     /* title "…"                    name */
	AST_EXTENDS,   /* extends NAME | "path"        name */
	AST_USE,       /* use "path" | <std-name>      name; `angled` for <…>, without the brackets */
	AST_DECISIONS, /* decisions [SCOPE] "folder" [accept "…", …]   name (the scope), path, entries */
	AST_ROW,       /* VERB [syscall] SUBJECT, … ATTRIBUTES         verb, qualifier, entries, attributes */
	AST_ROLE,      /* role NAME { rows }                           name, block */
	AST_PLUGIN,    /* plugin NAME ["file"] { … }                   name, path, block */
	AST_TOOLS,     /* in plugin: tools LIST                        entries */
	AST_OPTIONAL,  /* in plugin: optional LIST                     entries */
	AST_SECCOMP,   /* seccomp { settings }                         block */
	AST_SETTING,   /* in seccomp: default errno EPERM, arch A, B   setting, qualifier, entries */
	AST_SYSCALLS,  /* syscalls @NAME { entries }                   name, block of AST_MEMBERS */
	AST_MEMBERS,   /* in syscalls: names, @groups, conditions      entries */
	AST_OUTPUT,    /* output BACKEND "path" [region NAME]          name, path, region */
	AST_EXPECT     /* expect KIND …                                see below */
};

/*
 * AST_SETTING, the actions (default, deny-with, unknown): `qualifier` is allow, errno, kill, log or
 * default as written, the errno's name in entries[0]; the lists (base, arch, abi, hot): entries.
 * AST_EXPECT: `expectation`; `qualifier` is `syscall` of `denied syscall NAME`; `name` is the reference
 * of `expect adr REF adds …`; entries are the commands, calls or level.
 */
struct ast_words {
	struct ast_word name, path, region;
	struct ast_statement *block;      /* statements inside { } */
	struct ast_statement *next_other; /* of the file's statements: the next that is no row */
};

/* Nearly all of the statements of a large policy are rows: what no row has is in `words`. */
struct ast_statement {
	enum ast_kind kind : 8;
	enum verb verb : 4;
	enum setting setting : 4;
	enum expectation expectation : 4;
	bool broken : 1; /* a syntax error was reported inside: what was read before it stands */
	bool angled : 1;
	bool has_block : 1;
	uint32_t keyword_end;    /* see ast_keyword() */
	struct span span;        /* from the keyword to the end of the statement, block included */
	struct ast_words *words; /* of all that are no rows; of rows, one that is empty */
	const struct ast_word *qualifier; /* NULL where there is none */
	struct ast_entries entries;
	struct ast_attribute *attributes; /* on the line and in the block, in order */
	struct ast_statement *next;
};

static inline struct span ast_keyword(const struct ast_statement *statement)
{
	return (struct span){ statement->span.source, statement->span.begin, statement->keyword_end };
}

/* Of an attribute of the statement. */
static inline struct span ast_attribute_keyword(const struct ast_statement *statement,
						const struct ast_attribute *attribute)
{
	uint32_t begin = attribute->keyword_begin;
	return (struct span){ statement->span.source, begin, begin + attribute->keyword_size };
}

/*
 * Whoever looks for anything but rows goes by `others`: a policy may have 100,000 rows, and each walk
 * over all of them fetches each from memory.
 */
struct ast_layer {
	const struct source *source;
	struct ast_statement *statements;
	struct ast_statement *others; /* those that are no rows, in order */
	size_t subject_count;         /* of its rows, those in blocks apart */
	size_t block_subject_count;   /* of those */
	bool broken; /* any syntax error in the file */
	bool no_text; /* nothing of the file could be read */
	const char **lost; /* words that a mistake kept out of the tree: names of rows may be among them */
	size_t lost_count;
	bool unread; /* a statement or setting that nobody knows: what it says is in none of the above */
};

const char *verb_word(enum verb verb);
const char *attribute_word(enum attribute attribute);
const char *setting_word(enum setting setting);
const char *expectation_word(enum expectation expectation);

#endif
