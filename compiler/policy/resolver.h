/*
 * What the parts of the resolver share. Internal to compiler/policy/: everyone else uses resolve.h.
 *
 * The order is: chain (layers and libraries are loaded and parsed), scopes (folders of ADRs), groups,
 * rows (one struct row a subject, each checked alone), merge (layer over layer), blocks (roles and
 * plugins), seccomp (settings and call rules), expectations. Each part reports and goes on; what
 * follows from a reported mistake is kept quiet by `broken`.
 */
#ifndef ALLOWC_POLICY_RESOLVER_H
#define ALLOWC_POLICY_RESOLVER_H

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/map.h"
#include "compiler/base/suggest.h"
#include "compiler/data/gates.h"
#include "compiler/policy/match.h"
#include "compiler/policy/policy.h"

/* A layer while it is resolved. */
struct layer_work {
	struct ast_layer ast;
	struct layer *layer; /* the same one as in policy->layers */
	struct ast_word name;
	bool named;          /* it has a `policy` statement */
	struct row **rows;   /* of the layer itself, not of its blocks */
	size_t row_count, row_capacity;
	struct sieve *subjects; /* of those rows, in their order: whose may come twice */
	bool revokes;           /* one of them is a `revoke` */
};

struct scope {
	const char *name;
	struct span span;
	struct adr_scope *adrs; /* NULL where the folder could not be opened */
	const struct ast_statement *statement;
	const char *const *accept; /* one list for all folders of a pattern */
	size_t accept_count;
	const struct layer *layer;
};

struct group {
	const char *name; /* with the '@' */
	struct span span;
	const struct ast_statement *statement;
	const struct layer_work *layer;
	const struct call_reference *calls; /* by call; those of one call in the order of the text */
	size_t call_count;
	enum { GROUP_NEW, GROUP_OPEN, GROUP_DONE } state;
};

/* A role or plugin while it is resolved; it merges what several layers say under one name. */
struct block_work {
	struct block block;
	const struct row **rows;
	size_t row_capacity;
	size_t last_layer; /* the index of the layer that named it last */
	struct row_index *index;
	struct map *seen[3];                /* its rows by subject_kind and subject, declines too */
	struct tool_list *tools, *optional; /* blocks.c */
};

struct silence; /* scopes.c: a row that its ADR does not name */
struct bound; /* scopes.c: an opened reference */

struct resolver {
	struct compilation *compilation;
	struct policy *policy;
	struct layer *layers;
	struct layer_work *works; /* lowest first */
	size_t layer_count;
	struct scope **scopes;
	size_t scope_count, scope_capacity;
	struct scope_names *scope_names;
	bool scopes_refused; /* a `decisions` was refused: scopes may be missing for that alone */
	struct group **groups;
	size_t group_count, group_capacity;
	struct map *group_names;
	size_t group_depth; /* of the group that is being filled */
	size_t group_calls; /* that groups took from other groups so far */
	size_t library_depth; /* of the one that is being loaded */
	struct map *libraries;     /* files brought in by `use`, by the file itself */
	struct map *shipped_libraries; /* likewise what ships with allowc, by name */
	struct map *broken;        /* commands of rows with a mistake */
	struct map *citations;     /* by layer's scope and text */
	const char *last_text;     /* the reference opened last: rows cite one ADR in long runs */
	bool last_quoted;
	const struct layer *last_layer;
	struct bound *last_bound;
	struct bound *bounds;      /* all of them */
	struct silence *silences;  /* the latest first */
	struct span seccomp_block; /* the keyword of the highest one; no source without any */
	const struct ast_statement *hot; /* the setting in force, or NULL */
	bool incomplete;           /* a layer is missing: what would follow from that stays quiet */
	bool calls_broken;         /* a row or setting about system calls is: what is denied is not certain */
	bool settings_broken;      /* a setting of the filter is: what passes by omission is not certain */
	bool groups_missing;       /* a library is: its groups are no mistake where they are named */
	struct map *lapsed;        /* entries of expectations that lapse, by the bytes of their spans */
	struct map *declined;      /* `decline` rows, by subject: they hide no other row */
	struct row **rows;         /* in force */
	size_t row_count, row_capacity;
	struct revocation *revocations;
	size_t revocation_count, revocation_capacity;
	struct block_work **blocks;
	size_t block_count, block_capacity;
	struct map *block_names[2]; /* of roles, of plugins; to the block_work */
	struct map *in_force[3];   /* by subject_kind: subject to row; commands once the index has them */
	struct row_index *index;   /* of the commands in force */
	const struct condition **conditions; /* all that stand in the text */
	size_t condition_count, condition_capacity;
	size_t strength_capacity; /* of the policy's `expect strength` */
	size_t door_capacity; /* of the policy's doors */
	size_t names_searched; /* for "did you mean" */
	/* While the calls of a role are looked at (role_enter): policy->seccomp is what the role gets. */
	const struct block *role;
	struct map *role_capabilities; /* that its own rows forbid, to the row */
	struct seccomp layers_seccomp; /* what policy->seccomp is otherwise */
};

