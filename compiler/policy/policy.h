/*
 * The resolved policy: bound, merged and checked; what every backend and command reads and none
 * changes. Everything lives in the compilation's arena. Orders are those of the text, lower layers
 * first, and never depend on a hash.
 */
#ifndef ALLOWC_POLICY_POLICY_H
#define ALLOWC_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compiler/data/syscalls.h"
#include "compiler/policy/adr.h"
#include "compiler/policy/ast.h"
#include "compiler/policy/condition.h"
#include "compiler/policy/strength_level.h"

struct arena;
struct map;

enum subject_kind { SUBJECT_COMMAND, SUBJECT_CAPABILITY, SUBJECT_SYSCALL };
enum verdict { VERDICT_UNLISTED, VERDICT_ALLOWED, VERDICT_FORBIDDEN };

#define PLATFORM_LIST(X)           \
	X(LINUX, "linux")          \
	X(MACOS, "macos")          \
	X(WINDOWS, "windows")      \
	X(FREEBSD, "freebsd")

enum platform {
#define X(id, word) PLATFORM_##id,
	PLATFORM_LIST(X)
#undef X
	PLATFORM_COUNT
};

const char *platform_word(enum platform platform);

/* What a system call gets. */
enum action_kind { ACTION_ALLOW, ACTION_ERRNO, ACTION_KILL, ACTION_LOG };

struct action {
	enum action_kind kind;
	uint16_t errno_value; /* of ACTION_ERRNO: 1..4095 */
};

bool action_equal(struct action a, struct action b);

/* Whether a call that gets it runs: `log` only writes a line. */
bool action_passes(struct action action);

/*
 * How much a call that gets it may do, to be compared. To be logged is less than to pass unseen, to be killed
 * less than to be refused: a change that takes the log or the kill away widens.
 */
int action_reach(struct action action);

/* "allow", "errno EPERM", "kill", "log": as the language writes it. In the arena. */
const char *action_text(struct compilation *compilation, struct action action);

/* A cited ADR: `text` is canonical, "phase7/0015" (the number as wide as its file's name has it). */
struct citation {
	const char *text;
	struct span span;
	const struct adr *adr; /* NULL where it could not be opened */
};

/* A system call as a row names it, by itself or in a group. Several of one call are alternatives. */
struct call_reference {
	const struct syscall_entry *call;
	const struct condition *condition; /* NULL: whatever its arguments */
};

/* "read", "socket(domain == AF_ALG)". In the arena, or a call's name. */
const char *call_reference_text(struct arena *arena, const struct call_reference *reference);

/* Adds calls to a set of such texts. */
void calls_put(struct arena *arena, struct map *set, const struct call_reference *calls, size_t count);

/* Whether the set has the call, or all of it: "socket" of what is "socket(domain == AF_ALG)". */
bool call_is_in(struct arena *arena, const struct call_reference *call, const struct map *set);

struct need {
	const struct capability *capability; /* NULL: system calls */
	const struct call_reference *calls;  /* what it brings; of a capability, by number */
	size_t call_count;
	struct span span;
};

struct requirement {
	const char *command, *operator, *version; /* the last two NULL without a condition */
	struct span span;
};

/* What few rows say. */
struct row_more {
	const char *instead; /* NULL where not given */
	const char *until;   /* YYYY-MM-DD or NULL */
	const struct need *needs;
	size_t need_count;
	const struct requirement *requirements;
	size_t requirement_count;
	const char *const *paths;
	size_t path_count;
	struct span action_span;
	struct action action; /* `with` */
	bool has_action;
	unsigned platforms; /* bits 1u << PLATFORM_…; 0: all */
};

/*
 * One subject of one row: `allow git, node` makes two. A policy may have a million, and each byte of a row
 * costs time, in the kernel that gives the page and wherever all rows are walked: so what few have stands
 * apart.
 */
