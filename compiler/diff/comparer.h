/*
 * What the parts of the comparison share. Internal to compiler/diff/: everyone else uses compare.h.
 */
#ifndef ALLOWC_DIFF_COMPARER_H
#define ALLOWC_DIFF_COMPARER_H

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/map.h"
#include "compiler/diff/change.h"
#include "compiler/policy/accepted_words.h"
#include "compiler/policy/policy.h"

/* Rows of one side and one context by verb's kind, subject's kind and subject. */
struct row_set {
	struct map *rows[2][3]; /* [declines][subject kind] */
};

/* What may do more, or less. */
struct call_marks {
	bool *wider, *narrower;               /* by place in the table of calls */
	bool numbers_wider, numbers_narrower; /* that no table knows */
};

/* The words that one authority takes for accepted, which all scopes of its pattern do. */
struct known_words {
	const struct authority *of;
	struct map *words;
};

struct comparer {
	struct compilation *compilation;
	struct arena *arena;
	const struct policy *old, *now;
	struct compared *comparison;
	struct row_set before, after; /* of the layers */
	struct map *records;          /* by text, */
	struct map *numbers;          /* and by scope and number */
	struct map *scopes[2];        /* of OLD and NEW, by name: struct authority; */
	struct map *spellings[2];     /* by adr_scope_key(): the same, of no scope where several have it */
	struct accepted_pair accepted;
	struct known_words known[2];  /* of OLD and NEW, where their words were looked up last */
	const char *last_text;        /* of the record found last: rows cite one ADR in long runs */
	struct record *last_record;
	size_t change_capacity, record_capacity, roles_wider_capacity;
	struct call_marks marks; /* of everyone; while the rows of a role or plugin are compared, its */
};

/* records.c: fills `scopes` and `spellings`; what they have by this name. */
void authorities_collect(struct comparer *comparer);
const struct authority *authority_named(const struct comparer *comparer, const struct policy *policy,
					const char *scope);

struct row_set row_set_make(struct arena *arena, const struct row *const *rows, size_t count);
const struct row *row_set_find(const struct row_set *set, const struct row *like);

/* compare.c: adds a change and returns it to be filled further. `row` gives place and ADR; NULL for none. */
struct change *change_add(struct comparer *comparer, enum change_class class, char sign,
			  const struct row *row);

/* "docker is allowed (phase2.allow:14)" */
const char *row_says(struct comparer *comparer, const struct row *row);

/* `"/bin/rm", "/usr/bin/rm"` of its `path`, "none" where it has none. */
const char *paths_text(struct arena *arena, const struct row *row);
unsigned span_line(struct span span);

/* records.c */
void records_collect(struct comparer *comparer);
void records_compare(struct comparer *comparer);
struct record *record_of(struct comparer *comparer,
			 const struct row *row); /* of its first citation, or NULL */
struct record *record_cited(const struct comparer *comparer, const char *text);
void unsaved_collect(struct comparer *comparer); /* into `not_compared` */

/* row_changes.c: the rows of the layers, and the axes of commands and capabilities. */
void rows_compare(struct comparer *comparer);

/* The calls that the row names, or its capability or needs bring, and that are marked; NULL without any. */
const char *row_calls(struct comparer *comparer, const struct row *row, const bool *marks);

/*
 * attribute_changes.c: two rows of one verb and subject. An allow row that allows more, or less, is counted
 * into `commands`; a forbid row into the axis of guards.
 */
void attributes_compare(struct comparer *comparer, const struct row *old, const struct row *now,
			struct axis_verdict *commands);

/* guarded_calls.c: what two forbid rows of one subject keep denied, into the axis of guards. */
void guarded_calls_compare(struct comparer *comparer, const struct row *old, const struct row *now);

/* scope_changes.c: roles and plugins. */
void blocks_compare(struct comparer *comparer);

/* call_changes.c */
struct call_marks call_marks_new(struct arena *arena);
void calls_compare(struct comparer *comparer);

/*
 * What a role gets, of which one side or both have a filter of its own; NULL for a side that does not have
 * the role. What everyone does not get more or less too is added to the axis. The marks are for the role's
 * rows: `wider` is all that it may do more, since a row that it kept would have refused that, whatever the
 * layers do; `narrower` what it may do less, and less than the layers of NEW let everyone do.
 */
struct call_marks role_calls_compare(struct comparer *comparer, const struct block *old,
				     const struct block *now);

/* guard_changes.c: expectations, trust, settings, name and title, outputs. */
void guards_compare(struct comparer *comparer);

/*
 * Whether a scope of one policy is a match of a pattern that the other has too, with the same words: one
 * folder more or less.
 */
bool pattern_is_shared(struct comparer *comparer, const struct policy *other,
		       const struct authority *authority);

/* Whether it has a layer of that name. */
bool policy_has_layer(const struct policy *policy, const char *name);

/* format.c: what differs although no decision does. */
void format_compare(struct comparer *comparer);

#endif
