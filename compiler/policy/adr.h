/*
 * Architecture decision records as an input: finding the file of a reference, reading its title, status,
 * date and successor, and asking whether it names a command in a code span.
 *
 * Nothing is guessed: a status that is not certain is ADR_UNKNOWN, and unknown is never accepted.
 */
#ifndef ALLOWC_POLICY_ADR_H
#define ALLOWC_POLICY_ADR_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/source.h"

struct arena;
struct compilation;

#define ADR_STATUS_LIST(X)              \
	X(UNKNOWN, "unknown")           \
	X(ACCEPTED, "accepted")         \
	X(PROPOSED, "proposed")         \
	X(REJECTED, "rejected")         \
	X(DEPRECATED, "deprecated")     \
	X(SUPERSEDED, "superseded")     \
	X(DEFERRED, "deferred")

enum adr_status {
#define X(id, word) ADR_##id,
	ADR_STATUS_LIST(X)
#undef X
	ADR_STATUS_COUNT
};

const char *adr_status_word(enum adr_status status);

#define ADR_RELATION_LIST(X)                      \
	X(SUPERSEDES, "supersedes")               \
	X(SUPERSEDED_BY, "is superseded by")      \
	X(AMENDS, "amends")                       \
	X(AMENDED_BY, "is amended by")

enum adr_relation_kind {
#define X(id, words) ADR_##id,
	ADR_RELATION_LIST(X)
#undef X
	ADR_RELATION_COUNT
};

/* "is superseded by" */
const char *adr_relation_words(enum adr_relation_kind kind);
enum adr_relation_kind adr_relation_inverse(enum adr_relation_kind kind);

struct adr_relation {
	enum adr_relation_kind kind;
	const char *reference; /* as adr_reference_read() takes it */
	struct span span;
};

struct adr_names;
struct adr_reference;

struct adr_code_span {
	const char *text; /* without the backquotes, white space folded, not empty */
	struct span span; /* likewise */
};

struct adr {
	const struct source *source;
	const char *scope;     /* as the policy names it: "phase7"; "" from adr_read() */
	unsigned long number;  /* that of the file's name, 0 where it has none */
	const char *title;     /* without "1." or "ADR-0007:"; "" where there is none */
	enum adr_status status;
	const char
		*doubt; /* why it is ADR_UNKNOWN, a sentence: "it has no status"; NULL where it is certain */
	const char *status_text; /* as written, white space folded; "" where there is none */
	bool no_text;            /* the file is no UTF-8, or holds a NUL: nothing was read */
	struct span status_span; /* of status_text; the first line where there is none */
	const char *date;      /* YYYY-MM-DD or NULL */
	const char *successor; /* as adr_reference_parse() takes it ("0011", "phase2/0011"), or NULL; the
				* first where several are named */
	struct span successor_span;
	const struct adr_relation *relations; /* to other ADRs, where it says so */
	size_t relation_count;
	const struct adr_code_span *code_spans; /* inline spans outside code blocks and comments, in order */
	size_t code_span_count;
	const struct span *blocks; /* what stands in fences marked `allow`: rows, as the ADR decides them */
	size_t block_count;
	const char *digest;    /* of a saved one, whose text is not at hand: its SHA-256; else NULL */
	struct adr_names *names; /* them sorted, on the first adr_names() */
};

/* How an unknown status is mended, a sentence. */
const char *adr_status_help(const struct adr *adr);

/* A scope's folder, listed on first use, its files opened on demand and once. */
struct adr_scope;

/*
 * `folder` is a path as sources_load() takes it. `accept` holds further words that mean accepted.
 * NULL with errno set where the folder cannot be listed.
 */
struct adr_scope *adr_scope_open(struct compilation *compilation, const char *name, const char *folder,
				 const char *const *accept, size_t accept_count);
const char *adr_scope_name(const struct adr_scope *scope);

