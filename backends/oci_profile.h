/*
 * The profile that container engines take: one default and rules by name, for all architectures alike.
 * Source of its form and words: the OCI runtime specification, config-linux.md, section Seccomp.
 *
 * It comes from the decisions behind the filter (decisions.h), so that both say the same of each known number
 * of each named ABI. A rule is for all ABIs; an engine passes over a name that one of them lacks.
 */
#ifndef ALLOWC_BACKENDS_OCI_PROFILE_H
#define ALLOWC_BACKENDS_OCI_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/oci_arguments.h"
#include "compiler/policy/policy.h"

struct arena;
struct compilation;

/* One filter of libseccomp has one byte order, and so has a profile. */
enum oci_order { OCI_LITTLE_ENDIAN, OCI_BIG_ENDIAN, OCI_ORDER_COUNT };

/* A format that cannot say the default's errno leaves the engine's. */
enum oci_default { OCI_DEFAULT_ERRNO, OCI_DEFAULT_EPERM };

struct oci_rule {
	struct action action; /* never the profile's default: engines pass over such a rule */
	const struct syscall_entry *const *calls; /* by name, of the named ABIs */
	size_t count;
	const struct oci_arguments *arguments; /* which they must have; NULL: any. Then there is one call */
};

/*
 * A call that is decided by arguments as no profile can say it. What its row refuses gets the profile's
 * default, so that all such calls are refused alike.
 */
struct oci_unsayable {
	const struct syscall_entry *call;
	bool alone; /* the call could be said if the default were `refused`: the default is the cause */
	struct action refused;
	const struct syscall_entry *other; /* one that wants another default, `other_refused`; NULL */
	struct action other_refused;
};

struct oci_profile {
	struct action fallback;
	const char *const *architectures; /* "SCMP_ARCH_X86_64" */
	size_t architecture_count;
	const struct oci_rule *rules; /* what passes, what is logged, errnos ascending, what is killed */
	size_t rule_count;
	const struct oci_unsayable *unsayable; /* NULL: it says all */
};

/* Whether the policy names an ABI of this byte order: else there is nothing to say. */
bool oci_profile_wanted(const struct policy *policy, enum oci_order order);

/*
 * In the arena. The policy names an ABI of this byte order. Where `unsayable` is set, the rest is none: a
 * profile that says nearly the same would let more pass, or less, than the filter.
 */
struct oci_profile oci_profile_make(struct arena *arena, const struct policy *policy, enum oci_order order,
				    enum oci_default form);

/* "SCMP_ARCH_X86_64"; of every ABI that a policy can name. */
const char *oci_profile_architecture(enum abi abi);

/* "SCMP_ACT_ALLOW" */
const char *oci_profile_action(struct action action);

/*
 * The number that must stand beside it, or 0. EPERM need not: it is what the specification gives an errno
 * that is not said, and systemd-nspawn 252 knows no member for another. crun takes none beside what is no
 * errno.
 */
unsigned oci_profile_errno(struct action action);

/* Whether a profile can say what the policy says, for all byte orders. */
bool oci_profile_says(const struct policy *policy, enum oci_default form);

/* The error of a profile that was asked for (DIAG_OCI_CONDITION), at the row that looks at the arguments. */
void oci_profile_report(struct compilation *compilation, const struct policy *policy,
			const struct oci_unsayable *unsayable);

/*
 * Warns (DIAG_OCI_LEFT_OUT) that a profile which would be made by default is not, for the same reason.
 */
void oci_profile_warn_left_out(struct compilation *compilation, const struct policy *policy);

/*
 * Warns (DIAG_OCI_REPLACES_DEFAULT) where an engine would let pass by this policy's profile what it refuses
 * by its own: the policy denies by name alone.
 */
void oci_profile_warn(struct compilation *compilation, const struct policy *policy);

#endif
