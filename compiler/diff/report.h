/*
 * What a comparison looks like: text for a terminal, Markdown for a review, JSON for programs.
 */
#ifndef ALLOWC_DIFF_REPORT_H
#define ALLOWC_DIFF_REPORT_H

#include <stdbool.h>

#include "compiler/diff/change.h"
#include "compiler/options.h"

struct arena;
struct gate;
struct strbuf;

/*
 * An artifact that NEW writes otherwise than OLD, and the changes that rewrite it: without which NEW,
 * or with which alone OLD, would have another.
 */
struct rewritten_file {
	const char *path; /* in the output folder */
	const char *fate; /* "rewritten", "new", "removed" */
	const struct change **changes;
	size_t count, capacity;
};

struct report {
	const struct compared *comparison;
	const char *old_name, *now_name; /* as the first line has them: "main", "phase7" */
	bool stats;                      /* counts in place of the changes */
	enum report_order order;
	struct rewritten_file *files; /* for REPORT_BY_ARTIFACT */
	size_t file_count;
	const char *files_note; /* what they do not tell; NULL without any */
	const struct gate *gate; /* what it says of the change comes last; NULL where it is not asked */
	bool gate_whole;         /* with each refusal's place and problem */
};

void report_text(struct arena *arena, const struct report *report, struct strbuf *out);

/* Stays under MARKDOWN_SIZE_MAX bytes, and says what it left out. */
enum { MARKDOWN_SIZE_MAX = 60000 };
void report_markdown(struct arena *arena, const struct report *report, struct strbuf *out);

/* Text that Markdown must not read: its signs escaped, what no one sees made visible. */
void markdown_add_plain(struct strbuf *out, const char *text);

/* As packaging/schema/diff.schema.json says; always whole. */
void report_json(const struct report *report, struct strbuf *out);

/* ---- what the three share ---- */

/* "commands wider +1 · guards +2", "equivalent", and what became of the ADRs. In the arena. */
const char *report_verdict(struct arena *arena, const struct compared *comparison);

/* A heading and the changes below it, in the order in which they are shown. */
struct report_group {
	const struct record *record; /* NULL: a heading of its own */
	const char *heading;         /* of a record: `phase7/0015 "Title"  accepted 2026-05-19` */
	const struct change **changes;
	size_t count, capacity;
};

struct report_group *report_groups(struct arena *arena, const struct report *report, size_t *count);

/* "allow  dive", "forbid strace", "tree-sitter": what a line is about. In the arena. */
const char *report_cell(struct arena *arena, const struct change *change);

/* "phase7.allow:6", "" without a place. In the arena. */
const char *report_place(struct arena *arena, const struct change *change);

#endif
