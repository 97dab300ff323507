/*
 * What a policy makes of system calls: one by name, those of a group, or those that a capability gates. As
 * facts, like command_answer.h.
 */
#ifndef ALLOWC_EXPLAIN_CALL_ANSWER_H
#define ALLOWC_EXPLAIN_CALL_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/data/breakage.h"
#include "compiler/policy/policy.h"

struct arena;

/* What a call gets on one ABI. */
enum call_fate {
	FATE_ABSENT, /* the ABI has no such call */
	FATE_PASSES, /* also where it is only logged: the action says so */
	FATE_REFUSED,
	FATE_BY_ARGUMENTS,
};

struct abi_answer {
	enum abi abi;
	enum call_fate fate;
	struct action action; /* of FATE_PASSES and FATE_REFUSED, where its arguments do not choose */
	bool chosen;          /* among several actions of that fate, by its arguments */
};

/* Why: a rule of the policy. */
struct cause {
	const struct row *row;  /* of `base`: its group alone */
	const char *condition;  /* NULL: whatever the arguments */
	const char *capability; /* through which, or NULL */
	struct action action;   /* of a denial */
	bool denies;            /* or lets pass */
	bool base;              /* it is the policy's `base` */
};

struct call_answer {
	const struct syscall_entry *call;
	const struct abi_answer *abis; /* of the named ABIs, in the order of ABI_LIST */
	size_t abi_count;
	const struct cause *causes; /* denials first */
	size_t cause_count;
};

/* A row of a role that refuses some of it there. */
struct role_answer {
	const struct row *row;
	struct action action; /* where `acts` */
	bool acts;            /* the role has a filter of its own, which does it */
	bool already;         /* the layers refuse it likewise: the row adds nothing */
};

enum kernel_subject { KERNEL_CALL, KERNEL_GROUP, KERNEL_CAPABILITY };

struct kernel_answer {
	enum kernel_subject kind;
	const char *text;                /* "syscall ptrace", "@tracing", "CAP_SYS_PTRACE" */
	const struct call_answer *calls; /* by name; of a capability all that it gates */
	size_t call_count;
	const struct capability *capability; /* of KERNEL_CAPABILITY */
	const struct row *capability_row;    /* that forbids it, or NULL */
	const struct call_group *group;      /* of KERNEL_GROUP */
	const struct role_answer *roles;
	size_t role_count;
	const struct row *const *needed_by;  /* allowed commands that say that they need it */
	size_t needed_count;
	/* That stand open beside what is refused, or what a role's row refuses. */
	const struct door *const *doors;
	size_t door_count;
	/* What a filter cannot see of the capabilities behind it, sentences. */
	const char *const *capability_doors;
	size_t capability_door_count;
	const struct breakage *const *breaks; /* what the refusals commonly break */
	size_t break_count;
	const char *const *programs; /* known to need what is refused */
	size_t program_count;
};

/*
 * `text` is a call's name or "syscall NAME", "@group", or "CAP_NAME". False where there is none of that name:
 * `*message` then says so, in the arena, with the nearest.
 */
bool kernel_answer(struct arena *arena, const struct policy *policy, enum kernel_subject kind,
		   const char *name, struct kernel_answer *answer, const char **message);

/* Whether it is refused on all ABIs that have it, on none, or else. */
enum call_fate call_fate_overall(const struct call_answer *answer);

#endif
