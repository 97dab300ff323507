/*
 * Fields: what an ADR says about itself, and the recognisers that find it in the places where projects
 * write it. A new way of writing is a function and a line in the table of adr_field.c.
 */
#ifndef ALLOWC_POLICY_ADR_FIELD_H
#define ALLOWC_POLICY_ADR_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/policy/adr_scan.h"
#include "compiler/policy/adr_slice.h"

struct arena;

enum adr_field_name {
	ADR_FIELD_STATUS,
	ADR_FIELD_DATE,
	ADR_FIELD_TITLE,
	ADR_FIELD_SUPERSEDED_BY,
	ADR_FIELD_SUPERSEDES,
	ADR_FIELD_AMENDS,
	ADR_FIELD_AMENDED_BY,
	ADR_FIELD_OTHER /* known as the name of a field, so that a value ends before it; else ignored */
};

/* The recognisers in the order of precedence: what an earlier one finds, a later one does not replace. */
#define ADR_RECOGNISER_LIST(X)                                                                               \
	X(FRONT_MATTER, "front matter", adr_front_find)                                                      \
	X(PREAMBLE, "a line before the first section", preamble_find)                                        \
	X(SECTION, "a section of its own", section_find)

enum adr_recogniser {
#define X(id, name, find) ADR_RECOGNISER_##id,
	ADR_RECOGNISER_LIST(X)
#undef X
		ADR_RECOGNISER_COUNT
};

struct adr_field {
	enum adr_field_name name;
	enum adr_recogniser recogniser;
	struct slice value; /* not empty; of front matter: as YAML means it */
	struct slice rest;  /* what stands below the value in its paragraph or section, as it is written */
	struct span span;   /* of the value in the file */
	bool composite;     /* a list or mapping of YAML where a text belongs */
};

struct adr_fields {
	struct arena *arena;
	struct adr_field *items; /* by recogniser, then in the order of the text */
	size_t count, capacity;
};

/* All fields of a scanned text. Values point into it or into the arena. */
struct adr_fields adr_fields_find(struct arena *arena, const struct adr_text *text);

/*
 * For the recognisers: what a name means, whatever its case, blanks, `-` and `_`. False where it is
 * known to name no field.
 */
bool adr_field_name_find(struct slice name, enum adr_field_name *found);
void adr_field_add(struct adr_fields *fields, struct adr_field field);

/* `status: value` at the start of a line, as preambles have it. `value` runs to the end of the slice. */
struct adr_label {
	struct slice name, value;
	bool bold; /* emphasis of the name */
};
bool adr_label_read(struct slice line, struct adr_label *label);

#endif
