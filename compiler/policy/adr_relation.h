/*
 * Relations between ADRs, where one says what it supersedes or amends, or what does so to it: fields
 * (`supersedes: [3, 4]`, `Amends: ADR-7`), phrases of a status (`Superceded by [9. New](0009-new.md)`), and
 * titles that end in "(amends ADR-7)".
 */
#ifndef ALLOWC_POLICY_ADR_RELATION_H
#define ALLOWC_POLICY_ADR_RELATION_H

#include "compiler/policy/adr.h"
#include "compiler/policy/adr_slice.h"

struct arena;

/* A relation while the text is read: its place is a part of what was scanned. */
struct adr_relation_found {
	enum adr_relation_kind kind;
	const char *reference;
	struct slice place;
};

struct adr_relations {
	struct arena *arena;
	struct slice folder; /* see adr_link_reference() */
	struct adr_relation_found *items;
	size_t count, capacity;
};

/*
 * Adds those that a text names. Only references after a phrase such as `amends` count, unless a field's
 * name says what they are: then `kind` is it, else ADR_RELATION_COUNT. After a reference a phrase holds to
 * the end of its line, and no longer than references follow it: `Amends: nothing; ADR-1 stays` has none, and
 * neither has what the sentence denies.
 */
void adr_relations_scan(struct adr_relations *relations, struct slice text, enum adr_relation_kind kind);

/* The same of a list in YAML, as it is written: [3, "0004"]. */
void adr_relations_scan_list(struct adr_relations *relations, struct slice list, enum adr_relation_kind kind);

#endif
