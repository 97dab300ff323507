/*
 * A seccomp profile of container engines: the linux.seccomp object of the OCI runtime specification
 * (config-linux.md, section Seccomp), by itself or in a config.json, with what Docker and Podman write beside
 * it (archMap, includes, comment, errno). What a policy cannot say exactly is an error at its place.
 *
 * "Exactly" is for arguments as the kernel reads them: engines compare whole registers, a policy those bits
 * of which the kernel makes use. Two registers that are one argument to the kernel get one answer from the
 * policy, which is the engine's for the register whose other bits are zero.
 */
#ifndef ALLOWC_IMPORT_IMPORT_PROFILE_H
#define ALLOWC_IMPORT_IMPORT_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/policy/policy.h"

struct import;
struct json_value;
struct strbuf;

/* What a call gets by the profile's rules. */
struct profile_call {
	bool ruled;                    /* some rule is about it, and says another thing than the default */
	struct action action;          /* of what the rules name; all else gets the default */
	const struct json_value *name; /* in the first of the rules; only while the file is read */
	const char *const *conditions; /* one of them holds: "arg0 == 8 && arg1 == 0" */
	size_t count, capacity;        /* 0: whatever the arguments */
	bool implied;                  /* engines take it from rules about other calls */
	bool later_arguments;          /* some rule looks at another argument than the first */
};

struct import_profile {
	const struct source *source;
	struct action fallback;
	unsigned abis;              /* bits 1u << ABI_…; 0: that of whichever host runs the engine */
	struct profile_call *calls; /* by place in syscall_table */
	size_t *order;              /* those that are ruled, in the order of the text */
	size_t count;
};

/* The ABIs that it is for: all, where it is for that of the host. */
unsigned import_profile_abis(const struct import_profile *profile);

/* Whether one of those ABIs has the call, so that what the profile says of it decides anything. */
bool import_profile_has(const struct import_profile *profile, const struct syscall_entry *entry);

/*
 * Adds what engines take from the rules for calls that stand for others (socketcall, ipc). False when an
 * error was reported: something that they do, and no policy says.
 */
bool import_profile_complete(struct import *import, struct import_profile *profile);

/*
 * Adds a profile of other architectures to import->profile. False when an error was reported: the two are not
 * of one policy.
 */
bool import_profile_join(struct import *import, const struct import_profile *second);

/* Adds the settings, the groups and the rows to `out`, without a policy around. Nothing without a profile. */
void import_profile_print(struct import *import, struct strbuf *out);

#endif