struct row {
	enum verb verb : 8;
	enum subject_kind kind : 8;
	bool spelling_given : 1; /* by `as` */
	bool revoked : 1;        /* a layer above took it back */
	bool broken : 1;         /* an error was reported in it: nothing follows from it */
	uint32_t statement;      /* where it begins in the text: one for all subjects of a list */
	const char *subject;  /* "docker buildx", "CAP_SYS_PTRACE", "ptrace" (or "@group" as written),
				 "socket(domain == AF_ALG)" */
	const char *spelling; /* commands: where no blank can stand, by `as` or joined by '-' */
	const struct layer *layer;
	const struct block *block; /* the role or plugin that holds it, or NULL */
	struct span span;          /* of the subject */
	const struct citation *citations;
	size_t citation_count; /* at least 1 in a policy without errors */
	const char *reason;    /* NULL where not given */
	const struct call_reference *calls; /* SUBJECT_SYSCALL: the group's members, or the one */
	size_t call_count;
	const struct row_more *more; /* NULL where it says nothing of that: see row_more() */
};

static inline const struct row_more *row_more(const struct row *row)
{
	static const struct row_more none;
	return row->more ? row->more : &none;
}

/* Whether a command is spelt as its words are, joined by '-': by `as` it would be another program. */
bool row_spelling_is_own(const struct row *row);

/* Capabilities and system calls are Linux's: rows for other systems alone reach no filter. */
bool row_is_for_linux(const struct row *row);

/*
 * Whether a code span of the ADR names the row's subject. One that speaks of clone speaks of
 * clone(flags & CLONE_NEWUSER) too.
 */
bool row_is_named(const struct row *row, const struct adr *adr);

struct layer {
	const char *name, *title; /* title NULL where not given */
	const struct source *source;
	const char *file;  /* base name of its path */
	const char *scope; /* of its bare ADR numbers */
	size_t index;      /* 0 is the bottom */
};

struct seccomp;

/* A role or a plugin: its own rows are asked first, then the layers. */
struct block {
	enum ast_kind kind; /* AST_ROLE or AST_PLUGIN */
	const char *name;
	struct span span;   /* of the name */
	const struct layer *layer; /* where it is first written */
	const struct row *const *rows;
	size_t row_count;
	const struct row_index *index; /* of its allow and forbid rows; match.h */
	const char *file;   /* plugin … "file", or NULL */
	const char *file_path; /* the same as it is opened; NULL without one */
	struct span file_span;
	const struct layer *file_layer; /* that names it */
	const struct source *manifest; /* that file's text; NULL where it does not exist or is not read */
	const struct row *const *tools; /* the allow rows, in the block's order */
	size_t tool_count;
	const struct row *const *optional; /* likewise */
	size_t optional_count;
	bool written;       /* a plugin of the compiled layer itself */
	/* A role whose own rows deny system calls that the layers let pass: its filter. NULL: that of the
	 * layers. */
	const struct seccomp *seccomp;
};

/* `output BACKEND "path" [region NAME]` of the compiled layer itself: for sync. */
struct output {
	const char *backend;        /* as written: the resolver knows no backends */
	const char *path, *region;  /* as written; region NULL without one */
	const char *file_path;      /* the path as it is opened */
	const struct layer *layer;
	struct span backend_span, path_span, region_span;
};

/* Why a call is denied, or allowed: one per call, row and condition. */
struct call_rule {
	const struct syscall_entry *call;
	const struct row *row;
	const struct capability *capability; /* through which, or NULL */
	const struct condition *condition;   /* NULL: whatever its arguments */
	const struct syscall_entry
		*follows; /* clone, of clone3 that is denied since it hides its flags; or NULL */
	/*
	 * Of a denial: what the call gets. An explicit `with` goes before `deny-with` wherever two denials of
	 * one call hold together; denials without a condition all have one action, and so have those with
	 * `with` that can hold together.
	 */
	struct action action;
	bool repeats; /* an earlier rule has the same condition and action: this one adds nothing */
};