/*
 * The files with this number, as paths in the order of their names. A file's number stands in its name:
 * NNNN-title.md, adr-NNN-title.md, ADR-0007-title.md, NNNN_title.rst (README, index and template files
 * are none). Numbers compare as numbers; one that exceeds an unsigned long is none.
 */
size_t adr_scope_files(const struct adr_scope *scope, unsigned long number, const char *const **paths);

/* All its files, by number, then by name. */
size_t adr_scope_count(const struct adr_scope *scope);

/* Opens and reads one of them. NULL where it is unreadable (then diag_trouble was called). */
const struct adr *adr_scope_at(struct adr_scope *scope, size_t index);

/*
 * The same for one look at each: it lives in `arena`, which is cleared first, and so until the next call.
 * A folder of any size takes the memory of its largest file.
 */
const struct adr *adr_scope_pass(struct adr_scope *scope, struct arena *arena, size_t index);

/* Up to `most` existing numbers near to `number`, nearest first, for "did you mean". */
size_t adr_scope_near(const struct adr_scope *scope, unsigned long number, unsigned long *near, size_t most);

/* The same of a reference; its scope does not matter, its slug must be the file's. */
size_t adr_scope_find(const struct adr_scope *scope, const struct adr_reference *reference,
		      const char *const **paths);

/* The index of the first of them. */
size_t adr_scope_index(const struct adr_scope *scope, const char *const *paths);

/* Opens and reads the only file of that number. NULL where there is none, several, or it is unreadable
 * (then diag_trouble was called). */
const struct adr *adr_scope_read(struct adr_scope *scope, unsigned long number);
const struct adr *adr_scope_read_reference(struct adr_scope *scope, const struct adr_reference *reference);

/*
 * Reads one text; `accept` as above. For tests and adr_scope_read(). Never NULL: a file that is no UTF-8
 * text (or holds a NUL) has an unknown status, no title and no code spans.
 */
const struct adr *adr_read(struct compilation *compilation, const struct source *source,
			   const char *const *accept, size_t accept_count);

/*
 * The code span that names `subject`: equal to it, or starting with it and a blank; of a list in the
 * span (`@a, @b`, `ptrace, kcmp`), an entry equal to it, with the entry's own text and place. NULL where
 * none does. After the first call, which sorts the spans, it takes logarithmic time.
 */
const struct adr_code_span *adr_names(const struct adr *adr, const char *subject);

/* The code span nearest to `subject`, for "did you mean"; NULL where none is near. */
const struct adr_code_span *adr_nearest(const struct adr *adr, const char *subject);

/*
 * A reference as a row writes it: 0015, phase2/0001, ADR-0015, phase2/ADR-0001. `*scope` is in the
 * arena, NULL where the reference has none. False where it is of no such form.
 */
bool adr_reference_parse(struct compilation *compilation, const char *text, const char **scope,
			 unsigned long *number);

/* An ADR as a text names it. */
struct adr_reference {
	const char *scope; /* as written, without a blank ("phase2" of `Phase 2`); NULL where it has none */
	unsigned long number;
	const char *slug;  /* of a file named by its date: "drop-dive" of 20260924-drop-dive; else NULL */
};

/*
 * All spellings, for references in quotes and for successors: also `Phase 2 ADR-0001`, 02-ADR-0001,
 * ADR-02-0001, ADR-P2-001, P2-ADR-0001, 20260924-slug. False where the whole text is none of them.
 */
bool adr_reference_read(struct compilation *compilation, const char *text, struct adr_reference *reference);

/*
 * Whether a spelling means the scope of this name: equal but for case, or the same number of a phase
 * (02, P2, phase2, phase-2, 02-tools; 06.5 and 6.5).
 */
bool adr_scope_is_spelt(const char *name, const char *spelling);

/* One text for all spellings that mean one scope, by which scopes can be found. */
const char *adr_scope_key(struct arena *arena, const char *spelling);

#endif
