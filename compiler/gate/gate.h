/*
 * May this change land? Judges what a comparison found by the rules of OLD, whatever NEW says of them, and
 * fails closed: what no rule opens stays shut. adr/0020-the-gate.md has the attacks that it was tried with.
 */
#ifndef ALLOWC_GATE_GATE_H
#define ALLOWC_GATE_GATE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/diff/change.h"

struct json_writer;
struct side;
struct strbuf;

/* X(IDENTIFIER, "id", "what shuts the gate"). The ids are for ever: people search for them. */
#define GATE_RULE_LIST(X)                                                                                    \
	X(ADR_SCOPE, "adr-scope", "no `decisions` that counts says where the cited ADR is")                  \
	X(ADR_MISSING, "adr-missing", "the cited ADR is not there, or deleted by the change")                \
	X(ADR_AMBIGUOUS, "adr-ambiguous", "several ADRs have the cited number")                              \
	X(ADR_STATUS, "adr-status", "the cited ADR is not accepted")                                         \
	X(ADR_SILENT, "adr-silent", "the cited ADR does not name the subject in a code span")                \
	X(ADR_UNCHANGED, "adr-unchanged", "--require-adr=changed: the ADR is neither new nor amended here")  \
	X(ADR_CHECK, "adr-check", "the checks of ADRs reject NEW for another reason")                        \
	X(FORBID_LIFTED, "forbid-lifted", "a forbid row goes or says less, and no ADR overrules its own")    \
	X(TRUST_CHANGED, "trust-changed", "where ADRs are, or which words mean accepted, differs")           \
	X(GUARD_REMOVED, "guard-removed", "an expectation is gone, or lapses")                               \
	X(SECCOMP_SETTING, "seccomp-setting", "a setting of the filter, or its base, lets more pass")        \
	X(EXPIRED, "expired", "the `until` of a row of NEW is past")                                         \
	X(EXACTLY, "exactly", "--exactly: the ADR lets other things pass, or is none")                       \
	X(WIDER, "wider", "--fail-on wider: NEW may do more than OLD")                                       \
	X(CHANGED, "changed", "--fail-on any: something differs")

enum gate_rule {
#define X(id, name, meaning) GATE_##id,
	GATE_RULE_LIST(X)
#undef X
		GATE_RULE_COUNT
};

const char *gate_rule_name(enum gate_rule rule);
const char *gate_rule_meaning(enum gate_rule rule);

/* What --allow can name: changes that cite no ADR, so that only a person can let them pass. */
#define GATE_ALLOWANCE_LIST(X)                                                                               \
	X(TRUST_CHANGED, "trust-changed")                                                                    \
	X(GUARD_REMOVED, "guard-removed")                                                                    \
	X(SECCOMP_SETTING, "seccomp-setting")

enum gate_allowance {
#define X(id, name) GATE_ALLOW_##id,
	GATE_ALLOWANCE_LIST(X)
#undef X
		GATE_ALLOWANCE_COUNT
};

enum gate_fail_on { FAIL_ON_NOTHING, FAIL_ON_WIDER, FAIL_ON_ANY };

/* How strict it is. Zeros are the default. */
struct gate_rules {
	bool adr_changed; /* --require-adr=changed */
	enum gate_fail_on fail_on;
	bool allowed[GATE_ALLOWANCE_COUNT];
	const char *const *exactly; /* "0015=dive,docker buildx" */
	size_t exactly_count;
	const char *today; /* YYYY-MM-DD, or NULL: no `until` is judged */
	bool initial;      /* there is no OLD: NEW sets the rules */
};

/* One thing that shuts the gate. */
struct refusal {
	enum gate_rule rule;
	const struct layer *layer; /* NULL where it has no place */
	unsigned line;
	bool in_old;         /* the place is in OLD */
	const char *subject; /* "" without one */
	const char *problem; /* a sentence without an end */
	const char *edit;    /* what would satisfy the rule */
	size_t more;         /* further rows with the same problem */
};

struct gate {
	const struct refusal *refusals; /* open where there is none */
	size_t refusal_count;
	size_t widenings;        /* changes that let more pass, or take a guard away */
	const char *const *adrs; /* that ratify them: "phase7/0015" */
	size_t adr_count;
	bool allowed[GATE_ALLOWANCE_COUNT]; /* what --allow let pass, indeed */
};

const char *gate_allowance_name(enum gate_allowance allowance);

/*
 * `comparison` is of both sides' policies. What is found lives in the arena of `now`, where trouble with ADRs
 * is reported too.
 */
const struct gate *gate_judge(const struct side *old, struct side *now, const struct compared *comparison,
			      const struct gate_rules *demanded);

/* ---- how it is told (gate_report.c) ---- */

/* Lines for the end of a report; `whole` with each refusal's place and problem. */
void gate_text(const struct gate *gate, bool whole, struct strbuf *out);

/* The same for a review, in no more than `most` bytes. */
void gate_markdown(const struct gate *gate, size_t most, struct strbuf *out);

/* The member "gate". */
void gate_json(const struct gate *gate, struct json_writer *json);

#endif
