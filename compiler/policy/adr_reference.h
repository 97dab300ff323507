/*
 * References to ADRs in running text, in the spellings that projects use: ADR-0011, ADR 11, 0011,
 * phase2/0011, phase2/ADR-0011, 02-ADR-0011, P2-ADR-0011, ADR-02-0011, ADR-P2-0011, Phase 2 ADR-0011,
 * 20260924-slug (a file named by its date), and links. (What a row may write without quotes is
 * adr_reference_parse() of adr.h, and far less.)
 */
#ifndef ALLOWC_POLICY_ADR_REFERENCE_H
#define ALLOWC_POLICY_ADR_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/policy/adr_slice.h"

struct arena;

/* `[text](target "title")`, `[text][id]`, `[[text]]`. */
struct adr_link {
	struct slice text, target; /* target of size 0 where it has none */
	size_t size;               /* bytes from its `[` */
};

/* False where the slice does not start with a link. Looks at no more than some thousand bytes. */
bool adr_link_read(struct slice slice, struct adr_link *link);

/*
 * The ADR that a link means: the reference in its text, or the number of the file that is its target
 * (with the target's folder as scope where that is not `folder`, the one that the linking file is in).
 * "0011" or "phase2/0011" in the arena, NULL where it means none: what a URL names is another project's.
 */
const char *adr_link_reference(struct arena *arena, const struct adr_link *link, struct slice folder);

/*
 * The first reference in the slice, with its place in `*place`; NULL where there is none. A bare number
 * counts only as the slice's first word: elsewhere it may number anything.
 */
const char *adr_reference_find(struct arena *arena, struct slice slice, struct slice folder,
			       struct slice *place);

/* The bytes of `Phase 2 ADR-0007`, `ADR-0007` or `7` at the start of a title, 0 where it has none. */
size_t adr_reference_size(struct slice slice);

/* False where the digits are none, or exceed what an unsigned long holds. */
bool adr_number_read(struct slice digits, unsigned long *number);

/* The digits of the number in an ADR's file name (see adr_scope_files); size 0 where it has none. */
struct slice adr_file_digits(struct slice name);

/*
 * What tells ADRs of one day apart: of 20260924-drop-dive.md, where `digits` are 20260924 and `rest` is what
 * follows them, "drop-dive". Of size 0 where the digits are no date, or nothing follows.
 */
struct slice adr_dated_slug(struct slice digits, struct slice rest);

/* Whether a reference can have this scope: a letter or digit, then also `.`, `_` and `-`. */
bool adr_scope_is_named(struct slice name);

/* The last part of a path, and that of the folder it is in (size 0 for none). */
struct slice adr_path_base(struct slice path);
struct slice adr_path_folder(struct slice path);

#endif
