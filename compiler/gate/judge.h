/*
 * What the parts of the gate share. Internal to compiler/gate/: everyone else uses gate.h.
 */
#ifndef ALLOWC_GATE_JUDGE_H
#define ALLOWC_GATE_JUDGE_H

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/map.h"
#include "compiler/diff/side.h"
#include "compiler/gate/gate.h"
#include "compiler/policy/policy.h"

struct trust;

/* What an ADR lets pass in this change. */
struct ratified {
	const char *adr;
	const struct row *row; /* of OLD where none of NEW takes its place */
	bool in_old;
};

struct judge {
	const struct side *old_side, *now_side;
	const struct policy *old, *now;
	const struct compared *comparison;
	const struct gate_rules *rules;
	struct compilation *compilation; /* of NEW */
	struct arena *arena;
	struct trust *trust;
	struct map *standings[2]; /* by trust_basis and the citation's text */
	struct map *overruling;   /* overrule.c: NULL until it is asked */
	struct map *declined;     /* widenings.c: OLD's declines by subject, NULL until one is looked for */
	struct map *refused;      /* the index, plus one, of what is refused once for many rows */
	struct map *judged;       /* rows whose citations were asked already, by pointer */
	struct map *refused_rows; /* ratify.c: rows with the rules that refused them */
	struct map *ratifying;    /* texts of ADRs that are among `adrs` */
	struct map *explained; /* rows that were judged, by pointer: why their calls may do more is known */
	struct refusal *refusals;
	size_t refusal_count, refusal_capacity;
	const char **adrs;
	size_t adr_count, adr_capacity;
	struct ratified *ratified; /* one row may stand in it twice */
	size_t ratified_count, ratified_capacity;
	size_t widenings;
	bool allowed[GATE_ALLOWANCE_COUNT]; /* what --allow let pass indeed */
};

/* ---- gate.c ---- */

/* Adds a refusal, to be filled further. */
struct refusal *refuse(struct judge *judge, enum gate_rule rule, const char *subject);

/* At a row; `in_old` where it is one of OLD. */
struct refusal *refuse_row(struct judge *judge, enum gate_rule rule, const struct row *row, bool in_old);

/* The same once for each key: NULL where it was refused already, which is counted. */
struct refusal *refuse_once(struct judge *judge, enum gate_rule rule, const struct row *row, const char *key);

/* Whether --allow lets it pass; remembers that it was needed. */
bool allowed(struct judge *judge, enum gate_allowance allowance);

/* Counts a widening, and the ADR that ratifies it (NULL for none). */
void widening_count(struct judge *judge, const char *adr);

/* Remembers what the ADR ratifies, for --exactly. NULL for none. */
void ratified_add(struct judge *judge, const char *adr, const struct row *row, bool in_old);

/* ---- trust.c: where OLD says that ADRs are ---- */

/*
 * Whose `decisions` and `accept` hold: OLD's, seen in NEW's files; or NEW's own, for rows that a change
 * leaves as they are once a person has allowed the change of trust.
 */
enum trust_basis { TRUST_OLD, TRUST_OWN };

void trust_begin(struct judge *judge);

/* Refuses every change of trust. */
void trust_check(struct judge *judge);

/* The ADRs of a scope, in NEW. NULL with a sentence in `*why` where none count. */
struct adr_scope *trust_scope(struct judge *judge, const char *scope, enum trust_basis basis,
			      const char **why);

/* The same in OLD; NULL where it did not open any. */
struct adr_scope *trust_scope_before(struct judge *judge, const char *scope);

/* "leads out of the project": what a link on a path in NEW does, or may do where the system does not say.
 * NULL where it stays, or is not there. */
const char *trust_departure(struct judge *judge, const char *path);

/* Scopes whose ADRs may overrule others. */
size_t trust_scope_count(const struct judge *judge);
const char *trust_scope_name(const struct judge *judge, size_t index);

/* The name of the one that the spelling means; NULL for none, or where it may mean several. */
const char *trust_scope_spelt(const struct judge *judge, const char *spelling);

/* ---- standing.c: what a citation is worth ---- */

struct standing {
	const char *text;         /* "phase7/0015" */
	const struct adr *adr;    /* NULL where there is not one file */
	const struct adr *before; /* in OLD; NULL where it was not there */
	bool good;                /* one file, accepted */
	bool amended;             /* both have it, and a reader sees other text than before */
	bool fresh;               /* amended, or new in NEW */
	enum gate_rule rule;      /* where it is not good: why, */
	const char *problem;      /* as a sentence */
};

const struct standing *standing_of(struct judge *judge, const char *citation, enum trust_basis basis);

/* "phase7/0015", "phase2/20260924-drop-dive": as a row would cite the ADR, by its file's name. */
const char *adr_citation(struct judge *judge, const struct adr *adr);

/* "phase7/15", "phase2/20260924-tools": one text for all spellings of a reference. In the arena. */
const char *citation_key(struct judge *judge, const char *text);

/* Whether the row cites the ADR of that key; whether two rows cite one. */
bool row_cites(struct judge *judge, const struct row *row, const char *key);
bool rows_share_adr(struct judge *judge, const struct row *a, const struct row *b);

/* ---- ratify.c ---- */

/*
 * Whether a code span of the ADR is the row's subject, and not more: `docker buildx` speaks of docker, and
 * grants nothing but docker buildx.
 */
bool row_is_granted(const struct row *row, const struct adr *adr);

/*
 * Whether an ADR that the row cites is good, names its subject, with what an allow row newly lets run by `as`
 * or `path`, and, where the row widens and that is asked for, is fresh. Its text, or NULL after refusing.
 */
const char *row_ratify(struct judge *judge, const struct row *row, bool widens);

/* The same of an allow row of a group that has other calls than in OLD. */
const char *group_ratify(struct judge *judge, const struct row *old, const struct row *now);

/* Asks of every row of NEW that was not judged what the compiler asks, under OLD's rules. */
void rows_stand(struct judge *judge);

/* ---- overrule.c ---- */

/*
 * Whether an ADR that supersedes or amends each of those that the forbid row of OLD cites is good and names
 * its subject. With `by`, a row of NEW, it must be cited there. Refuses where there is none.
 */
void forbid_lift(struct judge *judge, const struct row *forbid, const struct row *by);

/* ---- widenings.c ---- */
void changes_judge(struct judge *judge);

/* ---- settings.c ---- */
void settings_judge(struct judge *judge);

/* The calls of a row that was judged: what moves them is known. */
void calls_explain(struct judge *judge, const struct row *row);

/* ---- demands.c: --exactly, --fail-on, `until` ---- */
void demands_check(struct judge *judge);

#endif
