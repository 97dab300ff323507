/*
 * How strongly a row holds through an artifact: what is enforced, by whom, and where the holes are.
 * Source: the trials of tests/live/test_strength.py; a seccomp filter sees numbers, never a path.
 */
#ifndef ALLOWC_BACKENDS_STRENGTH_H
#define ALLOWC_BACKENDS_STRENGTH_H

#include <stddef.h>

#include "compiler/policy/strength_level.h"

struct arena;
struct policy;
struct row;

/* The artifacts that hold rows, by their backends' names. `caveat` is lines for the artifact's top. */
#define STRENGTH_ARTIFACT_LIST(X)                                                                        \
	X(C_HEADER, "c-header", CAVEAT_ASKED)                                                            \
	X(SECCOMP, "seccomp", CAVEAT_FILTER)                                                             \
	X(BPF, "bpf", CAVEAT_FILTER)                                                                     \
	X(OCI_SECCOMP, "oci-seccomp", CAVEAT_PROFILE)                                                    \
	X(PYTHON, "python", CAVEAT_ASKED)                                                                \
	X(PLUGIN_YAML, "plugin-yaml", CAVEAT_DECLARED)                                                   \
	X(NAMES, "names", CAVEAT_DECLARED)                                                               \
	X(MARKDOWN, "markdown", CAVEAT_DECLARED)                                                         \
	X(SPO, "spo", CAVEAT_OBJECT)

#define CAVEAT_ASKED                                                                                     \
	"Advisory: it binds callers that ask. Any code can call execve itself; the seccomp\n"           \
	"filter of the same policy stops no program, only the system calls that it denies."
#define CAVEAT_FILTER                                                                                    \
	"Mechanism: a filter sees the number of a system call and its registers, never a path.\n"       \
	"A forbidden program still starts; what the policy denies is refused, whoever asks."
#define CAVEAT_PROFILE                                                                                   \
	CAVEAT_FILTER "\n"                                                                               \
	"An engine takes this profile in place of its own. ABIs that the policy does not name\n"        \
	"(x32 unless it does), numbers that no table knows and calls that the engine's own\n"           \
	"libseccomp does not know get what the engine gives them."
#define CAVEAT_OBJECT                                                                                    \
	CAVEAT_PROFILE "\n"                                                                              \
	"Its format cannot say the errno of the default: what is refused by it gets EPERM."
/* Of a filter that --audit made, in place of CAVEAT_FILTER. */
#define CAVEAT_AUDIT                                                                                         \
	"Audit: nothing is refused. What the policy refuses, and every call of an ABI that it\n"             \
	"does not name, runs; the kernel logs it (SECCOMP_RET_LOG of seccomp(2), Linux 4.14)."
#define CAVEAT_DECLARED "Advisory: a declaration. Nothing enforces it but those who read it."

enum strength_artifact {
#define X(id, name, caveat) STRENGTH_##id,
	STRENGTH_ARTIFACT_LIST(X)
#undef X
	STRENGTH_ARTIFACT_COUNT,
	STRENGTH_DESCRIPTION = STRENGTH_ARTIFACT_COUNT, /* of backends that show rows and hold none */
};

const char *strength_artifact_name(enum strength_artifact artifact);

/* Lines of at most 84 characters, '\n' between them. */
const char *strength_caveat(enum strength_artifact artifact);

/* More lines for artifacts that hold commands, where this policy's rows call for them; "" where none do. */
const char *strength_commands_caveat(const struct policy *policy);

/* What must be known of the whole policy to judge one row: sets of rows, sorted by address. */
struct strength_sets {
	struct arena *arena;
	const struct policy *policy;
	const struct row **declared; /* listed in a manifest that is written */
	size_t declared_count;
	/*
	 * With a system call that the filter, or a role's own, refuses on their account; or of a role, with
	 * one that the layers refuse already.
	 */
	const struct row **denying;
	size_t denying_count;
	/* with a system call that passes on their account alone: what is not listed is refused */
	const struct row **admitting;
	size_t admitting_count;
};

struct strength_sets strength_sets_of(struct arena *arena, const struct policy *policy);

/* Of a row in force, or of a role or plugin. */
enum strength strength_of(const struct strength_sets *sets, const struct row *row,
			  enum strength_artifact artifact);

/*
 * What a reader of this one row must know, one sentence; NULL where there is nothing: the holes, what an
 * allowed launcher runs, what defeats a forbidden sub-command. In the arena of the sets.
 */
const char *strength_row_caveat(const struct strength_sets *sets, const struct row *row);

/* Of a command that no row decides: it is not allowed, which those learn who ask. */
enum strength strength_of_unlisted(enum strength_artifact artifact);

/*
 * strength_sentence.c: what the strength of this pair means, one sentence without its full stop; of an
 * unlisted command where `row` is NULL. In the arena of the sets, or static.
 */
const char *strength_sentence(const struct strength_sets *sets, const struct row *row,
			      enum strength_artifact artifact);

#endif
