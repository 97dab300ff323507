/* What a strength means for one row and one artifact, in one plain sentence. */
#include <string.h>

#include "backends/strength.h"
#include "compiler/base/arena.h"
#include "compiler/data/known_needs.h"
#include "compiler/policy/policy.h"

static bool refuses(const struct call_rule *rule, const struct row *row)
{
	return rule->row == row && !action_passes(rule->action);
}

/* The calls that are refused on the row's account: how many, and the one to name. */
struct refused {
	const char *name;
	size_t count;
	bool in_part; /* each with some arguments alone */
};

/* The first that an ABI of the policy has, with such arguments; NULL without one. */
static const struct call_reference *first_that_holds(const struct policy *policy,
						     const struct call_reference *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (reference_can_hold(policy, &calls[i]))
			return &calls[i];
	return NULL;
}

/* Of a role's row that has no rule, since the layers refuse what it denies. */
static struct refused refused_already(const struct policy *policy, const struct row *row)
{
	const struct call_reference *first = first_that_holds(policy, row->calls, row->call_count);
	for (size_t i = 0; !first && i < row_more(row)->need_count; i++)
		first = first_that_holds(policy, row_more(row)->needs[i].calls,
					 row_more(row)->needs[i].call_count);
	if (first)
		return (struct refused){ first->call->name, 1, first->condition != NULL };
	const char *const *gated = capability_find(row->subject)->number_calls;
	while (gated[1] && !policy_has_call(policy, syscall_find(*gated)))
		gated++;
	return (struct refused){ *gated, 1, false };
}

static struct refused refused_by(const struct policy *policy, const struct row *row)
{
	const struct known_need *need = row->kind == SUBJECT_COMMAND ? known_need_find(row->subject) : NULL;
	const char *wanted = need && need->calls ? need->calls[0] : NULL;
	struct refused refused = { .in_part = true };
	const struct syscall_entry *last = NULL;
	const struct seccomp *seccomp =
		row->block && row->block->seccomp ? row->block->seccomp : &policy->seccomp;
	for (size_t i = 0; i < seccomp->denied_count; i++) {
		const struct call_rule *rule = &seccomp->denied[i];
		if (!refuses(rule, row) || !rule_can_hold(policy, rule))
			continue;
		refused.in_part &= rule->condition != NULL;
		if (rule->call == last)
			continue;
		last = rule->call;
		refused.count++;
		if (!refused.name || (wanted && strcmp(rule->call->name, wanted) == 0))
			refused.name = rule->call->name;
	}
	return refused.count ? refused : refused_already(policy, row);
}

/* "ptrace and 5 more calls are refused", "clone is refused with some arguments" */
static const char *refused_text(const struct strength_sets *sets, const struct row *row)
{
	struct refused refused = refused_by(sets->policy, row);
	const char *how = refused.in_part ? " with some arguments" : "";
	if (refused.count == 1)
		return arena_printf(sets->arena, "%s is refused%s", refused.name, how);
	return arena_printf(sets->arena, "%s and %zu more call%s are refused%s", refused.name,
			    refused.count - 1, refused.count == 2 ? "" : "s", how);
}

static const char *filter_none(const struct row *row)
{
	if (!row)
		return "a filter sees numbers, never a program: it starts, if somebody starts it";
	if (row->kind == SUBJECT_COMMAND && row->verb == VERB_ALLOW)
		return "a filter sees numbers, never a program: it does nothing for a row that allows one";
	if (row->kind == SUBJECT_COMMAND && row->verb == VERB_FORBID)
		return "the row denies no system call: the program starts and works";
	if (row->kind == SUBJECT_CAPABILITY && !capability_is_gated(capability_find(row->subject)))
		return "no system call tells that the capability is used: it holds where the capability is "
		       "dropped";
	return row->verb == VERB_ALLOW ? "what it names passes anyway, or is of no ABI that the policy names"
				       : "no system call is refused on its account";
}

static const char *filter_sentence(const struct strength_sets *sets, const struct row *row,
				   enum strength strength)
{
	if (!row || strength == STRENGTH_NONE)
		return filter_none(row);
	if (row->verb == VERB_ALLOW)
		return "the kernel lets it pass, and refuses what nothing lists";
	switch (strength) {
	case STRENGTH_ENFORCED:
		return arena_printf(sets->arena, "%s, whoever makes the call", refused_text(sets, row));
	case STRENGTH_HOLES:
		return arena_printf(sets->arena, "%s, but %s", refused_text(sets, row),
				    strength_row_caveat(sets, row));
	default:
		break;
	}
	if (row->kind == SUBJECT_CAPABILITY)
		return arena_printf(sets->arena,
				    "%s; what else it gives stays until the capability is dropped",
				    refused_text(sets, row));
	return arena_printf(sets->arena, "%s: the program starts, and what needs them fails",
			    refused_text(sets, row));
}

static const char *asked_sentence(const struct strength_sets *sets, const struct row *row,
				  enum strength strength)
{
	if (!row)
		return "callers that ask are told that it is not allowed; a direct execve still starts it";
	if (strength == STRENGTH_NONE && row->kind != SUBJECT_COMMAND)
		return "it holds commands alone";
	if (strength == STRENGTH_NONE)
		return row->block ? "it does not hold the rows of plugins"
				  : "a declined command is not in it";
	if (row->verb == VERB_ALLOW)
		return "callers that ask are told yes; who does not ask is not stopped either way";
	if (!strchr(row->subject, ' '))
		return "callers that ask are told no; a direct execve still starts it";
	return arena_printf(sets->arena, "callers that ask with all its words are told no; %s",
			    "options before the sub-command defeat it, and a direct execve");
}

static const char *listed_sentence(const struct row *row, enum strength strength, const char *allowed,
				   const char *forbidden)
{
	if (row && strength == STRENGTH_NONE && row->kind != SUBJECT_COMMAND)
		return "it holds commands alone";
	if (strength == STRENGTH_NONE && row)
		return row->block ? "it does not hold the rows of plugins"
				  : "a declined command is not in it";
	return row && row->verb == VERB_ALLOW ? allowed : forbidden;
}

const char *strength_sentence(const struct strength_sets *sets, const struct row *row,
			      enum strength_artifact artifact)
{
	enum strength strength = row ? strength_of(sets, row, artifact) : strength_of_unlisted(artifact);
	switch (artifact) {
	case STRENGTH_SECCOMP:
	case STRENGTH_BPF:
		return filter_sentence(sets, row, strength);
	case STRENGTH_OCI_SECCOMP:
	case STRENGTH_SPO:
		return strength == STRENGTH_NONE
			       ? filter_none(row)
			       : arena_printf(sets->arena,
					      "%s; it takes the place of the engine's own profile",
					      filter_sentence(sets, row, strength));
	case STRENGTH_PLUGIN_YAML:
		return strength == STRENGTH_NONE
			       ? "no manifest that is written lists it"
			       : "a manifest lists it; nothing but its readers holds to that";
	case STRENGTH_NAMES:
		return listed_sentence(row, strength,
				       "it is listed; nothing but the list's readers holds to that",
				       "it is not listed; nothing but the list's readers holds to that");
	case STRENGTH_MARKDOWN:
		return listed_sentence(row, strength, "a page that says so; nothing holds to it",
				       "a page that says so; nothing holds to it");
	case STRENGTH_C_HEADER:
	case STRENGTH_PYTHON:
		break;
	case STRENGTH_ARTIFACT_COUNT:
		return "";
	}
	return asked_sentence(sets, row, strength);
}
