/*
 * What differs between two policies: one change for each decision. The classes have stable ids, which
 * `allowc diff --list-classes` prints and the JSON names.
 */
#ifndef ALLOWC_DIFF_CHANGE_H
#define ALLOWC_DIFF_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/policy/policy.h"

struct arena;

/* X(IDENTIFIER, "id", "what it means") */
#define CHANGE_LIST(X)                                                                                       \
	X(ALLOW_ADDED, "allow-added", "a command gets an allow row")                                         \
	X(ALLOW_REMOVED, "allow-removed", "a command loses its allow row")                                   \
	X(FORBID_ADDED, "forbid-added", "a command gets a forbid row")                                       \
	X(FORBID_REMOVED, "forbid-removed", "a command loses its forbid row")                                \
	X(FORBID_TO_ALLOW, "forbid-to-allow", "a forbidden command is allowed")                              \
	X(ALLOW_TO_FORBID, "allow-to-forbid", "an allowed command is forbidden")                             \
	X(DECLINED, "declined", "a decline row comes or goes; it decides nothing")                           \
	X(SCOPE_WIDENED, "scope-widened", "a role or plugin narrows less")                                   \
	X(SCOPE_NARROWED, "scope-narrowed", "a role or plugin narrows more")                                 \
	X(CAPABILITY_FORBIDDEN, "capability-forbidden", "a capability gets a forbid row")                    \
	X(CAPABILITY_RELEASED, "capability-released", "a capability loses its forbid row")                   \
	X(SYSCALL_FORBIDDEN, "syscall-forbidden", "system calls get a forbid row")                           \
	X(SYSCALL_RELEASED, "syscall-released", "system calls lose their forbid row")                        \
	X(SYSCALL_ALLOWED, "syscall-allowed", "system calls get an allow row")                               \
	X(SYSCALL_WITHDRAWN, "syscall-withdrawn", "system calls lose their allow row")                       \
	X(SECCOMP_SETTING, "seccomp-setting", "a setting of the filter differs")                             \
	X(PLUGIN_TOOL_ADDED, "plugin-tool-added", "a plugin gets tools")                                     \
	X(PLUGIN_TOOL_REMOVED, "plugin-tool-removed", "a plugin loses tools")                                \
	X(PLUGIN_CHANGED, "plugin-changed", "a plugin's order of tools or its file differs")                 \
	X(ADR_CHANGED, "adr-changed", "a row cites other ADRs")                                              \
	X(ADR_STATUS_CHANGED, "adr-status-changed", "a cited ADR has another status")                        \
	X(ADR_TEXT_CHANGED, "adr-text-changed", "a cited ADR has another text")                              \
	X(GUARD_ADDED, "guard-added", "an expectation comes in")                                             \
	X(GUARD_REMOVED, "guard-removed", "an expectation is gone, or lapses")                               \
	X(TRUST_CHANGED, "trust-changed", "where ADRs are, or which words mean accepted")                    \
	X(EXPIRY_ADDED, "expiry-added", "a row gets an `until`")                                             \
	X(EXPIRY_MOVED, "expiry-moved", "a row has another `until`")                                         \
	X(EXPIRY_REMOVED, "expiry-removed", "a row loses its `until`")                                       \
	X(REASON_CHANGED, "reason-changed", "a row has another reason or replacement")                       \
	X(ATTRIBUTE_CHANGED, "attribute-changed", "needs, requires, as, path, with or on differ")            \
	X(TITLE_CHANGED, "title-changed", "the policy has another title")                                    \
	X(NAME_CHANGED, "name-changed", "the policy has another name, and so have its artifacts")            \
	X(OUTPUT_CHANGED, "output-changed", "`allowc sync` writes elsewhere, or something else")             \
	X(FORMAT_ONLY, "format-only", "rows moved or reordered, layout or comments: no decision differs")

enum change_class {
#define X(id, name, meaning) CHANGE_##id,
	CHANGE_LIST(X)
#undef X
		CHANGE_COUNT
};

const char *change_name(enum change_class class);
const char *change_meaning(enum change_class class);

/*
 * The axes of the verdict: each of them a set that one side may have more of. Guards are forbid rows of the
 * layers: what a later layer cannot allow without taking one back. A call that such a row denies no longer
 * is one less, and so is a row that otherwise says less, and a forbid row of a role or plugin that turned
 * nothing; what one turned is counted as a command, and so is an allow row on other terms. Expectations are
 * guards of another kind, the compiler's own, and counted apart.
 */
