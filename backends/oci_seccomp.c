/*
 * NAME.seccomp.json: the OCI runtime specification's linux.seccomp object, for runc, crun, Docker, Podman and
 * Kubernetes; NAME.be.seccomp.json for the big-endian ABIs. Names stand one a line, so that a change of the
 * policy shows as a change of lines.
 */
#include "backends/backend.h"
#include "backends/json_writer.h"
#include "backends/oci_format.h"
#include "backends/role_view.h"
#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/policy.h"

static void add_action(struct json_writer *json, const char *key, const char *errno_key, struct action action)
{
	json_text(json, key, oci_profile_action(action));
	if (oci_profile_errno(action))
		json_number(json, errno_key, oci_profile_errno(action));
}

static void add_arguments(struct json_writer *json, const struct oci_arguments *arguments)
{
	json_open_list(json, "args");
	for (unsigned index = 0; index < OCI_ARGUMENTS; index++) {
		if (!(arguments->used >> index & 1))
			continue;
		const struct oci_comparison *comparison = &arguments->items[index];
		json_open_object(json, NULL);
		json_number(json, "index", index);
		json_number(json, "value", oci_comparison_first(comparison));
		if (oci_comparison_is_masked(comparison))
			json_number(json, "valueTwo", oci_comparison_second(comparison));
		json_text(json, "op", oci_comparison_word(comparison));
		json_close_object(json);
	}
	json_close_list(json);
}

static void add_rule(struct json_writer *json, const struct oci_rule *rule)
{
	json_open_object(json, NULL);
	json_open_list(json, "names");
	for (size_t i = 0; i < rule->count; i++)
		json_text(json, NULL, rule->calls[i]->name);
	json_close_list(json);
	add_action(json, "action", "errnoRet", rule->action);
	if (rule->arguments)
		add_arguments(json, rule->arguments);
	json_close_object(json);
}

static void add_profile(struct strbuf *out, const struct emission *emission, enum oci_order order,
			const struct oci_profile *profile)
{
	(void)emission;
	(void)order;
	struct json_writer json = JSON_WRITER_INIT(out);
	json_open_object(&json, NULL);
	add_action(&json, "defaultAction", "defaultErrnoRet", profile->fallback);
	json_open_row(&json, "architectures");
	for (size_t i = 0; i < profile->architecture_count; i++)
		json_row_text(&json, profile->architectures[i]);
	json_close_row(&json);
	json_open_list(&json, "syscalls");
	for (size_t i = 0; i < profile->rule_count; i++)
		add_rule(&json, &profile->rules[i]);
	json_close_list(&json);
	json_close_object(&json);
	json_finish(&json);
}

static const struct oci_format format = {
	.backend = &backend_oci_seccomp,
	.suffixes = { [OCI_LITTLE_ENDIAN] = ".seccomp.json", [OCI_BIG_ENDIAN] = ".be.seccomp.json" },
	.form = OCI_DEFAULT_ERRNO,
	.write = add_profile,
};

static bool oci_seccomp_owns(const struct policy *policy, const char *path)
{
	return oci_format_owns(&format, policy, path);
}

static void oci_seccomp_list(const struct emission *emission, struct artifacts *out)
{
	oci_format_list(&format, emission, out);
}

static bool oci_seccomp_emit(const struct emission *emission, struct artifacts *out)
{
	return oci_format_emit(&format, emission, out);
}

/* A list of denials alone would let engines pass what they refuse by themselves. */
static bool oci_seccomp_by_default(const struct policy *policy)
{
	return policy_denies_by_omission(policy);
}

/* Of the policy and of each role that has a filter of its own: engines are given all of them, or none. */
static bool oci_seccomp_can_say(const struct policy *policy)
{
	struct arena *arena = arena_new();
	const struct policy *views = role_views(arena, policy);
	bool says = oci_profile_says(policy, OCI_DEFAULT_ERRNO);
	for (size_t i = 0; says && i < policy->role_count; i++)
		if (policy->roles[i]->seccomp)
			says = oci_profile_says(&views[i], OCI_DEFAULT_ERRNO);
	arena_free(arena);
	return says;
}

const struct backend backend_oci_seccomp = {
	.name = "oci-seccomp",
	.summary = "NAME.seccomp.json: a profile for container engines; by default where a policy denies by "
		   "omission",
	.by_default_for = oci_seccomp_by_default,
	.can_say = oci_seccomp_can_say,
	.needs_filter = true,
	.role_files = ROLE_FILES_FILTER,
	.replaces_engines = true,
	.owns = oci_seccomp_owns,
	.list = oci_seccomp_list,
	.emit = oci_seccomp_emit,
};