/* chain.c: false where nothing can be resolved at all. */
bool chain_load(struct resolver *resolver, const char *path);

/*
 * Why a file that a policy names cannot be there at all, completes "'path' …": then the policy is wrong
 * rather than the machine. NULL of another errno.
 */
const char *file_absence(int error);

/* scopes.c */
void scopes_open(struct resolver *resolver);

/* The citations of a row's `adr` attribute, each opened and checked against its subjects. */
void citations_bind(struct resolver *resolver, const struct layer_work *layer,
		    const struct ast_attribute *attribute, struct row *const *rows, size_t row_count);

/*
 * The canonical text that citations of this ADR have, as the layer writes the reference outside a row. NULL
 * where it is no reference, or an error was found in the ADR: a diagnostic was reported.
 */
const char *reference_bind(struct resolver *resolver, const struct layer_work *layer,
			   const struct ast_word *word);

/*
 * For a row that cites none: a note where each accepted ADR of the layer's folder names the subject, of the
 * first few. The reference to the only one, in the arena; NULL where there is none, or several.
 */
const char *deciding_adr_note(struct resolver *resolver, const struct layer_work *layer, const char *subject,
			      struct diagnostic *d);

/* Says of each mistake in an ADR how many more rows cite it. */
void citations_close(struct resolver *resolver);

/* groups.c */
void groups_define(struct resolver *resolver, const struct layer_work *layer,
		   const struct ast_statement *statement);

/* The calls of every group, also of those that no row names: a mistake in one is always found. */
void groups_bind_all(struct resolver *resolver);

/*
 * The calls of one entry of a statement that is not broken, a name or a @group. False where it is neither: a
 * diagnostic was reported.
 */
bool calls_bind(struct resolver *resolver, const struct ast_entry *entry, const struct call_reference **calls,
		size_t *count);

/* condition_bind.c: what a condition on the call means. NULL where a mistake was reported. */
const struct condition *condition_bind(struct resolver *resolver, const struct syscall_entry *call,
				       const struct ast_expression *expression);
const struct condition *gate_condition(struct resolver *resolver, const struct gate *gate);

/* condition_warn.c: once the settings are known. */
void conditions_warn(struct resolver *resolver);

/* rows.c: the rows of one AST_ROW, appended to `rows`. `block` NULL for a layer's own. */
void rows_bind(struct resolver *resolver, struct layer_work *layer, struct block_work *block,
	       const struct ast_statement *statement);

/* Whether its own rows deny calls or a capability, which no filter may see. */
bool block_forbids_calls(const struct block *block);

/* Checks what a row says of other rows (requires, needs) once the policy is whole. */
void rows_check_relations(struct resolver *resolver);

/* row_subject.c: what a subject is. False where it is no subject: a diagnostic was reported. */
bool subject_bind(struct resolver *resolver, const struct ast_statement *statement,
		  const struct ast_entry *entry, struct row *row);

/* A command where one is named other than as a subject (tools, requires, expect). */
bool command_spelling_check(struct resolver *resolver, const struct ast_word *word);

/* merge.c */
void layers_merge(struct resolver *resolver);

/* blocks.c */
void blocks_bind(struct resolver *resolver);
void blocks_check(struct resolver *resolver);

/* settings.c and calls.c */
void seccomp_settings_bind(struct resolver *resolver);
void seccomp_rules_bind(struct resolver *resolver); /* of the layers, and of the role that was entered */

/* role_calls.c: once the rules of the layers are bound without a mistake. */
void role_filters_bind(struct resolver *resolver);

/* setting_calls.c: `base` and `hot`. False where an error was reported. */
bool base_bind(struct resolver *resolver, const struct ast_statement *statement, struct seccomp *seccomp);
bool hot_bind(struct resolver *resolver, const struct ast_statement *statement, struct seccomp *seccomp);

