/*
 * A backend is a pure function from the resolved policy to bytes. It reports what its format cannot say
 * and never prints, reads or writes.
 *
 * Text reaches an artifact only through the quoting function of the target language (quote.h).
 */
#ifndef ALLOWC_BACKENDS_BACKEND_H
#define ALLOWC_BACKENDS_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct block;
struct compilation;
struct filter;
struct policy;
struct strbuf;

/*
 * The backends that this allowc has, in the order in which artifacts are listed: X(identifier, what a row
 * gets from it). The second is an enum strength_artifact of strength.h, so that none is added without saying
 * how strongly it holds: STRENGTH_DESCRIPTION where it holds nothing, as what audits.
 */
#define BACKEND_LIST(X)                                                                                      \
	X(c_header, STRENGTH_C_HEADER)                                                                       \
	X(seccomp, STRENGTH_SECCOMP)                                                                         \
	X(bpf, STRENGTH_BPF)                                                                                 \
	X(oci_seccomp, STRENGTH_OCI_SECCOMP)                                                                 \
	X(python, STRENGTH_PYTHON)                                                                           \
	X(plugin_yaml, STRENGTH_PLUGIN_YAML)                                                                 \
	X(json, STRENGTH_DESCRIPTION)                                                                        \
	X(listing, STRENGTH_DESCRIPTION)                                                                     \
	X(names, STRENGTH_NAMES)                                                                             \
	X(markdown, STRENGTH_MARKDOWN)                                                                       \
	X(spo, STRENGTH_SPO)                                                                                 \
	X(seccomp_audit, STRENGTH_DESCRIPTION)                                                               \
	X(bpf_audit, STRENGTH_DESCRIPTION)                                                                   \
	X(listing_audit, STRENGTH_DESCRIPTION)

#define X(identifier, strength) extern const struct backend backend_##identifier;
BACKEND_LIST(X)
#undef X

/*
 * What a backend is given. `filter` is there when `needs_filter` is set, and proven. One that audits is given
 * the policy with `seccomp.audit` set, and the filter of that.
 */
struct emission {
	struct compilation *compilation;
	const struct policy *policy;
	const struct filter *filter;
};

/* For which roles a backend writes a file of their own. */
enum role_files { ROLE_FILES_NONE, ROLE_FILES_FILTER /* those with a filter of their own */, ROLE_FILES_ALL };

struct artifact {
	const char *backend;
	const char *path; /* relative to the output folder, '/' between parts, never ".." */
	const char *bytes;
	size_t size;
	const char *generator; /* the program outside that made it; NULL: a backend */
};

struct artifacts {
	struct artifact *items;
	size_t count, capacity;
};

struct backend {
	const char *name;
	const char *summary; /* one line, for --help and the man page */
	bool by_default;
	/* Where not NULL: whether by default for policies of this kind. */
	bool (*by_default_for)(const struct policy *policy);
	/*
	 * Where not NULL: whether it can say what this policy does. What cannot is left out of a default;
	 * what an earlier run wrote is then an orphan: engines must not go on with an older policy.
	 */
	bool (*can_say)(const struct policy *policy);
	bool needs_filter;
	/* Of those, list() and emit() are asked again with the view of each (role_view.h). */
	enum role_files role_files;
	bool replaces_engines; /* container engines take it in place of a profile of their own */
	const struct backend *audit; /* what --audit chooses in its place; NULL where there is nothing */
	bool audits;                 /* is such a one: no name for --emit leads to it */
	/* Whether this backend could have written `path` for this policy or an earlier form of it. */
	bool (*owns)(const struct policy *policy, const char *path);
	/* The paths alone, without contents, and without a filter: for --list-outputs. */
	void (*list)(const struct emission *emission, struct artifacts *out);
	/* False when an error was reported. */
	bool (*emit)(const struct emission *emission, struct artifacts *out);
};

/* The table. */
extern const struct backend *const backends[];
extern const size_t backend_count;

/* What a row gets from it: an enum strength_artifact, STRENGTH_DESCRIPTION where it holds none. */
unsigned backend_strength(const struct backend *backend);

const struct backend *backend_find(const char *name);
const char *backend_nearest(const char *name);

/* Appends an artifact; path and bytes are copied into the compilation's arena. */
void artifact_add(const struct emission *emission, struct artifacts *out, const struct backend *backend,
		  const char *path, const char *bytes, size_t size);

/* The same with the text of `text`, which is empty afterwards: a header of 20 MB is not copied. */
void artifact_take(const struct emission *emission, struct artifacts *out, const struct backend *backend,
		   const char *path, struct strbuf *text);

/* What most backends write is one file, NAME and a suffix: its path (in the arena) and whose it is. */
const char *artifact_name(const struct emission *emission, const char *suffix);
bool artifact_is_named(const struct policy *policy, const char *path, const char *suffix);

/*
 * The same, or NAME, '.', a role and the suffix, whether or not the policy has the role: it may have had it.
 * No role with files of its own has a last part that a suffix could begin with: the resolver refuses such.
 */
bool artifact_is_named_for_role(const struct policy *policy, const char *path, const char *suffix);

/* Whether emit() of the backend is asked for the role too. */
bool backend_writes_role(const struct backend *backend, const struct block *role);

/*
 * The policy's part of an include guard: "phase7", "my_DASH_policy", "phase7_DOT_gate" of a role. No two
 * names have the same, whatever identifiers they share; and with its lower-case letters it is no macro of any
 * artifact. In the arena.
 */
const char *artifact_guard(struct arena *arena, const struct policy *policy);

/*
 * The first line of every marked artifact holds this sentence; output.c takes a file with it in its
 * first 4096 bytes as allowc's own. It names the policy's file by its base name.
 */
#define GENERATED_MARK "Generated by allowc from "

/*
 * That sentence: "Generated by allowc from phase7.allow; do not edit.", without a line end. `quote` is
 * the function of quote.h for a comment of the target language.
 */
void mark_add(struct strbuf *out, const struct policy *policy,
	      void (*quote)(struct strbuf *out, const char *text));

/* Each line of a caveat (strength.h) after `prefix`, which is the start of a comment's line. */
void caveat_add(struct strbuf *out, const char *prefix, const char *caveat,
		void (*quote)(struct strbuf *out, const char *text));

#endif
