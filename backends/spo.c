/*
 * NAME.spo.yaml: the profile of oci_seccomp.c as a SeccompProfile of Kubernetes' security-profiles-operator.
 * Its SeccompProfileSpec (api/seccompprofile/v1beta1) has no defaultErrnoRet, so what is refused by default
 * gets EPERM, and each other errno is a rule.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/oci_format.h"
#include "backends/quote.h"
#include "backends/strength.h"
#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/strbuf.h"

/* A name in Kubernetes has no '_' and no capital letter, and ends with a letter or a digit. */
static const char *object_name(struct arena *arena, const struct policy *policy, enum oci_order order)
{
	char *name = arena_copy(arena, policy->name, strlen(policy->name)), *end = name + strlen(name);
	for (char *at = name; *at; at++)
		*at = *at == '_' ? '-' : ascii_lower(*at);
	/*
	 * The parts around a '.' begin and end so too. A policy's name has none; that of a role's view has.
	 */
	for (char *at = name; *at; at++)
		if (*at == '.' && (strchr("-.", at[-1]) || strchr("-.", at[1])))
			*at = '-';
	while (end[-1] == '-')
		*--end = '\0';
	return order == OCI_BIG_ENDIAN ? arena_printf(arena, "%s-be", name) : name;
}

static void add_member(struct strbuf *out, const char *literal, const char *text)
{
	strbuf_add_text(out, literal);
	quote_yaml(out, text);
	strbuf_add_text(out, "\n");
}

static void add_number(struct strbuf *out, const char *literal, uint64_t number)
{
	strbuf_add_text(out, literal);
	strbuf_printf(out, "%" PRIu64 "\n", number);
}

static void add_arguments(struct strbuf *out, const struct oci_arguments *arguments)
{
	strbuf_add_text(out, "      args:\n");
	for (unsigned index = 0; index < OCI_ARGUMENTS; index++) {
		if (!(arguments->used >> index & 1))
			continue;
		const struct oci_comparison *comparison = &arguments->items[index];
		add_number(out, "        - index: ", index);
		add_number(out, "          value: ", oci_comparison_first(comparison));
		if (oci_comparison_is_masked(comparison))
			add_number(out, "          valueTwo: ", oci_comparison_second(comparison));
		add_member(out, "          op: ", oci_comparison_word(comparison));
	}
}

static void add_rule(struct strbuf *out, const struct oci_rule *rule)
{
	add_member(out, "    - action: ", oci_profile_action(rule->action));
	if (oci_profile_errno(rule->action)) {
		strbuf_add_text(out, "      errnoRet: ");
		quote_number(out, oci_profile_errno(rule->action));
		strbuf_add_text(out, "\n");
	}
	strbuf_add_text(out, "      names:\n");
	for (size_t i = 0; i < rule->count; i++)
		add_member(out, "        - ", rule->calls[i]->name);
	if (rule->arguments)
		add_arguments(out, rule->arguments);
}

static void add_spec(struct strbuf *out, const struct oci_profile *profile)
{
	strbuf_add_text(out, "spec:\n");
	add_member(out, "  defaultAction: ", oci_profile_action(profile->fallback));
	strbuf_add_text(out, "  architectures:\n");
	for (size_t i = 0; i < profile->architecture_count; i++)
		add_member(out, "    - ", profile->architectures[i]);
	strbuf_add_text(out, profile->rule_count ? "  syscalls:\n" : "  syscalls: []\n");
	for (size_t i = 0; i < profile->rule_count; i++)
		add_rule(out, &profile->rules[i]);
}

static void add_object(struct strbuf *out, const struct emission *emission, enum oci_order order,
		       const struct oci_profile *profile)
{
	struct arena *arena = emission->compilation->arena;
	strbuf_add_text(out, "# ");
	mark_add(out, emission->policy, quote_text_line);
	strbuf_add_text(out, "\n#\n");
	caveat_add(out, "# ", strength_caveat(STRENGTH_SPO), quote_text_line);
	strbuf_add_text(out, "apiVersion: security-profiles-operator.x-k8s.io/v1beta1\n"
			     "kind: SeccompProfile\n"
			     "metadata:\n");
	add_member(out, "  name: ", object_name(arena, emission->policy, order));
	add_spec(out, profile);
}

static const struct oci_format format = {
	.backend = &backend_spo,
	.suffixes = { [OCI_LITTLE_ENDIAN] = ".spo.yaml", [OCI_BIG_ENDIAN] = ".be.spo.yaml" },
	.form = OCI_DEFAULT_EPERM,
	.write = add_object,
};

static bool spo_owns(const struct policy *policy, const char *path)
{
	return oci_format_owns(&format, policy, path);
}

static void spo_list(const struct emission *emission, struct artifacts *out)
{
	oci_format_list(&format, emission, out);
}

static bool spo_emit(const struct emission *emission, struct artifacts *out)
{
	return oci_format_emit(&format, emission, out);
}

const struct backend backend_spo = {
	.name = "spo",
	.summary = "NAME.spo.yaml: the profile for the security-profiles-operator of Kubernetes",
	.needs_filter = true,
	.role_files = ROLE_FILES_FILTER,
	.replaces_engines = true,
	.owns = spo_owns,
	.list = spo_list,
	.emit = spo_emit,
};