/* Warns of hot calls that the filter never lets pass, or never sees. */
void hot_warn(struct resolver *resolver);

/* The calls that a capability gates by number, in the arena. */
const struct call_reference *capability_calls(struct arena *arena, const struct capability *capability,
					      size_t *count);

/* What is denied when it is forbidden: those, and what it gates by arguments. */
const struct call_reference *capability_denials(struct resolver *resolver,
						const struct capability *capability, size_t *count);

/* Whether some arguments make both hold, on a named ABI. */
bool rules_overlap(const struct policy *policy, const struct call_rule *first,
		   const struct call_rule *second);

/* Whether all arguments that the rule is of are listed, as far as can be told. */
bool rule_is_admitted(const struct seccomp *seccomp, const struct call_rule *rule, enum abi abi);

/*
 * role_calls.c: between the two, what is asked of the policy's calls is asked of those of the role, which has
 * a filter of its own.
 */
void role_enter(struct resolver *resolver, const struct block *role);
void role_leave(struct resolver *resolver);

/* " in role 'probe'" of the one that was entered, "" of the layers. */
const char *in_role(const struct resolver *resolver);

/* The row that forbids it, of a layer or of the role that was entered; NULL where none does. */
const struct row *capability_row(const struct resolver *resolver, const char *name);

/* The first rule that denies `call` to some arguments at least; NULL where none does. */
const struct call_rule *denial_find(const struct policy *policy, const struct syscall_entry *call);

/* Whether some arguments (that make the condition hold) let it pass on some named ABI. */
bool call_is_allowed(const struct policy *policy, const struct call_reference *reference);

/* Reads `errno NAME`, `kill`, `log`, `allow`: false where it is none. `what` names the place. */
bool action_bind(struct resolver *resolver, struct span span, const struct ast_word *qualifier,
		 const struct ast_entries *entries, const char *allowed_forms, bool allow_is_one,
		 struct action *action);

/* expectations.c */
void expectations_check(struct resolver *resolver);

/* guards.c: what a change must not lose unseen, `expect` and `decisions`, into the policy. */
void guards_publish(struct resolver *resolver);

/* doors.c: warns of calls that pass and do what a denied one does. */
void doors_warn(struct resolver *resolver);

/* unsaid_needs.c: warns of allowed programs that are known to need what is denied. */
void unsaid_needs_warn(struct resolver *resolver);

/* adr_blocks.c: the rows that an ADR writes down against the rows that cite it. */
void adr_blocks_check(struct resolver *resolver);

/* warnings.c: checks of the whole that only warn. */
void policy_warn(struct resolver *resolver);

/* values.c: closed sets and small forms. */
bool name_is_policy_name(const char *name);
bool name_is_keyword(const char *identifier);
bool name_is_block_name(const char *name);
bool version_is_valid(const char *text);

/* Of a reason or title: false over REASON_LENGTH_MAX, which was reported. */
bool text_length_check(struct resolver *resolver, const struct ast_word *word);

bool spelling_is_valid(const char *text);
enum platform platform_find(const char *word);
const char *platform_nearest(const char *word);

/* ---- helpers ---- */

static inline struct diags *resolver_diags(const struct resolver *resolver)
{
	return resolver->compilation->diags;
}

/*
 * Whether a message may look through `names` for one that is nearly what was written. All messages of a
 * policy share a bound: 100,000 mistakes against 100,000 names would take an hour.
 */
bool names_may_be_searched(struct resolver *resolver, size_t names);

/* Marks a command as one that an error was reported for: what follows from it stays quiet. */
void command_break(struct resolver *resolver, const char *command);

/* Whether `command`, or a row that would decide it, is so marked. */
bool command_is_broken(const struct resolver *resolver, const char *command);

/* Adds "cited by phase7/0015 (accepted 2026-05-19)" to a message, or "" without a citation. */
const char *row_authority(const struct resolver *resolver, const struct row *row);

/* The row's own ADR as its layer would cite it: "0015", or "phase2/0001" of another scope; "…" without. */
const char *row_reference(const struct row *row);

/* The subject as the language writes it: docker, "docker buildx", syscall read, CAP_SYS_PTRACE. */
const char *subject_text(const struct resolver *resolver, const struct row *row);

#endif