struct seccomp {
	struct action fallback; /* `default`; under a `base` never allow, but errno EPERM */
	struct action deny;     /* `deny-with` */
	bool unknown_default;   /* `unknown default`: as `default` */
	struct action unknown;  /* else this */
	unsigned abis;          /* bits 1u << ABI_… */
	const struct call_rule *denied;  /* sorted by call's name, then policy order */
	size_t denied_count;
	const struct call_rule *allowed; /* allow syscall rows; only where calls are denied by omission */
	size_t allowed_count;
	const char *base; /* "@container": the group that is allowed too; NULL without one */
	struct span base_span;
	/* Sorted by the call's name; several of one are alternatives. */
	const struct call_reference *base_calls;
	size_t base_call_count;
	const struct row *base_row; /* what rules that follow from `base` name: its group and span alone */
	const struct syscall_entry *const *hot; /* to be decided first; sorted by name */
	size_t hot_count;
	bool audit; /* never of a resolved policy: what would be refused is logged, and nothing is refused */
};

/* The entries of `base` for the call: they let it pass where nothing denies it. NULL where there is none. */
const struct call_reference *base_entries(const struct seccomp *seccomp, const struct syscall_entry *call,
					  size_t *count);

/*
 * What lets a call pass where calls are denied by omission, one after another: the `allow syscall` rows and
 * then the entries of `base`.
 */
struct admissions {
	const struct call_rule *rules;
	const struct call_reference *entries;
	size_t rule_count, entry_count;
};

struct admissions admissions_of(const struct seccomp *seccomp, const struct syscall_entry *call);

/* The condition of the next, NULL for one without. False after the last. */
bool admissions_next(struct admissions *admissions, const struct condition **condition);

/* Where the rules of `call`, sorted as `denied` and `allowed` are, begin; or where they would. */
size_t call_rules_begin(const struct call_rule *rules, size_t count, const struct syscall_entry *call);

/* A row of a lower layer that a `revoke` took back: for explain, list and diff. */
struct revocation {
	const struct row *row, *revoke;
};

/* One entry of an `expect` that held when the policy was resolved; what diff and gate compare. */
struct guard {
	enum expectation kind;
	const char *text; /* "forbidden strace", "denied syscall ptrace": as the language writes it */
	const struct layer *layer;
	struct span span;
};

/* Calls that pass and do what a row denies: what -Wincomplete-group tells, whether or not it is on. */
struct door {
	const struct row *row;
	const struct syscall_entry *refused;
	/*
	 * NULL-terminated: calls that reach the same end, so that the door stands open beside each of them
	 * that is refused. NULL where it does for what the row refuses of its call alone.
	 */
	const char *const *calls;
	const char *text; /* "mkdirat does the same on x86_64 and passes" */
};

/* Whether the door stands open beside what the row refuses: a role may have closed one of the layers. */
bool door_is_beside(const struct door *door, const struct row *row);

/* A named set of system calls: `syscalls @NAME { … }`, the policy's own or one of a library in use. */
struct call_group {
	const char *name; /* with the '@' */
	const struct call_reference *calls;
	size_t call_count;
	struct span span;
};

/* `expect strength LEVEL`: what each forbidden row must have in the artifacts that a run emits. */
struct strength_expectation {
	enum strength level;
	struct span span; /* of the level */
};

/* A `decisions`: where the ADRs of a scope are, and which words mean accepted. */
struct authority {
	const char *scope;
	const char *folder;        /* as it is written */
	const char *const *accept; /* in the order of the text */
	size_t accept_count;
	const struct layer *layer;
	struct span span;
	struct adr_scope *adrs; /* NULL where no ADR was opened */
};