#define AXIS_LIST(X)                                                                                         \
	X(COMMANDS, "commands")                                                                              \
	X(SYSTEM_CALLS, "system calls")                                                                      \
	X(CAPABILITIES, "capabilities")                                                                      \
	X(GUARDS, "guards")                                                                                  \
	X(EXPECTATIONS, "expectations")

enum axis {
#define X(id, name) AXIS_##id,
	AXIS_LIST(X)
#undef X
		AXIS_COUNT
};

const char *axis_name(enum axis axis);

struct axis_verdict {
	size_t more, less; /* members that only NEW has, that only OLD has; equal where both are 0 */
};

/* "equal", "wider", "narrower" or "incomparable". */
const char *axis_relation(struct axis_verdict verdict);

/* An ADR that a row of either side cites. */
struct record {
	const char *text;            /* "phase7/0015" */
	const struct adr *old, *now; /* NULL where that side has not opened it */
	bool cited_old, cited_now;
	bool unsaved_old, unsaved_now; /* a saved side that does not cite it, or had not opened it */
	bool new_here; /* OLD has the folder of its scope, and no such file in it */
	bool status_changed;
	bool text_changed;
	const char *status_old, *status_now; /* "accepted", "missing", "not checked" */
	const char *successor; /* of a superseded one in NEW: "phase2/0011 (accepted 2026-05-17)", or NULL */
	const struct adr *successor_adr; /* NULL where it is not there, or not accepted */
	size_t change_count;
	size_t rows_shown, rows_more; /* of NEW, that cite it although it is accepted no longer */
};

struct change {
	enum change_class class;
	char sign;                 /* '+' and '-' as in NEW and in OLD, '~' both have it, '!' needs a look */
	const char *what;          /* "allow", "forbid", "tools", "" */
	const char *subject;       /* as it is shown */
	const struct layer *layer; /* NULL where it has no place */
	unsigned line;
	bool in_old;           /* the place is in OLD */
	bool powerless;        /* CHANGE_SCOPE_WIDENED by a row that lets nothing more run */
	const char *note;      /* NULL without one */
	struct record *record; /* NULL: no ADR decides it */
	const struct row *row; /* it is about, of the side that `in_old` says; NULL: none */
	const struct row *before; /* the row of OLD with the same subject, where both sides have one */
	const char *plugin; /* whose tools or file differ; NULL: none's */
	const struct row *revoke; /* of NEW, that took the row back */
	/* Of a row that a block of NEW allows, while all gain the same: what OLD's block forbade it by. */
	const struct row *lifted;
};

/* Roles and plugins that a verdict names. */
enum { NARROWED_SHOWN = 6 };

/* The calls that one role may do more with, and not everyone. */
struct role_wider {
	const struct block *old, *now; /* NULL where that side does not have it */
	const bool *calls;             /* by place in the table */
};

/* In the arena of `NEW`'s compilation. */
struct compared {
	const struct policy *old, *now;
	struct axis_verdict axes[AXIS_COUNT];
	struct axis_verdict everyone; /* of the commands, without what roles and plugins alone do */
	const char *narrowed_in;      /* "role probe, plugin a": where the others differ; NULL for nowhere, */
	size_t narrowed_count;        /* and in how many: the text names the first ones */
	const struct syscall_entry *const *wider_calls, *const *narrower_calls;
	size_t wider_call_count, narrower_call_count;
	size_t role_calls_wider; /* on the axis, of roles alone: none of those is among them */
	const struct role_wider *roles_wider;
	size_t roles_wider_count;
	struct record **records; /* cited on either side, in the order of the rows, NEW's first */
	size_t record_count;
	struct change *changes;
	size_t change_count;
	size_t unchanged_rows, unchanged_tools, unchanged_guards, unchanged_records;
	const char *not_compared; /* what a saved side cannot show; NULL where all is known */
	const char *format; /* "rg moved …", or NULL where not even the layout differs */
};

/* Whether the effective policies are the same; changes that decide nothing may be left. */
bool comparison_is_equivalent(const struct compared *comparison);

/* "kcmp process_vm_{readv,writev}" of the calls marked in `wanted`, by place in the table; "" without any. */
const char *calls_text(struct arena *arena, const bool *wanted);

/* 0 where nothing differs but the layout, 1 otherwise. */
int comparison_exit_status(const struct compared *comparison);

#endif
