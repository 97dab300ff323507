/*
 * Diagnostics as data. A stage reports what it found and goes on; nothing is printed before
 * diags_render(). Each diagnostic has a stable name (diag_list.h), a place, a message, and then notes
 * (other places) and helps (a way out) in the order they were added.
 *
 * Messages quote policy text freely: the renderer escapes what a terminal must not see.
 */
#ifndef ALLOWC_BASE_DIAG_H
#define ALLOWC_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/diag_list.h"
#include "compiler/base/source.h"

struct arena;
struct strbuf;

enum diag_id {
#define X(id, name, severity, change, summary) DIAG_##id,
	DIAG_LIST(X)
#undef X
	DIAG_COUNT
};

enum diag_severity { DIAG_OFF, DIAG_WARNING, DIAG_ERROR };
enum diag_format { DIAG_TEXT, DIAG_JSON, DIAG_GITHUB };

struct diagnostic;
struct diags;
struct told;

/* `arena` owns everything reported. The first `max_errors` by place are kept (0: all), the others counted. */
struct diags *diags_new(struct arena *arena, size_t max_errors);

/*
 * One -W option without its "-W": "name", "no-name", "error", "error=name", "no-error=name", "all".
 * Returns NULL, or a message in the arena that says what is wrong with it. Options act in order.
 */
const char *diags_option(struct diags *diags, const char *option);

/* Which of two policies they are about, "old" or "new": said where a place alone would not tell. */
void diags_name_side(struct diags *diags, const char *side);

/*
 * Reports at a place. Returns NULL when the diagnostic is off, or past the limit and behind all that are
 * kept: the functions below take NULL and do nothing, so that costly help is computed only for what is shown.
 */
struct diagnostic *diag_report(struct diags *diags, enum diag_id id, struct span place, const char *format,
			       ...) __attribute__((format(printf, 4, 5)));

/* Another place that belongs to it, with a sentence. A span without a source prints no place. */
void diag_note(struct diagnostic *diagnostic, struct span place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A way out, at the diagnostic's own place. */
void diag_help(struct diagnostic *diagnostic, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line of policy text to write, shown under the last help. */
void diag_fix(struct diagnostic *diagnostic, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Trouble that is no fault of the policy (I/O, usage): printed as "allowc: …", exit status 2. */
void diag_trouble(struct diags *diags, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether `id` would be shown, to skip a costly check. */
bool diag_enabled(const struct diags *diags, enum diag_id id);

/* Whether it warns, where no -W says otherwise. */
bool diag_is_warning(enum diag_id id);

/* Counts include what was past the limit. */
size_t diags_errors(const struct diags *diags);
size_t diags_errors_of(const struct diags *diags, enum diag_id id);
size_t diags_warnings(const struct diags *diags);
bool diags_in_trouble(const struct diags *diags);

/* 0 without an error, 1 with one, 2 in trouble. */
int diags_exit_status(const struct diags *diags);

/*
 * What several of them have rendered so far, by place, message and notes: policies that lean on one layer
 * have its mistakes in common, and one mistake is told once. It lives in the arena, longer than any of them.
 */
struct told *told_new(struct arena *arena);
void diags_tell_once(struct diags *diags, struct told *told);

/* The policy that is stopped: it has a line of its own where all that stops it was told of others. */
void diags_name_policy(struct diags *diags, const char *path);

/* All of them, sorted by place (order of loading, then offset; equal places in the order reported). */
void diags_render(const struct diags *diags, enum diag_format format, bool colour, struct strbuf *out);

/* The name that -W knows. */
const char *diag_name(enum diag_id id);

/* Adds text with control characters, bidirectional overrides and bytes that are no UTF-8 escaped. */
void text_add_visible(struct strbuf *out, const char *bytes, size_t size);

#endif