struct policy {
	const char *name;       /* "phase7" */
	const char *identifier; /* '-' as '_' */
	const char *title;      /* NULL where not given */
	unsigned edition;
	const char *file;       /* base name of the compiled file, "stdin" for standard input */
	const struct layer *layers; /* lowest first; the last is the compiled one */
	size_t layer_count;
	const struct row *const *rows; /* in force: layers only, lowest first, without revoked ones */
	size_t row_count;
	const struct revocation *revocations;
	size_t revocation_count;
	const struct block *const *roles;
	size_t role_count;
	const struct block *const *plugins;
	size_t plugin_count;
	const struct output *outputs;
	size_t output_count;
	const struct guard *guards; /* in the order of the text, lowest layer first */
	size_t guard_count;
	const struct strength_expectation *strengths; /* likewise; only a run that emits can hold them */
	size_t strength_count;
	const struct door *doors; /* those of a policy without errors; one for each end that calls reach */
	size_t door_count;
	const struct call_group *groups; /* in the order of the text, lowest layer first */
	size_t group_count;
	const struct authority *authorities; /* likewise */
	size_t authority_count;
	struct seccomp seccomp;
	size_t allowed_count, forbidden_count, declined_count; /* commands in force */
	const struct row_index *index; /* match.h */
	const struct block *role; /* what the role gets (backends/role_view.h); never of a resolved policy */
	bool saved; /* read from NAME.json: no texts, nor folders of ADRs, are at hand (diff/saved.h) */
};

/* Of texts that may be missing, as NULL. */
static inline bool texts_equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* NULL where the policy has none of that name. */
static inline const struct layer *policy_layer(const struct policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->layer_count; i++)
		if (strcmp(policy->layers[i].name, name) == 0)
			return &policy->layers[i];
	return NULL;
}

/* A role or plugin by its name, or NULL. */
static inline const struct block *policy_block(const struct block *const *blocks, size_t count,
					       const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(blocks[i]->name, name) == 0)
			return blocks[i];
	return NULL;
}

/* Of the commands in force, once the rows are those. */
static inline void policy_count_rows(struct policy *policy)
{
	policy->allowed_count = policy->forbidden_count = policy->declined_count = 0;
	for (size_t i = 0; i < policy->row_count; i++) {
		const struct row *row = policy->rows[i];
		if (row->kind != SUBJECT_COMMAND)
			continue;
		policy->allowed_count += row->verb == VERB_ALLOW;
		policy->forbidden_count += row->verb == VERB_FORBID;
		policy->declined_count += row->verb == VERB_DECLINE;
	}
}

/* Whether the filter is for this ABI (enum abi). */
static inline bool policy_names_abi(const struct policy *policy, unsigned abi)
{
	return policy->seccomp.abis >> abi & 1;
}

/* Whether at least one named ABI has the call. */
bool policy_has_call(const struct policy *policy, const struct syscall_entry *call);

/* Whether a named ABI has the call, and arguments that the rule is of: some conditions never hold. */
bool rule_can_hold(const struct policy *policy, const struct call_rule *rule);
bool reference_can_hold(const struct policy *policy, const struct call_reference *reference);

/*
 * Whether a call that no row names is refused. Only then may a filter take the place of another
 * program's own: a list of denials would let pass what that one refuses.
 */
static inline bool policy_denies_by_omission(const struct policy *policy)
{
	return !action_passes(policy->seccomp.fallback);
}

/*
 * Whether some arguments let the call pass on `abi`, which has it: of those that make `condition` hold, if
 * any. Where an ABI hides an argument from filters, a denial's condition counts as one that holds there, and
 * that of an `allow` as one that does not.
 */
bool call_may_pass(const struct policy *policy, const struct syscall_entry *call,
		   const struct condition *condition, enum abi abi);

/*
 * The row of the first rule that looks at the call's arguments: of a denial, of an `allow`, or of `base`.
 * NULL where none does.
 */
const struct row *conditional_row(const struct policy *policy, const struct syscall_entry *call);

/* Whether some arguments let it pass, and others do not. */
bool call_is_split(const struct policy *policy, const struct syscall_entry *call, enum abi abi);

/* System calls that at least one named ABI has. */
struct call_counts {
	size_t whole, part; /* for all arguments; for some */
};

/* Those that rows deny. */
struct call_counts policy_denied_calls(const struct policy *policy);

/* Those that `allow syscall` rows and `base` let pass; none where the default lets everything pass. */
struct call_counts policy_admitted_calls(const struct policy *policy);

#endif
