/*
 * A hand-written plugin.yaml as libyaml reads it, with the bytes where things stand: what
 * manifest_edit.c needs to change the lists of `requirements` and nothing else.
 */
#ifndef ALLOWC_BACKENDS_MANIFEST_SCAN_H
#define ALLOWC_BACKENDS_MANIFEST_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/strbuf.h"

struct arena;

/* Bytes [begin, end) of the text. */
struct manifest_place {
	size_t begin, end;
};

/* Why a text is not edited; `why` is NULL where it can be. */
struct manifest_refusal {
	struct manifest_place place;
	const char *why;  /* a sentence's rest: "the list 'optional' stands twice" */
	const char *help; /* NULL: MANIFEST_PLAINLY */
};

#define MANIFEST_PLAINLY "write the lists of 'requirements' plainly, each item on a line behind its dash"

struct manifest_item {
	struct manifest_place place; /* of the scalar, with its quotes */
	const char *text;            /* what YAML makes of it; in the arena */
	bool plain, double_quoted;
	const char *trouble; /* why its place cannot be edited (an alias, an anchor, a list …); or NULL */
};

/*
 * NULL: a value with no text at all, at the place just after the ':'. NULL_WORD: `null` or `~`. OTHER
 * is what a list cannot be edited in; its place is that of the value.
 */
enum manifest_state { MANIFEST_ABSENT, MANIFEST_NULL, MANIFEST_NULL_WORD, MANIFEST_LIST, MANIFEST_OTHER };

/* The lists that allowc writes, in this order. */
enum manifest_key { MANIFEST_TOOLS, MANIFEST_OPTIONAL, MANIFEST_KEYS };

const char *manifest_key_name(enum manifest_key key);

struct manifest_list {
	enum manifest_state state;
	struct manifest_place key, value; /* the value of a block list: only its begin is known */
	const char *twin; /* another key of `requirements` that may be meant as it; NULL where none may */
	struct manifest_place twin_place;
	bool flow;
	const char *properties; /* "an anchor" or "a tag" before the value; or NULL */
	struct manifest_item *items;
	size_t count, capacity;
};

/* A key as it is written; its text is in the arena. */
struct manifest_key_text {
	struct manifest_place place;
	const char *text;
};

/* The document itself, or `requirements`. */
struct manifest_mapping {
	enum manifest_state state; /* MANIFEST_LIST stands for a mapping */
	struct manifest_place key, value;
	bool flow;
	const char *properties;
	size_t pair_count;
	size_t column;      /* of its first key, in blanks */
	bool keys_quoted;   /* the first key has double quotes */
	bool merges;        /* it has a `<<` */
	size_t leaf_end;    /* where its last scalar, alias or flow list ends */
	bool leaf_is_block; /* that is a `|` or `>` text, which ends where the next line begins */
	bool leaf_is_empty; /* that is a value with no text */
};

struct manifest {
	struct manifest_mapping root, requirements;
	struct manifest_list lists[MANIFEST_KEYS];
	struct manifest_key_text *others; /* further keys of `requirements` that have a list */
	size_t other_count, other_capacity;
	const char *name; /* the value of `name` where that is a scalar, else NULL */
	struct manifest_place name_place;
	size_t step;        /* blanks by which the file indents a mapping in a mapping; 2 where it has none */
	size_t list_indent; /* blanks by which it indents the dashes of a list; `step` where it has none */
	struct manifest_refusal shared; /* an alias elsewhere stands for what would be edited */
	/*
	 * Everything that the document says but the managed lists: equal texts say the same. The owner
	 * releases it.
	 */
	struct strbuf rest;
};

/*
 * Reads `text`, UTF-8 without a BOM; `managed` says which of the lists may change. Returns a refusal with
 * `why` set where it is no YAML, or has a form in which the lists have no one place; then the manifest is not
 * to be used. `why` is in the arena. The caller calls manifest_release() either way.
 */
struct manifest_refusal manifest_scan(struct arena *arena, const char *text, size_t size,
				      const bool managed[MANIFEST_KEYS], struct manifest *manifest);

void manifest_release(struct manifest *manifest);

#endif
